import { useEffect } from 'react';

let last: HTMLElement | null = null;

/** What last had the focus, unless somebody has pressed somewhere else since. */
export function lastFocused(): HTMLElement | null {
  return last;
}

/**
 * A busy button is disabled, and the browser takes the focus away from disabled elements. This returns the focus when
 * it is no longer busy, unless something else has taken it. Otherwise users of keyboards and screen readers would
 * start again at the top of the page after each «Guardar».
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
