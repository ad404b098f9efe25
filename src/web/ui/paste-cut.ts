/** A field as a paste finds it. */
export interface PastedField {
  readonly value: string;
  /** Below zero when it has none, as the browser tells it. */
  readonly maxLength: number;
  /** Null in fields that do not tell, such as an e-mail's. */
  readonly selectionStart: number | null;
  readonly selectionEnd: number | null;
}

/** Characters at the end of what is pasted that the browser will leave out, without a word. */
export function charactersCut(field: PastedField, pasted: string): number {
  if (field.maxLength < 0) return 0;
  const replaced = (field.selectionEnd ?? 0) - (field.selectionStart ?? 0);
  const room = Math.max(field.maxLength - (field.value.length - replaced), 0);
  return Math.max(pasted.length - room, 0);
}
