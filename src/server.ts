import { setTimeout as sleep } from 'node:timers/promises';
import { buildApp } from './api/app.ts';
import type { Config } from './config.ts';
import type { Deps, Runtime } from './deps.ts';
import { AeatClient } from './dispatch/aeat-client.ts';
import { consultarWith } from './dispatch/consulta.ts';
import { ANNOUNCED_MS, type DrainTimes, prepareDrain } from './platform/drain.ts';
import type { Life } from './platform/life.ts';
import { StartError } from './platform/start-error.ts';

/** A download or a long query to the AEAT may take longer than whoever stops us will wait. */
const SERVER_CLOSE_PATIENCE_MS = 8_000;
/** For one web process among several: the others take its clients, and need time to get them all. */
const SHARED_DRAIN: DrainTimes = { listenMs: 2_000, patienceMs: ANNOUNCED_MS + 500 };
/** A single process has nowhere to send clients: it answers the requests already on their way. */
const LONE_DRAIN: DrainTimes = { listenMs: 0, patienceMs: 1_000 };
/** Pause between the parts loaded ahead: each blocks the process for some hundredths of a second. */
const WARM_UP_MS = 1_500;

/**
 * Answers on `HOST:PORT`.
 *
 * @throws {StartError} when the address cannot be had
 */
export async function startServer(deps: Deps, runtime: Runtime, life: Life): Promise<void> {
  const client = new AeatClient(runtime);
  const app = await buildApp(deps, runtime, consultarWith(client), life.ending);
  const drain = prepareDrain(app.server);
  life.onClose('server', async () => {
    deps.news.release(); // Held calls are answered with what there is.
    const timer = setTimeout(() => app.server.closeAllConnections(), SERVER_CLOSE_PATIENCE_MS);
    await drain(deps.config.role === 'web' ? SHARED_DRAIN : LONE_DRAIN);
    await app.close();
    await client.close();
    clearTimeout(timer);
  });
  try {
    await app.listen({ host: deps.config.host, port: deps.config.port });
  } catch (error) {
    throw cannotListen(deps.config, error as NodeJS.ErrnoException);
  }
  void warmUp();
}

/**
 * Loads what draws invoices, which takes long, before somebody needs it. In parts, so that a call that comes
 * meanwhile waits for one of them at most. What prepares logos is left out: it takes memory that many never need.
 */
async function warmUp(): Promise<void> {
  const parts = [() => import('pdfkit'), () => import('./pdf/invoice-pdf.ts')];
  for (const load of parts) {
    await sleep(WARM_UP_MS, undefined, { ref: false });
    await load();
  }
}

function cannotListen({ host, port }: Config, error: NodeJS.ErrnoException): Error {
  switch (error.code) {
    case 'EADDRINUSE':
      return new StartError(`El puerto ${port} ya está ocupado: indica otro en PORT.`);
    case 'EACCES':
      return new StartError(`No hay permiso para el puerto ${port}: indica otro en PORT.`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new StartError(`HOST: esta máquina no tiene la dirección «${host}».`);
    default:
      return error;
  }
}
