/** Takes the focus to the first field of a form that has an error, once React has marked it. */
export function focusFirstInvalid(form: HTMLFormElement | null): void {
  requestAnimationFrame(() => {
    const invalid = ':is(input, textarea, select, button)[aria-invalid="true"]';
    const field = form?.querySelector<HTMLElement>(invalid);
    field?.focus();
    // One that had the focus already stays where the page was scrolled away from it.
    field?.scrollIntoView({ block: 'nearest' });
  });
}
