import { useEffect, useState } from 'react';

/**
 * Whoever had the focus when a dialog opened has it back when it closes, or the title of the screen has it, if they are
 * gone by then. Mantine gives it back only from a dialog that was there before it opened; ours come and go.
 */
export function useFocusBack(): void {
  const [opener] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      // Once the dialog is gone, and unless something has taken the focus meanwhile.
      setTimeout(() => {
        if (!(opener instanceof HTMLElement) || opener === document.body) return;
        if (document.activeElement !== document.body) return;
        const next = opener.isConnected ? opener : document.querySelector<HTMLElement>('main h1');
        next?.focus({ preventScroll: true });
      });
    },
    [opener],
  );
}
