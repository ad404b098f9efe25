import type { InvoiceListQuery, InvoiceStatus } from '../contract/invoices.ts';
import { monthsBetween } from '../domain/dates.ts';
import { daysThatRead, searchNeedle } from '../domain/list-text.ts';
import { type BlockSort, blockSortOf, countHistory, inHistory } from './blocks.ts';
import { type InvoiceSummary, type SummaryRow, summaryFromRow } from './invoices.ts';
import type { Tx } from './sql.ts';

/** The two lists of the panel: what is done, and what waits for somebody. */
export type InvoiceList = 'history' | 'pending';

export interface ListedInvoices {
  readonly rows: InvoiceSummary[];
  /** How many match. */
  readonly total: number;
  /** There are more than `total`: so many match that counting them all would take too long. */
  readonly isMore: boolean;
}

export type ListQuery = Omit<InvoiceListQuery, 'page'> & {
  readonly page: number;
  /** First posting date that counts, or null for all of them. */
  readonly since: string | null;
};

const COLUMNS: Record<string, string> = {
  PostingDate: 'posting_date',
  DocNo: 'doc_key',
  Name: 'name_key',
  Status: 'status',
  Amount: 'base',
  VatAmount: 'vat',
  AmountIncludingVat: 'total',
};

/** So many are filtered and sorted as they come in less time than a plan would be thought of. */
const FEW = 4000;
/** So near to the end that is shown first, a page is walked to: less than what its block takes to be found. */
const NEAR = 1000;
/** Of what nearly everything matches, no more than these are counted. */
const COUNTED = 1000;
/** What a search finds is counted one by one up to here. */
const FOUND = 4000;
/** And up to here, if none of the newest matches: walking in vain and sorting them after it takes longer. */
const FOUND_AMONG_OLDER = 30_000;
/** So many are looked at in the order of the list for a page of what matches more often than that. */
const LOOKED_AT = 20_000;
/** As many months are asked for one by one. */
const MONTHS = 24;
/** The newest that tell whether a search is of what is rare or of what is everywhere. */
const SAMPLE = 400;
const OFTEN = 0.05;

/** A page of one of the lists, with the number of invoices that match. */
export async function listInvoices(
  tx: Tx,
  companyId: number,
  list: InvoiceList,
  query: ListQuery,
): Promise<ListedInvoices> {
  if (list === 'pending') return plainPage(tx, companyId, list, query);
  const needle = searchNeedle(query.search);
  const block = blockSortOf(query.sort.replace(/^-/, ''));
  if (needle === '' && block && (query.since === null || block.sort === 'PostingDate')) {
    if (offsetOf(query) + query.pageSize <= NEAR) return nearPage(tx, companyId, query);
    const { before } = await countSince(tx, companyId, query.since);
    return blockPage(tx, companyId, block, query, before);
  }
  const counted = await countSince(tx, companyId, query.since);
  const { total } = counted;
  if (total <= FEW) return plainPage(tx, companyId, list, query);
  if (needle !== '') return searchPage(tx, companyId, query, total);
  return { rows: await rangePage(tx, companyId, query, counted), total, isMore: false };
}

const isDescending = ({ sort }: ListQuery) => sort.startsWith('-');
const columnOf = ({ sort }: ListQuery) => COLUMNS[sort.replace(/^-/, '')] ?? 'posting_date';
const offsetOf = ({ page, pageSize }: ListQuery) => (page - 1) * pageSize;

function orderOf(tx: Tx, query: ListQuery) {
  const direction = isDescending(query) ? tx`desc` : tx`asc`;
  return tx`order by ${tx(columnOf(query))} ${direction}, id ${direction}`;
}

function likeOf(query: ListQuery): string {
  return `%${searchNeedle(query.search).replace(/[\\%_]/g, '\\$&')}%`;
}

/** Where a range of dates begins; nothing when all are asked for. */
function fromDay(tx: Tx, { since }: Pick<ListQuery, 'since'>) {
  return since ? tx`and posting_date >= ${since}` : tx``;
}

