import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type Listener, openListener } from '../../src/platform/listener.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { eventually } from '../support/wait.ts';

let database: TestDatabase;
let listener: Listener;
const heard: string[] = [];
let timesCaughtUp = 0;

beforeEach(async () => {
  heard.length = 0;
  timesCaughtUp = 0;
  database = await createTestDatabase();
  listener = openListener(
    { url: database.url },
    {
      canal: {
        onMessage: (payload) => heard.push(payload),
        onReconnect: () => {
          timesCaughtUp++;
        },
      },
    },
  );
  await eventually(async () => timesCaughtUp === 1);
});
afterEach(async () => {
  await listener.close();
  await database.drop();
});

it('receives notifications, also after its connection is cut', async () => {
  const { sql } = database;
  await sql.notify('canal', 'uno');
  await eventually(async () => heard.includes('uno'));

  await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
     where application_name = 'huella-oyente' and datname = current_database()`;
  await eventually(async () => timesCaughtUp === 2);
  await sql.notify('canal', 'dos');
  await eventually(async () => heard.includes('dos'));
  expect(heard).toEqual(['uno', 'dos']);
});

it('listens to nothing behind a pgbouncer, where each answer would look like a new connection', async () => {
  const { sql, url } = database;
  const onReconnect = vi.fn();
  const deaf = openListener(
    { url: `${url}?prepare=false` },
    { canal: { onMessage: onReconnect, onReconnect } },
  );
  await sql.notify('canal', 'uno');
  await eventually(async () => heard.includes('uno')); // The other one receives it.
  const [open] = await sql<{ count: number }[]>`
    select count(*)::int as count from pg_stat_activity
     where application_name = 'huella-oyente' and datname = current_database()`;
  expect([open?.count, onReconnect.mock.calls]).toEqual([1, []]);
  await deaf.close();
});
