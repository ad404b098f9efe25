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

it('does not take ñ for n', () => {
  expect(fold('AÑO Ángel Çelik')).toBe('año angel celik');
});
