import type { Cliente } from '../contract/parties.ts';
import type { Product } from './products.ts';
import type { Tx } from './sql.ts';

/** An invoice that a file brought, as it stands now. */
export interface ImportedRow {
  readonly referencia: string;
  readonly contentHash: string;
  readonly docNo: string;
  readonly isDraft: boolean;
  /** Whether somebody saved its draft again since. */
  readonly isTouched: boolean;
}

/** What earlier files brought, of the references given (folded) or of all of them. */
export async function findImported(
  tx: Tx,
  companyId: number,
  references: readonly string[] | null = null,
): Promise<ImportedRow[]> {
  const rows = await tx<
    {
      referencia: string;
      content_hash: string;
      doc_no: string;
      is_draft: boolean;
      is_touched: boolean;
    }[]
  >`
    select m.referencia, m.content_hash, i.doc_no, i.status = 'Borrador' as is_draft,
           i.version <> m.version as is_touched
      from imported_invoices m
      join invoices i on i.company_id = m.company_id and i.id = m.invoice_id
     where m.company_id = ${companyId}
       ${references ? tx`and m.referencia = any(${[...references]}::text[])` : tx``}`;
  return rows.map((row) => ({
    referencia: row.referencia,
    contentHash: row.content_hash,
    docNo: row.doc_no,
    isDraft: row.is_draft,
    isTouched: row.is_touched,
  }));
}

/**
 * Has PostgreSQL plan anew what touches invoices.
 *
 * The check of a foreign key is planned once per connection: planned while the table was as good as
 * empty, it would go through all of a company's invoices for each of ten thousand rows.
 */
export async function refreshPlans(tx: Tx): Promise<void> {
  await tx`analyze invoices (company_id, id)`;
}

/** Notes which invoices a file brought, at the version at which it left them. */
export async function saveImported(
  tx: Tx,
  companyId: number,
  rows: readonly {
    readonly referencia: string;
    readonly invoiceId: bigint;
    readonly contentHash: string;
    readonly version: number;
  }[],
): Promise<void> {
  await tx`
    insert into imported_invoices (company_id, referencia, invoice_id, content_hash, version)
    select ${companyId}, t.*
      from unnest(${rows.map((row) => row.referencia)}::text[],
                  ${rows.map((row) => String(row.invoiceId))}::bigint[],
                  ${rows.map((row) => row.contentHash)}::text[],
                  ${rows.map((row) => row.version)}::int[]) as t
        on conflict (company_id, referencia) do update
       set invoice_id = excluded.invoice_id, content_hash = excluded.content_hash,
           version = excluded.version, imported_at = now()`;
}

/** Codes of customers that left the lists and stand in some invoice. */
export async function listArchivedNos(tx: Tx, companyId: number): Promise<string[]> {
  const rows = await tx<{ no: string }[]>`
    select no from customers where company_id = ${companyId} and archived_at is not null`;
  return rows.map((row) => row.no);
}

/** Inserts and rewrites customers in one statement. Each has its code. */
export async function writeCustomers(
  tx: Tx,
  companyId: number,
  customers: readonly Cliente[],
): Promise<void> {
  if (customers.length === 0) return;
  const column = (key: keyof Cliente) => customers.map((customer) => customer[key]);
  await tx`
    insert into customers (company_id, no, name, vat_registration_no, address, post_code,
           country_code, email, payment_method, payment_terms, customer_posting_group)
    select ${companyId}, t.*
      from unnest(${column('No')}::text[], ${column('Name')}::text[],
                  ${column('VATRegistrationNo')}::text[], ${column('Address')}::text[],
                  ${column('postCode')}::text[], ${column('countryCode')}::text[],
                  ${column('Email')}::text[], ${column('PaymentMethod')}::text[],
                  ${column('PaymentTerms')}::text[],
                  ${column('CustomerPostingGroup')}::text[]) as t
        on conflict (company_id, no) do update
       set name = excluded.name, vat_registration_no = excluded.vat_registration_no,
           address = excluded.address, post_code = excluded.post_code,
           country_code = excluded.country_code, email = excluded.email,
           payment_method = excluded.payment_method, payment_terms = excluded.payment_terms,
           customer_posting_group = excluded.customer_posting_group, updated_at = now()`;
}

/** The same for products. */
export async function writeProducts(
  tx: Tx,
  companyId: number,
  products: readonly Product[],
): Promise<void> {
  if (products.length === 0) return;
  await tx`
    insert into products (company_id, no, name, unit_of_measure, unit_price)
    select ${companyId}, t.*
      from unnest(${products.map((p) => p.no)}::text[], ${products.map((p) => p.name)}::text[],
                  ${products.map((p) => p.unitOfMeasure)}::text[],
                  ${products.map((p) => p.unitPrice)}::numeric[]) as t
        on conflict (company_id, no) do update
       set name = excluded.name, unit_of_measure = excluded.unit_of_measure,
           unit_price = excluded.unit_price, updated_at = now()`;
}

/** Codes of a table that are taken already, among those given. */
export async function takenCodes(
  tx: Tx,
  companyId: number,
  table: 'customers' | 'products',
  codes: readonly string[],
): Promise<Set<string>> {
  const rows = await tx<{ no: string }[]>`
    select no from ${tx(table)}
     where company_id = ${companyId} and no = any(${[...codes]}::text[])`;
  return new Set(rows.map((row) => row.no));
}
