import { afterAll, beforeAll, expect, it } from 'vitest';
import { forgetExpired } from '../../src/operations/forget-expired.ts';
import { leaveTurn, renewTurn, takeTurn } from '../../src/store/app-settings.ts';
import { companiesWith, type Expired, expiredAt } from '../../src/store/expired.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { insertCompanies, pagesRead } from '../support/many-companies.ts';

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

it('goes on until nothing expired is left, and keeps the rest', async () => {
  await keep(25);
  await keep(23);
  await forgetExpired({ sql: database.sql, clock: () => NOW });
  expect(await kept()).toBe(COMPANIES * 2);
});

it('keeps a count of attempts whose window is over, for as long as whoever made them has to wait', async () => {
  const { sql } = database;
  await sql`
    insert into rate_limits (key, hits, resets_at, blocked_until)
    values ('espera', 9, ${minutesLater(-1)}, ${minutesLater(1)}),
           ('esperó', 9, ${minutesLater(-1)}, ${NOW}), ('nunca', 1, ${minutesLater(-1)}, null),
           ('cuenta', 1, ${minutesLater(1)}, null)`;
  await forgetExpired({ sql, clock: () => NOW });
  const left = await sql<{ key: string }[]>`select key from rate_limits order by key`;
  expect(left.map(({ key }) => key)).toEqual(['cuenta', 'espera']);
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
  // A process that lost its turn is told so, and takes no other's away.
  expect(await takeTurn(sql, 'olvidar', { now: NOW, until: minutesLater(10) })).not.toBeNull();
  expect(await renewTurn(sql, 'olvidar', dead ?? { token: '' }, minutesLater(20))).toBe(false);
  await leaveTurn(sql, 'olvidar', dead ?? { token: '' });
  expect(await takeTurn(sql, 'olvidar', { now: NOW, until: minutesLater(10) })).toBeNull();
});

it('does not wait for the day of a process that died before the clock was set back', async () => {
  const { sql } = database;
  await sql`delete from app_settings where key = 'turno:olvidar'`;
  await keep(26);
  const before = await kept();
  const takenAt = (minutes: number) =>
    takeTurn(sql, 'olvidar', { now: minutesLater(minutes), until: minutesLater(minutes + 10) });
  await takenAt(9); // Another process, whose clock is nine minutes ahead.
  await forgetExpired({ sql, clock: () => NOW });
  expect(await kept()).toBe(before);
  await takenAt(24 * 60);
  await forgetExpired({ sql, clock: () => NOW });
  expect(await kept()).toBe(COMPANIES * 2);
});

it('is interrupted when its process ends, and another one goes on at once', async () => {
  const { sql } = database;
  await keep(27);
  const before = await kept();
  const ending = new AbortController();
  let looks = 0;
  const clock = () => {
    if (++looks === 4) ending.abort(); // While it looks for what has expired.
    return minutesLater(30);
  };
  await forgetExpired({ sql, clock }, ending.signal);
  expect(await kept()).toBe(before);
  await forgetExpired({ sql, clock: () => minutesLater(30) });
  expect(await kept()).toBe(COMPANIES * 2);
});

it('finds what has expired without reading the tables that grow', async () => {
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

it('finds what has expired where new rows have taken the place of old ones', async () => {
  const { sql } = database;
  const EACH = 20_000;
  const hour = (at: number) => new Date(NOW.getTime() + at * 3_600_000);
  const cameAt = (at: number) => sql`
    insert into idempotency_keys (company_id, key, request_hash, created_at)
    select 1 + n % ${COMPANIES}, ${at}::text || '-' || n, repeat('x', 60), ${hour(at)}::timestamptz
      from generate_series(1, ${EACH}) n`;
  const happenedAt = (at: number) => sql`
    insert into security_events (company_id, at, kind, address, user_agent)
    select 1 + n % ${COMPANIES}, ${hour(at)}::timestamptz, 'sesion-abierta', '', '' from generate_series(1, ${EACH}) n`;
  await sql`truncate idempotency_keys`;
  await cameAt(0);
  await happenedAt(0);
  // Every second row, scattered over the table, and later what is left of them once new rows are among them.
  const second = sql`ctid::text ~ '[02468][)]$'`;
  await sql`delete from idempotency_keys where ${second}`;
  await sql`delete from security_events where ${second}`;
  await sql`vacuum`;
  await cameAt(48);
  await happenedAt(48);
  await sql`delete from idempotency_keys where created_at = ${hour(0)}`;
  await sql`delete from security_events where at = ${hour(0)}`;
  await sql`vacuum analyze`;
  for (const table of ['idempotency_keys', 'security_events']) {
    const column = table === 'security_events' ? 'at' : 'created_at';
    const expired: Expired = { table, where: (tx) => tx`${tx(column)} < ${hour(24)}` };
    expect(await companiesWith(sql, expired, 1000)).toEqual([]);
    expect(await pagesRead(sql, () => companiesWith(sql, expired, 1000)), table).toBeLessThan(20);
  }
});
