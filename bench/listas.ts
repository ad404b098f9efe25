/**
 * B10 and B11: the lists of a company with a million invoices against those of one with a thousand, and
 * all the calls with which its panel opens. Through the API of a process of its own, with sessions.
 *
 *   npm run bench:listas [-- --facturas=1000000] [--reales=5000] [--carpeta=FOLDER] [--json]
 *
 * Filling takes minutes: with `--carpeta` the data stays there, and the next run measures at once.
 * `--reales` are registered and answered by the simulated AEAT as `npm run demo-data` does it; the rest
 * are rows of the list like theirs, written by SQL: what is measured reads nothing else.
 */

import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pino from 'pino';
import { Pool } from 'undici';
import { startSimulators } from '../simulators/simulators.ts';
import { fillCompany } from '../src/cli/demo/fill.ts';
import { openOutside } from '../src/cli/demo/outside.ts';
import type { Deps, Runtime } from '../src/deps.ts';
import { docKey } from '../src/domain/list-text.ts';
import { ensureSearchIndex } from '../src/platform/migrate.ts';
import { createNews } from '../src/platform/news.ts';
import { recountFigures } from '../tests/support/recount-figures.ts';
import {
  type Bench,
  median,
  openBench,
  percentile,
  printTable,
  type Result,
  signIn,
  startServer,
} from './support.ts';

const { values } = parseArgs({
  options: {
    facturas: { type: 'string', default: '1000000' },
    reales: { type: 'string', default: '5000' },
    vueltas: { type: 'string', default: '60' },
    carpeta: { type: 'string' },
    json: { type: 'boolean' },
  },
});
const TOTAL = Number(values.facturas);
const REAL = Number(values.reales);
const ROUNDS = Number(values.vueltas);
const PAGE = 8;
const LOADED_MS = 7_000;

/** The calls with which the panel opens, at once, as in a browser. */
const START_UP = [
  ...['GetCompanyPicture', 'GetDatosEmpresa', 'GetProductos', 'GetInvoices?page=1&pageSize=3'],
  ...['GetPendingInvoices?page=1&pageSize=3', 'GetClientes', 'GetTerminosPago', 'GetFormasPago'],
  ...['GetGrupoContable', 'GetGrupoIVA', 'GetCertificate', 'GetUnitOfMeasure', 'GetDataBaseDemo'],
  ...['GetSubscriptionExpired', 'GetDatosSubscripcion', 'GetPaises', 'GetTemplateExcel'],
  ...['GetClavesRegimen', 'GetEnableMantenimiento', 'GetTextMantenimiento'],
  ...['GetConexionAEAT', 'GetResumen', 'GetNovedades'],
];

const bench = await openBench(values.carpeta && resolve(values.carpeta));
const [big, small] = await companies(bench);
const server = await startServer(bench, 'web');
// What the process loads in its first seconds blocks it for a tenth of a second, once, which has nothing to do with
// lists.
await sleep(LOADED_MS);
const http = new Pool(server.url, { connections: 24 });
try {
  printTable([...(await measureLists()), ...(await measureStart())]);
} finally {
  await http.close();
  await server.stop();
  await bench.close();
}

interface Filled {
  readonly id: number;
  readonly token: string;
  readonly total: number;
}

/** Those in the folder, or new ones. */
async function companies(opened: Bench): Promise<[Filled, Filled]> {
  const file = join(opened.folder, 'listas.json');
  if (!existsSync(file)) await writeFile(file, JSON.stringify(await fill(opened)));
  const [many, few] = JSON.parse(await readFile(file, 'utf8')) as [number, number];
  return [await filled(opened, many), await filled(opened, few)];
}

