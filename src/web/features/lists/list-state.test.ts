import { describe, expect, it } from 'vitest';
import {
  ALL_DATES,
  DEFAULT_STATE,
  datesSentence,
  isFiltered,
  listParams,
  readListState,
  withListState,
} from './list-state.ts';

const COLUMNS = ['PostingDate', 'DocNo', 'Name'];
const read = (query: string) => readListState(new URLSearchParams(query), COLUMNS);
const change = (query: string, to: Parameters<typeof withListState>[2]) =>
  withListState(new URLSearchParams(query), COLUMNS, to).toString();

describe('readListState', () => {
  it('is the default list without parameters', () => {
    expect(read('')).toEqual({
      page: 1,
      sort: '-PostingDate',
      search: '',
      range: 'all',
      desde: '',
      hasta: '',
      cobro: '',
    });
  });

  it('reads the address', () => {
    const dates = 'desde=2026-07-01&hasta=2026-09-30';
    expect(read(`page=3&sort=Name&search=ruiz&range=month&cobro=vencida&${dates}`)).toEqual({
      page: 3,
      sort: 'Name',
      search: 'ruiz',
      range: 'month',
      desde: '2026-07-01',
      hasta: '2026-09-30',
      cobro: 'vencida',
    });
  });

  it.each([
    'page=0',
    'page=-1',
    'page=1.5',
    'page=uno',
    'sort=Password',
    'sort=--Name',
    'sort=ErrorMessage',
    'range=x',
    'desde=ayer',
    'hasta=2026-02-30',
    'cobro=todas',
  ])('ignores %s', (query) => expect(read(query)).toEqual(DEFAULT_STATE));

  it('cuts off a search that the server would refuse', () => {
    expect(read(`search=${'a'.repeat(300)}`).search).toHaveLength(100);
  });
});

describe('withListState', () => {
  it('leaves defaults out of the address', () => {
    expect(change('page=2&range=week', { page: 1, range: 'all' })).toBe('');
  });

  it('goes back to the first page when what is listed changes', () => {
    expect(change('page=7', { search: 'ruiz' })).toBe('search=ruiz');
    expect(change('page=7', { page: 8 })).toBe('page=8');
  });

  it('keeps other parameters', () => {
    expect(change('edit=B-9', { sort: 'none' })).toBe('edit=B-9&sort=none');
  });
});

it('requests pages of eight, and the trimmed search', () => {
  expect(listParams({ ...DEFAULT_STATE, search: ' ruiz ' })).toEqual({
    page: 1,
    pageSize: 8,
    sort: '-PostingDate',
    search: 'ruiz',
    cobro: '',
    ...ALL_DATES,
  });
});

it('is filtered by a search, a range or what is collected, not by a sort or a page', () => {
  expect(isFiltered({ ...DEFAULT_STATE, sort: 'Name', page: 4 })).toBe(false);
  expect(isFiltered({ ...DEFAULT_STATE, search: '  ' })).toBe(false);
  expect(isFiltered({ ...DEFAULT_STATE, range: 'day' })).toBe(true);
  expect(isFiltered({ ...DEFAULT_STATE, hasta: '2026-09-30' })).toBe(true);
  expect(isFiltered({ ...DEFAULT_STATE, cobro: 'pendiente' })).toBe(true);
});

it('says which dates are requested', () => {
  const [desde, hasta] = ['2026-07-01', '2026-09-30'];
  expect(datesSentence(DEFAULT_STATE)).toBe('');
  expect(datesSentence({ ...DEFAULT_STATE, range: 'week' })).toBe('en los últimos 7 días');
  expect(datesSentence({ ...DEFAULT_STATE, desde, hasta })).toBe(
    'entre el 01/07/2026 y el 30/09/2026',
  );
  expect(datesSentence({ ...DEFAULT_STATE, hasta })).toBe('hasta el 30/09/2026');
});
