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

/** How much is registered before and after; more with `npm run test:conmutacion`. */
const isLong = process.env.CONMUTACION_ESPERA !== undefined;
const INVOICES = isLong ? 300 : 30;
/** Between the fall of the primary and the moment in which whoever watches it notices. */
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

it.runIf(isLong && missing.length === 0)(
  'and with Patroni, whatever befalls the server that leads: its end, that of its machine, silence, a switchover',
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
      /** Waits for invoices before and after, and tells how long none was registered. */
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
        patroni.thaw(); // It still believes that it leads.
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

/** A web and a dispatcher over the servers at `url`, with people who register while `happen` does. */
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
