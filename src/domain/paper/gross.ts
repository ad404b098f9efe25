/** Prices and amounts with the tax in, as a simplified invoice shows them (RD 1619/2012 art. 7.1). */

import type { IssuedLine } from '../invoice.ts';
import { divRound } from '../money.ts';
import { netCentsOf } from '../totals.ts';
import { scaled } from './amounts.ts';

export interface GrossLine {
  /** Millionths of a euro per unit, tax included, without sign. */
  readonly priceE6: bigint;
  readonly amountCents: bigint;
}

/**
 * The lines with tax and recargo in, another State's too, adding up to the total of their rate to the cent.
 *
 * Rounding: the tax is rounded once per rate, as the desglose does, and each line shows what the sum so
 *   far grows by. Ten lines of 0.03 € at 21 % come to 0.36 (0.30 + 0.06), not to ten times 0.04.
 */
export function grossLines(lines: readonly IssuedLine[]): GrossLine[] {
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

/** With the fewest decimals, from two, that still give the amount: 1.10 × 0.95 is 1.045 four times, not 1.05. */
function grossPrice(line: IssuedLine, amountCents: bigint): bigint {
  const { vatRate, recargoRate, tipoDestino } = line;
  const rateBps = [vatRate, recargoRate, tipoDestino].reduce(
    (sum, rate) => sum + scaled(rate ?? '0', 2),
    0n,
  );
  const exactE10 = scaled(line.price, 6) * (10_000n + rateBps);
  const quantityE4 = scaled(line.quantity, 4);
  const discountBps = scaled(line.discount, 2);
  for (let decimals = 2n; decimals <= 6n; decimals += 1n) {
    const unit = 10n ** (6n - decimals);
    const priceE6 = divRound(exactE10, 10_000n * unit) * unit;
    const amount = netCentsOf(quantityE4, priceE6, discountBps);
    if (amount === amountCents || amount === -amountCents) return priceE6;
  }
  return divRound(exactE10, 1_000_000n) * 100n;
}
