/** Figures as they are printed: Spanish notation and the real minus sign, which is as wide as a figure. */

import { centsToEs, decimalToEs } from '../money.ts';

const MINUS = '\u2212';
/** A figure never parts from its sign. */
const NBSP = '\u00a0';

/**
 * Plain decimal text of the snapshot (`'-1234.5'`) as an integer scaled by 10^`decimals`.
 *
 * @throws {RangeError} when it is no such text or has more decimals: a bug, people type elsewhere.
 */
export function scaled(text: string, decimals: number): bigint {
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text);
  const [, sign, integer = '', fraction = ''] = match ?? [];
  if (!match || fraction.length > decimals) throw new RangeError(`Not a decimal: ${text}`);
  const value = BigInt(integer + fraction.padEnd(decimals, '0'));
  return sign === '-' ? -value : value;
}

/** `'-1234.5'` → `'−1.234,5'`; zeros beyond `minDecimals` are left out. */
export function figure(text: string, minDecimals = 0): string {
  const decimals = Math.max(minDecimals, text.split('.')[1]?.length ?? 0);
  return decimalToEs(scaled(text, decimals), decimals, minDecimals).replace('-', MINUS);
}

/** `-123456n` → `'−1.234,56'`. */
export function amount(cents: bigint): string {
  return centsToEs(cents).replace('-', MINUS);
}

/** `-1045000n` → `'−1,045'`: millionths, with the decimals that they have, two at least. */
export function unitPrice(priceE6: bigint): string {
  return decimalToEs(priceE6, 6, 2).replace('-', MINUS);
}

/** `-123456n` → `'−1.234,56 €'`. */
export function euros(cents: bigint): string {
  return `${amount(cents)}${NBSP}€`;
}

/** `'21'` → `'21 %'`, `'7.5'` → `'7,5 %'`. */
export function percent(text: string): string {
  return `${figure(text)}${NBSP}%`;
}
