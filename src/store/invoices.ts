import type { InvoiceDraft, InvoiceStatus, TipoFactura } from '../contract/invoices.ts';
import type { Figures } from '../domain/figures.ts';
import type { IssuedInvoice } from '../domain/invoice.ts';
import { docKey, nameKey, searchText } from '../domain/list-text.ts';
import type { Series } from '../domain/series.ts';
import {
  companiesOf,
  ofAnyLength,
  ofCompanies,
  type Statement,
  type Tx,
  textColumn,
} from './sql.ts';

/** The row of an invoice that lists show. Amounts are decimal text of euros (`'121.00'`), signed. */
export interface InvoiceSummary {
  readonly id: bigint;
  readonly docNo: string;
  readonly status: InvoiceStatus;
  readonly tipoFactura: TipoFactura;
  readonly postingDate: string;
  readonly customerNo: string;
  readonly customerNif: string;
  readonly customerName: string;
  readonly base: string;
  readonly vat: string;
  readonly total: string;
  readonly errorMessage: string | null;
  readonly errorCode: number | null;
  readonly seq: bigint | null;
  readonly Huella: string | null;
  readonly CSV: string | null;
  readonly version: number;
  readonly createdAt: Date;
  readonly registeredAt: Date | null;
}

/** An invoice with what its form sent and, once registered, the document as it was issued. */
export interface StoredInvoice extends InvoiceSummary {
  readonly draft: InvoiceDraft;
  /** The document of its latest alta, or of the one it was left at; null for a draft. */
  readonly issued: IssuedInvoice | null;
  /** The amounts of invoices counted here that it replaces; the figures subtract them. Null for nothing. */
  readonly replaced: Figures | null;
}

/** What writing an invoice needs; the store adds the rest. */
export type InvoiceToSave = Omit<
  StoredInvoice,
  'version' | 'createdAt' | 'errorMessage' | 'errorCode' | 'CSV' | 'issued' | 'replaced'
> & { readonly companyId: number; readonly replaced?: Figures | null };

/** An invoice by its number: `B-3`, `00041/26`. */
export interface InvoiceName {
  readonly companyId: number;
  readonly docNo: string;
}

/** Key of invoices of several companies in maps. */
export const nameOfInvoice = ({ companyId, docNo }: InvoiceName): string => `${companyId} ${docNo}`;

/**
 * Restricts a statement to invoices, which it calls `i`. A single one by plain equality: joined with a list, and
 * without statistics of the tables, PostgreSQL would compare all of a company's invoices with all of their documents.
 */
export function areInvoices(tx: Tx, wanted: readonly InvoiceName[]) {
  const [only] = wanted;
  if (only && wanted.length === 1) {
    return tx`i.company_id = ${only.companyId} and i.doc_no = ${only.docNo}`;
  }
  return tx`
    ${ofCompanies(tx, 'i.company_id', companiesOf(wanted))}
      and (i.company_id, i.doc_no) in (
            select * from unnest(${wanted.map((name) => name.companyId)}::int[],
                                 ${wanted.map((name) => name.docNo)}::text[]))`;
}

/** As it is kept. */
export interface SummaryRow {
  company_id: number;
  id: bigint;
  doc_no: string;
  status: InvoiceStatus;
  tipo_factura: TipoFactura;
  posting_date: string;
  customer_no: string;
  customer_nif: string;
  customer_name: string;
  base: string;
  vat: string;
  total: string;
  error_message: string | null;
  error_code: number | null;
  seq: bigint | null;
  huella: string | null;
  csv: string | null;
  version: number;
  created_at: Date;
  registered_at: Date | null;
}

/** The columns of a {@link SummaryRow}, of invoices that the statement calls `i`. */
export function summaryColumns(tx: Tx) {
  return tx`i.company_id, i.id, i.doc_no, i.status, i.tipo_factura, i.posting_date, i.customer_no, i.customer_nif,
    i.customer_name, i.base, i.vat, i.total, i.error_message, i.error_code, i.seq, i.huella, i.csv, i.version,
    i.created_at, i.registered_at`;
}

interface StoredRow extends SummaryRow {
  draft: InvoiceDraft;
  issued: IssuedInvoice | null;
  replaced_base: string | null;
  replaced_vat: string | null;
  replaced_total: string | null;
}

