import type { Importes } from '../domain/issue.ts';
import { searchedId } from '../domain/list-text.ts';
import { countHistory, inHistory } from './blocks.ts';
import { type Ask, likeOf, readerOf, rowOf } from './invoice-page.ts';
import { hasTrigram } from './invoice-search.ts';
import {
  heldIssued,
  type InvoiceSummary,
  type SummaryRow,
  summaryColumns,
  summaryFromRow,
} from './invoices.ts';
import type { Sql, Statement, Tx } from './sql.ts';

/** Walking through this many of the newest takes less time than the search index does for a frequent match. */
const LOOKED_AT = 4000;
/** And this many when hardly any of them is complete: users who want older ones say which. */
const LOOKED_AT_MOST = 20_000;
/** Of this many found by the search index per invoice offered, some are complete. */
const FOUND_FOR_EACH = 20;

/** A registered invoice, as offered to be rectified or exchanged. Amounts are decimal text of euros. */
export interface IssuedSummary extends InvoiceSummary {
  readonly recargo: string;
  /** Other Member States' taxes (OSS), which neither `base` nor `vat` includes. */
  readonly cuotaDestino: string;
  /** Amounts of the invoices that it replaced; null unless it is a rectificativa por sustitución. */
  readonly sustituido: Importes | null;
  readonly canjeadaPor: string | null;
}

interface IssuedRow extends SummaryRow {
  readonly recargo: string;
  readonly cuota_destino: string;
  readonly sustituido: Importes | null;
  readonly canjeada_por: string | null;
}

/**
 * Registered invoices: either those with some numbers, whatever their status, or the newest ones that match a text
 * and that a new invoice could rectify or exchange. The latter are neither annulled or about to be, nor refused by
 * the AEAT.
 */
export async function listIssued(
  sql: Sql,
  companyId: number,
  query: OfferedQuery & { readonly numbers: readonly string[] | null },
): Promise<IssuedSummary[]> {
  const { numbers } = query;
  const rows = numbers
    ? await issuedRows(sql, companyId, numbered(sql, companyId, { ...query, numbers }))
    : await offeredRows(readerOf(sql), companyId, query);
  const id = !numbers && rows.length === 0 ? searchedId(query.search) : null;
  if (id !== null) return listIssued(sql, companyId, { ...query, search: id });
  return rows.map((row) => ({
    ...summaryFromRow(row),
    recargo: row.recargo,
    cuotaDestino: row.cuota_destino,
    sustituido: row.sustituido,
    canjeadaPor: row.canjeada_por,
  }));
}

/** Invoices that were `chosen` before, by id: only for these are documents and exchanges read. */
function issuedRows<More extends object = object>(
  tx: Tx,
  companyId: number,
  chosen: Statement,
  more: Statement = tx``,
): Promise<readonly (IssuedRow & More)[]> {
  return tx<(IssuedRow & More)[]>`
    with ${chosen}
    select ${summaryColumns(tx)}, coalesce(t.base, i.base::text) as base, coalesce(t."cuotaTotal", i.vat::text) as vat,
           coalesce(t.total, i.total::text) as total, coalesce(t.recargo, '0.00') as recargo,
           (select coalesce(sum((x.destino ->> 'cuota')::numeric(14, 2)), 0.00)::text
              from jsonb_array_elements(t."ivaDestino") as x (destino)) as cuota_destino,
           t."importeRectificacion" as sustituido, c.doc_no as canjeada_por ${more}
      from chosen p
     cross join lateral ${rowOf(tx, companyId)}
      left join lateral (${heldIssued(tx)}) r on true
      -- At once: each look at a document unpacks it.
      left join lateral jsonb_to_record(r.issued) as t (base text, "cuotaTotal" text, total text, recargo text,
             "ivaDestino" jsonb, "importeRectificacion" jsonb) on true
      left join lateral (${exchange(tx, companyId)} limit 1) c on true
     order by i.posting_date desc, i.id desc`;
}

/** Invoices with some numbers. */
function numbered(
  tx: Tx,
  companyId: number,
  { numbers, only, limit }: OfferedQuery & { readonly numbers: readonly string[] },
): Statement {
  return tx`
    chosen as materialized (
      select i.id from invoices i
       where i.company_id = ${companyId} and i.registered_at is not null
         and i.doc_no = any(${[...numbers]}::text[])
         ${isOffered(tx, companyId, only)}
       order by i.posting_date desc, i.id desc limit ${limit})`;
}

interface OfferedQuery {
  readonly search: string;
  /** Those that an F3 or an R5 could take (simplified, and not exchanged), those that R1 to R4 could, or all. */
  readonly only: 'exchangeable' | 'complete' | null;
  readonly limit: number;
}

/**
 * The newest that match: those of the history are walked to, besides the few that wait. When too few of the newest
 * {@link LOOKED_AT} match, the search index is asked, if it can use the text.
 */
async function offeredRows(
  ask: Ask,
  companyId: number,
  query: OfferedQuery,
): Promise<readonly IssuedRow[]> {
  const walked = (lookedAt: number | null) =>
    ask((tx) => offered(tx, companyId, query, walkedTo(tx, companyId, query, lookedAt)));
  const inRange = hasTrigram(query) ? await ask((tx) => countHistory(tx, companyId)) : 0;
  if (inRange <= LOOKED_AT) return walked(null);
  const near = await walked(LOOKED_AT);
  if (near[0]?.finished === query.limit) return near;
  return ask((tx) => offered(tx, companyId, query, searched(tx, companyId, query, inRange)));
}

