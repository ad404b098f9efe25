import { expect, it } from 'vitest';
import { printedRows } from '../../tests/reading/printed-rows.ts';
import type { FoundLine } from './line-items.ts';
import { findSums } from './sums.ts';
import { rowsOf } from './words.ts';

const line = (totalCents: bigint, rateBps: bigint): FoundLine => ({
  description: 'Algo',
  quantity: '1',
  price: '1.00',
  totalCents,
  rateBps,
  addsUp: true,
  words: [],
});

it('takes the rates from the lines if the sums have a single base and quota for all', () => {
  const printed = printedRows(
    'Base imponible   300,00',
    'Impuestos         41,00',
    'TOTAL            341,00',
  );
  const sums = findSums(printed, [line(10_000n, 2100n), line(20_000n, 1000n)]);
  expect(sums.addsUp).toBe(true);
  expect(sums.base?.cents).toBe(30_000n);
  expect(sums.quota?.cents).toBe(4_100n);
  expect(
    sums.tramos.map(({ rateBps, baseCents, quotaCents }) => [rateBps, baseCents, quotaCents]),
  ).toEqual([
    [2100n, 10_000n, 2_100n],
    [1000n, 20_000n, 2_000n],
  ]);
});

it('finds in a strip below its headings what is withheld, by the rate that makes it of the base', () => {
  const printed = printedRows(
    'Base imponible    I.V.A. %    Cuota IVA    Retención %    Cuota ret.    Total a pagar',
    '       265,00          21        55,65             15         39,75           280,90',
  );
  const sums = findSums(printed);
  expect(sums.addsUp).toBe(true);
  expect(sums.retencion).toMatchObject({ cents: 3_975n, rateBps: 1_500n });
  expect(sums.total?.cents).toBe(32_065n);
});

it('ignores the rates of lines that add up to another total', () => {
  const printed = printedRows(
    'Base imponible   300,00',
    'Impuestos         41,00',
    'TOTAL            351,00',
  );
  expect(findSums(printed, [line(10_000n, 2100n), line(20_000n, 1000n)]).addsUp).toBe(false);
});

it('returns what adds up when a larger total was misread, and marks it', () => {
  const printed = printedRows(
    'Base imponible   300,00',
    'IVA 21 %          21,00',
    'IVA 10 %          20,00',
    'TOTAL            341,00',
    'TOTAL A PAGAR   7341,00',
  );
  const sums = findSums(printed);
  expect(sums.addsUp).toBe(false);
  expect(sums.total?.cents).toBe(34_100n);
  expect(sums.base?.cents).toBe(30_000n);
  expect(sums.quota?.cents).toBe(4_100n);
});

it('works out a quota in an illegible row from the rates of the lines', () => {
  const printed = printedRows('Base imponible   300,00', 'TOTAL            341,00');
  const sums = findSums(printed, [line(10_000n, 2100n), line(20_000n, 1000n)]);
  expect(sums.addsUp).toBe(true);
  expect(sums.quota?.cents).toBe(4_100n);
});

it('works out a spoiled quota from base, rate and total', () => {
  const printed = printedRows(
    'Base imponible   300,00',
    'IVA 21 %         G3,0O',
    'TOTAL            363,00',
  );
  const sums = findSums(printed);
  expect(sums.addsUp).toBe(true);
  expect(sums.quota?.cents).toBe(6_300n);
  // A base and a rate that do not lead to the total prove nothing.
  const other = printedRows(
    'Base imponible   300,00',
    'IVA 21 %         G3,0O',
    'TOTAL            364,00',
  );
  expect(findSums(other).addsUp).toBe(false);
});

