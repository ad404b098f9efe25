import type { SaveDataAnswer } from '../contract/imports.ts';
import type { Cliente } from '../contract/parties.ts';
import { nextNumber, takeNumbers } from './counters.ts';
import type { Product } from './products.ts';
import type { Tx } from './sql.ts';

/** An invoice that an earlier file imported, in its current state. */
export interface ImportedRow {
  readonly referencia: string;
  readonly contentHash: string;
  readonly docNo: string;
  readonly isDraft: boolean;
  /** Whether its draft has been saved by somebody since. */
  readonly isTouched: boolean;
  readonly postingDate: string;
  readonly customerNo: string;
}

/** What earlier files imported under some references, folded. */
export async function findImported(
  tx: Tx,
  companyId: number,
  references: readonly string[],
): Promise<ImportedRow[]> {
  if (references.length === 0) return [];
  const rows = await tx<
    {
      referencia: string;
      content_hash: string;
      doc_no: string;
      is_draft: boolean;
      is_touched: boolean;
      posting_date: string;
      customer_no: string;
    }[]
  >`
    select m.referencia, m.content_hash, i.doc_no, i.status = 'Borrador' as is_draft,
           i.version <> m.version as is_touched, i.posting_date, i.customer_no
      from imported_invoices m
      join invoices i on i.company_id = m.company_id and i.id = m.invoice_id
     where m.company_id = ${companyId} and m.referencia = any(${[...references]}::text[])`;
  return rows.map((row) => ({
    referencia: row.referencia,
    contentHash: row.content_hash,
    docNo: row.doc_no,
    isDraft: row.is_draft,
    isTouched: row.is_touched,
    postingDate: row.posting_date,
    customerNo: row.customer_no,
  }));
}

/**
 * Makes PostgreSQL discard its plans for invoices.
 *
 * The check of a foreign key is planned once per connection: if the table was almost empty then, it would scan all of
 * a company's invoices for each of ten thousand rows. `analyze` would have the same effect, but only the owner of the
 * table may run it, and private calls run as another role.
 */
export async function refreshPlans(tx: Tx): Promise<void> {
  await tx`discard plans`;
}

/** When a file was imported, or null. */
export async function findImportedFile(
  tx: Tx,
  companyId: number,
  importId: string,
): Promise<Date | null> {
  const [row] = await tx<{ imported_at: Date }[]>`
    select imported_at from imported_files
     where company_id = ${companyId} and import_id = ${importId}`;
  return row?.imported_at ?? null;
}

export async function saveImportedFile(
  tx: Tx,
  companyId: number,
  importId: string,
  now: Date,
): Promise<void> {
  await tx`
    insert into imported_files (company_id, import_id, imported_at)
    values (${companyId}, ${importId}, ${now})
        on conflict (company_id, import_id) do update set imported_at = excluded.imported_at`;
}

/** Waits until no other import of the company is being saved, and keeps later ones waiting until this one ends. */
export async function takeImportTurn(tx: Tx, companyId: number): Promise<void> {
  await nextNumber(tx, companyId, 'import');
}

/** Deletes the import history of a closed account. */
export async function deleteImports(tx: Tx, companyId: number): Promise<void> {
  await tx`delete from imported_files where company_id = ${companyId}`;
  await tx`delete from import_runs where company_id = ${companyId}`;
  await tx`delete from import_readings where company_id = ${companyId}`;
}

/** A process that is reading reports more often than this, even when it makes no progress. */
const READING_LOST_SECONDS = 30;

/**
 * Creates the row of a reading.
 *
 * @returns false while another file of the company is being read, by any process
 */
export async function openImportReading(
  tx: Tx,
  companyId: number,
  token: string,
): Promise<boolean> {
  const rows = await tx`
    insert into import_readings as r (company_id, token) values (${companyId}, ${token})
        on conflict (company_id) do update
       set token = excluded.token, percent = 0, updated_at = now()
     where r.updated_at < now() - make_interval(secs => ${READING_LOST_SECONDS})
    returning company_id`;
  return rows.length > 0;
}

