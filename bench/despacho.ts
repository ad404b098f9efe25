/**
 * Sending to the simulated AEAT over mutual TLS, against the same bytes posted ready-made with the same
 * answers stored by bare SQL. The wait between messages is 0; everything else is as in production.
 *
 *   npm run bench:despacho [-- --json] [-- --registros=20000]
 */
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { AeatClient } from '../src/dispatch/aeat-client.ts';
import { startDispatcher } from '../src/dispatch/loop.ts';
import { openCertificate } from '../src/operations/open-certificate.ts';
import { openSending, registerMany } from './sending.ts';
import { type BenchCompany, median, openBench, printTable, seedCompanies } from './support.ts';

const PAIRS = 5;
const COMPANIES = 20;
const total = Number(
  process.argv.find((a) => a.startsWith('--registros='))?.split('=')[1] ?? 20_000,
);
const perPair = Math.floor(total / PAIRS / COMPANIES);

const bench = await openBench();
const sending = await openSending(bench, join(bench.folder, 'simuladores'));
const { deps, runtime, control } = sending;

try {
  await control('comportamiento', { tiempoEspera: 0 });
  const companies = await seedCompanies(bench, COMPANIES, sending.readCertificate);
  const limits: number[] = [];
  const figures: number[] = [];
  for (let pair = 0; pair < PAIRS; pair++) {
    for (const company of companies) await registerMany(deps, company, perPair);
    figures.push(await drain());
    await control('vaciar', {});
    limits.push(await postReadyMade(companies));
    await control('vaciar', {});
  }
  printTable([
    {
      id: 'B7',
      what: `${perPair * COMPANIES} registros de ${COMPANIES} empresas, ${PAIRS} veces`,
      figure: median(figures),
      unit: 'registros/s',
      limit: median(limits),
      goal: 0.4,
    },
  ]);
} finally {
  await sending.stop();
  await bench.close();
}

/** Sends everything that waits. @returns registros per second */
async function drain(): Promise<number> {
  const start = performance.now();
  const dispatcher = startDispatcher(deps, runtime);
  for (;;) {
    const [row] = await bench.sql<{ waiting: number }[]>`
      select count(*)::int as waiting from despachos where waiting_since is not null`;
    if (row?.waiting === 0) break;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  const seconds = (performance.now() - start) / 1000;
  await dispatcher.stop();
  const [left] = await bench.sql<{ wrong: number }[]>`
    select count(*)::int as wrong from invoices where status <> 'Registrada'`;
  if (left?.wrong !== 0) throw new Error(`${left?.wrong} invoices were not accepted.`);
  return (perPair * COMPANIES) / seconds;
}

/** The very messages of the last round again, with as many companies side by side. */
async function postReadyMade(companies: readonly BenchCompany[]): Promise<number> {
  const client = new AeatClient(runtime);
  const signal = new AbortController().signal;
  await bench.sql`
    create table if not exists bare_answers (company_id int, seq bigint, estado text, primary key (company_id, seq))`;
  await bench.sql`truncate bare_answers`;
  const messages = await Promise.all(companies.map(lastMessages));
  const start = performance.now();
  const queue = [...companies.keys()];
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (let index = queue.shift(); index !== undefined; index = queue.shift()) {
        const company = companies[index] as BenchCompany;
        const certificate = await openCertificate(deps, company.id);
        if (!certificate) throw new Error('No certificate.');
        for (const { bytes, seqs } of messages[index] ?? []) {
          const outcome = await client.post(certificate, bytes, signal);
          if (outcome.kind !== 'answer') throw new Error(outcome.cause);
          await bench.sql`
            insert into bare_answers
            select ${company.id}, seq, 'Correcto' from unnest(${seqs}::bigint[]) as t (seq)`;
          await bench.sql`
            update invoices set updated_at = now()
             where company_id = ${company.id} and seq = any(${seqs}::bigint[])`;
        }
      }
    }),
  );
  const seconds = (performance.now() - start) / 1000;
  await client.close();
  return (perPair * COMPANIES) / seconds;
}

async function lastMessages({ id }: BenchCompany) {
  const rows = await bench.sql<{ peticion: Uint8Array; from_seq: bigint; to_seq: bigint }[]>`
    select peticion, from_seq, to_seq from envios
     where company_id = ${id}
       and to_seq > (select last_seq from cadenas where company_id = ${id}) - ${perPair}
     order by id`;
  return Promise.all(
    rows.map(async ({ peticion, from_seq, to_seq }) => ({
      bytes: await promisify(gunzip)(peticion),
      seqs: Array.from({ length: Number(to_seq - from_seq) + 1 }, (_, i) =>
        String(from_seq + BigInt(i)),
      ),
    })),
  );
}
