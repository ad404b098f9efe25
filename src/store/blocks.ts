import type { InvoiceStatus } from '../contract/invoices.ts';
import { columnOf, ofAnyLength, type Statement, type Tx } from './sql.ts';

/** An order of the history that has blocks: by `column`, then by id, both ascending. */
export interface BlockSort {
  readonly sort: string;
  readonly column: 'posting_date' | 'doc_key' | 'name_key' | 'base' | 'vat' | 'total';
  /** The column of a block that holds its first value. */
  readonly from: 'from_date' | 'from_text' | 'from_number';
}

const BLOCK_SORTS: readonly BlockSort[] = [
  { sort: 'PostingDate', column: 'posting_date', from: 'from_date' },
  { sort: 'DocNo', column: 'doc_key', from: 'from_text' },
  { sort: 'Name', column: 'name_key', from: 'from_text' },
  { sort: 'Amount', column: 'base', from: 'from_number' },
  { sort: 'VatAmount', column: 'vat', from: 'from_number' },
  { sort: 'AmountIncludingVat', column: 'total', from: 'from_number' },
];

export function blockSortOf(sort: string): BlockSort | undefined {
  return BLOCK_SORTS.find((block) => block.sort === sort);
}

/** The statuses of the history, as the partial indexes of migration 0013 spell them. */
export function inHistory(tx: Tx) {
  return tx`status in ('Registrada', 'Anulada')`;
}

/** A block is split when it holds more. On average, half of it is walked to reach a page. */
const MAX_IN_BLOCK = 2048;

/**
 * A band is split when it holds more, into bands of half this size. Part of one is walked to reach a page of a range
 * of dates.
 */
const MAX_IN_BAND = 32_768;

/** Fewer moves are looked up one by one, in every order. */
const MANY_MOVES = 20;

/** From here on, reading all blocks of a company costs less than looking its moves up, even if it has a million invoices. */
const MOST_MOVES = 100;

/** The keys of an invoice `i` in all orders. */
function keysOf(tx: Tx) {
  return tx`(values
    ('PostingDate', i.posting_date, 0::numeric, '' collate "C"),
    ('DocNo', '-infinity'::date, 0, i.doc_key),
    ('Name', '-infinity', 0, i.name_key),
    ('Amount', '-infinity', i.base, ''),
    ('VatAmount', '-infinity', i.vat, ''),
    ('AmountIncludingVat', '-infinity', i.total, '')) as k (sort, d, n, t)`;
}

/** The block, called `at`, that contains an invoice `i` with the key `k`; none before the company's first invoice. */
function blockOf(tx: Tx, companyId: number) {
  return tx`(
    select s.from_date, s.from_number, s.from_text, s.from_id, s.band
      from invoice_blocks s
     where s.company_id = ${companyId} and s.sort = k.sort
       and (s.from_date, s.from_number, s.from_text, s.from_id) <= (k.d, k.n, k.t, i.id)
     order by s.from_date desc, s.from_number desc, s.from_text desc, s.from_id desc
     limit 1) as at`;
}

/** Where a block begins. The first block of a company begins before everything. */
function blockColumns(tx: Tx): Statement {
  return tx`coalesce(at.from_date, '-infinity') as from_date,
    coalesce(at.from_number, '-Infinity') as from_number,
    coalesce(at.from_text, '') as from_text, coalesce(at.from_id, 0) as from_id`;
}

/** The invoices that enter or leave the history with these moves, with `delta` 1 or -1. */
function movedOf(tx: Tx, companyId: number, moves: readonly Move[]) {
  const statuses = moves.map(({ status }) => status);
  const bigints = (of: (move: Move) => bigint) =>
    ofAnyLength(tx, 'bigint', moves.map(of).map(String));
  return tx`
    select i.id, i.posting_date, i.doc_key, i.name_key, i.base, i.vat, i.total,
           (t.status in ('Registrada', 'Anulada'))::int
             - (i.status in ('Registrada', 'Anulada'))::int as delta
      from (select unnest(${bigints(({ invoiceId }) => invoiceId)}),
                   unnest(${bigints(({ seq }) => seq)}),
                   ${columnOf(tx, 'text', statuses)}) as t (id, seq, status)
      join invoices i on i.company_id = ${companyId} and i.id = t.id and i.seq = t.seq
     where (t.status in ('Registrada', 'Anulada')) <> (i.status in ('Registrada', 'Anulada'))`;
}

