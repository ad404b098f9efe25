import { expect, it } from 'vitest';
import { gruposIva } from '../../../../domain/catalogs/catalogs.ts';
import { creditedLines } from './credited-lines.ts';
import { type DraftState, freshDraft } from './draft-state.ts';
import { draftTotals } from './draft-totals.ts';
import { type DraftLine, emptyLine } from './lines.ts';

const GROUPS = gruposIva('peninsula');

const line = (change: Partial<DraftLine>): DraftLine => ({
  ...emptyLine(`l${change.description ?? ''}`),
  description: 'Logotipo',
  price: '1.200,00',
  ...change,
});

/** An abono of `00001/26`, with all its lines, as «Rectificar» opens it. */
const abono = (lines: readonly DraftLine[], change: Partial<DraftState> = {}): DraftState => ({
  ...freshDraft('2026-11-26', GROUPS),
  type: 'abono',
  invoiceToRectify: '00001/26',
  lines: [...lines, emptyLine('last')],
  ...change,
});

function credited(state: DraftState, creditCents: bigint) {
  const lines = creditedLines(state, GROUPS, creditCents);
  return { lines, totalCents: draftTotals({ ...state, lines }, GROUPS).totalCents };
}

it('reduces a single line to the amount to credit, without its tax', () => {
  // 1,452.00 should have been 1,331.00: the difference of 121.00, at 21 %, is 100.00.
  const { lines, totalCents } = credited(abono([line({ quantity: '2', discount: '5' })]), 12_100n);
  expect(lines).toEqual([
    line({ quantity: '1', price: '100,00' }),
    expect.objectContaining({ id: 'last', description: '' }),
  ]);
  expect(totalCents).toBe(-12_100n);
});

it('combines lines with the same tax into one that says what it is for', () => {
  const two = [line({ description: 'Logotipo' }), line({ description: 'Manual', productNo: 'P1' })];
  const { lines, totalCents } = credited(abono(two), 2_420n);
  expect(lines[0]).toMatchObject({
    description: 'Diferencia en la factura 00001/26',
    quantity: '1',
    price: '20,00',
    tax: 'IVA21',
    linetype: 0,
  });
  expect(lines[0]).not.toHaveProperty('productNo');
  expect(totalCents).toBe(-2_420n);
});

it('misses by a cent a total that no base leads to', () => {
  // 17.36 + 3.65 = 21.01, and 17.35 + 3.64 = 20.99.
  expect(credited(abono([line({})]), 2_100n).totalCents).toBe(-2_101n);
});

it('takes account of prices that include the tax, and of the recargo', () => {
  const ticket = { isSimplificada: true, crmemoType: 4, ivaIncluido: true };
  expect(credited(abono([line({})], ticket), 2_100n).totalCents).toBe(-2_100n);
  // 126.20 at 21 % and 5.2 % is 100.00.
  expect(credited(abono([line({})], { typeClient: 'NACRE' }), 12_620n).lines[0]?.price).toBe(
    '100,00',
  );
});

it.each([
  ['which of several taxes was too much is not known', [line({}), line({ tax: 'IVA10' })], 100n],
  ['they are all of what is credited', [line({}), line({ price: '800,00' })], 242_000n],
  ['it would not be less', [line({})], -100n],
])('leaves the lines as they are when %s', (_why, lines, creditCents) => {
  const state = abono(lines);
  expect(credited(state, creditCents).lines).toBe(state.lines);
});
