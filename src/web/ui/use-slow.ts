import { useEffect, useState } from 'react';

/** Anything shorter does not need a spinner. */
const SLOW_MS = 300;

/** Whether something has been going on long enough to show it. */
export function useSlow(isBusy: boolean): boolean {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    if (!isBusy) return;
    const timer = setTimeout(() => setSlow(true), SLOW_MS);
    return () => {
      clearTimeout(timer);
      setSlow(false);
    };
  }, [isBusy]);
  return isSlow;
}
