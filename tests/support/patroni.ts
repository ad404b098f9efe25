import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findProgram } from '../../scripts/programs.mjs';
import { openDatabase } from '../../src/platform/database.ts';
import { freePort } from '../../src/platform/free-port.ts';
import { type Account, postgresAccount } from '../../src/platform/postgres-account.ts';
import { familyOf, killGroup, killPid } from './process-family.ts';
import { scratch } from './scratch.ts';
import { eventually } from './wait.ts';

const PACKAGED_SERVERS = '/usr/lib/postgresql';
/** After this long without news from the leader, Patroni promotes another. */
const TTL_SECONDS = 20;
/** How long a member may take to be back: to notice, to promote, to rewind and to catch up. */
const PATIENCE_SECONDS = 60;

const NAMES = ['a', 'b', 'c'] as const;
export type PatroniName = (typeof NAMES)[number];

/**
 * Three servers among which Patroni decides which one accepts writes. While there are two, each commit is on the
 * disks of both.
 */
export interface PatroniCluster {
  /** All hosts in any order: the client has to find the one that accepts writes. */
  readonly url: string;
  readonly leader: () => Promise<PatroniName>;
  /** Waits until one leads, another confirms its commits, and the third follows. */
  readonly untilWhole: () => Promise<void>;
  /** Waits until another one leads. */
  readonly untilOtherThan: (name: PatroniName) => Promise<void>;
  /** `kill -9` of a PostgreSQL, while its Patroni keeps running. */
  readonly killServer: (name: PatroniName) => void;
  /** A power cut: PostgreSQL and Patroni at once. */
  readonly killMachine: (name: PatroniName) => void;
  /** Starts the machine again. */
  readonly startMachine: (name: PatroniName) => void;
  /** The machine goes silent, with its connections open, until `thaw`. */
  readonly freeze: (name: PatroniName) => void;
  readonly thaw: () => void;
  /** As an operator does for maintenance. */
  readonly switchOver: (from: PatroniName) => Promise<void>;
  readonly remove: () => Promise<void>;
}

/** Names of the Debian packages that `startPatroni` lacks on this machine. */
export function missingPackages(): string[] {
  return [
    ...(findProgram('patroni') ? [] : ['patroni']),
    ...(findProgram('etcd') ? [] : ['etcd-server']),
    ...(packagedServer() ? [] : ['postgresql']),
  ];
}

/** Folder of the newest PostgreSQL of Debian's with all that Patroni calls, or null. */
function packagedServer(): string | null {
  if (!existsSync(PACKAGED_SERVERS)) return null;
  const versions = readdirSync(PACKAGED_SERVERS).sort((a, b) => Number(b) - Number(a));
  const folders = versions.map((version) => join(PACKAGED_SERVERS, version, 'bin'));
  return folders.find((bin) => existsSync(join(bin, 'pg_rewind'))) ?? null;
}

interface Member {
  readonly port: number;
  readonly restPort: number;
  readonly dataDir: string;
  readonly config: string;
  patroni: ChildProcess | null;
}

/**
 * Section of Patroni's settings for etcd. Up to 3.0.2 (Debian 12's), through version 3 of etcd's API, a leader that was
 * silent takes the lock away from its successor when it comes back, and what was registered meanwhile is lost
 * (https://github.com/patroni/patroni/pull/2689). Through version 2 it does not.
 */
function etcdSection(): 'etcd' | 'etcd3' {
  const said = execFileSync(findProgram('patroni'), ['--version'], { encoding: 'utf8' });
  const [, major = 0, minor = 0, patch = 0] = (/(\d+)\.(\d+)\.(\d+)/.exec(said) ?? []).map(Number);
  return major * 10_000 + minor * 100 + patch < 30_003 ? 'etcd' : 'etcd3';
}

