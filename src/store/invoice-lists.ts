import type { InvoiceStatus } from '../contract/invoices.ts';
import { addDays } from '../domain/dates.ts';
import { searchedId, searchNeedle } from '../domain/list-text.ts';
import { type BlockSort, blockSortOf, countHistory, inHistory } from './blocks.ts';
import {
  type Ask,
  betweenDays,
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
  readerOf,
  rowOf,
  walk,
} from './invoice-page.ts';
import { searchPage } from './invoice-search.ts';
import { readTogether, type Sql, type Tx } from './sql.ts';

/** The two lists of the panel: what is done, and what needs attention. */
export type InvoiceList = 'history' | 'pending';

/** Up to this many, filtering and sorting them directly takes less time than planning. */
const FEW = 4000;
/** A page this close to the visible end of the list is walked to, which takes less time than finding its block. */
const NEAR = 1000;

/** A page of one of the lists, with the number of invoices that match. */
export async function listInvoices(
  sql: Sql,
  companyId: number,
  list: InvoiceList,
  query: ListQuery,
): Promise<ListedInvoices> {
  const found = await matchingPage(sql, companyId, list, query);
  const id = found.total === 0 ? searchedId(query.search) : null;
  return id === null ? found : matchingPage(sql, companyId, list, { ...query, search: id });
}

async function matchingPage(
  sql: Sql,
  companyId: number,
  list: InvoiceList,
  query: ListQuery,
): Promise<ListedInvoices> {
  const ask = readerOf(sql);
  if (list === 'pending') return plainPage(sql, companyId, list, query);
  if (query.until !== null) return closedPage(sql, companyId, query, query.until);
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
  const others = counted.before;
  return { rows: await rangePage(ask, companyId, query, { others, total }), total, isMore: false };
}

/**
 * A page of a range of dates that has ended. In the order of dates it is a page of the list from the start of the
 * range, after skipping what is later; in other orders it is walked to from the nearer end.
 */
async function closedPage(
  sql: Sql,
  companyId: number,
  query: ListQuery,
  until: string,
): Promise<ListedInvoices> {
  const ask = readerOf(sql);
  const [from, later] = await ask((tx) =>
    Promise.all([
      countSince(tx, companyId, query.since),
      countSince(tx, companyId, addDays(until, 1)),
    ]),
  );
  const total = Math.max(from.total - later.total, 0);
  if (total <= FEW) return plainPage(sql, companyId, 'history', query);
  if (searchNeedle(query.search) !== '') return searchPage(ask, companyId, query, total);
  const block = blockSortOf(query.sort.replace(/^-/, ''));
  if (block?.sort !== 'PostingDate') {
    const others = from.before + later.total;
    return {
      rows: await rangePage(ask, companyId, query, { others, total }),
      total,
      isMore: false,
    };
  }
  const size = Math.min(query.pageSize, total - offsetOf(query));
  if (size <= 0) return { rows: [], total, isMore: false };
  const offset = offsetOf(query) + (isDescending(query) ? later.total : 0);
  const { rows } = await blockPage(ask, companyId, block, query, { offset, size });
  return { rows, total, isMore: false };
}

