import type { InvoiceStatus } from '../contract/invoices.ts';
import type { Origin } from './business-central.ts';
import type { PartyKind } from './business-central-parties.ts';
import type { Tx } from './sql.ts';

export type DocumentState = 'importada' | 'retenida';

/** A posted document of Business Central, and what became of it. */
export interface OriginDocument {
  readonly bcId: string;
  readonly kind: 'factura' | 'abono';
  readonly number: string;
  readonly issuedOn: string;
  readonly customerName: string;
  /** Decimal text of euros, positive. */
  readonly total: string;
  readonly contentHash: string;
  readonly state: DocumentState;
  readonly reasons: readonly string[];
  readonly missing: readonly string[];
  /** The document as it was received, while it is held or its draft does not agree with it. */
  readonly source: unknown;
  readonly invoiceId: bigint | null;
  readonly version: number | null;
  readonly registers: boolean;
}

interface DocumentRow {
  bc_id: string;
  kind: 'factura' | 'abono';
  number: string;
  issued_on: string;
  customer_name: string;
  total: string;
  content_hash: string;
  state: DocumentState;
  reasons: string[];
  missing: string[];
  source: unknown;
  invoice_id: bigint | null;
  version: number | null;
  registers: boolean;
  doc_no: string | null;
  status: InvoiceStatus | null;
}

/** A known document with the current state of the invoice that it became. */
export interface KnownDocument extends OriginDocument {
  readonly docNo: string | null;
  readonly invoiceStatus: InvoiceStatus | null;
}

export async function findDocuments(
  tx: Tx,
  { companyId, bcCompany }: Origin,
  bcIds: readonly string[],
): Promise<Map<string, KnownDocument>> {
  if (bcIds.length === 0) return new Map();
  const rows = await tx<DocumentRow[]>`
    select d.bc_id, d.kind, d.number, d.issued_on, d.customer_name, d.total, d.content_hash, d.state, d.reasons,
           d.missing, d.source, d.invoice_id, d.version, d.registers, i.doc_no, i.status
      from bc_documents d
      left join invoices i on i.company_id = d.company_id and i.id = d.invoice_id
     where d.company_id = ${companyId} and d.bc_company = ${bcCompany}
       and d.bc_id = any(${[...bcIds]}::uuid[])`;
  return new Map(rows.map((row) => [row.bc_id, documentFromRow(row)]));
}

/** The imported documents with some numbers: `bc_id` by kind, number and day (`factura|A-1|2026-11-20`). */
export async function findSameNumbers(
  tx: Tx,
  { companyId }: Pick<Origin, 'companyId'>,
  numbers: readonly string[],
): Promise<Map<string, string>> {
  const rows = await tx<{ key: string; bc_id: string }[]>`
    select kind || '|' || number || '|' || issued_on as key, bc_id from bc_documents
     where company_id = ${companyId} and state = 'importada'
       and number = any(${[...numbers]}::text[])`;
  return new Map(rows.map((row) => [row.key, row.bc_id]));
}

/** The held documents after a given one, as they were received. */
export async function nextHeld(
  tx: Tx,
  { companyId, bcCompany }: Origin,
  afterId: string,
  limit: number,
): Promise<{ bcId: string; source: unknown }[]> {
  return tx<{ bcId: string; source: unknown }[]>`
    select bc_id as "bcId", source from bc_documents
     where company_id = ${companyId} and bc_company = ${bcCompany} and state = 'retenida'
       and bc_id > ${afterId} and source is not null
     order by bc_id limit ${limit}`;
}

