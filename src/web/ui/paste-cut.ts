/** The state of a field when something is pasted. */
export interface PastedField {
  readonly value: string;
  /** Negative if it has none, as in the browser. */
  readonly maxLength: number;
  /** Null in fields that do not report it, such as e-mail fields. */
  readonly selectionStart: number | null;
  readonly selectionEnd: number | null;
}

/** How many characters at the end of the pasted text the browser will silently drop. */
export function charactersCut(field: PastedField, pasted: string): number {
  if (field.maxLength < 0) return 0;
  const replaced = (field.selectionEnd ?? 0) - (field.selectionStart ?? 0);
  const room = Math.max(field.maxLength - (field.value.length - replaced), 0);
  return Math.max(pasted.length - room, 0);
}
