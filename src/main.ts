import { join } from 'node:path';
import type { Logger } from 'pino';
import { buildApp } from './api/app.ts';
import { type Config, ConfigError, readConfig, withPort } from './config.ts';
import type { Deps, Runtime } from './deps.ts';
import { AeatClient } from './dispatch/aeat-client.ts';
import { consultarWith } from './dispatch/consulta.ts';
import { AEAT_ENDPOINTS } from './dispatch/endpoints.ts';
import { startDispatcher } from './dispatch/loop.ts';
import { startMailWorker } from './mail/worker.ts';
import { forgetExpired } from './operations/forget-expired.ts';
import { invoiceSubscriptions } from './operations/invoice-subscriptions.ts';
import { reconcilePayments } from './operations/reconcile-payments.ts';
import { resumeRuns } from './operations/register-all.ts';
import { gatewayOf } from './payments/merchant.ts';
import { type AppClock, CLOCK_CHANNEL, openClock, realClock } from './platform/clock.ts';
import { type DataDir, takeDataDir } from './platform/data-dir.ts';
import { type DatabaseAddress, openDatabase, waitForDatabase } from './platform/database.ts';
import { startEmbeddedPostgres } from './platform/embedded-postgres.ts';
import { freePort } from './platform/free-port.ts';
import { Life } from './platform/life.ts';
import { openListener } from './platform/listener.ts';
import { createLogger } from './platform/log.ts';
import { migrate, readMigrations } from './platform/migrate.ts';
import { projectRoot } from './platform/project-root.ts';
import { type Simulators, startSimulators } from './platform/simulators.ts';
import { StartError } from './platform/start-error.ts';
import { createWaker, WORK_CHANNEL } from './platform/wake.ts';
import type { Sql } from './store/sql.ts';

const DATABASE_PATIENCE_SECONDS = 30;
const APP_CLOSE_PATIENCE_MS = 4_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const RESUME_MS = 10_000;

try {
  await main();
} catch (error) {
  explain(error);
  process.exit(1);
}

/** From the environment to a process that serves, closing what it had opened if something fails. */
async function main(): Promise<void> {
  const given = readConfig(process.env);
  const config = given.port === 0 ? withPort(given, await freePort()) : given;
  const log = createLogger(config.logLevel);
  const life = new Life(log);
  life.endOnSignals();
  for (const warning of config.warnings) log.warn(warning);
  try {
    await start(config, log, life);
  } catch (error) {
    // Asked to end while starting: what fails then is no news.
    if (life.isClosing) return;
    await life.close();
    throw error;
  }
}

async function start(config: Config, log: Logger, life: Life): Promise<void> {
  const isAlone = config.databaseUrl === null || config.role === 'all';
  const dataDir = takeDataDir(config.dataDir, isAlone ? 'exclusive' : 'shared');
  life.onClose('data folder', dataDir.release);

  let clock: AppClock | null = null;
  const [simulators, { sql, address }] = await Promise.all([
    config.isProduction ? null : openSimulators(config, log, life, () => clock),
    openMigrated(config, log, life),
  ]);
  if (!config.isProduction) clock = await openClock(sql);
  if (simulators && clock) await tellTime(simulators.addresses().controlUrl, clock);

  const waker = createWaker(sql, log);
  const listener = openListener(address, {
    [WORK_CHANNEL]: waker.ear,
    ...(clock && { [CLOCK_CHANNEL]: clock.ear }),
  });
  life.onClose('listening connection', listener.close);
  const deps: Deps = {
    sql,
    clock: clock?.now ?? realClock,
    config,
    log,
    wakeDispatcher: () => waker.wake('dispatcher'),
    wakeMail: () => waker.wake('mail'),
  };
  const runtime = runtimeOf(config, simulators, clock);

  if (config.role !== 'web') {
    const dispatcher = startDispatcher(deps, runtime);
    const mail = startMailWorker(deps, runtime);
    life.onClose('workers', () => Promise.all([dispatcher.stop(), mail.stop()]));
    waker.attend('dispatcher', dispatcher.wake);
    waker.attend('mail', mail.wake);
    tidyHourly(deps, life);
    reconcileEachMinute(deps, runtime, life);
    resumeRunsOften(deps, life);
  }
  if (config.role !== 'dispatcher') await serve(deps, runtime, life, dataDir);
  else process.stdout.write('Huella está despachando registros y correo.\n');
}

function tidyHourly(deps: Deps, life: Life): void {
  const timer = setInterval(() => {
    forgetExpired(deps).catch((error: unknown) => {
      deps.log.error({ err: error }, 'what has run out could not be deleted');
    });
  }, HOUR_MS);
  life.onClose('tidying', async () => clearInterval(timer));
}

