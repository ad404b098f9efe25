import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/platform/database.ts';
import { eachCopied } from '../../src/store/copied-rows.ts';
import type { Sql } from '../../src/store/sql.ts';
import { eventually, openWorld, type World } from '../support/world.ts';

let world: World;
/** One connection: what a copy leaves behind, the next one meets. */
let sql: Sql;

beforeAll(async () => {
  world = await openWorld();
  sql = openDatabase({ url: `${world.databaseUrl}?max=1` });
});
afterAll(async () => {
  await sql.end({ timeout: 1 });
  await world.close();
});

/** A row for each number up to that one: the number, a text of some kilobytes, a null. */
function rowsUpTo(last: number): string {
  return `select n::int8, n || repeat('ñ', 1500), null::text from generate_series(1, ${last}) as n order by n`;
}

async function copy(query: string, take: (texts: readonly string[]) => void): Promise<void> {
  await sql.begin((tx) =>
    eachCopied(tx, query, ({ bytes, limits }) => {
      const columns = Array.from({ length: limits.length / 2 }, (_, i) =>
        bytes.subarray(limits[2 * i], limits[2 * i + 1]),
      );
      take([String(columns[0]?.readBigInt64BE()), ...columns.slice(1).map(String)]);
    }),
  );
}

describe('rows that are copied out', () => {
  // As many as one reading of a socket brings, some more, and many.
  it.each([0, 1, 5, 10, 20, 30, 3000])(
    'come whole and in their order, %i of them',
    async (last) => {
      const seen: (readonly string[])[] = [];
      await copy(rowsUpTo(last), (row) => seen.push(row));
      expect(seen).toHaveLength(last);
      for (const [i, row] of seen.entries()) {
        expect(row).toEqual([`${i + 1}`, `${i + 1}${'ñ'.repeat(1500)}`, '']);
      }
      expect(await sql`select 1 as one`).toEqual([{ one: 1 }]);
    },
  );

  it('leave the connection as it was when one of them is not taken', async () => {
    const taken = copy(rowsUpTo(500), ([n]) => {
      if (n === '7') throw new Error('Not this one.');
    });
    await expect(taken).rejects.toThrow('Not this one.');
    expect(await sql`select 1 as one`).toEqual([{ one: 1 }]);
  });

  it.each([15, 400])('leave it as it was when the database fails at the row %i', async (row) => {
    const failing = `select n::int8 / (n - ${row}), repeat('x', 3000) from generate_series(1, 900) as n`;
    await expect(copy(failing, () => {})).rejects.toThrow('division by zero');
    expect(await sql`select 1 as one`).toEqual([{ one: 1 }]);
  });

  it('tell that the connection was lost, and another takes its place', async () => {
    const lost = sql.begin(async (tx) => {
      const [row] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`;
      let cut: Promise<unknown> | undefined;
      await eachCopied(tx, rowsUpTo(50_000), () => {
        cut ??= world.sql`select pg_terminate_backend(${row?.pid ?? 0})`.execute();
      }).finally(() => cut);
    });
    await expect(lost).rejects.toMatchObject({
      code: expect.stringMatching(/^(57P01|CONNECTION_CLOSED|ECONNRESET)$/),
    });
    const isBack = async () => (await sql`select 1 as one`.catch(() => [])).length === 1;
    await eventually(isBack, (is) => is);
  });
});
