import { describe, expect, it } from 'vitest';
import type { IssuedDesglose } from './invoice.ts';
import { addedUp, changeByRate, type Desglosada, type RateSums } from './sums-by-rate.ts';

const QUARTER = '2026-4T';

const detalle = (change: Partial<IssuedDesglose>): IssuedDesglose => ({
  Impuesto: '01',
  ClaveRegimen: '01',
  CalificacionOperacion: 'S1',
  OperacionExenta: null,
  vatRate: '21',
  recargoRate: null,
  base: '100.00',
  quota: '21.00',
  recargo: '0.00',
  ...change,
});
const at21 = (base: string, quota: string) => detalle({ base, quota });
const at10 = (base: string, quota: string) => detalle({ vatRate: '10', base, quota });
const untaxed = (cause: string, base: string, change: Partial<IssuedDesglose> = {}) =>
  detalle({
    CalificacionOperacion: cause.startsWith('E') ? null : cause,
    OperacionExenta: cause.startsWith('E') ? cause : null,
    vatRate: cause === 'S2' ? '0' : null,
    base,
    quota: '0.00',
    ...change,
  });

function invoice(
  numSerie: string,
  desglose: readonly IssuedDesglose[],
  { S, F3, ...rest }: Partial<Desglosada> & { S?: string[]; F3?: string[] } = {},
): Desglosada {
  const named = (numbers: readonly string[] = []) =>
    numbers.map((number) => ({ numSerie: number, fecha: '2026-11-20', externa: false }));
  return {
    numSerie,
    tipoRectificativa: S ? 'S' : null,
    rectifies: named(S),
    sustituye: named(F3),
    desglose,
    ...rest,
  };
}

const changes = (one: Desglosada, ...originals: Desglosada[]) =>
  changeByRate(one, originals, QUARTER);
const told = (rows: readonly RateSums[]) =>
  rows.map((row) => [row.cause ?? row.vatRate, row.base, row.quota, row.recargo, row.invoices]);

describe('what an invoice changes, rate by rate', () => {
  it('is its desglose, each rate of each tax with its recargo', () => {
    const rows = changes(
      invoice('1', [
        at10('50.00', '5.00'),
        detalle({ recargoRate: '5.2', recargo: '5.20' }),
        at21('10.00', '2.10'),
        detalle({ Impuesto: '03', vatRate: '7', quota: '7.00' }),
      ]),
    );
    expect(
      rows.map(({ Impuesto, vatRate, recargoRate }) => [Impuesto, vatRate, recargoRate]),
    ).toEqual([
      ['01', '21', null],
      ['01', '21', '5.2'],
      ['01', '10', null],
      ['03', '7', null],
    ]);
    expect(told(rows)[1]).toEqual(['21', '100.00', '21.00', '5.20', 1]);
  });

  it('separates taxes with the same rate, and has all of one before the next', () => {
    const ipsi = detalle({ Impuesto: '02', vatRate: '10', quota: '10.00' });
    const rows = changes(invoice('1', [ipsi, at10('50.00', '5.00'), detalle({ vatRate: '4' })]));
    expect(rows.map(({ Impuesto, vatRate, base }) => [Impuesto, vatRate, base])).toEqual([
      ['01', '10', '50.00'],
      ['01', '4', '100.00'],
      ['02', '10', '100.00'],
    ]);
  });

  it('joins regimes with the same rate, as on an invoice', () => {
    const margin = detalle({ ClaveRegimen: '03', base: '20.00', quota: '4.20' });
    expect(told(changes(invoice('1', [at21('100.00', '21.00'), margin])))).toEqual([
      ['21', '120.00', '25.20', '0.00', 1],
    ]);
  });

  it('separates what carries no tax by its cause, also from a rate of 0 %', () => {
    const oss = untaxed('N2', '120.00', { ClaveRegimen: '17' });
    const rows = changes(
      invoice(
        '1',
        [
          untaxed('E1', '1.00'),
          untaxed('N2', '2.00'),
          untaxed('S2', '3.00'),
          oss,
          detalle({ vatRate: '0', quota: '0.00' }),
        ],
        { ivaDestino: [{ tipo: '20', base: '100.00', cuota: '20.00' }] },
      ),
    );
    // For the one-stop shop, the base without the other State's tax: 120 − 20.
    expect(told(rows)).toEqual([
      ['0', '100.00', '0.00', '0.00', 1],
      ['E1', '1.00', '0.00', '0.00', 1],
      ['N2', '2.00', '0.00', '0.00', 1],
      ['OSS', '100.00', '0.00', '0.00', 1],
      ['S2', '3.00', '0.00', '0.00', 1],
    ]);
  });

  it('is its amounts minus those of each replaced rate, if por sustitución', () => {
    const first = invoice('1', [at21('100.00', '21.00')]);
    const second = invoice('2', [at10('100.00', '10.00')], { S: ['1'] });
    expect(told(changes(second, first))).toEqual([
      ['21', '-100.00', '-21.00', '0.00', 1],
      ['10', '100.00', '10.00', '0.00', 1],
    ]);
  });

  it('is nothing for an F3 in exchange for tickets', () => {
    const tickets = [
      invoice('1', [at21('30.00', '6.30')]),
      invoice('2', [at21('12.50', '2.63'), at10('1.00', '0.10')]),
    ];
    const full = invoice('3', [at21('42.50', '8.93'), at10('1.00', '0.10')], { F3: ['1', '2'] });
    expect(told(changes(full, ...tickets))).toEqual([
      ['21', '0.00', '0.00', '0.00', 1],
      ['10', '0.00', '0.00', '0.00', 1],
    ]);
  });

  it('subtracts from each of several replaced ones what it added', () => {
    const first = invoice('1', [at21('100.00', '21.00')]);
    const second = invoice('2', [at10('80.00', '8.00')], { S: ['1'] });
    const third = invoice('3', [at10('60.00', '6.00')], { S: ['1', '2'] });
    // The second has already subtracted 100 at 21 %.
    expect(told(changes(third, first, second))).toEqual([
      ['21', '0.00', '0.00', '0.00', 1],
      ['10', '-20.00', '-2.00', '0.00', 1],
    ]);
  });
});

it('is added up by quarter, highest rate first, then what carries none', () => {
  const one = invoice('1', [untaxed('E5', '7.00'), at10('1.00', '0.10'), at21('1.00', '0.21')]);
  const rows = addedUp([
    ...changeByRate(one, [], '2027-1T'),
    ...changeByRate(one, [], QUARTER),
    ...changeByRate(one, [], QUARTER),
  ]);
  expect(
    rows.map((row) => [row.quarter, row.cause ?? row.vatRate, row.base, row.invoices]),
  ).toEqual([
    [QUARTER, '21', '2.00', 2],
    [QUARTER, '10', '2.00', 2],
    [QUARTER, 'E5', '14.00', 2],
    ['2027-1T', '21', '1.00', 1],
    ['2027-1T', '10', '1.00', 1],
    ['2027-1T', 'E5', '7.00', 1],
  ]);
});
