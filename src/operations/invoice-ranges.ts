import type { InvoiceListQuery } from '../contract/invoices.ts';
import type { Deps } from '../deps.ts';
import { addDays, addYears, isoDateIn, zonaOf } from '../domain/dates.ts';
import type { InvoiceList } from '../store/invoice-lists.ts';
import { companyOf } from './company-of.ts';

type Range = InvoiceListQuery['range'];

/** Where each range of the lists begins, as seen from a day. */
const FIRST_DAY: Record<Exclude<Range, 'all'>, (today: string) => string> = {
  day: (today) => addDays(today, -1),
  week: (today) => addDays(today, -7),
  month: (today) => addDays(today, -30),
  year: (today) => addYears(today, -1),
};

/** The days that a list is asked for: of a range that ends today where the company is, between two days, or both. */
type Asked = Pick<InvoiceListQuery, 'range' | 'desde' | 'hasta'>;

/** The first and the last posting date that are listed, or null where there is no bound. */
export interface ListedDays {
  readonly since: string | null;
  readonly until: string | null;
}

/**
 * Nothing is registered with a later date than today's: an end from then on is none for the history, and its list all
 * the quicker. A draft may have one.
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
