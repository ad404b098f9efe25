import { useSyncExternalStore } from 'react';

let open = 0;
const listeners = new Set<() => void>();

function change(by: number): void {
  open += by;
  for (const listener of listeners) listener();
}

/** Counts a question as open until it is answered. @returns its answer */
export function asking<T>(question: Promise<T>): Promise<T> {
  change(1);
  return question.finally(() => change(-1));
}

/**
 * Whether the person is being asked something: what waits for the answer is not under way, whatever its
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
