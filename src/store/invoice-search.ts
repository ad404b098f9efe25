import { monthsBetween } from '../domain/dates.ts';
import { daysThatRead, searchNeedle } from '../domain/list-text.ts';
import { inHistory } from './blocks.ts';
import {
  type Ask,
  betweenDays,
  columnOf,
  invoicesOf,
  isDescending,
  type ListedInvoice,
  type ListedInvoices,
  type ListQuery,
  likeOf,
  listed,
  offsetOf,
  orderOf,
  type PageRow,
  rowOf,
  walk,
} from './invoice-page.ts';
import type { Tx } from './sql.ts';

/** When nearly everything matches, only this many are counted. */
const COUNTED = 1000;
/** Matches are counted exactly up to this number. */
const FOUND = 4000;
/** Or up to this number when none of the newest matches: sorting them takes less than first walking in vain. */
const FOUND_AMONG_OLDER = 30_000;
/** How many invoices are examined, in the order of the list, for a page of a search with more matches than that. */
const LOOKED_AT = 20_000;
/** How many months are searched one by one when the page is known to lie in them. */
const MONTHS = 24;
/** The same when that is not known: a dozen would take as long as sorting all matches. */
const MONTHS_AT_RANDOM = 6;
/** The newest invoices, used to tell a rare match from a frequent one. */
const SAMPLE = 400;
const OFTEN = 0.05;

/**
 * A search through a long history.
 *
 * A search that matches nearly everywhere walks along the order of the list; one that matches rarely uses the index of
 * the search. The newest invoices tell which of the two it is. If few of them match, the index is asked, and stops
 * after {@link FOUND} matches, or later if none of the newest match. Further matches are not counted: the answer says
 * that there are more. Such a search is then answered by months in the order of dates; in the other orders all that
 * matches is sorted.
 */
export async function searchPage(
  ask: Ask,
  companyId: number,
  query: ListQuery,
  inRange: number,
): Promise<ListedInvoices> {
  const [share, ends] = await ask((tx) =>
    Promise.all([shareOfNewest(tx, companyId, query), endsOfDays(tx, companyId, query)]),
  );
  const often = share >= OFTEN && (await oftenPage(ask, companyId, query));
  if (often) return often;
  if (!hasTrigram(query)) {
    const { rows, total } = await lookPage(ask, companyId, query);
    const isMore = inRange > LOOKED_AT || total > COUNTED;
    if (rows.length === query.pageSize) return { rows, total: Math.min(total, COUNTED), isMore };
  }
  const dated = ends && (await datedPage(ask, companyId, query, inRange, ends));
  if (dated) return dated;
  const isByDate = columnOf(query) === 'posting_date' && !matchesAnnulled(query);
  const countable = share > 0 || isByDate ? FOUND : FOUND_AMONG_OLDER;
  const found = await findPage(ask, companyId, query, inRange, countable + 1);
  if (found.total <= countable) return found;
  const near =
    share === 0 && isByDate
      ? await monthsPage(ask, companyId, query, inRange, { most: MONTHS_AT_RANDOM })
      : await walk(ask, companyId, query, { lookedAt: LOOKED_AT });
  const isFull = near.length === query.pageSize;
  const { rows } = isFull ? { rows: near } : await findPage(ask, companyId, query, inRange, null);
  return { rows, total: countable, isMore: true };
}

/**
 * A page of what is frequent among the newest invoices, walked to in the order of the list, and how many of the
 * newest {@link LOOKED_AT} match. The search index is of no use here: it would read every match before the first is
 * counted.
 *
 * @returns null when there are few after all: only the very newest match, as after a round of invoices to one client
 */
