import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Listener, openListener } from '../../src/platform/listener.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { eventually } from '../support/wait.ts';

let database: TestDatabase;
let listener: Listener;
const heard: string[] = [];
let timesCaughtUp = 0;

beforeEach(async () => {
  database = await createTestDatabase();
  listener = openListener(
    { url: database.url },
    {
      canal: {
        heard: (payload) => heard.push(payload),
        caughtUp: () => {
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

it('hears what is said, and again after its connection is cut', async () => {
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
