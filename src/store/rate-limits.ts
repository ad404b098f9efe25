import type { Tx } from './sql.ts';

/** How often something may be attempted. The counter lives in the database, so all processes share it. */
export interface AttemptPolicy {
  /** Attempts allowed in a window before the next one has to wait; at least 2. */
  readonly attempts: number;
  readonly windowSeconds: number;
  /**
   * `window`: wait until the window ends. `doubling`: wait 1, 2, 4… up to 60 seconds after each
   * further attempt, so that nobody can lock another one's account for long (ASVS 6.3.1).
   */
  readonly wait: 'window' | 'doubling';
}

const LONGEST_DOUBLING_SECONDS = 60;
/**
 * A window that ends this much later than any that begins now was begun by a clock that has been set back since: it
 * would keep people out until that hour comes again. It is far more than the clocks of two processes differ, so that
 * nobody's attempts are forgotten by alternating between them.
 */
const SET_BACK_MS = 10 * 60_000;

/**
 * Counts an attempt before it is made, so that fifty at once do not count as one.
 *
 * @returns 0 when it may proceed, otherwise the whole seconds to wait; a refused attempt is not counted
 */
export async function takeAttempt(
  tx: Tx,
  key: string,
  policy: AttemptPolicy,
  now: Date,
): Promise<number> {
  const windowEnd = new Date(now.getTime() + policy.windowSeconds * 1000);
  const latestEnd = new Date(windowEnd.getTime() + SET_BACK_MS);
  const isOver = tx`(r.resets_at <= ${now} or r.resets_at > ${latestEnd})`;
  const [taken] = await tx<{ hits: number }[]>`
    insert into rate_limits as r (key, hits, resets_at, blocked_until)
    values (${key}, 1, ${windowEnd}, null)
        on conflict (key) do update
       set hits = case when ${isOver} then 1 else r.hits + 1 end,
           resets_at = case when ${isOver} then ${windowEnd} else r.resets_at end,
           blocked_until = case
             when ${isOver} or r.hits + 1 < ${policy.attempts} then null
             when ${policy.wait} = 'window' then r.resets_at
             else ${now}::timestamptz + make_interval(secs =>
               least(power(2, least(r.hits + 1 - ${policy.attempts}, 30)), ${LONGEST_DOUBLING_SECONDS}))
           end
     where ${isOver} or r.blocked_until is null or r.blocked_until <= ${now}
 returning hits`;
  if (taken) return 0;
  const [row] = await tx<{ blocked_until: Date }[]>`
    select blocked_until from rate_limits where key = ${key}`;
  const waitMs = (row?.blocked_until?.getTime() ?? now.getTime()) - now.getTime();
  return Math.max(1, Math.ceil(waitMs / 1000));
}

/** Forgets the attempts of a key, after one that succeeded. */
export async function clearAttempts(tx: Tx, key: string): Promise<void> {
  await tx`delete from rate_limits where key = ${key}`;
}

/** Takes back one attempt, and with it the wait that it caused. */
export async function returnAttempt(tx: Tx, key: string): Promise<void> {
  await tx`
    update rate_limits set hits = greatest(hits - 1, 0), blocked_until = null where key = ${key}`;
}

/** Deletes the counters whose window is over: they are of no use any more. */
export async function deleteExpiredAttempts(tx: Tx, now: Date): Promise<void> {
  await tx`
    delete from rate_limits
     where resets_at <= ${now} and (blocked_until is null or blocked_until <= ${now})`;
}
