import type { LabelIndex } from './labels.ts';

/**
 * How a table is sorted, as the server and the address bar write it: `Name`, `-Name` (descending),
 * or `none`, which leaves the order to the server.
 */
export type Sort = string;

export const UNSORTED: Sort = 'none';

export type AriaSort = 'ascending' | 'descending' | 'none';

export function ariaSort(sort: Sort, column: string): AriaSort {
  if (sort === column) return 'ascending';
  return sort === `-${column}` ? 'descending' : 'none';
}

/** What pressing a column's header leads to: ascending, descending, none and round again. */
export function nextSort(sort: Sort, column: string): Sort {
  const after: Record<AriaSort, Sort> = {
    none: column,
    ascending: `-${column}`,
    descending: UNSORTED,
  };
  return after[ariaSort(sort, column)];
}

/** The order of the Spanish alphabet, with numbers as numbers: 2 before 12. */
export const collator = new Intl.Collator('es', { sensitivity: 'base', numeric: true });

/** Rows in the order of `sort`, in Spanish alphabetical order as they are shown and numbers as numbers; a new array. */
export function sortRows<Row extends object>(
  rows: readonly Row[],
  sort: Sort,
  labels: LabelIndex,
): Row[] {
  if (sort === UNSORTED) return [...rows];
  const column = sort.replace(/^-/, '') as keyof Row & string;
  const direction = sort.startsWith('-') ? -1 : 1;
  const shown = (row: Row) => labels.get(column)?.get(row[column]) ?? row[column];
  return [...rows].sort((a, b) => direction * compare(shown(a), shown(b)));
}

function compare(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return collator.compare(String(a ?? ''), String(b ?? ''));
}