export async function noteImportReading(
  tx: Tx,
  companyId: number,
  { token, percent }: { readonly token: string; readonly percent: number },
): Promise<void> {
  await tx`
    update import_readings set percent = ${percent}, updated_at = now()
     where company_id = ${companyId} and token = ${token}`;
}

export async function closeImportReading(tx: Tx, companyId: number, token: string): Promise<void> {
  await tx`delete from import_readings where company_id = ${companyId} and token = ${token}`;
}

/** How much of the company's file has been read, in per cent; null when none is being read. */
export async function findImportReading(tx: Tx, companyId: number): Promise<number | null> {
  const [row] = await tx<{ percent: number }[]>`
    select percent from import_readings
     where company_id = ${companyId}
       and updated_at >= now() - make_interval(secs => ${READING_LOST_SECONDS})`;
  return row?.percent ?? null;
}

export interface ImportRun {
  readonly status: 'guardando' | 'terminada' | 'fallida';
  readonly done: number;
  readonly total: number;
  readonly result: SaveDataAnswer | null;
  readonly message: string | null;
  readonly startedAt: Date;
  /** Not updated for a long time: its process died, and everything it had written was rolled back. */
  readonly isLost: boolean;
}

/** A process that is saving updates its row far more often than this. */
const LOST_SECONDS = 120;

export async function findImportRun(tx: Tx, companyId: number): Promise<ImportRun | null> {
  const [run] = await tx<ImportRun[]>`
    select status, done, total, result, message, started_at as "startedAt",
           status = 'guardando' and updated_at < now() - make_interval(secs => ${LOST_SECONDS})
             as "isLost"
      from import_runs where company_id = ${companyId}`;
  return run ?? null;
}

/** Creates the row of a saving, in place of an earlier one. */
export async function openImportRun(
  tx: Tx,
  companyId: number,
  { token, total, now }: { readonly token: string; readonly total: number; readonly now: Date },
): Promise<void> {
  await tx`
    insert into import_runs (company_id, token, status, total, started_at)
    values (${companyId}, ${token}, 'guardando', ${total}, ${now})
        on conflict (company_id) do update
       set token = excluded.token, status = excluded.status, done = 0, total = excluded.total,
           result = null, message = null, started_at = excluded.started_at, updated_at = now()`;
}

export async function noteImportRun(
  tx: Tx,
  companyId: number,
  { token, done }: { readonly token: string; readonly done: number },
): Promise<void> {
  await tx`
    update import_runs set done = ${done}, updated_at = now()
     where company_id = ${companyId} and token = ${token} and status = 'guardando'`;
}

/**
 * Written in the transaction that saves, so that both are committed or neither. A failure is written after it, and
 * changes nothing if that transaction was committed after all: its confirmation may have been lost.
 */
export async function endImportRun(
  tx: Tx,
  companyId: number,
  token: string,
  end: { readonly result: SaveDataAnswer } | { readonly message: string },
): Promise<void> {
  const isDone = 'result' in end;
  await tx`
    update import_runs
       set status = ${isDone ? 'terminada' : 'fallida'}, updated_at = now(),
           done = ${isDone ? tx`total` : tx`done`},
           result = ${isDone ? JSON.stringify(end.result) : null}::text::jsonb,
           message = ${isDone ? null : end.message}
     where company_id = ${companyId} and token = ${token} and status = 'guardando'`;
}

/** Records which invoices a file imported, and the version in which it left them. */
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

/** Codes of customers that were removed from the lists but appear in some invoice. */
export async function listArchivedNos(tx: Tx, companyId: number): Promise<string[]> {
  const rows = await tx<{ no: string }[]>`
    select no from customers where company_id = ${companyId} and archived_at is not null`;
  return rows.map((row) => row.no);
}

