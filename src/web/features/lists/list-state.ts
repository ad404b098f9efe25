import { cut } from '../../../domain/cut.ts';
import { isIsoDate } from '../../../domain/dates.ts';
import { fecha } from '../../lib/format.ts';
import type { InvoiceListParams } from '../../lib/queries.ts';
import { UNSORTED } from '../../ui/table/sort.ts';
import { PAGE_SIZE } from '../../ui/table/use-local-table.ts';

/** The ranges of dates of a list, shortest first, with their labels. */
export const RANGES = [
  { value: 'day', label: 'Día', sentence: 'en el último día' },
  { value: 'week', label: 'Semana', sentence: 'en los últimos 7 días' },
  { value: 'month', label: 'Mes', sentence: 'en los últimos 30 días' },
  { value: 'year', label: 'Año', sentence: 'en el último año' },
  { value: 'all', label: 'Todo', sentence: '' },
] as const;
export type Range = (typeof RANGES)[number]['value'];

/** What may be asked of the cobros of a list. */
export const COBROS = [
  { value: 'pendiente', label: 'Sin cobrar', sentence: 'sin cobrar' },
  { value: 'vencida', label: 'Vencidas', sentence: 'vencido' },
] as const;

/** What a list shows. It is kept in the address, so that it survives a reload and can be shared. */
export interface ListState {
  readonly page: number;
  readonly sort: string;
  readonly search: string;
  readonly range: Range;
  /** The first and the last day of a period chosen instead of a range, or empty. */
  readonly desde: string;
  readonly hasta: string;
  /** Empty for all. */
  readonly cobro: '' | (typeof COBROS)[number]['value'];
}

/** Of any date. */
export const ALL_DATES = { range: 'all', desde: '', hasta: '' } as const;

export const DEFAULT_STATE: ListState = {
  page: 1,
  sort: '-PostingDate',
  search: '',
  cobro: '',
  ...ALL_DATES,
};

/** Without a filter. */
export const UNFILTERED = { search: '', cobro: '', ...ALL_DATES } as const;

const MAX_SEARCH = 100;

/**
 * Reads the address. What makes no sense in it is ignored, never sent to the server.
 *
 * @param sortable what the columns of the list sort by
 */
export function readListState(params: URLSearchParams, sortable: readonly string[]): ListState {
  const page = Number(params.get('page'));
  const sort = params.get('sort') ?? DEFAULT_STATE.sort;
  const range = RANGES.find(({ value }) => value === params.get('range'));
  return {
    page: Number.isInteger(page) && page >= 1 && page <= 1_000_000 ? page : 1,
    sort:
      sort === UNSORTED || sortable.includes(sort.replace(/^-/, '')) ? sort : DEFAULT_STATE.sort,
    search: cut(params.get('search') ?? '', MAX_SEARCH),
    range: range?.value ?? DEFAULT_STATE.range,
    desde: dayOf(params.get('desde')),
    hasta: dayOf(params.get('hasta')),
    cobro: COBROS.find(({ value }) => value === params.get('cobro'))?.value ?? '',
  };
}

const dayOf = (text: string | null) => (text !== null && isIsoDate(text) ? text : '');

/**
 * The address after a change. Defaults are left out, other parameters stay, and any change except that of the page goes
 * back to the first page.
 */
export function withListState(
  params: URLSearchParams,
  sortable: readonly string[],
  change: Partial<ListState>,
): URLSearchParams {
  const state = { ...readListState(params, sortable), page: 1, ...change };
  const result = new URLSearchParams(params);
  for (const key of ['page', 'sort', 'search', 'range', 'desde', 'hasta', 'cobro'] as const) {
    if (state[key] === DEFAULT_STATE[key]) result.delete(key);
    else result.set(key, String(state[key]));
  }
  return result;
}

export function isFiltered(state: ListState): boolean {
  return state.search.trim() !== '' || state.cobro !== '' || isDated(state);
}

/** Whether only some dates are requested. */
export function isDated({ range, desde, hasta }: ListState): boolean {
  return range !== 'all' || desde !== '' || hasta !== '';
}

/** Which dates are requested: `en el último año`, `entre el 01/07/2026 y el 30/09/2026`. */
export function datesSentence({ range, desde, hasta }: ListState): string {
  const inRange = RANGES.find(({ value }) => value === range)?.sentence ?? '';
  const between =
    desde && hasta
      ? `entre el ${fecha(desde)} y el ${fecha(hasta)}`
      : (desde && `desde el ${fecha(desde)}`) || (hasta && `hasta el ${fecha(hasta)}`);
  return [inRange, between].filter(Boolean).join(' ');
}

/** The parameters of the request to the server. */
export function listParams({ search, ...state }: ListState): InvoiceListParams {
  return { ...state, pageSize: PAGE_SIZE, search: search.trim() };
}
