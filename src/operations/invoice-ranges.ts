import type { InvoiceListQuery } from '../contract/invoices.ts';
import type { Deps } from '../deps.ts';
import { addDays, addYears, isoDateIn, zonaOf } from '../domain/dates.ts';
import { companyOf } from './company-of.ts';

type Range = InvoiceListQuery['range'];

/** Where each range of the lists begins, as seen from a day. */
const FIRST_DAY: Record<Exclude<Range, 'all'>, (today: string) => string> = {
  day: (today) => addDays(today, -1),
  week: (today) => addDays(today, -7),
  month: (today) => addDays(today, -30),
  year: (today) => addYears(today, -1),
};

/** First posting date of a range that ends today where the company is, or null for all. */
export async function firstDayOfRange(
  deps: Pick<Deps, 'sql' | 'clock'>,
  companyId: number,
  range: Range,
): Promise<string | null> {
  if (range === 'all') return null;
  const { postCode, countryCode } = await companyOf(deps, companyId);
  return FIRST_DAY[range](isoDateIn(deps.clock(), zonaOf(postCode, countryCode)));
}
