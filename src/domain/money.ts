/**
 * The only door between text and exact amounts. Money is `bigint` cents; quantities and prices are
 * `bigint` too, scaled by a power of ten. Nothing here touches binary floating point.
 */

/** Integer digits the AEAT admits in an amount (ImporteSgn12.2); nothing bigger is read. */
const MAX_INTEGER_DIGITS = 12;

/** The most that an amount holds: ImporteSgn12.2 of the AEAT, and `numeric(14,2)`. */
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
 * Text: decimal comma with points between thousands (`1.234,56`), or one decimal point. `1.234`
 * could be both and is read as thousands, 1234; `0.500` and `1234.5` cannot, and are decimals.
 * What is pasted may come with its euros, with spaces between thousands (`1 234,56`) or from a
 * program in English (`1,234.56`); `1,234` is Spanish.
 * A number is never ambiguous: `1.234` is one and a bit.
 * Null when it is no number, has decimals the scale cannot hold, or more than 12 integer digits.
 */
export function parseDecimal(text: string | number, decimals: number): bigint | null {
  const plain = typeof text === 'number' ? plainNumber(text) : plainText(text);
  return plain === null ? null : parsePlainDecimal(plain, decimals);
}

/**
 * Reads what a program wrote: XML, a column of Postgres, decimal text of ours. Digits with at most one
 * decimal point and never anything between thousands: `1.234` is one and a bit.
 * Text that a person typed goes through `parseDecimal` instead. Null when it is no such number, has
 * decimals the scale cannot hold, or more than 12 integer digits.
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

/** `12.5` → `'12.5'`; null for NaN, infinities and what only an exponent can write. */
function plainNumber(value: number): string | null {
  const text = String(value);
  return /^-?\d+(\.\d+)?$/.test(text) ? text : null;
}

const CURRENCY = /^(?:€|EUR)\s*|\s*(?:€|EUR)$/gi;
/** `1 234 567,8` as the RAE writes it; sheets and web pages put spaces that do not break. */
const SPACED_THOUSANDS = /^[+-]?\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?=[.,]|$)/;
/** `1,234.56` and `1,234,567`, of programs in English: no Spanish number is written so. */
const ENGLISH_THOUSANDS = /^[+-]?\d{1,3}(?:(?:,\d{3})+\.\d*|(?:,\d{3}){2,})$/;

/** Any notation that a number is pasted in → digits with at most one decimal point, or null. */
function plainText(text: string): string | null {
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

/** `12100n` → `'121.00'`: always two decimals, as they go to the XML, the QR and Postgres. */
export function centsToText(cents: bigint): string {
  const digits = absCents(cents).toString().padStart(3, '0');
  const text = `${digits.slice(0, -2)}.${digits.slice(-2)}`;
  return cents < 0n ? `-${text}` : text;
}

/**
 * The way back from Postgres and from what we wrote ourselves: `'121.00'`, `'121'`, `'-3.5'`.
 * Text a person typed goes through `parseDecimal` instead.
 *
 * @throws {RangeError} when it is not a plain decimal of at most two decimals: a bug, not a typo.
 */
export function textToCents(text: string): bigint {
  const match = /^(-?)(\d+)(?:\.(\d{0,2}))?$/.exec(text);
  if (!match) throw new RangeError(`Not an amount: ${text}`);
  const [, sign, integer = '', fraction = ''] = match;
  const cents = BigInt(integer + fraction.padEnd(2, '0'));
  return sign === '-' ? -cents : cents;
}

/** Decimal texts of ours added up: `['121.00', '-3.5']` → `'117.50'`. @throws as `textToCents` */
export function sumText(amounts: readonly string[]): string {
  return centsToText(amounts.reduce((sum, amount) => sum + textToCents(amount), 0n));
}

/** For JSON answers only: 14 digits fit a double exactly enough to print the same two decimals. */
export function centsToNumber(cents: bigint): number {
  return Number(cents) / 100;
}

/** The way back from our JSON answers: `1234.5` → `123450n`. @throws {RangeError} with more than two decimals */
export function numberToCents(euros: number): bigint {
  const cents = parseDecimal(euros, 2);
  if (cents === null) throw new RangeError(`Not an amount: ${euros}`);
  return cents;
}

/** Decimal text of ours as Spain writes it: `'2.5'` → `'2,5'`. */
export function withComma(text = ''): string {
  return text.replace('.', ',');
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