/** @returns the ids of the company with all invoices and of the one with a thousand */
async function fill({ sql, url, config, folder }: Bench): Promise<[number, number]> {
  const simulators = await startSimulators({
    dir: folder,
    ports: { aeat: 0, sello: 0, control: 0, smtp: 0 },
    tiempoEspera: 0,
  });
  const deps: Deps = {
    sql,
    database: { url },
    clock: () => new Date(),
    aheadSeconds: () => 0,
    config,
    log: pino({ level: 'error' }),
    wakeDispatcher: () => undefined,
    wakeMail: () => undefined,
    news: createNews(sql, pino({ level: 'error' })),
  };
  const aeat = { url: simulators.aeatUrl, selloUrl: simulators.aeatUrl, ca: simulators.aeatCa };
  const runtime: Runtime = {
    aeat,
    aeatOfDemos: aeat,
    smtpUrl: simulators.smtpUrl,
    redsysUrl: simulators.redsysUrl,
    controlUrl: simulators.controlUrl,
    businessCentral: {
      apiUrl: simulators.businessCentralUrl,
      loginUrl: simulators.businessCentralUrl,
    },
    moveClock: null,
    webRoot: null,
  };
  const outside = await openOutside(deps, runtime);
  const start = performance.now();
  const many = await fillCompany(deps, outside, REAL);
  console.log(`demo-data: ${Math.round(REAL / ((performance.now() - start) / 1000))} facturas/s`);
  const few = await fillCompany(deps, outside, Math.min(1000, REAL));
  await outside.close();
  await simulators.close();
  // Created at the end, at once: row by row it takes as long as everything else.
  await sql`drop index if exists invoices_search_marks`;
  await multiply(bench, many.companyId, TOTAL - REAL);
  await ensureSearchIndex(sql);
  await sql`vacuum analyze invoices`;
  await sql`vacuum analyze invoice_blocks`;
  return [many.companyId, few.companyId];
}

/** Rows like the real ones: with their names, amounts and days, and numbers of their own. */
async function multiply({ sql }: Bench, companyId: number, count: number): Promise<void> {
  if (count <= 0) return;
  // The padding of numbers, computed once as in the application.
  const [left, right] = docKey('0000000/26').split('0000000000000000000'.slice(0, 18)) as [
    string,
    string,
  ];
  await sql`
    with seeds as (
      select *, row_number() over (order by id) - 1 as n, count(*) over () as seeds from invoices
       where company_id = ${companyId} and status = 'Registrada')
    insert into invoices (company_id, doc_no, status, tipo_factura, posting_date, customer_no,
           customer_nif, customer_name, base, vat, total, registered_at, doc_key, name_key, search_text, huella, csv)
    select ${companyId}::int, lpad(x::text, 7, '0') || '/B', 'Registrada', s.tipo_factura, s.posting_date,
           s.customer_no, s.customer_nif, s.customer_name, s.base + x % 97, s.vat, s.total + x % 97, now(),
           ${left}::text || lpad(x::text, 18, '0') || replace(${right}::text, '26', 'b'), s.name_key,
           lpad(x::text, 7, '0') || '/b ' || substr(s.search_text, strpos(s.search_text, ' ') + 1), s.huella, s.csv
      from generate_series(1, ${count}) as x join seeds s on s.n = x * 31 % s.seeds`;
  await sql.begin((tx) => recountFigures(tx, companyId));
}

async function filled(opened: Bench, id: number): Promise<Filled> {
  const token = await signIn(opened, id);
  const [row] = await opened.sql<{ total: number }[]>`
    select count(*)::int as total from invoices
     where company_id = ${id} and status in ('Registrada', 'Anulada')`;
  return { id, token, total: row?.total ?? 0 };
}

async function get(path: string, { token }: Filled): Promise<string> {
  const { statusCode, body } = await http.request({
    method: 'GET',
    path: `/api/GetData/${path}`,
    headers: { authorization: `Bearer ${token}`, 'accept-encoding': 'gzip' },
  });
  const text = await body.text();
  if (statusCode !== 200) throw new Error(`${path} answered ${statusCode}: ${text}`);
  return text;
}

interface Case {
  readonly name: string;
  readonly query: (company: Filled, round: number) => string;
  /** The group with which its times are counted; by default, the pages. */
  readonly kind?: 'search' | 'deep range' | 'owed';
}