export async function saveDocuments(
  tx: Tx,
  { companyId, bcCompany }: Origin,
  documents: readonly OriginDocument[],
): Promise<void> {
  if (documents.length === 0) return;
  const column = <T>(value: (document: OriginDocument) => T) => documents.map(value);
  await tx`
    insert into bc_documents (company_id, bc_company, bc_id, kind, number, issued_on, customer_name,
           total, content_hash, state, reasons, missing, source, invoice_id, version, registers)
    select ${companyId}, ${bcCompany}, t.bc_id, t.kind, t.number, t.issued_on, t.customer_name,
           t.total, t.hash, t.state, t.reasons::jsonb,
           array(select jsonb_array_elements_text(t.missing::jsonb)), t.source::jsonb,
           t.invoice_id, t.version, t.registers = 1
      from unnest(${column((d) => d.bcId)}::uuid[], ${column((d) => d.kind)}::text[],
                  ${column((d) => d.number)}::text[], ${column((d) => d.issuedOn)}::date[],
                  ${column((d) => d.customerName)}::text[], ${column((d) => d.total)}::numeric[],
                  ${column((d) => d.contentHash)}::text[], ${column((d) => d.state)}::text[],
                  ${column((d) => JSON.stringify(d.reasons))}::text[],
                  ${column((d) => JSON.stringify(d.missing))}::text[],
                  ${column((d) => (d.source === null ? null : JSON.stringify(d.source)))}::text[],
                  ${column((d) => (d.invoiceId === null ? null : String(d.invoiceId)))}::bigint[],
                  ${column((d) => d.version)}::int[],
                  ${column((d) => Number(d.registers))}::int[]
           ) as t (bc_id, kind, number, issued_on, customer_name, total, hash, state, reasons,
                   missing, source, invoice_id, version, registers)
        on conflict (company_id, bc_company, bc_id) do update
       set kind = excluded.kind, number = excluded.number, issued_on = excluded.issued_on,
           customer_name = excluded.customer_name, total = excluded.total,
           content_hash = excluded.content_hash, state = excluded.state,
           reasons = excluded.reasons, missing = excluded.missing, source = excluded.source,
           invoice_id = excluded.invoice_id, version = excluded.version,
           registers = excluded.registers`;
}

export interface DraftToRegister {
  readonly bcId: string;
  readonly docNo: string;
  readonly version: number;
  readonly draft: unknown;
}

/**
 * Drafts that the company wants registered without asking, by date; without those that were refused, and those that
 * somebody has saved since, which are registered by whoever did.
 */
export async function nextToRegister(
  tx: Tx,
  { companyId, bcCompany }: Origin,
  limit: number,
): Promise<DraftToRegister[]> {
  return tx<{ bcId: string; docNo: string; version: number; draft: unknown }[]>`
    select d.bc_id as "bcId", i.doc_no as "docNo", i.version, c.draft
      from bc_documents d
      join invoices i on i.company_id = d.company_id and i.id = d.invoice_id
      join invoice_documents c on c.company_id = i.company_id and c.invoice_id = i.id
     where d.company_id = ${companyId} and d.bc_company = ${bcCompany} and d.registers
       and i.status = 'Borrador' and i.version = d.version
     order by i.posting_date, i.id
     limit ${limit}`;
}

/** Records that these will not be registered automatically any more, and why. */
export async function noteRefused(
  tx: Tx,
  { companyId, bcCompany }: Origin,
  refused: readonly { readonly bcId: string; readonly reasons: readonly string[] }[],
): Promise<void> {
  if (refused.length === 0) return;
  await tx`
    update bc_documents d set registers = false, reasons = t.reasons::jsonb
      from unnest(${refused.map((r) => r.bcId)}::uuid[],
                  ${refused.map((r) => JSON.stringify(r.reasons))}::text[]) as t (bc_id, reasons)
     where d.company_id = ${companyId} and d.bc_company = ${bcCompany} and d.bc_id = t.bc_id`;
}

/**
 * Lets the refused ones be tried again, without those that somebody has saved since, or that do not agree with their
 * document.
 */
export async function registerAgain(tx: Tx, { companyId, bcCompany }: Origin): Promise<void> {
  await tx`
    update bc_documents d set registers = true, reasons = '[]'
      from invoices i
     where d.company_id = ${companyId} and d.bc_company = ${bcCompany} and not d.registers
       and d.reasons <> '[]' and d.state = 'importada'
       and d.source is null and i.company_id = ${companyId} and i.id = d.invoice_id
       and i.status = 'Borrador' and i.version = d.version`;
}

