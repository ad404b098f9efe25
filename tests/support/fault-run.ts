import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pino from 'pino';
import { openDatabase } from '../../src/platform/database.ts';
import { startEmbeddedPostgres } from '../../src/platform/embedded-postgres.ts';
import { freePort } from '../../src/platform/free-port.ts';
import { guardFolder } from './guardian.ts';
import {
  COMPANIES,
  countFaults,
  endPauses,
  enrol,
  type FaultCounts,
  startLoad,
  untilDrained,
} from './load.ts';
import { pick, seededRandom } from './random.ts';
import { scratch } from './scratch.ts';
import { removeDataDir, type Stack, startStack } from './stack.ts';

export type Victim = 'web' | 'dispatcher' | 'postgres' | 'simulators';
const VICTIMS: readonly Victim[] = ['web', 'dispatcher', 'postgres', 'simulators'];
const WINDOW_MS = 500;

export interface Round {
  readonly victims: readonly Victim[];
  /** Milliseconds from the kill until the rate of registering is as before. */
  readonly recoveryMs: number;
}

/** The result of a run of kills. */
export interface FaultReport extends FaultCounts {
  readonly registered: number;
  readonly rounds: readonly Round[];
}

/**
 * Registers and sends while a random process of the product is killed in each round, and then compares what was
 * answered with the database, and the database with the AEAT.
 *
 * The web, the dispatcher, the database and the simulators run in processes of their own. Clients behave like ours:
 * they repeat the same request with its key until it is answered.
 *
 * @param options.each kills every process once, in that order, instead of random ones
 */
export async function runFaults({
  rounds,
  seed,
  each = false,
  log = () => undefined,
}: {
  readonly rounds: number;
  readonly seed: number;
  readonly each?: boolean;
  readonly log?: (line: string) => void;
}): Promise<FaultReport> {
  const random = seededRandom(seed);
  const installation = await install();
  try {
    const { sql, baseUrl } = installation;
    const companies = await Promise.all(COMPANIES.map((nif) => enrol(baseUrl, sql, nif)));
    const load = startLoad(() => [baseUrl], companies);
    const { acknowledged } = load;
    const done: { victims: Victim[]; killedAt: number }[] = [];
    for (let round = 0; round < rounds; round++) {
      await load.more(30);
      await sleep(WINDOW_MS + random() * 700);
      const victims = each ? [VICTIMS[round % VICTIMS.length] as Victim] : victimsOf(random);
      const killedAt = performance.now();
      await Promise.all(victims.map((victim) => installation.kill(victim)));
      await load.more(30).catch((cause: unknown) => {
        throw new Error(`After ${victims.join(' y ')}`, { cause });
      });
      await sleep(WINDOW_MS);
      await endPauses(sql);
      done.push({ victims, killedAt });
      log(`${round + 1}/${rounds} ${victims.join(' y ')}: ${acknowledged.length} registradas`);
    }
    await load.stop();
    await untilDrained(sql);
    return {
      registered: acknowledged.length,
      rounds: done.map(({ victims, killedAt }, i) => ({
        victims,
        recoveryMs: recoveryOf(acknowledged, killedAt, done[i + 1]?.killedAt ?? Infinity),
      })),
      ...(await countFaults(baseUrl, sql, companies)),
    };
  } finally {
    await installation.remove();
  }
}

function victimsOf(random: () => number): Victim[] {
  const first = pick(random, VICTIMS);
  const second = pick(random, VICTIMS);
  return random() < 0.2 && second !== first ? [first, second] : [first];
}

/** The product as four processes on one data folder. The harness restarts a killed one at once. */
async function install() {
  const dataDir = await mkdtemp(join(scratch, 'huella-fallos-'));
  guardFolder(dataDir);
  const postgres = await startEmbeddedPostgres({ dataDir, log: pino({ level: 'silent' }) });
  const env = {
    DATABASE_URL: postgres.address.url,
    LOG_LEVEL: 'fatal',
    SIMULADOR_TIEMPO_ESPERA: '0',
  };
  const port = String(await freePort());
  const start = {
    web: () => startStack({ dataDir, env: { ...env, ROLE: 'web', PORT: port } }),
    dispatcher: () => startStack({ dataDir, env: { ...env, ROLE: 'dispatcher' } }),
  };
  const running: Record<'web' | 'dispatcher', Stack> = {
    dispatcher: await start.dispatcher(), // The first one runs the simulators.
    web: await start.web(),
  };
  const sql = openDatabase({ url: `${postgres.address.url}&max=2` });
  return {
    sql,
    baseUrl: running.web.baseUrl,
    async kill(victim: Victim): Promise<void> {
      if (victim === 'postgres' || victim === 'simulators') return running.web.kill(victim);
      running[victim].kill('app');
      await running[victim].ended;
      running[victim] = await start[victim]();
    },
    async remove(): Promise<void> {
      await Promise.all([running.web.stop('SIGKILL'), running.dispatcher.stop('SIGKILL')]);
      await sql.end({ timeout: 1 });
      await postgres.stop();
      await removeDataDir(dataDir);
    },
  };
}

/** The end of the first window of 500 ms after the kill with four fifths of the usual rate. */
function recoveryOf(acknowledged: readonly number[], killedAt: number, until: number): number {
  const within = (from: number) =>
    acknowledged.filter((at) => at >= from && at < from + WINDOW_MS).length;
  const usual = within(killedAt - WINDOW_MS);
  for (let from = killedAt; from < until; from += 50) {
    if (within(from) >= usual * 0.8) return from - killedAt;
    if (from > killedAt + 120_000) break;
  }
  return Infinity;
}