/** Takes identifiers for `count` new invoices, so that their rows can be written without asking for them. */
export async function takeInvoiceIds(tx: Tx, count: number): Promise<bigint[]> {
  if (count === 0) return [];
  // From a subselect: knowing how many, PostgreSQL would plan it anew for each call (docs/decisions/1020).
  const rows = await tx<{ id: bigint }[]>`
    select nextval('invoices_id_seq') as id from generate_series(1, (select ${count}::int))`;
  return rows.map((row) => row.id);
}

/** Finds invoices by number (`B-3`, `00041/26`), locked until the transaction ends. */
export async function lockInvoices(
  tx: Tx,
  companyId: number,
  docNos: readonly string[],
): Promise<Map<string, StoredInvoice>> {
  return byDocNo(await lockInvoicesOf(tx, namesIn(companyId, docNos)));
}

/** The same for several companies, by `nameOfInvoice`. */
export function lockInvoicesOf(
  tx: Tx,
  wanted: readonly InvoiceName[],
): Promise<Map<string, StoredInvoice>> {
  // Always in the same order, so that two transactions never deadlock.
  return readInvoices(tx, wanted, tx`order by i.company_id, i.id for update of i`);
}

/** An invoice by its number, or null: another company's counts as non-existent. */
export async function findInvoice(
  tx: Tx,
  companyId: number,
  docNo: string,
): Promise<StoredInvoice | null> {
  const rows = await readInvoices(tx, namesIn(companyId, [docNo]), tx``);
  return byDocNo(rows).get(docNo) ?? null;
}

/**
 * Invoices to be rectified or exchanged, by number and without locks. If the AEAT refused the last correction of one,
 * it is returned as the AEAT holds it, for that is what is rectified.
 */
export async function findOriginals(
  tx: Tx,
  companyId: number,
  docNos: readonly string[],
): Promise<Map<string, StoredInvoice>> {
  return byDocNo(await findOriginalsOf(tx, namesIn(companyId, docNos)));
}

/** The same for several companies, by `nameOfInvoice`. */
export function findOriginalsOf(
  tx: Tx,
  wanted: readonly InvoiceName[],
): Promise<Map<string, StoredInvoice>> {
  return readInvoices(tx, wanted, tx``, heldIssued(tx));
}

async function readInvoices(
  tx: Tx,
  wanted: readonly InvoiceName[],
  ending: ReturnType<Tx>,
  issued = lastIssued(tx),
): Promise<Map<string, StoredInvoice>> {
  if (wanted.length === 0) return new Map();
  const rows = await tx<StoredRow[]>`
    select ${storedColumns(tx)} from invoices i ${wanted.length === 1 ? besideOne(tx, issued) : beside(tx, issued)}
     where ${areInvoices(tx, wanted)}
     ${ending}`;
  return new Map(
    rows.map((row) => {
      const name = { companyId: row.company_id, docNo: row.doc_no };
      return [nameOfInvoice(name), storedFromRow(row)];
    }),
  );
}

/**
 * The columns of a {@link StoredRow}, of invoices that the statement calls `i` and of what is {@link beside} them.
 */
function storedColumns(tx: Tx) {
  return tx`${summaryColumns(tx)}, d.draft, r.issued, d.replaced_base, d.replaced_vat, d.replaced_total`;
}

function beside(tx: Tx, issued = lastIssued(tx)) {
  return tx`
      join invoice_documents d on d.company_id = i.company_id and d.invoice_id = i.id
      left join lateral (${issued}) r on true`;
}

/**
 * The same for a single invoice. As a plain join, in an installation of a few hundred invoices, PostgreSQL would walk the
 * documents of the company to find its own; many invoices are found in less time by such a join.
 */
function besideOne(tx: Tx, issued: Statement): Statement {
  return tx`
     cross join lateral (
           select draft, replaced_base, replaced_vat, replaced_total from invoice_documents
            where company_id = i.company_id and invoice_id = i.id
           offset 0) d
      left join lateral (${issued}) r on true`;
}

function namesIn(companyId: number, docNos: readonly string[]): InvoiceName[] {
  return docNos.map((docNo) => ({ companyId, docNo }));
}

function byDocNo(found: ReadonlyMap<string, StoredInvoice>): Map<string, StoredInvoice> {
  return new Map([...found.values()].map((invoice) => [invoice.docNo, invoice]));
}

