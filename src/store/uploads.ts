import type { Tx } from './sql.ts';

/** The original of an uploaded invoice. */
export interface Upload {
  readonly fileName: string;
  readonly mediaType: string;
  readonly content: Uint8Array;
}

export async function insertUpload(
  tx: Tx,
  companyId: number,
  { id, uploadedAt, ...file }: Upload & { readonly id: string; readonly uploadedAt: Date },
): Promise<void> {
  await tx`
    insert into uploads (company_id, id, file_name, media_type, content, uploaded_at)
    values (${companyId}, ${id}, ${file.fileName}, ${file.mediaType}, ${file.content}, ${uploadedAt})`;
}

/** Keeps an upload with an invoice. One that is another invoice's already stays there. */
export async function attachUpload(
  tx: Tx,
  companyId: number,
  { id, docNo }: { readonly id: string; readonly docNo: string },
): Promise<void> {
  await tx`
    update uploads u set invoice_id = i.id
      from invoices i
     where u.company_id = ${companyId} and u.id = ${id} and u.invoice_id is null
       and i.company_id = ${companyId} and i.doc_no = ${docNo}`;
}

/** The original that an invoice was read from, or null. */
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

/** Deletes what was read and never became a draft. */
export async function deleteLooseUploads(tx: Tx, before: Date): Promise<void> {
  await tx`delete from uploads where invoice_id is null and uploaded_at < ${before}`;
}