/**
 * Parts of a statement: `moved`, and how many of them come to each place of each order on each day, `placed`.
 *
 * @param place columns of the block `at`
 */
function placedOf(
  tx: Tx,
  companyId: number,
  moves: readonly Move[],
  { place, condition = tx`` }: { readonly place: Statement; readonly condition?: Statement },
): Statement {
  const moved = tx`moved as materialized (${movedOf(tx, companyId, moves)} ${condition})`;
  const from = (invoices: Statement) => tx`
      from ${invoices} as i
     cross join lateral ${keysOf(tx)}
      left join lateral ${blockOf(tx, companyId)} on true`;
  const each = tx`select k.sort, ${place}, i.posting_date, i.delta ${from(tx`moved`)}`;
  if (moves.length < MANY_MOVES) return tx`${moved}, placed as (${each})`;
  // All of them lie between the least and the greatest value of each column. When both of those have one place, as in
  // most companies and for what was registered together, no invoice is looked up individually.
  const placeOf = (end: 'min' | 'max') => {
    const value = (column: string) => tx`${tx(end)}(${tx(column)}) as ${tx(column)}`;
    return tx`select k.sort, ${place} ${from(tx`(
      select ${value('id')}, ${value('posting_date')}, ${value('doc_key')}, ${value('name_key')}, ${value('base')},
             ${value('vat')}, ${value('total')} from moved)`)}`;
  };
  const isApart = (sort: Statement): Statement => tx`
    (select count(*) from shared) < ${BLOCK_SORTS.length} and ${sort} not in (select sort from shared)`;
  const apart =
    moves.length < MOST_MOVES
      ? tx`${each} where ${isApart(tx`k.sort`)}`
      : inOrder(tx, companyId, place, isApart);
  return tx`${moved},
    shared as materialized (${placeOf('min')} intersect ${placeOf('max')}),
    placed as (
      select s.*, m.posting_date, m.delta
        from shared s cross join (select posting_date, sum(delta) as delta from moved group by 1) as m
       union all
      (${apart}))`;
}

/** The same as looking each of `moved` up: put in order among the beginnings of the blocks, all in one go. */
function inOrder(
  tx: Tx,
  companyId: number,
  place: Statement,
  isApart: (sort: Statement) => Statement,
): Statement {
  return tx`
    with beginnings as materialized (
      select sort, from_date, from_number, from_text, from_id, band,
             row_number() over (partition by sort order by from_date, from_number, from_text, from_id) as nth
        from invoice_blocks where company_id = ${companyId} and ${isApart(tx`sort`)}),
    in_order as (
      select sort, posting_date, delta,
             max(nth) over (partition by sort collate "C" order by d, n, t, id, nth) as nth
        from (select sort, from_date as d, from_number as n, from_text as t, from_id as id, nth,
                     null::date as posting_date, 0 as delta
                from beginnings
               union all
              select k.sort, k.d, k.n, k.t, i.id, null, i.posting_date, i.delta
                from moved as i cross join lateral ${keysOf(tx)}
               where ${isApart(tx`k.sort`)}) as both_kinds)
    select o.sort, ${place}, o.posting_date, o.delta
      from (select sort, nth, posting_date, sum(delta) as delta from in_order
             where posting_date is not null group by 1, 2, 3) as o
      left join beginnings at on at.sort = o.sort and at.nth = o.nth`;
}

/** The days, and the months by their first day, in which a day is counted. */
function daysOf(tx: Tx, day: ReturnType<Tx>) {
  return tx`(values (false, ${day}), (true, date_trunc('month', ${day})::date)) as d (of_month, day)`;
}

/** An invoice whose status is about to change, provided that this registro is still its latest. */
export interface Move {
  readonly invoiceId: bigint;
  readonly seq: bigint;
  readonly status: InvoiceStatus;
}

