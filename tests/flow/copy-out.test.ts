import type { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/platform/database.ts';
import { copyOut } from '../../src/store/copy-out.ts';
import type { Sql, Tx } from '../../src/store/sql.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
let sql: Sql;
beforeAll(async () => {
  database = await createTestDatabase();
  sql = openDatabase({ url: database.url });
});
afterAll(async () => {
  await sql.end({ timeout: 1 });
  await database.drop();
});

const rowsOf = async (tx: Tx, bytes: number): Promise<Readable> =>
  tx`copy (select repeat('x', 99) from generate_series(1, ${tx.unsafe(String(Math.ceil(bytes / 100)))})) to stdout`.readable();

const isFree = async (tx: Tx) => expect(await tx`select 1 as one`).toEqual([{ one: 1 }]);

describe('copyOut', () => {
  it.each([0, 1_000, 16_000, 20_000, 40_000, 64_000, 70_000, 100_000, 200_000, 5_000_000])(
    'leaves the connection free after %s bytes',
    async (bytes) => {
      await sql.begin(async (tx) => {
        let read = 0;
        for await (const piece of copyOut(await rowsOf(tx, bytes))) read += piece.length;
        expect(read).toBe(bytes);
        await isFree(tx);
      });
    },
  );

  it.each([20_000, 5_000_000])(
    'leaves the connection free when the reader of %s bytes gives up',
    async (bytes) => {
      await sql.begin(async (tx) => {
        for await (const piece of copyOut(await rowsOf(tx, bytes))) {
          expect(piece.length).toBeGreaterThan(0);
          break;
        }
        await isFree(tx);
      });
    },
  );

  it('reports that the connection was lost, and the next one works', async () => {
    const lost = sql.begin(async (tx) => {
      const [row] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`;
      let isCut = false;
      for await (const _ of copyOut(await rowsOf(tx, 50_000_000))) {
        if (!isCut) await database.sql`select pg_terminate_backend(${row?.pid ?? 0})`;
        isCut = true;
      }
    });
    await expect(lost).rejects.toMatchObject({
      code: expect.stringMatching(/^(57P01|CONNECTION_CLOSED|ECONNRESET)$/),
    });
    await isFree(sql);
  });
});
