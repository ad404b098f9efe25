import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { openDatabase } from '../../src/platform/database.ts';
import {
  COMPANIES,
  countFaults,
  enrol,
  type Load,
  startLoad,
  untilDrained,
} from '../support/load.ts';
import { missingPackages, type PatroniName, startPatroni } from '../support/patroni.ts';
import {
  type ReplicatedPostgres,
  startReplicatedPostgres,
} from '../support/replicated-postgres.ts';
import { scratch } from '../support/scratch.ts';
import { removeDataDir, type Stack, startStack } from '../support/stack.ts';
import { eventually } from '../support/wait.ts';

/** How many invoices are registered before and after; more with `npm run test:conmutacion`. */
const isLong = process.env.CONMUTACION_ESPERA !== undefined;
const INVOICES = isLong ? 300 : 30;
/** Between the failure of the primary and the moment in which it is detected. */
const UNNOTICED_MS = Number(process.env.CONMUTACION_ESPERA ?? 0) * 1000;

const missing = missingPackages();
if (isLong && missing.length > 0) {
  console.warn(`conmutacion.test.ts: Patroni is left out without ${missing.join(', ')} of Debian.`);
}

const started: Stack[] = [];
let cluster: { readonly remove: () => Promise<void> } | null = null;
let dataDir = '';
afterEach(async () => {
  await Promise.all(started.splice(0).map((stack) => stack.stop('SIGKILL')));
  await removeDataDir(dataDir);
  await cluster?.remove();
  cluster = null;
});

it('goes on automatically on the standby, with every answered invoice, when the primary dies', async () => {
  await fallUnderLoad((servers) => servers.killPrimary());
}, 150_000);

it.runIf(isLong)(
  'goes on when the primary keeps its connections but stops answering',
  async () => {
    await fallUnderLoad((servers) => servers.freezePrimary());
  },
  240_000,
);

it.runIf(isLong && missing.length === 0)(
  'goes on with Patroni, whatever happens to the leader: its server or machine ends, it falls silent, a switchover',
  async () => {
    const patroni = await startPatroni();
    cluster = patroni;
    await underLoad(patroni.url, async ({ load }) => {
      /** Waits for invoices. @returns how many there are in a second */
      const rate = async () => {
        const from = performance.now();
        await load.more(INVOICES);
        return ((INVOICES / (performance.now() - from)) * 1000).toFixed(0);
      };
      /** Waits for invoices before and after, and says for how long none was registered. */
      const tell = async (what: string, befall: (leader: PatroniName) => Promise<void>) => {
        const before = await rate();
        const from = load.acknowledged.length - 1;
        const leader = await patroni.leader();
        await befall(leader);
        await load.more(INVOICES);
        const since = load.acknowledged.slice(from);
        const silences = since.map((at, i, all) => at - (all[i - 1] ?? at));
        const seconds = (Math.max(...silences) / 1000).toFixed(1);
        const now = await patroni.leader();
        await patroni.untilWhole();
        console.log(
          `${what}: ${seconds} s sin registrar; dirige ${now}, antes ${leader}; ` +
            `por segundo, ${before} facturas antes y ${await rate()} después.`,
        );
      };
      await tell('Fin de PostgreSQL', async (leader) => patroni.killServer(leader));
      await tell('Fin de la máquina', async (leader) => {
        patroni.killMachine(leader);
        await patroni.untilOtherThan(leader);
        patroni.startMachine(leader);
      });
      await tell('Silencio de la máquina', async (leader) => {
        patroni.freeze(leader);
        await patroni.untilOtherThan(leader);
        await load.more(INVOICES);
        patroni.thaw(); // It still believes that it is the leader.
      });
      await tell('Relevo ordenado', async (leader) => {
        await patroni.switchOver(leader);
        await patroni.untilOtherThan(leader);
      });
    });
  },
  900_000,
);

async function fallUnderLoad(fall: (servers: ReplicatedPostgres) => void): Promise<void> {
  const servers = await startReplicatedPostgres();
  cluster = servers;
  await underLoad(servers.url, async ({ load, baseUrl }) => {
    await load.more(INVOICES);
    fall(servers);
    const killedAt = performance.now();
    await eventually(async () => (await fetch(`${baseUrl}/salud`)).status === 503);
    await sleep(UNNOTICED_MS);
    const promotedAt = performance.now();
    await servers.promote();
    await load.more(INVOICES);
    if (!isLong) return;
    const first = load.acknowledged.find((at) => at > promotedAt) ?? Infinity;
    const seconds = (from: number) => ((first - from) / 1000).toFixed(1);
    console.log(
      `${load.acknowledged.length} facturas. Sin registrar ${seconds(killedAt)} s desde la caída; ` +
        `${seconds(promotedAt)} s desde que se promovió la reserva.`,
    );
  });
}

/**
 * Runs a web server and a dispatcher over the database servers at `url`, with users who register while `happen` runs.
 */
async function underLoad(
  url: string,
  happen: (world: { readonly load: Load; readonly baseUrl: string }) => Promise<void>,
): Promise<void> {
  dataDir = mkdtempSync(join(scratch, 'huella-conmutacion-app-'));
  const start = async (role: string) => {
    const stack = await startStack({
      dataDir,
      env: {
        DATABASE_URL: `${url}&max=8`,
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
  const sql = openDatabase({ url: `${url}&max=1` });
  try {
    const companies = await Promise.all(COMPANIES.map((nif) => enrol(baseUrl, sql, nif)));
    const load = startLoad(() => [baseUrl], companies);
    await happen({ load, baseUrl });
    await load.stop();
    expect((await fetch(`${baseUrl}/salud`)).status).toBe(200);
    // Both processes listen at the new primary; listener.test.ts tests that listening works there.
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