/**
 * Counts invoices that enter or leave the history, in their block of each order.
 *
 * It must run before the statement that changes their status, in its transaction, with the company's row of
 * `despachos` locked. Everybody who moves invoices of a company holds that lock, so nobody splits a block meanwhile.
 *
 * @param inOne one statement, so that each invoice is looked up once: not in a distributed database, because Citus
 *   accepts no `insert` within another statement
 * @returns whether a block outgrew its size, so that {@link cutBlocks} is due
 */
export async function countMoves(
  tx: Tx,
  companyId: number,
  moves: readonly Move[],
  { inOne = false }: { readonly inOne?: boolean } = {},
): Promise<boolean> {
  const band: Statement = tx`coalesce(at.band, 0) as band`;
  const placed = (place: Statement, condition?: Statement) =>
    placedOf(tx, companyId, moves, { place, ...(condition && { condition }) });
  const inBands: Statement = tx`
      insert into invoice_band_days as t (company_id, sort, of_month, day, band, invoices)
      select ${companyId}::int, sort, d.of_month, d.day, band, sum(delta)
        from placed
       cross join lateral ${daysOf(tx, tx`posting_date`)}
       where band > 0
       group by 2, 3, 4, 5
          on conflict (company_id, sort, of_month, day, band) do update
         set invoices = t.invoices + excluded.invoices`;
  const inBlocks = tx<{ invoices: number }[]>`
      with ${placed(inOne ? tx`${blockColumns(tx)}, ${band}` : blockColumns(tx))}
      ${inOne ? tx`, banded as (${inBands})` : tx``}
      insert into invoice_blocks as b
             (company_id, sort, from_date, from_number, from_text, from_id, invoices, counted)
      select ${companyId}::int, sort, from_date, from_number, from_text, from_id, sum(delta), sum(delta)
        from placed
       group by 2, 3, 4, 5, 6
          on conflict (company_id, sort, from_date, from_number, from_text, from_id) do update
         set invoices = b.invoices + excluded.invoices, counted = b.counted + excluded.counted
   returning b.invoices`;
  const hasBands: Statement = tx`
          and exists (select from invoice_blocks where company_id = ${companyId} and band > 0)`;
  const [rows] = await Promise.all([
    inBlocks,
    inOne ? undefined : tx`with ${placed(band, hasBands)} ${inBands}`,
  ]);
  return rows.some(({ invoices }) => invoices > MAX_IN_BLOCK);
}

/** Splits the blocks that have outgrown their size, into two or more. Needs the same lock as {@link countMoves}. */
export async function cutBlocks(tx: Tx, companyId: number): Promise<void> {
  for (;;) {
    const big = await tx<BlockRow[]>`
      select sort, from_date, from_number, from_text, from_id, invoices, band from invoice_blocks
       where company_id = ${companyId} and invoices > ${MAX_IN_BLOCK}`;
    const cuts = big.map((block) => cut(tx, companyId, block));
    // Halves are still too big only if the block was filled by a recount.
    const isEnough = big.every(({ invoices }) => invoices <= 2 * MAX_IN_BLOCK);
    // Sent together, but run in order: the bands are looked at once the blocks are split.
    await Promise.all(isEnough ? [...cuts, cutBands(tx, companyId)] : cuts);
    if (isEnough) return;
  }
}

/**
 * Makes bands for orders that are too long to be walked, and splits those that have outgrown their size. Also
 * corrects the counts left by a version that knew no bands.
 *
 * @param inBand most invoices in a band
 */
export async function cutBands(tx: Tx, companyId: number, inBand = MAX_IN_BAND): Promise<void> {
  const due = await tx<{ sort: string; band: number | null }[]>`
    with orders as (
      select sort, bool_or(band = 0 or counted <> invoices) as is_new from invoice_blocks
       where company_id = ${companyId} and sort <> 'PostingDate'
       group by sort having sum(invoices) > ${inBand})
    select sort, null::int as band from orders where is_new
     union all
    select b.sort, b.band from invoice_blocks b join orders o on o.sort = b.sort and not o.is_new
     where b.company_id = ${companyId}
     group by b.sort, b.band having sum(b.invoices) > ${inBand}`;
  for (const { sort, band } of due) {
    await spread(tx, companyId, blockSortOf(sort) as BlockSort, band, Math.ceil(inBand / 2));
  }
}

