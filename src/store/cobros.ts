import type { MedioDeCobro } from '../domain/cobros.ts';
import type { Tx } from './sql.ts';

/** What was collected of an invoice, as its company noted it down. */
export interface Cobro {
  readonly id: string;
  /** `YYYY-MM-DD`. */
  readonly fecha: string;
  /** Decimal text; negative for what is given back. */
  readonly importe: string;
  readonly medio: MedioDeCobro;
  /** The account, or whatever else proves it; empty for nothing. */
  readonly identificacion: string;
}

export interface CobroToNote extends Cobro {
  readonly invoiceId: bigint;
  /** What was to be collected with this invoice, apart from the invoices that it replaces. */
  readonly debido: string;
  readonly notedAt: Date;
  readonly sid: string | null;
}

export async function insertCobro(tx: Tx, companyId: number, cobro: CobroToNote): Promise<void> {
  const { id, invoiceId, fecha, importe, medio, identificacion, debido, notedAt, sid } = cobro;
  await tx`
    insert into cobros (company_id, id, invoice_id, fecha, importe, medio, identificacion, debido, noted_at, sid)
    values (${companyId}, ${id}, ${String(invoiceId)}, ${fecha}, ${importe}, ${medio}, ${identificacion},
            ${debido}, ${notedAt}, ${sid})`;
}

/** @returns whether it was there */
export async function deleteCobro(
  tx: Tx,
  companyId: number,
  invoiceId: bigint,
  id: string,
): Promise<boolean> {
  const deleted = await tx`
    delete from cobros
     where company_id = ${companyId} and invoice_id = ${String(invoiceId)} and id = ${id}`;
  return deleted.count > 0;
}

/** Those of an invoice, by day. */
export async function listCobros(tx: Tx, companyId: number, invoiceId: bigint): Promise<Cobro[]> {
  return tx<Cobro[]>`
    select id, fecha, importe, medio, identificacion from cobros
     where company_id = ${companyId} and invoice_id = ${String(invoiceId)}
     order by fecha, noted_at, id`;
}

/**
 * The number of the invoice that takes the place of another, of which nothing more is collected: a valid rectificativa
 * por sustitución, or the F3 for which it was exchanged.
 */
export async function findReplacing(
  tx: Tx,
  companyId: number,
  docNo: string,
): Promise<string | null> {
  const [row] = await tx<{ docNo: string }[]>`
    select i.doc_no as "docNo"
      from invoice_references r
      join invoices i on i.company_id = ${companyId} and i.id = r.invoice_id
      join invoice_documents d on d.company_id = ${companyId} and d.invoice_id = r.invoice_id
     where r.company_id = ${companyId} and r.numero = ${docNo} and i.status <> 'Anulada'
       and (r.kind = 'sustituye' or d.draft ->> 'tipoRectificativa' = 'S')
     order by i.id desc
     limit 1`;
  return row?.docNo ?? null;
}

/**
 * What was collected of the invoices that an invoice replaces, and of those that they had replaced, each once, in
 * decimal text.
 *
 * @param invoiceId one that replaces others
 */
export async function collectedBefore(
  tx: Tx,
  companyId: number,
  invoiceId: bigint,
): Promise<string> {
  const [row] = await tx<{ sum: string }[]>`
    with recursive replaced as (
      select o.id
        from invoice_references r
        join invoices o on o.company_id = ${companyId} and o.doc_no = r.numero
       where r.company_id = ${companyId} and r.invoice_id = ${String(invoiceId)}
       union
      select o.id
        from replaced p
        join invoice_documents d on d.company_id = ${companyId} and d.invoice_id = p.id
        join invoice_references r on r.company_id = ${companyId} and r.invoice_id = p.id
         and (r.kind = 'sustituye' or d.draft ->> 'tipoRectificativa' = 'S')
        join invoices o on o.company_id = ${companyId} and o.doc_no = r.numero)
    select coalesce(sum(c.importe), 0)::numeric(14, 2) as sum
      from replaced p
      join cobros c on c.company_id = ${companyId} and c.invoice_id = p.id
     where c.medio <> '03'`;
  return row?.sum ?? '0.00';
}