it('works out a total with one or two misread figures in a picture, and marks it', () => {
  const seen = (printed: string) =>
    printedRows(
      'Base imponible   300,00',
      'IVA 21 %          63,00',
      `TOTAL            ${printed}`,
    ).map((row) => {
      const words = row.words.map((word) => ({ ...word, paper: { x: 0, y: 0, w: 0, h: 0 } }));
      return { ...row, words };
    });
  for (const [printed, whole] of [
    ['368,00', 36_300n],
    ['308,00', 36_300n],
    ['308,80', 30_880n],
  ] as const) {
    const sums = findSums(seen(printed), [line(30_000n, 2100n)]);
    expect(sums.total?.cents).toBe(whole);
    expect(sums.addsUp).toBe(false);
  }
  // Without lines that confirm the base, it stays as it was read.
  expect(findSums(seen('368,00')).total?.cents).toBe(36_800n);
});

it('returns the quota of an exempt invoice only if it is printed', () => {
  const printed = ['Base 300,00', 'IVA (exento)  0,00', 'Total 300,00'];
  expect(findSums(printedRows(...printed))).toMatchObject({ addsUp: true, quota: { cents: 0n } });
  const unsaid = ['Base 300,00', 'Exento de IVA', 'Total 300,00'];
  expect(findSums(printedRows(...unsaid))).toMatchObject({ addsUp: true, quota: null });
});

it('takes a total «IVA incluido» for the total, and «Total IVA» for the quota', () => {
  const printed = printedRows(
    'Total base imponible   100,00',
    'Total IVA 21 %          21,00',
    'TOTAL IVA INCLUIDO     121,00',
  );
  const { addsUp, base, quota, total } = findSums(printed, [line(10_000n, 2100n)]);
  expect([addsUp, base?.cents, quota?.cents, total?.cents]).toEqual([
    true,
    10_000n,
    2_100n,
    12_100n,
  ]);
});

it('reads the rate at the head of the column of a quota, with a retention after it', () => {
  const printed = printedRows(
    '                  21 %         10 %       Total',
    'Base            100,00       200,00      300,00',
    'IVA              21,00        20,00       41,00',
    '',
    '                         IRPF -7 %       -21,00',
    '                         Importe total   320,00',
  );
  const sums = findSums(printed);
  expect(sums.addsUp).toBe(true);
  expect(sums.base?.cents).toBe(30_000n);
  expect(sums.quota?.cents).toBe(4_100n);
  expect(sums.total?.cents).toBe(34_100n);
  expect(sums.tramos.map(({ rateBps }) => rateBps)).toEqual([2100n, 1000n]);
});

it('reads labels with their rates above their amounts', () => {
  const printed = printedRows(
    'Base        IVA 21%      R.E. 5,2%     Total',
    '1.000,00    210,00       52,00         1.262,00',
  );
  const sums = findSums(printed);
  expect(sums.addsUp).toBe(true);
  expect(sums.tramos).toMatchObject([
    { rateBps: 2100n, baseCents: 100_000n, quotaCents: 21_000n, recargoCents: 5_200n },
  ]);
});

it('takes the rates from the lines if only what is left after the retention is printed', () => {
  const printed = printedRows(
    'Base           300,00',
    'Impuestos       41,00',
    'IRPF 15 %      -45,00',
    'A PAGAR        296,00',
  );
  const sums = findSums(printed, [line(10_000n, 2100n), line(20_000n, 1000n)]);
  expect(sums.addsUp).toBe(true);
  expect(sums.total?.cents).toBe(34_100n);
});

it('leaves out a figure read from the euro sign, also where that is set apart', () => {
  const printed = printedRows(
    'Base imponible        208,44 €',
    'IVA 21,00 %            43,77 €',
    'Retención IRPF 7,00%  -14,59 €',
    'TOTAL                 237,622 €',
  ).map((row) => ({
    ...row,
    words: row.words.map((word) => ({ ...word, paper: { x: 0, y: 0, w: 1, h: 1 } })),
  }));
  expect(findSums(printed)).toMatchObject({ addsUp: true, total: { cents: 25_221n } });
});

