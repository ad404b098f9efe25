import { expect, it } from 'vitest';
import { openDatabase } from '../../src/platform/database.ts';
import type { Tx } from '../../src/store/sql.ts';
import { createTestDatabase } from '../support/database.ts';

it('takes the free connection that was used last, where statements are prepared already', async () => {
  const database = await createTestDatabase({ isEmpty: true });
  const sql = openDatabase({ url: database.url });
  const backend = async (tx: Tx, seconds = 0) => {
    const [row] = await tx<{ pid: number }[]>`
      select pg_backend_pid() as pid, pg_sleep(${seconds})`;
    return row?.pid;
  };
  try {
    const all = await Promise.all(Array.from({ length: 4 }, () => backend(sql, 0.05)));
    expect(new Set(all).size).toBe(4);
    const last = await backend(sql);
    for (let time = 0; time < 8; time++) {
      expect(await backend(sql)).toBe(last);
      const own = await sql.reserve();
      expect(await backend(own)).toBe(last);
      // Held by one, the others serve, and none is left out or taken twice.
      const rest = await Promise.all([backend(sql, 0.01), backend(sql, 0.01), backend(sql, 0.01)]);
      expect(new Set([last, ...rest])).toEqual(new Set(all));
      own.release();
    }
  } finally {
    await sql.end();
    await database.drop();
  }
});

it('forgets what was asked on a connection that was cut, and its error', async () => {
  const database = await createTestDatabase({ isEmpty: true });
  const sql = openDatabase({ url: `${database.url}?max=1` });
  try {
    for (let time = 0; time < 3; time++) {
      const cut = sql`select pg_sleep(20), 'cut'`.then(
        () => null,
        (error: { code: string }) => error.code,
      );
      const cutting = async () =>
        database.sql`
          select pg_terminate_backend(pid) from pg_stat_activity
           where datname = ${database.name} and wait_event = 'PgSleep'`;
      await expect.poll(cutting, { interval: 5 }).toHaveLength(1);
      expect(await cut).toBe('CONNECTION_CLOSED');
      expect(await sql`select 1 as one`).toEqual([{ one: 1 }]);
    }
  } finally {
    await sql.end(); // Without a limit: it waits for no answer that cannot come.
    await database.drop();
  }
});