async function oftenPage(
  ask: Ask,
  companyId: number,
  query: ListQuery,
): Promise<ListedInvoices | null> {
  const like = likeOf(query);
  const [near, [counted]] = await Promise.all([
    walk(ask, companyId, query, { lookedAt: LOOKED_AT }),
    ask(
      (tx) => tx<{ count: number }[]>`
        select count(*)::int as count from (
          select 1 from (select search_text, status from invoices
                          where company_id = ${companyId} and ${inHistory(tx)} ${betweenDays(tx, query)}
                          order by posting_date desc, id desc limit ${LOOKED_AT}) as newest
           where search_text like ${like} or lower(status) like ${like}
           limit ${COUNTED + 1}) as found`,
    ),
  ]);
  const count = counted?.count ?? 0;
  if (count <= COUNTED) return null;
  const rows = near.length === query.pageSize ? near : await walk(ask, companyId, query);
  return { rows, total: COUNTED, isMore: true };
}

/** The share of the newest invoices that match, from 0 to 1. */
async function shareOfNewest(tx: Tx, companyId: number, query: ListQuery): Promise<number> {
  const like = likeOf(query);
  const [sample] = await tx<{ share: number }[]>`
    select coalesce(avg((search_text like ${like} or lower(status) like ${like})::int), 0)::float8 as share
      from (select search_text, status from invoices
             where company_id = ${companyId} and ${inHistory(tx)} ${betweenDays(tx, query)}
             order by posting_date desc, id desc limit ${SAMPLE}) as newest`;
  return sample?.share ?? 0;
}

/** The first and the last day listed. */
interface Ends {
  readonly first: string;
  readonly last: string;
}

/** Null when the text searched cannot be part of a date, or the list is not ordered by date. */
async function endsOfDays(tx: Tx, companyId: number, query: ListQuery): Promise<Ends | null> {
  // Dates consist of these characters only: for other searches the ends of the list are not looked up.
  const mayBeOfDays = /^[\d/ -]+$/.test(searchNeedle(query.search)) && hasTrigram(query);
  if (columnOf(query) !== 'posting_date' || !mayBeOfDays) return null;
  const [ends] = await tx<{ first: string | null; last: string | null }[]>`
    select ${firstDay(tx, companyId, query)}::text as first, ${lastDay(tx, companyId, query)}::text as last`;
  return ends?.first && ends.last ? { first: ends.first, last: ends.last } : null;
}

/** The first day listed. */
function firstDay(tx: Tx, companyId: number, query: ListQuery) {
  return tx`(select posting_date from invoices where ${listedSince(tx, companyId, query)}
              order by posting_date, id limit 1)`;
}

function lastDay(tx: Tx, companyId: number, query: ListQuery) {
  return tx`(select posting_date from invoices where ${listedSince(tx, companyId, query)}
              order by posting_date desc, id desc limit 1)`;
}

/** The history of a company, restricted to the range of dates. */
function listedSince(tx: Tx, companyId: number, query: ListQuery) {
  return tx`company_id = ${companyId} and ${inHistory(tx)} ${betweenDays(tx, query)}`;
}

/**
 * A page, ordered by date, of a search that matches thousands of invoices by their date alone («04/0»). Whatever else
 * matches, the page lies between the visible end of the list and the day by which enough of those have gone by.
 *
 * @returns null when no day matches, or too few invoices are of such days, or none of them is near
 */
async function datedPage(
  ask: Ask,
  companyId: number,
  query: ListQuery,
  inRange: number,
  ends: Ends,
): Promise<ListedInvoices | null> {
  const days = daysThatRead(searchNeedle(query.search), ends.first, ends.last);
  if (days.length === 0) return null;
  const ofThose = (tx: Tx) =>
    tx`${listedSince(tx, companyId, query)} and posting_date = any(${days}::date[])`;
  const [found] = await ask(
    (tx) => tx<{ count: number; day: string | null }[]>`
      select (select count(*)::int from (
                select 1 from invoices where ${ofThose(tx)} limit ${FOUND + 1}) as counted) as count,
             (select posting_date::text as day from invoices where ${ofThose(tx)} ${orderOf(tx, query)}
               limit 1 offset ${offsetOf(query) + query.pageSize - 1}) as day`,
  );
  if (!found?.day || found.count <= FOUND) return null;
  const first = isDescending(query) ? found.day : ends.first;
  const last = isDescending(query) ? ends.last : found.day;
  if (monthsBetween(first, last).length > MONTHS) return null;
  const rows = await monthsPage(ask, companyId, query, inRange, { first, last, most: MONTHS });
  return { rows, total: FOUND, isMore: true };
}

