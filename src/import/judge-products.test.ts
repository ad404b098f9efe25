import { expect, it } from 'vitest';
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
