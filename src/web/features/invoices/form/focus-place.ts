/** Takes the focus to a field by the place it has in the form. False when there is none there. */
export function focusPlace(root: HTMLElement | null, place: string): boolean {
  const found = root?.querySelector<HTMLElement>(`[data-place="${CSS.escape(place)}"]`);
  const isField = found?.matches('input, textarea, select, button');
  const field = isField ? found : found?.querySelector<HTMLElement>('input');
  field?.focus();
  return Boolean(field);
}

/** The place of the field that has the focus, if it is one of a form. */
export function placeInFocus(): string | null {
  return document.activeElement?.getAttribute('data-place') ?? null;
}
