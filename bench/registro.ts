/**
 * Registering against the same rows by bare SQL, without HTTP, rules or huellas. Durable commits, real
 * sessions and rules; five interleaved pairs, medians.
 *
 *   npm run bench:registro [-- --json] [-- --segundos=2]
 */
import { Pool } from 'undici';
import type { InvoiceDraftInput } from '../src/contract/invoices.ts';
import { openDatabase } from '../src/platform/database.ts';
import type { Sql } from '../src/store/sql.ts';
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
/** Spreads the loops over the companies. */
let turn = 0;
const seconds = Number(process.argv.find((a) => a.startsWith('--segundos='))?.split('=')[1] ?? 3);

const bench = await openBench();
const server = await startServer(bench, 'web');
try {
  const many = await seedCompanies(bench, 200);
  const results = [
    await compare('B1', '64 clientes, 200 empresas', many, {
      clients: 64,
      connections: 16,
      goal: 0.5,
    }),
    await compare('B2', '64 clientes, una empresa', many.slice(0, 1), {
      clients: 64,
      connections: 4,
      goal: 1.5,
    }),
    await compare('B4', 'un cliente', many.slice(1, 2), { clients: 1, connections: 1, goal: 0.33 }),
  ];
  printTable(results);
  await assertNothingBroken(bench.sql);
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
): Promise<Result> {
  const bare = openDatabase({ url: `${bench.url}?max=${connections}` });
  const template = await sampleRows(bench, companies[0] as BenchCompany);
  const http = new Pool(server.url, { connections: clients });
  await hammer(clients, 1, (loop) => register(http, pick(companies, loop)));

  const limits: number[] = [];
  const figures: number[] = [];
  const times: number[] = [];
  for (let pair = 0; pair < PAIRS; pair++) {
    const limit = await hammer(connections, seconds, (loop) =>
      bareTransaction(bare, template, pick(companies, loop).id),
    );
    const figure = await hammer(clients, seconds, (loop) => register(http, pick(companies, loop)));
    limits.push(limit.perSecond);
    figures.push(figure.perSecond);
    times.push(...figure.times);
  }
  await http.close();
  await bare.end();
  return {
    id,
    what,
    figure: median(figures),
    unit: 'facturas/s',
    limit: median(limits),
    goal,
    note: `p50 ${median(times).toFixed(1)} ms, p99 ${percentile(times, 0.99).toFixed(1)} ms`,
  };
}

function pick(companies: readonly BenchCompany[], loop: number): BenchCompany {
  turn += 1;
  return companies[(loop * 31 + turn) % companies.length] as BenchCompany;
}

async function register(http: Pool, company: BenchCompany): Promise<void> {
  const { statusCode, body } = await http.request({
    method: 'POST',
    path: '/api/PostData/SetFacturas',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${company.token}`,
    },
    body: JSON.stringify({ ...fiveLines(company.customerNo), accionFactura: 1 }),
  });
  const text = await body.text();
  if (statusCode !== 200) throw new Error(`Answered ${statusCode}: ${text}`);
}

function fiveLines(customerNo: string): InvoiceDraftInput {
  const taxes = ['IVA21', 'IVA21', 'IVA10', 'IVA21', 'IVA4'];
  return {
    type: 'factura',
    invoiceDate: new Date().toLocaleDateString('sv-SE', { timeZone: 'Europe/Madrid' }),
    invoiceClient: customerNo,
    invoiceItems: taxes.map((tax, i) => ({
      description: `Servicio número ${i + 1} de la prueba`,
      quantity: String(i + 1),
      price: `${10 + i},25`,
      tax,
      linetype: 0,
    })),
  };
}

interface SampleRows {
  readonly xml: string;
  readonly issued: string;
  readonly draft: string;
}

/** One real registered invoice, whose rows the bare transactions write again and again. */
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
    create table bare_cadenas (like cadenas including all);
    create table bare_invoices (like invoices including all);
    create table bare_documents (like invoice_documents including all);
    create table bare_registros (like registros including all);
    insert into bare_cadenas select * from cadenas;`.simple();
  if (!row) throw new Error('Nothing was registered.');
  return row;
}

/** The rows of one registering, by bare SQL: lock, three inserts, head of the cadena, commit. */
async function bareTransaction(sql: Sql, rows: SampleRows, companyId: number): Promise<void> {
  await sql.begin(async (tx) => {
    const [head] = await tx<{ last_seq: bigint }[]>`
      select last_seq from bare_cadenas where company_id = ${companyId} for update`;
    const seq = String((head?.last_seq ?? 0n) + 1n);
    const [invoice] = await tx<{ id: bigint }[]>`
      insert into bare_invoices (company_id, id, doc_no, status, tipo_factura, posting_date, customer_name,
             base, vat, total, seq, registered_at)
      values (${companyId}, ${seq}, ${seq}, 'En espera', 'F1', current_date, 'Cliente de la prueba, S.A.',
             100, 21, 121, ${seq}, now())
   returning id`;
    const id = String(invoice?.id);
    await Promise.all([
      tx`insert into bare_documents (company_id, invoice_id, draft)
         values (${companyId}, ${id}, ${rows.draft}::text::jsonb)`,
      tx`insert into bare_registros (company_id, seq, invoice_id, tipo_registro, num_serie_factura,
               fecha_expedicion_factura, huella, huella_anterior, fecha_hora_huso_gen_registro,
               generated_at, xml, issued)
         values (${companyId}, ${seq}, ${id}, 'Alta', ${seq}, '20-11-2026', ${seq}, ${seq},
               '2026-11-20T10:00:00+01:00', now(), ${rows.xml}, ${rows.issued}::text::jsonb)`,
      tx`update bare_cadenas set last_seq = ${seq}, last_huella = ${seq}, last_num_serie = ${seq}
          where company_id = ${companyId}`,
    ]);
  });
}

/** No number missing or repeated, every link in its place: speed that breaks them is worth nothing. */
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
