import { fold } from '../../../domain/fold.ts';
import { bareId } from '../../../domain/nif.ts';
import type { LabelIndex } from './labels.ts';

export { fold };

/**
 * The texts of a row, folded on first use: a list of thousands is searched with each keystroke, and folding is what
 * takes time. A changed row is a new object.
 */
export function foldedOnce<Row extends object>(
  texts: (row: Row) => readonly string[],
): (row: Row) => readonly string[] {
  const known = new WeakMap<Row, readonly string[]>();
  return (row) => {
    const found = known.get(row) ?? texts(row).map(fold);
    known.set(row, found);
    return found;
  };
}

/** The texts by which a row is found: each of its fields, with codes also as shown. */
export function textsWith(labels: LabelIndex): (row: object) => readonly string[] {
  return foldedOnce((row) =>
    Object.entries(row).flatMap(([field, value]) => [
      ...textsOf(value),
      labels.get(field)?.get(value) ?? '',
    ]),
  );
}

/** A tax number or an account has at least so many digits. */
const LONG_NUMBER = /\d{7}/;

/**
 * Whether a folded text has what is searched for: each of its words, or the tax number that was typed with its dots
 * and hyphens.
 */
export function searching(search: string): (text: string) => boolean {
  const words = fold(search.trim()).split(/\s+/);
  const id = fold(bareId(search));
  const isId = LONG_NUMBER.test(id);
  return (text) => words.every((word) => text.includes(word)) || (isId && text.includes(id));
}

/** Rows with a field that has what is searched for; all of them for an empty search. */
export function searchRows<Row extends object>(
  rows: readonly Row[],
  search: string,
  textsOfRow: (row: Row) => readonly string[],
): Row[] {
  if (search.trim() === '') return [...rows];
  const isFound = searching(search);
  return rows.filter((row) => textsOfRow(row).some(isFound));
}

const SHOWN = { minimumFractionDigits: 2, maximumFractionDigits: 6 };
const grouped = new Intl.NumberFormat('es-ES', { ...SHOWN, useGrouping: 'always' } as object);
const plain = new Intl.NumberFormat('es-ES', { ...SHOWN, useGrouping: false });

/** A number is found as stored and as shown: `1234.5`, `1.234,50` and `1234,50`. */
function textsOf(field: unknown): string[] {
  if (typeof field !== 'number') return [String(field)];
  return [String(field), grouped.format(field), plain.format(field)];
}
