import { useCallback, useEffect, useState } from 'react';
import type { Opening } from './open-form.ts';

export type OpeningState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly error: unknown; readonly retry: () => void }
  | { readonly kind: 'open'; readonly opening: Opening };

/**
 * Gets everything that a form starts from. Asked for once per `open`: whatever it takes hold of is released once nobody
 * waits for it any more.
 */
export function useOpening(open: () => Promise<Opening>): OpeningState {
  const [state, setState] = useState<OpeningState>({ kind: 'loading' });
  const [round, setRound] = useState(0);
  const retry = useCallback(() => setRound((value) => value + 1), []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round asks again.
  useEffect(() => {
    let isWanted = true;
    setState({ kind: 'loading' });
    const start = async () => {
      try {
        const opening = await open();
        if (isWanted) setState({ kind: 'open', opening });
        else opening.release();
      } catch (error) {
        if (isWanted) setState({ kind: 'failed', error, retry });
      }
    };
    // Not immediately: an effect that is undone at once must not take hold of anything.
    const timer = setTimeout(start);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [open, retry, round]);

  return state;
}
