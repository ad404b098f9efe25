import { expect, it } from 'vitest';
import { checkNif } from '../../../domain/nif.ts';
import { EXAMPLE } from './example.ts';

const cents = (text: string) => Number(text.replace(/[^\d]/g, ''));

it('adds up: lines, VAT by rate and total', () => {
  const byRate = new Map<number, number>();
  for (const [, quantity, price, rate, amount] of EXAMPLE.lines) {
    expect(Number.parseInt(quantity, 10) * cents(price)).toBe(cents(amount));
    const percent = Number.parseInt(rate, 10);
    byRate.set(percent, (byRate.get(percent) ?? 0) + cents(amount));
  }
  const base = [...byRate.values()].reduce((sum, value) => sum + value, 0);
  // 238.80 × 4 % = 9.552 → 9.55; 165.00 × 10 % = 16.50; 105.00 × 21 % = 22.05. In all, 48.10.
  const vat = [...byRate].reduce((sum, [rate, value]) => sum + Math.round((value * rate) / 100), 0);
  expect(base).toBe(cents(EXAMPLE.invoice.base));
  expect(vat).toBe(cents(EXAMPLE.invoice.vat));
  expect(base + vat).toBe(cents(EXAMPLE.invoice.total));
  expect(cents(EXAMPLE.changed.total)).toBe(base + vat + 1);
});

it('has tax numbers with the right control character', () => {
  expect(checkNif(EXAMPLE.issuer.nif).ok).toBe(true);
  expect(checkNif(/A\d{8}/.exec(EXAMPLE.customer.data)?.[0] ?? '').ok).toBe(true);
});
