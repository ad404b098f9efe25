/**
 * Registering against the same rows by bare SQL, without HTTP, rules or huellas; one client against a plain
 * Node server that writes them in three round trips; and creating a draft and registering it against what
 * other programs take. Durable commits, real sessions and rules; five interleaved pairs, medians.
 *
 *   npm run bench:registro [-- --json] [-- --segundos=6] [-- --empresas=200]
 */
import { Pool } from 'undici';
import { openDatabase } from '../src/platform/database.ts';
import type { Sql } from '../src/store/sql.ts';
import { bareTransaction, type SampleRows } from './bare-rows.ts';
import { startPlainServer } from './plain-server.ts';
import { draftOf, post, register, SET_FACTURAS } from './registering.ts';
import {
  type Bench,
  type BenchCompany,
  hammer,
  median,
  openBench,
  percentile,
  printTable,
  type Result,
  seedCompanies,
  startServer,
} from './support.ts';

const PAIRS = 5;
const P99_GOAL_MS = 60;
/** Distributes the loops over the companies. */
let turn = 0;
const seconds = Number(process.argv.find((a) => a.startsWith('--segundos='))?.split('=')[1] ?? 6);

const companyCount = Number(
  process.argv.find((a) => a.startsWith('--empresas='))?.split('=')[1] ?? 1000,
);

/**
 * Peers, measured on a machine of 2 cores in November 2026 with an invoice of five lines and without VERI*FACTU
 * work: invoices per second with one client.
 */
const FACTURASCRIPTS = 19.1;
const TRYTON = 3.2;

const bench = await openBench();
const server = await startServer(bench, 'web');
try {
  const many = await seedCompanies(bench, companyCount);
  const results = [
    ...(await compare('B1', `64 clientes, ${companyCount} empresas`, many, {
      clients: 64,
      connections: 16,
      goal: 0.5,
    })),
    ...(await compare('B2', '64 clientes, una empresa', many.slice(0, 1), {
      clients: 64,
      connections: 4,
      goal: 1.5,
    })),
    await compareAlone(many[1] as BenchCompany),
    ...(await createAndRegister(many[2] as BenchCompany)),
  ];
  await assertNothingBroken(bench.sql);
  printTable(results);
} finally {
  await server.stop();
  await bench.close();
}

interface Setting {
  readonly clients: number;
  readonly connections: number;
  readonly goal: number;
}

async function compare(
  id: string,
  what: string,
  companies: readonly BenchCompany[],
  { clients, connections, goal }: Setting,
): Promise<Result[]> {
  const bare = openDatabase({ url: `${bench.url}&max=${connections}` });
  const template = await sampleRows(bench, companies[0] as BenchCompany);
  const http = new Pool(server.url, { connections: clients });
  const figure = () => hammer(clients, seconds, (loop) => register(http, pick(companies, loop)));
  const limit = () =>
    hammer(connections, seconds, (loop) =>
      bareTransaction(bare, template, pick(companies, loop).id),
    );
  await figure();
  await limit();
  await settle(bench);

  const limits: number[] = [];
  const figures: number[] = [];
  const times: number[] = [];
  for (let pair = 0; pair < PAIRS; pair++) {
    limits.push((await limit()).perSecond);
    const { perSecond, times: taken } = await figure();
    figures.push(perSecond);
    times.push(...taken);
  }
  await http.close();
  await bare.end();
  return [
    {
      id,
      what,
      figure: median(figures),
      unit: 'facturas/s',
      limit: median(limits),
      goal,
      note: `p50 ${median(times).toFixed(1)} ms`,
    },
    {
      id,
      what: `${what}, p99`,
      figure: percentile(times, 0.99),
      unit: 'ms',
      goal: P99_GOAL_MS,
      isCost: true,
      // By Little's law: what a machine this fast could do with the goal.
      note: `al ritmo del límite esperarían ${((clients / median(limits)) * 1000).toFixed(1)} ms de media`,
    },
  ];
}

/** One client: how long it waits, against a server that only writes (plain-server.ts). */
async function compareAlone(company: BenchCompany): Promise<Result> {
  const template = await sampleRows(bench, company);
  const plain = await startPlainServer(bench.url, company.id, template);
  const http = new Pool(server.url, { connections: 1 });
  const bareHttp = new Pool(plain.url, { connections: 1 });
  const draft = draftOf(company);
  const figure = () => hammer(1, seconds, () => register(http, company));
  const limit = () =>
    hammer(1, seconds, async () => {
      await post(bareHttp, '/', company.token, draft);
    });
  await figure();
  await limit();
  await settle(bench);

  const limits: number[] = [];
  const figures: number[] = [];
  const rates: number[] = [];
  for (let pair = 0; pair < PAIRS; pair++) {
    limits.push(median((await limit()).times));
    const { times, perSecond } = await figure();
    figures.push(median(times));
    rates.push(perSecond);
  }
  await Promise.all([http.close(), bareHttp.close()]);
  await plain.stop();
  return {
    id: 'B4',
    what: 'un cliente, p50',
    figure: median(figures),
    unit: 'ms',
    limit: median(limits),
    goal: 3,
    isCost: true,
    note: `${median(rates).toFixed(0)} facturas/s`,
  };
}

