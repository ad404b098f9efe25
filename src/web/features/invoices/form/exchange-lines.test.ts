import { describe, expect, it } from 'vitest';
import type { EditInvoice, InvoiceItem } from '../../../../contract/invoices.ts';
import { gruposIva } from '../../../../domain/catalogs/catalogs.ts';
import { computeTotals } from '../../../../domain/totals.ts';
import { exchangedItems, pricedAlike } from './exchange-lines.ts';

const line = (description: string, price: string, quantity = '1', tax = 'IVA10'): InvoiceItem => ({
  description,
  price,
  quantity,
  tax,
  linetype: 0,
});

function invoice(
  invoiceNumber: string,
  invoiceItems: InvoiceItem[],
  corrects?: { readonly method: 'I' | 'S'; readonly of: string },
): EditInvoice {
  return {
    type: corrects ? 'abono' : 'factura',
    invoiceNumber,
    invoiceDate: '2026-11-20',
    invoiceType: 1,
    crmemoType: 4,
    invoiceClient: '',
    typeClient: 'NAC',
    isSimplificada: true,
    claveRegimen: '01',
    invoiceItems,
    invoiceToRectify: corrects?.of ?? '',
    tipoRectificativa: corrects?.method ?? 'I',
    Status: 'Registrada',
    version: 1,
  };
}

/** Each line as `quantity × price` and its description. */
const told = (items: readonly InvoiceItem[]) =>
  items.map(({ description, quantity, price }) => `${quantity} × ${price} ${description}`);

const TICKET = invoice('S1', [line('Menú', '10')]);

describe('what is left of simplified invoices that were corrected', () => {
  it('is everything in those that were not', () => {
    const other = invoice('S2', [line('Café', '1,5', '2')]);
    expect(told(exchangedItems([TICKET, other]))).toEqual(['1 × 10 Menú', '2 × 1,5 Café']);
  });

  it('por diferencias, subtracts what the R5 gave back, even if no line in it is the same', () => {
    // 10,00 − 4,00 at 10 %: 6,60.
    const r5 = invoice('RS1', [line('Rebaja', '4')], { method: 'I', of: 'S1' });
    expect(told(exchangedItems([TICKET, r5]))).toEqual(['1 × 6,00 Menú']);
    expect(told(exchangedItems([r5, TICKET]))).toEqual(['1 × 6,00 Menú']);
  });

  it('por diferencias, subtracts the quantity from the same line', () => {
    const three = invoice('S1', [line('Café', '1,50', '3'), line('Menú', '10')]);
    const two = invoice('RS1', [line('Café', '1,5', '2')], { method: 'I', of: 'S1' });
    expect(told(exchangedItems([three, two]))).toEqual(['1 × 1,50 Café', '1 × 10 Menú']);
    const all = invoice('RS1', [line('Café', '1,50', '3')], { method: 'I', of: 'S1' });
    expect(told(exchangedItems([three, all]))).toEqual(['1 × 10 Menú']);
    // Four were returned, more than there were: the excess is subtracted from the rest.
    const more = invoice('RS1', [line('Café', '1,50', '4')], { method: 'I', of: 'S1' });
    expect(told(exchangedItems([three, more]))).toEqual(['1 × 8,50 Menú']);
  });

  it('subtracts nothing from lines of another tax: what cannot be subtracted stays negative', () => {
    const r5 = invoice('RS1', [line('Vino', '4', '1', 'IVA21')], { method: 'I', of: 'S1' });
    expect(told(exchangedItems([TICKET, r5]))).toEqual(['1 × 10 Menú', '-1 × 4,00 Vino']);
  });

  it('por sustitución, is the lines of the R5 in place of those that it replaced', () => {
    const r5 = invoice('RS1', [line('Menú', '6')], { method: 'S', of: 'S1' });
    expect(told(exchangedItems([TICKET, r5]))).toEqual(['1 × 6 Menú']);
    const again = invoice('RS2', [line('Menú', '7')], { method: 'S', of: 'RS1' });
    expect(told(exchangedItems([TICKET, r5, again]))).toEqual(['1 × 7 Menú']);
  });

  it('subtracts what an R5 that replaces another one gives back', () => {
    const r5 = invoice('RS1', [line('Menú', '10', '0,4')], { method: 'I', of: 'S1' });
    const smaller = invoice('RS2', [line('Menú', '10', '-0,2')], { method: 'S', of: 'RS1' });
    expect(told(exchangedItems([TICKET, r5, smaller]))).toEqual(['0,8 × 10 Menú']);
  });

  it('subtracts the cost too if the tax is on the margin', () => {
    const used = (description: string, quantity: string, price: string, coste: string) => ({
      ...line(description, price, quantity, 'REBU'),
      coste,
    });
    const sold = invoice('S1', [used('Silla', '2', '100', '120')]);
    const r5 = invoice('RS1', [used('Silla', '1', '100', '60')], { method: 'I', of: 'S1' });
    expect(exchangedItems([sold, r5])).toMatchObject([{ quantity: '1', coste: '60,00' }]);
  });
});