/**
 * Inserts and overwrites customers in one statement, in the order of their codes, so that two imports of the same
 * ones queue instead of deadlocking. Each must have its code.
 */
export async function writeCustomers(
  tx: Tx,
  companyId: number,
  customers: readonly Cliente[],
): Promise<void> {
  if (customers.length === 0) return;
  const column = (key: keyof Cliente) => customers.map((customer) => customer[key]);
  await tx`
    insert into customers (company_id, no, name, vat_registration_no, address, post_code,
           country_code, email, payment_method, payment_terms, customer_posting_group, municipio)
    select ${companyId}, t.*
      from unnest(${column('No')}::text[], ${column('Name')}::text[],
                  ${column('VATRegistrationNo')}::text[], ${column('Address')}::text[],
                  ${column('postCode')}::text[], ${column('countryCode')}::text[],
                  ${column('Email')}::text[], ${column('PaymentMethod')}::text[],
                  ${column('PaymentTerms')}::text[],
                  ${column('CustomerPostingGroup')}::text[],
                  ${customers.map(({ municipio = '' }) => municipio)}::text[]) as t (no)
     order by t.no
        on conflict (company_id, no) do update
       set name = excluded.name, vat_registration_no = excluded.vat_registration_no,
           address = excluded.address, post_code = excluded.post_code,
           country_code = excluded.country_code, email = excluded.email,
           payment_method = excluded.payment_method, payment_terms = excluded.payment_terms,
           customer_posting_group = excluded.customer_posting_group,
           municipio = excluded.municipio, updated_at = now()`;
}

/** The same for products. */
export async function writeProducts(
  tx: Tx,
  companyId: number,
  products: readonly Product[],
): Promise<void> {
  if (products.length === 0) return;
  await tx`
    insert into products (company_id, no, name, unit_of_measure, unit_price, vat_prod_posting_group)
    select ${companyId}, t.*
      from unnest(${products.map((p) => p.no)}::text[], ${products.map((p) => p.name)}::text[],
                  ${products.map((p) => p.unitOfMeasure)}::text[],
                  ${products.map((p) => p.unitPrice)}::numeric[],
                  ${products.map((p) => p.tax)}::text[]) as t (no)
     order by t.no
        on conflict (company_id, no) do update
       set name = excluded.name, unit_of_measure = excluded.unit_of_measure,
           unit_price = excluded.unit_price,
           vat_prod_posting_group =
             coalesce(nullif(excluded.vat_prod_posting_group, ''), products.vat_prod_posting_group),
           updated_at = now()`;
}

/**
 * Free codes `C00001` or `P00001` for rows without one of their own.
 *
 * These counters have no legal meaning, so numbers may be taken and never used.
 *
 * @param except codes that are about to be written, and so count as taken
 * @param taken codes given earlier to these same rows: they come first, if they are still free
 */
export async function freeCodes(
  tx: Tx,
  companyId: number,
  {
    table,
    count,
    except,
    taken = [],
  }: {
    readonly table: 'customers' | 'products';
    readonly count: number;
    readonly except: ReadonlySet<string>;
    readonly taken?: readonly string[];
  },
): Promise<string[]> {
  const [counter, letter] = table === 'customers' ? ['customer', 'C'] : ['product', 'P'];
  const free: string[] = [];
  const addFree = async (codes: readonly string[]) => {
    const used = await usedCodes(tx, companyId, table, codes);
    free.push(...codes.filter((code) => !used.has(code) && !except.has(code)));
  };
  if (taken.length > 0) await addFree(taken.slice(0, count));
  while (free.length < count) {
    const lacking = count - free.length;
    const first = await takeNumbers(tx, companyId, counter, lacking);
    const codes = Array.from(
      { length: lacking },
      (_, index) => `${letter}${String(first + BigInt(index)).padStart(5, '0')}`,
    );
    await addFree(codes);
  }
  return free;
}

/** Which of the given codes a table already uses. */
async function usedCodes(
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