/** Uses Debian's packages, with an etcd of its own. */
export async function startPatroni(): Promise<PatroniCluster> {
  const folder = await mkdtemp(join(scratch, 'huella-patroni-'));
  const account = await postgresAccount(folder);
  if (account) await chown(folder, account.uid, account.gid);
  const etcdPort = await freePort();
  const etcd = await startEtcd(folder, account, etcdPort);
  const members: Record<PatroniName, Member> = {
    a: await configure(folder, account, 'a', etcdPort),
    b: await configure(folder, account, 'b', etcdPort),
    c: await configure(folder, account, 'c', etcdPort),
  };
  const hosts = NAMES.toReversed().map((name) => `127.0.0.1:${members[name].port}`);
  const frozen: number[] = [];

  const startMachine = (name: PatroniName) => {
    members[name].patroni = run('patroni', [members[name].config], folder, account);
  };
  const machineOf = (name: PatroniName) => [
    ...familyOf(members[name].patroni?.pid),
    ...familyOf(serverPid(members[name])),
  ];
  const cluster: PatroniCluster = {
    url: `postgres://huella@${hosts.join(',')}/huella?target_session_attrs=read-write`,
    async leader() {
      const leader = (await membersSeen(members)).find(({ role }) => role === 'leader');
      if (!leader) throw new Error('Nobody leads.');
      return leader.name;
    },
    async untilWhole() {
      await eventually(async () => {
        const seen = await membersSeen(members);
        const roles = seen
          .filter(({ state }) => /running|streaming/.test(state))
          .map(({ role }) => role)
          .sort();
        return roles.join() === 'leader,replica,sync_standby';
      }, PATIENCE_SECONDS);
    },
    async untilOtherThan(name) {
      await eventually(async () => (await cluster.leader()) !== name, PATIENCE_SECONDS);
    },
    killServer(name) {
      const pid = serverPid(members[name]);
      if (!pid) throw new Error(`${name} has no server.`);
      killPid(pid);
    },
    killMachine(name) {
      for (const pid of machineOf(name)) killPid(pid);
    },
    startMachine,
    freeze(name) {
      frozen.push(...machineOf(name));
      for (const pid of frozen) killPid(pid, 'SIGSTOP');
    },
    thaw() {
      for (const pid of frozen.splice(0)) killPid(pid, 'SIGCONT');
    },
    async switchOver(from) {
      const next = (await membersSeen(members)).find(({ role }) => role === 'sync_standby');
      const answer = await fetch(`http://127.0.0.1:${members[from].restPort}/switchover`, {
        method: 'POST',
        body: JSON.stringify({ leader: from, candidate: next?.name }),
      });
      if (!answer.ok) throw new Error(`Switchover: ${answer.status} ${await answer.text()}`);
    },
    async remove() {
      cluster.thaw();
      for (const name of NAMES) cluster.killMachine(name);
      killGroup(etcd);
      await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
    },
  };
  try {
    startMachine('a');
    await eventually(async () => (await cluster.leader()) === 'a', PATIENCE_SECONDS);
    startMachine('b');
    startMachine('c');
    await cluster.untilWhole();
    await createDatabase(NAMES.map((name) => members[name].port));
    return cluster;
  } catch (cause) {
    const log = readFileSync(join(folder, 'log'), 'utf8');
    await cluster.remove();
    throw new Error(`Patroni did not start:\n${log.slice(-5000)}`, { cause });
  }
}