/** The row of `p.id`. The limit keeps the planner from reading all the invoices to join some. */
function rowOf(tx: Tx, companyId: number) {
  return tx`(select * from invoices where company_id = ${companyId} and id = p.id limit 1) as i`;
}

/** For a list of few: filtered, counted and sorted as it is. */
async function plainPage(
  tx: Tx,
  companyId: number,
  list: InvoiceList,
  query: ListQuery,
): Promise<ListedInvoices> {
  const where = tx`
    company_id = ${companyId}
      and ${list === 'history' ? inHistory(tx) : tx`status in ('Borrador', 'En espera', 'Rechazado', 'Aceptado con errores')`}
      ${fromDay(tx, query)}
      ${
        query.search.trim()
          ? tx`and (search_text || '' like ${likeOf(query)} or lower(status) like ${likeOf(query)})`
          : tx``
      }`;
  const [rows, [counted]] = await Promise.all([
    tx<SummaryRow[]>`
      select * from invoices where ${where}
       ${orderOf(tx, query)} limit ${query.pageSize} offset ${offsetOf(query)}`,
    tx<{ count: number }[]>`select count(*)::int as count from invoices where ${where}`,
  ]);
  return { rows: rows.map(summaryFromRow), total: counted?.count ?? 0, isMore: false };
}

/** One of the first pages of the history, or of a range of dates in their own order: walked to. */
async function nearPage(tx: Tx, companyId: number, query: ListQuery): Promise<ListedInvoices> {
  const rows = await tx<(SummaryRow & { matching: number; id: bigint | null })[]>`
    with counted as materialized (${countedSince(tx, companyId, query.since)}),
    page as (
      select id, row_number() over () as place
        from (select id from invoices
               where company_id = ${companyId} and ${inHistory(tx)} ${fromDay(tx, query)}
               ${orderOf(tx, query)} limit ${query.pageSize} offset ${offsetOf(query)}) as found)
    select i.*, c.total as matching
      from counted c
      left join (select p.place, i.* from page p cross join lateral ${rowOf(tx, companyId)}) as i on true
     order by i.place`;
  return {
    rows: rows.filter(({ id }) => id !== null).map(summaryFromRow),
    total: rows[0]?.matching ?? 0,
    isMore: false,
  };
}

/**
 * A page of the history in one of its orders, however deep: the blocks tell where it begins, and
 * within one block it is walked to. One statement, one snapshot: the blocks and the rows agree.
 *
 * Descending pages are read upwards and turned round: the order with the id behind it has no ties.
 *
 * @param before how many invoices are left out below: those before a range of dates
 */
async function blockPage(
  tx: Tx,
  companyId: number,
  { sort, column, from }: BlockSort,
  query: ListQuery,
  before = 0,
): Promise<ListedInvoices> {
  const offset = offsetOf(query);
  const rows = await tx<(SummaryRow & { matching: number; id: bigint | null })[]>`
    with blocks as materialized (
      select ${tx(from)} as from_key, from_id, invoices,
             sum(invoices) over (order by ${tx(from)}, from_id) as upto
        from invoice_blocks
       where company_id = ${companyId} and sort = ${sort}),
    counted as (select greatest(coalesce(max(upto), 0) - ${before}, 0)::bigint as matching from blocks),
    span as (
      select matching, ${before} + ${
        isDescending(query)
          ? tx`greatest(matching - ${offset} - ${query.pageSize}, 0)`
          : tx`least(${offset}, matching)`
      } as first,
             least(greatest(matching - ${offset}, 0), ${query.pageSize}) as size
        from counted),
    start as (
      select s.matching, s.size, b.from_key, b.from_id, s.first - (b.upto - b.invoices) as skipped
        from span s, lateral (
             select * from blocks where upto > s.first order by upto limit 1) as b)
    select i.*, c.matching::int as matching
      from counted c
      left join (
        select p.place, i.*
          from start s, lateral ${
            from === 'from_number'
              ? tx`huella_amount_page(${companyId}, ${column}, s.from_key, s.from_id, s.skipped::bigint, s.size)
                     with ordinality as p (id, place)`
              : tx`(select id, row_number() over () as place from (
                      select id from invoices
                       where company_id = ${companyId} and ${inHistory(tx)}
                         and (${tx(column)}, id) >= (s.from_key, s.from_id)
                       order by ${tx(column)}, id
                      offset s.skipped limit s.size) as found) as p`
          }
         cross join lateral ${rowOf(tx, companyId)}) as i on true
     order by i.place`;
  const found = rows.filter(({ id }) => id !== null).map(summaryFromRow);
  return {
    rows: isDescending(query) ? found.reverse() : found,
    total: rows[0]?.matching ?? 0,
    isMore: false,
  };
}

