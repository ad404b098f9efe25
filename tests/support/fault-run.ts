import { randomUUID } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pino from 'pino';
import { openDatabase } from '../../src/platform/database.ts';
import { startEmbeddedPostgres } from '../../src/platform/embedded-postgres.ts';
import { freePort } from '../../src/platform/free-port.ts';
import type { Sql } from '../../src/store/sql.ts';
import { signIn, signUp } from './demo-company.ts';
import { pick, seededRandom } from './random.ts';
import { removeDataDir, type Stack, startStack } from './stack.ts';
import { eventually } from './wait.ts';

export type Victim = 'web' | 'dispatcher' | 'postgres' | 'simulators';
const VICTIMS: readonly Victim[] = ['web', 'dispatcher', 'postgres', 'simulators'];
const NIFS = ['B12345674', 'A58818501', 'J99216582'];
const WORKERS_PER_COMPANY = 2;
/** Between two invoices of one worker: thousands of rounds' worth of invoices prove no more. */
const THINK_MS = 10;
const WINDOW_MS = 500;

export interface Round {
  readonly victims: readonly Victim[];
  /** Milliseconds from the kill until as many invoices per second are registered as before it. */
  readonly recoveryMs: number;
}

/** What a run of kills left behind: each list is empty when all went well. */
export interface FaultReport {
  readonly registered: number;
  readonly rounds: readonly Round[];
  /** Invoices that were answered as registered and are not there. */
  readonly lost: readonly string[];
  /** Asked for once and there twice, whatever their number. */
  readonly doubles: readonly string[];
  /** Numbers of a series that nobody has. */
  readonly gaps: readonly string[];
  /** Where the AEAT and the database do not hold the same, or the cadena breaks. */
  readonly differences: readonly string[];
}

interface Company {
  readonly nif: string;
  readonly token: string;
  /** Numbers that were answered, by the key of the request that asked for them. */
  readonly answered: Map<string, string>;
  /** What the last request that was not answered met. */
  lastFailure: string;
}

/**
 * Registers and sends while a random process of the product is killed in each round, and then holds
 * what was answered against the database, and the database against the AEAT.
 *
 * The web, the dispatcher, the database and the simulators run in processes of their own. Clients do
 * what ours does: the same request, with its key, until somebody answers.
 *
 * @param options.each every process once and in that order, instead of any at random
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
    const companies = await Promise.all(NIFS.map((nif) => enrol(baseUrl, sql, nif)));
    const acknowledged: number[] = [];
    let isLoading = true;
    const load = companies.flatMap((company) =>
      Array.from({ length: WORKERS_PER_COMPANY }, async () => {
        while (isLoading) {
          await registerUntilAnswered(baseUrl, company);
          acknowledged.push(performance.now());
          await sleep(THINK_MS);
        }
      }),
    );
    const failed = Promise.all(load).then(() => null);
    const done: { victims: Victim[]; killedAt: number }[] = [];
    for (let round = 0; round < rounds; round++) {
      await Promise.race([failed, enough(acknowledged, 30)]);
      await sleep(WINDOW_MS + random() * 700);
      const victims = each ? [VICTIMS[round % VICTIMS.length] as Victim] : victimsOf(random);
      const killedAt = performance.now();
      await Promise.all(victims.map((victim) => installation.kill(victim)));
      await Promise.race([failed, enough(acknowledged, 30)]).catch((cause: unknown) => {
        const failures = companies.map(({ lastFailure }) => lastFailure).join('; ');
        throw new Error(`After ${victims.join(' y ')}: ${failures}`, { cause });
      });
      await sleep(WINDOW_MS);
      await endPauses(sql);
      done.push({ victims, killedAt });
      log(`${round + 1}/${rounds} ${victims.join(' y ')}: ${acknowledged.length} registradas`);
    }
    isLoading = false;
    await Promise.all(load);
    await untilDrained(sql);
    const checks = await Promise.all(companies.map((company) => check(baseUrl, sql, company)));
    return {
      registered: acknowledged.length,
      rounds: done.map(({ victims, killedAt }, i) => ({
        victims,
        recoveryMs: recoveryOf(acknowledged, killedAt, done[i + 1]?.killedAt ?? Infinity),
      })),
      lost: checks.flatMap(({ lost }) => lost),
      doubles: checks.flatMap(({ doubles }) => doubles),
      gaps: checks.flatMap(({ gaps }) => gaps),
      differences: checks.flatMap(({ differences }) => differences),
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

/** The product in four processes over one folder. What the harness starts, it starts again at once. */
async function install() {
  const dataDir = await mkdtemp(join(tmpdir(), 'huella-fallos-'));
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
  const sql = openDatabase({ url: `${postgres.address.url}?max=2` });
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

async function enrol(baseUrl: string, sql: Sql, nif: string): Promise<Company> {
  const token = await signIn(baseUrl, await signUp(baseUrl, nif));
  // The demo stops at two hundred invoices.
  await sql`
    update companies set subscription_type = 'annual', subscription_ends_at = now() + interval '1 year'
     where nif = ${nif}`;
  const file = await fetch(`${baseUrl}/desarrollo/certificado?nif=${nif}&nombre=Prueba`);
  const answer = await post(baseUrl, token, 'UpdateCertificate', {
    Certificate: Buffer.from(await file.arrayBuffer()).toString('base64'),
    Password: 'prueba',
  });
  if (!answer.ok) throw new Error(`Certificate: ${answer.status} ${await answer.text()}`);
  return { nif, token, answered: new Map(), lastFailure: '' };
}

/** @throws {Error} for an answer that is neither yes nor «not now» */
async function registerUntilAnswered(baseUrl: string, company: Company): Promise<void> {
  const key = randomUUID();
  const draft = {
    invoiceDate: new Date().toLocaleDateString('sv-SE', { timeZone: 'Europe/Madrid' }),
    isSimplificada: true,
    invoiceType: 1,
    invoiceItems: [{ description: 'Menú del día', quantity: '1', price: '12,50', tax: 'IVA10' }],
    accionFactura: 1,
  };
  for (;;) {
    const answer = await post(baseUrl, company.token, 'SetFacturas', draft, key).catch(
      (error: unknown) => {
        company.lastFailure = String((error as Error).cause ?? error);
        return null;
      },
    );
    const text = await answer?.text().catch(() => null);
    if (answer?.ok && text) {
      company.answered.set(key, (JSON.parse(text) as { DocNo: string }).DocNo);
      return;
    }
    if (answer) company.lastFailure = `${answer.status} ${text}`;
    if (answer && answer.status < 500 && ![200, 409, 429].includes(answer.status)) {
      throw new Error(`Refused: ${answer.status} ${text}`);
    }
    await sleep(50);
  }
}

function post(baseUrl: string, token: string, call: string, body: object, key?: string) {
  return fetch(`${baseUrl}/api/PostData/${call}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${token}`,
      ...(key && { 'idempotency-key': key }),
    },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(30_000),
  });
}

