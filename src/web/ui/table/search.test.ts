import { expect, it } from 'vitest';
import { fold, searchRows } from './search.ts';

const rows = [
  { No: 'C-1', Name: 'Panadería Peñalver', Email: 'hola@penalver.example' },
  { No: 'C-2', Name: 'Talleres Ruiz', Email: 'admin@ruiz.example' },
];
const found = (search: string) => searchRows(rows, search).map((row) => row.No);

it('looks in every field, without case or accents', () => {
  expect(found('PANADERIA')).toEqual(['C-1']);
  expect(found('@RUIZ')).toEqual(['C-2']);
  expect(found('c-')).toEqual(['C-1', 'C-2']);
});

it('finds everything with an empty search, and nothing with what is nowhere', () => {
  expect(found('  ')).toEqual(['C-1', 'C-2']);
  expect(found('ferretería')).toEqual([]);
});

it('finds a price as it is shown and as it is stored', () => {
  const prices = [{ UnitPrice: 1234.5 }, { UnitPrice: 4.2 }];
  for (const typed of ['1.234,50', '1234,5', '1234.5']) {
    expect(searchRows(prices, typed)).toEqual([prices[0]]);
  }
  expect(searchRows(prices, '4,20')).toEqual([prices[1]]);
});

it('does not take ñ for n', () => {
  expect(fold('AÑO Ángel Çelik')).toBe('año angel celik');
});

it('finds a row by what it says since it changed', () => {
  expect(found('ruiz')).toEqual(['C-2']);
  const changed = rows.map((row) =>
    row.No === 'C-2' ? { ...row, Name: 'Forja Lara', Email: '' } : row,
  );
  expect(searchRows(changed, 'ruiz')).toEqual([]);
  expect(searchRows(changed, 'lara').map(({ No }) => No)).toEqual(['C-2']);
});