async function measureLists(): Promise<Result[]> {
  const pages = (total: number) => Math.max(1, Math.ceil(total / PAGE));
  const SORTS = ['PostingDate', 'DocNo', 'Name', 'Amount', 'VatAmount', 'AmountIncludingVat'];
  const places: readonly [string, (company: Filled, round: number) => number][] = [
    ['primera', (_c, round) => 1 + (round % 3)],
    ['mitad', ({ total }, round) => Math.ceil(pages(total) / 2) + (round % 5)],
    ['última', ({ total }, round) => Math.max(1, pages(total) - (round % 3))],
  ];
  const cases: Case[] = [
    ...SORTS.flatMap((sort) =>
      places.map(([place, page]) => ({
        name: `${sort}, ${place}`,
        query: (company: Filled, round: number) =>
          `page=${page(company, round)}&sort=${round % 2 ? '-' : ''}${sort}`,
      })),
    ),
    ...['day', 'week', 'month', 'year'].map((range) => ({
      name: `rango ${range}`,
      query: (_c: Filled, round: number) => `page=${1 + (round % 3)}&range=${range}`,
    })),
    {
      name: 'rango year por importe',
      query: (_c, round) => `page=${1 + (round % 3)}&range=year&sort=-Amount`,
    },
    {
      name: 'rango year por importe, mitad',
      query: ({ total }, round) =>
        `page=${Math.ceil(pages(total) * 0.3) + round}&range=year&sort=-Amount`,
      kind: 'deep range',
    },
    ...(
      [
        ['número', (round) => String(1_000 + round * 37).padStart(7, '0')],
        ['nombre', (round) => ['garcia', 'talleres', 'peñalver', 'optica m'][round % 4] ?? ''],
        ['importe', (round) => `${(round * 13) % 900},${10 + (round % 80)}`],
        ['fecha', (round) => `${10 + (round % 18)}/0${1 + (round % 9)}/2026`],
        ['nada', (round) => `zzz${round}`],
        ['casi todas', () => 's.l.'],
      ] as [string, (round: number) => string][]
    ).map(([name, typed]) => ({
      name: `buscar ${name}`,
      kind: 'search' as const,
      query: (_c: Filled, round: number) => `page=1&search=${encodeURIComponent(typed(round))}`,
    })),
    {
      // None of the newest, and thousands of others.
      name: 'buscar trozo de fecha',
      query: (_c, round) => `page=1&search=${String(1 + (round % 12)).padStart(2, '0')}/0`,
      kind: 'search',
    },
    ...['pendiente', 'vencida'].map((cobro) => ({
      name: `por cobrar, ${cobro}`,
      kind: 'owed' as const,
      // Only the real ones have a registro, from which it is computed.
      query: (_c: Filled, round: number) => `page=${1 + (round % 3)}&cobro=${cobro}`,
    })),
  ];

  const rows: object[] = [];
  const all = {
    page: [] as number[],
    search: [] as number[],
    'deep range': [] as number[],
    owed: [] as number[],
    small: [] as number[],
  };
  for (const { name, query, kind = 'page' } of cases) {
    const times = { big: [] as number[], small: [] as number[] };
    for (let round = -10; round < ROUNDS; round++) {
      for (const [key, company] of [
        ['big', big],
        ['small', small],
      ] as const) {
        const path = `GetInvoices?pageSize=${PAGE}&${query(company, Math.abs(round))}`;
        const start = performance.now();
        await get(path, company);
        if (round >= 0) times[key].push(performance.now() - start);
      }
    }
    all[kind].push(...times.big);
    if (kind === 'page') all.small.push(...times.small);
    rows.push({
      lista: name,
      'p50 ms': round2(median(times.big)),
      'p99 ms': round2(percentile(times.big, 0.99)),
      'p50 con 1.000': round2(median(times.small)),
      razón: round2(median(times.big) / median(times.small)),
    });
  }
  console.log(`${big.total} facturas en el historial, ${small.total} en el pequeño`);
  console.table(rows);
  return [
    inTime('B10', 'páginas, p50', median(all.page), 3),
    inTime('B10', 'páginas, p99', percentile(all.page, 0.99), 15),
    inTime('B10', 'mitad de un año por importe, p99', percentile(all['deep range'], 0.99), 15),
    inTime('B10', 'búsquedas, p99', percentile(all.search, 0.99), 60),
    inTime('B10', 'lo que queda por cobrar, p99', percentile(all.owed, 0.99), 60),
    {
      ...inTime('B10', `${big.total} ÷ ${small.total}, p50`, median(all.page), median(all.small)),
      goal: 1.3,
    },
  ];
}

async function measureStart(): Promise<Result[]> {
  const times: number[] = [];
  for (let round = -5; round < ROUNDS; round++) {
    const start = performance.now();
    await Promise.all(START_UP.map((path) => get(path, big)));
    if (round >= 0) times.push(performance.now() - start);
  }
  const what = `${START_UP.length} llamadas de inicio, juntas`;
  return [
    inTime('B11', `${what}, p50`, median(times), 25),
    inTime('B11', `${what}, p99`, percentile(times, 0.99), 60),
  ];
}

/** A time compared with its maximum, in milliseconds. */
function inTime(id: string, what: string, figure: number, limit: number): Result {
  return { id, what, figure, unit: 'ms', limit, goal: 1, isCost: true };
}

function round2(value: number): number {
  return Math.round(value * 100) / 100;
}
