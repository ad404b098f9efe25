/**
 * Sending to the simulated AEAT over mutual TLS. The wait between messages is 0; everything else is as in
 * production.
 *
 * B7: many companies, against the same bytes posted ready-made with the same answers stored by bare SQL.
 * B8: one message of 1,000, from the claim of the turn to the commit of its answer, against posting it.
 *
 *   npm run bench:despacho [-- --json] [-- --registros=20000]
 */
import { subscribe } from 'node:diagnostics_channel';
import { parseArgs } from 'node:util';
import pino from 'pino';
import { AeatClient } from '../src/dispatch/aeat-client.ts';
import { UNPACED } from '../src/dispatch/pace.ts';
import { takeTurn } from '../src/dispatch/turn.ts';
import { openCertificate } from '../src/operations/open-certificate.ts';
import { unpackMessage } from '../src/store/packed-message.ts';
import { openSending } from './sending.ts';
import { type BenchCompany, median, openBench, printTable, seedCompanies } from './support.ts';

const { values } = parseArgs({
  options: { registros: { type: 'string', default: '20000' }, json: { type: 'boolean' } },
});
const PAIRS = 5;
const COMPANIES = 20;
const BATCH = 1000;
const BATCH_PAIRS = 7;
const perPair = Math.floor(Number(values.registros) / PAIRS / COMPANIES);

const bench = await openBench();
const sending = await openSending(bench);
const { deps, runtime } = sending;
try {
  const companies = await seedCompanies(bench, COMPANIES, sending.readCertificate);
  const limits: number[] = [];
  const figures: number[] = [];
  for (let pair = 0; pair < PAIRS; pair++) {
    for (const company of companies) await sending.register(company, perPair);
    figures.push((perPair * COMPANIES) / (await sending.drain()));
    await sending.forget();
    limits.push(await postReadyMade(companies));
    await sending.forget();
  }
  const batch = await oneBatch(companies[0] as BenchCompany);
  const ofBatch = `un lote de ${BATCH}, ${BATCH_PAIRS} veces`;
  const alone = median(batch.posts);
  printTable([
    {
      id: 'B7',
      what: `${perPair * COMPANIES} registros de ${COMPANIES} empresas, ${PAIRS} veces`,
      figure: median(figures),
      unit: 'registros/s',
      limit: median(limits),
      goal: 0.4,
    },
    {
      id: 'B8',
      what: `${ofBatch}: turno entero sin lo que dura el POST`,
      unit: 'ms',
      figure: median(batch.turns) - alone,
      goal: 100,
      isCost: true,
      note: `el turno ${Math.round(median(batch.turns))} ms, el POST solo ${Math.round(alone)} ms`,
    },
    {
      id: 'B8',
      what: `${ofBatch}: conexiones TLS de un certificado`,
      unit: 'conexiones',
      figure: batch.handshakes,
      goal: 1,
      isCost: true,
    },
  ]);
} finally {
  await sending.stop();
  await bench.close();
}

/** Turns of one company, each with a full message, and each message again on its own, in milliseconds. */
async function oneBatch(company: BenchCompany) {
  const client = new AeatClient(runtime);
  const { signal } = new AbortController();
  const port = new URL(runtime.aeat.url).port;
  let handshakes = 0;
  subscribe('undici:client:connected', (event) => {
    if ((event as { connectParams: { port: string } }).connectParams.port === port) handshakes += 1;
  });
  const turns: number[] = [];
  const posts: number[] = [];
  // Logged by the turn once the answer is committed. Nobody waits for the tidying up after it.
  let committed = 0;
  const log = pino(
    { level: 'info' },
    {
      write: (line) => {
        if (line.includes('"the AEAT answered"')) committed = performance.now();
      },
    },
  );
  for (let pair = -1; pair < BATCH_PAIRS; pair++) {
    await sending.register(company, BATCH);
    const start = performance.now();
    await takeTurn({ ...deps, log, client, pace: UNPACED, signal }, company.id);
    const turn = committed - start;
    if (turn <= 0) throw new Error('No answer was stored.');
    await sending.forget();
    const [message] = (await lastMessages(company, BATCH)).slice(-1);
    const certificate = await openCertificate(deps, company.id);
    if (!message || message.seqs.length !== BATCH || !certificate) throw new Error('No message.');
    const before = performance.now();
    const outcome = await client.post({ certificate, esDemo: false }, message.bytes, signal);
    if (outcome.kind !== 'answer') throw new Error(outcome.cause);
    if (pair >= 0) {
      turns.push(turn);
      posts.push(performance.now() - before);
    }
    await sending.forget();
  }
  await client.close();
  return { turns, posts, handshakes };
}

/** The same messages of the last round again, with as many companies at once. */
async function postReadyMade(companies: readonly BenchCompany[]): Promise<number> {
  const client = new AeatClient(runtime);
  const signal = new AbortController().signal;
  await bench.sql`
    create table if not exists bare_answers (company_id int, seq bigint, estado text, primary key (company_id, seq))`;
  await bench.sql`truncate bare_answers`;
  const messages = await Promise.all(companies.map((company) => lastMessages(company, perPair)));
  const start = performance.now();
  const queue = [...companies.keys()];
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (let index = queue.shift(); index !== undefined; index = queue.shift()) {
        const company = companies[index] as BenchCompany;
        const certificate = await openCertificate(deps, company.id);
        if (!certificate) throw new Error('No certificate.');
        for (const { bytes, seqs } of messages[index] ?? []) {
          const outcome = await client.post({ certificate, esDemo: false }, bytes, signal);
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

async function lastMessages({ id }: BenchCompany, registros: number) {
  const rows = await bench.sql<{ peticion: Uint8Array; from_seq: bigint; to_seq: bigint }[]>`
    select peticion, from_seq, to_seq from envios
     where company_id = ${id}
       and to_seq > (select last_seq from cadenas where company_id = ${id}) - ${registros}
     order by id`;
  return Promise.all(
    rows.map(async ({ peticion, from_seq, to_seq }) => ({
      bytes: await unpackMessage(peticion),
      seqs: Array.from({ length: Number(to_seq - from_seq) + 1 }, (_, i) =>
        String(from_seq + BigInt(i)),
      ),
    })),
  );
}
