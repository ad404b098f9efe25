import type { InvoiceListQuery } from '../contract/invoices.ts';
import type { Deps } from '../deps.ts';
import { addDays, addYears, isoDateIn, zonaOf } from '../domain/dates.ts';
import type { InvoiceList } from '../store/invoice-lists.ts';
import { companyOf } from './company-of.ts';

type Range = InvoiceListQuery['range'];

/** First day of each range of the lists, for a given today. */
const FIRST_DAY: Record<Exclude<Range, 'all'>, (today: string) => string> = {
  day: (today) => addDays(today, -1),
  week: (today) => addDays(today, -7),
  month: (today) => addDays(today, -30),
  year: (today) => addYears(today, -1),
};

/**
 * The days requested for a list: a range that ends today in the company's time zone, an interval of two days, or
 * both.
 */
type Asked = Pick<InvoiceListQuery, 'range' | 'desde' | 'hasta'>;

/** First and last posting date listed; null means no bound. */
export interface ListedDays {
  readonly since: string | null;
  readonly until: string | null;
}

/**
 * Nothing is registered with a date later than today. So an end from today on is no bound for the history, whose list
 * is then faster. A draft may be dated later.
 */
export async function daysOfList(
  deps: Pick<Deps, 'sql' | 'clock'>,
  companyId: number,
  list: InvoiceList,
  { range, ...asked }: Asked,
): Promise<ListedDays> {
  const { desde = null, hasta = null } = asked;
  if (range === 'all' && hasta === null) return { since: desde, until: null };
  const { postCode, countryCode } = await companyOf(deps, companyId);
  const today = isoDateIn(deps.clock(), zonaOf(postCode, countryCode));
  const first = range === 'all' ? null : FIRST_DAY[range](today);
  const since = first !== null && (desde === null || first > desde) ? first : desde;
  const isBound = hasta !== null && (list === 'pending' || hasta < today);
  return { since, until: isBound ? hasta : null };
}