/** Which of these numbers no invoice of the company has. */
export async function missingInvoices(
  tx: Tx,
  companyId: number,
  docNos: readonly string[],
): Promise<string[]> {
  const rows = await tx<{ doc_no: string }[]>`
    select doc_no from invoices
     where company_id = ${companyId} and doc_no = any(${[...docNos]}::text[])`;
  const found = new Set(rows.map((row) => row.doc_no));
  return docNos.filter((docNo) => !found.has(docNo));
}

/** Finds one invoice by its identifier. */
export async function findInvoiceById(
  tx: Tx,
  companyId: number,
  id: bigint,
): Promise<StoredInvoice | null> {
  const [row] = await tx<StoredRow[]>`
    select ${storedColumns(tx)} from invoices i ${beside(tx)}
     where i.company_id = ${companyId} and i.id = ${String(id)}`;
  return row ? storedFromRow(row) : null;
}

/** The invoices after a given one, including drafts, in the order of creation. */
export async function invoicesAfter(
  tx: Tx,
  companyId: number,
  afterId: bigint,
  limit: number,
): Promise<StoredInvoice[]> {
  const rows = await tx<StoredRow[]>`
    select ${storedColumns(tx)} from invoices i ${beside(tx)}
     where i.company_id = ${companyId} and i.id > ${String(afterId)}
     order by i.id
     limit ${limit}`;
  return rows.map(storedFromRow);
}

/** Invoices whose numbers make the same file name, `A/1` and `a-1`: very rare. */
export async function invoicesNamedAlike(tx: Tx, companyId: number): Promise<Set<bigint>> {
  const rows = await tx<{ id: bigint }[]>`
    select id
      from (select id, count(*) over (
                     partition by lower(regexp_replace(doc_no, '[^0-9A-Za-z._-]+', '-', 'g'))) as alike
              from invoices where company_id = ${companyId}) as named
     where alike > 1`;
  return new Set(rows.map((row) => row.id));
}

/** Writes invoices: new ones, and saved ones whose form was saved again or registered. */
export async function saveInvoices(
  tx: Tx,
  invoices: readonly InvoiceToSave[],
  { inOne = false }: { readonly inOne?: boolean } = {},
): Promise<void> {
  const saved = savingInvoices(tx, invoices);
  const documents = savingDocuments(tx, invoices);
  // One statement when all companies live on one machine (decision 0098).
  await (inOne ? tx`with saved as (${saved}) ${documents}` : Promise.all([saved, documents]));
}

/** The statement that writes their rows. */
export function savingInvoices(tx: Tx, invoices: readonly InvoiceToSave[]): Statement {
  const summaries = invoices.map((i) => ({
    company_id: i.companyId,
    id: String(i.id),
    doc_no: i.docNo,
    status: i.status,
    tipo_factura: i.tipoFactura,
    posting_date: i.postingDate,
    customer_no: i.customerNo,
    customer_nif: i.customerNif,
    customer_name: i.customerName,
    base: i.base,
    vat: i.vat,
    total: i.total,
    seq: i.seq === null ? null : String(i.seq),
    huella: i.Huella,
    registered_at: i.registeredAt,
    search_text: searchText(i),
    doc_key: docKey(i.docNo),
    name_key: nameKey(i.customerName),
  }));
  return tx`
    insert into invoices (company_id, id, doc_no, status, tipo_factura, posting_date, customer_no,
           customer_nif, customer_name, base, vat, total, seq, huella, registered_at, search_text, doc_key,
           name_key)
    select * from jsonb_to_recordset(${JSON.stringify(summaries)}::text::jsonb) as t (
             company_id int, id bigint, doc_no text, status text, tipo_factura text, posting_date date,
             customer_no text, customer_nif text, customer_name text, base numeric, vat numeric,
             total numeric, seq bigint, huella text, registered_at timestamptz, search_text text,
             doc_key text, name_key text)
        on conflict (company_id, id) do update
       set doc_no = excluded.doc_no, status = excluded.status, tipo_factura = excluded.tipo_factura,
           posting_date = excluded.posting_date, customer_no = excluded.customer_no,
           customer_nif = excluded.customer_nif, customer_name = excluded.customer_name,
           base = excluded.base, vat = excluded.vat, total = excluded.total, seq = excluded.seq,
           huella = excluded.huella, registered_at = excluded.registered_at,
           search_text = excluded.search_text, doc_key = excluded.doc_key,
           name_key = excluded.name_key, error_message = null, error_code = null, csv = null,
           version = invoices.version + 1, updated_at = now()`;
}