it('adds up the sums of a spreadsheet, whose amounts have as many decimals as they need', () => {
  const sums = findSums(
    printedRows('BASE       900,5', 'IVA 21%  189,105', 'IRPF 15%  135,075', 'TOTAL     954,53'),
  );
  expect(sums.addsUp).toBe(true);
  expect(sums.base?.cents).toBe(90_050n);
  expect(sums.quota?.cents).toBe(18_911n);
  expect(sums.retencion?.cents).toBe(13_508n);
  expect(sums.total?.cents).toBe(108_961n);
});

it('adds up an exempt base and those that are taxed', () => {
  const sums = findSums(
    printedRows(
      '                     Base      Cuota',
      'Exento art. 20   1.800,00       0,00',
      'IVA 21%            240,00      50,40',
      'IVA 4%             150,00       6,00',
      'TOTAL FACTURA                       2.246,40',
    ),
  );
  expect(sums.addsUp).toBe(true);
  expect(sums.base?.cents).toBe(219_000n);
  expect(sums.quota?.cents).toBe(5_640n);
  expect(sums.total?.cents).toBe(224_640n);
  expect(sums.tramos).toContainEqual({
    rateBps: 0n,
    baseCents: 180_000n,
    quotaCents: 0n,
    recargoCents: 0n,
  });
});

it('reads the sums of an invoice in Basque', () => {
  const sums = findSums(
    printedRows('ZERGA OINARRIA:  2.055,00 €', 'BEZ %21:  431,55 €', 'GUZTIRA:  2.486,55 €'),
  );
  expect(sums).toMatchObject({ addsUp: true, total: { cents: 248_655n } });
  expect(sums.tramos).toMatchObject([{ rateBps: 2100n, quotaCents: 43_155n }]);
});

it('adds up what was laid out for the client beside a retention', () => {
  const sums = findSums(
    printedRows(
      'Base imponible           510,00',
      'IVA 21 %                 107,10',
      'Retención IRPF 15 %      -76,50',
      'Suplidos                 279,55',
      'TOTAL A PAGAR            820,15 €',
    ),
  );
  expect(sums).toMatchObject({ addsUp: true, suplidosCents: 27_955n });
  expect(sums.total?.cents).toBe(61_710n);
  expect(sums.retencion).toMatchObject({ cents: 7_650n, rateBps: 1_500n });
});

it('does not take for suplidos what the total does not include', () => {
  const sums = findSums(
    printedRows(
      'Base 100,00',
      'IVA 21 % 21,00',
      'Total 121,00',
      'Suplidos facturados aparte 30,00',
    ),
  );
  expect(sums).toMatchObject({ addsUp: true, suplidosCents: 0n });
});

it.each(['Retención de garantía 5 %', 'Provisión de fondos', 'Entregado a cuenta'])(
  'takes «%s» for what is not paid now, not for a retention of IRPF',
  (label) => {
    const rows = ['Base imponible   600,00', 'IVA 21 %   126,00', `${label}   -30,00`];
    const sums = findSums(printedRows(...rows, 'LÍQUIDO A PERCIBIR   696,00'));
    expect(sums).toMatchObject({ addsUp: true, retencion: null, total: { cents: 72_600n } });
  },
);

it.each([
  ['beside its middle', [70, 75.5, 81]],
  ['beside its end', [70, 81, 81]],
])('reads a total %s when its label takes two lines', (_, [first = 0, amount = 0, second = 0]) => {
  const word = (text: string, x: number, y: number) => ({ text, page: 1, x, y, w: 40, h: 9 });
  const rows = rowsOf([
    ...[word('Base', 300, 40), word('100,00', 420, 40)],
    ...[word('IVA', 300, 55), word('21%', 345, 55), word('21,00', 420, 55)],
    ...[word('TOTAL', 300, first), word('121,00', 420, amount), word('€', 465, amount)],
    word('FACTURA', 300, second),
  ]);
  expect(findSums(rows)).toMatchObject({ addsUp: true, total: { cents: 12_100n } });
});
