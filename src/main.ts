import { getPriority, setPriority } from 'node:os';
import type { Logger } from 'pino';
import { type Config, ConfigError, readConfig, withPort } from './config.ts';
import type { Deps } from './deps.ts';
import { isForeignKey } from './operations/lost-key.ts';
import { type AppClock, CLOCK_CHANNEL, openClock, realClock } from './platform/clock.ts';
import { takeDataDir } from './platform/data-dir.ts';
import { type DatabaseAddress, openDatabase, waitForDatabase } from './platform/database.ts';
import { startEmbeddedPostgres } from './platform/embedded-postgres.ts';
import { freePort } from './platform/free-port.ts';
import { Life } from './platform/life.ts';
import { openListener } from './platform/listener.ts';
import { createLogger } from './platform/log.ts';
import { ensureSearchIndex, migrate, newerMigrations, readMigrations } from './platform/migrate.ts';
import { createNews, NEWS_CHANNEL } from './platform/news.ts';
import { type Simulators, startSimulators } from './platform/simulators.ts';
import { StartError } from './platform/start-error.ts';
import { createWaker, WORK_CHANNEL } from './platform/wake.ts';
import { runtimeOf, tellTime } from './runtime.ts';
import type { Sql } from './store/sql.ts';

const DATABASE_PATIENCE_SECONDS = 30;
const FOREIGN_KEY =
  'CLAVE_MAESTRA no abre ningún certificado ni secreto de esta base de datos: da la misma que sus demás procesos. Si se perdió, ejecuta npm run admin -- clave-perdida.';

try {
  await main();
} catch (error) {
  explain(error);
  process.exit(1);
}

/** From the environment to a process that serves. If something fails, it closes what it had opened. */
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
    // Asked to end while starting: failures are expected then.
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
  const [simulators, { sql, address }, { startServer, startWorkers }] = await Promise.all([
    config.isProduction ? null : openSimulators(config, log, life, () => clock),
    openMigratedDatabase(config, log, life),
    loadProduct(config),
  ]);

  if (simulators && config.servesDevelopment) {
    clock = await openClock(sql);
    if (clock.offsetSeconds() !== 0) await tellTime(simulators.addresses().controlUrl, clock);
  }
  const waker = createWaker(sql, log);
  const news = createNews(sql, log);
  life.onClose('news', news.close);
  const listener = openListener(address, {
    [WORK_CHANNEL]: waker.handler,
    [NEWS_CHANNEL]: news.handler,
    ...(clock && { [CLOCK_CHANNEL]: clock.handler }),
  });
  life.onClose('listening connection', listener.close);
  const deps: Deps = {
    sql,
    database: address,
    clock: clock?.now ?? realClock,
    aheadSeconds: clock?.offsetSeconds ?? (() => 0),
    config,
    log,
    wakeDispatcher: () => waker.wake('dispatcher'),
    wakeMail: () => waker.wake('mail'),
    news,
  };
  const runtime = runtimeOf(config, simulators, clock);

  if (config.role === 'dispatcher') standBack();
  startWorkers?.(deps, runtime, waker, life);
  if (startServer) {
    await startServer(deps, runtime, life);
    dataDir.announce(config.publicUrl);
    console.log(`Huella está en ${config.publicUrl}`);
  } else {
    console.log('Huella está despachando registros y correo.');
  }
  void makeSearchIndex(sql, log, life);
}

/**
 * Done once, and takes minutes if the history is long. The start does not wait: meanwhile searches are only slower.
 */
async function makeSearchIndex(sql: Sql, log: Logger, life: Life): Promise<void> {
  try {
    const missing = await ensureSearchIndex(sql);
    if (missing) log.warn(missing);
  } catch (error) {
    if (life.isClosing) return; // Interrupted with its connection: the next start makes it.
    log.error(
      { err: error },
      'the index of the search could not be made: the next start will try again',
    );
  }
}

/**
 * On a machine shared with a web process, a dispatcher uses the processor time that the web leaves, at least a
 * quarter of it: somebody waits for an invoice to be registered, and nobody for it to be sent.
 */
function standBack(): void {
  setPriority(Math.min(19, getPriority() + 5));
}

/**
 * Loads only what this role needs: the other half would take memory for nothing. Loading takes as long as the
 * migrations and the simulators, so it happens meanwhile.
 */
async function loadProduct({ role }: Config) {
  const [server, workers] = await Promise.all([
    role === 'dispatcher' ? null : import('./server.ts'),
    role === 'web' ? null : import('./workers.ts'),
  ]);
  return { startServer: server?.startServer, startWorkers: workers?.startWorkers };
}

async function openMigratedDatabase(config: Config, log: Logger, life: Life) {
  const address = await databaseAddress(config, log, life);
  const sql = await openMigrated(address, log, life);
  if (await isForeignKey(sql, config.claveMaestra)) throw new StartError(FOREIGN_KEY);
  return { sql, address };
}

async function databaseAddress(config: Config, log: Logger, life: Life): Promise<DatabaseAddress> {
  if (config.databaseUrl) return { url: config.databaseUrl };
  const { dataDir } = config;
  const starting = startEmbeddedPostgres({ dataDir, log, ending: life.ending });
  // Before it is ready: an interrupted start stops what it has launched, and that is awaited.
  life.onClose('database', () =>
    starting.then(
      (postgres) => postgres.stop(),
      () => undefined,
    ),
  );
  return (await starting).address;
}

async function openMigrated(address: DatabaseAddress, log: Logger, life: Life): Promise<Sql> {
  const sql = openDatabase(address);
  life.onClose('database connections', () => sql.end({ timeout: 1 }));
  await waitForDatabase(sql, DATABASE_PATIENCE_SECONDS, (error) => {
    log.warn({ err: error }, 'waiting for the database');
  });
  const migrations = await readMigrations();
  const ran = await migrate(sql, migrations, (waiting) => {
    log.warn(waiting, 'a migration waits for others to end');
  });
  if (ran.length > 0) log.info({ migrations: ran }, 'the database is up to date');
  const newer = await newerMigrations(sql, migrations);
  if (newer.length > 0) {
    log.warn({ migrations: newer }, 'the database is of a newer version, which admits this one');
  }
  return sql;
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

function explain(error: unknown): void {
  if (error instanceof ConfigError) {
    for (const problem of error.problems) console.error(problem);
  } else if (error instanceof StartError) {
    console.error(error.message);
  } else {
    console.error(error);
  }
}
