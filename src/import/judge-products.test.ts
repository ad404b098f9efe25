import { describe, expect, it } from 'vitest';
import { gruposIva } from '../domain/catalogs/catalogs.ts';
import { withUsualTax } from '../domain/usual-tax.ts';
import { ProductJudge } from './judge-products.ts';
import type { Known } from './known.ts';

it('leaves a product its saved tax although it is no longer offered, and gives it to no other', () => {
  const tax = 'IGIC7';
  const saved = { no: 'P1', name: 'Jamón', unitOfMeasure: 'UD', unitPrice: '10', tax };
  const known = { products: [saved], units: new Set(['UD']), vatGroups: gruposIva('peninsula') };
  const judge = new ProductJudge(known as unknown as Known);
  const values = { Name: 'Jamón', UnitPrice: '12', VATProdPostingGroup: tax };
  expect(judge.judge({ ...values, No: 'P1' })).toMatchObject({ ok: true, product: { tax } });
  expect(judge.judge({ ...values, No: 'P2' })).toMatchObject({
    ok: false,
    problems: [{ campo: 'VATProdPostingGroup' }],
  });
});

it.each([
  ['the general rate, without a usual tax', '', '', '10'],
  ['the usual tax of the company', 'IVA10', '', '11'],
  ['a tax of its own, before the usual one', 'IVA10', 'IVA4', '11.634615'],
  ['nothing, if what it sells is exempt', 'EXENTO20', '', '12.1'],
  ['the rate of its regime', 'CAJA10', '', '11'],
  ['nothing for used goods, whose tax is in the price', 'REBU21', '', '12.1'],
])('takes out of a price with tax %s', (_what, usual, tax, unitPrice) => {
  const vatGroups = withUsualTax(gruposIva('peninsula'), usual);
  const known = { products: [], units: new Set(['UD']), vatGroups };
  const judge = new ProductJudge(known as unknown as Known);
  // 12.10 at 21 % is 10.00; at 10 %, 11.00; at 4 %, 11.634615.
  const values = { Name: 'Menú', priceWithTax: '12.1', VATProdPostingGroup: tax };
  expect(judge.judge(values)).toMatchObject({ ok: true, product: { unitPrice, tax } });
});

describe('a row of a product', () => {
  const saved = [
    { no: 'P-1', name: 'Jamón', unitOfMeasure: 'UD', unitPrice: '10.50', tax: 'IVA10' },
    { no: 'P-2', name: 'Queso', unitOfMeasure: 'KG', unitPrice: '8', tax: '' },
  ];
  const judgeOf = () => {
    const units = new Set(['UD', 'KG']);
    const known = { products: saved, units, vatGroups: gruposIva('peninsula') };
    return new ProductJudge(known as unknown as Known);
  };

  it.each([
    ['by its code', { No: 'p-1', Name: 'Jamón', UnitPrice: '10.5' }, ['P-1', 'igual']],
    ['by its name', { Name: 'JAMÓN', UnitPrice: '10.5' }, ['P-1', 'actualizado', 'Name']],
    [
      'by its code, whatever its name',
      { No: 'P-2', Name: 'Jamón', UnitPrice: '8' },
      ['P-2', 'actualizado', 'Name'],
    ],
    [
      'with what changes',
      {
        No: 'P-1',
        Name: 'Jamón',
        UnitPrice: '10.51',
        UnitOfMeasure: 'KG',
        VATProdPostingGroup: 'IVA21',
      },
      ['P-1', 'actualizado', 'UnitOfMeasure', 'UnitPrice', 'VATProdPostingGroup'],
    ],
    [
      'of another code as a new one',
      { No: 'P-9', Name: 'Jamón', UnitPrice: '1' },
      ['P-9', 'nuevo'],
    ],
  ])('is taken %s', (_, row, fate) => {
    const judgement = judgeOf().judge(row);
    if (!judgement.ok) throw new Error(JSON.stringify(judgement.problems));
    expect([judgement.product.no, judgement.accion, ...judgement.cambios]).toEqual(fate);
  });

  it.each([
    [
      [
        { No: 'N-1', Name: 'Uno' },
        { No: 'n-1', Name: 'Dos' },
      ],
      ['No'],
    ],
    [[{ Name: 'Uno' }, { Name: 'UNO' }], ['Name']],
    [[{ Name: 'Jamón' }, { No: 'P-1', Name: 'Otro' }], ['No']],
    [[{ No: 'N-1', Name: 'Uno' }, { Name: 'Uno' }], []],
  ])('is refused if it repeats another: %j', (rows, fields) => {
    const judge = judgeOf();
    const [, second] = rows.map((row) => judge.judge({ UnitPrice: '1', ...row }));
    expect(second && !second.ok ? second.problems.map(({ campo }) => campo) : []).toEqual(fields);
  });

  it('is refused with the row that it repeats, if that is known', () => {
    const of = (...filas: readonly [number?, number?]) => {
      const judge = judgeOf();
      const [, second] = filas.map((fila) => judge.judge({ Name: 'Uno', UnitPrice: '1' }, fila));
      return second && !second.ok ? second.problems.map(({ mensaje }) => mensaje) : [];
    };
    expect(of(4, 9)).toEqual(['Este producto está repetido: ya está en la fila 4.']);
    expect(of(undefined, undefined)).toEqual(['Este producto está repetido.']);
  });

  it('is what an invoice names by its code: that of the file before the saved one', () => {
    const judge = judgeOf();
    judge.judge({ No: 'P-1', Name: 'Jamón', UnitPrice: '12' });
    expect(judge.named('p-1')).toMatchObject({ unitPrice: '12' });
    expect(judge.named('p-2')).toBe(saved[1]);
    expect(judge.named('')).toBeUndefined();
  });

  it.each([
    ['a price below zero', { UnitPrice: '-0.01' }, ['UnitPrice']],
    ['no price', { UnitPrice: '' }, ['UnitPrice']],
    [
      'a price with tax that is no number',
      { UnitPrice: '', priceWithTax: 'uno' },
      ['priceWithTax'],
    ],
    ['no name', { Name: ' ' }, ['Name']],
    ['a unit that is not on the list', { UnitOfMeasure: 'L' }, ['UnitOfMeasure']],
    ['nothing wrong, even free', { UnitPrice: '0' }, []],
  ])('with %s', (_, change, fields) => {
    const judgement = judgeOf().judge({ Name: 'Uno', UnitPrice: '1', ...change });
    expect(judgement.ok ? [] : judgement.problems.map(({ campo }) => campo)).toEqual(fields);
  });
});