/**
 * A page of a search ordered by date, found with the search index month by month from the visible end. Empty if it
 * takes more than `most` months.
 */
function monthsPage(
  ask: Ask,
  companyId: number,
  query: ListQuery,
  inRange: number,
  { first, last, most }: Partial<Ends> & { readonly most: number },
): Promise<ListedInvoice[]> {
  return ask(
    (tx) => tx<ListedInvoice[]>`
      select ${listed(tx, companyId)}
        from huella_search_months(
               ${companyId}, ${likeOf(query)}, ${first ? tx`${first}::date` : firstDay(tx, companyId, query)},
               ${last ? tx`${last}::date` : lastDay(tx, companyId, query)}, ${isDescending(query)},
               ${offsetOf(query)}, ${query.pageSize}, ${inRange}::int, ${most}) with ordinality as p (id, place)
       cross join lateral ${rowOf(tx, companyId)}
       order by p.place`,
  );
}

/** Whether the search index can use the text: it needs three letters, digits or marks in a row. */
export function hasTrigram(query: Pick<ListQuery, 'search'>): boolean {
  return /[\p{L}\p{N},/]{3}/u.test(searchNeedle(query.search));
}

/**
 * A page of the matches among the first {@link LOOKED_AT} in the order of the list, and their number up to {@link
 * COUNTED}: going further back than that only concerns the page.
 */
async function lookPage(
  ask: Ask,
  companyId: number,
  query: ListQuery,
): Promise<Omit<ListedInvoices, 'isMore'>> {
  const like = likeOf(query);
  const wanted = Math.max(COUNTED + 1, offsetOf(query) + query.pageSize);
  const rows = await ask(
    (tx) => tx<(ListedInvoice & { matching: number })[]>`
      with looked as (
        select id, search_text, status, row_number() over () as place
          from (select id, search_text, status from invoices
                 where company_id = ${companyId} and ${inHistory(tx)} ${betweenDays(tx, query)}
                 ${orderOf(tx, query)} limit ${LOOKED_AT}) as first),
      found as materialized (
        select id, place from looked where search_text like ${like} or lower(status) like ${like}
         limit ${wanted}),
      page as (select id, place from found order by place limit ${query.pageSize} offset ${offsetOf(query)})
      select ${listed(tx, companyId)}, (select count(*)::int from found) as matching
        from page p cross join lateral ${rowOf(tx, companyId)}
       order by p.place`,
  );
  return { rows, total: rows[0]?.matching ?? 0 };
}

/** Whether the text is part of «anulada», the one status that `search_text` does not contain. */
function matchesAnnulled(query: ListQuery): boolean {
  return 'anulada'.includes(searchNeedle(query.search));
}

/** A page of what the search index finds, sorted, and how many it found. */
async function findPage(
  ask: Ask,
  companyId: number,
  query: ListQuery,
  inRange: number,
  atMost: number | null,
): Promise<ListedInvoices> {
  const rows = await ask(
    (tx) => tx<PageRow<{ matching: number }>[]>`
      select ${listed(tx, companyId)}, p.matching
        from huella_search_page(${companyId}, ${likeOf(query)}, ${query.since}, ${query.until}, ${matchesAnnulled(query)},
               ${atMost}, ${columnOf(query)}, ${isDescending(query)}, ${offsetOf(query)}, ${query.pageSize},
               ${inRange}::int) with ordinality as p (id, matching, place)
        left join lateral ${rowOf(tx, companyId)} on true
       order by p.place`,
  );
  return { rows: invoicesOf(rows), total: rows[0]?.matching ?? 0, isMore: false };
}