/** The statement that writes the forms of the invoices. After their rows, or with them. */
export function savingDocuments(tx: Tx, invoices: readonly InvoiceToSave[]): Statement {
  const drafts = invoices.map(({ draft }) => JSON.stringify(draft));
  const replaced = (of: keyof Figures) => {
    const amounts = invoices.map((invoice) => invoice.replaced?.[of] ?? null);
    return tx`${amounts}::numeric[]`;
  };
  // Hardly any invoice replaces others: usually nothing of this is sent.
  const areSome = invoices.some((invoice) => invoice.replaced);
  return tx`
    insert into invoice_documents
           (company_id, invoice_id, draft, replaced_base, replaced_vat, replaced_total)
    select t.* ${areSome ? tx`` : tx`, null::numeric, null::numeric, null::numeric`}
      from unnest(${invoices.map(({ companyId }) => companyId)}::int[],
                  ${invoices.map(({ id }) => String(id))}::bigint[],
                  ${textColumn(tx, drafts)}::jsonb[]
                  ${areSome ? tx`, ${replaced('base')}, ${replaced('vat')}, ${replaced('total')}` : tx``}) as t
        on conflict (company_id, invoice_id) do update
       set draft = excluded.draft, replaced_base = excluded.replaced_base,
           replaced_vat = excluded.replaced_vat, replaced_total = excluded.replaced_total`;
}

/** A registered invoice whose latest registro is a new one, not answered yet. */
export async function markDeclaredAgain(
  tx: Tx,
  companyId: number,
  id: bigint,
  { seq, Huella }: { readonly seq: bigint; readonly Huella: string },
): Promise<void> {
  await tx`
    update invoices
       set status = 'En espera', seq = ${String(seq)}, huella = ${Huella}, error_message = null,
           error_code = null, version = version + 1, updated_at = now()
     where company_id = ${companyId} and id = ${String(id)}`;
}

/**
 * Locks invoices in the common order and before the cadena, so that storing an answer and registering never deadlock.
 */
export async function lockInvoicesById(
  tx: Tx,
  companyId: number,
  ids: readonly bigint[],
): Promise<void> {
  await tx`
    select id from invoices
     where company_id = ${companyId} and id = any(${ofAnyLength(tx, 'bigint', ids.map(String))})
     order by id
       for update`;
}

/** Deletes invoices; the trigger refuses it for a registered one. */
export async function deleteInvoices(
  tx: Tx,
  companyId: number,
  ids: readonly bigint[],
): Promise<void> {
  await tx`
    delete from invoices where company_id = ${companyId} and id = any(${ids.map(String)}::bigint[])`;
}

/** Deletes the drafts of an account that is closed. */
export async function deleteDrafts(tx: Tx, companyId: number): Promise<void> {
  await tx`
    delete from invoices
     where company_id = ${companyId} and status = 'Borrador' and registered_at is null`;
}

/** How many invoices of the company are registered, counted up to `limit`. */
export async function countRegistered(tx: Tx, companyId: number, limit: number): Promise<number> {
  const [row] = await tx<{ count: number }[]>`
    select count(*)::int as count
      from (select 1 from invoices
             where company_id = ${companyId} and registered_at is not null
             limit ${limit}) as registered`;
  return row?.count ?? 0;
}

/** Whether a customer appears in any invoice, drafts included. */
export async function isCustomerUsed(
  tx: Tx,
  companyId: number,
  customerNo: string,
): Promise<boolean> {
  const [row] = await tx<{ used: boolean }[]>`
    select exists (select 1 from invoices
                    where company_id = ${companyId} and customer_no = ${customerNo}) as used`;
  return row?.used ?? false;
}

/**
 * The first of some series that has a registered invoice with a number from its next one on, by its index among them;
 * null when there is none. The numbers are read once for all series.
 *
 * @param since only numbers of registros after this position of the cadena, and those that were lost
 */
export async function firstTaken(
  tx: Tx,
  companyId: number,
  series: readonly Series[],
  since: bigint | null,
): Promise<number | null> {
  const given =
    since === null
      ? tx`select doc_no from invoices where company_id = ${companyId} and registered_at is not null`
      : tx`select num_serie_factura as doc_no from registros
            where company_id = ${companyId} and seq > ${String(since)}`;
  const [row] = await tx<{ place: number | null }[]>`
    select min(place)::int as place
      from (${given}
             union all
            select num_serie_factura from registros_perdidos where company_id = ${companyId}) n
     cross join ${countersIn(tx, series)}
     where case when counter ~ '^[0-9]{1,18}$' then counter::bigint >= first end`;
  return row?.place ? row.place - 1 : null;
}