/** What is written into the document in Business Central once the AEAT has answered. */
export interface WriteBack {
  readonly bcId: string;
  readonly kind: 'factura' | 'abono';
  readonly number: string;
  readonly docNo: string;
  readonly issuedOn: string;
  readonly status: InvoiceStatus;
  readonly Huella: string;
  readonly CSV: string;
  readonly qr: string;
  readonly attachmentId: string | null;
  /** Changes whenever the text to be written changes. */
  readonly stamp: string;
}

/** Invoices answered by the AEAT of which Business Central has not been told, starting after one of its documents. */
export async function nextToWriteBack(
  tx: Tx,
  { companyId, bcCompany }: Origin,
  afterId: string,
  limit: number,
): Promise<WriteBack[]> {
  return tx<WriteBack[]>`
    select d.bc_id as "bcId", d.kind, d.number, i.doc_no as "docNo", d.issued_on as "issuedOn",
           i.status, coalesce(i.huella, '') as "Huella", coalesce(i.csv, '') as "CSV",
           coalesce((select r.issued->>'qr' from registros r
                      where r.company_id = ${companyId} and r.invoice_id = i.id
                        and r.issued is not null and r.seq <= i.seq
                      order by r.seq desc limit 1), '') as qr,
           d.attachment_id as "attachmentId", ${stampOf(tx)} as stamp
      from bc_documents d
     cross join lateral ${invoiceOf(tx, companyId)}
     where d.company_id = ${companyId} and d.bc_company = ${bcCompany} and d.bc_id > ${afterId}
       and d.written_back is null and d.invoice_id is not null
       and i.status in ('Registrada', 'Aceptado con errores', 'Rechazado', 'Anulada')
     order by d.bc_id
     limit ${limit}`;
}

/** Records what was written, unless the AEAT has answered differently meanwhile. */
export async function noteWrittenBack(
  tx: Tx,
  { companyId, bcCompany }: Origin,
  { bcId, attachmentId, stamp }: { bcId: string; attachmentId: string; stamp: string },
): Promise<void> {
  await tx`
    update bc_documents d
       set attachment_id = ${attachmentId}, written_back = case when ${stampOf(tx)} = ${stamp} then ${stamp} end
      from invoices i
     where d.company_id = ${companyId} and d.bc_company = ${bcCompany} and d.bc_id = ${bcId}
       and i.company_id = ${companyId} and i.id = d.invoice_id`;
}

/**
 * Has Business Central told of these invoices again, if they came from there, because the AEAT's answer has changed.
 */
export async function writeBackAgain(
  tx: Tx,
  companyId: number,
  invoiceIds: readonly bigint[],
): Promise<void> {
  await tx`
    update bc_documents set written_back = null
     where company_id = ${companyId} and invoice_id = any(${invoiceIds.map(String)}::bigint[])
       and written_back is not null
       and exists (select from bc_documents where company_id = ${companyId})`;
}

/** Changes whenever what is written back for an invoice `i` changes. */
function stampOf(tx: Tx) {
  return tx`md5(concat_ws('|', i.doc_no, i.status, i.huella, i.csv))`;
}

/** The invoice of a document `d`. The `limit` keeps PostgreSQL from reading all invoices to join a few. */
function invoiceOf(tx: Tx, companyId: number) {
  return tx`(select * from invoices where company_id = ${companyId} and id = d.invoice_id limit 1) as i`;
}

/** A line of the CSV: a document that was imported, with what became of it. */
export interface OriginRow {
  readonly bcId: string;
  readonly kind: string;
  readonly number: string;
  readonly issuedOn: string;
  readonly customerName: string;
  readonly total: string;
  readonly state: DocumentState;
  readonly reasons: readonly string[];
  readonly docNo: string | null;
  readonly status: InvoiceStatus | null;
  readonly Huella: string | null;
  readonly CSV: string | null;
  readonly qr: string | null;
}

