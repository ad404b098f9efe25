import type { Deps } from '../deps.ts';
import { DomainError } from '../domain/errors.ts';
import { missingInvoices } from '../store/invoices.ts';
import { todayOf } from './describe-cobros.ts';
import { noSuchInvoice } from './no-such-invoice.ts';
import { downloadInvoice } from './render-invoice.ts';
import { writeZip, type ZipEntry } from './zip-writer.ts';

/** A ZIP of PDFs made while it is read: only one invoice at a time is in memory. */
export interface InvoicesZip {
  readonly fileName: string;
  readonly zip: AsyncIterable<Buffer>;
}

/**
 * The PDFs of several invoices, drafts included, in one ZIP, in the order requested.
 *
 * @throws {DomainError} NOT_FOUND naming those that do not exist, before anything is made
 */
export async function downloadInvoices(
  deps: Deps,
  companyId: number,
  docNos: readonly string[],
): Promise<InvoicesZip> {
  const wanted = [...new Set(docNos)];
  const missing = await missingInvoices(deps.sql, companyId, wanted);
  if (missing.length > 0) {
    const [first = ''] = missing;
    if (missing.length === 1) throw noSuchInvoice(first);
    throw new DomainError(
      'NOT_FOUND',
      `No existen las facturas ${missing.slice(0, 10).join(', ')}${missing.length > 10 ? '…' : ''}.`,
    );
  }
  return {
    fileName: `facturas-${await todayOf(deps, companyId)}.zip`,
    zip: writeZip(pdfs(deps, companyId, wanted), deps.clock()),
  };
}

async function* pdfs(
  deps: Deps,
  companyId: number,
  docNos: readonly string[],
): AsyncGenerator<ZipEntry> {
  const used = new Set<string>();
  for (const docNo of docNos) {
    const { fileName, pdf } = await downloadInvoice(deps, companyId, docNo);
    yield { name: freeName(fileName, used), content: pdf };
  }
}

/** `A/1` and `A-1` would get the same file name: the second one gets a suffix. */
function freeName(fileName: string, used: Set<string>): string {
  const stem = fileName.replace(/\.pdf$/, '');
  let name = fileName;
  for (let again = 2; used.has(name.toLowerCase()); again++) name = `${stem} (${again}).pdf`;
  used.add(name.toLowerCase());
  return name;
}
