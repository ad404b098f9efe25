import type { InvoiceListQuery } from '../contract/invoices.ts';
import { addDays, isoDateIn } from '../domain/dates.ts';

/** Days that each range of the lists looks back; null is all of them. */
const DAYS: Record<InvoiceListQuery['range'], number | null> = {
  day: 1,
  week: 7,
  month: 30,
  year: 365,
  all: null,
};

/** First posting date of a range that ends now, or null for all. */
export function firstDayOfRange(range: InvoiceListQuery['range'], now: Date): string | null {
  const days = DAYS[range];
  return days === null ? null : addDays(isoDateIn(now, 'Europe/Madrid'), -days);
}
