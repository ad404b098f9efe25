/** `20-11-2026` → `2026-11-20`; undefined when there is no such day. */
export function isoDate(fecha: string): string | undefined {
  const iso = `${fecha.slice(6)}-${fecha.slice(3, 5)}-${fecha.slice(0, 2)}`;
  return isCalendarDate(iso) ? iso : undefined;
}

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Given a `yyyy-mm-dd` of digits, whether there is such a day. */
export function isCalendarDate(iso: string): boolean {
  const year = Number(iso.slice(0, 4));
  const month = Number(iso.slice(5, 7));
  const day = Number(iso.slice(8, 10));
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const last = month === 2 && isLeap ? 29 : (DAYS[month - 1] ?? 0);
  return day >= 1 && day <= last;
}

/** `years` before or after, as text for comparison. */
export function addYears(iso: string, years: number): string {
  return `${String(Number(iso.slice(0, 4)) + years).padStart(4, '0')}${iso.slice(4)}`;
}

/** Hundredths of an amount or of a rate: `12.3` → 1230, `-0.05` → -5, `5.` → 500. */
export function hundredths(literal: string): bigint {
  const [, sign, integer = '0', decimals = ''] = /^([+-]?)(\d+)\.?(\d*)$/.exec(literal) ?? [];
  const value = BigInt(integer + decimals.padEnd(2, '0'));
  return sign === '-' ? -value : value;
}

export function abs(value: bigint): bigint {
  return value < 0n ? -value : value;
}
