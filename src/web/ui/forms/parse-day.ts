import { addDays, isIsoDate } from '../../../domain/dates.ts';

/**
 * Reads a date as people type it: `20/11/2026`, `20-11-26`, `20.11`, `2011` (20 November of this year), `hoy`,
 * `ayer`. Null when there is no such day.
 *
 * @param today `YYYY-MM-DD`: gives the year of a date without one, and «hoy»
 */
export function parseDay(text: string, today: string): string | null {
  const typed = text.trim().toLowerCase();
  if (typed === 'hoy') return today;
  if (typed === 'ayer') return addDays(today, -1);
  if (isIsoDate(typed)) return typed;
  const [, day, month, year] =
    /^(\d{1,2})[/.\- ](\d{1,2})(?:[/.\- ](\d{4}|\d{2}))?$/.exec(typed) ??
    /^(\d{2})(\d{2})(\d{4}|\d{2})?$/.exec(typed) ??
    [];
  if (!day || !month) return null;
  const iso = `${fullYear(year, today)}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return isIsoDate(iso) ? iso : null;
}

function fullYear(year: string | undefined, today: string): string {
  if (!year) return today.slice(0, 4);
  return year.length === 2 ? `20${year}` : year;
}
