/** Numbers as printed: Spanish notation and a real minus sign, which is as wide as a digit. */

import { centsToEs, decimalToEs } from '../money.ts';

const MINUS = '\u2212';
/** Keeps a number and its sign on one line. */
const NBSP = '\u00a0';

/**
 * Plain decimal text of the frozen invoice (`'-1234.5'`) as an integer scaled by 10^`decimals`.
 *
 * @throws {RangeError} when it is not such a text or has more decimals: a bug, since nobody types it
 */
export function scaled(text: string, decimals: number): bigint {
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text);
  const [, sign, integer = '', fraction = ''] = match ?? [];
  if (!match || fraction.length > decimals) throw new RangeError(`Not a decimal: ${text}`);
  const value = BigInt(integer + fraction.padEnd(decimals, '0'));
  return sign === '-' ? -value : value;
}

/** `'-1234.5'` → `'−1.234,5'`, without the zeros beyond `minDecimals`. */
export function figure(text: string, minDecimals = 0): string {
  const decimals = Math.max(minDecimals, text.split('.')[1]?.length ?? 0);
  return decimalToEs(scaled(text, decimals), decimals, minDecimals).replace('-', MINUS);
}

/** `-123456n` → `'−1.234,56'`. */
export function amount(cents: bigint): string {
  return centsToEs(cents).replace('-', MINUS);
}

/** `-1045000n` → `'−1,045'`: millionths, with as many decimals as needed, at least two. */
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
