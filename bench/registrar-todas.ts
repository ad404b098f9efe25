/**
 * «Registrar todas»: one company, 10,000 drafts of five lines, through the API of the built application,
 * against the same rows by bare SQL in batches of 100. Five interleaved pairs, medians.
 *
 *   npm run bench:registrar-todas [-- --json] [-- --borradores=10000] [-- --pares=5]
 */

import pino from 'pino';
import { request } from 'undici';
import type { FacturaImportada, RegistrarTodas } from '../src/contract/imports.ts';
import type { Deps } from '../src/deps.ts';
import { saveImport } from '../src/operations/save-import.ts';
import { openDatabase } from '../src/platform/database.ts';
import { createNews } from '../src/platform/news.ts';
import type { Sql } from '../src/store/sql.ts';
import { LINES } from './registering.ts';
import {
  type Bench,
  type BenchCompany,
  median,
  openBench,
  printTable,
  seedCompanies,
  startServer,
} from './support.ts';

const drafts = flag('borradores', 10_000);
const pairs = flag('pares', 5);
const BATCH = 100;
/** Rows of one import: see MAX_LINEAS. */
const IMPORT = 2_000;

const bench = await openBench();
const server = await startServer(bench, 'web');
try {
  const companies = await seedCompanies(bench, pairs + 1);
  const [first] = companies;
  if (!first) throw new Error('No company was made.');
  await importDrafts(first, 200);
  await registerAll(first, 200);
  const rows = await sampleRows(bench, first);
  const bare = openDatabase({ url: `${bench.url}&max=1` });

  const figures: number[] = [];
  const limits: number[] = [];
  for (const company of companies.slice(1)) {
    await importDrafts(company, drafts);
    await bench.sql`vacuum analyze invoices, invoice_documents, registros`;
    limits.push(await bareBatches(bare, rows, company.id));
    figures.push(await registerAll(company, drafts));
    await assertNothingBroken(bench.sql, company.id);
  }
  await bare.end();
  printTable([
    {
      id: 'B5',
      what: `Registrar todas, ${drafts} borradores`,
      unit: 'facturas/s',
      goal: 0.4,
      figure: median(figures),
      limit: median(limits),
      note: `${Math.round(Math.min(...figures))} a ${Math.round(Math.max(...figures))}`,
    },
  ]);
} finally {
  await server.stop();
  await bench.close();
}

function flag(name: string, otherwise: number): number {
  return Number(
    process.argv.find((arg) => arg.startsWith(`--${name}=`))?.split('=')[1] ?? otherwise,
  );
}

/** Drafts as an import leaves them, over the days of a month. */
async function importDrafts(company: BenchCompany, count: number): Promise<void> {
  const deps: Deps = {
    sql: bench.sql,
    database: { url: bench.url },
    clock: () => new Date(),
    aheadSeconds: () => 0,
    config: bench.config,
    log: pino({ level: 'error' }),
    wakeDispatcher: () => undefined,
    wakeMail: () => undefined,
    news: createNews(bench.sql, pino({ level: 'error' })),
  };
  for (let from = 0; from < count; from += IMPORT) {
    const Facturas = Array.from({ length: Math.min(IMPORT, count - from) }, (_, index) =>
      draft(company.customerNo, from + index),
    );
    await saveImport(deps, company.id, { Clientes: [], Items: [], Facturas });
  }
}

function draft(customerNo: string, index: number): FacturaImportada {
  return {
    referencia: `F-${index}`,
    cliente: customerNo,
    type: 'factura',
    invoiceNumber: '',
    invoiceType: 0,
    crmemoType: 0,
    invoiceClient: '',
    typeClient: 'NAC',
    isSimplificada: false,
    claveRegimen: '01',
    invoiceToRectify: '',
    tipoRectificativa: 'I',
    invoiceDate: `2026-01-${String((index % 28) + 1).padStart(2, '0')}`,
    invoiceItems: LINES,
  };
}

/** @returns registered invoices per second, between the beginning and end that the run reports */
async function registerAll(company: BenchCompany, count: number): Promise<number> {
  await call(company, 'POST', '/api/PostData/RegistrarTodas');
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, 250));
    const run = await call(company, 'GET', '/api/GetData/GetRegistrarTodas');
    if (run.estado === 'en-marcha') continue;
    if (run.registradas !== count) throw new Error(JSON.stringify(run));
    return count / ((Date.parse(run.acabada ?? '') - Date.parse(run.empezada ?? '')) / 1000);
  }
}