/**
 * An invoice created and registered in a single call, as by the form, and as a draft registered with a second call;
 * also with more clients, of which none may be refused.
 */
async function createAndRegister(company: BenchCompany): Promise<Result[]> {
  const draft = draftOf(company);
  const inOneCall = (http: Pool) => register(http, company);
  const throughDraft = async (http: Pool) => {
    const { DocNo } = await post(http, SET_FACTURAS, company.token, { ...draft, accionFactura: 0 });
    await post(http, SET_FACTURAS, company.token, { ...draft, accionFactura: 1, draftNo: DocNo });
  };
  const peers = [
    { peer: 'FacturaScripts', limit: FACTURASCRIPTS, goal: 15 },
    { peer: 'Tryton', limit: TRYTON, goal: 90 },
  ];
  const results = ({ figure, note }: Rates, what: string) =>
    peers.map(({ peer, limit, goal }) => ({
      id: 'B14',
      what: `${what}; ${peer}`,
      figure,
      unit: 'facturas/s',
      limit,
      goal,
      note,
    }));
  return [
    ...results(await ratesOf(inOneCall), 'crear y registrar en una llamada, un cliente'),
    ...results(await ratesOf(throughDraft), 'guardar el borrador y registrarlo, un cliente'),
  ];
}

interface Rates {
  /** Invoices per second with one client. */
  readonly figure: number;
  /** The result with 8 and 64 clients. */
  readonly note: string;
}

async function ratesOf(work: (http: Pool) => Promise<void>): Promise<Rates> {
  const rates: number[] = [];
  for (const clients of [1, 8, 64]) {
    const http = new Pool(server.url, { connections: clients });
    await hammer(clients, 1, () => work(http));
    const runs: number[] = [];
    for (let run = 0; run < PAIRS; run++) {
      runs.push((await hammer(clients, seconds, () => work(http))).perSecond);
    }
    rates.push(median(runs));
    await http.close();
  }
  const [figure = 0, eight = 0, most = 0] = rates;
  // Any answer but 200 would have ended the run.
  const note = `8 clientes ${eight.toFixed(0)}/s, 64 clientes ${most.toFixed(0)}/s; ninguna rechazada`;
  return { figure, note };
}

/** What the database does automatically within a minute: until then its plans are those of empty tables. */
async function settle({ sql }: Bench): Promise<void> {
  await sql`analyze`;
}

function pick(companies: readonly BenchCompany[], loop: number): BenchCompany {
  turn += 1;
  return companies[(loop * 31 + turn) % companies.length] as BenchCompany;
}

/**
 * One real registered invoice, whose rows the bare transactions write repeatedly. Autovacuum leaves their tables
 * alone: otherwise it would clean up after the reference while our figure is measured.
 */
async function sampleRows({ sql }: Bench, company: BenchCompany): Promise<SampleRows> {
  const http = new Pool(server.url, { connections: 1 });
  await register(http, company);
  await http.close();
  const [row] = await sql<SampleRows[]>`
    select r.xml, r.issued::text as issued, d.draft::text as draft
      from registros r
      join invoice_documents d on d.company_id = r.company_id and d.invoice_id = r.invoice_id
     where r.company_id = ${company.id} and r.issued is not null
     order by r.seq desc limit 1`;
  await sql`
    drop table if exists bare_cadenas, bare_invoices, bare_documents, bare_registros;
    create table bare_cadenas (like cadenas including all) with (autovacuum_enabled = false);
    create table bare_invoices (like invoices including all) with (autovacuum_enabled = false);
    create table bare_documents (like invoice_documents including all) with (autovacuum_enabled = false);
    create table bare_registros (like registros including all) with (autovacuum_enabled = false);
    insert into bare_cadenas select * from cadenas;`.simple();
  if (!row) throw new Error('Nothing was registered.');
  return row;
}

/** No number missing or repeated, every link in its place: speed at their cost would be worthless. */
async function assertNothingBroken(sql: Sql): Promise<void> {
  const [row] = await sql<{ broken: number; registered: number }[]>`
    select count(*) filter (where huella_anterior is distinct from coalesce(anterior, '')
                               or substring(num_serie_factura from '^\\d+')::bigint <> seq)::int as broken,
           count(*)::int as registered
      from (select *, lag(huella) over (partition by company_id order by seq) as anterior
              from registros) as cadena`;
  if (!row || row.broken > 0) throw new Error(`${row?.broken} registros are out of place.`);
  console.log(`${row.registered} facturas registradas: ni huecos ni repetidas, la cadena entera.`);
}
