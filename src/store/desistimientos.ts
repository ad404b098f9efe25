import type { Figures } from '../domain/figures.ts';
import type { ComoQueda, IssuedInvoice } from '../domain/invoice.ts';
import { nameKey, searchText } from '../domain/list-text.ts';
import type { StoredInvoice } from './invoices.ts';
import { ofCompanies, type Tx } from './sql.ts';

/** The registro under which the AEAT holds an invoice when a later one was refused. */
export interface RegistroVigente {
  readonly seq: bigint;
  readonly Huella: string;
  readonly EstadoRegistro: 'Correcto' | 'AceptadoConErrores';
  readonly CodigoErrorRegistro: number | null;
  readonly DescripcionErrorRegistro: string | null;
  /** Null when its answer was lost, and the AEAT confirmed it through another message. */
  readonly CSV: string | null;
  readonly issued: IssuedInvoice;
}

/** The last alta of an invoice that the AEAT accepted, or null. */
export async function findVigente(
  tx: Tx,
  companyId: number,
  invoiceId: bigint,
): Promise<RegistroVigente | null> {
  const [row] = await tx<RegistroVigente[]>`
    select r.seq, r.huella as "Huella", a.estado_registro as "EstadoRegistro",
           a.codigo_error_registro as "CodigoErrorRegistro",
           a.descripcion_error_registro as "DescripcionErrorRegistro", r.issued,
           case when not a.es_duplicado then e.csv end as "CSV"
      from registros r
      join respuestas a on a.company_id = r.company_id and a.seq = r.seq
      left join envios e on e.company_id = a.company_id and e.id = a.envio_id
     where r.company_id = ${companyId} and r.invoice_id = ${String(invoiceId)}
       and r.tipo_registro = 'Alta' and a.estado_registro <> 'Incorrecto'
     order by r.seq + 0 desc
     limit 1`;
  return row ?? null;
}

/**
 * Saves the form and row of invoices that the AEAT holds, before a correction overwrites them. Must run before the
 * statements that do.
 */
export async function keepHeld(
  tx: Tx,
  invoices: readonly { readonly companyId: number; readonly id: bigint }[],
): Promise<void> {
  if (invoices.length === 0) return;
  const companyIds = invoices.map(({ companyId }) => companyId);
  await tx`
    update invoice_documents d
       set held = jsonb_build_object(
             'draft', d.draft, 'customerNo', i.customer_no, 'customerNif', i.customer_nif,
             'customerName', i.customer_name, 'base', i.base::text, 'vat', i.vat::text,
             'total', i.total::text,
             'replaced', case when d.replaced_total is not null then jsonb_build_object(
               'base', d.replaced_base::text, 'vat', d.replaced_vat::text,
               'total', d.replaced_total::text) end)
      from invoices i
     where i.company_id = d.company_id and i.id = d.invoice_id
       and ${ofCompanies(tx, 'd.company_id', [...new Set(companyIds)])}
       and (d.company_id, d.invoice_id) in (
             select * from unnest(${companyIds}::int[],
                                  ${invoices.map(({ id }) => String(id))}::bigint[]))`;
}

/** An invoice's form and row as saved by `keepHeld`. */
export type Held = Pick<
  StoredInvoice,
  'draft' | 'customerNo' | 'customerNif' | 'customerName' | 'base' | 'vat' | 'total' | 'replaced'
>;

/** Older versions, which did not record what an invoice replaces, saved less. */
type Kept = Omit<Held, 'replaced'> & { readonly replaced?: Figures | null };

export async function findHeld(tx: Tx, companyId: number, invoiceId: bigint): Promise<Kept | null> {
  const [row] = await tx<{ held: Kept | null }[]>`
    select held from invoice_documents
     where company_id = ${companyId} and invoice_id = ${String(invoiceId)}`;
  return row?.held ?? null;
}

/**
 * Restores the form and row of a refused invoice. Its status stays: `applyVerdicts` changes it, once it is counted.
 */
export async function restoreHeld(
  tx: Tx,
  companyId: number,
  { id, docNo, postingDate }: Pick<StoredInvoice, 'id' | 'docNo' | 'postingDate'>,
  held: Held,
): Promise<void> {
  const { draft, customerNo, customerNif, customerName, base, vat, total, replaced } = held;
  await tx`
    update invoices
       set customer_no = ${customerNo}, customer_nif = ${customerNif},
           customer_name = ${customerName}, base = ${base}, vat = ${vat}, total = ${total},
           search_text = ${searchText({ ...held, docNo, postingDate })},
           name_key = ${nameKey(customerName)}
     where company_id = ${companyId} and id = ${String(id)}`;
  await tx`
    update invoice_documents
       set draft = ${JSON.stringify(draft)}::text::jsonb, held = null,
           replaced_base = ${replaced?.base ?? null}, replaced_vat = ${replaced?.vat ?? null},
           replaced_total = ${replaced?.total ?? null}
     where company_id = ${companyId} and invoice_id = ${String(id)}`;
}

/** From now on the invoice is known by this registro, an earlier one of its own. */
export async function setVigente(
  tx: Tx,
  companyId: number,
  invoiceId: bigint,
  { seq, Huella, CSV }: Pick<RegistroVigente, 'seq' | 'Huella' | 'CSV'>,
): Promise<void> {
  await tx`
    update invoices set seq = ${String(seq)}, huella = ${Huella}, csv = ${CSV}
     where company_id = ${companyId} and id = ${String(invoiceId)}`;
}

export interface Desistimiento {
  /** Position of the registro. */
  readonly seq: bigint;
  readonly at: Date;
  readonly status: ComoQueda;
  /** Its number belongs to another program, so the invoice has no effect (decision 0232). */
  readonly sinEfecto: boolean;
  /** It was never refused, because it was not sent (decision 0460). */
  readonly sinEnviar: boolean;
}

/**
 * Records that a registro was given up: the AEAT refused it, or it is not sent. A form that is still open on its
 * invoice is thereby out of date.
 */
export async function insertDesistimiento(
  tx: Tx,
  companyId: number,
  invoiceId: bigint,
  { seq, at, status, sinEfecto, sinEnviar, sid }: Desistimiento & { readonly sid: string | null },
): Promise<void> {
  await tx`
    insert into desistimientos (company_id, seq, invoice_id, at, status, sin_efecto, sin_enviar, sid)
    values (${companyId}, ${String(seq)}, ${String(invoiceId)}, ${at}, ${status}, ${sinEfecto}, ${sinEnviar},
            ${sid})`;
  await tx`
    update invoices set version = version + 1
     where company_id = ${companyId} and id = ${String(invoiceId)}`;
}

/** The same, with what the registro declared. */
export interface Desistido extends Desistimiento {
  readonly TipoRegistro: 'Alta' | 'Anulacion';
}

/** What was given up of an invoice, oldest first. */
export async function listDesistimientos(
  tx: Tx,
  companyId: number,
  invoiceId: bigint,
): Promise<Desistido[]> {
  return tx<Desistido[]>`
    select d.seq, d.at, d.status, d.sin_efecto as "sinEfecto", d.sin_enviar as "sinEnviar",
           r.tipo_registro as "TipoRegistro"
      from desistimientos d
      join registros r on r.company_id = d.company_id and r.seq = d.seq
     where d.company_id = ${companyId} and d.invoice_id = ${String(invoiceId)}
     order by d.seq`;
}
