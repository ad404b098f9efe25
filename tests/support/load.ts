import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from '../../src/store/sql.ts';
import { type DemoCompany, giveCertificate, signIn, signUp } from './demo-company.ts';
import { eventually } from './wait.ts';

export const COMPANIES = ['B12345674', 'A58818501', 'J99216582'];

const WORKERS_PER_COMPANY = 2;
/** Pause between two invoices of one worker: more invoices would prove nothing more. */
const THINK_MS = 10;

export interface Company extends DemoCompany {
  readonly token: string;
  /** Numbers that were answered, by the idempotency key of their request. */
  readonly answered: Map<string, string>;
  /** Errors of unsuccessful requests, except refused connections. */
  readonly failures: string[];
}

export async function enrol(baseUrl: string, sql: Sql, nif: string): Promise<Company> {
  const account = await signUp(baseUrl, nif);
  const token = await signIn(baseUrl, account);
  // A demo is limited to two hundred invoices.
  await sql`
    update companies set subscription_type = 'annual', subscription_ends_at = now() + interval '1 year'
     where nif = ${nif}`;
  await giveCertificate(baseUrl, token, nif);
  return { ...account, token, answered: new Map(), failures: [] };
}

/**
 * Registers one invoice: sends the same request, with its key, to `urls` in turn until it is answered. It starts with
 * a random one, like a proxy.
 *
 * @throws {Error} for an answer that is neither a success nor «not now»
 */
export async function registerUntilAnswered(
  urls: readonly string[],
  company: Company,
): Promise<void> {
  const key = randomUUID();
  let turn = Math.floor(Math.random() * urls.length);
  for (;;) {
    const url = urls[turn++ % urls.length] ?? '';
    const answer = await post(url, company.token, 'SetFacturas', invoiceToRegister(), key).catch(
      failureOf,
    );
    const text = answer instanceof Response ? await answer.text().catch(failureOf) : answer;
    if (answer instanceof Response && answer.ok && text.startsWith('{')) {
      company.answered.set(key, (JSON.parse(text) as { DocNo: string }).DocNo);
      return;
    }
    if (!text.includes('ECONNREFUSED')) {
      const status = answer instanceof Response ? answer.status : 0;
      company.failures.push(`${status} ${text}`);
      if (status >= 400 && status < 500 && ![409, 429].includes(status)) {
        throw new Error(`Refused: ${status} ${text}`);
      }
    }
    if (turn % urls.length === 0 || urls.length === 1) await sleep(50);
  }
}

/** A restaurant ticket of today, to be registered. */
export function invoiceToRegister() {
  return {
    invoiceDate: new Date().toLocaleDateString('sv-SE', { timeZone: 'Europe/Madrid' }),
    isSimplificada: true,
    invoiceType: 1,
    invoiceItems: [{ description: 'Menú del día', quantity: '1', price: '12,50', tax: 'IVA10' }],
    accionFactura: 1,
  };
}

/** The error code of a request without an answer. */
function failureOf(error: unknown): string {
  const { cause, message } = error as Error;
  const { code } = (cause ?? {}) as { code?: string };
  return [message, code, cause].filter(Boolean).join(' ');
}

/** Two users of each company who register continuously, until `stop`. */
export interface Load {
  /** When each invoice was answered, by `performance.now()`. */
  readonly acknowledged: readonly number[];
  /** Waits for that many more. Fails if one was refused. */
  readonly more: (count: number) => Promise<void>;
  readonly stop: () => Promise<void>;
}

export function startLoad(urls: () => readonly string[], companies: readonly Company[]): Load {
  const acknowledged: number[] = [];
  let isLoading = true;
  const people = companies.flatMap((company) =>
    Array.from({ length: WORKERS_PER_COMPANY }, async () => {
      while (isLoading) {
        await registerUntilAnswered(urls(), company);
        acknowledged.push(performance.now());
        await sleep(THINK_MS);
      }
    }),
  );
  const ended = Promise.all(people).then(() => undefined);
  ended.catch(() => undefined); // Whoever waits is told.
  return {
    acknowledged,
    async more(count) {
      const target = acknowledged.length + count;
      const there = eventually(async () => acknowledged.length >= target, 120);
      await Promise.race([ended, there]).catch((cause: unknown) => {
        const met = companies.map(({ failures }) => failures.at(-1)).join('; ');
        throw new Error(`The load does not go on: ${met}`, { cause });
      });
    },
    async stop() {
      isLoading = false;
      await ended;
    },
  };
}

export function post(baseUrl: string, token: string, call: string, body: object, key?: string) {
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

/** Ends the pauses before the next attempt, as if the time had passed. */
export async function endPauses(sql: Sql): Promise<void> {
  await eventually(async () => {
    await sql`update despachos set next_envio_at = now() where failures > 0`;
    await sql`
      update despachos set lease_until = now() - interval '1 hour'
       where lease_until between now() - interval '1 hour' and now()`;
    return true;
  }, 60);
}

export async function untilDrained(sql: Sql): Promise<void> {
  await eventually(async () => {
    await endPauses(sql);
    await sleep(250);
    const [row] = await sql<{ waiting: number }[]>`
      select count(*)::int as waiting from despachos where waiting_since is not null`;
    return row?.waiting === 0;
  }, 300);
}

/** Faults found: each list is empty when all went well. */
export interface FaultCounts {
  /** Invoices that were answered as registered but do not exist. */
  readonly lost: string[];
  /** Requested once but registered twice, under any number. */
  readonly doubles: string[];
  /** Missing numbers of a series. */
  readonly gaps: string[];
  /** Where the AEAT and the database differ, or the cadena is broken. */
  readonly differences: string[];
}

/** Compares what was answered with the database, and the database with the AEAT. */
export async function countFaults(
  baseUrl: string,
  sql: Sql,
  companies: readonly Company[],
): Promise<FaultCounts> {
  const counts = await Promise.all(companies.map((company) => faultsOf(baseUrl, sql, company)));
  return {
    lost: counts.flatMap(({ lost }) => lost),
    doubles: counts.flatMap(({ doubles }) => doubles),
    gaps: counts.flatMap(({ gaps }) => gaps),
    differences: counts.flatMap(({ differences }) => differences),
  };
}

async function faultsOf(
  baseUrl: string,
  sql: Sql,
  { nif, token, answered }: Company,
): Promise<FaultCounts> {
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
    await askUntilThere(`${baseUrl}/api/GetData/VerificarCadena`, token)
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

/** The first caller to use a lost connection is told to come again (503, `Retry-After`). */
async function askUntilThere(url: string, token: string): Promise<Response> {
  for (let tries = 0; ; tries++) {
    const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
    if (answer.status !== 503 || tries === 5) return answer;
    await sleep(1000);
  }
}
