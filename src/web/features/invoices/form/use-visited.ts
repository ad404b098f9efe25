import { type FocusEvent, startTransition, useCallback, useMemo, useState } from 'react';
import type { PlacedFinding } from './findings.ts';

/**
 * Which findings are shown beside their field. A new form does not complain about fields that nobody has got to yet: a
 * field shows what is wrong with it once it has been left. The list of checks always shows everything.
 */
export function useVisited(
  findings: readonly PlacedFinding[],
  { startsWithAll }: { startsWithAll: boolean },
) {
  const [isAll, setAll] = useState(startsWithAll);
  const [places, setPlaces] = useState<ReadonlySet<string>>(new Set());

  const onBlur = useCallback(
    (event: FocusEvent) => {
      const place = event.target.closest('[data-place]')?.getAttribute('data-place');
      if (isAll || !place) return;
      // The newly focused field responds first.
      startTransition(() =>
        setPlaces((seen) => (seen.has(place) ? seen : new Set(seen).add(place))),
      );
    },
    [isAll],
  );
  const showAll = useCallback(() => setAll(true), []);

  const shown = useMemo(
    () => (isAll ? findings : findings.filter(({ place }) => places.has(place))),
    [isAll, findings, places],
  );
  return { findings: shown, onBlur, showAll };
}
