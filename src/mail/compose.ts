import type { Deps } from '../deps.ts';
import { openSealedCode } from '../operations/recover-password.ts';
import { renderInvoice } from '../operations/render-invoice.ts';
import { type Company, findCompany } from '../store/companies.ts';
import { findCompanyPicture } from '../store/company-pictures.ts';
import type { MailJob } from '../store/mail-jobs.ts';
import { companyLogo } from './logos.ts';
import type { MailMessage } from './message.ts';
import {
  accountDeletedMail,
  emailChangedMail,
  passwordChangedMail,
  recoveryCodeMail,
  supportMail,
  welcomeMail,
} from './templates/account.ts';
import { invoiceMail } from './templates/invoice.ts';
import { receiptMail, refundMail } from './templates/payment.ts';

/** A message that no longer makes sense to send. */
export class MailObsolete extends Error {
  override readonly name = 'MailObsolete';
}

/**
 * Writes the message of a job, with the company's data as they are now.
 *
 * @throws {MailObsolete}
 */
export async function composeMail(deps: Deps, job: MailJob): Promise<MailMessage> {
  const { content } = job;
  if (content.kind === 'cuenta-eliminada') {
    return accountDeletedMail(deps.config, content.companyName);
  }
  if (content.kind === 'pago-devuelto') return refundMail(deps.config, content);
  const company = await findCompany(deps.sql, job.companyId);
  if (!company) throw new MailObsolete('La cuenta se ha eliminado.');
  switch (content.kind) {
    case 'bienvenida':
      return welcomeMail(deps.config, company);
    case 'codigo':
      if (new Date(content.expiresAt) <= deps.clock()) {
        throw new MailObsolete('El código ha caducado.');
      }
      return recoveryCodeMail(
        deps.config,
        openSealedCode(deps.config, job.companyId, content.sealedCode),
      );
    case 'contrasena-cambiada':
      return passwordChangedMail(deps.config, company, new Date(content.changedAt));
    case 'correo-cambiado':
      return emailChangedMail(deps.config, company, {
        ...content,
        changedAt: new Date(content.changedAt),
      });
    case 'pago':
      return receiptMail(deps.config, company, content);
    case 'soporte':
      return supportMail(deps.config, company, content);
    case 'factura':
      return composeInvoice(deps, company, BigInt(content.invoiceId));
  }
}

async function composeInvoice(
  deps: Deps,
  company: Company,
  invoiceId: bigint,
): Promise<MailMessage> {
  const [rendered, picture] = await Promise.all([
    renderInvoice(deps, company.id, invoiceId),
    findCompanyPicture(deps.sql, company.id),
  ]);
  const logo = picture ? await companyLogo(picture, rendered.invoice.emisor.nombre) : null;
  return invoiceMail(company, { ...rendered, logo });
}
