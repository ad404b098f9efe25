/**
 * Registering while a dispatcher drains what waits, against registering alone: the web, the dispatcher and the
 * simulated AEAT in processes of their own; the last one stands for a machine that is not ours, and takes what
 * processor the others leave (nice 19). The companies that register wait for their turn to send, as the
 * AEAT asks of them; those that send have no wait. Interleaved, medians.
 *
 *   npm run bench:a-la-vez [-- --json] [-- --segundos=5] [-- --registros=12000]
 */
import { setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { register } from './registering.ts';
import { openSending, registerMany } from './sending.ts';
import {
  type BenchCompany,
  hammer,
  median,
  openBench,
  percentile,
  printTable,
  seedCompanies,
  startServer,
} from './support.ts';

const PAIRS = 5;
const CLIENTS = 64;
const REGISTERING = 200;
const SENDING = 20;
const number = (name: string, otherwise: number) =>
  Number(process.argv.find((a) => a.startsWith(`--${name}=`))?.split('=')[1] ?? otherwise);
const seconds = number('segundos', 5);
/** Waiting when the dispatcher begins: more than it can send in that time. */
const backlog = number('registros', 12_000);

const bench = await openBench();
const sending = await openSending(bench, bench.folder);
setPriority(sending.pid, 19);
const server = await startServer(bench, 'web');
const http = new Pool(server.url, { connections: CLIENTS });
try {
  await sending.control('comportamiento', { tiempoEspera: 0 });
  const companies = await seedCompanies(bench, SENDING + REGISTERING, (nif, name) =>
    Number(nif.slice(1, 8)) < 1_000_000 + SENDING
      ? sending.readCertificate(nif, name)
      : Promise.resolve(null),
  );
  const senders = companies.slice(0, SENDING);
  const others = companies.slice(SENDING);
  await bench.sql`
    update despachos set next_envio_at = now() + interval '1 day'
     where company_id = any(${others.map(({ id }) => id)}::int[])`;

  await registering(others);
  await bench.sql`analyze`;
  const alone: number[] = [];
  const together: number[] = [];
  const drained: number[] = [];
  const times: number[] = [];
  for (let pair = 0; pair < PAIRS; pair++) {
    alone.push((await registering(others)).perSecond);
    await fill(senders);
    const dispatcher = await startServer(bench, 'dispatcher');
    const before = await untilSending();
    const start = performance.now();
    const figure = await registering(others);
    const left = await waiting();
    drained.push((before - left) / ((performance.now() - start) / 1000));
    await dispatcher.stop();
    if (left === 0) throw new Error('Everything was sent before the end: more --registros.');
    together.push(figure.perSecond);
    times.push(...figure.times);
  }
  printTable([
    {
      id: 'B9',
      what: `${CLIENTS} clientes, ${REGISTERING} empresas, mientras se envían los de otras ${SENDING}`,
      figure: median(together),
      unit: 'facturas/s',
      limit: median(alone),
      goal: 0.75,
      note: `p99 ${percentile(times, 0.99).toFixed(0)} ms; se enviaban ${median(drained).toFixed(0)} registros/s`,
    },
  ]);
} finally {
  await http.close();
  await server.stop();
  await sending.stop();
  await bench.close();
}

function registering(companies: readonly BenchCompany[]) {
  let turn = 0;
  return hammer(CLIENTS, seconds, async (loop) => {
    turn += 1;
    await register(http, companies[(loop * 31 + turn) % companies.length] as BenchCompany);
  });
}

/** Creates `backlog` waiting registros, spread over the companies. */
async function fill(companies: readonly BenchCompany[]): Promise<void> {
  const missing = Math.ceil((backlog - (await waiting())) / companies.length);
  for (const company of companies) await registerMany(sending.deps, company, missing);
}

/** Registros of the sending companies that the AEAT has not answered. */
async function waiting(): Promise<number> {
  const [row] = await bench.sql<{ count: number }[]>`
    select coalesce(sum(c.last_seq - d.enviado_hasta), 0)::int as count
      from despachos d
      join cadenas c on c.company_id = d.company_id
     where d.next_envio_at < now() + interval '1 hour'`;
  return row?.count ?? 0;
}

/** @returns how many wait after the first ones were answered */
async function untilSending(): Promise<number> {
  const before = await waiting();
  for (;;) {
    const now = await waiting();
    if (now < before) return now;
    await sleep(20);
  }
}