/** Distributes the blocks of a band (with null, of the whole order) over new bands of about `size` invoices. */
async function spread(
  tx: Tx,
  companyId: number,
  { sort, column, from }: BlockSort,
  band: number | null,
  size: number,
): Promise<void> {
  const ofBand = band === null ? tx`` : tx`and band = ${band}`;
  const [top] = await tx<{ band: number }[]>`
    select max(band) as band from invoice_blocks where company_id = ${companyId} and sort = ${sort}`;
  const first = (top?.band ?? 0) + 1;
  await tx`
    delete from invoice_band_days where company_id = ${companyId} and sort = ${sort} ${ofBand}`;
  await tx`
    update invoice_blocks b set band = p.band, counted = b.invoices
      from (select ${tx(from)} as key, from_id,
                   ${first} + ((sum(invoices) over (order by ${tx(from)}, from_id) - invoices) / ${size})::int as band
              from invoice_blocks where company_id = ${companyId} and sort = ${sort} ${ofBand}) as p
     where b.company_id = ${companyId} and b.sort = ${sort}
       and b.${tx(from)} = p.key and b.from_id = p.from_id`;
  await tx`
    insert into invoice_band_days (company_id, sort, of_month, day, band, invoices)
    select ${companyId}::int, ${sort}::text, d.of_month, d.day, s.band, sum(f.invoices)
      from (select distinct on (band) band, ${tx(from)} as key, from_id,
                   sum(invoices) over (partition by band) as invoices
              from invoice_blocks
             where company_id = ${companyId} and sort = ${sort} and band >= ${first}
             order by band, ${tx(from)}, from_id) as s
     cross join lateral (
           select posting_date, count(*) as invoices
             from (select posting_date from invoices
                    where company_id = ${companyId} and ${inHistory(tx)}
                      and (${tx(column)}, id) >= (s.key, s.from_id)
                    order by ${tx(column)}, id limit s.invoices) as placed
            group by posting_date) as f
     cross join lateral ${daysOf(tx, tx`f.posting_date`)}
     group by d.of_month, d.day, s.band`;
}

interface BlockRow {
  readonly sort: string;
  readonly from_date: string;
  readonly from_number: string;
  readonly from_text: string;
  readonly from_id: bigint;
  readonly invoices: number;
  readonly band: number;
}

async function cut(tx: Tx, companyId: number, block: BlockRow): Promise<void> {
  const { column, from } = blockSortOf(block.sort) as BlockSort;
  const half = Math.floor(block.invoices / 2);
  const isNew = (name: BlockSort['from']) => (name === from ? tx`k.key` : tx`o.${tx(name)}`);
  // A block that begins before everything has no values: the two other columns stay at their minimum.
  await tx`
    with old as (
      update invoice_blocks set invoices = ${half}, counted = counted - invoices + ${half}
       where company_id = ${companyId} and sort = ${block.sort} and from_date = ${block.from_date}
         and from_number = ${block.from_number} and from_text = ${block.from_text}
         and from_id = ${String(block.from_id)}
   returning '-infinity'::date as from_date, 0::numeric as from_number, ''::text as from_text)
    insert into invoice_blocks
           (company_id, sort, from_date, from_number, from_text, from_id, invoices, counted, band)
    select ${companyId}::int, ${block.sort}::text, ${isNew('from_date')}, ${isNew('from_number')},
           ${isNew('from_text')}, k.id, ${block.invoices - half}, ${block.invoices - half}, ${block.band}
      from old o,
           (select ${tx(column)} as key, id from invoices
             where company_id = ${companyId} and ${inHistory(tx)}
               and (${tx(column)}, id) >= (${block[from]}, ${String(block.from_id)})
             order by ${tx(column)}, id
            offset ${half} limit 1) as k`;
}

/** How many invoices the history of a company holds. */
export async function countHistory(tx: Tx, companyId: number): Promise<number> {
  const [row] = await tx<{ count: number }[]>`
    select coalesce(sum(invoices), 0)::int as count from invoice_blocks
     where company_id = ${companyId} and sort = 'PostingDate'`;
  return row?.count ?? 0;
}
