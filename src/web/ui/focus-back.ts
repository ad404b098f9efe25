import { useEffect, useState } from 'react';

/**
 * When a dialog closes, returns the focus to the element that had it when it opened or, if that is gone, to the title
 * of the screen. Mantine only does so for dialogs that are always rendered; ours are not.
 */
export function useFocusBack(): void {
  const [opener] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      // Once the dialog is gone, unless something else has taken the focus meanwhile.
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
