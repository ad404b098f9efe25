/**
 * B16: memory of a web and of a dispatcher process while 64 clients register for 200 companies and all of
 * it is sent. With `--hora`, that for a minute and then an hour at fifty invoices per second: what they hold
 * at the end is set against what they held ten minutes after the start. Calls answered with 503 are counted and
 * reported: on a busy machine a call may wait too long now and then.
 *
 *   npm run bench -- B16 [-- --json] [-- --segundos=90] [-- --hora]
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Pool } from 'undici';
import { NotAnswered, register } from './registering.ts';
import { readCertificate } from './sending.ts';
import {
  type BenchCompany,
  median,
  openBench,
  printTable,
  residentMegabytes,
  seedCompanies,
  signIn,
  startServer,
} from './support.ts';

const { values } = parseArgs({
  options: {
    segundos: { type: 'string', default: '90' },
    hora: { type: 'boolean', default: false },
    json: { type: 'boolean' },
  },
});
const CLIENTS = 64;
const COMPANIES = 200;
const FULL_SECONDS = values.hora ? 60 : Number(values.segundos);
const PACED_SECONDS = values.hora ? 3_600 : 0;
const PACED_PER_SECOND = 50;
/** Half the life of a session. */
const SESSION_SECONDS = 1_800;
/** Memory goes up and down with garbage collection, so medians of several samples are compared. */
const WINDOW = values.hora ? 300 : Math.floor(FULL_SECONDS / 6);

const bench = await openBench();
const env = { SIMULADOR_TIEMPO_ESPERA: '0' };
const dispatcher = await startServer(bench, 'dispatcher', env); // The first one runs the simulators.
const web = await startServer(bench, 'web', env);
const http = new Pool(web.url, { connections: CLIENTS });
let registered = 0;
let refused = 0;
try {
  const addresses = await readFile(join(bench.folder, 'simuladores', 'direcciones.json'), 'utf8');
  const { controlUrl } = JSON.parse(addresses) as { controlUrl: string };
  const companies = await seedCompanies(bench, COMPANIES, (nif, name) =>
    readCertificate(controlUrl, nif, name),
  );
  const samples = { web: [] as number[], dispatcher: [] as number[] };
  const watch = setInterval(() => {
    for (const [name, { pid }] of Object.entries({ web, dispatcher })) {
      void residentMegabytes(pid).then(({ now }) =>
        samples[name as keyof typeof samples].push(now),
      );
    }
  }, 1_000);
  try {
    await registerFor(companies, FULL_SECONDS, 0);
    for (let left = PACED_SECONDS; left > 0; left -= SESSION_SECONDS) {
      const signedIn = await Promise.all(
        companies.map(async (company) => ({ ...company, token: await signIn(bench, company.id) })),
      );
      const everyMs = (CLIENTS / PACED_PER_SECOND) * 1_000;
      await registerFor(signedIn, Math.min(left, SESSION_SECONDS), everyMs);
    }
  } finally {
    clearInterval(watch);
  }
  const [row] = await bench.sql<
    { answered: number }[]
  >`select count(*)::int as answered from respuestas`;

  const settled = values.hora ? 600 : Math.floor(FULL_SECONDS / 2);
  const load = [
    `${registered} facturas registradas y ${row?.answered} respondidas`,
    ...(refused > 0 ? [`${refused} llamadas con 503`] : []),
  ].join('; ');
  printTable(
    (['web', 'dispatcher'] as const).flatMap((name) => {
      const all = samples[name];
      const before = median(all.slice(settled, settled + WINDOW));
      const after = median(all.slice(-WINDOW));
      const unit = 'MB';
      return [
        {
          id: 'B16',
          what: `memoria del proceso ${name}, la mayor`,
          unit,
          note: load,
          figure: Math.max(...all),
          goal: 180,
          isCost: true,
        },
        {
          id: 'B16',
          what: `crecimiento de ${name}`,
          unit,
          figure: after,
          limit: before,
          goal: 1.05,
          isCost: true,
          note: values.hora
            ? 'el final de la hora, contra los minutos 10 a 15'
            : 'el final contra la mitad: la medida de verdad es --hora',
        },
      ];
    }),
  );
} finally {
  await http.close();
  await web.stop();
  await dispatcher.stop();
  await bench.close();
}

/** @param everyMs between two invoices of a client; 0 for as many as it can */
async function registerFor(
  companies: readonly BenchCompany[],
  seconds: number,
  everyMs: number,
): Promise<void> {
  const end = performance.now() + seconds * 1000;
  await Promise.all(
    Array.from({ length: CLIENTS }, async (_, client) => {
      if (everyMs > 0) await sleep((client / CLIENTS) * everyMs);
      for (let turn = client; performance.now() < end; turn += CLIENTS + 1) {
        const next = sleep(everyMs);
        try {
          await register(http, companies[turn % companies.length] as BenchCompany);
          registered += 1;
        } catch (problem) {
          if (!(problem instanceof NotAnswered && problem.status === 503)) throw problem;
          refused += 1;
        }
        if (everyMs > 0) await next;
      }
    }),
  );
}