/** Payments whose notification never came are asked about, and those that came are invoiced. */
function reconcileEachMinute(deps: Deps, runtime: Runtime, life: Life): void {
  let round: Promise<unknown> | null = null;
  const timer = setInterval(() => {
    const gateway = gatewayOf(deps.config.redsys.entorno, runtime.redsysUrl);
    if (!gateway || round) return;
    round = reconcilePayments(deps, gateway)
      .then(() => invoiceSubscriptions(deps))
      .catch((error: unknown) => {
        deps.log.error({ err: error }, 'payments could not be reconciled');
      })
      .finally(() => {
        round = null;
      });
  }, MINUTE_MS);
  life.onClose('payments', async () => clearInterval(timer));
}

/** «Registrar todas» goes on where a process that ended left it. */
function resumeRunsOften(deps: Deps, life: Life): void {
  let round: Promise<unknown> | null = null;
  const timer = setInterval(() => {
    if (round) return;
    round = resumeRuns(deps)
      .catch((error: unknown) => {
        deps.log.error({ err: error }, 'a run of registering could not go on');
      })
      .finally(() => {
        round = null;
      });
  }, RESUME_MS);
  life.onClose('runs of registering', async () => clearInterval(timer));
}

async function serve(deps: Deps, runtime: Runtime, life: Life, dataDir: DataDir): Promise<void> {
  const { config } = deps;
  const client = new AeatClient(runtime);
  const app = await buildApp(deps, runtime, consultarWith(client));
  life.onClose('server', async () => {
    // Streams that follow an invoice never end by themselves.
    const timer = setTimeout(() => app.server.closeAllConnections(), APP_CLOSE_PATIENCE_MS);
    await app.close();
    await client.close();
    clearTimeout(timer);
  });
  try {
    await app.listen({ host: config.host, port: config.port });
  } catch (error) {
    throw cannotListen(config, error as NodeJS.ErrnoException);
  }
  dataDir.announce(config.publicUrl);
  process.stdout.write(`Huella está en ${config.publicUrl}\n`);
}

async function openMigrated(
  config: Config,
  log: Logger,
  life: Life,
): Promise<{ sql: Sql; address: DatabaseAddress }> {
  const address = await databaseAddress(config, log, life);
  const sql = openDatabase(address);
  life.onClose('database connections', () => sql.end({ timeout: 1 }));
  await waitForDatabase(sql, DATABASE_PATIENCE_SECONDS);
  const ran = await migrate(sql, await readMigrations());
  if (ran.length > 0) log.info({ migrations: ran }, 'the database is up to date');
  return { sql, address };
}

async function databaseAddress(config: Config, log: Logger, life: Life): Promise<DatabaseAddress> {
  if (config.databaseUrl) return { url: config.databaseUrl };
  const postgres = await startEmbeddedPostgres({ dataDir: config.dataDir, log });
  life.onClose('database', postgres.stop);
  return postgres.address;
}

async function openSimulators(
  { dataDir }: Config,
  log: Logger,
  life: Life,
  clock: () => AppClock | null,
): Promise<Simulators> {
  const simulators = await startSimulators({
    dataDir,
    log,
    onReady: async ({ controlUrl }) => {
      const opened = clock();
      if (opened) await tellTime(controlUrl, opened);
    },
  });
  life.onClose('simulators', simulators.stop);
  return simulators;
}

function runtimeOf(config: Config, simulators: Simulators | null, clock: AppClock | null): Runtime {
  return {
    // Looked up each time: the simulators may come back at other ports.
    get aeat() {
      return aeatOf(config, simulators);
    },
    get smtpUrl() {
      const url = config.mail.smtpUrl ?? simulators?.addresses().smtpUrl;
      if (!url) throw new Error('readConfig lets no production start without SMTP_URL');
      return url;
    },
    get redsysUrl() {
      return simulators?.addresses().redsysUrl ?? null;
    },
    get controlUrl() {
      return simulators?.addresses().controlUrl ?? null;
    },
    moveClock:
      simulators && clock
        ? async (seconds) => {
            await clock.advance(seconds);
            await tellTime(simulators.addresses().controlUrl, clock);
          }
        : null,
    webRoot: join(projectRoot, 'dist', 'web'),
  };
}

function aeatOf({ aeat }: Config, simulators: Simulators | null): Runtime['aeat'] {
  if (aeat.url) return { url: aeat.url, selloUrl: aeat.url, ca: aeat.ca };
  if (aeat.entorno !== 'simulador') return { ...AEAT_ENDPOINTS[aeat.entorno], ca: aeat.ca };
  if (!simulators) throw new Error('readConfig lets no production start with the simulator');
  const { aeatUrl, aeatSelloUrl, aeatCa } = simulators.addresses();
  return { url: aeatUrl, selloUrl: aeatSelloUrl, ca: aeatCa };
}

/** The simulated world keeps the application's time, so that nothing reaches it from the future. */
async function tellTime(controlUrl: string, clock: AppClock): Promise<void> {
  await fetch(`${controlUrl}/desarrollo/aeat/comportamiento`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ relojMundo: clock.offsetSeconds() }),
  });
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

function explain(error: unknown): void {
  if (error instanceof ConfigError) {
    for (const problem of error.problems) console.error(problem);
  } else if (error instanceof StartError) {
    console.error(error.message);
  } else {
    console.error(error);
  }
}