/** How many invoices of the history are before a day, and how many from it on. */
async function countSince(
  tx: Tx,
  companyId: number,
  since: string | null,
): Promise<{ before: number; total: number }> {
  if (since === null) return { before: 0, total: await countHistory(tx, companyId) };
  const [row] = await tx<
    { before: number; total: number }[]
  >`${countedSince(tx, companyId, since)}`;
  return row ?? { before: 0, total: 0 };
}

/** A row of `before` and `total`; with a day, none while there is no history. */
function countedSince(tx: Tx, companyId: number, since: string | null) {
  if (since === null) {
    return tx`
      select 0 as before, coalesce(sum(invoices), 0)::int as total from invoice_blocks
       where company_id = ${companyId} and sort = 'PostingDate'`;
  }
  return tx`
    with blocks as materialized (
      select from_date, from_id, invoices,
             sum(invoices) over (order by from_date, from_id) - invoices as below
        from invoice_blocks
       where company_id = ${companyId} and sort = 'PostingDate'),
    -- The block in which the day begins; what it holds before that is walked.
    edge as (
      select * from blocks where (from_date, from_id) < (${since}, 0) or from_date = '-infinity'
       order by from_date desc, from_id desc limit 1),
    split as (
      select below + (select count(*) from invoices
                       where company_id = ${companyId} and ${inHistory(tx)}
                         and (posting_date, id) >= (e.from_date, e.from_id)
                         and posting_date < ${since}) as before
        from edge e)
    select before::int as before,
           ((select coalesce(sum(invoices), 0) from blocks) - before)::int as total
      from split`;
}

/**
 * A search through a long history.
 *
 * What is everywhere is walked to along the order of the list, what is rare is found by its index. Which
 * of the two it is shows in the newest; what they do not show, the index says, which stops after
 * {@link FOUND}, or later if the newest show none. What comes after is counted no more: the answer says that
 * there are more.
 */
async function searchPage(
  tx: Tx,
  companyId: number,
  query: ListQuery,
  inRange: number,
): Promise<ListedInvoices> {
  const like = likeOf(query);
  const [sample] = await tx<{ share: number }[]>`
    select coalesce(avg((search_text like ${like} or lower(status) like ${like})::int), 0)::float8 as share
      from (select search_text, status from invoices
             where company_id = ${companyId} and ${inHistory(tx)} ${fromDay(tx, query)}
             order by posting_date desc, id desc limit ${SAMPLE}) as newest`;
  const share = sample?.share ?? 0;
  if (share >= OFTEN) {
    const [rows, [counted]] = await Promise.all([
      walk(tx, companyId, query),
      // Not by the search index, which would read everything that matches before the first is counted.
      tx<{ count: number }[]>`
        select count(*)::int as count from (
          select 1 from invoices
           where company_id = ${companyId} and ${inHistory(tx)} ${fromDay(tx, query)}
             and (search_text || '' like ${like} or lower(status) like ${like})
           order by posting_date desc, id desc limit ${COUNTED + 1}) as found`,
    ]);
    const count = counted?.count ?? 0;
    return { rows, total: Math.min(count, COUNTED), isMore: count > COUNTED && inRange > COUNTED };
  }
  if (!hasTrigram(query)) {
    const looked = await lookPage(tx, companyId, query);
    if (looked.rows.length === query.pageSize) return { ...looked, isMore: inRange > LOOKED_AT };
  }
  const dated = await datedPage(tx, companyId, query);
  if (dated) return dated;
  const countable = share > 0 ? FOUND : FOUND_AMONG_OLDER;
  const found = await findPage(tx, companyId, query, countable + 1);
  if (found.total <= countable) return found;
  const looked = await walk(tx, companyId, query, { lookedAt: LOOKED_AT });
  const isFull = looked.length === query.pageSize;
  const { rows } = isFull ? { rows: looked } : await findPage(tx, companyId, query, null);
  return { rows, total: countable, isMore: true };
}

