import { addDays, addMonths, endOfMonth, startOfQuarter } from '../../../domain/dates.ts';
import { nombreMes, trimestre } from '../../lib/format.ts';

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
 * last of each.
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
  ];
}

function monthFrom(name: string, desde: string): NamedPeriod {
  return { label: `${name} (${nombreMes(desde)})`, desde, hasta: endOfMonth(desde) };
}

function quarterFrom(name: string, desde: string): NamedPeriod {
  const number = (Number(desde.slice(5, 7)) + 2) / 3;
  const label = `${name} (${trimestre(number)} de ${desde.slice(0, 4)})`;
  return { label, desde, hasta: addDays(addMonths(desde, 3), -1) };
}

function yearFrom(name: string, desde: string): NamedPeriod {
  return { label: `${name} (${desde.slice(0, 4)})`, desde, hasta: `${desde.slice(0, 4)}-12-31` };
}
