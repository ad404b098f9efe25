import { useCallback, useEffect, useState } from 'react';
import type { Opening } from './open-form.ts';

export type OpeningState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly error: unknown; readonly retry: () => void }
  | { readonly kind: 'open'; readonly opening: Opening };

/**
 * Gets all that a form starts from. It is asked for once per `open`: what it takes hold of is let go
 * of when nobody waits for it any more.
 */
export function useOpening(open: () => Promise<Opening>): OpeningState {
  const [state, setState] = useState<OpeningState>({ kind: 'loading' });
  const [round, setRound] = useState(0);
  const retry = useCallback(() => setRound((value) => value + 1), []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round asks again.
  useEffect(() => {
    let isWanted = true;
    setState({ kind: 'loading' });
    open().then(
      (opening) => {
        if (isWanted) setState({ kind: 'open', opening });
        else opening.release();
      },
      (error: unknown) => {
        if (isWanted) setState({ kind: 'failed', error, retry });
      },
    );
    return () => {
      isWanted = false;
    };
  }, [open, retry, round]);

  return state;
}
