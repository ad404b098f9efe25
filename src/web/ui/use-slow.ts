import { useEffect, useState } from 'react';

/** Under this, what is going on is not worth a spinner. */
const SLOW_MS = 300;

/** Whether something has been going on for long enough to say so. */
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