async function enough(acknowledged: readonly number[], count: number): Promise<void> {
  const target = acknowledged.length + count;
  await eventually(async () => acknowledged.length >= target, 120);
}

/** Ends the pauses before the next attempt, as if their time had come. */
async function endPauses(sql: Sql): Promise<void> {
  await eventually(async () => {
    await sql`update despachos set next_envio_at = now() where failures > 0`;
    return true;
  }, 60);
}

async function untilDrained(sql: Sql): Promise<void> {
  await eventually(async () => {
    await endPauses(sql);
    await sleep(250);
    const [row] = await sql<{ waiting: number }[]>`
      select count(*)::int as waiting from despachos where waiting_since is not null`;
    return row?.waiting === 0;
  }, 300);
}

/** Of 500 ms windows after the kill, when the first one ends with four fifths of what was usual. */
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

interface Check {
  readonly lost: string[];
  readonly doubles: string[];
  readonly gaps: string[];
  readonly differences: string[];
}

async function check(baseUrl: string, sql: Sql, { nif, token, answered }: Company): Promise<Check> {
  const rows = await sql<
    { num_serie_factura: string; huella: string; huella_anterior: string; status: string }[]
  >`
    select r.num_serie_factura, r.huella, r.huella_anterior, i.status
      from registros r
      join companies c on c.id = r.company_id
      join invoices i on i.company_id = r.company_id and i.doc_no = r.num_serie_factura
     where c.nif = ${nif} order by r.seq`;
  const numbers = rows.map((row) => row.num_serie_factura);
  const there = new Set(numbers);
  const docs = [...answered.values()];
  const asked = new Set(docs);
  const held = (await (await fetch(`${baseUrl}/desarrollo/aeat/registros?nif=${nif}`)).json()) as {
    NumSerieFactura: string;
    Huella: string;
    HuellaAnterior: string | null;
  }[];
  const cadena = (await (
    await fetch(`${baseUrl}/api/GetData/VerificarCadena`, {
      headers: { authorization: `Bearer ${token}` },
    })
  ).json()) as { registros: number; correcta: boolean };

  const differences: string[] = [];
  for (let i = 0; i < Math.max(held.length, rows.length); i++) {
    const [ours, theirs] = [rows[i], held[i]];
    const isSame =
      ours?.num_serie_factura === theirs?.NumSerieFactura &&
      ours?.huella === theirs?.Huella &&
      (ours?.huella_anterior ?? '') === (theirs?.HuellaAnterior ?? '') &&
      (ours?.huella_anterior ?? '') === (rows[i - 1]?.huella ?? '');
    if (!isSame) differences.push(`${nif} ${ours?.num_serie_factura} ≠ ${theirs?.NumSerieFactura}`);
  }
  for (const { status, num_serie_factura } of rows) {
    if (status !== 'Registrada') differences.push(`${nif} ${num_serie_factura}: ${status}`);
  }
  if (!cadena.correcta || cadena.registros !== rows.length) {
    differences.push(`${nif}: ${JSON.stringify(cadena)}`);
  }
  const counted = new Set(numbers.map((number) => Number.parseInt(number, 10)));
  return {
    lost: docs.filter((doc) => !there.has(doc)),
    doubles: [
      ...numbers.filter((number, i) => numbers.indexOf(number) !== i),
      // Every request was repeated until it was answered, so nothing else can be there.
      ...numbers.filter((number) => !asked.has(number)),
      ...docs.filter((doc, i) => docs.indexOf(doc) !== i),
    ],
    gaps: numbers.flatMap((_, i) => (counted.has(i + 1) ? [] : [`${nif} ${i + 1}`])),
    differences,
  };
}