export async function nextOriginRows(
  tx: Tx,
  companyId: number,
  after: { readonly issuedOn: string; readonly bcId: string },
  limit: number,
): Promise<OriginRow[]> {
  return tx<OriginRow[]>`
    select d.bc_id as "bcId", d.kind, d.number, d.issued_on as "issuedOn",
           d.customer_name as "customerName", d.total, d.state, d.reasons, i.doc_no as "docNo",
           i.status, i.huella as "Huella", i.csv as "CSV",
           (select r.issued->>'qr' from registros r
             where r.company_id = ${companyId} and r.invoice_id = i.id and r.issued is not null
               and r.seq <= i.seq
             order by r.seq desc limit 1) as qr
      from (select * from bc_documents
             where company_id = ${companyId}
               and (issued_on, bc_id) > (${after.issuedOn}::date, ${after.bcId}::uuid)
             order by issued_on, bc_id limit ${limit}) as d
      left join lateral ${invoiceOf(tx, companyId)} on true
     order by d.issued_on, d.bc_id`;
}

/** Something that was not imported, or imported and not registered, and why. */
export interface Problem {
  readonly tipo: PartyKind | 'factura' | 'abono';
  readonly number: string;
  readonly name: string;
  readonly issuedOn: string | null;
  readonly total: string | null;
  readonly reasons: readonly string[];
  readonly docNo: string | null;
}

/** Everything with a problem: documents by date, then clients and items. */
export async function listProblems(
  tx: Tx,
  companyId: number,
  bcCompany: string,
  limit: number,
): Promise<{ problems: Problem[]; total: number }> {
  const [problems, [counted]] = await Promise.all([
    tx<Problem[]>`
      select d.tipo, d.number, d.name, d."issuedOn", d.total, d.reasons, coalesce(d.no, i.doc_no) as "docNo" from (
        (select kind as tipo, number, customer_name as name, issued_on::text as "issuedOn",
                total::text as total, reasons, invoice_id, null as no
           from bc_documents
          where company_id = ${companyId} and bc_company = ${bcCompany} and reasons <> '[]'
          order by issued_on, number limit ${limit})
         union all
        (select kind, number, name, null, null, problems, null, no
           from bc_parties
          where company_id = ${companyId} and bc_company = ${bcCompany} and problems <> '[]'
          order by number limit ${limit})
      ) as d
        left join lateral ${invoiceOf(tx, companyId)} on true
       order by d."issuedOn" nulls last, d.number limit ${limit}`,
    tx<{ count: number }[]>`
      select (select count(*) from bc_documents d where d.company_id = ${companyId}
                 and d.bc_company = ${bcCompany} and d.reasons <> '[]')::int
           + (select count(*) from bc_parties p where p.company_id = ${companyId}
                 and p.bc_company = ${bcCompany} and p.problems <> '[]')::int as count`,
  ]);
  return { problems, total: counted?.count ?? 0 };
}

/** On closing an account, deletes the origins that belong to no registered invoice, and the personal data of others. */
export async function forgetOrigins(tx: Tx, companyId: number): Promise<void> {
  await tx`delete from bc_parties where company_id = ${companyId}`;
  await tx`
    delete from bc_documents d
     where d.company_id = ${companyId}
       and not exists (select 1 from invoices i
                        where i.company_id = ${companyId} and i.id = d.invoice_id
                          and i.registered_at is not null)`;
  await tx`update bc_documents set source = null where company_id = ${companyId} and source is not null`;
  await tx`delete from bc_cursors where company_id = ${companyId}`;
  await tx`delete from bc_tax_codes where company_id = ${companyId}`;
  await tx`delete from bc_runs where company_id = ${companyId}`;
}

function documentFromRow(row: DocumentRow): KnownDocument {
  return {
    bcId: row.bc_id,
    kind: row.kind,
    number: row.number,
    issuedOn: row.issued_on,
    customerName: row.customer_name,
    total: row.total,
    contentHash: row.content_hash,
    state: row.state,
    reasons: row.reasons,
    missing: row.missing,
    source: row.source,
    invoiceId: row.invoice_id,
    version: row.version,
    registers: row.registers,
    docNo: row.doc_no,
    invoiceStatus: row.status,
  };
}
