import { fold } from '../../../domain/fold.ts';
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

/** Rows that contain the searched text; all of them for an empty search. */
export function searchRows<Row extends object>(
  rows: readonly Row[],
  search: string,
  textsOfRow: (row: Row) => readonly string[],
): Row[] {
  const wanted = fold(search.trim());
  if (wanted === '') return [...rows];
  return rows.filter((row) => textsOfRow(row).some((text) => text.includes(wanted)));
}

const SHOWN = { minimumFractionDigits: 2, maximumFractionDigits: 6 };
const grouped = new Intl.NumberFormat('es-ES', { ...SHOWN, useGrouping: 'always' } as object);
const plain = new Intl.NumberFormat('es-ES', { ...SHOWN, useGrouping: false });

/** A number is found as stored and as shown: `1234.5`, `1.234,50` and `1234,50`. */
function textsOf(field: unknown): string[] {
  if (typeof field !== 'number') return [String(field)];
  return [String(field), grouped.format(field), plain.format(field)];
}
