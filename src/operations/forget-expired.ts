import type { Deps } from '../deps.ts';
import { leaveTurn, renewTurn, takeTurn } from '../store/app-settings.ts';
import { companiesWith, deleteExpiredOf, type Expired, expiredAt } from '../store/expired.ts';
import { deleteExpiredAttempts } from '../store/rate-limits.ts';
import type { Sql } from '../store/sql.ts';

const TURN = 'olvidar';
/** For how long a process that died keeps the others from it; longer than one batch takes. */
const TURN_MS = 10 * 60_000;
/** Rows that are looked for at once. */
const BATCH = 1000;

/**
 * Deletes what has run out and says nothing any more: counters, codes, sessions, kept answers.
 *
 * One process at a time, and a company at a time, each in a transaction of its own: nobody waits behind it, and what
 * was not done when it is cut short is found again.
 *
 * @param ending this process ends: the companies that are left wait for the next round
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