describe('tickets that are exchanged together', () => {
  const groups = gruposIva('peninsula');
  const withTax = { ...invoice('S2', [line('Café', '1,50')]), ivaIncluido: true };

  it('stay as they are if the prices of none include the tax', () => {
    expect(pricedAlike([TICKET], groups)).toEqual([TICKET]);
  });

  it('all include the tax in their prices as soon as one does', () => {
    // 10.00 × 1.10 = 11.00.
    const alike = pricedAlike([TICKET, withTax], groups);
    expect(alike.map(({ ivaIncluido }) => ivaIncluido)).toEqual([true, true]);
    expect(told(exchangedItems(alike))).toEqual(['1 × 11 Menú', '1 × 1,50 Café']);
  });

  /** The total of the F3, and the sum of the separate totals of its tickets. */
  const cents = (tickets: EditInvoice[]) => {
    const context = { groups, typeClient: 'NAC', claveRegimen: '01', sign: 1n } as const;
    const totalOf = ({ invoiceItems: items, ivaIncluido }: Partial<EditInvoice>) =>
      computeTotals({ ...context, items: items ?? [], ivaIncluido }).totalCents;
    const items = exchangedItems(pricedAlike(tickets, groups));
    return [
      totalOf({ invoiceItems: items, ivaIncluido: true }),
      tickets.reduce((sum, ticket) => sum + totalOf(ticket), 0n),
    ];
  };

  it('add up to their separate totals, although their lines rounded one by one would not', () => {
    const ten = { ...invoice('S2', [line('Vino', '10', '1', 'IVA21')]), ivaIncluido: true };
    const sweet = line('Caramelo', '0,12', '1', 'IVA21');
    // 0.36 + 0.08 = 0.44 and 10.00: each 0.12 is 0.15 by itself, which would make 10.45.
    const three = invoice('S1', [sweet, sweet, sweet]);
    expect(cents([three, ten])).toEqual([1044n, 1044n]);
    const lines = exchangedItems(pricedAlike([three, ten], groups));
    expect(told(lines)).toEqual([
      '1 × 0,1452 Caramelo',
      '1 × 0,14 Caramelo',
      '1 × 0,1452 Caramelo',
      '1 × 10 Vino',
    ]);
    // In one line: 3 × 0.1452 = 0.4356.
    const inOne = invoice('S1', [line('Caramelo', '0,12', '3', 'IVA21')]);
    expect(told(exchangedItems(pricedAlike([inOne, ten], groups)))[0]).toBe('3 × 0,1452 Caramelo');
    expect(cents([inOne, ten])).toEqual([1044n, 1044n]);
  });

  it('have one unit at the amount of the line if no unit price produces it', () => {
    // 0.000001 × 50 000 = 0.05 € steps: 0.62 € × 1.21 = 0.75 €, at 0.000015 each; 0.1 × 1.21 = 0.12 €, at none.
    const many = line('Grapa', '0,000002', '50000', 'IVA21');
    const ten = { ...invoice('S2', [line('Vino', '10', '1', 'IVA21')]), ivaIncluido: true };
    const [exchanged, sold] = cents([invoice('S1', [many]), ten]);
    expect(exchanged).toBe(sold);
  });
});
