import {
  addDays,
  addMonths,
  endOfMonth,
  quarterNumber,
  startOfQuarter,
} from '../../domain/dates.ts';
import { nombreMes, trimestre } from './format.ts';

/** Two days, both included. */
export interface Period {
  readonly desde: string;
  readonly hasta: string;
}

export interface NamedPeriod extends Period {
  readonly label: string;
}

/**
 * The months, quarters and years for which invoices are usually requested, relative to a day: the current one and the
 * last of each; then the quarters and months before, back to the same ones a year ago.
 */
export function periodsOf(today: string): NamedPeriod[] {
  const month = today.slice(0, 8).concat('01');
  const quarter = startOfQuarter(today);
  const year = `${today.slice(0, 4)}-01-01`;
  return [
    monthFrom('Este mes', month),
    monthFrom('Mes pasado', addMonths(month, -1)),
    quarterFrom('Este trimestre', quarter),
    quarterFrom('Trimestre pasado', addMonths(quarter, -3)),
    yearFrom('Este año', year),
    yearFrom('Año pasado', addMonths(year, -12)),
    ...[-6, -9, -12].map((months) => earlierQuarter(addMonths(quarter, months))),
    ...EARLIER_MONTHS.map((months) => earlierMonth(addMonths(month, months))),
  ];
}

/** Of the last month, `periodsOf` has a name of its own. */
const EARLIER_MONTHS = Array.from({ length: 11 }, (_, index) => -index - 2);

/** `septiembre`, `sept.`, `septiembre de 2025`, `septiembre 2025`. */
const MONTH = /^(\p{L}{3,10})\.?(?:\s+(?:del?\s+)?(\d{4}))?$/u;

/**
 * The month that a person may have meant by some text: without a year, the latest one that has begun. Null for a text
 * that names none.
 */
export function monthNamed(text: string, today: string): NamedPeriod | null {
  const [, name = '', year] = MONTH.exec(text.trim().toLowerCase()) ?? [];
  if (name === '') return null;
  const months = Array.from({ length: 12 }, (_, ago) => addMonths(`${today.slice(0, 7)}-01`, -ago));
  const month = months.find((one) => nombreMes(one).startsWith(name.replace('seti', 'septi')));
  if (month === undefined) return null;
  const desde = year === undefined ? month : `${year}${month.slice(4)}`;
  return desde > today ? null : earlierMonth(desde);
}

function monthFrom(name: string, desde: string): NamedPeriod {
  return { label: `${name} (${nombreMes(desde)})`, desde, hasta: endOfMonth(desde) };
}

function quarterFrom(name: string, desde: string): NamedPeriod {
  const label = `${name} (${trimestre(quarterNumber(desde))} de ${desde.slice(0, 4)})`;
  return { label, ...quarterDays(desde) };
}

function earlierMonth(desde: string): NamedPeriod {
  const name = nombreMes(desde);
  const label = `${name.charAt(0).toUpperCase()}${name.slice(1)} de ${desde.slice(0, 4)}`;
  return { label, desde, hasta: endOfMonth(desde) };
}

function earlierQuarter(desde: string): NamedPeriod {
  const label = `${trimestre(quarterNumber(desde))} trimestre de ${desde.slice(0, 4)}`;
  return { label, ...quarterDays(desde) };
}

const quarterDays = (desde: string): Period => ({
  desde,
  hasta: addDays(addMonths(desde, 3), -1),
});

function yearFrom(name: string, desde: string): NamedPeriod {
  return { label: `${name} (${desde.slice(0, 4)})`, desde, hasta: `${desde.slice(0, 4)}-12-31` };
}
