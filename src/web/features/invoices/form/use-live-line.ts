import { useCallback, useSyncExternalStore } from 'react';
import type { LiveLines } from './draft-store.ts';
import type { DraftLine } from './lines.ts';

/** That line as it is being typed, ahead of the rest of the form; the given one once it has been removed. */
export function useLiveLine(line: DraftLine, live: LiveLines): DraftLine {
  const { id } = line;
  const subscribe = useCallback((told: () => void) => live.subscribe(id, told), [live, id]);
  return useSyncExternalStore(subscribe, () => live.line(id) ?? line);
}
