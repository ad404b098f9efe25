import type { InvoiceListQuery, InvoiceStatus } from '../contract/invoices.ts';
import { monthsBetween } from '../domain/dates.ts';
import { daysThatRead, searchNeedle } from '../domain/list-text.ts';
import { type BlockSort, blockSortOf, countHistory, inHistory } from './blocks.ts';
import type { InvoiceSummary } from './invoices.ts';
import { readTogether, type Sql, type Tx } from './sql.ts';

/** The two lists of the panel: what is done, and what waits for somebody. */
export type InvoiceList = 'history' | 'pending';

/** What a row of the lists shows. */
export type ListedInvoice = Pick<
  InvoiceSummary,
  | 'docNo'
  | 'status'
  | 'tipoFactura'
  | 'postingDate'
  | 'customerNif'
  | 'customerName'
  | 'base'
  | 'vat'
  | 'total'
  | 'errorMessage'
  | 'Huella'
>;

export interface ListedInvoices {
  readonly rows: ListedInvoice[];
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

/** This many are filtered and sorted as they are in less time than planning takes. */
const FEW = 4000;
/** A page this near to the end that is shown first is walked to, in less time than finding its block takes. */
const NEAR = 1000;
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

/** A page of one of the lists, with the number of invoices that match. */
export async function listInvoices(
  sql: Sql,
  companyId: number,
  list: InvoiceList,
  query: ListQuery,
): Promise<ListedInvoices> {
  const ask = readerOf(sql);
  if (list === 'pending') return plainPage(sql, companyId, list, query);
  const needle = searchNeedle(query.search);
  const block = blockSortOf(query.sort.replace(/^-/, ''));
  if (needle === '' && block && (query.since === null || block.sort === 'PostingDate')) {
    if (offsetOf(query) + query.pageSize <= NEAR) return nearPage(ask, companyId, query);
    return blockPage(ask, companyId, block, query);
  }
  const counted = await ask((tx) => countSince(tx, companyId, query.since));
  const { total } = counted;
  if (total <= FEW) return plainPage(sql, companyId, list, query);
  if (needle !== '') return searchPage(ask, companyId, query, total);
  return { rows: await rangePage(ask, companyId, query, counted), total, isMore: false };
}

/** Sends a statement of the lists in a transaction that travels whole. */
type Ask = <Answer>(read: (tx: Tx) => Promise<Answer>) => Promise<Answer>;

/**
 * Where in a list a page lies comes as a parameter, so that PostgreSQL would think of a plan anew for each page, which
 * takes several times as long as reading it: it expects a tenth of the list, and believes each page cheaper. There is
 * one way worth taking, along the index of the order, and without sorting it is the only one it sees.
 */
const PLANNED_ONCE = [
  'set local plan_cache_mode = force_generic_plan',
  'set local enable_sort = off',
  'set local enable_seqscan = off',
];

function readerOf(sql: Sql): Ask {
  return async <Answer>(read: (tx: Tx) => Promise<Answer>) => {
    const [answer] = await readTogether<[Promise<Answer>]>(sql, (tx) => [read(tx)], PLANNED_ONCE);
    return answer;
  };
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

/** The columns of a {@link ListedInvoice}, of `i`. */
function listed(tx: Tx) {
  return tx`i.doc_no as "docNo", i.status, i.tipo_factura as "tipoFactura",
    i.posting_date as "postingDate", i.customer_nif as "customerNif", i.customer_name as "customerName",
    i.base, i.vat, i.total, i.error_message as "errorMessage", i.huella as "Huella"`;
}

/** Of a page that may be empty, whose other columns come in a row without an invoice then. */
type PageRow<More> = More & (ListedInvoice | { readonly docNo: null });

function invoicesOf<More>(rows: readonly PageRow<More>[]): (More & ListedInvoice)[] {
  return rows.filter((row): row is More & ListedInvoice => row.docNo !== null);
}

/** The row of `p.id`. The limit keeps the planner from reading all the invoices to join some. */
function rowOf(tx: Tx, companyId: number) {
  return tx`(select * from invoices where company_id = ${companyId} and id = p.id limit 1) as i`;
}

/** For a list of few: filtered, counted and sorted as it is, by the plan that is best for so few. */
async function plainPage(
  sql: Sql,
  companyId: number,
  list: InvoiceList,
  query: ListQuery,
): Promise<ListedInvoices> {
  const [rows] = await readTogether(sql, (tx) => {
    const matches = tx`
        ${list === 'history' ? inHistory(tx) : tx`status in ('Borrador', 'En espera', 'Rechazado', 'Aceptado con errores')`}
        ${fromDay(tx, query)}
        ${
          query.search.trim()
            ? tx`and (search_text || '' like ${likeOf(query)} or lower(status) like ${likeOf(query)})`
            : tx``
        }`;
    const page = tx<PageRow<{ matching: number }>[]>`
      select ${listed(tx)}, c.matching
        from (select count(*)::int as matching from invoices
               where company_id = ${companyId} and ${matches}) as c
        left join (
          select *, row_number() over () as place
            from (select * from invoices where company_id = ${companyId} and ${matches}
                   ${orderOf(tx, query)} limit ${query.pageSize} offset ${offsetOf(query)}) as page) as i on true
       order by i.place`;
    return [page];
  });
  return { rows: invoicesOf(rows), total: rows[0]?.matching ?? 0, isMore: false };
}

/** One of the first pages of the history, or of a range of dates in their own order: walked to. */
async function nearPage(ask: Ask, companyId: number, query: ListQuery): Promise<ListedInvoices> {
  const rows = await ask(
    (tx) => tx<PageRow<{ matching: number }>[]>`
      with counted as materialized (${countedSince(tx, companyId, 'PostingDate', query.since)}),
      page as (
        select id, row_number() over () as place
          from (select id from invoices
                 where company_id = ${companyId} and ${inHistory(tx)} ${fromDay(tx, query)}
                 ${orderOf(tx, query)} limit ${query.pageSize} offset ${offsetOf(query)}) as found)
      select ${listed(tx)}, c.total as matching
        from counted c
        left join (select p.place, i.* from page p cross join lateral ${rowOf(tx, companyId)}) as i on true
       order by i.place`,
  );
  return { rows: invoicesOf(rows), total: rows[0]?.matching ?? 0, isMore: false };
}

/**
 * A page of the history in one of its orders, however deep: the blocks tell where it begins, and
 * within one block it is walked to. One statement, one snapshot: the blocks and the rows agree.
 *
 * Descending pages are read upwards and turned round: the order with the id behind it has no ties.
 */
async function blockPage(
  ask: Ask,
  companyId: number,
  block: BlockSort,
  query: ListQuery,
): Promise<ListedInvoices> {
  const { sort, column, from } = block;
  const offset = offsetOf(query);
  const rows = await ask(
    (tx) => tx<PageRow<{ matching: number }>[]>`
      with counted as materialized (${countedSince(tx, companyId, sort, query.since)}),
      span as materialized (
        select before + ${
          isDescending(query)
            ? tx`greatest(total - ${offset} - ${query.pageSize}, 0)`
            : tx`least(${offset}, total)`
        } as first,
               least(greatest(total - ${offset}, 0), ${query.pageSize}) as size, before + total as upto
          from counted),
      -- The block of the first place, looked for from the nearer end of the order.
      start as materialized (
        select s.size, b.from_key, b.from_id, s.first - (b.upto - b.invoices) as skipped
          from span s cross join lateral (
                 select * from ${addedUp(tx, companyId, block, 'asc')} as b where b.upto > s.first limit 1) as b
         where s.size > 0 and s.first * 2 < s.upto
         union all
        select s.size, b.from_key, b.from_id, s.first - (s.upto - b.upto)
          from span s cross join lateral (
                 select * from ${addedUp(tx, companyId, block, 'desc')} as b where s.upto - b.upto <= s.first limit 1) as b
         where s.size > 0 and s.first * 2 >= s.upto)
      select ${listed(tx)}, c.total as matching
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
       order by i.place`,
  );
  const found = invoicesOf(rows);
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
  >`${countedSince(tx, companyId, 'PostingDate', since)}`;
  return row ?? { before: 0, total: 0 };
}

/**
 * `total` invoices of a list and how many stand `before` its first one, added up from the blocks of an order. With a
 * day, the list begins there and the order has to be that by date.
 */
function countedSince(tx: Tx, companyId: number, sort: string, since: string | null) {
  const ofOrder = tx`company_id = ${companyId} and sort = ${sort}`;
  if (since === null) {
    return tx`
      select 0 as before, coalesce(sum(invoices), 0)::int as total from invoice_blocks where ${ofOrder}`;
  }
  return tx`
    -- The block in which the day begins; what it holds before that is walked.
    with edge as materialized (
      select from_date, from_id from invoice_blocks
       where ${ofOrder} and from_date < ${since}
       order by from_date desc, from_number desc, from_text desc, from_id desc limit 1),
    blocks as materialized (
      select coalesce(sum(b.invoices) filter (where (b.from_date, b.from_id) < (e.from_date, e.from_id)), 0) as below,
             coalesce(sum(b.invoices), 0) as invoices
        from invoice_blocks b left join edge e on true where ${ofOrder}),
    split as materialized (
      select invoices, below + coalesce((
               select count(*) from invoices i
                where i.company_id = ${companyId} and ${inHistory(tx)}
                  and (i.posting_date, i.id) >= (e.from_date, e.from_id)
                  and i.posting_date < ${since}), 0) as before
        from blocks left join edge e on true)
    select before::int as before, (invoices - before)::int as total from split`;
}

/** The blocks of an order from one of its ends, each with how many invoices there are from that end up to and with it. */
function addedUp(tx: Tx, companyId: number, { sort, from }: BlockSort, way: 'asc' | 'desc') {
  const direction = way === 'asc' ? tx`asc` : tx`desc`;
  return tx`(
    select ${tx(from)} as from_key, from_id, invoices,
           sum(invoices) over (order by from_date ${direction}, from_number ${direction}, from_text ${direction},
                                        from_id ${direction} rows unbounded preceding) as upto
      from invoice_blocks where company_id = ${companyId} and sort = ${sort})`;
}

/**
 * A search through a long history.
 *
 * A search that matches nearly everywhere walks along the order of the list; one that matches rarely uses the index of
 * the search. The newest invoices tell which of the two it is. If few of them match, the index is asked, and stops
 * after {@link FOUND} matches, or later if none of the newest match. Further matches are not counted: the answer says
 * that there are more. Such a search is then answered by months in the order of dates; in the other orders all that
 * matches is sorted.
 */
async function searchPage(
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
                          where company_id = ${companyId} and ${inHistory(tx)} ${fromDay(tx, query)}
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
             where company_id = ${companyId} and ${inHistory(tx)} ${fromDay(tx, query)}
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
  return tx`company_id = ${companyId} and ${inHistory(tx)} ${fromDay(tx, query)}`;
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
function hasTrigram(query: ListQuery): boolean {
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
                 where company_id = ${companyId} and ${inHistory(tx)} ${fromDay(tx, query)}
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
        from huella_search_page(${companyId}, ${likeOf(query)}, ${query.since}, ${matchesAnnulled(query)}, ${atMost},
               ${columnOf(query)}, ${isDescending(query)}, ${offsetOf(query)}, ${query.pageSize},
               ${inRange}::int) with ordinality as p (id, matching, place)
        left join lateral ${rowOf(tx, companyId)} on true
       order by p.place`,
  );
  return { rows: invoicesOf(rows), total: rows[0]?.matching ?? 0, isMore: false };
}

/**
 * A page of a range of dates in another order: along the index of that order, leaving out other dates, from its
 * nearer end where that is not far, or else from the band in which the page begins.
 */
async function rangePage(
  ask: Ask,
  companyId: number,
  query: ListQuery,
  { before, total }: { readonly before: number; readonly total: number },
): Promise<ListedInvoice[]> {
  const offset = offsetOf(query);
  const size = Math.min(query.pageSize, total - offset);
  if (size <= 0) return [];
  const behind = total - offset - size;
  const walked = ((Math.min(offset, behind) + size) * (before + total)) / total;
  if (walked > FEW) {
    const first = isDescending(query) ? behind : offset;
    const found = await bandPage(ask, companyId, query, { first, size });
    if (found) return isDescending(query) ? found.reverse() : found;
  }
  if (offset <= behind) return walk(ask, companyId, query, { offset, size });
  const turned = isDescending(query) ? query.sort.slice(1) : `-${query.sort}`;
  const rows = await walk(ask, companyId, { ...query, sort: turned }, { offset: behind, size });
  return rows.reverse();
}

/**
 * So many invoices of a range of dates behind the `first` of them, upwards in the order of the query.
 *
 * @returns null where that order has no bands, or they are not to be trusted
 */
async function bandPage(
  ask: Ask,
  companyId: number,
  query: ListQuery,
  { first, size }: { readonly first: number; readonly size: number },
): Promise<ListedInvoice[] | null> {
  const block = blockSortOf(query.sort.replace(/^-/, ''));
  if (!block || query.since === null) return null;
  const { sort, column, from } = block;
  const { since } = query;
  const rows = await ask(
    (tx) => tx<PageRow<{ isCounted: boolean | null }>[]>`
    with blocks as materialized (
      select band, ${tx(from)} as from_key, from_id, invoices = counted and band > 0 as is_counted
        from invoice_blocks where company_id = ${companyId} and sort = ${sort}),
    -- The days of the month in which the range begins, and the months that come after it.
    ranged as (
      select band, sum(invoices) as invoices
        from (select band, invoices from invoice_band_days
               where company_id = ${companyId} and sort = ${sort} and not of_month
                 and day >= ${since}::date
                 and day < (date_trunc('month', ${since}::date) + interval '1 month')::date
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
    select c."isCounted", ${listed(tx)}
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
     order by i.place`,
  );
  return rows[0]?.isCounted ? invoicesOf(rows) : null;
}

interface Walk {
  /** Gives up after so many, whatever it found. */
  readonly lookedAt?: number;
  readonly offset?: number;
  readonly size?: number;
}

/** A page along the index of its order, leaving out what does not match: for what matches often. */
function walk(
  ask: Ask,
  companyId: number,
  query: ListQuery,
  { lookedAt, offset = offsetOf(query), size = query.pageSize }: Walk = {},
): Promise<ListedInvoice[]> {
  const like = likeOf(query);
  return ask((tx) => {
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
    return tx<ListedInvoice[]>`
      with page as (
        select id, ${column} from ${from}
         ${orderOf(tx, query)} limit ${size} offset ${offset})
      select ${listed(tx)} from page p cross join lateral ${rowOf(tx, companyId)}
       order by ${tx(`p.${columnOf(query)}`)} ${isDescending(query) ? tx`desc` : tx`asc`},
                p.id ${isDescending(query) ? tx`desc` : tx`asc`}`;
  });
}

/** How many invoices wait for a person or for the AEAT, by status, and how many are done. */
export async function countByStatus(
  tx: Tx,
  companyId: number,
): Promise<ReadonlyMap<InvoiceStatus | 'historial', number>> {
  const rows = await tx<{ status: InvoiceStatus | 'historial'; count: number }[]>`
    select status, count(*)::int as count from invoices
     where company_id = ${companyId}
       and status in ('Borrador', 'En espera', 'Rechazado', 'Aceptado con errores')
     group by status
     union all
    select 'historial', coalesce(sum(invoices), 0)::int from invoice_blocks
     where company_id = ${companyId} and sort = 'PostingDate'`;
  return new Map(rows.map(({ status, count }) => [status, count]));
}
