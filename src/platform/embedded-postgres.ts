import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { chown, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { type DatabaseAddress, openDatabase } from './database.ts';
import { freePort } from './free-port.ts';
import { type Account, postgresAccount } from './postgres-account.ts';
import {
  findPackagedServer,
  type PostgresBinaries,
  preparePostgresBinaries,
} from './postgres-binaries.ts';
import { isAlive, isServerOf, readPostmasterPid } from './postmaster-pid.ts';
import { putInPlace } from './put-in-place.ts';
import { storedSecret } from './secrets.ts';
import { StartError } from './start-error.ts';

/** The PostgreSQL server that comes with the app, running on `DATA_DIR/postgres`. */
export interface EmbeddedPostgres {
  readonly address: DatabaseAddress;
  /** Shuts it down cleanly and waits for its end. */
  readonly stop: () => Promise<void>;
}

export interface EmbeddedOptions {
  /** This process holds its lock (data-dir.ts). */
  readonly dataDir: string;
  readonly log: Logger;
  /** Further server settings: `{ max_connections: '200' }`. */
  readonly settings?: Readonly<Record<string, string>>;
  /** If aborted while it starts, the launched server is stopped, and then the start fails. */
  readonly ending?: AbortSignal;
}

const USER = 'huella';
const DATABASE = 'huella';
const POLL_MS = 10;
const ADOPT_PATIENCE_MS = 30_000;
const SHUTDOWN_PATIENCE_MS = 3_000;
const RESTART_PAUSE_MS = 50;
const RESTART_PAUSE_LATER_MS = 1000;
const FAST_RESTARTS = 100;
/** Longest path of a Unix socket: 108 bytes on Linux, 104 on macOS, with the closing zero. */
const LONGEST_SOCKET_PATH = 100;

const MB = 2 ** 20;

/**
 * PostgreSQL's own cache: an eighth of the memory of the machine or container. At least its default of 128 MB, and at
 * most four times as much, which has to be written out at shutdown.
 */
function sharedBuffers(): string {
  const memory = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
  return `${Math.floor(Math.min(Math.max(memory / 8, 128 * MB), 512 * MB) / MB)}MB`;
}

/** Durability stays at PostgreSQL's defaults: `fsync` and `synchronous_commit` must not be changed. */
const SETTINGS: Readonly<Record<string, string>> = {
  cluster_name: 'huella',
  // A first import fills empty tables: until autovacuum has analysed them, plans read all the rows of a company.
  autovacuum_naptime: '5s',
  jit: 'off', // For short queries, compiling costs more than it saves.
  log_checkpoints: 'off',
  log_error_verbosity: 'terse', // Details of constraint errors contain NIFs and e-mails.
  max_wal_size: '2GB',
  shared_buffers: sharedBuffers(),
  // After a crash, the whole folder is synced first: with one call, not file by file.
  ...(process.platform === 'linux' && { recovery_init_sync_method: 'syncfs' }),
};

const HBA = `# Written by Huella: this machine only, and always with the password.
local all all scram-sha-256
host all all 127.0.0.1/32 scram-sha-256
host all all ::1/128 scram-sha-256
`;

/**
 * Starts the embedded server, creating its cluster the first time, and keeps it running until `stop`: if it dies it
 * is restarted, and the pool finds it at the same address.
 *
 * A server that outlived its app (`kill -9`) is taken over as it is.
 *
 * @throws {StartError} when it cannot run, saying what to do
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const cluster = join(options.dataDir, 'postgres');
  const account = await postgresAccount(cluster);
  const server = await findPackagedServer();
  const binaries = await preparePostgresBinaries(server, options.dataDir, account);
  const password = storedSecret(options.dataDir, 'postgres');
  if (!(await hasCluster(cluster))) {
    options.log.info('creating the database');
    const { ending } = options;
    await createCluster({ cluster, account, binaries, password, ending });
  }
  const keeper = new Keeper({ ...options, cluster, account, binaries, password });
  await keeper.start();
  return { address: keeper.address, stop: () => keeper.stop() };
}

/** The server that an app keeps running on that data folder, or null. */
export async function findRunningPostgres(dataDir: string): Promise<DatabaseAddress | null> {
  const cluster = join(dataDir, 'postgres');
  const found = await readPostmasterPid(cluster);
  if (!found?.isReady || !(await isServerOf(cluster, found))) return null;
  return addressOf(socketFolderOf(cluster), found.port, storedSecret(dataDir, 'postgres'));
}

function addressOf(socketFolder: string, port: number, password: string): DatabaseAddress {
  const server = `postgres://${USER}:${encodeURIComponent(password)}@127.0.0.1:${port}/${DATABASE}`;
  return { url: `${server}?host=${encodeURIComponent(socketFolder)}` };
}

interface KeeperOptions extends EmbeddedOptions {
  readonly cluster: string;
  readonly account: Account | null;
  readonly binaries: PostgresBinaries;
  readonly password: string;
}

/** Keeps a server process running on the same folder and address, one after another. */
class Keeper {
  readonly #options: KeeperOptions;
  readonly #socketFolder: string;
  #port = 0;
  #pid = 0;
  #isStopping = false;

  constructor(options: KeeperOptions) {
    this.#options = options;
    this.#socketFolder = socketFolderOf(options.cluster);
  }

  get address(): DatabaseAddress {
    return addressOf(this.#socketFolder, this.#port, this.#options.password);
  }

  /** If it fails, nothing that it launched stays running. */
  async start(): Promise<void> {
    const { ending } = this.#options;
    const stop = () => void this.stop();
    ending?.addEventListener('abort', stop);
    try {
      ending?.throwIfAborted();
      await this.#adoptOrLaunch();
      ending?.throwIfAborted();
    } catch (error) {
      await this.stop();
      throw error;
    } finally {
      ending?.removeEventListener('abort', stop);
    }
  }

  async #adoptOrLaunch(): Promise<void> {
    if (await this.#adopt()) return;
    const deadline = Date.now() + ADOPT_PATIENCE_MS;
    for (;;) {
      this.#port = await freePort();
      const failure = await this.#launch({ listen: true });
      if (!failure) return;
      // A port taken meanwhile, or the last workers of a killed server still finishing.
      const isPassing = /could not bind|pre-existing shared memory/.test(failure);
      if (!isPassing || Date.now() > deadline) throw cannotStart(failure);
      await sleep(200);
    }
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    const pid = this.#pid;
    if (!pid) return;
    signal(pid, 'SIGINT'); // «Fast»: ends sessions, rolls back, writes a checkpoint.
    const deadline = Date.now() + SHUTDOWN_PATIENCE_MS;
    while (isAlive(pid) && Date.now() < deadline) await sleep(POLL_MS);
    if (!isAlive(pid)) return;
    this.#options.log.warn('the database takes too long to close: the next start will recover it');
    signal(pid, 'SIGQUIT');
  }

  /** Takes over a server of this cluster that is already running. */
  async #adopt(): Promise<boolean> {
    const { cluster, log } = this.#options;
    const found = await readPostmasterPid(cluster);
    if (!found) return false;
    if (!(await isServerOf(cluster, found))) {
      // We hold the folder's lock, so this file was left by a server that was killed. PostgreSQL itself would not
      // remove it if the process number now belongs to another process.
      await rm(join(cluster, 'postmaster.pid'), { force: true });
      return false;
    }
    const deadline = Date.now() + ADOPT_PATIENCE_MS;
    while (isAlive(found.pid) && !this.#isStopping) {
      const { port, isReady } = (await readPostmasterPid(cluster)) ?? found;
      this.#port = port;
      if (isReady && (await this.#answers())) {
        log.info({ pid: found.pid }, 'using the database that was left running');
        this.#pid = found.pid;
        this.#watch(found.pid);
        return true;
      }
      if (Date.now() > deadline) {
        throw new StartError(
          `Hay un PostgreSQL (proceso ${found.pid}) que dice trabajar en ${cluster} y no responde: termínalo y vuelve a arrancar.`,
        );
      }
      await sleep(100);
    }
    return false;
  }

  /**
   * Whether the server behind the socket in this very folder accepts our password. A folder copied together with its
   * `postmaster.pid` has no live socket, so nobody else's server is taken over.
   */
  async #answers(): Promise<boolean> {
    const sql = openDatabase(this.address);
    try {
      await sql`select 1`;
      return true;
    } catch {
      return false;
    } finally {
      await sql.end({ timeout: 1 });
    }
  }

  /**
   * Starts a server and waits until it is ready.
   *
   * @returns its error output if it ended before
   */
  async #launch({ listen }: { listen: boolean }): Promise<string | null> {
    const { cluster, account, binaries, dataDir, settings } = this.#options;
    const logFile = join(dataDir, 'postgres.log');
    const logStart = await rotateLog(logFile);
    if (this.#isStopping) return 'Se le ha pedido que termine.';
    const folder = folderFor(cluster);
    const output = openSync(logFile, 'a', 0o600);
    const child = spawn(
      binaries.postgres,
      [
        ...['-D', folder.path],
        ...asFlags({
          ...SETTINGS,
          ...settings,
          listen_addresses: listen ? '127.0.0.1' : '',
          port: String(this.#port),
          unix_socket_directories: folder.path,
        }),
      ],
      // In a session of its own: Ctrl+C on the terminal goes to the app, which shuts the server down in order.
      { ...account, ...folder.spawn, detached: true, stdio: ['ignore', output, output] },
    );
    closeSync(output);
    this.#pid = child.pid ?? 0; // Set now: it may have to be stopped before it is ready.
    const end = endOf(child);
    while (child.pid !== undefined) {
      const note = await readPostmasterPid(cluster);
      if (note?.pid === child.pid && note.isReady) break;
      if (await Promise.race([end, sleep(POLL_MS, null)])) break;
    }
    const ended = await Promise.race([end, null]);
    if (ended) {
      this.#pid = 0;
      return `${ended} ${await tailOf(logFile, logStart)}`;
    }
    child.unref();
    end.then(() => this.#restart());
    return null;
  }

  /** For a server that is not our child process. */
  async #watch(pid: number): Promise<void> {
    while (isAlive(pid)) await sleep(250, null, { ref: false });
    await this.#restart();
  }

  async #restart(): Promise<void> {
    const { log } = this.#options;
    this.#pid = 0;
    let listen = true;
    for (let attempt = 0; !this.#isStopping; attempt++) {
      log.error({ attempt }, 'the database has ended: starting it again');
      const failure = await this.#launch({ listen });
      if (!failure) {
        log.info('the database is back');
        if (this.#isStopping) await this.stop();
        return;
      }
      if (this.#isStopping) return;
      log.error({ failure }, 'the database does not start');
      // Another program may have taken the port meanwhile: then only the socket is used, which is enough for the app.
      // Any other failure is temporary, such as the last workers of the killed server, and TCP clients must find the
      // server again.
      listen = !failure.includes('could not bind');
      const pause = attempt < FAST_RESTARTS ? RESTART_PAUSE_MS : RESTART_PAUSE_LATER_MS;
      await sleep(pause, null, { ref: false });
    }
  }
}

async function hasCluster(cluster: string): Promise<boolean> {
  return stat(join(cluster, 'PG_VERSION')).then(
    () => true,
    () => false,
  );
}

interface NewCluster {
  readonly cluster: string;
  readonly account: Account | null;
  readonly binaries: PostgresBinaries;
  readonly password: string;
  readonly ending: AbortSignal | undefined;
}

/**
 * Creates the cluster in a temporary folder and moves it into place when it is complete, so an interrupted start
 * leaves nothing half-made.
 *
 * Text order is PostgreSQL's own `C.UTF-8`, the same on every system for ever; Spanish order is requested where it
 * matters, with `collate "es-x-icu"`.
 */
async function createCluster({
  cluster,
  account,
  binaries,
  password,
  ending,
}: NewCluster): Promise<void> {
  const draft = `${cluster}.nuevo`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { recursive: true, mode: 0o700 });
  if (account) await chown(draft, account.uid, account.gid);

  const folder = folderFor(draft);
  const options = { ...account, ...folder.spawn };
  const locale = ['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  await runTool(
    binaries.initdb,
    // Nothing can connect before pg_hba.conf is replaced: the cluster is only used in single-user mode.
    ['-D', folder.path, '-U', USER, '--auth=trust', '--locale=C', ...locale, '--no-instructions'],
    options,
    { ending },
  );
  await runTool(binaries.postgres, ['--single', '-D', folder.path, 'postgres'], options, {
    ending,
    input: `alter role ${USER} password '${password}';\ncreate database ${DATABASE};\n`,
  });
  await writeFile(join(draft, 'pg_hba.conf'), HBA, { flush: true });
  putInPlace(draft, cluster);
}

async function runTool(
  file: string,
  args: readonly string[],
  options: object,
  { ending, input = '' }: { readonly ending: AbortSignal | undefined; readonly input?: string },
): Promise<void> {
  ending?.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const child = execFile(file, args, { ...options, encoding: 'utf8' }, (error, _out, err) => {
      ending?.removeEventListener('abort', stop);
      // Single-user mode exits with 0 even if statements fail.
      const complaint = /^.*(ERROR|FATAL|PANIC):.*$/m.exec(err)?.[0];
      if (error || complaint) reject(cannotStart(complaint ?? `${error?.message} ${err}`));
      else resolve();
    });
    const stop = () => child.kill();
    ending?.addEventListener('abort', stop);
    child.stdin?.end(input);
  });
}

