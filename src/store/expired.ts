import { KEPT_MS as KEYS_KEPT_MS } from './idempotency.ts';
import { NOBODY, PRIVATE } from './mail-jobs.ts';
import type { Statement, Tx } from './sql.ts';

const DAY_MS = 24 * 3_600_000;
/** How long an upload waits for its draft. */
const LOOSE_UPLOAD_DAYS = 30;
/** Long enough to discover a problem, but not for ever (RGPD art. 5.1.e). */
const SECURITY_EVENT_YEARS = 2;

/** Rows of companies that have expired and are of no use any more. */
export interface Expired {
  readonly table: string;
  /**
   * The expired rows of that table, by columns with an index (0146, 0288, 0289); without one, few enough to be
   * scanned.
   */
  readonly where: (tx: Tx) => Statement;
}

/** Everything that is kept for a limited time, as of a moment. `docs/operacion.md` documents it. */
export function expiredAt(now: Date): readonly Expired[] {
  const ago = (ms: number) => new Date(now.getTime() - ms);
  const monthAgo = ago(30 * DAY_MS);
  return [
    { table: 'recovery_codes', where: (tx) => tx`expires_at <= ${now}` },
    // Scanned, a month of them: an index on the last use would have to be written with each call.
    { table: 'sessions', where: (tx) => tx`last_seen_at < ${monthAgo}` },
    { table: 'idempotency_keys', where: (tx) => tx`created_at < ${ago(KEYS_KEPT_MS)}` },
    {
      table: 'security_events',
      where: (tx) => tx`at < ${now}::timestamptz - make_interval(years => ${SECURITY_EVENT_YEARS})`,
    },
    // Somebody whose card was denied and who has no account is forgotten after a month, told or not (RGPD art.
    // 5.1.e).
    {
      table: 'mail_jobs',
      where: (tx) => tx`company_id = ${NOBODY} and created_at < ${monthAgo}`,
    },
    {
      table: 'uploads',
      where: (tx) => tx`uploaded_at < ${ago(LOOSE_UPLOAD_DAYS * DAY_MS)} and invoice_id is null`,
    },
    // Pictures of the pages of registered invoices, which nobody compares any more. The original stays.
    {
      table: 'upload_pages',
      where: (tx) => tx`exists (
        select from uploads u
          join invoices i on i.company_id = u.company_id and i.id = u.invoice_id
         where u.company_id = upload_pages.company_id and u.id = upload_pages.upload_id
           and i.status in ('Registrada', 'Anulada'))`,
    },
    { table: 'data_copies', where: (tx) => tx`expires_at <= ${now}` },
    // Messages that carried an invoice are part of its story.
    {
      table: 'mail_jobs',
      where: (tx) => tx`
        coalesce(sent_at, failed_at) < ${now}::timestamptz - interval '1 year' and invoice_id is null`,
    },
    {
      table: 'mail_jobs',
      where: (tx) => tx`failed_at < ${monthAgo} and kind = any(${[...PRIVATE]}::text[])`,
    },
  ];
}

/** Companies with such rows, without repetitions, among the first `limit` rows found. */
export async function companiesWith(tx: Tx, expired: Expired, limit: number): Promise<number[]> {
  const rows = await tx<{ companyId: number }[]>`
    select company_id as "companyId" from ${tx(expired.table)}
     where ${expired.where(tx)}
     limit ${limit}`;
  return [...new Set(rows.map(({ companyId }) => companyId))];
}

/**
 * Deletes those of one company, in a statement that a distributed database sends to one machine.
 *
 * @returns how many
 */
export async function deleteExpiredOf(
  tx: Tx,
  expired: Expired,
  companyId: number,
): Promise<number> {
  const { count } = await tx`
    delete from ${tx(expired.table)} where company_id = ${companyId} and ${expired.where(tx)}`;
  return count;
}
