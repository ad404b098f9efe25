import { cut, lengthOf } from '../../domain/cut.ts';

/** The state of a field when something is typed or pasted. */
export interface FilledField {
  readonly value: string;
  /** In characters; negative if it has none, as in the browser. */
  readonly limit: number;
  /** Null in fields that do not report it, such as e-mail fields. */
  readonly selectionStart: number | null;
  readonly selectionEnd: number | null;
}

/** How many characters at the end of the pasted text will silently be dropped. */
export function charactersCut(field: FilledField, pasted: string): number {
  if (field.limit < 0) return 0;
  return lengthOf(pasted) - lengthOf(cut(pasted, roomIn(field)));
}

/**
 * The `maxLength` with which the browser takes as much of a text as fits in characters: it counts units of UTF-16, of
 * which an emoji has two. What is composed may be too long until it ends: the limit does not grow with it.
 */
export function unitsFor(field: FilledField, text: string): number {
  return Math.max(field.limit, cut(restOf(field) + text, field.limit).length);
}

function roomIn(field: FilledField): number {
  return Math.max(field.limit - lengthOf(restOf(field)), 0);
}

/** What stays of the value: what is selected is replaced. */
function restOf({ value, selectionStart, selectionEnd }: FilledField): string {
  return value.slice(0, selectionStart ?? value.length) + value.slice(selectionEnd ?? value.length);
}
