/**
 * Prices and amounts as an invoice shows them: a simplified one with tax (RD 1619/2012 art. 7.1), any other without
 * (art. 6.1.f). Either kind may have been calculated from prices of the other.
 */

import type { IssuedInvoice, IssuedLine } from '../invoice.ts';
import { divRound } from '../money.ts';
import { netCentsOf } from '../totals.ts';
import { scaled } from './amounts.ts';

export interface PrintedLine {
  /** Millionths of a euro per unit, without sign. */
  readonly priceE6: bigint;
  readonly amountCents: bigint;
}

/** The lines of the invoice with or without tax, adding up exactly to the total or to the bases. */
export function printedLines(
  { lines, ivaIncluido }: Pick<IssuedInvoice, 'lines' | 'ivaIncluido'>,
  { taxIn }: { taxIn: boolean },
): PrintedLine[] {
  if (taxIn && !ivaIncluido) return grossLines(lines);
  return lines.map((line) => {
    const amountCents = scaled(taxIn ? line.total : line.base, 2);
    const priceE6 = scaled(line.price, 6);
    return { amountCents, priceE6: taxIn || !ivaIncluido ? priceE6 : netPrice(line, amountCents) };
  });
}

/**
 * The lines with tax and recargo, or another State's tax, adding up exactly to the total of their rate.
 *
 * Rounding: tax is rounded once per rate, as in the desglose, and each line shows by how much the running sum grows.
 * Ten lines of 0.03 € at 21 % make 0.36 (0.30 + 0.06), not ten times 0.04.
 */
function grossLines(lines: readonly IssuedLine[]): PrintedLine[] {
  const baseByRate = new Map<string, bigint>();
  return lines.map((line) => {
    const key = [
      line.impuesto,
      line.ClaveRegimen,
      line.CalificacionOperacion ?? line.OperacionExenta,
      line.vatRate,
      line.recargoRate,
      line.tipoDestino,
    ].join('|');
    const before = baseByRate.get(key) ?? 0n;
    const after = before + scaled(line.base, 2);
    baseByRate.set(key, after);
    const amountCents = withTax(after, line) - withTax(before, line);
    return { amountCents, priceE6: grossPrice(line, amountCents) };
  });
}

function withTax(baseCents: bigint, { vatRate, recargoRate, tipoDestino }: IssuedLine): bigint {
  const part = (rate: string | null) => divRound(baseCents * scaled(rate ?? '0', 2), 10_000n);
  return baseCents + part(vatRate) + part(recargoRate) + part(tipoDestino ?? null);
}

function grossPrice(line: IssuedLine, amountCents: bigint): bigint {
  const exactE10 = scaled(line.price, 6) * (10_000n + rateBpsOf(line));
  return (
    shortestPrice(line, amountCents, exactE10, 10_000n) ?? divRound(exactE10, 1_000_000n) * 100n
  );
}

/**
 * `10.00` at 21 % → `8.26`; with a quantity of a hundred, `8.2645`, because a hundred times `8.26` is not `826.45`.
 */
function netPrice(line: IssuedLine, amountCents: bigint): bigint {
  const exactE10 = scaled(line.price, 6) * 10_000n;
  const taxed = 10_000n + rateBpsOf(line);
  return shortestPrice(line, amountCents, exactE10, taxed) ?? divRound(exactE10, taxed);
}

function rateBpsOf({ vatRate, recargoRate, tipoDestino }: IssuedLine): bigint {
  return [vatRate, recargoRate, tipoDestino].reduce(
    (sum, rate) => sum + scaled(rate ?? '0', 2),
    0n,
  );
}

/**
 * `numerator / denominator` millionths, with the fewest decimals (two or more) that still give the amount: 1.10 ×
 * 0.95 is 1.045 four times, not 1.05. Null when none does.
 */
function shortestPrice(
  line: IssuedLine,
  amountCents: bigint,
  numerator: bigint,
  denominator: bigint,
): bigint | null {
  const quantityE4 = scaled(line.quantity, 4);
  const discountBps = scaled(line.discount, 2);
  for (let decimals = 2n; decimals <= 6n; decimals += 1n) {
    const unit = 10n ** (6n - decimals);
    const priceE6 = divRound(numerator, denominator * unit) * unit;
    const amount = netCentsOf(quantityE4, priceE6, discountBps);
    if (amount === amountCents || amount === -amountCents) return priceE6;
  }
  return null;
}
