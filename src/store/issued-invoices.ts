import type { Importes } from '../domain/issue.ts';
import { searchNeedle } from '../domain/list-text.ts';
import { heldIssued, type InvoiceSummary, type SummaryRow, summaryFromRow } from './invoices.ts';
import type { Tx } from './sql.ts';

/** A registered invoice as it is offered to be rectified or exchanged. Amounts are decimal text of euros. */
export interface IssuedSummary extends InvoiceSummary {
  readonly recargo: string;
  /** Other States' taxes (OSS), neither in `base` nor in `vat`. */
  readonly cuotaDestino: string;
  /** What those that it took the place of came to; null unless it is a rectificativa por sustitución. */
  readonly sustituido: Importes | null;
  readonly canjeadaPor: string | null;
}

/**
 * Registered invoices: those of some numbers, however they stand, or the newest ones that match what is typed
 * and that a new one could rectify or exchange, neither annulled nor refused by the AEAT.
 */
export async function listIssued(
  tx: Tx,
  companyId: number,
  query: {
    readonly search: string;
    readonly numbers: readonly string[] | null;
    readonly onlySimplified: boolean;
    readonly limit: number;
  },
): Promise<IssuedSummary[]> {
  const { numbers, onlySimplified, limit } = query;
  const needle = `%${searchNeedle(query.search).replace(/[\\%_]/g, '\\$&')}%`;
  const rows = await tx<
    (SummaryRow & {
      recargo: string;
      cuota_destino: string;
      sustituido: Importes | null;
      canjeada_por: string | null;
    })[]
  >`
    select i.*, coalesce(r.issued ->> 'base', i.base::text) as base,
           coalesce(r.issued ->> 'cuotaTotal', i.vat::text) as vat,
           coalesce(r.issued ->> 'total', i.total::text) as total,
           coalesce(r.issued ->> 'recargo', '0.00') as recargo,
           (select coalesce(sum((x.destino ->> 'cuota')::numeric(14, 2)), 0.00)::text
              from jsonb_array_elements(r.issued -> 'ivaDestino') as x (destino)) as cuota_destino,
           nullif(r.issued -> 'importeRectificacion', 'null') as sustituido,
           c.doc_no as canjeada_por
      from invoices i
      left join lateral (${heldIssued(tx)}) r on true
      left join lateral (
           select f.doc_no
             from invoice_references x
             join invoices f on f.company_id = x.company_id and f.id = x.invoice_id
            where x.company_id = ${companyId} and x.numero = i.doc_no
              and x.kind = 'sustituye' and f.status <> 'Anulada'
            limit 1) c on true
     where i.company_id = ${companyId} and i.registered_at is not null
       ${
         numbers
           ? tx`and i.doc_no = any(${[...numbers]}::text[])`
           : tx`and i.status <> 'Anulada' and (i.status <> 'Rechazado' or ${isHeld(tx)})
                and i.search_text like ${needle}`
       }
       ${onlySimplified ? tx`and i.tipo_factura = any(array['F2', 'R5']) and c.doc_no is null` : tx``}
     order by i.posting_date desc, i.id desc
     limit ${limit}`;
  return rows.map((row) => ({
    ...summaryFromRow(row),
    recargo: row.recargo,
    cuotaDestino: row.cuota_destino,
    sustituido: row.sustituido,
    canjeadaPor: row.canjeada_por,
  }));
}

/**
 * Whether the AEAT holds an invoice `i` that it refused something of, as `constaDeAlta` (domain) tells it: what it
 * took last was an alta, and it did not say since that it has it annulled (3001) or not at all (3002).
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

/** The number of the first invoice of a customer that was registered with exactly these notes, or null. */
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
