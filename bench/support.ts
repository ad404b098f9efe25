import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import packageJson from '../package.json' with { type: 'json' };
import { signToken } from '../src/api/tokens.ts';
import { sealEnvelope } from '../src/certificate/seal.ts';
import { type Config, readConfig } from '../src/config.ts';
import type { Cliente } from '../src/contract/parties.ts';
import { entityNif } from '../src/domain/nif.ts';
import { createCompany } from '../src/operations/create-company.ts';
import { CERTIFICATE_SEAL } from '../src/operations/open-certificate.ts';
import { openDatabase } from '../src/platform/database.ts';
import { startEmbeddedPostgres } from '../src/platform/embedded-postgres.ts';
import { freePort } from '../src/platform/free-port.ts';
import { ensureSearchIndex, migrate, readMigrations } from '../src/platform/migrate.ts';
import { saveCertificate } from '../src/store/certificates.ts';
import { insertCustomer } from '../src/store/customers.ts';
import { insertSession } from '../src/store/sessions.ts';
import type { Sql } from '../src/store/sql.ts';

/** A database of its own, with PostgreSQL's default durability, deleted at the end. */
export interface Bench {
  readonly sql: Sql;
  readonly url: string;
  readonly folder: string;
  readonly config: Config;
  readonly close: () => Promise<void>;
}

export interface BenchCompany {
  readonly id: number;
  readonly nif: string;
  readonly token: string;
  readonly customerNo: string;
}

/** @param kept a folder of the caller's, which stays with its data for the next time */
export async function openBench(kept?: string): Promise<Bench> {
  const folder = kept ?? (await mkdtemp(join(tmpdir(), 'huella-bench-')));
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const log = pino({ level: 'error' });
  const postgres = await startEmbeddedPostgres({
    dataDir: folder,
    log,
    settings: { max_connections: '200' },
  });
  const sql = openDatabase(postgres.address);
  await migrate(sql, await readMigrations());
  await ensureSearchIndex(sql);
  return {
    sql,
    url: postgres.address.url,
    folder,
    config: readConfig({ DATA_DIR: folder, LOG_LEVEL: 'error' }),
    close: async () => {
      await sql.end({ timeout: 1 });
      await postgres.stop();
      if (!kept) await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Companies with a session each, ready to register, created by the operations of sign-up. */
export async function seedCompanies(
  { sql, config }: Bench,
  count: number,
  certificateOf: (
    nif: string,
    name: string,
  ) => Promise<{ keyPem: string; certPem: string } | null> = async () => null,
): Promise<BenchCompany[]> {
  const companies: BenchCompany[] = [];
  for (let i = 0; i < count; i++) {
    const nif = entityNif('B', String(1_000_000 + i));
    const name = `Empresa ${i}, S.L.`;
    const pem = (await certificateOf(nif, name)) ?? { keyPem: '', certPem: '' };
    companies.push(await seedCompany(sql, config, nif, name, pem));
  }
  return companies;
}

async function seedCompany(
  sql: Sql,
  config: Config,
  nif: string,
  name: string,
  pem: { keyPem: string; certPem: string },
): Promise<BenchCompany> {
  const now = new Date();
  const email = `${nif.toLowerCase()}@ejemplo.es`;
  const sid = randomUUID();
  const id = await sql.begin(async (tx) => {
    const companyId = await createCompany(
      tx,
      {
        nif,
        email,
        name,
        address: 'Calle Mayor, 1',
        postCode: '28013',
        countryCode: 'ES',
        passwordHash: '',
        termsAcceptedAt: now,
        termsVersion: null,
        subscriptionType: 'annual',
        subscriptionEndsAt: new Date(now.getTime() + 365 * 86_400_000),
      },
      now,
      config.aeat,
    );
    if (companyId === null) throw new Error(`${nif} exists already.`);
    await insertSession(tx, {
      companyId,
      sid,
      authenticatedAt: now,
      createdAt: now,
      userAgent: 'bench',
    });
    await saveCertificate(
      tx,
      companyId,
      {
        ...sealEnvelope(
          config.claveMaestra,
          companyId,
          CERTIFICATE_SEAL,
          Buffer.from(JSON.stringify(pem)),
        ),
        fileName: 'bench.p12',
        titular: name,
        nif,
        tipo: 'representante',
        emisor: 'Bench',
        serie: '01',
        huella: nif,
        validoDesde: now,
        validoHasta: new Date(now.getTime() + 365 * 86_400_000),
      },
      now,
    );
    await insertCustomer(
      tx,
      companyId,
      customer('CLI', 'Cliente de la prueba, S.A.', 'Gran Vía, 2'),
    );
    return companyId;
  });
  const token = await signToken({ config, clock: () => now }, { companyId: id, email, sid });
  return { id, nif, token, customerNo: 'CLI' };
}

/** A new session for a company of a kept folder. */
export async function signIn({ sql, config }: Bench, companyId: number): Promise<string> {
  const now = new Date();
  const sid = randomUUID();
  await insertSession(sql, {
    companyId,
    sid,
    authenticatedAt: now,
    createdAt: now,
    userAgent: 'bench',
  });
  const [row] = await sql<{ email: string }[]>`
    select email from companies where id = ${companyId}`;
  if (!row) throw new Error('No company.');
  return signToken({ config, clock: () => now }, { companyId, email: row.email, sid });
}

/** One of the customers that benchmarks invoice to. */
export function customer(No: string, Name: string, Address: string): Cliente {
  return {
    No,
    Name,
    Address,
    VATRegistrationNo: 'A58818501',
    postCode: '08013',
    countryCode: 'ES',
    Email: '',
    PaymentMethod: 'TRANSF',
    PaymentTerms: '30D',
    CustomerPostingGroup: 'NAC',
  };
}

export interface BenchServer {
  readonly url: string;
  readonly pid: number;
  readonly stop: () => Promise<void>;
}

/** The built application in a process of its own, serving the benchmark's database. */
export async function startServer(
  bench: Bench,
  role: 'web' | 'dispatcher' | 'all',
  env: Readonly<Record<string, string>> = {},
): Promise<BenchServer> {
  const port = await freePort();
  const start = startCommand();
  const child = spawn(process.execPath, start.args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      ...start.env,
      DATABASE_URL: bench.url,
      DATA_DIR: bench.folder,
      PORT: String(port),
      ROLE: role,
      LOG_LEVEL: 'info',
      CLAVE_MAESTRA: bench.config.claveMaestra.toString('base64'),
      JWT_SECRET: bench.config.jwtSecret,
      ...env,
    },
  });
  await untilSaid(child, 'Huella está');
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    stop: async () => {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

/** What `npm start` passes to Node, `--max-old-space-size=… scripts/start.mjs`, and its environment. */
function startCommand(): { readonly args: string[]; readonly env: Record<string, string> } {
  const words = packageJson.scripts.start.split(' ');
  const node = words.indexOf('node');
  const settings = words.slice(0, node).filter((word) => word.includes('='));
  return {
    args: words.slice(node + 1),
    env: Object.fromEntries(settings.map((setting) => setting.split('='))),
  };
}

/** Goes on reading afterwards: a server whose log nobody reads would write it to a broken pipe, or wait. */
async function untilSaid(child: ChildProcess, text: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    child.stdout?.on('data', (chunk) => {
      if (String(chunk).includes(text)) resolve();
    });
    child.once('exit', () => reject(new Error('The application ended before it served.')));
  });
}

/** The current and maximum memory of a process, in MB. Linux only. */
export async function residentMegabytes(pid: number): Promise<{ now: number; peak: number }> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const field = (name: string) =>
    (Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) * 1024) / 1e6;
  return { now: field('VmRSS'), peak: field('VmHWM') };
}