/**
 * A page in the order of dates of what thousands of invoices have by their date alone («04/0»): whatever else
 * matches, it lies between the end of the list that is shown first and the day by which as many of those went by.
 *
 * @returns null where no days, or too few invoices of theirs, or none that is near, have it
 */
async function datedPage(
  tx: Tx,
  companyId: number,
  query: ListQuery,
): Promise<ListedInvoices | null> {
  const needle = searchNeedle(query.search);
  // Days are written with nothing else: for the rest nobody looks between which days the list is.
  const mayBeOfDays = /^[\d/ -]+$/.test(needle) && hasTrigram(query);
  if (columnOf(query) !== 'posting_date' || !mayBeOfDays) return null;
  const inRange = tx`company_id = ${companyId} and ${inHistory(tx)} ${fromDay(tx, query)}`;
  const [ends] = await tx<{ first: string | null; last: string | null }[]>`
    select (select posting_date::text as day from invoices where ${inRange}
             order by posting_date, id limit 1) as first,
           (select posting_date::text as day from invoices where ${inRange}
             order by posting_date desc, id desc limit 1) as last`;
  if (!ends?.first || !ends.last) return null;
  const days = daysThatRead(needle, ends.first, ends.last);
  if (days.length === 0) return null;
  const ofThose = tx`${inRange} and posting_date = any(${days}::date[])`;
  const [found] = await tx<{ count: number; day: string | null }[]>`
    select (select count(*)::int from (
              select 1 from invoices where ${ofThose} limit ${FOUND + 1}) as counted) as count,
           (select posting_date::text as day from invoices where ${ofThose} ${orderOf(tx, query)}
             limit 1 offset ${offsetOf(query) + query.pageSize - 1}) as day`;
  if (!found?.day || found.count <= FOUND) return null;
  const first = isDescending(query) ? found.day : ends.first;
  const last = isDescending(query) ? ends.last : found.day;
  if (monthsBetween(first, last).length > MONTHS) return null;
  const rows = await tx<SummaryRow[]>`
    select i.*
      from huella_search_days(${companyId}, ${likeOf(query)}, ${first}, ${last}, ${isDescending(query)},
             ${offsetOf(query)}, ${query.pageSize}) with ordinality as p (id, place)
     cross join lateral ${rowOf(tx, companyId)}
     order by p.place`;
  return { rows: rows.map(summaryFromRow), total: FOUND, isMore: true };
}

/** Whether the index of the search can tell anything of what was typed: three letters, digits or marks in a row. */
function hasTrigram(query: ListQuery): boolean {
  return /[\p{L}\p{N},/]{3}/u.test(searchNeedle(query.search));
}

