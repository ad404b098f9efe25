import type { Deps } from '../deps.ts';
import { leaveTurn, renewTurn, takeTurn } from '../store/app-settings.ts';
import { companiesWith, deleteExpiredOf, type Expired, expiredAt } from '../store/expired.ts';
import { deleteExpiredAttempts } from '../store/rate-limits.ts';
import type { Sql } from '../store/sql.ts';

const TURN = 'olvidar';
/** How long a process that died keeps the others waiting; longer than a batch takes. */
const TURN_MS = 10 * 60_000;
/** Rows looked up at a time. */
const BATCH = 1000;

/**
 * Deletes expired data that is of no use any more: counters, codes, sessions, kept answers.
 *
 * One process at a time, and one company per transaction: nobody waits behind it, and what is left when it is
 * interrupted is found the next time.
 *
 * @param ending aborted when this process ends: the remaining companies wait for the next round
 */
export async function forgetExpired(
  { sql, clock }: Pick<Deps, 'sql' | 'clock'>,
  ending: AbortSignal = new AbortController().signal,
): Promise<void> {
  const until = () => new Date(clock().getTime() + TURN_MS);
  const turn = await takeTurn(sql, TURN, { now: clock(), until: until() });
  if (!turn) return;
  try {
    await deleteExpiredAttempts(sql, clock());
    for (const expired of expiredAt(clock())) {
      await forgetAll(sql, expired, { ending, renew: () => renewTurn(sql, TURN, turn, until()) });
    }
  } finally {
    await leaveTurn(sql, TURN, turn);
  }
}

async function forgetAll(
  sql: Sql,
  expired: Expired,
  { ending, renew }: { readonly ending: AbortSignal; readonly renew: () => Promise<boolean> },
): Promise<void> {
  while (!ending.aborted) {
    const companies = await companiesWith(sql, expired, BATCH);
    let deleted = 0;
    for (const companyId of companies) {
      if (ending.aborted) return;
      deleted += await deleteExpiredOf(sql, expired, companyId);
    }
    if (deleted === 0 || !(await renew())) return;
  }
}
