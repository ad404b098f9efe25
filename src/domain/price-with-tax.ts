/** Adds tax to a price, or takes it out. Units: millionths of a euro, hundredths of a percent. */

import { divRound } from './money.ts';

/** Two decimals, the minimum for a price. */
const CENT_E6 = 10_000n;

/**
 * The price including tax as a shop would write it: with the fewest decimals (two or more) from which the price
 * without tax can be recovered to its own decimals. `8.26` and `8.264463` at 21 % are `9.99` and `10.00`; `0.0005` is
 * `0.0006`.
 */
export function priceWithTax(priceE6: bigint, taxBps: bigint): bigint {
  const ownUnit = unitOf(priceE6);
  for (let unit = CENT_E6; unit > 1n; unit /= 10n) {
    const withTax = rounded(priceE6 * (10_000n + taxBps), 10_000n, unit);
    if (rounded(withTax * 10_000n, 10_000n + taxBps, ownUnit) === priceE6) return withTax;
  }
  return exactPriceWithTax(priceE6, taxBps);
}

/** With all six decimals that a price may have: `8.26` at 21 % is `9.9946`. */
export function exactPriceWithTax(priceE6: bigint, taxBps: bigint): bigint {
  return rounded(priceE6 * (10_000n + taxBps), 10_000n, 1n);
}

/** With all six decimals that a price may have: `10.00` at 21 % is `8.264463`. */
export function priceWithoutTax(priceE6: bigint, taxBps: bigint): bigint {
  return rounded(priceE6 * 10_000n, 10_000n + taxBps, 1n);
}

function rounded(numerator: bigint, denominator: bigint, unit: bigint): bigint {
  return divRound(numerator, denominator * unit) * unit;
}

/** The value of its last decimal. */
function unitOf(priceE6: bigint): bigint {
  let unit = CENT_E6;
  while (priceE6 % unit !== 0n) unit /= 10n;
  return unit;
}