/** A page of what matches among the first {@link LOOKED_AT} in the order of the list, and how many of those do. */
async function lookPage(
  tx: Tx,
  companyId: number,
  query: ListQuery,
): Promise<Omit<ListedInvoices, 'isMore'>> {
  const like = likeOf(query);
  const rows = await tx<(SummaryRow & { matching: number })[]>`
    with looked as (
      select id, search_text, status, row_number() over () as place
        from (select id, search_text, status from invoices
               where company_id = ${companyId} and ${inHistory(tx)} ${fromDay(tx, query)}
               ${orderOf(tx, query)} limit ${LOOKED_AT}) as first),
    found as materialized (
      select id, place from looked where search_text like ${like} or lower(status) like ${like}),
    page as (select id, place from found order by place limit ${query.pageSize} offset ${offsetOf(query)})
    select i.*, (select count(*)::int from found) as matching
      from page p cross join lateral ${rowOf(tx, companyId)}
     order by p.place`;
  return { rows: rows.map(summaryFromRow), total: rows[0]?.matching ?? 0 };
}

/** By the index of the search: the page of what it finds, sorted, and how many it found. */
async function findPage(
  tx: Tx,
  companyId: number,
  query: ListQuery,
  atMost: number | null,
): Promise<ListedInvoices> {
  const withAnnulled = 'anulada'.includes(searchNeedle(query.search));
  const rows = await tx<(SummaryRow & { matching: number; id: bigint | null })[]>`
    select i.*, p.matching
      from huella_search_page(${companyId}, ${likeOf(query)}, ${query.since}, ${withAnnulled}, ${atMost},
             ${columnOf(query)}, ${isDescending(query)}, ${offsetOf(query)}, ${query.pageSize})
             with ordinality as p (id, matching, place)
      left join lateral ${rowOf(tx, companyId)} on true
     order by p.place`;
  return {
    rows: rows.filter(({ id }) => id !== null).map(summaryFromRow),
    total: rows[0]?.matching ?? 0,
    isMore: false,
  };
}

/**
 * A page of a range of dates in another order: along the index of that order, leaving out other dates, from its
 * nearer end where that is not far, or else from the band in which the page begins.
 */
async function rangePage(
  tx: Tx,
  companyId: number,
  query: ListQuery,
  { before, total }: { readonly before: number; readonly total: number },
): Promise<InvoiceSummary[]> {
  const offset = offsetOf(query);
  const size = Math.min(query.pageSize, total - offset);
  if (size <= 0) return [];
  const behind = total - offset - size;
  const walked = ((Math.min(offset, behind) + size) * (before + total)) / total;
  if (walked > FEW) {
    const first = isDescending(query) ? behind : offset;
    const found = await bandPage(tx, companyId, query, { first, size });
    if (found) return isDescending(query) ? found.reverse() : found;
  }
  if (offset <= behind) return walk(tx, companyId, query, { offset, size });
  const turned = isDescending(query) ? query.sort.slice(1) : `-${query.sort}`;
  const rows = await walk(tx, companyId, { ...query, sort: turned }, { offset: behind, size });
  return rows.reverse();
}

/**
 * So many invoices of a range of dates behind the `first` of them, upwards in the order of the query.
 *
 * @returns null where that order has no bands, or they are not to be trusted
 */
