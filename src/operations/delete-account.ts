import type { Deps } from '../deps.ts';
import { DomainError } from '../domain/errors.ts';
import { deleteConnection } from '../store/business-central.ts';
import { forgetOrigins } from '../store/business-central-origins.ts';
import { lockCadena } from '../store/cadenas.ts';
import { deleteCertificate, findCertificateDetails } from '../store/certificates.ts';
import { type Company, closeCompany } from '../store/companies.ts';
import { deleteCompanyPicture } from '../store/company-pictures.ts';
import { deleteUnusedCustomers } from '../store/customers.ts';
import { findDataCopy } from '../store/data-copies.ts';
import { forgetWaiting } from '../store/despachos.ts';
import { deleteKeysOf } from '../store/idempotency.ts';
import { deleteImports, takeImportTurn } from '../store/imports.ts';
import { countByStatus } from '../store/invoice-lists.ts';
import { deleteDrafts } from '../store/invoices.ts';
import { cancelMails, enqueueMail } from '../store/mail-jobs.ts';
import { deleteAllProducts } from '../store/products.ts';
import { deleteRecoveryCode } from '../store/recovery-codes.ts';
import { deleteRun } from '../store/register-all-runs.ts';
import { deleteSecondFactor } from '../store/second-factors.ts';
import { closeSessions } from '../store/sessions.ts';
import type { Tx } from '../store/sql.ts';
import { deleteUploads } from '../store/uploads.ts';
import { isSubscriptionExpired } from './assert-can-invoice.ts';
import { type Asker, assertItIsThem, lockOwn } from './change-account.ts';
import { companyOf } from './company-of.ts';
import { recordEvent } from './record-event.ts';

/**
 * Closes an account: nobody can sign in any more, the certificate is destroyed, and so is everything that the law
 * does not require us to keep. Registros, registered invoices and the parties that they name stay, locked, for their
 * legal term (RGPD art. 17.3.b, LOPDGDD art. 32). A copy of the data that is ready stays until it expires.
 *
 * @throws {DomainError} CONFLICT while something waits to be sent or a copy is being made; REAUTHENTICATE,
 *   BAD_REQUEST and TOO_MANY_REQUESTS as {@link assertItIsThem}; UNAUTHORIZED when the session was ended meanwhile
 */
export async function deleteAccount(
  deps: Deps,
  asker: Asker,
  currentPassword: string,
): Promise<void> {
  const { companyId } = asker;
  await assertItIsThem(deps, asker, await companyOf(deps, companyId), currentPassword);

  await deps.sql.begin(async (tx) => {
    await takeImportTurn(tx, companyId); // What is being imported is deleted too.
    const company = await lockOwn(tx, asker, deps.clock());
    await deleteDrafts(tx, companyId); // Before locking the cadena: registering locks in this order.
    await lockCadena(tx, companyId); // Nothing is registered between this check and the closing.
    const now = deps.clock();
    const counts = await countByStatus(tx, companyId);
    if ((counts.get('En espera') ?? 0) > 0) await letWaitingGo(tx, company, now);
    if ((await findDataCopy(tx, companyId))?.status === 'preparando') {
      throw new DomainError(
        'CONFLICT',
        'Estamos preparando la copia de tus datos que pediste. Espera a que esté lista antes de eliminar la cuenta.',
      );
    }
    await closeSessions(tx, companyId, now);
    await deleteCertificate(tx, companyId);
    await deleteConnection(tx, companyId);
    await forgetOrigins(tx, companyId);
    await deleteCompanyPicture(tx, companyId);
    await deleteUploads(tx, companyId); // What was read from them is in the invoices.
    await deleteRecoveryCode(tx, companyId);
    await deleteDrafts(tx, companyId); // Those saved while this waited for the cadena.
    await deleteUnusedCustomers(tx, companyId);
    await deleteAllProducts(tx, companyId);
    await cancelMails(tx, companyId);
    await deleteSecondFactor(tx, companyId);
    await deleteKeysOf(tx, companyId);
    await deleteRun(tx, companyId);
    await deleteImports(tx, companyId);
    await recordEvent(tx, companyId, { kind: 'cuenta-eliminada', now });
    await closeCompany(tx, companyId, now);
    await enqueueMail(tx, companyId, {
      content: { kind: 'cuenta-eliminada', companyName: company.name },
      recipient: company.email,
      now,
    });
  });
  deps.wakeMail();
}

/**
 * Drops what waits to be sent when it belongs to a demo, which does not count, and can no longer be sent or corrected
 * because its certificate or the demo itself has expired.
 *
 * @throws {DomainError} CONFLICT in any other case, saying what to do
 */
async function letWaitingGo(tx: Tx, company: Company, now: Date): Promise<void> {
  const certificate = await findCertificateDetails(tx, company.id);
  const isSubscribed = !isSubscriptionExpired(company, now);
  const canSend = certificate !== null && certificate.validoHasta > now;
  if (company.subscriptionType === 'Demo' && !(isSubscribed && canSend)) {
    await forgetWaiting(tx, company.id, now);
    return;
  }
  const how = !canSend
    ? 'Sube un certificado vigente para que se envíen'
    : isSubscribed
      ? 'Espera a que se envíen o corrígelas'
      : 'Espera a que se envíen; si una rechazada las frena, renueva la suscripción para corregirla,';
  throw new DomainError(
    'CONFLICT',
    `Hay facturas pendientes de envío a la AEAT. ${how} antes de eliminar la cuenta.`,
  );
}
