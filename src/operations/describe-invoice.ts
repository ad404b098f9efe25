import type { InvoiceDetail } from '../contract/invoices.ts';
import type { Cliente } from '../contract/parties.ts';
import type { Deps } from '../deps.ts';
import type { Rechazo } from '../domain/invoice.ts';
import { rechazoOf } from '../domain/verifactu/correcciones.ts';
import { findArchivedCustomer, findCustomer } from '../store/customers.ts';
import { listDesistimientos } from '../store/desistimientos.ts';
import { findInvoiceHistory } from '../store/envios.ts';
import { listDownloads } from '../store/invoice-downloads.ts';
import { findInvoice, type StoredInvoice } from '../store/invoices.ts';
import { listInvoiceMails } from '../store/mail-jobs.ts';
import { desenlacesOf } from '../store/registros.ts';
import { findUploadName } from '../store/uploads.ts';
import { describeCobros, describeCredited, describeCredits } from './describe-cobros.ts';
import { findDependents } from './find-dependents.ts';
import { invoiceTimeline } from './invoice-timeline.ts';
import { noSuchInvoice } from './no-such-invoice.ts';

/** An invoice with its story; the presenter adds `fila` and `borrador`. */
export interface InvoiceStory extends Omit<InvoiceDetail, 'fila' | 'borrador'> {
  readonly invoice: StoredInvoice;
}

/** Everything the page of one invoice shows. @throws {DomainError} NOT_FOUND */
export async function describeInvoice(
  deps: Deps,
  companyId: number,
  docNo: string,
): Promise<InvoiceStory> {
  const { sql } = deps;
  const invoice = await findInvoice(sql, companyId, docNo);
  if (!invoice) throw noSuchInvoice(docNo);
  const [history, mails, customer, dependents, downloads, original, givenUp, cobros] =
    await Promise.all([
      findInvoiceHistory(sql, companyId, invoice.id),
      listInvoiceMails(sql, companyId, invoice.id),
      findCustomer(sql, companyId, invoice.customerNo),
      findDependents(sql, companyId, docNo),
      listDownloads(sql, companyId, invoice.id),
      findUploadName(sql, companyId, docNo),
      listDesistimientos(sql, companyId, invoice.id),
      describeCobros(deps, companyId, invoice),
    ]);
  const { issued } = invoice;
  // Its latest registro, or the one that it was left at.
  const latest = history.findLast(({ seq }) => seq === invoice.seq);
  return {
    invoice,
    ...(dependents.canje && { canjeadaPor: dependents.canje.docNo }),
    ...(dependents.rectificativas.length > 0 && {
      rectificadaPor: dependents.rectificativas.map((other) => other.docNo),
    }),
    ...(latest
      ? {
          huella: latest.Huella,
          huellaAnterior: latest.HuellaAnterior,
          eslabon: Number(latest.seq),
        }
      : {}),
    ...(invoice.CSV ? { csv: invoice.CSV } : {}),
    ...(issued ? { qr: issued.qr, emitida: { ...issued } } : {}),
    correoCliente: customer?.Email ?? issued?.cliente?.email ?? '',
    ...(original && { original: original.fileName }),
    ...cobros,
    ...(await describeCredits(
      { sql },
      companyId,
      cobros,
      dependents.rectificativas.map((other) => other.docNo),
    )),
    ...(await describeCredited({ sql }, companyId, invoice, cobros)),
    ...(await describeRechazo({ sql }, companyId, invoice)),
    historia: invoiceTimeline(invoice, { history, mails, downloads, givenUp }),
  };
}

/** The client of an invoice, if it has been deleted: it is in no list, but the invoice is still issued to it. */
export async function describeEliminado(
  { sql }: Pick<Deps, 'sql'>,
  companyId: number,
  { draft: { invoiceClient } }: Pick<StoredInvoice, 'draft'>,
): Promise<{ readonly clienteEliminado?: Cliente }> {
  if (!invoiceClient) return {};
  const clienteEliminado = await findArchivedCustomer(sql, companyId, invoiceClient);
  return clienteEliminado ? { clienteEliminado } : {};
}

/** For a refused invoice: what was refused, and what the AEAT holds. For any other: nothing. */
export async function describeRechazo(
  { sql }: Pick<Deps, 'sql'>,
  companyId: number,
  { docNo, status }: Pick<StoredInvoice, 'docNo' | 'status'>,
): Promise<{ readonly rechazo?: Rechazo }> {
  if (status !== 'Rechazado') return {};
  const rechazo = rechazoOf(await desenlacesOf(sql, companyId, docNo));
  return rechazo ? { rechazo } : {};
}
