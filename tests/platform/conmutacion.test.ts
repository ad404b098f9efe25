import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { openDatabase } from '../../src/platform/database.ts';
import { COMPANIES, countFaults, enrol, startLoad, untilDrained } from '../support/load.ts';
import {
  type ReplicatedPostgres,
  startReplicatedPostgres,
} from '../support/replicated-postgres.ts';
import { scratch } from '../support/scratch.ts';
import { removeDataDir, type Stack, startStack } from '../support/stack.ts';
import { eventually } from '../support/wait.ts';

/** How much is registered before and after; more with `npm run test:conmutacion`. */
const isLong = process.env.CONMUTACION_ESPERA !== undefined;
const INVOICES = isLong ? 300 : 30;
/** Between the fall of the primary and the moment in which whoever watches it notices. */
const UNNOTICED_MS = Number(process.env.CONMUTACION_ESPERA ?? 0) * 1000;

const started: Stack[] = [];
let servers: ReplicatedPostgres | null = null;
let dataDir = '';
afterEach(async () => {
  await Promise.all(started.splice(0).map((stack) => stack.stop('SIGKILL')));
  await removeDataDir(dataDir);
  await servers?.remove();
});

it('goes on by itself on the standby, with every invoice that was answered, when the primary dies', async () => {
  await fallUnderLoad((servers) => servers.killPrimary());
}, 150_000);

it.runIf(isLong)(
  'and when the primary keeps its connections and says nothing more',
  async () => {
    await fallUnderLoad((servers) => servers.freezePrimary());
  },
  240_000,
);

async function fallUnderLoad(fall: (servers: ReplicatedPostgres) => void): Promise<void> {
  servers = await startReplicatedPostgres();
  dataDir = mkdtempSync(join(scratch, 'huella-conmutacion-app-'));
  const start = async (role: string) => {
    const stack = await startStack({
      dataDir,
      env: {
        DATABASE_URL: `${servers?.url}&max=8`,
        ROLE: role,
        LOG_LEVEL: 'fatal',
        SIMULADOR_TIEMPO_ESPERA: '0',
      },
    });
    started.push(stack);
    return stack;
  };
  await start('dispatcher');
  const { baseUrl } = await start('web');
  const sql = openDatabase({ url: `${servers.url}&max=1` });
  try {
    const companies = await Promise.all(COMPANIES.map((nif) => enrol(baseUrl, sql, nif)));
    const load = startLoad(() => [baseUrl], companies);
    await load.more(INVOICES);

    fall(servers);
    const killedAt = performance.now();
    await eventually(async () => (await fetch(`${baseUrl}/salud`)).status === 503);
    await sleep(UNNOTICED_MS);
    const promotedAt = performance.now();
    await servers.promote();
    await load.more(INVOICES);
    await load.stop();
    const first = load.acknowledged.find((at) => at > promotedAt) ?? Infinity;
    if (isLong) {
      const seconds = (from: number) => ((first - from) / 1000).toFixed(1);
      console.log(
        `${load.acknowledged.length} facturas. Sin registrar ${seconds(killedAt)} s desde la caída; ` +
          `${seconds(promotedAt)} s desde que se promovió la reserva.`,
      );
    }
    expect((await fetch(`${baseUrl}/salud`)).status).toBe(200);
    // Both processes have their ear at the new primary; listener.test.ts tells that it listens there.
    await eventually(async () => {
      const [row] = await sql<{ ears: number }[]>`
        select count(*)::int as ears from pg_stat_activity
         where application_name = 'huella-oyente'`;
      return row?.ears === 2;
    }, 60);
    await untilDrained(sql);
    expect(await countFaults(baseUrl, sql, companies)).toEqual({
      lost: [],
      doubles: [],
      gaps: [],
      differences: [],
    });
  } finally {
    await sql.end({ timeout: 1 });
  }
}
