/**
 * Days are ISO text (`2026-11-20`), which sorts as it reads; instants are `Date`. The AEAT writes
 * days `20-11-2026` and instants with the offset of the territory where the invoice is issued.
 */

export type Zona = 'Europe/Madrid' | 'Atlantic/Canary';

/** `'2026-11-20'` → `'20-11-2026'`, as the AEAT writes days. */
export function fechaAeat(iso: string): string {
  return `${iso.slice(8, 10)}-${iso.slice(5, 7)}-${iso.slice(0, 4)}`;
}

/** `'20-11-2026'` → `'2026-11-20'`. */
export function isoFromFechaAeat(fecha: string): string {
  return `${fecha.slice(6, 10)}-${fecha.slice(3, 5)}-${fecha.slice(0, 2)}`;
}

/** `'2026-11-20'` → `'20/11/2026'`, as people in Spain write days. */
export function fechaEs(iso: string): string {
  return `${iso.slice(8, 10)}/${iso.slice(5, 7)}/${iso.slice(0, 4)}`;
}

/** True for a day that exists: `2026-02-29` is not one. */
export function isIsoDate(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && isoOf(utcDay(text)) === text;
}

/**
 * Las Palmas (35) and Santa Cruz de Tenerife (38) are one hour behind.
 *
 * @param country ISO 3166-1 alpha-2; a company with an address abroad goes by Madrid's time
 */
export function zonaOf(postCode: string, country: string): Zona {
  return country === 'ES' && /^3[58]\d{3}$/.test(postCode) ? 'Atlantic/Canary' : 'Europe/Madrid';
}

/**
 * `'2026-11-20T10:00:37+01:00'`: whole seconds and `±hh:mm`, the only form the AEAT takes in
 * FechaHoraHusoGenRegistro (validations 1.2.2, code 1244).
 */
export function fechaHoraHuso(date: Date, zona: Zona): string {
  const minutes = offsetMinutes(date, zona);
  const local = new Date(date.getTime() + minutes * 60_000).toISOString();
  return `${local.slice(0, 19)}+${String(minutes / 60).padStart(2, '0')}:00`;
}

/** The day at that instant in that zone. */
export function isoDateIn(date: Date, zona: Zona): string {
  return isoOf(new Date(date.getTime() + offsetMinutes(date, zona) * 60_000));
}

/** The months from one day's to another's, both included: `['2026-10', '2026-11']`. */
export function monthsBetween(from: string, to: string): string[] {
  const months: string[] = [];
  let [year = 0, month = 0] = from.split('-').map(Number);
  for (;;) {
    const text = `${year}-${String(month).padStart(2, '0')}`;
    if (text > to.slice(0, 7)) return months;
    months.push(text);
    month += 1;
    if (month > 12) [year, month] = [year + 1, 1];
  }
}

/** The day that many days later, or earlier if `days` is negative: `addDays('2026-02-28', 1)` → `'2026-03-01'`. */
export function addDays(iso: string, days: number): string {
  const date = utcDay(iso);
  date.setUTCDate(date.getUTCDate() + days);
  return isoOf(date);
}

/** The same day of another year; 29 February becomes 28 where there is none. */
export function addYears(iso: string, years: number): string {
  const year = String(Number(iso.slice(0, 4)) + years).padStart(4, '0');
  const sameDay = `${year}${iso.slice(4)}`;
  return isIsoDate(sameDay) ? sameDay : `${year}-02-28`;
}

/** The same day some months later, or the last day of that month if it has no such day. */
export function addMonths(iso: string, months: number): string {
  const first = new Date(
    Date.UTC(Number(iso.slice(0, 4)), Number(iso.slice(5, 7)) - 1 + months, 1),
  );
  const sameDay = `${isoOf(first).slice(0, 8)}${iso.slice(8)}`;
  return isIsoDate(sameDay) ? sameDay : endOfMonth(isoOf(first));
}

/** First day of the quarter of a day, or of a month: `2026-11-20` or `2026-11` → `2026-10-01`. */
export function startOfQuarter(iso: string): string {
  return addMonths(`${iso.slice(0, 7)}-01`, -((Number(iso.slice(5, 7)) - 1) % 3));
}

/** The number of the quarter of a day: `2026-11-20` → 4. */
export function quarterNumber(iso: string): number {
  return Math.ceil(Number(iso.slice(5, 7)) / 3);
}

/**
 * How a file of some days is called: `2026-11`, `2026-4T`, `2026`, or its first and last day.
 *
 * @param days either may be empty
 * @param today names what has no period of its own
 */
export function nameOfDays(
  { desde, hasta }: { readonly desde: string; readonly hasta: string },
  today: string,
): string {
  if (!desde && !hasta) return today;
  if (!desde || !hasta) return desde ? `desde-${desde}` : `hasta-${hasta}`;
  const year = desde.slice(0, 4);
  const isFrom = (first: string, last: string) => desde === first && hasta === last;
  if (isFrom(`${year}-01-01`, `${year}-12-31`)) return year;
  const quarter = startOfQuarter(desde);
  if (isFrom(quarter, addDays(addMonths(quarter, 3), -1))) {
    return `${year}-${quarterNumber(quarter)}T`;
  }
  if (isFrom(`${desde.slice(0, 7)}-01`, endOfMonth(desde))) return desde.slice(0, 7);
  return `${desde}-a-${hasta}`;
}

/** The last day of its month. */
export function endOfMonth(iso: string): string {
  return isoOf(new Date(Date.UTC(Number(iso.slice(0, 4)), Number(iso.slice(5, 7)), 0)));
}

function utcDay(iso: string): Date {
  return new Date(`${iso}T00:00:00Z`);
}

function isoOf(date: Date): string {
  return Number.isNaN(date.getTime()) ? '' : date.toISOString().slice(0, 10);
}

/** Created on first use: each takes some ten milliseconds. */
const formats = new Map<Zona, Intl.DateTimeFormat>();

function formatOf(timeZone: Zona): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  formats.set(timeZone, made);
  return made;
}

/** Clocks change on the hour, so an offset holds for its whole hour: Intl is asked only once for each. */
const HOUR_MS = 3_600_000;
const lastOffset: Record<Zona, { hour: number; minutes: number }> = {
  'Europe/Madrid': { hour: Number.NaN, minutes: 0 },
  'Atlantic/Canary': { hour: Number.NaN, minutes: 0 },
};

/** Minutes ahead of UTC: 60 or 120 in Madrid, 0 or 60 in the Canaries. */
function offsetMinutes(date: Date, zona: Zona): number {
  const hour = Math.floor(date.getTime() / HOUR_MS);
  const last = lastOffset[zona];
  if (last.hour === hour) return last.minutes;
  const name = formatOf(zona)
    .formatToParts(date)
    .find((part) => part.type === 'timeZoneName')?.value;
  const minutes = Number(/GMT\+(\d{2})/.exec(name ?? '')?.[1] ?? 0) * 60;
  lastOffset[zona] = { hour, minutes };
  return minutes;
}
