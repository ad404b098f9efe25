import { describe, expect, it } from 'vitest';
import { indexLabels } from './labels.ts';
import { ariaSort, nextSort, sortRows, UNSORTED } from './sort.ts';

describe('nextSort', () => {
  it('cycles a column through ascending, descending and none', () => {
    const once = nextSort(UNSORTED, 'Name');
    const twice = nextSort(once, 'Name');
    expect([once, twice, nextSort(twice, 'Name')]).toEqual(['Name', '-Name', 'none']);
  });

  it('starts another column in ascending order', () => {
    expect(nextSort('-PostingDate', 'Name')).toBe('Name');
  });

  it('leads from the default order, dates descending, to none and then to ascending', () => {
    const none = nextSort('-PostingDate', 'PostingDate');
    expect(none).toBe('none');
    expect(nextSort(none, 'PostingDate')).toBe('PostingDate');
  });
});

it('gives a direction for the sorted column only', () => {
  expect(ariaSort('-Amount', 'Amount')).toBe('descending');
  expect(ariaSort('Amount', 'Amount')).toBe('ascending');
  expect(ariaSort('-Amount', 'VatAmount')).toBe('none');
});

describe('sortRows', () => {
  const rows = [
    { No: 'P-10', Name: 'Ñora', UnitPrice: 9 },
    { No: 'P-2', Name: 'óxido', UnitPrice: 100 },
    { No: 'P-1', Name: 'Nuez', UnitPrice: 25.5 },
  ];
  const nos = (sort: string) => sortRows(rows, sort, new Map()).map((row) => row.No);

  it('puts ñ after n, ignoring accents and case', () => {
    expect(nos('Name')).toEqual(['P-1', 'P-10', 'P-2']);
    expect(nos('-Name')).toEqual(['P-2', 'P-10', 'P-1']);
  });

  it('sorts codes by their numbers and amounts by value', () => {
    expect(nos('No')).toEqual(['P-1', 'P-2', 'P-10']);
    expect(nos('UnitPrice')).toEqual(['P-10', 'P-1', 'P-2']);
  });

  it('sorts by what is shown in place of a code', () => {
    const units = indexLabels<{ unit: string }>({
      unit: [
        { value: 'UD', label: 'Unidad' },
        { value: 'DIA', label: 'Día' },
        { value: 'TM', label: 'Tonelada' },
      ],
    });
    const shown = ['UD', 'TM', 'DIA', 'KG'].map((unit) => ({ unit }));
    expect(sortRows(shown, 'unit', units).map(({ unit }) => unit)).toEqual([
      ...['DIA', 'KG', 'TM', 'UD'],
    ]);
    const [first] = sortRows([{ unit: 'TM' }, { unit: 'UD' }, { unit: 'DIA' }], '-unit', units);
    expect(first).toEqual({ unit: 'UD' });
  });

  it('leaves the order and the array alone if unsorted', () => {
    expect(nos(UNSORTED)).toEqual(['P-10', 'P-2', 'P-1']);
    sortRows(rows, 'Name', new Map());
    expect(rows[0]?.No).toBe('P-10');
  });
});
