import { useDeferredValue, useEffect, useMemo, useRef } from 'react';
import { useSearchParams } from 'react-router';
import { indexLabels, type Labels } from './labels.ts';
import { searchRows, textsWith } from './search.ts';
import { type Sort, sortRows, UNSORTED } from './sort.ts';

export const PAGE_SIZE = 8;

/** A list that is entirely in the browser: searched, sorted and paged, with its state in the address. */
export interface LocalTable<Row> {
  readonly search: string;
  readonly sort: Sort;
  readonly page: number;
  /** How many rows match, on all pages. */
  readonly found: number;
  /** Undefined while loading. */
  readonly pageRows: readonly Row[] | undefined;
  readonly setSearch: (search: string) => void;
  readonly setSort: (sort: Sort) => void;
  readonly setPage: (page: number) => void;
}

export function useLocalTable<Row extends object>(
  rows: readonly Row[] | undefined,
  labels: Labels<Row>,
): LocalTable<Row> {
  const [params, setParams] = useSearchParams();
  const search = params.get('search') ?? '';
  const sort = params.get('sort') ?? UNSORTED;
  const wanted = useDeferredValue(search);
  const index = useMemo(() => indexLabels(labels), [labels]);
  const textsOf = useMemo(() => textsWith(index), [index]);
  const found = useMemo(
    () => rows && sortRows(searchRows(rows, wanted, textsOf), sort, index),
    [rows, wanted, sort, textsOf, index],
  );
  const lastPage = Math.max(1, Math.ceil((found?.length ?? 0) / PAGE_SIZE));
  const page = Math.min(Math.max(1, Math.trunc(Number(params.get('page'))) || 1), lastPage);

  const change = (key: string, value: string, { isDefault }: { isDefault: boolean }) =>
    setParams(
      (current) => {
        const next = new URLSearchParams(current);
        next.delete('page');
        if (isDefault) next.delete(key);
        else next.set(key, value);
        return next;
      },
      { replace: key === 'search', preventScrollReset: true },
    );
  const setPage = (next: number) => change('page', String(next), { isDefault: next === 1 });
  useFirstPageOnNewLength(rows?.length, () => page > 1 && setPage(1));

  return {
    search,
    sort,
    page,
    found: found?.length ?? 0,
    pageRows: found?.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE),
    setSearch: (next) => change('search', next, { isDefault: next.trim() === '' }),
    setSort: (next) => change('sort', next, { isDefault: next === UNSORTED }),
    setPage,
  };
}

/** Returns to the first page when a row is added or removed, but not when the list is first loaded. */
function useFirstPageOnNewLength(length: number | undefined, goToFirst: () => void) {
  const before = useRef(length);
  useEffect(() => {
    const changed = before.current !== undefined && length !== before.current;
    before.current = length;
    if (changed) goToFirst();
  });
}
