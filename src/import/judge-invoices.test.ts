import { describe, expect, it } from 'vitest';
import { gruposIva } from '../domain/catalogs/catalogs.ts';
import { isOfItsOwn, rowProblems, withProduct } from './judge-invoices.ts';
import type { Known } from './known.ts';
import type { FileRow } from './read-file.ts';
import { FACTURAS } from './sheets.ts';

const TODAY = '2026-11-20';
const known = { today: TODAY, vatGroups: gruposIva('peninsula') } as unknown as Known;

type Values = Readonly<Record<string, string>>;

/** @param wrong cells that could not be read, which are empty */
function rowOf(values: Values, ...wrong: string[]): FileRow {
  const whole = { referencia: 'A1', invoiceDate: TODAY, quantity: '1', price: '10', tax: 'IVA21' };
  const unread = Object.fromEntries(wrong.map((key) => [key, '']));
  return {
    fila: 4,
    values: { ...whole, ...values, ...unread },
    shown: [],
    problems: wrong.map((key) => ({ spec: FACTURAS, key, fila: 4, mensaje: '' })),
    leftOut: [],
  };
}

it.each([
  ['45.000000', '45'],
  ['0.123450', '0.12345'],
])('a line without a price takes %s of its saved product as %s', (unitPrice, price) => {
  const saved = { no: 'P1', name: 'Pan', unitOfMeasure: 'UD', unitPrice, tax: '' };
  const { row } = withProduct(rowOf({ productNo: 'P1', price: '' }), { named: () => saved });
  expect(row.values).toMatchObject({ productNo: 'P1', price });
});

const wrongIn = (...rows: FileRow[]) => rowProblems(rows, known).map(({ key }) => key);

it.each([
  ['an ordinary sale', { tax: 'IVA21' }, ['fechaOperacion']],
  ['a public work', { tax: 'OBRAPUB21' }, []],
  ['a contract that falls due later', { tax: 'TRACTO21' }, []],
  ['a clave chosen for the whole invoice', { tax: 'IVA21', claveRegimen: '14' }, []],
])(
  'admits a later day of the operation for %s, or says where it is wrong',
  (_what, given, wrong) => {
    expect(wrongIn(rowOf({ ...given, fechaOperacion: '2027-01-15' }))).toEqual(wrong);
    expect(wrongIn(rowOf({ ...given, fechaOperacion: TODAY }))).toEqual([]);
  },
);

it('admits a later day of the operation if one of the lines does', () => {
  const later = { fechaOperacion: '2027-01-15' };
  expect(wrongIn(rowOf(later), rowOf({ ...later, tax: 'OBRAPUB21' }))).toEqual([]);
});

describe('the lines of an imported invoice', () => {
  it.each<[string, Values, string[]]>([
    ['a line of its own', {}, []],
    ['a quantity of 0', { quantity: '0' }, ['quantity']],
    ['a discount of all', { discount: '100' }, []],
    ['a discount of more than all', { discount: '100.01' }, ['discount']],
    ['a negative discount', { discount: '-1' }, ['discount']],
    ['a negative price', { price: '-10' }, ['price']],
    ['a date to come', { invoiceDate: '2026-11-21' }, ['invoiceDate']],
    ['a rectificativa of nothing', { tipo: 'R1' }, ['invoiceToRectify']],
    ['a rectificativa', { tipo: 'R1', invoiceToRectify: '1/26' }, []],
  ])('%s', (_what, values, wrong) => expect(wrongIn(rowOf(values))).toEqual(wrong));

  it('agree in what is of the whole invoice, where they say it', () => {
    const [first, other] = [{ cliente: 'B12345674' }, { cliente: 'A39200019' }];
    expect(wrongIn(rowOf(first), rowOf({}), rowOf(other))).toEqual(['cliente']);
    expect(wrongIn(rowOf(first), rowOf({}), rowOf({ cliente: 'b12345674' }))).toEqual([]);
  });

  it('go one way in a rectificativa', () => {
    const rectified = { tipo: 'R1', invoiceToRectify: '1/26' };
    const back = { ...rectified, quantity: '-1' };
    expect(wrongIn(rowOf(back), rowOf(back))).toEqual([]);
    expect(wrongIn(rowOf(back), rowOf(rectified))).toEqual(['quantity']);
  });

  it('are at most a thousand', () => {
    const rows = Array.from({ length: 1001 }, () => rowOf({}));
    expect(wrongIn(...rows.slice(1))).toEqual([]);
    expect(wrongIn(...rows)).toEqual(['referencia']);
  });

  it('bring no other complaint of a cell that is wrong, nor what may only follow from it', () => {
    expect(wrongIn(rowOf({}, 'quantity'))).toEqual([]);
    expect(wrongIn(rowOf({ discount: '200' }, 'price'))).toEqual(['discount']);
    expect(wrongIn(rowOf({ tipo: 'R1' }, 'invoiceToRectify'))).toEqual([]);
    expect(wrongIn(rowOf({ price: '-10' }), rowOf({}, 'tipo'))).toEqual([]);
    expect(wrongIn(rowOf({ price: '-10' }), rowOf({}, 'tax'))).toEqual(['price']);
  });
});

it.each([
  ['cliente', [], true],
  ['cliente', ['tipo'], false],
  ['tax', [], true],
  ['tax', ['tax'], false],
  ['tax', ['cliente'], false],
  ['claveRegimen', ['cliente'], true],
  ['claveRegimen', ['claveRegimen'], false],
  ['total', [], false],
] as const)(
  'a problem of «%s» with these cells wrong: %j, is one of its own: %s',
  (campo, wrong, isOwn) => {
    expect(isOfItsOwn({ line: 0, campo, mensaje: '' }, [rowOf({}, ...wrong)])).toBe(isOwn);
  },
);
