import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gruposIva } from './catalogs/catalogs.ts';
import { divRound } from './money.ts';
import { computeTotals, type InvoiceItemInput, type TotalsInput } from './totals.ts';

const groups = gruposIva('peninsula');
const item = (quantity: string, price: string, tax = 'IVA21'): InvoiceItemInput => ({
  description: 'Algo',
  quantity,
  price,
  tax,
});
const totals = (items: InvoiceItemInput[], rest: Partial<TotalsInput> = {}) =>
  computeTotals({ items, groups, typeClient: 'NAC', claveRegimen: '01', sign: 1n, ...rest });
const cents = (t: ReturnType<typeof totals>) => [t.baseCents, t.vatCents, t.totalCents];

describe('a line', () => {
  it.each([
    ['2', '10,005', 2001n],
    ['1', '2,675', 268n],
    ['3', '33,333333', 10000n],
    ['1.000', '0,0005', 50n],
    ['100', '1,005', 10050n],
    ['-1', '50', -5000n],
  ])('%s × %s € is %s cents', (quantity, price, base) => {
    expect(totals([item(quantity, price)]).baseCents).toBe(base);
  });

  it('takes the discount off before rounding', () => {
    // 3 × 9.99 € − 15 % = 25.4745 → 25.47
    expect(totals([{ ...item('3', '9,99'), discount: '15' }]).baseCents).toBe(2547n);
  });

  it('shows base × (1 + %/100), and the recargo when the customer has it', () => {
    expect(totals([item('1', '100')]).lines[0]?.totalCents).toBe(12100n);
    const withRecargo = totals([item('1', '100')], { typeClient: 'NACRE' });
    expect(withRecargo.lines[0]?.totalCents).toBe(12620n);
  });

  it('counts what is no number as zero, for the rules to refuse', () => {
    expect(cents(totals([item('dos', '10'), item('1', '10')]))).toEqual([1000n, 210n, 1210n]);
  });

  it('has no group, and a total equal to its base, when the tax is not for that customer', () => {
    const { lines, desglose, totalCents } = totals([item('1', '100', 'INTRAUE')]);
    expect(lines[0]).toMatchObject({ group: undefined, totalCents: 10000n });
    expect(desglose).toEqual([]);
    expect(totalCents).toBe(10000n);
  });
});

describe('VAT', () => {
  it('is computed once per rate, not once per line', () => {
    // 10 × 0.03 € at 21 %: 0.01 × 10 = 0.10 by line, but 0.063 → 0.06 in one go.
    const lines = Array.from({ length: 10 }, () => item('1', '0,03'));
    expect(cents(totals(lines))).toEqual([30n, 6n, 36n]);
  });

  it('rounds ties away from zero', () => {
    // 0.50 € at 21 % = 0.105 → 0.11
    expect(totals([item('1', '0,50')]).vatCents).toBe(11n);
    expect(totals([item('1', '0,50')], { sign: -1n }).vatCents).toBe(-11n);
  });

  it('adds the recargo de equivalencia: 100 + 21 + 5.20', () => {
    const result = totals([item('1', '100')], { typeClient: 'NACRE' });
    expect(result).toMatchObject({ vatCents: 2100n, recargoCents: 520n, totalCents: 12620n });
    expect(result.desglose).toMatchObject([{ vatRateBps: 2100n, recargoBps: 520n }]);
  });

  it('keeps apart the same rate with different recargo, highest first', () => {
    const { desglose } = totals(
      [item('1', '100', 'SERV21'), item('1', '100', 'IVA21TAB'), item('1', '100')],
      { typeClient: 'NACRE' },
    );
    expect(desglose.map((d) => d.recargoBps)).toEqual([520n, 175n, null]);
  });

  it('puts rates from high to low, and what has none at the end', () => {
    const taxes = ['EXENTO20', 'IVA4', 'IVA21', 'ISP', 'IVA10', 'NOSUJETO'];
    const { desglose, totalCents } = totals(taxes.map((tax) => item('1', '100', tax)));
    expect(desglose.map((d) => d.vatRateBps)).toEqual([2100n, 1000n, 400n, 0n, null, null]);
    expect(totalCents).toBe(63500n);
  });

  it('joins lines of one group, whatever their order', () => {
    const { desglose } = totals([item('1', '10'), item('1', '5', 'IVA4'), item('2', '10')]);
    expect(desglose.map((d) => [d.baseCents, d.quotaCents])).toEqual([
      [3000n, 630n],
      [500n, 20n],
    ]);
  });
});

