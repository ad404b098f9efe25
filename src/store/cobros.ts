import type { MedioDeCobro } from '../domain/cobros.ts';
import type { IssuedInvoice } from '../domain/invoice.ts';
import { NIL_UUID } from '../domain/nil-uuid.ts';
import { takesPlace } from './invoice-references.ts';
import { issuedOf } from './invoices.ts';
import type { Tx } from './sql.ts';

interface NotedDown {
  readonly id: string;
  /** `YYYY-MM-DD`. */
  readonly fecha: string;
  /** Decimal text; negative for what is given back. */
  readonly importe: string;
  readonly medio: MedioDeCobro;
  /** The account, or whatever else proves it; empty for nothing. */
  readonly identificacion: string;
}

/** What was collected of an invoice, as its company noted it down. */
export interface Cobro extends NotedDown {
  /** The number of the invoice or the credit that it was settled against; null for money. */
  readonly settledAgainst: string | null;
}

export interface CobroToNote extends NotedDown {
  readonly invoiceId: bigint;
  /** The cobro of the other, if it is settled against a credit or an invoice. */
  readonly settledWith: string | null;
  readonly notedAt: Date;
  readonly sid: string | null;
}

export async function insertCobros(
  tx: Tx,
  companyId: number,
  cobros: readonly CobroToNote[],
): Promise<void> {
  await tx`
    insert into cobros
      (company_id, id, invoice_id, fecha, importe, medio, identificacion, noted_at, sid, settled_with)
    select ${companyId}::int, c.*
      from unnest(${cobros.map(({ id }) => id)}::uuid[],
                  ${cobros.map(({ invoiceId }) => String(invoiceId))}::bigint[],
                  ${cobros.map(({ fecha }) => fecha)}::date[],
                  ${cobros.map(({ importe }) => importe)}::numeric[],
                  ${cobros.map(({ medio }) => medio)}::text[],
                  ${cobros.map(({ identificacion }) => identificacion)}::text[],
                  ${cobros.map(({ notedAt }) => notedAt.toISOString())}::timestamptz[],
                  ${cobros.map(({ sid }) => sid)}::uuid[],
                  ${cobros.map(({ settledWith }) => settledWith)}::uuid[]) as c`;
}

/** @returns what it was; null if it was not there */
export async function deleteCobro(
  tx: Tx,
  companyId: number,
  invoiceId: bigint,
  id: string,
): Promise<Pick<Cobro, 'fecha' | 'importe'> | null> {
  const [deleted] = await tx<Pick<Cobro, 'fecha' | 'importe'>[]>`
    delete from cobros
     where company_id = ${companyId} and invoice_id = ${String(invoiceId)} and id = ${id}
 returning fecha, importe`;
  return deleted ?? null;
}

/** Those of an invoice, by day. */
export async function listCobros(tx: Tx, companyId: number, invoiceId: bigint): Promise<Cobro[]> {
  return tx<Cobro[]>`
    select c.id, c.fecha, c.importe, c.medio, c.identificacion, a.doc_no as "settledAgainst"
      from cobros c
      left join cobros o on o.company_id = ${companyId} and o.id = c.settled_with
      left join invoices a on a.company_id = ${companyId} and a.id = o.invoice_id
     where c.company_id = ${companyId} and c.invoice_id = ${String(invoiceId)}
     order by c.fecha, c.noted_at, c.id`;
}

/** The other one of the two that were noted down when an invoice and its credit were settled against each other. */
export interface OtherSide {
  readonly id: string;
  /** Of its invoice. */
  readonly docNo: string;
}

/** That of a cobro; null if it was not settled, or the other one is gone. */
export async function findOtherSide(
  tx: Tx,
  companyId: number,
  id: string,
): Promise<OtherSide | null> {
  const [other] = await tx<OtherSide[]>`
    select o.id, a.doc_no as "docNo"
      from cobros c
      join cobros o on o.company_id = ${companyId} and o.id = c.settled_with
      join invoices a on a.company_id = ${companyId} and a.id = o.invoice_id
     where c.company_id = ${companyId} and c.id = ${id}`;
  return other ?? null;
}

/** The place of a cobro among all of a company: by its day, then by its id. */
export interface PlaceOfCobro {
  readonly fecha: string;
  readonly id: string;
}

/** The next cobros of a company, with the numbers of their invoices. */
export async function cobrosAfter(
  tx: Tx,
  companyId: number,
  after: PlaceOfCobro | null,
  limit: number,
): Promise<(Cobro & { readonly docNo: string; readonly notedAt: Date })[]> {
  return tx<(Cobro & { docNo: string; notedAt: Date })[]>`
    select c.id, c.fecha, c.importe, c.medio, c.identificacion, c.noted_at as "notedAt",
           i.doc_no as "docNo", a.doc_no as "settledAgainst"
      from cobros c
      join invoices i on i.company_id = ${companyId} and i.id = c.invoice_id
      left join cobros o on o.company_id = ${companyId} and o.id = c.settled_with
      left join invoices a on a.company_id = ${companyId} and a.id = o.invoice_id
     where c.company_id = ${companyId}
       and (c.fecha, c.id) > (${after?.fecha ?? '-infinity'}::date, ${after?.id ?? NIL_UUID}::uuid)
     order by c.fecha, c.id
     limit ${limit}`;
}

