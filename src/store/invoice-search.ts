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

/** Of what nearly everything matches, no more than these are counted. */
const COUNTED = 1000;
/** What a search finds is counted one by one up to here. */
const FOUND = 4000;
/** And up to here, if none of the newest matches: walking in vain and sorting them after it takes longer. */
const FOUND_AMONG_OLDER = 30_000;
/** How many are looked at, in the order of the list, for a page of a search that matches more often than that. */
const LOOKED_AT = 20_000;
/** How many months are asked for one by one when it is known that they hold the page. */
const MONTHS = 24;
/** The same when it is not known: a dozen take as long as sorting everything that matches. */
const MONTHS_AT_RANDOM = 6;
/** The newest that tell whether a search is of what is rare or of what is everywhere. */
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
 * A page of what the newest show often, along the order of the list, and how many of the newest {@link LOOKED_AT} match.
 * Not by the search index, which would read everything that matches before the first is counted.
 *
 * @returns null where those are few after all: only the very newest have it, as after a round of invoices to one client
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

/** How much of the newest matches, from 0 to 1. */
async function shareOfNewest(tx: Tx, companyId: number, query: ListQuery): Promise<number> {
  const like = likeOf(query);
  const [sample] = await tx<{ share: number }[]>`
    select coalesce(avg((search_text like ${like} or lower(status) like ${like})::int), 0)::float8 as share
      from (select search_text, status from invoices
             where company_id = ${companyId} and ${inHistory(tx)} ${betweenDays(tx, query)}
             order by posting_date desc, id desc limit ${SAMPLE}) as newest`;
  return sample?.share ?? 0;
}

/** The first and the last day of what is listed. */
interface Ends {
  readonly first: string;
  readonly last: string;
}

/** Null where what is searched cannot be a piece of a day, or the list is not in their order. */
async function endsOfDays(tx: Tx, companyId: number, query: ListQuery): Promise<Ends | null> {
  // Days are written with nothing else: for the rest nobody looks between which days the list is.
  const mayBeOfDays = /^[\d/ -]+$/.test(searchNeedle(query.search)) && hasTrigram(query);
  if (columnOf(query) !== 'posting_date' || !mayBeOfDays) return null;
  const [ends] = await tx<{ first: string | null; last: string | null }[]>`
    select ${firstDay(tx, companyId, query)}::text as first, ${lastDay(tx, companyId, query)}::text as last`;
  return ends?.first && ends.last ? { first: ends.first, last: ends.last } : null;
}

/** The first day of what is listed. */
function firstDay(tx: Tx, companyId: number, query: ListQuery) {
  return tx`(select posting_date from invoices where ${listedSince(tx, companyId, query)}
              order by posting_date, id limit 1)`;
}

function lastDay(tx: Tx, companyId: number, query: ListQuery) {
  return tx`(select posting_date from invoices where ${listedSince(tx, companyId, query)}
              order by posting_date desc, id desc limit 1)`;
}

/** The history of a company, or what a range of dates has of it. */
function listedSince(tx: Tx, companyId: number, query: ListQuery) {
  return tx`company_id = ${companyId} and ${inHistory(tx)} ${betweenDays(tx, query)}`;
}

/**
 * A page in the order of dates of what thousands of invoices have by their date alone («04/0»): whatever else
 * matches, it lies between the end of the list that is shown first and the day by which as many of those went by.
 *
 * @returns null where no days, or too few invoices of theirs, or none that is near, have it
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
 * A page of a search in the order of dates, by the index of the search and month by month from the end that is shown
 * first. Empty if it takes more than `most` months.
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
      select ${listed(tx)}
        from huella_search_months(
               ${companyId}, ${likeOf(query)}, ${first ? tx`${first}::date` : firstDay(tx, companyId, query)},
               ${last ? tx`${last}::date` : lastDay(tx, companyId, query)}, ${isDescending(query)},
               ${offsetOf(query)}, ${query.pageSize}, ${inRange}::int, ${most}) with ordinality as p (id, place)
       cross join lateral ${rowOf(tx, companyId)}
       order by p.place`,
  );
}

/** Whether the index of the search can tell anything of what was typed: three letters, digits or marks in a row. */
export function hasTrigram(query: Pick<ListQuery, 'search'>): boolean {
  return /[\p{L}\p{N},/]{3}/u.test(searchNeedle(query.search));
}

/**
 * A page of what matches among the first {@link LOOKED_AT} in the order of the list, and how many of those do, if no
 * more than {@link COUNTED}: who looks further does so for the page alone.
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
      select ${listed(tx)}, (select count(*)::int from found) as matching
        from page p cross join lateral ${rowOf(tx, companyId)}
       order by p.place`,
  );
  return { rows, total: rows[0]?.matching ?? 0 };
}

/** Whether what was typed is a piece of the one status that no text tells. */
function matchesAnnulled(query: ListQuery): boolean {
  return 'anulada'.includes(searchNeedle(query.search));
}

/** By the index of the search: the page of what it finds, sorted, and how many it found. */
async function findPage(
  ask: Ask,
  companyId: number,
  query: ListQuery,
  inRange: number,
  atMost: number | null,
): Promise<ListedInvoices> {
  const rows = await ask(
    (tx) => tx<PageRow<{ matching: number }>[]>`
      select ${listed(tx)}, p.matching
        from huella_search_page(${companyId}, ${likeOf(query)}, ${query.since}, ${query.until}, ${matchesAnnulled(query)},
               ${atMost}, ${columnOf(query)}, ${isDescending(query)}, ${offsetOf(query)}, ${query.pageSize},
               ${inRange}::int) with ordinality as p (id, matching, place)
        left join lateral ${rowOf(tx, companyId)} on true
       order by p.place`,
  );
  return { rows: invoicesOf(rows), total: rows[0]?.matching ?? 0, isMore: false };
}
