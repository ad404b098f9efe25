import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase, openToCopy } from '../../src/platform/database.ts';
import { eachCopied } from '../../src/store/copied-rows.ts';
import { copyOut } from '../../src/store/copy-out.ts';
import type { Sql } from '../../src/store/sql.ts';
import { openWorld, untilTrue, type World } from '../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

/** A row for each number up to that one: the number, a text of a few kilobytes, a null. */
function rowsUpTo(last: number): string {
  return `select n::int8, n || repeat('ñ', 1500), null::text from generate_series(1, ${last}) as n order by n`;
}

async function copy(
  sql: Sql,
  query: string,
  take: (texts: readonly string[]) => void,
): Promise<void> {
  await sql.begin((tx) =>
    eachCopied(tx, query, ({ bytes, limits }) => {
      const columns = Array.from({ length: limits.length / 2 }, (_, i) =>
        bytes.subarray(limits[2 * i], limits[2 * i + 1]),
      );
      take([String(columns[0]?.readBigInt64BE()), ...columns.slice(1).map(String)]);
    }),
  );
}

describe.each([
  ['like any others', openDatabase],
  ['into one memory', openToCopy],
])('rows that are copied out, read %s', (_how, open) => {
  /** A single connection, so that whatever a copy leaves behind affects the next one. */
  let sql: Sql;
  beforeAll(() => {
    sql = open({ url: `${world.databaseUrl}?max=1` });
  });
  afterAll(() => sql.end({ timeout: 1 }));

  // As many as one read of the socket returns, a few more, and many.
  it.each([0, 1, 5, 10, 20, 30, 3000])('arrive complete and in order, %i of them', async (last) => {
    const seen: (readonly string[])[] = [];
    await copy(sql, rowsUpTo(last), (row) => seen.push(row));
    expect(seen).toHaveLength(last);
    for (const [i, row] of seen.entries()) {
      expect(row).toEqual([`${i + 1}`, `${i + 1}${'ñ'.repeat(1500)}`, '']);
    }
    expect(await sql`select 1 as one`).toEqual([{ one: 1 }]);
  });

  it('arrive complete however long they are', async () => {
    const lengths = [3, 400_000, 5, 131_072, 900_000, 0, 65_536];
    const query = `select ordinality, repeat('ab', (n / 2)::int) || repeat('c', (n % 2)::int), null::text
                     from unnest(array[${lengths}]) with ordinality as given (n, ordinality)`;
    const seen: number[] = [];
    await copy(sql, query, ([, text = '']) => {
      expect(text.replace(/^(ab)*c?$/, '')).toBe('');
      seen.push(text.length);
    });
    expect(seen).toEqual(lengths);
  });

  it('are not mixed with other queries on the same connection', async () => {
    const numbers = Array.from({ length: 5000 }, (_, i) => i + 1);
    const texts = await sql<{ text: string }[]>`
      select n || repeat('ñ', 1500) as text from generate_series(1, 5000) as n order by n`;
    await copy(sql, rowsUpTo(5000), () => {});
    const raw =
      await sql`select n::text as text from generate_series(1, 5000) as n order by n`.raw();
    await copy(sql, rowsUpTo(5000), () => {});
    expect(texts.map(({ text }) => Number.parseInt(text, 10))).toEqual(numbers);
    expect(raw.map(([n]) => Number(String(n)))).toEqual(numbers);
    let streamed = '';
    const lines = sql`copy (select n from generate_series(1, 20000) as n) to stdout`.readable();
    for await (const piece of copyOut(await lines)) streamed += piece;
    expect(streamed.trim().split('\n').at(-1)).toBe('20000');
    expect(streamed.trim().split('\n')).toHaveLength(20_000);
  });

  it('leave the connection usable when the callback rejects one', async () => {
    const taken = copy(sql, rowsUpTo(500), ([n]) => {
      if (n === '7') throw new Error('Not this one.');
    });
    await expect(taken).rejects.toThrow('Not this one.');
    expect(await sql`select 1 as one`).toEqual([{ one: 1 }]);
  });

  it.each([15, 400])(
    'leave the connection usable when the database fails at row %i',
    async (row) => {
      const failing = `select n::int8 / (n - ${row}), repeat('x', 3000) from generate_series(1, 900) as n`;
      await expect(copy(sql, failing, () => {})).rejects.toThrow('division by zero');
      expect(await sql`select 1 as one`).toEqual([{ one: 1 }]);
    },
  );

  it('report that the connection was lost, and another takes its place', async () => {
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
    await untilTrue(isBack, (is) => is);
  });
});
