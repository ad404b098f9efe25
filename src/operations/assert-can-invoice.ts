import { CERTIFICATE_NEEDED, SUBSCRIPTION_EXPIRED } from '../domain/closed-panel.ts';
import { DomainError } from '../domain/errors.ts';
import type { LockedCadena } from '../store/cadenas.ts';
import type { CertificateDetails } from '../store/certificates.ts';
import type { Company } from '../store/companies.ts';

export function isSubscriptionExpired(
  company: Pick<Company, 'subscriptionEndsAt'>,
  now: Date,
): boolean {
  return company.subscriptionEndsAt <= now;
}

/**
 * Checks that a company may register, correct or annul.
 *
 * An expired certificate stops sending, not registering: the invoice waits for the new certificate.
 *
 * @throws {DomainError} FORBIDDEN, because there is no certificate or because the subscription has expired
 */
export function assertCanInvoice(
  company: Pick<Company, 'subscriptionEndsAt'>,
  certificate: CertificateDetails | null,
  now: Date,
): void {
  if (isSubscriptionExpired(company, now)) throw new DomainError('FORBIDDEN', SUBSCRIPTION_EXPIRED);
  if (!certificate) throw new DomainError('FORBIDDEN', CERTIFICATE_NEEDED);
}

/** Why nothing can be registered, and what to do. */
export function reconcileNeeded({ reconcilePeriodos, reconcileReason }: Reconcile): string {
  const months = monthsInWords(reconcilePeriodos);
  switch (reconcileReason) {
    case 'copia':
      return `Se ha restaurado una copia de seguridad. Antes de registrar y de enviar hay que comprobar con la AEAT que no falta nada de ${months}, para no repetir números. ${reconcilePeriodos.length > MONTHS_NAMED ? BY_ITSELF : BY_HAND}`;
    case 'copia-falta':
      return `Se ha restaurado una copia de seguridad, y la AEAT tiene registros de esta instalación que aquí faltan (${months}). Lo que espera se enviará después. ${MEND}`;
    case 'falta':
      return `La AEAT tiene registros de esta instalación que aquí faltan (${months}): parece que se ha restaurado una copia de seguridad antigua. ${MEND}`;
  }
}

const BY_ITSELF = 'Huella lo hace por sí sola, mes a mes, si hay un certificado vigente.';
const BY_HAND =
  'Huella lo hace por sí sola cada pocas horas si hay un certificado vigente; para no esperar, concilia esos meses en «Registros y evidencias».';

/** When there are more months than these, the message gives only their number, the first and the last. */
const MONTHS_NAMED = 6;

function monthsInWords(periodos: readonly string[]): string {
  const months = periodos.toSorted().map((periodo) => `${periodo.slice(5)}/${periodo.slice(0, 4)}`);
  if (months.length <= MONTHS_NAMED) return months.join(', ');
  return `${months.length} meses, entre ${months[0]} y ${months.at(-1)}`;
}

const MEND =
  'No se puede registrar hasta resolverlo, para no repetir números. Restaura la copia más reciente y concilia ese mes en «Registros y evidencias»; si no la hay, allí mismo puedes empezar una instalación nueva.';

type Reconcile = Pick<LockedCadena, 'reconcilePeriodos' | 'reconcileReason'>;

/**
 * Refuses to extend a cadena whose head may be out of date: the next number and link may already be at the AEAT
 * (Orden HAC/1177/2024 art. 7.a to d).
 *
 * @throws {DomainError} FORBIDDEN, saying what to do
 */
export function assertReconciled(cadena: Reconcile): void {
  if (cadena.reconcilePeriodos.length === 0) return;
  throw new DomainError('FORBIDDEN', reconcileNeeded(cadena));
}
