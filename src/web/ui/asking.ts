import { useSyncExternalStore } from 'react';

let open = 0;
const listeners = new Set<() => void>();

function change(by: number): void {
  open += by;
  for (const listener of listeners) listener();
}

/**
 * Marks a question as open until it is answered.
 *
 * @returns its answer
 */
export function asking<T>(question: Promise<T>): Promise<T> {
  change(1);
  return question.finally(() => change(-1));
}

/**
 * Whether the user is being asked something: an action that waits for the answer is not in progress, whatever its
 * promise says.
 */
export function useIsAsking(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => open > 0,
  );
}
