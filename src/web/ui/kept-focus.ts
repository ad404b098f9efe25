import { useEffect } from 'react';

let last: HTMLElement | null = null;

/** What had the focus last, unless somebody has pressed somewhere else since. */
export function lastFocused(): HTMLElement | null {
  return last;
}

/**
 * A button that waits is disabled, and the browser takes the focus from what is disabled: it gets it
 * back when it has done waiting, if nothing else has taken it. Who works with the keyboard, or is
 * read the page, would begin again at its top after each «Guardar».
 */
export function useKeptFocus(): void {
  useEffect(() => {
    const note = ({ target }: FocusEvent) => {
      const isError = target instanceof Element && target.closest('[role="alertdialog"]');
      if (target instanceof HTMLElement && !isError) last = target;
    };
    const forget = ({ target }: PointerEvent) => {
      if (!(target instanceof Element) || last?.contains(target)) return;
      if (!target.closest('[role="alertdialog"]')) last = null;
    };
    const giveBack = (changes: readonly MutationRecord[]) => {
      if (document.activeElement !== document.body) return;
      const isEnabled = changes.some(({ target }) => target === last);
      if (isEnabled && !last?.matches(':disabled')) last?.focus({ preventScroll: true });
    };
    const observer = new MutationObserver(giveBack);
    observer.observe(document.body, { subtree: true, attributeFilter: ['disabled'] });
    document.addEventListener('focusin', note);
    document.addEventListener('pointerdown', forget, { capture: true });
    return () => {
      observer.disconnect();
      document.removeEventListener('focusin', note);
      document.removeEventListener('pointerdown', forget, { capture: true });
    };
  }, []);
}
