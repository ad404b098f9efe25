import type { Deps } from '../deps.ts';
import { AVISOS_CADUCIDAD_DIAS, avisoDebido } from '../domain/certificate-expiry.ts';
import { findExpiring, keepWarning } from '../store/certificates.ts';
import { findCompany } from '../store/companies.ts';
import { enqueueMail } from '../store/mail-jobs.ts';

const DAY_MS = 86_400_000;
const PER_RUN = 500;
/** What expired longer ago than this is no news: nobody was there to tell it. */
const NEWS_DAYS = 30;

/**
 * Queues the e-mail that says that a certificate will expire, 60, 30, 15, 7 days and one before, and that it
 * has expired: each once per certificate. The row that says so and the message are one transaction, so that neither a crash nor
 * another process that looks at the same time makes two of it or none.
 *
 * @returns how many it queued
 */
export async function warnCertificates(deps: Deps): Promise<number> {
  const now = deps.clock();
  const until = new Date(now.getTime() + AVISOS_CADUCIDAD_DIAS[0] * DAY_MS);
  let queued = 0;
  const since = new Date(now.getTime() - NEWS_DAYS * DAY_MS);
  for (const { companyId, huella, validoHasta, warned } of await findExpiring(deps.sql, {
    since,
    until,
    limit: PER_RUN,
  })) {
    const dias = avisoDebido(validoHasta, now);
    if (dias === null || warned.includes(dias)) continue;
    const isNew = await deps.sql.begin(async (tx) => {
      const company = await findCompany(tx, companyId);
      if (!company || !(await keepWarning(tx, companyId, { huella, dias, now }))) return false;
      await enqueueMail(tx, companyId, {
        content: { kind: 'certificado-caduca', validoHasta: validoHasta.toISOString() },
        recipient: company.email,
        now,
      });
      return true;
    });
    if (isNew) queued += 1;
  }
  if (queued > 0) deps.wakeMail();
  return queued;
}
