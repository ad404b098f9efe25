import type { Deps } from '../deps.ts';
import { isoDateIn, zonaOf } from '../domain/dates.ts';
import { DomainError } from '../domain/errors.ts';
import type { IssuedInvoice } from '../domain/invoice.ts';
import { findCompanyPicture } from '../store/company-pictures.ts';
import {
  findInvoice,
  findInvoiceById,
  findInvoices,
  keepDownload,
  type StoredInvoice,
} from '../store/invoices.ts';
import { issueFromDraft, readIssueContext } from './issue-context.ts';
import { originalsOf } from './register-run.ts';

export interface RenderedInvoice {
  /** Safe for any file system: `00001-26.pdf`. */
  readonly fileName: string;
  readonly pdf: Uint8Array;
  readonly invoice: IssuedInvoice;
}

/** The PDF by identifier, for the e-mails, of which the story tells by themselves. */
export async function renderInvoice(
  deps: Deps,
  companyId: number,
  invoiceId: bigint,
): Promise<RenderedInvoice> {
  const invoice = await findInvoiceById(deps.sql, companyId, invoiceId);
  if (!invoice) throw new DomainError('NOT_FOUND', 'La factura no existe.');
  return drawInvoice(deps, companyId, invoice);
}

/** The PDF of one that was read already, of which its story does not tell. */
export async function drawInvoice(
  deps: Deps,
  companyId: number,
  invoice: StoredInvoice,
): Promise<RenderedInvoice> {
  return render(deps, companyId, invoice, await issuedOf(deps, companyId, invoice));
}

/**
 * The PDF of an invoice by number, for whoever asked for it: its story tells of it. A draft comes out
 * marked as one.
 *
 * @throws {DomainError} NOT_FOUND
 */
export async function downloadInvoice(
  deps: Deps,
  companyId: number,
  docNo: string,
): Promise<RenderedInvoice> {
  const invoice = await findInvoice(deps.sql, companyId, docNo);
  if (!invoice) throw new DomainError('NOT_FOUND', `No existe la factura ${docNo}.`);
  const issued = await issuedOf(deps, companyId, invoice);
  const now = deps.clock();
  const day = isoDateIn(now, zonaOf(issued.emisor.postCode));
  // It is drawn while the database keeps that it was asked for.
  const [rendered] = await Promise.all([
    render(deps, companyId, invoice, issued),
    keepDownload(deps.sql, companyId, invoice.id, { day, now }),
  ]);
  return rendered;
}

async function issuedOf(
  deps: Deps,
  companyId: number,
  stored: StoredInvoice,
): Promise<IssuedInvoice> {
  return stored.issued ?? previewOf(deps, companyId, stored);
}

async function render(
  deps: Deps,
  companyId: number,
  stored: StoredInvoice,
  issued: IssuedInvoice,
): Promise<RenderedInvoice> {
  const [logoPng, { invoicePdf }] = await Promise.all([
    findCompanyPicture(deps.sql, companyId),
    import('../pdf/invoice-pdf.ts'), // Too heavy for every start; server.ts has it ready a moment later.
  ]);
  const pdf = await invoicePdf(issued, {
    demo: issued.esDemo,
    draft: stored.registeredAt === null,
    ...(logoPng ? { logoPng } : {}),
  });
  return {
    fileName: `${fileStem(stored.docNo)}.pdf`,
    pdf,
    invoice: issued,
  };
}

/** The number of an invoice as the name of a file: `00001-LO`. */
export const fileStem = (docNo: string): string => docNo.replace(/[^0-9A-Za-z._-]+/g, '-');

/** How a draft would be issued today; its findings do not matter on paper that says «Borrador». */
async function previewOf(
  deps: Deps,
  companyId: number,
  stored: StoredInvoice,
): Promise<IssuedInvoice> {
  const named = originalsOf(stored.draft);
  const [context, originals] = await Promise.all([
    readIssueContext(deps.sql, deps, companyId, [stored.draft]),
    findInvoices(deps.sql, companyId, named),
  ]);
  return issueFromDraft(context, {
    draft: stored.draft,
    numSerie: stored.docNo,
    today: isoDateIn(deps.clock(), context.zona),
    lastDateOfSeries: null,
    originals: named.map((number) => [number, originals.get(number) ?? null]),
    exchangeOf: () => undefined,
    correctionsOf: () => [],
  }).issued;
}