/**
 * Memory used by a statement is kept for the next one on its connection. By default, glibc returns it to the system
 * after each and requests it again, which is a fifth of PostgreSQL's time for reading a cadena.
 */
const MALLOC = { MALLOC_TRIM_THRESHOLD_: '4194304', MALLOC_MMAP_THRESHOLD_: '4194304' };

/**
 * How to refer to a folder for the server. On Linux it is the server's working directory: the server enters it before
 * changing account, so it works in folders that its account could not reach by path (root's home), and with paths too
 * long for a socket.
 */
function folderFor(folder: string) {
  const env = { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC', ...MALLOC };
  return process.platform === 'linux'
    ? { path: '/proc/self/cwd', spawn: { cwd: folder, env } }
    : { path: folder, spawn: { cwd: '/', env } };
}

/** Where this process finds the server's socket: through an open folder if the path is too long. */
function socketFolderOf(cluster: string): string {
  if (Buffer.byteLength(cluster) + '/.s.PGSQL.65535'.length <= LONGEST_SOCKET_PATH) return cluster;
  if (process.platform === 'linux') return `/proc/self/fd/${openSync(cluster, 'r')}`;
  throw new StartError('La ruta de DATA_DIR es demasiado larga para este sistema: acórtala.');
}

function asFlags(settings: Readonly<Record<string, string>>): string[] {
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

/** Rotates the log when it exceeds 10 MB, keeping one old file. Returns where the next lines begin. */
async function rotateLog(file: string): Promise<number> {
  const size = await stat(file).then(
    (found) => found.size,
    () => 0,
  );
  if (size < 10 * 1024 * 1024) return size;
  await rename(file, `${file}.1`);
  return 0;
}

async function tailOf(file: string, start: number): Promise<string> {
  const content = await readFile(file);
  return content.subarray(start).toString('utf8').trim().slice(-2000);
}

function cannotStart(reason: string): StartError {
  return new StartError(`La base de datos incluida no arranca: ${reason.trim()}`);
}

async function endOf(child: ChildProcess): Promise<string> {
  try {
    const [code, killedBy] = await once(child, 'exit');
    return `Terminó (${killedBy ?? code}).`;
  } catch (error) {
    return (error as Error).message;
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended by itself.
  }
}
