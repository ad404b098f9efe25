import type { CamposLeidos } from '../contract/reading.ts';
import { companiesOf, ofCompanies, type Tx } from './sql.ts';

/** The original of an uploaded invoice. */
export interface Upload {
  readonly fileName: string;
  readonly mediaType: string;
  readonly content: Uint8Array;
}

/** A page as a picture, its size in pixels. */
export interface UploadPage {
  readonly width: number;
  readonly height: number;
  /** WebP. */
  readonly content: Uint8Array;
}

/** What was read from an original, in the shape of the contract. */
export interface StoredReading {
  readonly campos: CamposLeidos;
  readonly avisos: readonly string[];
}

/** Which uploads belong to which invoices. */
export interface UploadOwner {
  readonly companyId: number;
  readonly uploadId: string;
  readonly invoiceId: bigint;
}

export interface UploadToKeep extends Upload {
  readonly id: string;
  readonly uploadedAt: Date;
  /** SHA-256 of the content. */
  readonly digest: Uint8Array;
  readonly reading: StoredReading;
  readonly pages: readonly UploadPage[];
}

/** Stores an original, what was read from it and its pages. */
export async function insertUpload(
  tx: Tx,
  companyId: number,
  { id, uploadedAt, digest, reading, pages, ...file }: UploadToKeep,
): Promise<void> {
  await tx`
    insert into uploads (company_id, id, file_name, media_type, content, uploaded_at, digest, reading)
    values (${companyId}, ${id}, ${file.fileName}, ${file.mediaType}, ${file.content}, ${uploadedAt},
            ${digest}, ${tx.json(reading as never)})`;
  for (const [index, { width, height, content }] of pages.entries()) {
    await tx`
      insert into upload_pages (company_id, upload_id, page, width, height, content)
      values (${companyId}, ${id}, ${index + 1}, ${width}, ${height}, ${content})`;
  }
}

/** How much the company's uploads without a registered invoice take, with their pages. */
export async function countWaitingBytes(tx: Tx, companyId: number): Promise<number> {
  const [row] = await tx<{ bytes: number }[]>`
    select coalesce(sum(waiting.bytes + (
             select coalesce(sum(octet_length(p.content)), 0)
               from upload_pages p
              where p.company_id = ${companyId} and p.upload_id = waiting.id)), 0)::float8 as bytes
      from (select u.id, octet_length(u.content) as bytes
              from uploads u
             where u.company_id = ${companyId} and u.invoice_id is null
             union all
            select u.id, octet_length(u.content)
              from invoices i
              join uploads u on u.company_id = i.company_id and u.invoice_id = i.id
             where i.company_id = ${companyId} and i.status = 'Borrador') as waiting`;
  return row?.bytes ?? 0;
}

/** Attaches uploads to their invoices. One that belongs to another invoice already stays there. */
export async function attachUploads(tx: Tx, owners: readonly UploadOwner[]): Promise<void> {
  if (owners.length === 0) return;
  await tx`
    update uploads u set invoice_id = t.invoice_id
      from unnest(${owners.map(({ companyId }) => companyId)}::integer[],
                  ${owners.map(({ uploadId }) => uploadId)}::uuid[],
                  ${owners.map(({ invoiceId }) => String(invoiceId))}::bigint[])
             as t (company_id, id, invoice_id)
     where u.company_id = t.company_id and u.id = t.id and u.invoice_id is null
       and ${ofCompanies(tx, 'u.company_id', companiesOf(owners))}`;
}

/** Number of the latest draft or invoice that was read from a file with that content, or null. */
export async function findSameUpload(
  tx: Tx,
  companyId: number,
  digest: Uint8Array,
): Promise<string | null> {
  const [row] = await tx<{ doc_no: string }[]>`
    select i.doc_no
      from uploads u
      join invoices i on i.company_id = u.company_id and i.id = u.invoice_id
     where u.company_id = ${companyId} and u.digest = ${digest}
     order by u.uploaded_at desc
     limit 1`;
  return row?.doc_no ?? null;
}

/** A draft made from an uploaded file. */
export interface UploadedDraft {
  readonly docNo: string;
  readonly fileName: string;
  readonly customerName: string;
  /** Plain decimal text. */
  readonly total: string;
  readonly uploadedAt: Date;
}