/** The newest of those `finished` and of those that wait for an answer or for a correction. */
function offered(tx: Tx, companyId: number, query: OfferedQuery, finished: Statement) {
  const chosen: Statement = tx`
    finished as materialized (${finished}),
    chosen as materialized (
      select id from (
        select id, posting_date from finished
         union all
        (select i.id, i.posting_date from invoices i
          where i.company_id = ${companyId}
            and i.status in ('Borrador', 'En espera', 'Rechazado', 'Aceptado con errores')
            and i.registered_at is not null and (i.status <> 'Rechazado' or ${isHeld(tx)})
            and (i.status <> 'En espera' or not ${isAtAnulacion(tx)})
            and ${matches(tx, companyId, query)}
          order by i.posting_date desc, i.id desc limit ${query.limit})) as both_kinds
       order by posting_date desc, id desc limit ${query.limit})`;
  return issuedRows<{ readonly finished: number }>(
    tx,
    companyId,
    chosen,
    tx`, (select count(*)::int from finished) as finished`,
  );
}

/** Those of the history, along the index of their dates. */
function walkedTo(
  tx: Tx,
  companyId: number,
  query: OfferedQuery,
  lookedAt: number | null,
): Statement {
  const inOrder = tx`order by i.posting_date desc, i.id desc`;
  const most = query.only === 'complete' ? LOOKED_AT_MOST : null;
  return tx`
    select i.id, i.posting_date
      from (select * from invoices i
             where i.company_id = ${companyId} and i.${inHistory(tx)}
               ${query.only === 'exchangeable' ? tx`and ${isSimplified(tx)}` : tx``}
             ${inOrder} limit ${lookedAt ?? most}) as i
     where i.status <> 'Anulada' and ${matches(tx, companyId, query)}
     ${inOrder} limit ${query.limit}`;
}

/** The same through the search index. */
function searched(tx: Tx, companyId: number, query: OfferedQuery, inRange: number): Statement {
  const isComplete = query.only === 'complete';
  const limit = isComplete ? query.limit * FOUND_FOR_EACH : query.limit;
  return tx`
    select i.id, i.posting_date
      from huella_search_issued(${companyId}, ${likeOf(query)}, ${query.only === 'exchangeable'}, ${limit},
             ${inRange}::int) as p (id)
     cross join lateral ${rowOf(tx, companyId)}
     ${isComplete ? tx`where not ${isSimplified(tx)}` : tx``}
     order by i.posting_date desc, i.id desc limit ${query.limit}`;
}

/** Whether an invoice `i` matches the text and is of the requested kind. */
function matches(tx: Tx, companyId: number, query: OfferedQuery) {
  return tx`i.search_text || '' like ${likeOf(query)}
    ${isOffered(tx, companyId, query.only)}`;
}

function isOffered(tx: Tx, companyId: number, only: OfferedQuery['only']) {
  if (only === 'exchangeable') return tx`and ${isExchangeable(tx, companyId)}`;
  return only === 'complete' ? tx`and not ${isSimplified(tx)}` : tx``;
}

/** As the index of migration 0280 spells it. */
function isSimplified(tx: Tx) {
  return tx`(i.tipo_factura in ('F2', 'R5'))`;
}

function isExchangeable(tx: Tx, companyId: number) {
  return tx`${isSimplified(tx)} and not exists (${exchange(tx, companyId)})`;
}

/** The F3 for which an invoice `i` was exchanged. */
function exchange(tx: Tx, companyId: number): Statement {
  return tx`
    select f.doc_no
      from invoice_references x
      join invoices f on f.company_id = x.company_id and f.id = x.invoice_id
     where x.company_id = ${companyId} and x.numero = i.doc_no
       and x.kind = 'sustituye' and f.status <> 'Anulada'`;
}

/**
 * Whether the AEAT holds an invoice `i` of which it refused something, as `constaDeAlta` (domain) decides: the last
 * registro that it accepted was an alta, and it has not said since that the invoice is annulled (3001) or missing
 * (3002).
 */
function isHeld(tx: Tx) {
  return tx`coalesce((
    select o.tipo_registro = 'Alta' and a.estado_registro <> 'Incorrecto'
      from (select company_id, seq, tipo_registro from registros
             where company_id = i.company_id and invoice_id = i.id offset 0) o
      join respuestas a on a.company_id = o.company_id and a.seq = o.seq
     where a.estado_registro <> 'Incorrecto' or a.codigo_error_registro in (3001, 3002)
     order by o.seq desc limit 1), false)`;
}

/** Whether the latest registro of an invoice `i` is an anulación. */
function isAtAnulacion(tx: Tx) {
  return tx`exists (
    select from registros r
     where r.company_id = i.company_id and r.seq = i.seq and r.tipo_registro = 'Anulacion')`;
}

/** The number of the first invoice registered for a customer with exactly these notes, or null. */
export async function findIssuedWithNotas(
  tx: Tx,
  companyId: number,
  { customerNo, notas }: { readonly customerNo: string; readonly notas: string },
): Promise<string | null> {
  const [row] = await tx<{ docNo: string }[]>`
    select i.doc_no as "docNo"
      from invoices i join registros r on r.company_id = i.company_id and r.invoice_id = i.id
     where i.company_id = ${companyId} and i.customer_no = ${customerNo} and r.issued ->> 'notas' = ${notas}
     order by r.seq
     limit 1`;
  return row?.docNo ?? null;
}
