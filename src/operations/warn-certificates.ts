import type { Deps } from '../deps.ts';
import { type AvisoDebido, avisosDebidos } from '../domain/certificate-expiry.ts';
import { findCertificatesToWarn, keepWarning } from '../store/certificates.ts';
import { findCompany } from '../store/companies.ts';
import { enqueueMail } from '../store/mail-jobs.ts';

const AT_ONCE = 500;

/**
 * Queues the e-mails that a certificate will expire in 60, 30, 15 or 7 days or in one, and that it has expired: each
 * once per certificate. The record of the warning and the message are one transaction, so neither a crash nor another
 * process doing the same can send it twice or lose it.
 *
 * @returns how many it queued
 */
export async function warnCertificates(deps: Deps): Promise<number> {
  let queued = 0;
  for (const aviso of avisosDebidos(deps.clock())) queued += await warn(deps, aviso);
  if (queued > 0) deps.wakeMail();
  return queued;
}

async function warn(deps: Deps, { dias, after, until }: AvisoDebido): Promise<number> {
  const now = deps.clock();
  let queued = 0;
  for (;;) {
    const due = await findCertificatesToWarn(deps.sql, dias, { after, until, limit: AT_ONCE });
    const before = queued;
    for (const { companyId, huella, validoHasta } of due) {
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
    // Not one of a whole batch was ours: another process is at it.
    if (due.length < AT_ONCE || queued === before) return queued;
  }
}
