import type postgres from 'postgres';

/** `int8` columns come as `bigint`, `numeric` and `date` as text: money and days are never floats. */
export interface SqlTypes extends Record<string, unknown> {
  readonly bigint: bigint;
}

export type Sql = postgres.Sql<SqlTypes>;

/** What store functions take first: a transaction, or the pool for a single statement. */
export type Tx = postgres.ISql<SqlTypes>;

/**
 * Runs one transaction whose statements may travel together.
 *
 * `sql.begin` waits for `begin` and for `commit` on their own; here `begin` goes out with the first
 * statements, and `commit()` can be sent behind the last ones (`Promise.all([…, commit()])`), so that
 * the locks taken first are held for as few round trips as there are real decisions: PostgreSQL turns
 * a `commit` after a failed statement into a rollback, and the failed statement rejects the call.
 *
 * The caller must await `commit()`; without it everything is rolled back.
 */
export async function pipelined<T>(
  sql: Sql,
  run: (tx: Tx, commit: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const tx = await sql.reserve();
  let isCommitted = false;
  try {
    const begun = tx`begin`.then(() => undefined);
    begun.catch(() => undefined); // A lost connection also rejects the statements behind it.
    const result = await run(tx, async () => {
      const { command } = await tx`commit`;
      if (command !== 'COMMIT') throw new Error('The transaction was rolled back.');
      isCommitted = true;
    });
    await begun;
    return result;
  } finally {
    if (!isCommitted) await tx`rollback`.catch(() => undefined);
    tx.release();
  }
}
