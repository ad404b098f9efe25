/** Moves the focus to a field, given its place in the form. Returns false when there is none there. */
export function focusPlace(root: HTMLElement | null, place: string): boolean {
  const found = root?.querySelector<HTMLElement>(`[data-place="${CSS.escape(place)}"]`);
  const isField = found?.matches('input, textarea, select, button');
  const field = isField ? found : found?.querySelector<HTMLElement>('input');
  field?.focus();
  return Boolean(field);
}

/** The place of the focused field, if it belongs to a form. */
export function placeInFocus(): string | null {
  return document.activeElement?.getAttribute('data-place') ?? null;
}
