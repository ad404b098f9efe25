import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { findProgram } from '../../scripts/programs.mjs';
import { openDatabase, waitForDatabase } from '../../src/platform/database.ts';
import { freePort } from '../../src/platform/free-port.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { COMPANIES, countFaults, enrol, startLoad, untilDrained } from '../support/load.ts';
import { scratch } from '../support/scratch.ts';
import { removeDataDir, type Stack, startStack } from '../support/stack.ts';

const PGBOUNCER = findProgram('pgbouncer');
if (!PGBOUNCER) console.warn('pgbouncer.test.ts: pgbouncer is not on this machine: skipped.');
/** Fewer than a process opens, so that every transaction may run on a different connection. */
const POOL_SIZE = 5;
const INVOICES = 60;

const started: Stack[] = [];
let database: TestDatabase | null = null;
let bouncer: ChildProcess | null = null;
let folder = '';
afterEach(async () => {
  await Promise.all(started.splice(0).map((stack) => stack.stop('SIGKILL')));
  await removeDataDir(join(folder, 'datos'));
  if (bouncer?.kill()) await once(bouncer, 'exit');
  await database?.drop();
  rmSync(folder, { recursive: true, force: true });
});

it.skipIf(!PGBOUNCER)(
  'registers and sends through a pgbouncer that gives each transaction any connection',
  async () => {
    folder = mkdtempSync(join(scratch, 'huella-pgbouncer-'));
    database = await createTestDatabase({ isEmpty: true });
    const address = await startBouncer(database);
    const mistaken = openDatabase({ url: address });
    await expect(waitForDatabase(mistaken, 5)).rejects.toThrow('añádele ?prepare=false');
    await mistaken.end({ timeout: 0 });
    const url = `${address}?prepare=false`;
    const start = async (role: string) => {
      const stack = await startStack({
        dataDir: join(folder, 'datos'),
        env: { DATABASE_URL: url, ROLE: role, SIMULADOR_TIEMPO_ESPERA: '0' },
      });
      started.push(stack);
      return stack;
    };
    await start('dispatcher');
    const webs = [await start('web'), await start('web')].map(({ baseUrl }) => baseUrl);
    const [baseUrl = ''] = webs;
    const { sql } = database;
    const companies = await Promise.all(COMPANIES.map((nif) => enrol(baseUrl, sql, nif)));
    const load = startLoad(() => webs, companies);
    await load.more(INVOICES);
    await load.stop();
    await untilDrained(sql);
    expect(companies.flatMap(({ failures }) => failures)).toEqual([]);
    expect(await countFaults(baseUrl, sql, companies)).toEqual({
      lost: [],
      doubles: [],
      gaps: [],
      differences: [],
    });
    for (const stack of started)
      expect(stack.output()).not.toMatch(/"level":"(warn|error|fatal)".*"err"/);
  },
  150_000,
);

it.skipIf(!PGBOUNCER).each(['transaction', 'session'])(
  'notices at the start whether a pgbouncer in %s mode, which drops its settings, changes connections',
  async (mode) => {
    folder = mkdtempSync(join(scratch, 'huella-pgbouncer-'));
    database = await createTestDatabase({ isEmpty: true });
    const dropped = 'ignore_startup_parameters = jit,idle_in_transaction_session_timeout';
    const sql = openDatabase({ url: await startBouncer(database, { mode, more: dropped }) });
    const waiting = waitForDatabase(sql, 5);
    if (mode === 'session') await expect(waiting).resolves.toBeUndefined();
    else await expect(waiting).rejects.toThrow('añádele ?prepare=false');
    await sql.end({ timeout: 0 });
  },
);

/** Starts pgbouncer in front of the tests' server. @returns the address of the database behind it */
async function startBouncer(
  { url, name }: TestDatabase,
  { mode = 'transaction', more = '' } = {},
): Promise<string> {
  const { hostname, port, username, password } = new URL(url);
  const listenPort = await freePort();
  const config = join(folder, 'pgbouncer.ini');
  writeFileSync(
    config,
    `[databases]
* = host=${hostname} port=${port} user=${username} password='${decodeURIComponent(password)}'
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listenPort}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = ${POOL_SIZE}
${more}
`,
  );
  // It refuses to run as root.
  chmodSync(folder, 0o755);
  const args = process.getuid?.() === 0 ? ['-u', 'nobody', config] : [config];
  bouncer = spawn(PGBOUNCER, args, { stdio: 'ignore' });
  return `postgres://${username}@127.0.0.1:${listenPort}/${name}`;
}