async function startEtcd(
  folder: string,
  account: Account | null,
  port: number,
): Promise<ChildProcess> {
  const [client, peer] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${await freePort()}`];
  const settings = {
    'data-dir': join(folder, 'etcd'),
    'listen-client-urls': client,
    'advertise-client-urls': client,
    'listen-peer-urls': peer,
    'initial-advertise-peer-urls': peer,
    'initial-cluster': `default=${peer}`,
    ...(etcdSection() === 'etcd' && { 'enable-v2': 'true' }),
  };
  const flags = Object.entries(settings).map(([key, value]) => `--${key}=${value}`);
  const etcd = run('etcd', flags, folder, account);
  await eventually(async () => (await fetch(`${client}/health`)).ok, 60);
  return etcd;
}

/** The settings mentioned in docs/operacion.md; the rest are Patroni's defaults. */
async function configure(
  folder: string,
  account: Account | null,
  name: PatroniName,
  etcdPort: number,
): Promise<Member> {
  const [port, restPort] = [await freePort(), await freePort()];
  const [dataDir, config] = [join(folder, name), join(folder, `${name}.yml`)];
  const sockets = join(folder, `${name}-sockets`);
  await mkdir(sockets);
  if (account) await chown(sockets, account.uid, account.gid);
  // JSON is valid YAML.
  const settings = {
    scope: 'huella',
    name,
    restapi: { listen: `127.0.0.1:${restPort}`, connect_address: `127.0.0.1:${restPort}` },
    [etcdSection()]: { host: `127.0.0.1:${etcdPort}` },
    bootstrap: {
      dcs: {
        ttl: TTL_SECONDS,
        loop_wait: 5,
        retry_timeout: 6,
        synchronous_mode: true,
        postgresql: { use_pg_rewind: true, parameters: { wal_log_hints: 'on' } },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, 'data-checksums'],
      pg_hba: [
        'local all all trust',
        'host all all 127.0.0.1/32 trust',
        'host replication all 127.0.0.1/32 trust',
      ],
    },
    postgresql: {
      listen: `127.0.0.1:${port}`,
      connect_address: `127.0.0.1:${port}`,
      data_dir: dataDir,
      bin_dir: packagedServer(),
      authentication: {
        superuser: { username: 'huella' },
        replication: { username: 'huella' },
        rewind: { username: 'huella' },
      },
      parameters: { unix_socket_directories: sockets, autovacuum_naptime: '5s' },
    },
  };
  await writeFile(config, JSON.stringify(settings));
  return { port, restPort, dataDir, config, patroni: null };
}

/** Its output is in `log` in the folder, in case it does not start. */
function run(
  program: string,
  args: readonly string[],
  folder: string,
  account: Account | null,
): ChildProcess {
  const log = openSync(join(folder, 'log'), 'a');
  const child = spawn(findProgram(program), args, {
    ...account,
    cwd: folder,
    detached: true,
    env: { ...process.env, HOME: folder }, // It writes into the home of whoever runs it.
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  return child;
}

interface MemberSeen {
  readonly name: PatroniName;
  readonly role: string;
  readonly state: string;
}

/** Patroni's view; from whichever member answers first. */
async function membersSeen(members: Record<PatroniName, Member>): Promise<readonly MemberSeen[]> {
  return Promise.any(
    Object.values(members).map(async ({ restPort }) => {
      const answer = await fetch(`http://127.0.0.1:${restPort}/cluster`, {
        signal: AbortSignal.timeout(2000),
      });
      return ((await answer.json()) as { members: MemberSeen[] }).members;
    }),
  );
}

/** The server process of a member, from the file that PostgreSQL writes, which may outlive it. */
function serverPid({ dataDir }: Member): number | undefined {
  try {
    const pid = readFileSync(join(dataDir, 'postmaster.pid'), 'utf8').split('\n')[0];
    const isIt = readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(dataDir);
    return isIt ? Number(pid) : undefined;
  } catch {
    return undefined;
  }
}

/** Creates it on the leader and waits until the others have it too, because Huella asks any of them. */
async function createDatabase(ports: readonly number[]): Promise<void> {
  const askOne = async (port: number, database: string, statement: string) => {
    const sql = openDatabase({ url: `postgres://huella@127.0.0.1:${port}/${database}?max=1` });
    await sql.unsafe(statement).finally(() => sql.end({ timeout: 1 }));
    return true;
  };
  await askOne(ports[0] ?? 0, 'postgres', 'create database huella');
  for (const port of ports) await eventually(() => askOne(port, 'huella', 'select 1'));
}
