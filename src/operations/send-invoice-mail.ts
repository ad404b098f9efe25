import type { Deps } from '../deps.ts';
import { checkEmail } from '../domain/email.ts';
import { DomainError } from '../domain/errors.ts';
import { findCustomer } from '../store/customers.ts';
import { findInvoice, lockInvoicesById, type StoredInvoice } from '../store/invoices.ts';
import { enqueueMail, listInvoiceMails } from '../store/mail-jobs.ts';
import { noteNovedad } from '../store/novedades.ts';
import { isAnnulled } from '../store/registros.ts';
import { rationingCustomerMails } from './attempts.ts';
import type { Keep } from './keep-answer.ts';
import { noSuchInvoice } from './no-such-invoice.ts';

/**
 * Sends an issued invoice to its client, for the first time or again. Another address applies to this message only;
 * the client's card does not change.
 *
 * @param email empty, that of the client's card today, or the one on the invoice where there is no card any more
 * @returns the address it goes to
 * @throws {DomainError} NOT_FOUND; CONFLICT for a draft, an annulled one, or one on its way there
 *   already; BAD_REQUEST; TOO_MANY_REQUESTS
 */
export async function sendInvoiceMail(
  deps: Deps,
  companyId: number,
  { docNo, email }: { readonly docNo: string; readonly email: string },
  keep: Keep<string>,
): Promise<string> {
  const invoice = await findInvoice(deps.sql, companyId, docNo);
  if (!invoice) throw noSuchInvoice(docNo);
  if (!invoice.issued) {
    throw new DomainError('CONFLICT', 'Un borrador no se envía: registra antes la factura.');
  }
  if (await isAnnulled(deps.sql, companyId, invoice)) {
    throw new DomainError('CONFLICT', `La factura ${docNo} está anulada: ya no se envía.`);
  }
  const recipient = readRecipient(email || (await emailOf(deps, companyId, invoice)));
  await rationingCustomerMails(deps, companyId, async () => {
    await deps.sql.begin(async (tx) => {
      await lockInvoicesById(tx, companyId, [invoice.id]); // Two calls at once send it once.
      const mails = await listInvoiceMails(tx, companyId, invoice.id);
      if (mails.some((mail) => mail.recipient === recipient && !mail.sentAt && !mail.failedAt)) {
        throw new DomainError('CONFLICT', `Ya va en camino a ${recipient}.`);
      }
      await enqueueMail(tx, companyId, {
        content: { kind: 'factura', invoiceId: String(invoice.id) },
        recipient,
        now: deps.clock(),
      });
      await keep(tx, recipient);
    });
  });
  await noteNovedad(deps.sql, companyId);
  deps.wakeMail();
  deps.news.tell(companyId);
  return recipient;
}

/** As the page of the invoice proposes it. */
async function emailOf(
  { sql }: Pick<Deps, 'sql'>,
  companyId: number,
  { customerNo, issued }: StoredInvoice,
): Promise<string> {
  const customer = await findCustomer(sql, companyId, customerNo);
  return customer?.Email ?? issued?.cliente?.email ?? '';
}

function readRecipient(typed: string): string {
  if (typed.trim() === '') {
    throw new DomainError('BAD_REQUEST', 'Este cliente no tiene correo en su ficha. Escribe uno.');
  }
  const checked = checkEmail(typed);
  if (!checked.ok) throw new DomainError('BAD_REQUEST', checked.mensaje);
  return checked.email;
}
