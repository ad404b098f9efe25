import { setImmediate } from 'node:timers/promises';
import type { Deps } from '../deps.ts';
import { isoDateIn, zonaOf } from '../domain/dates.ts';
import { type IssuedInvoice, numbersToLookUp } from '../domain/invoice.ts';
import { findCompanyPicture } from '../store/company-pictures.ts';
import { keepDownload } from '../store/invoice-downloads.ts';
import { findInvoice, findOriginals, type StoredInvoice } from '../store/invoices.ts';
import { pipelined, type Tx } from '../store/sql.ts';
import { inCompanyLine } from './company-line.ts';
import { issueFromDraft, readIssueContext } from './issue-context.ts';
import { noSuchInvoice } from './no-such-invoice.ts';

export interface RenderedInvoice {
  /** A file name that is safe on any file system: `00001-26.pdf`. */
  readonly fileName: string;
  readonly pdf: Uint8Array;
  readonly invoice: IssuedInvoice;
}

/** The PDF of an invoice that has already been read. Its story does not record this. */
export async function drawInvoice(
  deps: Deps,
  companyId: number,
  invoice: StoredInvoice,
): Promise<RenderedInvoice> {
  const [issued, logo] = await Promise.all([
    issuedOf(deps.sql, deps, companyId, invoice),
    findCompanyPicture(deps.sql, companyId),
  ]);
  return render(companyId, invoice, issued, logo);
}

/**
 * The PDF of an invoice by number, at a user's request, which its story records. A draft is marked as one.
 *
 * @throws {DomainError} NOT_FOUND
 */
export async function downloadInvoice(
  deps: Deps,
  companyId: number,
  docNo: string,
): Promise<RenderedInvoice> {
  const { drawing } = await pipelined(deps.sql, async (tx, commit) => {
    const [invoice, logo] = await Promise.all([
      findInvoice(tx, companyId, docNo),
      findCompanyPicture(tx, companyId),
    ]);
    if (!invoice) throw noSuchInvoice(docNo);
    const issued = await issuedOf(tx, deps, companyId, invoice);
    const now = deps.clock();
    const day = isoDateIn(now, zonaOf(issued.emisor.postCode, issued.emisor.pais));
    const kept = commit([keepDownload(tx, companyId, invoice.id, { day, now })]);
    kept.catch(() => undefined); // Awaited below.
    // The driver sends the statement in a later turn of the event loop, which drawing would delay. After this pause
    // the PDF is drawn while the database records the download.
    await setImmediate();
    await setImmediate();
    const drawing = render(companyId, invoice, issued, logo);
    drawing.catch(() => undefined); // Awaited below, so that a long one occupies no connection.
    await kept;
    return { drawing };
  });
  return drawing;
}

async function issuedOf(
  tx: Tx,
  deps: Deps,
  companyId: number,
  stored: StoredInvoice,
): Promise<IssuedInvoice> {
  return stored.issued ?? previewOf(tx, deps, companyId, stored);
}

async function render(
  companyId: number,
  stored: StoredInvoice,
  issued: IssuedInvoice,
  logoPng: Uint8Array | null,
): Promise<RenderedInvoice> {
  // Too heavy for every start; server.ts loads it a moment later.
  const { invoicePdf } = await import('../pdf/invoice-pdf.ts');
  const pdf = await inCompanyLine(companyId, () =>
    invoicePdf(issued, {
      demo: issued.esDemo,
      draft: stored.registeredAt === null,
      annulled: stored.status === 'Anulada',
      ...(logoPng ? { logoPng } : {}),
    }),
  );
  return {
    fileName: `${fileStem(stored.docNo)}.pdf`,
    pdf,
    invoice: issued,
  };
}

/** The number of an invoice as a file name: `00001-LO`. */
export const fileStem = (docNo: string): string => docNo.replace(/[^0-9A-Za-z._-]+/g, '-');

/** How a draft would be issued today. Its findings do not matter on paper that says «Borrador». */
async function previewOf(
  tx: Tx,
  deps: Deps,
  companyId: number,
  stored: StoredInvoice,
): Promise<IssuedInvoice> {
  const named = numbersToLookUp(stored.draft.invoiceToRectify);
  const [context, originals] = await Promise.all([
    readIssueContext(tx, deps, companyId, [stored.draft]),
    findOriginals(tx, companyId, named),
  ]);
  return issueFromDraft(context, {
    draft: stored.draft,
    numSerie: stored.docNo,
    today: isoDateIn(deps.clock(), context.zona),
    lastDateOfSeries: null,
    sendsToCustomer: false,
    originals: named.map((number) => [number, originals.get(number) ?? null]),
    corrected: null,
    exchangeOf: () => undefined,
    correctionsOf: () => [],
    standingOn: () => [],
    desenlacesOf: () => [],
  }).issued;
}