/** Drafts that were read from a file, latest upload first. */
export async function listUploadedDrafts(
  tx: Tx,
  companyId: number,
  limit: number,
): Promise<UploadedDraft[]> {
  const rows = await tx<
    {
      doc_no: string;
      file_name: string;
      customer_name: string;
      total: string;
      uploaded_at: Date;
    }[]
  >`
    select i.doc_no, u.file_name, i.customer_name, i.total, u.uploaded_at
      from invoices i
      join uploads u on u.company_id = i.company_id and u.invoice_id = i.id
     where i.company_id = ${companyId} and i.status = 'Borrador'
     order by u.uploaded_at desc, i.id desc
     limit ${limit}`;
  return rows.map((row) => ({
    docNo: row.doc_no,
    fileName: row.file_name,
    customerName: row.customer_name,
    total: row.total,
    uploadedAt: row.uploaded_at,
  }));
}

/** The original from which an invoice was read, or null. */
export async function findUpload(tx: Tx, companyId: number, docNo: string): Promise<Upload | null> {
  const [row] = await tx<{ file_name: string; media_type: string; content: Buffer }[]>`
    select u.file_name, u.media_type, u.content
      from invoices i
      join uploads u on u.company_id = i.company_id and u.invoice_id = i.id
     where i.company_id = ${companyId} and i.doc_no = ${docNo}
     order by u.uploaded_at desc
     limit 1`;
  return row ? { fileName: row.file_name, mediaType: row.media_type, content: row.content } : null;
}

/** The name of that original, without its content. */
export async function findUploadName(
  tx: Tx,
  companyId: number,
  docNo: string,
): Promise<{ readonly id: string; readonly fileName: string } | null> {
  const [row] = await tx<{ id: string; file_name: string }[]>`
    select u.id, u.file_name
      from invoices i
      join uploads u on u.company_id = i.company_id and u.invoice_id = i.id
     where i.company_id = ${companyId} and i.doc_no = ${docNo}
     order by u.uploaded_at desc
     limit 1`;
  return row ? { id: row.id, fileName: row.file_name } : null;
}

export interface FoundReading extends StoredReading {
  readonly fileName: string;
  /** Sizes in pixels, in order; none once the invoice is registered and accepted. */
  readonly pages: readonly Pick<UploadPage, 'width' | 'height'>[];
}

/**
 * The original after a given one in the order of their keys, with the invoice that it belongs to; null at the end.
 */
export async function uploadAfter(
  tx: Tx,
  companyId: number,
  afterId: string,
): Promise<(Upload & { readonly id: string; readonly docNo: string | null }) | null> {
  const [row] = await tx<
    { id: string; file_name: string; media_type: string; content: Buffer; doc_no: string | null }[]
  >`
    select u.id, u.file_name, u.media_type, u.content, i.doc_no
      from uploads u
      left join invoices i on i.company_id = u.company_id and i.id = u.invoice_id
     where u.company_id = ${companyId} and u.id > ${afterId}
     order by u.id
     limit 1`;
  if (!row) return null;
  const { id, file_name: fileName, media_type: mediaType, content, doc_no: docNo } = row;
  return { id, fileName, mediaType, content, docNo };
}

/** What was read from an original, or null. */
export async function findReading(
  tx: Tx,
  companyId: number,
  id: string,
): Promise<FoundReading | null> {
  const [row] = await tx<
    { file_name: string; reading: StoredReading; pages: FoundReading['pages'] }[]
  >`
    select u.file_name, u.reading,
           coalesce((select jsonb_agg(jsonb_build_object('width', p.width, 'height', p.height)
                                      order by p.page)
                       from upload_pages p
                      where p.company_id = u.company_id and p.upload_id = u.id), '[]') as pages
      from uploads u
     where u.company_id = ${companyId} and u.id = ${id} and u.reading is not null`;
  return row ? { fileName: row.file_name, ...row.reading, pages: row.pages } : null;
}

/** A page as a picture, or null. */
export async function findUploadPage(
  tx: Tx,
  companyId: number,
  { id, page }: { readonly id: string; readonly page: number },
): Promise<Uint8Array | null> {
  const [row] = await tx<{ content: Buffer }[]>`
    select content from upload_pages
     where company_id = ${companyId} and upload_id = ${id} and page = ${page}`;
  return row?.content ?? null;
}

/** Deletes every file that the company uploaded to be read, including those of its registered invoices. */
export async function deleteUploads(tx: Tx, companyId: number): Promise<void> {
  await tx`delete from uploads where company_id = ${companyId}`;
}