/** For a short list: filtered, counted and sorted directly, with the best plan for so few. */
async function plainPage(
  sql: Sql,
  companyId: number,
  list: InvoiceList,
  query: ListQuery,
): Promise<ListedInvoices> {
  const [rows] = await readTogether(sql, (tx) => {
    const matches = tx`
        ${list === 'history' ? inHistory(tx) : tx`status in ('Borrador', 'En espera', 'Rechazado', 'Aceptado con errores')`}
        ${betweenDays(tx, query)}
        ${
          query.search.trim()
            ? tx`and (search_text || '' like ${likeOf(query)} or lower(status) like ${likeOf(query)})`
            : tx``
        }`;
    const page = tx<PageRow<{ matching: number }>[]>`
      select ${listed(tx, companyId)}, c.matching
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

/** A page near the visible end of the history, or of a range of dates ordered by date: walked to. */
async function nearPage(ask: Ask, companyId: number, query: ListQuery): Promise<ListedInvoices> {
  const rows = await ask(
    (tx) => tx<PageRow<{ matching: number }>[]>`
      with counted as materialized (${countedSince(tx, companyId, 'PostingDate', query.since)}),
      page as (
        select id, row_number() over () as place
          from (select id from invoices
                 where company_id = ${companyId} and ${inHistory(tx)} ${betweenDays(tx, query)}
                 ${orderOf(tx, query)} limit ${query.pageSize} offset ${offsetOf(query)}) as found)
      select ${listed(tx, companyId)}, c.total as matching
        from counted c
        left join (select p.place, i.* from page p cross join lateral ${rowOf(tx, companyId)}) as i on true
       order by i.place`,
  );
  return { rows: invoicesOf(rows), total: rows[0]?.matching ?? 0, isMore: false };
}

/**
 * A page of the history in one of its orders, however deep: the blocks tell where it begins, and within one block it
 * is walked to. One statement sees one snapshot, so the blocks and the rows agree.
 *
 * Descending pages are read in ascending order and reversed: with the id as the second key there are no ties.
 */
async function blockPage(
  ask: Ask,
  companyId: number,
  block: BlockSort,
  query: ListQuery,
  { offset, size } = { offset: offsetOf(query), size: query.pageSize },
): Promise<ListedInvoices> {
  const { sort, column, from } = block;
  const rows = await ask(
    (tx) => tx<PageRow<{ matching: number }>[]>`
      with counted as materialized (${countedSince(tx, companyId, sort, query.since)}),
      span as materialized (
        select before + ${
          isDescending(query)
            ? tx`greatest(total - ${offset} - ${size}, 0)`
            : tx`least(${offset}, total)`
        } as first,
               least(greatest(total - ${offset}, 0), ${size}) as size, before + total as upto
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
      select ${listed(tx, companyId)}, c.total as matching
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
 * The number of invoices in a list (`total`) and of those `before` its first one, summed over the blocks of an order.
 * With a day, the list begins there, and the order has to be that of the dates.
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

/**
 * The blocks of an order from one of its ends, each with the cumulative number of invoices up to and including it.
 */
function addedUp(tx: Tx, companyId: number, { sort, from }: BlockSort, way: 'asc' | 'desc') {
  const direction = way === 'asc' ? tx`asc` : tx`desc`;
  return tx`(
    select ${tx(from)} as from_key, from_id, invoices,
           sum(invoices) over (order by from_date ${direction}, from_number ${direction}, from_text ${direction},
                                        from_id ${direction} rows unbounded preceding) as upto
      from invoice_blocks where company_id = ${companyId} and sort = ${sort})`;
}

/**
 * A page of a range of dates in another order: along the index of that order, skipping other dates, from the nearer
 * end when that is not far, or else from the band in which the page begins.
 *
 * @param total number of invoices in the range; `others` are the rest of the history
 */
async function rangePage(
  ask: Ask,
  companyId: number,
  query: ListQuery,
  { others, total }: { readonly others: number; readonly total: number },
): Promise<ListedInvoice[]> {
  const offset = offsetOf(query);
  const size = Math.min(query.pageSize, total - offset);
  if (size <= 0) return [];
  const behind = total - offset - size;
  const walked = ((Math.min(offset, behind) + size) * (others + total)) / total;
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
 * That many invoices of a range of dates after the `first` ones, ascending in the order of the query.
 *
 * @returns null when that order has no bands, or their counts are unreliable
 */
async function bandPage(
  ask: Ask,
  companyId: number,
  query: ListQuery,
  { first, size }: { readonly first: number; readonly size: number },
): Promise<ListedInvoice[] | null> {
  const block = blockSortOf(query.sort.replace(/^-/, ''));
  if (!block || query.since === null || query.until !== null) return null;
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
    select c."isCounted", ${listed(tx, companyId)}
      from (select bool_and(is_counted) as "isCounted" from blocks) as c
      left join (
        select p.place, i.*
          from start s, lateral ${
            from === 'from_number'
              ? tx`huella_amount_page(${companyId}, ${column}, s.from_key, s.from_id, s.skipped::bigint, ${size}, ${since})
                     with ordinality as p (id, place)`
              : tx`(select id, row_number() over () as place from (
                      select id from invoices
                       where company_id = ${companyId} and ${inHistory(tx)} ${betweenDays(tx, query)}
                         and (${tx(column)}, id) >= (s.from_key, s.from_id)
                       order by ${tx(column)}, id
                      offset s.skipped limit ${size}) as found) as p`
          }
         cross join lateral ${rowOf(tx, companyId)}) as i on c."isCounted"
     order by i.place`,
  );
  return rows[0]?.isCounted ? invoicesOf(rows) : null;
}

/** How many invoices need a person or wait for the AEAT, by status, and how many are done. */
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
