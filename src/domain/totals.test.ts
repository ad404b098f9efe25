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

  it('subtracts the discount before rounding', () => {
    // 3 × 9.99 € − 15 % = 25.4745 → 25.47
    expect(totals([{ ...item('3', '9,99'), discount: '15' }]).baseCents).toBe(2547n);
  });

  it('shows base × (1 + %/100), plus the recargo if the customer has it', () => {
    expect(totals([item('1', '100')]).lines[0]?.totalCents).toBe(12100n);
    const withRecargo = totals([item('1', '100')], { typeClient: 'NACRE' });
    expect(withRecargo.lines[0]?.totalCents).toBe(12620n);
    expect(totals([item('1', '1000000')]).lines[0]?.totalCents).toBe(121_000_000n);
  });

  it('counts text that is no number as zero, which the rules refuse', () => {
    expect(cents(totals([item('dos', '10'), item('1', '10')]))).toEqual([1000n, 210n, 1210n]);
    const wrong = [item('dos', '100000000'), item('100000000', 'diez')];
    expect(cents(totals([...wrong, item('1', '10')]))).toEqual([1000n, 210n, 1210n]);
    // Of 1,000,000 €, a hundredth of a percent is 100.
    const { baseCents } = totals([{ ...item('1', '1000000'), discount: 'mucho' }]);
    expect(baseCents).toBe(100_000_000n);
  });

  it('has no group, and a total equal to its base, if the tax is not for that customer', () => {
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

  it('separates the same rate with different recargo, highest first', () => {
    const { desglose } = totals(
      [item('1', '100', 'SERV21'), item('1', '100', 'IVA21TAB'), item('1', '100')],
      { typeClient: 'NACRE' },
    );
    expect(desglose.map((d) => d.recargoBps)).toEqual([520n, 175n, null]);
  });

  it('lists rates from high to low, and amounts without a rate at the end', () => {
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
  it('is that of the group while the invoice has 01', () => {
    const exported = totals([item('1', '100', 'EXPORT')], { typeClient: 'EXT' });
    expect(exported.desglose[0]?.ClaveRegimen).toBe('02');
    const without = totals([item('1', '100', 'EXPORT')], { typeClient: 'EXT', claveRegimen: '' });
    expect(without.desglose).toEqual(exported.desglose);
  });

  it('is that of the invoice if another was chosen', () => {
    const { desglose } = totals([item('1', '100')], { claveRegimen: '07' });
    expect(desglose[0]?.ClaveRegimen).toBe('07');
  });

  it('adds no legal mention to a line with a key of its own; an exemption keeps its mention under any key', () => {
    const leyendasOf = (tax: string, claveRegimen: string) =>
      totals([item('1', '100', tax)], { claveRegimen }).desglose[0]?.leyendas;
    expect(leyendasOf('REBU21', '07')).toEqual([]);
    expect(leyendasOf('REBU21', '03')).toEqual(['Régimen especial de los bienes usados']);
    expect(leyendasOf('EXENTO20', '15')).toHaveLength(1);
    const two = totals([item('1', '100', 'EXENTO20'), item('1', '50', 'EXENTO20')]);
    expect(two.desglose.map(({ leyendas }) => leyendas)).toEqual([leyendasOf('EXENTO20', '01')]);
  });
});

describe('with prices including tax (RD 1619/2012 art. 7.1.f)', () => {
  const ticket = (items: InvoiceItemInput[], rest: Partial<TotalsInput> = {}) =>
    totals(items, { ivaIncluido: true, ...rest });
  const amounts = ({ desglose }: ReturnType<typeof totals>) =>
    desglose.map((d) => [d.baseCents, d.quotaCents, d.recargoCents]);

  it.each([
    // 9.99 / 1.21 = 8.2562, 10.00 / 1.21 = 8.2645: totals that no base × 1.21 gives.
    ['1', '9,99', [826n, 173n, 999n]],
    ['1', '10', [826n, 174n, 1000n]],
    ['1', '0,01', [1n, 0n, 1n]],
    ['4', '1,05', [347n, 73n, 420n]],
  ])('%s × %s € is the total, and the base is the total without tax', (quantity, price, is) => {
    expect(cents(ticket([item(quantity, price)]))).toEqual(is);
  });

  it('the tax is subtracted once per rate, and the bases of the lines add up', () => {
    // 0.99 / 1.21 = 0.8182. By line: 0.2727, 0.5455 and 0.8182 cumulated, hence 0.27, 0.28 and 0.27.
    const three = ticket(['0,33', '0,33', '0,33'].map((price) => item('1', price)));
    expect(cents(three)).toEqual([82n, 17n, 99n]);
    expect(three.lines.map((line) => line.baseCents)).toEqual([27n, 28n, 27n]);
    expect(three.lines.map((line) => line.totalCents)).toEqual([33n, 33n, 33n]);
  });

  it('the tax of two rates is subtracted from each', () => {
    // 1.30 + 2.40 = 3.70; 3.70 / 1.10 = 3.3636.
    const bar = ticket([item('1', '1,30', 'IVA10'), item('1', '10'), item('2', '1,20', 'IVA10')]);
    expect(amounts(bar)).toEqual([
      [826n, 174n, 0n],
      [336n, 34n, 0n],
    ]);
    expect(bar.totalCents).toBe(1370n);
  });

  it('the tax is subtracted after the discount', () => {
    // 3 × 9.99 − 15 % = 25.4745 → 25.47; 25.47 / 1.21 = 21.0496.
    const discounted = ticket([{ ...item('3', '9,99'), discount: '15' }]);
    expect(cents(discounted)).toEqual([2105n, 442n, 2547n]);
  });

  it('the tax is IGIC where IGIC is charged', () => {
    // 10 / 1.07 = 9.3458.
    const canarias = ticket([item('1', '10', 'IGIC7')], { groups: gruposIva('canarias') });
    expect(cents(canarias)).toEqual([935n, 65n, 1000n]);
  });

  it('the price includes the recargo too', () => {
    // 100 / 1.262 = 79.2393; 79.24 × 5.2 % = 4.1205; 100 − 79.24 − 4.12 = 16.64.
    const shop = ticket([item('1', '100')], { typeClient: 'NACRE' });
    expect(amounts(shop)).toEqual([[7924n, 1664n, 412n]]);
    expect(shop.totalCents).toBe(10000n);
  });

  it('there is no tax if none is charged: the price is the base', () => {
    const exempt = ticket([item('1', '10', 'EXENTO20'), item('1', '5', 'ISP')]);
    expect(amounts(exempt)).toEqual([
      [500n, 0n, 0n],
      [1000n, 0n, 0n],
    ]);
  });

  it('a margin already includes the tax: nothing changes', () => {
    const used = [{ ...item('1', '1000', 'REBU21'), coste: '400' }];
    expect(ticket(used)).toEqual(totals(used));
  });

  it('the tax is the other State’s through the one-stop shop', () => {
    // 120 / 1.20 = 100; the AEAT gets all of it as not subject.
    const abroad = ticket([{ ...item('1', '120', 'OSS'), tipoDestino: '20' }], {
      typeClient: 'UEPART',
    });
    expect(abroad.ivaDestino).toEqual([{ tipoBps: 2000n, baseCents: 10000n, cuotaCents: 2000n }]);
    expect(amounts(abroad)).toEqual([[12000n, 0n, 0n]]);
    expect(abroad.totalCents).toBe(12000n);
    // 10 / 1.21 = 8.2645 and 1 / 1.20 = 0.8333; 8.26 × 21 % would be 1.73.
    const two = ticket(
      [
        { ...item('1', '10', 'OSS'), tipoDestino: '21' },
        { ...item('1', '1', 'OSS'), tipoDestino: '20' },
      ],
      { typeClient: 'UEPART' },
    );
    expect(two.ivaDestino).toEqual([
      { tipoBps: 2100n, baseCents: 826n, cuotaCents: 174n },
      { tipoBps: 2000n, baseCents: 83n, cuotaCents: 17n },
    ]);
  });
});

it('takes the margin of used goods that come back off by the same amounts', () => {
  // 1000 − 400 = 600; 600 / 1.21 = 495.8678.
  const of = (quantity: string) =>
    cents(totals([{ ...item(quantity, '1000', 'REBU21'), coste: '400' }]));
  expect(of('1')).toEqual([49587n, 10413n, 100000n]);
  expect(of('-1')).toEqual([-49587n, -10413n, -100000n]);
});

it('takes the whole price as the margin of what has no cost, sold or returned, and no loss of a cent', () => {
  // 100 / 1.21 = 82.6446.
  const of = (quantity: string, price: string, coste?: string) =>
    cents(totals([{ ...item(quantity, price, 'REBU21'), coste }]));
  expect(of('1', '100')).toEqual([8264n, 1736n, 10000n]);
  expect(of('-1', '100')).toEqual([-8264n, -1736n, -10000n]);
  expect(of('1', '100', 'poco')).toEqual([8264n, 1736n, 10000n]);
  expect(of('1', '99,99', '100')).toEqual([0n, 0n, 9999n]);
  expect(of('-1', '99,99', '100')).toEqual([0n, 0n, -9999n]);
  const plain = totals([{ ...item('1', '100'), coste: '40' }]);
  expect([...cents(plain), plain.lines[0]?.costeCents]).toEqual([10000n, 2100n, 12100n, 0n]);
});

describe('through the one-stop shop', () => {
  const oss = (price: string, tipoDestino?: string) => ({
    ...item('1', price, 'OSS'),
    tipoDestino,
  });
  const abroad = (...items: InvoiceItemInput[]) => totals(items, { typeClient: 'UEPART' });

  it('the other State’s tax is on the sum of its rate, and is declared as not subject', () => {
    const sold = abroad(
      item('1', '100'),
      oss('0,03', '19'),
      oss('1000000', '25'),
      oss('0,03', '19'),
    );
    // 0.06 × 19 % = 0.0114, and not 0.0057 twice; 1,000,000 × 25 % = 250,000.
    expect(sold.ivaDestino).toEqual([
      { tipoBps: 2500n, baseCents: 100_000_000n, cuotaCents: 25_000_000n },
      { tipoBps: 1900n, baseCents: 6n, cuotaCents: 1n },
    ]);
    expect(sold.desglose.map((d) => [d.vatRateBps, d.baseCents, d.quotaCents])).toEqual([
      [2100n, 10000n, 2100n],
      [null, 125_000_007n, 0n],
    ]);
    expect(cents(sold)).toEqual([100_010_006n, 2100n, 125_012_107n]);
  });

  it('there is none without its rate, nor on a line of another tax', () => {
    const without = abroad(oss('100'), oss('100', 'mucho'), {
      ...item('1', '100'),
      tipoDestino: '19',
    });
    expect(without.ivaDestino).toEqual([]);
    expect(without.totalCents).toBe(32100n);
  });
});

it('gives suplidos back where the amount is given back', () => {
  const payable = (quantity: string, sign: 1n | -1n) =>
    totals([item(quantity, '100')], { sign, suplidosCents: 500n }).payableCents;
  expect(payable('1', 1n)).toBe(12600n);
  expect(payable('-1', 1n)).toBe(-12600n);
  expect(payable('0', -1n)).toBe(-500n);
  expect(payable('0', 1n)).toBe(500n);
});

it('leaves the retention outside the total', () => {
  expect(totals([item('1', '100')], { retencionBps: 1500n })).toMatchObject({
    totalCents: 12100n,
    retencionCents: 1500n,
    payableCents: 10600n,
  });
  // 12,345,678.90 × 15 % = 1,851,851.835.
  const large = totals([item('1', '12345678,90')], { retencionBps: 1500n });
  expect(large.retencionCents).toBe(185_185_184n);
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

  it('including tax, the total is the sum of the lines, base and quota make it up, and the abono mirrors it', () => {
    fc.assert(
      fc.property(
        itemsOf([...taxes, 'REBU21']),
        fc.constantFrom('NAC', 'NACRE'),
        (items, typeClient) => {
          const net = totals(items, { typeClient });
          const gross = totals(items, { typeClient, ivaIncluido: true });
          // The sum of the lines at their prices, which is the base if they exclude tax.
          const sum = net.lines.reduce((all, line) => all + line.baseCents, 0n);
          expect(gross.totalCents).toBe(sum);
          for (const { baseCents, quotaCents, recargoCents, ...group } of gross.desglose) {
            if (group.ClaveRegimen === '03') continue;
            const exact = divRound(baseCents * (group.vatRateBps ?? 0n), 10_000n);
            expect(quotaCents - exact).toBeGreaterThanOrEqual(-1n);
            expect(quotaCents - exact).toBeLessThanOrEqual(1n);
            expect(recargoCents).toBe(divRound(baseCents * (group.recargoBps ?? 0n), 10_000n));
          }
          const abono = totals(items, { typeClient, ivaIncluido: true, sign: -1n });
          expect(abono.desglose.map((d) => [d.baseCents, d.quotaCents, d.recargoCents])).toEqual(
            gross.desglose.map((d) => [-d.baseCents, -d.quotaCents, -d.recargoCents]),
          );
          expect(abono.totalCents).toBe(-gross.totalCents);
        },
      ),
    );
  });

  it('an abono with used goods given away counts no margin for them either', () => {
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