/**
 * The number of the valid invoice that takes the place of another, of which nothing more is collected. Of two, the one
 * that was registered first.
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
       and ${takesPlace(tx)}
     order by i.registered_at, i.id
     limit 1`;
  return row?.docNo ?? null;
}

/** An invoice that replaces others. */
export interface Replacing {
  readonly id: bigint;
  /** The numbers of those among the others that its paper has taken off by itself. */
  readonly paidAtOnce: readonly string[];
}

/**
 * What was collected of the invoices that each invoice replaces, and of those that they had replaced, each once, in
 * decimal text by id; without those of which nothing was. What an earlier invoice has replaced already counts in that one.
 */
export async function collectedBefore(
  tx: Tx,
  companyId: number,
  replacing: readonly Replacing[],
): Promise<Map<bigint, string>> {
  if (replacing.length === 0) return new Map();
  const apart = replacing.flatMap(({ id, paidAtOnce }) =>
    paidAtOnce.map((docNo) => ({ id: String(id), docNo })),
  );
  const isFirst = tx`not exists (
    select from invoice_references r
      join invoices x on x.company_id = ${companyId} and x.id = r.invoice_id
      join invoice_documents d on d.company_id = ${companyId} and d.invoice_id = r.invoice_id
     where r.company_id = ${companyId} and r.numero = o.doc_no and x.status <> 'Anulada' and ${takesPlace(tx)}
       and (x.registered_at, x.id) < (p.registered_at, p.id))`;
  const rows = await tx<{ id: bigint; sum: string }[]>`
    with recursive replaced as (
      select p.id as root, o.id, o.registered_at
        from invoices p
        join invoice_references r on r.company_id = ${companyId} and r.invoice_id = p.id
        join invoices o on o.company_id = ${companyId} and o.doc_no = r.numero
       where p.company_id = ${companyId} and p.id = any(${replacing.map(({ id }) => String(id))}::bigint[])
         and (p.id, o.doc_no) not in (
               select * from unnest(${apart.map(({ id }) => id)}::bigint[],
                                    ${apart.map(({ docNo }) => docNo)}::text[]))
         and ${isFirst}
       union
      select p.root, o.id, o.registered_at
        from replaced p
        join invoice_documents d on d.company_id = ${companyId} and d.invoice_id = p.id
        join invoice_references r on r.company_id = ${companyId} and r.invoice_id = p.id
         and ${takesPlace(tx)}
        join invoices o on o.company_id = ${companyId} and o.doc_no = r.numero
       where ${isFirst})
    select p.root as id, sum(c.importe)::numeric(14, 2) as sum
      from replaced p
      join cobros c on c.company_id = ${companyId} and c.invoice_id = p.id
     where c.medio <> '03'
     group by p.root`;
  return new Map(rows.map(({ id, sum }) => [id, sum]));
}

/**
 * Whether anything stands noted down of the invoices that one replaces, or of those that they had replaced, whichever
 * invoice it counts for.
 */
export async function hasCobrosBefore(tx: Tx, companyId: number, id: bigint): Promise<boolean> {
  const [row] = await tx<{ found: boolean }[]>`
    with recursive replaced as (
      select ${String(id)}::bigint as id
       union
      select o.id
        from replaced p
        join invoice_documents d on d.company_id = ${companyId} and d.invoice_id = p.id
        join invoice_references r on r.company_id = ${companyId} and r.invoice_id = p.id and ${takesPlace(tx)}
        join invoices o on o.company_id = ${companyId} and o.doc_no = r.numero)
    select exists (
      select from replaced p
        join cobros c on c.company_id = ${companyId} and c.invoice_id = p.id
       where p.id <> ${String(id)}::bigint) as found`;
  return row?.found ?? false;
}

/** An invoice of which something was noted down. */
export interface CollectedInvoice
  extends Pick<
    IssuedInvoice,
    'payable' | 'pagado' | 'sustituye' | 'tipoFactura' | 'tipoRectificativa'
  > {
  readonly id: bigint;
  readonly docNo: string;
  /** Decimal text. */
  readonly collected: string;
}

/** Those of some invoices, by number, with what was collected. */
export async function findCollected(
  tx: Tx,
  companyId: number,
  docNos: readonly string[],
): Promise<CollectedInvoice[]> {
  if (docNos.length === 0) return [];
  return tx<CollectedInvoice[]>`
    select i.id, i.doc_no as "docNo", c.collected, r.issued ->> 'payable' as payable,
           r.issued -> 'pagado' as pagado, r.issued -> 'sustituye' as sustituye,
           r.issued ->> 'tipoFactura' as "tipoFactura",
           r.issued ->> 'tipoRectificativa' as "tipoRectificativa"
      from invoices i
     cross join lateral (
           select sum(importe) as collected from cobros
            where company_id = ${companyId} and invoice_id = i.id and medio <> '03') as c
     cross join lateral (${issuedOf(tx, companyId, tx`i`)}) as r
     where i.company_id = ${companyId} and i.doc_no = any(${[...docNos]}::text[])
       and c.collected is not null`;
}
