import type { Deps } from '../deps.ts';
import { diasHasta } from '../domain/certificate-expiry.ts';
import { dataCopyLink } from '../operations/data-copy.ts';
import { openSealedCode } from '../operations/recover-password.ts';
import { drawInvoice } from '../operations/render-invoice.ts';
import { findCertificateDetails } from '../store/certificates.ts';
import { type Company, findCompany, findCompanyByEmail } from '../store/companies.ts';
import { findCompanyPicture } from '../store/company-pictures.ts';
import { findDataCopy } from '../store/data-copies.ts';
import { findInvoiceById } from '../store/invoices.ts';
import type { MailContent, MailJob } from '../store/mail-jobs.ts';
import { isAnnulled } from '../store/registros.ts';
import { companyLogo } from './logos.ts';
import type { MailMessage } from './message.ts';
import {
  accountDeletedMail,
  dataCopyMail,
  emailChangedMail,
  passwordChangedMail,
  recoveryCodeMail,
  secondFactorMail,
  supportCopyMail,
  supportMail,
  welcomeMail,
} from './templates/account.ts';
import {
  certificateExpiryMail,
  certificateRefusedMail,
  sendingStoppedMail,
} from './templates/certificate.ts';
import { invoiceMail } from './templates/invoice.ts';
import { deniedMail, receiptMail, refundMail, unaskedMail } from './templates/payment.ts';
import { subscriptionEndedMail, subscriptionEndingMail } from './templates/subscription.ts';

/** A message that it no longer makes sense to send. */
export class MailObsolete extends Error {
  override readonly name = 'MailObsolete';
}

/**
 * Composes the message of a job, with the company's current data.
 *
 * @throws {MailObsolete}
 */
export async function composeMail(deps: Deps, job: MailJob): Promise<MailMessage> {
  const { content } = job;
  if (content.kind === 'cuenta-eliminada') {
    return accountDeletedMail(deps.config, content.companyName);
  }
  if (content.kind === 'copia-lista') return composeCopy(deps, job, content);
  if (content.kind === 'pago-devuelto') return refundMail(deps.config, content);
  if (content.kind === 'pago-sin-confirmar') return unaskedMail(deps.config, content);
  if (content.kind === 'pago-denegado') return composeDenied(deps, job, content);
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
    case 'segundo-factor':
      return secondFactorMail(deps.config, company, {
        change: content.change,
        changedAt: new Date(content.changedAt),
      });
    case 'correo-cambiado':
      return emailChangedMail(deps.config, company, {
        ...content,
        changedAt: new Date(content.changedAt),
      });
    case 'certificado-caduca':
      return composeExpiry(deps, company, new Date(content.validoHasta));
    case 'certificado-rechazado':
      return composeRefused(deps, company, content);
    case 'envio-detenido':
      return sendingStoppedMail(deps.config, company, content.motivo);
    case 'pago':
      return receiptMail(deps.config, company, content);
    case 'soporte':
      return supportMail(deps.config, company, content);
    case 'soporte-copia':
      return supportCopyMail(deps.config, company, content);
    case 'suscripcion-caduca':
    case 'suscripcion-caducada':
      if (company.subscriptionEndsAt.getTime() !== Date.parse(content.endsAt)) {
        throw new MailObsolete('La suscripción se ha renovado.');
      }
      return content.kind === 'suscripcion-caduca'
        ? subscriptionEndingMail(deps.config, company)
        : subscriptionEndedMail(deps.config, company);
    case 'factura':
      return composeInvoice(deps, company, BigInt(content.invoiceId));
  }
}

/** Its account may be closed by now: the copy outlives it. */
async function composeCopy(
  deps: Deps,
  { companyId }: MailJob,
  { copyId, companyName }: Extract<MailContent, { kind: 'copia-lista' }>,
): Promise<MailMessage> {
  const copy = await findDataCopy(deps.sql, companyId);
  if (copy?.id !== copyId || !copy.expiresAt || copy.expiresAt <= deps.clock()) {
    throw new MailObsolete('La copia ya no existe.');
  }
  return dataCopyMail(deps.config, {
    companyName,
    bytes: copy.bytes,
    expiresAt: copy.expiresAt,
    link: dataCopyLink(deps.config, { companyId, copyId }),
  });
}

/** If a new certificate was uploaded meanwhile, there is nothing to say any more. */
async function composeExpiry(deps: Deps, company: Company, validoHasta: Date) {
  const certificate = await findCertificateDetails(deps.sql, company.id);
  if (certificate?.validoHasta.getTime() !== validoHasta.getTime()) {
    throw new MailObsolete('El certificado ya es otro.');
  }
  return certificateExpiryMail(deps.config, company, {
    ...certificate,
    dias: diasHasta(validoHasta, deps.clock()),
  });
}

async function composeRefused(
  deps: Deps,
  company: Company,
  { motivo, huella }: Extract<MailContent, { kind: 'certificado-rechazado' }>,
) {
  const certificate = await findCertificateDetails(deps.sql, company.id);
  if (certificate?.huella !== huella) throw new MailObsolete('El certificado ya es otro.');
  return certificateRefusedMail(deps.config, company, { ...certificate, motivo });
}

/** A payer who succeeded at last is not told of the denial. */
async function composeDenied(
  deps: Deps,
  job: MailJob,
  content: Extract<MailContent, { kind: 'pago-denegado' }>,
): Promise<MailMessage> {
  const company =
    content.endsAt === null
      ? await findCompanyByEmail(deps.sql, job.recipient)
      : await findCompany(deps.sql, job.companyId);
  const isPaid =
    content.endsAt === null
      ? company !== null
      : company?.subscriptionEndsAt.getTime() !== Date.parse(content.endsAt);
  if (isPaid) throw new MailObsolete('Se ha pagado después.');
  return deniedMail(deps.config, content);
}

/** An invoice annulled after it was queued is not sent: its client would pay it. */
async function composeInvoice(
  deps: Deps,
  company: Company,
  invoiceId: bigint,
): Promise<MailMessage> {
  const invoice = await findInvoiceById(deps.sql, company.id, invoiceId);
  if (!invoice) throw new MailObsolete('La factura ya no existe.');
  if (await isAnnulled(deps.sql, company.id, invoice)) {
    throw new MailObsolete('La factura se ha anulado.');
  }
  const [rendered, picture] = await Promise.all([
    drawInvoice(deps, company.id, invoice),
    findCompanyPicture(deps.sql, company.id),
  ]);
  const logo = picture ? await companyLogo(picture, rendered.invoice.emisor.nombre) : null;
  return invoiceMail(company, { ...rendered, logo });
}
