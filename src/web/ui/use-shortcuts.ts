import { useEffect, useRef } from 'react';

/** By the key that is pressed together with Ctrl, as `KeyboardEvent.key` in lower case: `enter`, `s`. */
export type Shortcuts = Readonly<Record<string, () => void>>;

/**
 * Keys with Ctrl, wherever the focus is on the page, but not while a dialog is open. A key held down acts once. On a
 * link Ctrl+Enter opens it, as anywhere else.
 */
export function useShortcuts(shortcuts: Shortcuts): void {
  const latest = useRef(shortcuts);
  latest.current = shortcuts;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!event.ctrlKey && !event.metaKey) return;
      const act = latest.current[event.key.toLowerCase()];
      if (!act || (event.key === 'Enter' && isOnLink(event))) return;
      event.preventDefault();
      if (event.repeat || document.querySelector('[role="dialog"], [role="alertdialog"]')) return;
      act();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
}

const isOnLink = ({ target }: KeyboardEvent) =>
  target instanceof Element && target.closest('a[href]') !== null;
