/**
 * The only conversion between text and exact amounts. Money is `bigint` cents; quantities and prices are `bigint`
 * too, scaled by a power of ten. Nothing here uses binary floating point.
 */

/** Integer digits that the AEAT admits in an amount (ImporteSgn12.2); nothing larger is read. */
export const MAX_INTEGER_DIGITS = 12;

/** The largest amount: ImporteSgn12.2 of the AEAT, and `numeric(14,2)`. */
export const MAX_CENTS = 99_999_999_999_999n;

/** `n / d`, to the nearest integer, ties away from zero. Throws RangeError when `d` is zero. */
export function divRound(n: bigint, d: bigint): bigint {
  const isNegative = n < 0n !== d < 0n;
  const dividend = n < 0n ? -n : n;
  const divisor = d < 0n ? -d : d;
  const quotient = (2n * dividend + divisor) / (2n * divisor);
  return isNegative ? -quotient : quotient;
}

/**
 * Reads what a person types, or a JSON number, as an integer scaled by 10^`decimals`.
 *
 * Text: decimal comma with points between thousands (`1.234,56`), or one decimal point. `1.234` could be both and is
 * read as thousands, 1234; `0.500` and `1234.5` cannot, and are decimals. Pasted text may have a euro sign, spaces
 * between thousands (`1 234,56`), or come from a program in English (`1,234.56`); `1,234` is Spanish. A JSON number
 * is never ambiguous: `1.234` is a little over one. Null when it is not a number, has more decimals than the scale,
 * or more than 12 integer digits.
 */
export function parseDecimal(text: string | number, decimals: number): bigint | null {
  // As text, NaN and numbers that need an exponent are no plain decimals either.
  const plain = typeof text === 'number' ? String(text) : plainText(text);
  return plain === null ? null : parsePlainDecimal(plain, decimals);
}

/**
 * Reads what a program wrote: XML, a column of Postgres, decimal text of ours. Digits with at most one decimal point
 * and no thousands separators: `1.234` is a little over one. Text typed by a person goes through `parseDecimal`
 * instead. Null when it is no such number, has more decimals than the scale, or more than 12 integer digits.
 */
export function parsePlainDecimal(text: string, decimals: number): bigint | null {
  const match = /^([+-]?)(\d*)(?:\.(\d*))?$/.exec(text);
  if (!match) return null;
  const [, sign, integer = '', fraction = ''] = match;
  if (integer === '' && fraction === '') return null;

  const digits = integer.replace(/^0+/, '');
  const significant = fraction.replace(/0+$/, '');
  if (digits.length > MAX_INTEGER_DIGITS || significant.length > decimals) return null;
  const scaled = BigInt(digits + significant.padEnd(decimals, '0') || '0');
  return sign === '-' ? -scaled : scaled;
}

/** Whether it is a number that `parseDecimal` refuses because it has more than 12 integer digits. */
export function hasTooManyDigits(text: string | number): boolean {
  if (typeof text === 'number') return Math.abs(text) >= 10 ** MAX_INTEGER_DIGITS;
  const [, integer = ''] = /^[+-]?0*(\d*)/.exec(plainText(text) ?? '') ?? [];
  return integer.length > MAX_INTEGER_DIGITS;
}

const CURRENCY = /^(?:€|EUR)\s*|\s*(?:€|EUR)$/gi;
/** `1 234 567,8` as the RAE writes it; spreadsheets and web pages use no-break spaces. */
const SPACED_THOUSANDS = /^[+-]?\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?=[.,]|$)/;
/** `1,234.56` and `1,234,567`, from programs in English: no Spanish number is written so. */
const ENGLISH_THOUSANDS = /^[+-]?\d{1,3}(?:(?:,\d{3})+\.\d*|(?:,\d{3}){2,})$/;

/** What nearly every field holds. It is read at once: the other notations take ten regular expressions. */
const ORDINARY = /^-?\d+(?:,\d+)?$/;

/** A number in any pasted notation → digits with at most one decimal point, or null. */
function plainText(text: string): string | null {
  if (ORDINARY.test(text)) return text.replace(',', '.');
  const trimmed = text
    .trim()
    .replace(CURRENCY, '')
    .replace(/^−/, '-')
    .replace(SPACED_THOUSANDS, (integer) => integer.replace(/\s/g, ''));
  if (ENGLISH_THOUSANDS.test(trimmed)) return trimmed.replaceAll(',', '');
  const isSpanish = /^[+-]?(\d{1,3}(\.\d{3})+|\d*),\d*$/.test(trimmed);
  if (isSpanish) return trimmed.replaceAll('.', '').replace(',', '.');
  const isThousands = /^[+-]?[1-9]\d{0,2}(\.\d{3})+$/.test(trimmed);
  if (isThousands) return trimmed.replaceAll('.', '');
  return /^[+-]?\d*\.?\d*$/.test(trimmed) ? trimmed : null;
}

