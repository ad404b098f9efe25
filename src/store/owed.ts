import type { IssuedInvoice } from '../domain/invoice.ts';
import type { CollectedInvoice } from './cobros.ts';
import {
  betweenDays,
  type ListedInvoice,
  type ListQuery,
  likeOf,
  listed,
  offsetOf,
  orderOf,
} from './invoice-page.ts';
import { takesPlace } from './invoice-references.ts';
import { issuedOf } from './invoices.ts';
import { readTogether, type Sql, type Tx } from './sql.ts';

/** What may be owed is looked at up to this many invoices: the document of each is read. */
const OWED_AT_ONCE = 1000;
/** A search looks through this many of them. */
const SEARCHED = 20_000;

/** An invoice of which something may be left to collect. */
export type MaybeOwed = CollectedInvoice & Pick<IssuedInvoice, 'vencimientos'>;

export interface FoundOwed {
  readonly invoices: readonly MaybeOwed[];
  /** There are others, which were not looked at. */
  readonly isMore: boolean;
}

export type OwedQuery = Pick<ListQuery, 'search' | 'since' | 'until'> & {
  /** From which end of the dates they are looked at. */
  readonly isOldestFirst: boolean;
};

/**
 * The invoices that may be owed: valid, no tickets, not replaced by another, and not known to be settled. Of the history,
 * the index `invoices_owed` holds only those, so the cost goes by what is owed, not by what was ever invoiced. Those that
 * wait for the AEAT, or for somebody to correct them, are owed as well (decision 1150): few, unless the AEAT is down.
 */
export async function findMaybeOwed(
  sql: Sql,
  companyId: number,
  query: OwedQuery,
): Promise<FoundOwed> {
  const [rows] = await readTogether(sql, (tx) => [maybeOwed(tx, companyId, query)]);
  const invoices = rows.filter((row): row is CountedRow & MaybeOwed => row.id !== null);
  const [counted] = rows;
  const isMore =
    counted !== undefined && (counted.looked > SEARCHED || counted.found > OWED_AT_ONCE);
  return { invoices, isMore };
}

interface CountedRow {
  readonly looked: number;
  readonly found: number;
}

function maybeOwed(tx: Tx, companyId: number, query: OwedQuery) {
  const direction = query.isOldestFirst ? tx`asc` : tx`desc`;
  const like = likeOf(query);
  const isSearched = query.search.trim() !== '';
  const most = (isSearched ? SEARCHED : OWED_AT_ONCE) + 1;
  const unsettled = tx`
    company_id = ${companyId} and tipo_factura not in ('F2', 'R5')
    and settled_seq is distinct from seq ${betweenDays(tx, query)}`;
  const first = tx`order by posting_date ${direction}, id ${direction} limit ${most}`;
  return tx<(CountedRow & (MaybeOwed | { readonly id: null }))[]>`
    with looked as materialized (
      (select id, doc_no, seq, posting_date, search_text, status from invoices
        where status = 'Registrada' and ${unsettled} ${first})
       union all
      (select id, doc_no, seq, posting_date, search_text, status from invoices i
        where status in ('En espera', 'Rechazado', 'Aceptado con errores') and ${unsettled}
          and (select tipo_registro from registros
                where company_id = ${companyId} and seq = i.seq) <> 'Anulacion'
        ${first})
       ${first}),
    found as materialized (
      select id, doc_no, seq from looked
       where ${isSearched ? tx`search_text like ${like} or lower(status) like ${like}` : tx`true`}
       order by posting_date ${direction}, id ${direction} limit ${OWED_AT_ONCE + 1}),
    -- All at once: looked up one by one, each would read all references where those are few enough for one page.
    named as materialized (
      select invoice_id, kind, numero from invoice_references
       where company_id = ${companyId} and numero in (select doc_no from found)),
    replaced as materialized (
      select r.numero
        from named r
        join invoices x on x.company_id = ${companyId} and x.id = r.invoice_id
        join invoice_documents d on d.company_id = ${companyId} and d.invoice_id = r.invoice_id
       where x.status <> 'Anulada' and ${takesPlace(tx)})
    select (select count(*)::int from looked) as looked, (select count(*)::int from found) as found, o.*
      from (select 1) as once
      left join (
        select f.id, f.doc_no as "docNo", coalesce(c.collected, 0)::numeric(14, 2) as collected,
               r.payable, r.vencimientos, r.pagado, r.sustituye, r."tipoFactura", r."tipoRectificativa"
          from (select * from found limit ${OWED_AT_ONCE}) as f
          left join lateral (
               select sum(importe) as collected from cobros
                where company_id = ${companyId} and invoice_id = f.id and medio <> '03') as c on true
         cross join lateral (${issuedOf(tx, companyId, tx`f`)}) as g
         -- Each document is unpacked once.
         cross join lateral jsonb_to_record(g.issued) as r (
               payable text, vencimientos jsonb, pagado jsonb, sustituye jsonb, "tipoFactura" text,
               "tipoRectificativa" text)
         where f.doc_no not in (select numero from replaced)) as o on true`;
}

/** A page of those invoices, in the order of the query. */
export function listByIds(
  tx: Tx,
  companyId: number,
  ids: readonly bigint[],
  query: ListQuery,
): Promise<ListedInvoice[]> {
  return tx<ListedInvoice[]>`
    select ${listed(tx, companyId)} from invoices i
     where i.company_id = ${companyId} and i.id = any(${ids.map(String)}::bigint[])
     ${orderOf(tx, query)} limit ${query.pageSize} offset ${offsetOf(query)}`;
}

/** Writes down whether nothing is left to collect of invoices as they stand now. */
export async function markSettled(
  tx: Tx,
  companyId: number,
  ids: readonly bigint[],
  { isSettled }: { readonly isSettled: boolean },
): Promise<void> {
  await tx`
    update invoices set settled_seq = ${isSettled ? tx`seq` : tx`null`}
     where company_id = ${companyId} and id = any(${ids.map(String)}::bigint[])
       and settled_seq is distinct from ${isSettled ? tx`seq` : tx`null`}`;
}
