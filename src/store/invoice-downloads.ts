import type { Tx } from './sql.ts';

/** A day on which the PDF of an invoice was downloaded. */
export interface InvoiceDownloads {
  readonly times: number;
  readonly firstAt: Date;
  readonly lastAt: Date;
}

/** @param day where the company is, `YYYY-MM-DD` */
export async function keepDownload(
  tx: Tx,
  companyId: number,
  invoiceId: bigint,
  { day, now }: { readonly day: string; readonly now: Date },
): Promise<void> {
  await tx`
    insert into invoice_downloads as d (company_id, invoice_id, day, first_at, last_at)
    values (${companyId}, ${String(invoiceId)}, ${day}, ${now}, ${now})
        on conflict (company_id, invoice_id, day) do update
       set times = d.times + 1, last_at = excluded.last_at`;
}

export async function listDownloads(
  tx: Tx,
  companyId: number,
  invoiceId: bigint,
): Promise<InvoiceDownloads[]> {
  return tx<InvoiceDownloads[]>`
    select times, first_at as "firstAt", last_at as "lastAt"
      from invoice_downloads
     where company_id = ${companyId} and invoice_id = ${String(invoiceId)}
     order by day`;
}
