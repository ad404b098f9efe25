import type { InvoiceStatus } from '../contract/invoices.ts';
import type { Deps } from '../deps.ts';
import { DomainError } from '../domain/errors.ts';
import { deleteInvoices, lockInvoices } from '../store/invoices.ts';
import { noteNovedad } from '../store/novedades.ts';
import { leaveOutOfRun } from '../store/register-all-runs.ts';
import { noSuchInvoice } from './no-such-invoice.ts';

/**
 * Deletes a draft. What is registered is never deleted, whatever its status (RD 1007/2023 art. 8.2.a).
 *
 * @throws {DomainError} NOT_FOUND, or CONFLICT saying why and what to do instead
 */
export async function deleteDraft(deps: Deps, companyId: number, docNo: string): Promise<void> {
  await deps.sql.begin(async (tx) => {
    const invoice = (await lockInvoices(tx, companyId, [docNo])).get(docNo);
    if (!invoice) throw noSuchInvoice(docNo);
    if (invoice.status !== 'Borrador') {
      throw new DomainError(
        'CONFLICT',
        `La factura ${docNo} está registrada y no se puede eliminar. ${insteadOf(invoice.status)}`,
      );
    }
    await leaveOutOfRun(tx, companyId, [invoice.id]);
    await deleteInvoices(tx, companyId, [invoice.id]);
    await noteNovedad(tx, companyId);
  });
  deps.news.tell(companyId);
}

/** What can be done with a registered invoice in that status. */
function insteadOf(status: InvoiceStatus): string {
  if (status === 'Anulada') return 'Ya está anulada.';
  return status === 'Rechazado' || status === 'Aceptado con errores'
    ? 'Corrígela y regístrala de nuevo.'
    : 'Si hay un error, emite una rectificativa.';
}

/**
 * Deletes those of the selected ones that are drafts, in one transaction. Any that was registered or deleted
 * meanwhile is skipped.
 *
 * @returns how many it deleted
 */
export async function deletePickedDrafts(
  deps: Deps,
  companyId: number,
  docNos: readonly string[],
): Promise<number> {
  const deleted = await deps.sql.begin(async (tx) => {
    const invoices = [...(await lockInvoices(tx, companyId, docNos)).values()];
    const drafts = invoices.filter(({ status }) => status === 'Borrador');
    const ids = drafts.map(({ id }) => id);
    await leaveOutOfRun(tx, companyId, ids);
    await deleteInvoices(tx, companyId, ids);
    if (ids.length > 0) await noteNovedad(tx, companyId);
    return ids.length;
  });
  if (deleted > 0) deps.news.tell(companyId);
  return deleted;
}