async function bandPage(
  tx: Tx,
  companyId: number,
  query: ListQuery,
  { first, size }: { readonly first: number; readonly size: number },
): Promise<InvoiceSummary[] | null> {
  const block = blockSortOf(query.sort.replace(/^-/, ''));
  if (!block || query.since === null) return null;
  const { sort, column, from } = block;
  const { since } = query;
  const rows = await tx<(SummaryRow & { id: bigint | null; isCounted: boolean | null })[]>`
    with blocks as materialized (
      select band, ${tx(from)} as from_key, from_id, invoices = counted and band > 0 as is_counted
        from invoice_blocks where company_id = ${companyId} and sort = ${sort}),
    -- The days of the month in which the range begins, and the months that come after it.
    ranged as (
      select band, sum(invoices) as invoices
        from (select band, invoices from invoice_band_days
               where company_id = ${companyId} and sort = ${sort} and not of_month
                 and day >= ${since}::date and day < date_trunc('month', ${since}::date) + interval '1 month'
               union all
              select band, invoices from invoice_band_days
               where company_id = ${companyId} and sort = ${sort} and of_month and day > ${since}::date) as days
       group by band),
    bands as (
      select b.from_key, b.from_id, r.invoices,
             sum(r.invoices) over (order by b.from_key, b.from_id) as upto
        from (select distinct on (band) * from blocks order by band, from_key, from_id) as b
        join ranged r on r.band = b.band),
    start as (
      select from_key, from_id, ${first} - (upto - invoices) as skipped
        from bands where upto > ${first} order by upto limit 1)
    select c."isCounted", i.*
      from (select bool_and(is_counted) as "isCounted" from blocks) as c
      left join (
        select p.place, i.*
          from start s, lateral ${
            from === 'from_number'
              ? tx`huella_amount_page(${companyId}, ${column}, s.from_key, s.from_id, s.skipped::bigint, ${size}, ${since})
                     with ordinality as p (id, place)`
              : tx`(select id, row_number() over () as place from (
                      select id from invoices
                       where company_id = ${companyId} and ${inHistory(tx)} ${fromDay(tx, query)}
                         and (${tx(column)}, id) >= (s.from_key, s.from_id)
                       order by ${tx(column)}, id
                      offset s.skipped limit ${size}) as found) as p`
          }
         cross join lateral ${rowOf(tx, companyId)}) as i on c."isCounted"
     order by i.place`;
  if (!rows[0]?.isCounted) return null;
  return rows.filter(({ id }) => id !== null).map(summaryFromRow);
}

interface Walk {
  /** Gives up after so many, whatever it found. */
  readonly lookedAt?: number;
  readonly offset?: number;
  readonly size?: number;
}

/** A page along the index of its order, leaving out what does not match: for what matches often. */
async function walk(
  tx: Tx,
  companyId: number,
  query: ListQuery,
  { lookedAt, offset = offsetOf(query), size = query.pageSize }: Walk = {},
): Promise<InvoiceSummary[]> {
  const like = likeOf(query);
  const column = tx(columnOf(query));
  const matches = query.search.trim()
    ? tx`search_text || '' like ${like} or lower(status) like ${like}`
    : tx`true`;
  const inOrder = tx`
    select id, ${column}, search_text, status from invoices
     where company_id = ${companyId} and ${inHistory(tx)} ${fromDay(tx, query)}`;
  const from = lookedAt
    ? tx`(${inOrder} ${orderOf(tx, query)} limit ${lookedAt}) as looked where ${matches}`
    : tx`invoices where company_id = ${companyId} and ${inHistory(tx)} ${fromDay(tx, query)} and (${matches})`;
  const rows = await tx<SummaryRow[]>`
    with page as (
      select id, ${column} from ${from}
       ${orderOf(tx, query)} limit ${size} offset ${offset})
    select i.* from page p cross join lateral ${rowOf(tx, companyId)}
     order by ${tx(`p.${columnOf(query)}`)} ${isDescending(query) ? tx`desc` : tx`asc`},
              p.id ${isDescending(query) ? tx`desc` : tx`asc`}`;
  return rows.map(summaryFromRow);
}

/** How many invoices wait for a person or for the AEAT, by status, and how many are done. */
export async function countByStatus(
  tx: Tx,
  companyId: number,
): Promise<ReadonlyMap<InvoiceStatus | 'historial', number>> {
  const [rows, history] = await Promise.all([
    tx<{ status: InvoiceStatus; count: number }[]>`
      select status, count(*)::int as count from invoices
       where company_id = ${companyId}
         and status in ('Borrador', 'En espera', 'Rechazado', 'Aceptado con errores')
       group by status`,
    countHistory(tx, companyId),
  ]);
  return new Map<InvoiceStatus | 'historial', number>([
    ...rows.map(({ status, count }) => [status, count] as const),
    ['historial', history],
  ]);
}
