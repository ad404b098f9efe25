import type { InvoiceListParams } from '../../lib/queries.ts';
import { UNSORTED } from '../../ui/table/sort.ts';

/** The ranges of dates of a list, shortest first, with their words. */
export const RANGES = [
  { value: 'day', label: 'Día', sentence: 'en el último día' },
  { value: 'week', label: 'Semana', sentence: 'en los últimos 7 días' },
  { value: 'month', label: 'Mes', sentence: 'en los últimos 30 días' },
  { value: 'year', label: 'Año', sentence: 'en el último año' },
  { value: 'all', label: 'Todo', sentence: '' },
] as const;
export type Range = (typeof RANGES)[number]['value'];

/** What a list shows, kept in the address: it survives a reload and can be shared. */
export interface ListState {
  readonly page: number;
  readonly sort: string;
  readonly search: string;
  readonly range: Range;
}

export const DEFAULT_STATE: ListState = {
  page: 1,
  sort: '-PostingDate',
  search: '',
  range: 'all',
};

export const PAGE_SIZE = 8;

const MAX_SEARCH = 100;
const SORTABLE = /^-?(PostingDate|DocNo|Name|Status|Amount|VatAmount|AmountIncludingVat)$/;

/** Reads the address. What makes no sense there is ignored, never sent to the server. */
export function readListState(params: URLSearchParams): ListState {
  const page = Number(params.get('page'));
  const sort = params.get('sort') ?? DEFAULT_STATE.sort;
  const range = RANGES.find(({ value }) => value === params.get('range'));
  return {
    page: Number.isInteger(page) && page >= 1 && page <= 1_000_000 ? page : 1,
    sort: sort === UNSORTED || SORTABLE.test(sort) ? sort : DEFAULT_STATE.sort,
    search: (params.get('search') ?? '').slice(0, MAX_SEARCH),
    range: range?.value ?? DEFAULT_STATE.range,
  };
}

/**
 * The address after a change. Defaults are left out of it, other parameters stay, and any change
 * but that of the page goes back to the first one.
 */
export function withListState(
  params: URLSearchParams,
  change: Partial<ListState>,
): URLSearchParams {
  const state = { ...readListState(params), page: 1, ...change };
  const result = new URLSearchParams(params);
  for (const key of ['page', 'sort', 'search', 'range'] as const) {
    if (state[key] === DEFAULT_STATE[key]) result.delete(key);
    else result.set(key, String(state[key]));
  }
  return result;
}

export function isFiltered({ search, range }: ListState): boolean {
  return search.trim() !== '' || range !== DEFAULT_STATE.range;
}

/** What is asked of the server. */
export function listParams({ page, sort, search, range }: ListState): InvoiceListParams {
  return { page, pageSize: PAGE_SIZE, sort, search: search.trim(), range };
}
