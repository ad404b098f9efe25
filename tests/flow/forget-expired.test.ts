import { afterAll, beforeAll, expect, it } from 'vitest';
import { forgetExpired } from '../../src/operations/forget-expired.ts';
import { leaveTurn, renewTurn, takeTurn } from '../../src/store/app-settings.ts';
import { expiredAt } from '../../src/store/expired.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { insertCompanies } from '../support/many-companies.ts';

const NOW = new Date('2026-11-22T12:00:00Z');
const minutesLater = (minutes: number) => new Date(NOW.getTime() + minutes * 60_000);
const COMPANIES = 1200;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await insertCompanies(database.sql, COMPANIES);
});
afterAll(() => database.drop());

const keep = (hoursAgo: number) => database.sql`
  insert into idempotency_keys (company_id, key, request_hash, created_at)
  select n, 'k' || ${hoursAgo}::int || '-' || m, '', ${NOW}::timestamptz - make_interval(hours => ${hoursAgo})
    from generate_series(1, ${COMPANIES}) n, generate_series(1, 2) m`;
const kept = async () =>
  (await database.sql<{ n: number }[]>`select count(*)::int as n from idempotency_keys`)[0]?.n;

it('goes on until nothing is left that has run out, and leaves the rest', async () => {
  await keep(25);
  await keep(23);
  await forgetExpired({ sql: database.sql, clock: () => NOW });
  expect(await kept()).toBe(COMPANIES * 2);
});

it('is done by one process at a time, and by another when that one dies', async () => {
  const { sql } = database;
  await keep(26);
  const before = await kept();
  const dead = await takeTurn(sql, 'olvidar', { now: NOW, until: minutesLater(10) });
  expect(dead).not.toBeNull();
  await forgetExpired({ sql, clock: () => minutesLater(9) });
  expect(await kept()).toBe(before);
  await forgetExpired({ sql, clock: () => minutesLater(10) });
  expect(await kept()).toBe(COMPANIES * 2);
  // Whoever lost its turn is told, and takes nobody else's away.
  expect(await takeTurn(sql, 'olvidar', { now: NOW, until: minutesLater(10) })).not.toBeNull();
  expect(await renewTurn(sql, 'olvidar', dead ?? { token: '' }, minutesLater(20))).toBe(false);
  await leaveTurn(sql, 'olvidar', dead ?? { token: '' });
  expect(await takeTurn(sql, 'olvidar', { now: NOW, until: minutesLater(10) })).toBeNull();
});

it('is left half done when its process ends, and another one goes on at once', async () => {
  const { sql } = database;
  await keep(27);
  const before = await kept();
  const ending = new AbortController();
  let looks = 0;
  const clock = () => {
    if (++looks === 4) ending.abort(); // As it looks for what has run out.
    return minutesLater(30);
  };
  await forgetExpired({ sql, clock }, ending.signal);
  expect(await kept()).toBe(before);
  await forgetExpired({ sql, clock: () => minutesLater(30) });
  expect(await kept()).toBe(COMPANIES * 2);
});

it('finds what has run out without reading the tables that grow', async () => {
  const GROWING = ['idempotency_keys', 'security_events', 'mail_jobs', 'data_copies', 'uploads'];
  const scanned = await database.sql.begin(async (tx) => {
    await tx.unsafe('set local enable_seqscan = off');
    const found: string[] = [];
    for (const { table, where } of expiredAt(NOW)) {
      const rows = await tx<{ 'QUERY PLAN': string }[]>`
        explain select company_id from ${tx(table)} where ${where(tx)} limit 1000`;
      const plan = rows.map((row) => row['QUERY PLAN']).join(' ');
      if (GROWING.includes(table) && plan.includes('Seq Scan')) found.push(`${table}: ${plan}`);
    }
    return found;
  });
  expect(scanned).toEqual([]);
});
