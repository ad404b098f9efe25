/**
 * Prices and amounts as an invoice shows them: with the tax in, a simplified one (RD 1619/2012 art. 7.1); without, any
 * other (art. 6.1.f). Either kind may be reckoned from prices of the other.
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

/** The lines of the invoice with the tax in or without it, adding up to the total or to the bases to the cent. */
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
 * The lines with tax and recargo in, another State's too, adding up to the total of their rate to the cent.
 *
 * Rounding: the tax is rounded once per rate, as the desglose does, and each line shows what the sum so
 *   far grows by. Ten lines of 0.03 € at 21 % come to 0.36 (0.30 + 0.06), not to ten times 0.04.
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

/** `10.00` at 21 % → `8.26`; of a hundred, `8.2645`, as a hundred of `8.26` are not `826.45`. */
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
 * `numerator / denominator` millionths, with the fewest decimals, from two, that still give the amount: 1.10 × 0.95 is
 * 1.045 four times, not 1.05. Null when none does.
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
