import { expect, it } from 'vitest';
import {
  daysThatRead,
  docKey,
  nameKey,
  searchedId,
  searchNeedle,
  searchText,
} from './list-text.ts';

const ordered = (key: (text: string) => string, texts: readonly string[]) =>
  [...texts].sort((a, b) => (key(a) < key(b) ? -1 : 1));

it('sorts numbers by their digits, however many there are', () => {
  const numbers = ['B-10', '100000/26', 'B-9', '99999/26', '00007/26', 'F26-00002'];
  expect(ordered(docKey, numbers)).toEqual([
    '00007/26',
    '99999/26',
    '100000/26',
    'B-9',
    'B-10',
    'F26-00002',
  ]);
});

it('sorts names in Spanish order', () => {
  const names = ['Zapatos', 'Óptica', 'nube', 'Ñora', 'Nuez', 'ópera'];
  expect(ordered(nameKey, names)).toEqual(['nube', 'Nuez', 'Ñora', 'ópera', 'Óptica', 'Zapatos']);
});

const invoice = searchText({
  docNo: '00012/26',
  postingDate: '2026-11-20',
  customerNif: 'B58818501',
  customerName: 'Panadería Peñalver, S.L.',
  base: '1020.33',
  vat: '214.27',
  total: '1234.60',
});

it.each([
  '00012',
  '2026-11',
  '20/11/2026',
  'b5881',
  'PANADERIA',
  'peñalver',
  '1.234,60',
  '1.234,60 €',
  '1234.60',
  '1234,6',
  '214,27',
])('finds an invoice by «%s»', (typed) => expect(invoice).toContain(searchNeedle(typed)));

it.each(['penalver', '1.234,61', '21/11/2026'])('does not find it by «%s»', (typed) =>
  expect(invoice).not.toContain(searchNeedle(typed)),
);

it.each(['B-58818501', 'b.58818501', 'B 58 818 501', 'ES B58818501', 'CIF: B-58818501'])(
  'looks for the stored NIF when «%s» is nowhere',
  (typed) => {
    expect(invoice).not.toContain(searchNeedle(typed));
    expect(searchedId(typed)).toBe('b58818501');
  },
);

it.each([
  ['12.345.678-Z', '12345678z'],
  ['X-1234567-L', 'x1234567l'],
  ['FR 40 303265045', 'fr40303265045'],
])('reads the tax number in «%s»', (typed, id) => expect(searchedId(typed)).toBe(id));

it.each([
  '',
  'B58818501',
  '58818501',
  '20/11/2026',
  '1.234,60',
  '00012/26',
  'AB-26/0001',
  'Obra 12 de Gijón',
])('reads no other tax number in «%s»', (typed) => expect(searchedId(typed)).toBeNull());

it('finds exactly the dates whose text contains the search', () => {
  expect(daysThatRead('04/0', '2026-08-04', '2026-11-22')).toEqual(['2026-08-04', '2026-09-04']);
  expect(daysThatRead('2026-11-2', '2026-11-01', '2026-11-22')).toEqual([
    '2026-11-20',
    '2026-11-21',
    '2026-11-22',
  ]);
  expect(daysThatRead('/2027', '2026-01-01', '2026-12-31')).toEqual([]);
});
