/** Takes the focus to the first field of a form that has an error, once React has marked it. */
export function focusFirstInvalid(form: HTMLFormElement | null): void {
  requestAnimationFrame(() => {
    const invalid = ':is(input, textarea, select, button)[aria-invalid="true"]';
    form?.querySelector<HTMLElement>(invalid)?.focus();
  });
}