/** Resets the maximum. Linux only. */
export function forgetPeak(pid: number): Promise<void> {
  return writeFile(`/proc/${pid}/clear_refs`, '5');
}

/** The result of one benchmark. */
export interface Result {
  readonly id: string;
  /** The workload. */
  readonly what: string;
  readonly figure: number;
  readonly unit: string;
  /** Reference measured in the same run. Without one, the goal is in the unit of the figure. */
  readonly limit?: number;
  /** For the ratio to the reference or, without one, for the figure. */
  readonly goal: number;
  /** Less is better: the goal is a maximum, not a minimum. */
  readonly isCost?: boolean;
  readonly note?: string;
}

/** The same as printed with `--json` and stored. */
export interface Line {
  readonly id: string;
  readonly what: string;
  readonly figure: number;
  readonly unit: string;
  readonly limit: number | null;
  /** Figure ÷ reference; null without one. */
  readonly ratio: number | null;
  readonly goal: number;
  readonly isCost: boolean;
  readonly met: boolean;
  readonly note: string;
  /** Measured with less of everything (`--corto`). */
  readonly isShort?: boolean;
}

/** The table of a benchmark and, with `--json`, a line for each result. */
export function printTable(results: readonly Result[]): void {
  const lines = results.map(lineOf);
  if (process.argv.includes('--json')) {
    for (const line of lines) console.log(JSON.stringify(line));
  }
  printLines(lines);
}

function lineOf({ limit, note = '', isCost = false, ...result }: Result): Line {
  const ratio = limit === undefined ? null : result.figure / limit;
  const judged = ratio ?? result.figure;
  const met = isCost ? judged <= result.goal : judged >= result.goal;
  const { id, what, figure, unit, goal } = result;
  return { id, what, figure, unit, limit: limit ?? null, ratio, goal, isCost, met, note };
}

export function printLines(lines: readonly Line[]): void {
  const rows = lines.map(({ id, what, figure, unit, limit, ratio, goal, isCost, met, note }) => ({
    prueba: id,
    carga: what,
    cifra: `${inFigures(figure)} ${unit}`,
    límite: limit === null ? '' : inFigures(limit),
    ratio: ratio === null ? '' : inFigures(ratio),
    meta: `${isCost ? '≤' : '≥'} ${inFigures(goal)}${ratio === null ? ` ${unit}` : ''}`,
    cumple: met ? 'sí' : 'no',
    nota: note,
  }));
  const titles = Object.keys(rows[0] ?? {}) as (keyof (typeof rows)[number])[];
  const widths = titles.map((title) =>
    Math.max(title.length, ...rows.map((row) => row[title].length)),
  );
  const inColumns = (cells: readonly string[]) =>
    cells
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd();
  for (const cells of [titles, ...rows.map((row) => titles.map((title) => row[title]))]) {
    console.log(inColumns(cells));
  }
}

/** Only with significant digits. */
function inFigures(value: number): string {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toLocaleString('es-ES', { maximumFractionDigits: digits, useGrouping: 'always' });
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** @param share 0.99 for the 99th percentile */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/**
 * Runs `work` in that many loops at once for a while.
 *
 * @returns how many per second, and their times
 */
export async function hammer(
  loops: number,
  seconds: number,
  work: (loop: number) => Promise<void>,
): Promise<{ perSecond: number; times: number[] }> {
  const times: number[] = [];
  const start = performance.now();
  const end = start + seconds * 1000;
  await Promise.all(
    Array.from({ length: loops }, async (_, loop) => {
      while (performance.now() < end) {
        const before = performance.now();
        await work(loop);
        times.push(performance.now() - before);
      }
    }),
  );
  return { perSecond: times.length / ((performance.now() - start) / 1000), times };
}
