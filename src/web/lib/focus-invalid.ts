/** Moves the focus to the first invalid field of a form, once React has marked it. */
export function focusFirstInvalid(form: HTMLFormElement | null): void {
  requestAnimationFrame(() => {
    const invalid = ':is(input, textarea, select, button)[aria-invalid="true"]';
    const field = form?.querySelector<HTMLElement>(invalid);
    field?.focus();
    // If that field already had the focus, the page may have been scrolled away from it.
    field?.scrollIntoView({ block: 'nearest' });
  });
}
