import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { line, sample } from '../../../tests/pdf/samples.ts';
import type { IssuedInvoice } from '../invoice.ts';
import { scaled } from './amounts.ts';
import { printedLines } from './gross.ts';

const simplified = (lines: Parameters<typeof line>[]) =>
  sample({
    draft: { isSimplificada: true },
    cliente: null,
    lines: lines.map((arguments_) => line(...arguments_)),
  });

const printed = (invoice: IssuedInvoice) => printedLines(invoice, { taxIn: true });

describe('prices without tax, printed including it', () => {
  it('add up to the total of the rate, not to the sum of rounded lines', () => {
    // Ten times 0.03 € at 21 %: 0.30 + 0.06 = 0.36, where 0.04 each would be 0.40.
    const invoice = simplified(Array.from({ length: 10 }, () => ['Sobre', '1', '0,03']));
    const amounts = printed(invoice).map(({ amountCents }) => amountCents);
    expect(amounts).toEqual([4n, 3n, 4n, 4n, 3n, 4n, 3n, 4n, 4n, 3n]);
    expect(invoice.total).toBe('0.36');
  });

  it('are shown with as few decimals as give the amount', () => {
    const invoice = simplified([
      // 4.20 at 4 %: 4.368 the loaf, 4.37 to pay.
      ['Hogaza', '1', '4,20', 'IVA4'],
      // 0.95 at 10 %: four at 1.045 make 4.18; four at 1.05 would make 4.20.
      ['Cruasán', '4', '0,95', 'IVA10'],
      // A price that was computed from 1.05 including tax.
      ['Napolitana', '4', '0,954545', 'IVA10'],
    ]);
    expect(printed(invoice).map(({ priceE6 }) => priceE6)).toEqual([
      4_370_000n,
      1_045_000n,
      1_050_000n,
    ]);
  });

  it('include the tax of another State (OSS), like the total', () => {
    // Two rates of destination: 100.00 and 20.00, 50.00 and 2.75.
    const invoice = sample({
      draft: { isSimplificada: true, typeClient: 'UEPART' },
      cliente: null,
      lines: [
        { ...line('Bolso', '1', '100,00', 'OSS'), tipoDestino: '20' },
        { ...line('Libro', '2', '25,00', 'OSS'), tipoDestino: '5,5' },
      ],
    });
    expect(printed(invoice)).toEqual([
      { priceE6: 120_000_000n, amountCents: 12_000n },
      { priceE6: 26_375_000n, amountCents: 5_275n },
    ]);
    expect(invoice.total).toBe('172.75');
  });

  it('are rounded separately for two keys with the same rate, like the desglose', () => {
    // 0.03 at 21 % is 0.0063, so 0.01 on its own; both together would be 0.0126, so 0.01 in all.
    const invoice = simplified([
      ['Sobre', '1', '0,03', 'IVA21'],
      ['Sobre', '1', '0,03', 'CAJA21'],
    ]);
    expect(printed(invoice).map(({ amountCents }) => amountCents)).toEqual([4n, 4n]);
    expect(invoice.total).toBe('0.08');
  });

  it('add up to the total of the invoice, whatever its lines', () => {
    const cents = fc.integer({ min: 0, max: 999_999 });
    const tax = fc.constantFrom('IVA21', 'IVA10', 'IVA4', 'EXENTO20', 'CAJA21', '01/20/S1/21');
    fc.assert(
      fc.property(
        fc.array(fc.tuple(cents, cents, tax), { minLength: 1, maxLength: 30 }),
        (items) => {
          const invoice = simplified(
            items.map(([quantity, price, taxCode]) => [
              'Algo',
              `${Math.floor(quantity / 100)},${String(quantity % 100).padStart(2, '0')}`,
              `${Math.floor(price / 100)},${String(price % 100).padStart(2, '0')}`,
              taxCode,
            ]),
          );
          const sum = printed(invoice).reduce((all, { amountCents }) => all + amountCents, 0n);
          expect(sum).toBe(scaled(invoice.total, 2));
        },
      ),
    );
  });
});

describe('prices including tax, printed without it', () => {
  const exchange = (lines: Parameters<typeof line>[]) =>
    sample({
      draft: { invoiceType: 2, ivaIncluido: true },
      lines: lines.map((arguments_) => line(...arguments_)),
    });
  const net = (invoice: IssuedInvoice) => printedLines(invoice, { taxIn: false });

  it('are shown with as few decimals as give the amount', () => {
    // 10.00 / 1.21 = 8.2645; for a hundred, 826.45, which is not a hundred times 8.264.
    const invoice = exchange([
      ['Camiseta', '1', '10'],
      ['Bolsa', '100', '10'],
    ]);
    expect(net(invoice)).toEqual([
      { priceE6: 8_260_000n, amountCents: 826n },
      { priceE6: 8_264_500n, amountCents: 82_645n },
    ]);
    expect(invoice.total).toBe('1010.00');
  });

  it('add up to the base', () => {
    // 0.99 / 1.21 = 0.82, whereas three times 0.27 would be 0.81.
    const invoice = exchange([
      ['Sobre', '1', '0,33'],
      ['Sobre', '1', '0,33'],
      ['Sobre', '1', '0,33'],
    ]);
    expect(net(invoice).map(({ amountCents }) => amountCents)).toEqual([27n, 28n, 27n]);
    expect([invoice.base, invoice.vat, invoice.total]).toEqual(['0.82', '0.17', '0.99']);
  });
});