export function absCents(cents: bigint): bigint {
  return cents < 0n ? -cents : cents;
}

/** `12100n` → `'121.00'`: always two decimals, as in the XML, the QR and Postgres. */
export function centsToText(cents: bigint): string {
  const digits = absCents(cents).toString().padStart(3, '0');
  const text = `${digits.slice(0, -2)}.${digits.slice(-2)}`;
  return cents < 0n ? `-${text}` : text;
}

/**
 * The inverse, for Postgres and for text that we wrote ourselves: `'121.00'`, `'121'`, `'-3.5'`. Text typed by a
 * person goes through `parseDecimal` instead.
 *
 * @throws {RangeError} when it is not a plain decimal of at most two decimals: a bug, not a typo
 */
export function textToCents(text: string): bigint {
  const match = /^(-?)(\d+)(?:\.(\d{0,2}))?$/.exec(text);
  if (!match) throw new RangeError(`Not an amount: ${text}`);
  const [, sign, integer = '', fraction = ''] = match;
  const cents = BigInt(integer + fraction.padEnd(2, '0'));
  return sign === '-' ? -cents : cents;
}

/**
 * The sum of decimal texts of ours: `['121.00', '-3.5']` → `'117.50'`.
 *
 * @throws as `textToCents`
 */
export function sumText(amounts: readonly string[]): string {
  return centsToText(amounts.reduce((sum, amount) => sum + textToCents(amount), 0n));
}

/** For JSON answers only: a double represents 14 digits exactly enough to print the same two decimals. */
export function centsToNumber(cents: bigint): number {
  return Number(cents) / 100;
}

/**
 * The inverse, for our own JSON answers: `1234.5` → `123450n`.
 *
 * @throws {RangeError} with more than two decimals
 */
export function numberToCents(euros: number): bigint {
  const cents = parseDecimal(euros, 2);
  if (cents === null) throw new RangeError(`Not an amount: ${euros}`);
  return cents;
}

/** Decimal text of ours with a decimal comma: `'2.5'` → `'2,5'`. */
export function withComma(text = ''): string {
  return text.replace('.', ',');
}

/**
 * What a person or a program wrote, with a decimal comma: `2.5` and `'2.50'` → `'2,5'` and `'2,50'`. Other texts stay
 * as they are, and so does `'1.234'`, which is thousands.
 */
export function decimalComma(typed: string | number, decimals: number): string {
  const text = withComma(String(typed));
  if (typeof typed === 'number') return text;
  const value = parseDecimal(text, decimals);
  return value !== null && value === parseDecimal(typed, decimals) ? text : typed;
}

/** `123456n` → `'1.234,56'`. */
export function centsToEs(cents: bigint): string {
  return decimalToEs(cents, 2, 2);
}

/** A scaled integer in Spanish notation, without the zeros beyond `minDecimals`. */
export function decimalToEs(value: bigint, decimals: number, minDecimals = 0): string {
  const { sign, integer, fraction } = splitDecimal(value, decimals, minDecimals);
  const grouped = integer.replace(/\B(?=(\d{3})+$)/g, '.');
  return fraction === '' ? `${sign}${grouped}` : `${sign}${grouped},${fraction}`;
}

/** A scaled integer as plain decimal text, without the zeros beyond `minDecimals`: `'2.5'`. */
export function decimalToText(value: bigint, decimals: number, minDecimals = 0): string {
  const { sign, integer, fraction } = splitDecimal(value, decimals, minDecimals);
  return fraction === '' ? `${sign}${integer}` : `${sign}${integer}.${fraction}`;
}

function splitDecimal(value: bigint, decimals: number, minDecimals: number) {
  const digits = (value < 0n ? -value : value).toString().padStart(decimals + 1, '0');
  const cut = digits.length - decimals;
  let end = digits.length;
  while (end > cut + minDecimals && digits[end - 1] === '0') end -= 1;
  return {
    sign: value < 0n ? '-' : '',
    integer: digits.slice(0, cut),
    fraction: digits.slice(cut, end),
  };
}
