import { DomainError } from '../domain/errors.ts';
import type { CertificateDetails } from '../store/certificates.ts';
import type { Company } from '../store/companies.ts';

export const CERTIFICATE_NEEDED = 'Se necesita cargar el certificado digital para poder acceder.';
export const SUBSCRIPTION_EXPIRED =
  'La subscripción ha caducado, renueva tu subscripcion desde el panel de perfil.';

export function isSubscriptionExpired(
  company: Pick<Company, 'subscriptionEndsAt'>,
  now: Date,
): boolean {
  return company.subscriptionEndsAt <= now;
}

/**
 * Lets a company register, correct or annul.
 *
 * An expired certificate stops the sending, not the registering: the invoice waits for the new one.
 *
 * @throws {DomainError} FORBIDDEN with one of the two sentences of the specification (§8)
 */
export function assertCanInvoice(
  company: Pick<Company, 'subscriptionEndsAt'>,
  certificate: CertificateDetails | null,
  now: Date,
): void {
  if (isSubscriptionExpired(company, now)) throw new DomainError('FORBIDDEN', SUBSCRIPTION_EXPIRED);
  if (!certificate) throw new DomainError('FORBIDDEN', CERTIFICATE_NEEDED);
}