/** The day of the last registered invoice of each of some series, by its index among them, whatever its number. */
export async function lastDaysOf(
  tx: Tx,
  companyId: number,
  series: readonly Series[],
): Promise<ReadonlyMap<number, string>> {
  const rows = await tx<{ place: number; day: string }[]>`
    select place::int, max(day) as day
      from (select doc_no, posting_date as day from invoices
             where company_id = ${companyId} and registered_at is not null
             union all
            select num_serie_factura, to_date(fecha_expedicion_factura, 'DD-MM-YYYY') from registros_perdidos
             where company_id = ${companyId}) n
     cross join ${countersIn(tx, series)}
     where counter ~ '^[0-9]{1,18}$'
     group by place`;
  return new Map(rows.map(({ place, day }) => [place - 1, day]));
}

/** The digits of a number `doc_no` at the place where each of some series has its counter. */
function countersIn(tx: Tx, series: readonly Series[]): Statement {
  return tx`
    unnest(${series.map(({ prefix }) => prefix)}::text[], ${series.map(({ suffix }) => suffix)}::text[],
           ${series.map(({ nextNumber }) => String(nextNumber))}::bigint[])
      with ordinality as s (prefix, suffix, first, place)
     cross join lateral (
           select substr(doc_no, length(prefix) + 1, greatest(length(doc_no) - length(prefix) - length(suffix), 0))
            where starts_with(doc_no, prefix) and right(doc_no, length(suffix)) = suffix) as c (counter)`;
}

/**
 * The document of an invoice's latest alta, or of the one it was left at (decision 0133); an anulación has none of
 * its own.
 *
 * A draft has no registro, so nothing is looked up. `seq + 0` keeps PostgreSQL from walking the company's whole
 * cadena backwards for each invoice, which its key (company_id, seq) tempts it to do.
 */
function lastIssued(tx: Tx): Statement {
  return tx`
    select issued from registros
     where i.registered_at is not null
       and company_id = i.company_id and invoice_id = i.id and issued is not null
       and seq + 0 <= i.seq
     order by seq + 0 desc limit 1`;
}

/**
 * The same, for statements that look for it among the invoices of one company.
 *
 * @param invoice the name that its row has there
 */
export function issuedOf(tx: Tx, companyId: number, invoice: Statement): Statement {
  return tx`
    select g.issued from registros g
     where g.company_id = ${companyId} and g.invoice_id = ${invoice}.id and g.issued is not null
       and g.seq + 0 <= ${invoice}.seq
     order by g.seq + 0 desc limit 1`;
}

/**
 * The document of the last alta of an invoice that the AEAT did not refuse; of the last one when it refused all.
 *
 * @param invoice the name that its row has there
 */
export function heldIssued(tx: Tx, invoice: Statement = tx`i`): Statement {
  return tx`
    select g.issued
      from registros g
      left join respuestas a on a.company_id = g.company_id and a.seq = g.seq
     where ${invoice}.registered_at is not null
       and g.company_id = ${invoice}.company_id and g.invoice_id = ${invoice}.id and g.issued is not null
       and g.seq + 0 <= ${invoice}.seq
     order by (a.estado_registro is not distinct from 'Incorrecto'), g.seq + 0 desc limit 1`;
}

export function summaryFromRow(row: SummaryRow): InvoiceSummary {
  return {
    id: row.id,
    docNo: row.doc_no,
    status: row.status,
    tipoFactura: row.tipo_factura,
    postingDate: row.posting_date,
    customerNo: row.customer_no,
    customerNif: row.customer_nif,
    customerName: row.customer_name,
    base: row.base,
    vat: row.vat,
    total: row.total,
    errorMessage: row.error_message,
    errorCode: row.error_code,
    seq: row.seq,
    Huella: row.huella,
    CSV: row.csv,
    version: row.version,
    createdAt: row.created_at,
    registeredAt: row.registered_at,
  };
}

function storedFromRow(row: StoredRow): StoredInvoice {
  const { draft, issued, replaced_base: base, replaced_vat: vat, replaced_total: total } = row;
  const replaced = base === null || vat === null || total === null ? null : { base, vat, total };
  return { ...summaryFromRow(row), draft, issued, replaced };
}
