import { expect, it } from 'vitest';
import { gruposIva } from '../domain/catalogs/catalogs.ts';
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
