import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openDatabase } from '../../src/platform/database.ts';
import { freePort } from '../../src/platform/free-port.ts';
import { type Account, postgresAccount } from '../../src/platform/postgres-account.ts';
import {
  findPackagedServer,
  type PostgresBinaries,
  preparePostgresBinaries,
} from '../../src/platform/postgres-binaries.ts';
import { familyOf, killGroup, killPid } from './process-family.ts';
import { scratch } from './scratch.ts';
import { eventually } from './wait.ts';

/** Loopback only, for as long as the test takes. */
const HBA = `host all all 127.0.0.1/32 trust
host replication all 127.0.0.1/32 trust
`;

/** Two servers: the second has received each commit before the first confirms it. */
export interface ReplicatedPostgres {
  /** Both hosts, the standby first: the client has to find the one that accepts writes. */
  readonly url: string;
  /** `kill -9` of the primary, without warning. */
  readonly killPrimary: () => void;
  /** It keeps its connections but no longer answers, as when its machine freezes or its network is cut. */
  readonly freezePrimary: () => void;
  /** Promotes the standby, which from then on commits alone. */
  readonly promote: () => Promise<void>;
  readonly remove: () => Promise<void>;
}

/** Uses the server that comes with the app: no other package is needed. */
export async function startReplicatedPostgres(): Promise<ReplicatedPostgres> {
  const folder = await mkdtemp(join(scratch, 'huella-conmutacion-'));
  const account = await postgresAccount(join(folder, 'primario'));
  if (account) await chown(folder, account.uid, account.gid);
  const binaries = await preparePostgresBinaries(await findPackagedServer(), folder, account);
  const host = { folder, account, binaries };

  await createCluster(host, 'primario');
  const primary = await startServer(host, 'primario', { synchronous_commit: 'on' });
  await copyToStandby(host, primary.port);
  const standby = await startServer(host, 'reserva', {
    primary_conninfo: `host=127.0.0.1 port=${primary.port} user=huella application_name=reserva`,
  });
  await requireBoth(primary.port);
  const frozen: number[] = [];
  return {
    url: `postgres://huella@127.0.0.1:${standby.port},127.0.0.1:${primary.port}/huella?target_session_attrs=read-write`,
    killPrimary: () => killGroup(primary.child),
    freezePrimary: () => {
      frozen.push(...familyOf(primary.child.pid));
      for (const pid of frozen) process.kill(pid, 'SIGSTOP');
    },
    async promote() {
      const sql = openDatabase({ url: urlOf(standby.port) });
      const [row] = await sql<{ promoted: boolean }[]>`select pg_promote() as promoted`;
      await sql.end();
      if (!row?.promoted) throw new Error('The standby was not promoted.');
    },
    async remove() {
      for (const { child } of [primary, standby]) killGroup(child);
      for (const pid of frozen) killPid(pid); // A stopped process does not notice that its parent died.
      await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
    },
  };
}

interface Host {
  readonly folder: string;
  readonly account: Account | null;
  readonly binaries: PostgresBinaries;
}

interface Server {
  readonly port: number;
  readonly child: ChildProcess;
}

async function createCluster({ folder, account, binaries }: Host, name: string): Promise<void> {
  const cluster = join(folder, name);
  await mkdir(cluster, { mode: 0o700 });
  if (account) await chown(cluster, account.uid, account.gid);
  const locale = ['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  execFileSync(
    binaries.initdb,
    ['-D', cluster, '-U', 'huella', '--auth=trust', '--locale=C', ...locale, '--no-instructions'],
    { ...account, cwd: folder, stdio: 'ignore' },
  );
  await writeFile(join(cluster, 'pg_hba.conf'), HBA);
}

async function startServer(
  { folder, account, binaries }: Host,
  name: string,
  settings: Readonly<Record<string, string>>,
): Promise<Server> {
  const port = await freePort();
  const all = {
    ...settings,
    port: String(port),
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '100',
  };
  const flags = Object.entries(all).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
  // A group of its own: a kill hits the workers too, like a power cut.
  const child = spawn(binaries.postgres, ['-D', join(folder, name), ...flags], {
    ...account,
    cwd: folder,
    detached: true,
    stdio: 'ignore',
  });
  await Promise.race([
    once(child, 'exit').then(() => Promise.reject(new Error(`${name} did not start.`))),
    eventually(() => answers(port), 60),
  ]);
  return { port, child };
}

async function answers(port: number): Promise<boolean> {
  const sql = openDatabase({ url: urlOf(port, 'postgres') });
  try {
    await sql`select 1`;
    return true;
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/** Copies the primary's files between the two calls that make them a base backup. */
async function copyToStandby({ folder, account }: Host, port: number): Promise<void> {
  const [from, to] = [join(folder, 'primario'), join(folder, 'reserva')];
  const sql = openDatabase({ url: urlOf(port, 'postgres') });
  try {
    await sql`create database huella`;
    const session = await sql.reserve(); // A backup ends with the session that started it.
    await session`select pg_backup_start('reserva', true)`;
    await cp(from, to, {
      recursive: true,
      filter: (source) => !/postmaster\.(pid|opts)$/.test(source),
    });
    const [label] = await session<{ labelfile: string }[]>`
      select labelfile from pg_backup_stop(false)`;
    session.release();
    await writeFile(join(to, 'backup_label'), label?.labelfile ?? '');
    await writeFile(join(to, 'standby.signal'), '');
    if (account) await giveTo(to, account);
  } finally {
    await sql.end({ timeout: 1 });
  }
}

async function giveTo(folder: string, { uid, gid }: Account): Promise<void> {
  await chown(folder, uid, gid);
  const entries = await readdir(folder, { recursive: true });
  await Promise.all(entries.map((entry) => chown(join(folder, entry), uid, gid)));
}

/** From here on the primary confirms nothing that the standby does not have on disk. */
async function requireBoth(port: number): Promise<void> {
  const sql = openDatabase({ url: urlOf(port, 'postgres') });
  try {
    await sql`alter system set synchronous_standby_names = 'reserva'`;
    await sql`select pg_reload_conf()`;
    await eventually(async () => {
      const [row] = await sql<{ state: string }[]>`
        select sync_state as state from pg_stat_replication where state = 'streaming'`;
      return row?.state === 'sync';
    }, 60);
  } finally {
    await sql.end({ timeout: 1 });
  }
}

function urlOf(port: number, database = 'huella'): string {
  return `postgres://huella@127.0.0.1:${port}/${database}?max=1`;
}
