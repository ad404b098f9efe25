import type { Deps } from '../deps.ts';
import { endOtherSessions } from '../store/sessions.ts';
import type { Asker } from './change-account.ts';
import { recordEvent } from './record-event.ts';

/**
 * Ends every session of the account except the caller's.
 *
 * @returns how many were open
 */
export async function closeOtherSessions(
  { sql, clock }: Pick<Deps, 'sql' | 'clock'>,
  { companyId, sid }: Pick<Asker, 'companyId' | 'sid'>,
): Promise<number> {
  const now = clock();
  return sql.begin(async (tx) => {
    const ended = await endOtherSessions(tx, companyId, sid, now);
    if (ended > 0) await recordEvent(tx, companyId, { kind: 'sesiones-cerradas', now });
    return ended;
  });
}
