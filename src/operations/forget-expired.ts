import type { Deps } from '../deps.ts';
import { deleteExpiredDataCopies } from '../store/data-copies.ts';
import { deleteExpiredKeys } from '../store/idempotency.ts';
import { deleteOldMails, forgetMailsOfNobody } from '../store/mail-jobs.ts';
import { deleteExpiredAttempts } from '../store/rate-limits.ts';
import { deleteExpiredCodes } from '../store/recovery-codes.ts';
import { deleteOldSecurityEvents } from '../store/security-events.ts';
import { deleteOldSessions } from '../store/sessions.ts';
import { deleteCheckedPages, deleteLooseUploads } from '../store/uploads.ts';

/** For how long an upload waits for its draft. */
const UPLOAD_DAYS = 30;

/** Deletes what has run out and says nothing any more: counters, codes, sessions, kept answers. */
export async function forgetExpired({ sql, clock }: Pick<Deps, 'sql' | 'clock'>): Promise<void> {
  const now = clock();
  await deleteExpiredAttempts(sql, now);
  await deleteExpiredCodes(sql, now);
  await deleteOldSessions(sql, now);
  await deleteExpiredKeys(sql, now);
  await deleteOldSecurityEvents(sql, now);
  await forgetMailsOfNobody(sql, now);
  await deleteLooseUploads(sql, new Date(now.getTime() - UPLOAD_DAYS * 24 * 3_600_000));
  await deleteCheckedPages(sql);
  await deleteExpiredDataCopies(sql, now);
  await deleteOldMails(sql, now);
}
