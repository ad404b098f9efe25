import type { InvoiceStatus } from '../contract/invoices.ts';
import type { Tx } from './sql.ts';

/** An order of the history that has blocks: `column` with the id behind it, both upwards. */
export interface BlockSort {
  readonly sort: string;
  readonly column: 'posting_date' | 'doc_key' | 'name_key' | 'base' | 'vat' | 'total';
  /** Where a block keeps the value of that column. */
  readonly from: 'from_date' | 'from_text' | 'from_number';
}

export const BLOCK_SORTS: readonly BlockSort[] = [
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

/** A block is cut in two when it holds more. Half of it is walked on average to reach a page. */
const MAX_IN_BLOCK = 2048;

/** The keys of an invoice `i` in every order. */
function keysOf(tx: Tx) {
  return tx`(values
    ('PostingDate', i.posting_date, 0::numeric, '' collate "C"),
    ('DocNo', '-infinity'::date, 0, i.doc_key),
    ('Name', '-infinity', 0, i.name_key),
    ('Amount', '-infinity', i.base, ''),
    ('VatAmount', '-infinity', i.vat, ''),
    ('AmountIncludingVat', '-infinity', i.total, '')) as k (sort, d, n, t)`;
}

/** The block, called `at`, where an invoice `i` with the key `k` stands; none before the first of all. */
function blockOf(tx: Tx, companyId: number) {
  return tx`(
    select s.from_date, s.from_number, s.from_text, s.from_id
      from invoice_blocks s
     where s.company_id = ${companyId} and s.sort = k.sort
       and (s.from_date, s.from_number, s.from_text, s.from_id) <= (k.d, k.n, k.t, i.id)
     order by s.from_date desc, s.from_number desc, s.from_text desc, s.from_id desc
     limit 1) as at`;
}

/** Where a block begins; the first of a company before everything. */
function blockColumns(tx: Tx) {
  return tx`coalesce(at.from_date, '-infinity') as from_date,
    coalesce(at.from_number, '-Infinity') as from_number,
    coalesce(at.from_text, '') as from_text, coalesce(at.from_id, 0) as from_id`;
}

/** An invoice that is about to change its status, by its latest registro. */
export interface Move {
  readonly seq: bigint;
  readonly status: InvoiceStatus;
}

/**
 * Counts invoices that enter the history or leave it, in the block of each order where they stand.
 *
 * Goes before the statement that changes their status, in its transaction, with the company's row of
 * `despachos` locked: whoever moves invoices of a company holds it, so that nobody cuts a block meanwhile.
 *
 * @returns whether a block grew past its size: {@link cutBlocks} is due
 */
export async function countMoves(
  tx: Tx,
  companyId: number,
  moves: readonly Move[],
): Promise<boolean> {
  const seqs = moves.map(({ seq }) => seq);
  // Between the least and the greatest value of each column lie all of them: where both stand in one block,
  // as in most companies and for what was registered together, none is looked up by itself.
  const rows = await tx<{ invoices: number }[]>`
    with moved as materialized (
      select i.id, i.posting_date, i.doc_key, i.name_key, i.base, i.vat, i.total,
             (t.status in ('Registrada', 'Anulada'))::int
               - (i.status in ('Registrada', 'Anulada'))::int as delta
        from unnest(${seqs.map(String)}::bigint[],
                    ${moves.map(({ status }) => status)}::text[]) as t (seq, status)
        join registros r on r.company_id = ${companyId} and r.seq = t.seq
        join invoices i on i.company_id = ${companyId} and i.id = r.invoice_id and i.seq = t.seq
       where (t.status in ('Registrada', 'Anulada')) <> (i.status in ('Registrada', 'Anulada'))),
    first as materialized (
      select k.sort, ${blockColumns(tx)}
        from (select min(id) as id, min(posting_date) as posting_date, min(doc_key) as doc_key,
                     min(name_key) as name_key, min(base) as base, min(vat) as vat, min(total) as total
                from moved) as i
       cross join lateral ${keysOf(tx)}
        left join lateral ${blockOf(tx, companyId)} on true),
    last as materialized (
      select k.sort, ${blockColumns(tx)}
        from (select max(id) as id, max(posting_date) as posting_date, max(doc_key) as doc_key,
                     max(name_key) as name_key, max(base) as base, max(vat) as vat, max(total) as total
                from moved) as i
       cross join lateral ${keysOf(tx)}
        left join lateral ${blockOf(tx, companyId)} on true),
    shared as materialized (select * from first intersect select * from last)
    insert into invoice_blocks as b
           (company_id, sort, from_date, from_number, from_text, from_id, invoices)
    select ${companyId}::int, sort, from_date, from_number, from_text, from_id, sum(delta)
      from (select s.*, m.delta
              from shared s, (select sum(delta) as delta from moved) as m
             union all
            select k.sort, ${blockColumns(tx)}, i.delta
              from moved i
             cross join lateral ${keysOf(tx)}
              left join lateral ${blockOf(tx, companyId)} on true
             where k.sort not in (select sort from shared)) as counted
     where delta is not null
     group by 2, 3, 4, 5, 6
        on conflict (company_id, sort, from_date, from_number, from_text, from_id) do update
       set invoices = b.invoices + excluded.invoices
 returning b.invoices`;
  return rows.some(({ invoices }) => invoices > MAX_IN_BLOCK);
}

/** Cuts in two, or in as many as it takes, the blocks that grew too big. Same lock as {@link countMoves}. */
export async function cutBlocks(tx: Tx, companyId: number): Promise<void> {
  for (;;) {
    const big = await tx<BlockRow[]>`
      select sort, from_date, from_number, from_text, from_id, invoices from invoice_blocks
       where company_id = ${companyId} and invoices > ${MAX_IN_BLOCK}`;
    if (big.length === 0) return;
    for (const block of big) await cut(tx, companyId, block);
  }
}

interface BlockRow {
  readonly sort: string;
  readonly from_date: string;
  readonly from_number: string;
  readonly from_text: string;
  readonly from_id: bigint;
  readonly invoices: number;
}

async function cut(tx: Tx, companyId: number, block: BlockRow): Promise<void> {
  const { column, from } = blockSortOf(block.sort) as BlockSort;
  const half = Math.floor(block.invoices / 2);
  const isNew = (name: BlockSort['from']) => (name === from ? tx`k.key` : tx`o.${tx(name)}`);
  // A block that begins before everything has values of no column: the other two stay the least ones.
  await tx`
    with old as (
      update invoice_blocks set invoices = ${half}
       where company_id = ${companyId} and sort = ${block.sort} and from_date = ${block.from_date}
         and from_number = ${block.from_number} and from_text = ${block.from_text}
         and from_id = ${String(block.from_id)}
   returning '-infinity'::date as from_date, 0::numeric as from_number, ''::text as from_text)
    insert into invoice_blocks (company_id, sort, from_date, from_number, from_text, from_id, invoices)
    select ${companyId}::int, ${block.sort}::text, ${isNew('from_date')}, ${isNew('from_number')},
           ${isNew('from_text')}, k.id, ${block.invoices - half}
      from old o,
           (select ${tx(column)} as key, id from invoices
             where company_id = ${companyId} and ${inHistory(tx)}
               and (${tx(column)}, id) >= (${block[from]}, ${String(block.from_id)})
             order by ${tx(column)}, id
            offset ${half} limit 1) as k`;
}

/** Counts the blocks and the months of a company again, from its invoices. */
export async function recountFigures(tx: Tx, companyId: number): Promise<void> {
  await tx`delete from invoice_blocks where company_id = ${companyId}`;
  await tx`delete from invoice_months where company_id = ${companyId}`;
  await tx`
    insert into invoice_blocks (company_id, sort, from_date, from_number, from_text, from_id, invoices)
    select ${companyId}::int, sort, '-infinity', '-Infinity', '', 0, count(*)
      from invoices, unnest(${BLOCK_SORTS.map(({ sort }) => sort)}::text[]) as sort
     where company_id = ${companyId} and ${inHistory(tx)}
     group by sort`;
  await cutBlocks(tx, companyId);
  await tx`
    insert into invoice_months (company_id, month, invoices, base, vat, total)
    select ${companyId}::int, date_trunc('month', posting_date)::date, count(*), sum(base), sum(vat), sum(total)
      from invoices
     where company_id = ${companyId} and registered_at is not null and status <> 'Anulada'
     group by 2`;
}

/** How many invoices the history of a company holds. */
export async function countHistory(tx: Tx, companyId: number): Promise<number> {
  const [row] = await tx<{ count: number }[]>`
    select coalesce(sum(invoices), 0)::int as count from invoice_blocks
     where company_id = ${companyId} and sort = 'PostingDate'`;
  return row?.count ?? 0;
}
