import { fold } from '../../../domain/fold.ts';

export { fold };

/** Rows with the searched text somewhere in any of their fields; all of them for an empty search. */
export function searchRows<Row extends object>(rows: readonly Row[], search: string): Row[] {
  const wanted = fold(search.trim());
  if (wanted === '') return [...rows];
  return rows.filter((row) =>
    Object.values(row).some((field) => textsOf(field).some((text) => fold(text).includes(wanted))),
  );
}

const SHOWN = { minimumFractionDigits: 2, maximumFractionDigits: 6 };
const grouped = new Intl.NumberFormat('es-ES', { ...SHOWN, useGrouping: 'always' } as object);
const plain = new Intl.NumberFormat('es-ES', { ...SHOWN, useGrouping: false });

/** A figure is found as it is stored and as it is shown: `1234.5`, `1.234,50` and `1234,50`. */
function textsOf(field: unknown): string[] {
  if (typeof field !== 'number') return [String(field)];
  return [String(field), grouped.format(field), plain.format(field)];
}
