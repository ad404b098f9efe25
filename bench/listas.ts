/**
 * B10 and B11: the lists of a company with a million invoices against those of one with a thousand, and
 * all the calls with which its panel opens. Through the API of a process of its own, with sessions.
 *
 *   npm run bench:listas [-- --facturas=1000000] [-- --reales=5000] [-- --json]
 *
 * `--reales` are registered and answered by the simulated AEAT as `npm run demo-data` does it; the rest
 * are rows of the list like theirs, written by SQL: what is measured reads nothing else.
 */
import { parseArgs } from 'node:util';
import pino from 'pino';
import { Pool } from 'undici';
import { startSimulators } from '../simulators/simulators.ts';
import { signToken } from '../src/api/tokens.ts';
import { fillCompany } from '../src/cli/demo/fill.ts';
import { openOutside } from '../src/cli/demo/outside.ts';
import type { Deps, Runtime } from '../src/deps.ts';
import { docKey } from '../src/domain/list-text.ts';
import { ensureSearchIndex } from '../src/platform/migrate.ts';
import { recountFigures } from '../src/store/blocks.ts';
import { insertSession } from '../src/store/sessions.ts';
import {
  type Bench,
  median,
  openBench,
  percentile,
  printTable,
  type Result,
  startServer,
} from './support.ts';

const { values } = parseArgs({
  options: {
    facturas: { type: 'string', default: '1000000' },
    reales: { type: 'string', default: '5000' },
    vueltas: { type: 'string', default: '60' },
    json: { type: 'boolean', default: false },
  },
});
const TOTAL = Number(values.facturas);
const REAL = Number(values.reales);
const ROUNDS = Number(values.vueltas);
const PAGE = 8;

const results: Result[] = [];
const bench = await openBench();
const [big, small] = await fill(bench);
const server = await startServer(bench, 'web');
const http = new Pool(server.url, { connections: 24 });
try {
  await measureLists();
  await measureStart();
  printTable(results);
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

async function fill({ sql, config, folder }: Bench): Promise<[Filled, Filled]> {
  const simulators = await startSimulators({
    dir: folder,
    ports: { aeat: 0, sello: 0, control: 0, smtp: 0 },
    tiempoEspera: 0,
  });
  const deps: Deps = {
    sql,
    clock: () => new Date(),
    config,
    log: pino({ level: 'error' }),
    wakeDispatcher: () => undefined,
    wakeMail: () => undefined,
  };
  const runtime: Runtime = {
    aeat: { url: simulators.aeatUrl, selloUrl: simulators.aeatUrl, ca: simulators.aeatCa },
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
  // Made at the end, in one go: row by row it takes as long as all the rest.
  await sql`drop index if exists invoices_search`;
  await multiply(bench, many.companyId, TOTAL - REAL);
  await ensureSearchIndex(sql);
  await sql`vacuum analyze invoices`;
  await sql`vacuum analyze invoice_blocks`;
  return [await signIn(bench, many.companyId), await signIn(bench, few.companyId)];
}

/** Rows like those of the real ones: their names, amounts and days, with numbers of their own. */
async function multiply({ sql }: Bench, companyId: number, count: number): Promise<void> {
  if (count <= 0) return;
  // The padding of numbers, once, as the application does it.
  const [left, right] = docKey('0000000/26').split('0000000000000000000'.slice(0, 18)) as [
    string,
    string,
  ];
  await sql`
    with seeds as (
      select *, row_number() over (order by id) - 1 as n, count(*) over () as seeds from invoices
       where company_id = ${companyId} and status = 'Registrada')
    insert into invoices (company_id, doc_no, status, tipo_factura, posting_date, customer_no,
           customer_nif, customer_name, base, vat, total, registered_at, doc_key, name_key, search_text)
    select ${companyId}::int, lpad(x::text, 7, '0') || '/B', 'Registrada', s.tipo_factura, s.posting_date,
           s.customer_no, s.customer_nif, s.customer_name, s.base + x % 97, s.vat, s.total + x % 97, now(),
           ${left}::text || lpad(x::text, 18, '0') || replace(${right}::text, '26', 'b'), s.name_key,
           lpad(x::text, 7, '0') || '/b ' || substr(s.search_text, strpos(s.search_text, ' ') + 1)
      from generate_series(1, ${count}) as x join seeds s on s.n = x * 31 % s.seeds`;
  await sql.begin((tx) => recountFigures(tx, companyId));
}

async function signIn({ sql, config }: Bench, companyId: number): Promise<Filled> {
  const now = new Date();
  const sid = crypto.randomUUID();
  await insertSession(sql, {
    companyId,
    sid,
    authenticatedAt: now,
    createdAt: now,
    userAgent: 'bench',
  });
  const [row] = await sql<{ email: string; total: number }[]>`
    select email, (select count(*)::int from invoices where company_id = ${companyId}
                      and status in ('Registrada', 'Anulada')) as total
      from companies where id = ${companyId}`;
  if (!row) throw new Error('No company.');
  const token = await signToken({ config, clock: () => now }, { companyId, email: row.email, sid });
  return { id: companyId, token, total: row.total };
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
  readonly isSearch?: boolean;
}

async function measureLists(): Promise<void> {
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
      isSearch: true,
      query: (_c: Filled, round: number) => `page=1&search=${encodeURIComponent(typed(round))}`,
    })),
  ];

  const rows: object[] = [];
  const all = { big: [] as number[], small: [] as number[], search: [] as number[] };
  for (const { name, query, isSearch } of cases) {
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
    all[isSearch ? 'search' : 'big'].push(...times.big);
    if (!isSearch) all.small.push(...times.small);
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
  report('B10', 'páginas', all.big, { p50: 3, p99: 15 });
  report('B10', 'búsquedas', all.search, { p99: 60 });
  results.push({
    ...{ id: 'B10', what: 'páginas, 1 M ÷ 1 k', unit: 'ms', isCost: true, goal: 1.3 },
    ...{ figure: median(all.big), limit: median(all.small) },
  });
}