describe('régimen', () => {
  it('is the group’s own while the invoice says 01', () => {
    const exported = totals([item('1', '100', 'EXPORT')], { typeClient: 'EXT' });
    expect(exported.desglose[0]?.ClaveRegimen).toBe('02');
  });

  it('is the invoice’s when another was chosen', () => {
    const { desglose } = totals([item('1', '100')], { claveRegimen: '07' });
    expect(desglose[0]?.ClaveRegimen).toBe('07');
  });
});

it('leaves the retention outside the total', () => {
  expect(totals([item('1', '100')], { retencionBps: 1500n })).toMatchObject({
    totalCents: 12100n,
    retencionCents: 1500n,
    payableCents: 10600n,
  });
});

describe('properties', () => {
  const taxes = ['IVA21', 'IVA10', 'IVA4', 'IVA0', 'EXENTO20', 'ISP', 'NOSUJETO'];
  const itemOf = (of: readonly string[]) =>
    fc.record({
      description: fc.constant('Algo'),
      quantity: fc.integer({ min: 0, max: 99_999_999 }).map((n) => n / 10_000),
      price: fc.oneof(
        fc.constant(0),
        fc.integer({ min: 0, max: 99_999_999 }).map((n) => n / 100),
      ),
      discount: fc.constantFrom('0', '10', '100'),
      tax: fc.constantFrom(...of),
      coste: fc.integer({ min: 0, max: 99_999_999 }).map((n) => n / 100),
    });
  const itemsOf = (of: readonly string[]) => fc.array(itemOf(of), { minLength: 1, maxLength: 30 });
  const anyItems = itemsOf(taxes);

  it('an abono por diferencias mirrors its invoice to the cent', () => {
    fc.assert(
      fc.property(itemsOf([...taxes, 'REBU21', 'AGENCIA21']), (items) => {
        const invoice = totals(items);
        const abono = totals(items, { sign: -1n });
        expect(abono.totalCents).toBe(-invoice.totalCents);
        expect(abono.vatCents).toBe(-invoice.vatCents);
        expect(abono.desglose.map((d) => [d.baseCents, d.quotaCents])).toEqual(
          invoice.desglose.map((d) => [-d.baseCents, -d.quotaCents]),
        );
      }),
    );
  });

  it('an abono of used goods given away has no margin either', () => {
    // Sold at 1,000 what had cost 400, and given away with it what had cost 100: margin 600.
    const items = [
      { ...item('1', '1000', 'REBU21'), coste: '400' },
      { ...item('1', '0', 'REBU21'), coste: '100' },
    ];
    // 600 / 1.21 = 495.87, and 104.13 of IVA.
    expect(cents(totals(items))).toEqual([49587n, 10413n, 100000n]);
    expect(cents(totals(items, { sign: -1n }))).toEqual([-49587n, -10413n, -100000n]);
  });

  it('the desglose adds up to the totals, and no order of lines changes them', () => {
    fc.assert(
      fc.property(anyItems, (items) => {
        const { desglose, baseCents, totalCents } = totals(items);
        const bases = desglose.reduce((sum, d) => sum + d.baseCents, 0n);
        const quotas = desglose.reduce((sum, d) => sum + d.quotaCents + d.recargoCents, 0n);
        expect(bases).toBe(baseCents);
        expect(bases + quotas).toBe(totalCents);
        expect(totals(items.toReversed()).totalCents).toBe(totalCents);
      }),
    );
  });

  it('each quota is within half a cent of base × rate', () => {
    fc.assert(
      fc.property(anyItems, (items) => {
        for (const { baseCents, quotaCents, vatRateBps } of totals(items).desglose) {
          expect(quotaCents).toBe(divRound(baseCents * (vatRateBps ?? 0n), 10_000n));
        }
      }),
    );
  });
});
