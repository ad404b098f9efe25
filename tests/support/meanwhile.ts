import type { Sql, Tx } from '../../src/store/sql.ts';
import { untilTrue } from './world.ts';

const waitingIn = (sql: Tx) => sql`
  select pid from pg_stat_activity
   where datname = current_database() and wait_event_type = 'Lock'`;

/** Until exactly that many transactions of the database wait for a lock. */
export async function untilWaiting(
  sql: Tx,
  count: number,
  patience?: { readonly patienceMs: number },
): Promise<void> {
  await untilTrue(
    () => waitingIn(sql),
    ({ length }) => length === count,
    patience,
  );
}

/**
 * Something that arrives when another call is under way, and stands still where it needs what the test holds.
 *
 * @param hold takes the lock that stops the first call
 * @param first waits for that lock
 * @param second ends, or waits too
 * @returns the answers to both
 */
export async function meanwhile<First, Second>(
  sql: Sql,
  hold: (tx: Tx) => PromiseLike<unknown>,
  first: () => Promise<First>,
  second: () => Promise<Second>,
): Promise<readonly [First, Second]> {
  let isAnswered = false;
  const answers = await sql.begin(async (tx) => {
    await hold(tx);
    const begun = first();
    await untilWaiting(sql, 1);
    const came = second().finally(() => {
      isAnswered = true;
    });
    await untilTrue(
      () => waitingIn(sql),
      ({ length }) => length === 2 || isAnswered,
    );
    return { both: Promise.all([begun, came]) };
  });
  return answers.both;
}
