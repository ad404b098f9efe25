import { expect, it } from 'vitest';
import { indexLabels } from './labels.ts';
import { fold, searchRows, textsWith } from './search.ts';

const asKept = textsWith(new Map());

const rows = [
  { No: 'C-1', Name: 'Panadería Peñalver', Email: 'hola@penalver.example' },
  { No: 'C-2', Name: 'Talleres Ruiz', Email: 'admin@ruiz.example' },
];
const found = (search: string) => searchRows(rows, search, asKept).map((row) => row.No);

it('searches every field, ignoring case and accents', () => {
  expect(found('PANADERIA')).toEqual(['C-1']);
  expect(found('@RUIZ')).toEqual(['C-2']);
  expect(found('c-')).toEqual(['C-1', 'C-2']);
});

it('finds words in any order within a field, and a tax number as people write it', () => {
  const clients = [
    { No: '1', Name: 'María García López', VATRegistrationNo: '12345678Z' },
    { No: '2', Name: 'López Hermanos, S.L.', VATRegistrationNo: 'B12345674' },
  ];
  const named = (search: string) => searchRows(clients, search, asKept).map(({ No }) => No);
  expect(named('lopez maria')).toEqual(['1']);
  expect(named('maria hermanos')).toEqual([]);
  expect(named('12.345.678-z')).toEqual(['1']);
  expect(named('B-12345674')).toEqual(['2']);
});

it('finds everything with an empty search, and nothing with a text that is nowhere', () => {
  expect(found('  ')).toEqual(['C-1', 'C-2']);
  expect(found('ferretería')).toEqual([]);
});

it('finds a price as it is shown and as it is stored', () => {
  const prices = [{ UnitPrice: 1234.5 }, { UnitPrice: 4.2 }];
  for (const typed of ['1.234,50', '1234,5', '1234.5']) {
    expect(searchRows(prices, typed, asKept)).toEqual([prices[0]]);
  }
  expect(searchRows(prices, '4,20', asKept)).toEqual([prices[1]]);
});

it('finds a code as the list shows it, and as it is stored', () => {
  const clients = [
    { No: 'C-1', countryCode: 'DE', PaymentTerms: '30D' },
    { No: 'C-2', countryCode: 'ES', PaymentTerms: 'CON' },
  ];
  const texts = textsWith(
    indexLabels<(typeof clients)[number]>({
      countryCode: [
        { value: 'DE', label: 'Alemania' },
        { value: 'ES', label: 'España' },
      ],
      PaymentTerms: [{ value: '30D', label: '30 días fecha factura' }],
    }),
  );
  const named = (search: string) => searchRows(clients, search, texts).map(({ No }) => No);
  expect(named('aleman')).toEqual(['C-1']);
  expect(named('30 DIAS')).toEqual(['C-1']);
  expect(named('con')).toEqual(['C-2']);
});

it('distinguishes ñ from n', () => {
  expect(fold('AÑO Ángel Çelik')).toBe('año angel celik');
});

it('finds a row by its current text after a change', () => {
  expect(found('ruiz')).toEqual(['C-2']);
  const changed = rows.map((row) =>
    row.No === 'C-2' ? { ...row, Name: 'Forja Lara', Email: '' } : row,
  );
  expect(searchRows(changed, 'ruiz', asKept)).toEqual([]);
  expect(searchRows(changed, 'lara', asKept).map(({ No }) => No)).toEqual(['C-2']);
});