/** The calls with which the panel opens, at once, as a browser makes them. */
const START_UP = [
  ...['GetCompanyPicture', 'GetDatosEmpresa', 'GetProductos', 'GetInvoices?page=1&pageSize=3'],
  ...['GetPendingInvoices?page=1&pageSize=3', 'GetClientes', 'GetTerminosPago', 'GetFormasPago'],
  ...['GetGrupoContable', 'GetGrupoIVA', 'GetCertificate', 'GetUnitOfMeasure', 'GetDataBaseDemo'],
  ...['GetSubscriptionExpired', 'GetDatosSubscripcion', 'GetPaises', 'GetTemplateExcel'],
  ...['GetClavesRegimen', 'GetEnableMantenimiento', 'GetTextMantenimiento'],
  ...['GetConexionAEAT', 'GetResumen'],
];

async function measureStart(): Promise<void> {
  const times: number[] = [];
  for (let round = -5; round < ROUNDS; round++) {
    const start = performance.now();
    await Promise.all(START_UP.map((path) => get(path, big)));
    if (round >= 0) times.push(performance.now() - start);
  }
  report('B11', `${START_UP.length} llamadas de inicio, juntas`, times, { p50: 25, p99: 60 });
}

function report(
  id: string,
  what: string,
  times: readonly number[],
  goal: { readonly p50?: number; readonly p99: number },
): void {
  const cost = { id, unit: 'ms', isCost: true };
  if (goal.p50 !== undefined) {
    results.push({ ...cost, what: `${what}, p50`, figure: median(times), goal: goal.p50 });
  }
  results.push({ ...cost, what: `${what}, p99`, figure: percentile(times, 0.99), goal: goal.p99 });
}

function round2(value: number): number {
  return Math.round(value * 100) / 100;
}
