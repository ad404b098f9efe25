import type { LabelIndex } from './labels.ts';

/**
 * How a table is sorted, as in the API and the address: `Name`, `-Name` (descending), or `none`, which leaves the
 * order to the server.
 */
export type Sort = string;

export const UNSORTED: Sort = 'none';

export type AriaSort = 'ascending' | 'descending' | 'none';

export function ariaSort(sort: Sort, column: string): AriaSort {
  if (sort === column) return 'ascending';
  return sort === `-${column}` ? 'descending' : 'none';
}

/** The next state when a column's header is pressed: ascending, descending, none and again. */
export function nextSort(sort: Sort, column: string): Sort {
  const after: Record<AriaSort, Sort> = {
    none: column,
    ascending: `-${column}`,
    descending: UNSORTED,
  };
  return after[ariaSort(sort, column)];
}

/** Spanish alphabetical order, with numbers compared as numbers: 2 before 12. */
export const collator = new Intl.Collator('es', { sensitivity: 'base', numeric: true });

/** Rows sorted by `sort`: texts as shown, in Spanish alphabetical order, and numbers as numbers; a new array. */
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
