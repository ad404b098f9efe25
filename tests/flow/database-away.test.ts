import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDatabase } from '../../src/platform/database.ts';
import { isDatabaseAway } from '../../src/store/database-away.ts';
import type { Sql } from '../../src/store/sql.ts';
import {
  type Answer,
  openWorld,
  type TestCompany,
  untilTrue,
  type World,
} from '../support/world.ts';

let world: World;
let company: TestCompany;
let operator: Sql;

beforeAll(async () => {
  world = await openWorld();
  company = await world.signUp('A08001851');
  operator = openDatabase({ url: `${world.databaseUrl}?max=1` });
});
afterAll(async () => {
  await operator.end();
  await world.close();
});

/** Like a server that restarts: every connection but ours is cut, whatever it was doing. */
async function cutConnections(): Promise<void> {
  await operator`
    select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid()`;
}

it('says that it is unavailable, not that something is wrong, while its connections are cut', async () => {
  const answers: Answer<{ message?: string }>[] = [];
  const failed = (method?: string) => (answer: Answer<{ message?: string }>) =>
    answer.status === 503 && (!method || answer.body.message?.includes(method));
  for (let round = 0; round < 60; round++) {
    const calls = [
      ...Array.from({ length: 6 }, () =>
        company.call<{ message?: string }>('GET', '/api/GetData/GetClientes'),
      ),
      ...Array.from(
        { length: 6 },
        () => company.register() as Promise<Answer<{ message?: string }>>,
      ),
    ];
    await new Promise((resolve) => setTimeout(resolve, round % 12));
    await cutConnections();
    answers.push(...(await Promise.all(calls)));
    const hasAll =
      answers.some(({ status }) => status === 200) &&
      answers.some(failed('no está disponible')) &&
      answers.some(failed('mira si quedó'));
    if (hasAll) break;
  }
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 503]));
  expect(answers.some(failed('no está disponible'))).toBe(true);
  expect(answers.some(failed('mira si quedó'))).toBe(true);
  await untilTrue(
    () => company.register(),
    ({ status }) => status === 200,
  );
});

it('says the same when the database opens no session, for whatever reason', async () => {
  // Each reason has a code of its own.
  const url = new URL(world.databaseUrl);
  url.pathname = '/otra';
  const elsewhere = openDatabase({ url: url.href });
  const asked = await elsewhere`select 1`.catch((error: unknown) => error);
  await elsewhere.end();
  expect(asked).toMatchObject({ code: '3D000', severity: 'FATAL' });
  expect(isDatabaseAway(asked)).toBe(true);
});

it('says that there is no room while the disk is full, saves nothing, and leaves no gap', async () => {
  const before = await company.register();
  await world.sql.unsafe(`
    create function refuse() returns trigger language plpgsql as $$
    begin raise exception 'could not extend file' using errcode = '53100'; end $$;
    create trigger refuse before insert on registros for each row execute function refuse()`);
  const refused = (await company.register()) as Answer<object>;
  await world.sql`drop function refuse cascade`;
  expect(refused).toEqual({
    status: 503,
    body: { message: expect.stringContaining('no ha guardado nada'), codigo: 'OUT_OF_ROOM' },
  });
  const after = await company.register();
  const [last = 0, next = 0] = [before, after].map(({ body }) => Number.parseInt(body.DocNo, 10));
  expect(next).toBe(last + 1);
});

it('distinguishes an unavailable database from a wrong statement', async () => {
  const nobody = openDatabase({ url: 'postgres://huella@127.0.0.1:1/huella' });
  const asked = nobody`select 1`.catch((error: unknown) => error);
  const ended = nobody.end({ timeout: 0 });
  expect(isDatabaseAway(await asked)).toBe(true);
  await ended;
  const refused = await world.sql`select 1 / 0`.catch((error: unknown) => error);
  expect(isDatabaseAway(refused)).toBe(false);
  expect(isDatabaseAway(Object.assign(new Error('no file'), { code: 'ENOENT' }))).toBe(false);
});