async function call(
  { token }: BenchCompany,
  method: 'GET' | 'POST',
  path: string,
): Promise<RegistrarTodas> {
  const { statusCode, body } = await request(`${server.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}` },
  });
  const text = await body.text();
  if (statusCode !== 200) throw new Error(`Answered ${statusCode}: ${text}`);
  return JSON.parse(text) as RegistrarTodas;
}

interface SampleRows {
  readonly xml: string;
  readonly issued: string;
  readonly draft: string;
}

/** One real registered invoice, whose rows the bare transactions write repeatedly. */
async function sampleRows({ sql }: Bench, company: BenchCompany): Promise<SampleRows> {
  const [row] = await sql<SampleRows[]>`
    select r.xml, r.issued::text as issued, d.draft::text as draft
      from registros r
      join invoice_documents d on d.company_id = r.company_id and d.invoice_id = r.invoice_id
     where r.company_id = ${company.id}
     order by r.seq desc limit 1`;
  await sql`
    create table bare_cadenas (like cadenas including all);
    create table bare_invoices (like invoices including all);
    create table bare_documents (like invoice_documents including all);
    create table bare_registros (like registros including all);
    insert into bare_cadenas select * from cadenas;`.simple();
  if (!row) throw new Error('Nothing was registered.');
  return row;
}

/** The rows of a batch with bare SQL, repeatedly: lock, three inserts, head of the cadena, commit. */
async function bareBatches(sql: Sql, rows: SampleRows, companyId: number): Promise<number> {
  const repeated = (text: string) => Array.from({ length: BATCH }, () => text);
  const start = performance.now();
  for (let done = 0; done < drafts; done += BATCH) {
    await sql.begin(async (tx) => {
      const [head] = await tx<{ last_seq: bigint }[]>`
        select last_seq from bare_cadenas where company_id = ${companyId} for update`;
      const last = head?.last_seq ?? 0n;
      const seqs = repeated('').map((_, index) => String(last + BigInt(index) + 1n));
      await Promise.all([
        tx`insert into bare_invoices (company_id, id, doc_no, status, tipo_factura, posting_date,
                  customer_name, base, vat, total, seq, registered_at)
           select ${companyId}, seq, seq::text, 'En espera', 'F1', current_date,
                  'Cliente de la prueba, S.A.', 100, 21, 121, seq, now()
             from unnest(${seqs}::bigint[]) as t (seq)`,
        tx`insert into bare_documents (company_id, invoice_id, draft)
           select ${companyId}, seq, draft::jsonb
             from unnest(${seqs}::bigint[], ${repeated(rows.draft)}::text[]) as t (seq, draft)`,
        tx`insert into bare_registros (company_id, seq, invoice_id, tipo_registro, num_serie_factura,
                  fecha_expedicion_factura, huella, huella_anterior, fecha_hora_huso_gen_registro,
                  generated_at, xml, issued)
           select ${companyId}, seq, seq, 'Alta', seq::text, '20-11-2026', seq::text, seq::text,
                  '2026-11-20T10:00:00+01:00', now(), xml, issued::jsonb
             from unnest(${seqs}::bigint[], ${repeated(rows.xml)}::text[],
                         ${repeated(rows.issued)}::text[]) as t (seq, xml, issued)`,
        tx`update bare_cadenas
              set last_seq = ${String(seqs.at(-1))}, last_huella = ${String(seqs.at(-1))},
                  last_num_serie = ${String(seqs.at(-1))}
            where company_id = ${companyId}`,
      ]);
    });
  }
  return drafts / ((performance.now() - start) / 1000);
}

/** In order of date, no number missing or repeated, every link in its place. */
async function assertNothingBroken(sql: Sql, companyId: number): Promise<void> {
  const [row] = await sql<{ broken: number; registered: number }[]>`
    select count(*) filter (where huella_anterior is distinct from coalesce(anterior, '')
                               or posting_date < fecha_anterior
                               or substring(num_serie_factura from '^\\d+')::bigint <> seq)::int as broken,
           count(*)::int as registered
      from (select r.*, i.posting_date, lag(r.huella) over cadena as anterior,
                   lag(i.posting_date) over cadena as fecha_anterior
              from registros r
              join invoices i on i.company_id = r.company_id and i.id = r.invoice_id
             where r.company_id = ${companyId}
            window cadena as (order by r.seq)) as linked`;
  if (row?.broken !== 0 || row.registered !== drafts) throw new Error(JSON.stringify(row));
}
