import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { testBundle } from '../../scripts/sources.mjs';
import { projectRoot } from '../../src/platform/project-root.ts';
import { guardFolder } from './guardian.ts';
import { scratch } from './scratch.ts';

export interface StackOptions {
  /** Added to an environment that only has `PATH`, a free `PORT` and a quiet log. */
  readonly env?: Readonly<Record<string, string>>;
  /** By default one that already has its database, as after a first start; deleted with the stack. */
  readonly dataDir?: string;
  /** With an empty folder, if the first start is what is tested. */
  readonly isFirstStart?: boolean;
  /** The account that runs it, when the tests run as root. */
  readonly account?: { readonly uid: number; readonly gid: number };
  /** By default the server's bundle, made from the current sources. */
  readonly command?: readonly string[];
  readonly cwd?: string;
  /** Sends SIGTERM as soon as it writes this text, or the condition holds, before it serves. */
  readonly stopOn?: string | (() => boolean);
}

/** The whole application as in reality: its process, its database, its simulators. */
export interface Stack {
  readonly baseUrl: string;
  readonly dataDir: string;
  readonly pid: number;
  /** Its output so far, from both streams. */
  readonly output: () => string;
  /** Its exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals>;
  /** Asks it to end, and returns how it did. */
  readonly stop: (signal?: NodeJS.Signals) => Promise<number | NodeJS.Signals>;
  /** `kill -9` of one of its processes, without waiting for the others. */
  readonly kill: (who: 'app' | 'postgres' | 'simulators') => void;
  /** Ends it with everything it may have left behind, including its folder. */
  readonly remove: () => Promise<void>;
}

/** A process that ended before it served: how, and its output. */
export class StackError extends Error {
  override readonly name = 'StackError';
  readonly code: number | NodeJS.Signals;
  readonly output: string;

  constructor(code: number | NodeJS.Signals, output: string) {
    super(`The application ended (${code}) before it served:\n${output}`);
    this.code = code;
    this.output = output;
  }
}

const DAY_MS = 86_400_000;
const SERVING = /^Huella está (?:en (\S+)|despachando)/m;

/**
 * Starts the application and waits until it serves.
 *
 * @throws {StackError} when it ends instead
 */
export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const dataDir = options.dataDir ?? (await newDataDir(options));
  guarded.set(dataDir, guarded.get(dataDir) ?? guardFolder(dataDir));
  const [file = '', ...args] = options.command ?? [
    process.execPath,
    join(await builtServer(), 'main.js'),
  ];
  const child = spawn(file, args, {
    cwd: options.cwd ?? projectRoot,
    ...options.account,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH ?? '',
      PORT: '0',
      LOG_LEVEL: 'warn',
      DATA_DIR: dataDir,
      ...options.env,
    },
  });
  let output = '';
  const ended = endOf(child);
  const { stopOn } = options;
  if (typeof stopOn === 'function') stopWhen(child, stopOn);
  const serving = new Promise<string>((resolve) => {
    const read = (chunk: Buffer) => {
      output += chunk;
      if (typeof stopOn === 'string' && output.includes(stopOn)) child.kill('SIGTERM');
      const found = SERVING.exec(output);
      if (found) resolve(found[1] ?? '');
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
  });
  const first = await Promise.race([serving, ended.then((code) => ({ code }))]);
  if (typeof first !== 'string') throw new StackError(first.code, output);

  const kill = (who: 'app' | 'postgres' | 'simulators') => {
    if (who === 'app') child.kill('SIGKILL');
    else killPid(pidOf(dataDir, who), 'SIGKILL');
  };
  return {
    baseUrl: first,
    dataDir,
    pid: child.pid ?? 0,
    output: () => output,
    ended,
    stop: (signal = 'SIGTERM') => {
      child.kill(signal);
      return ended;
    },
    kill,
    remove: async () => {
      kill('app');
      await ended;
      await removeDataDir(dataDir);
    },
  };
}

/** Data folders of this process, and how to tell their guardian that they are gone. */
const guarded = new Map<string, () => void>();

/** Ends what still works on a data folder, and deletes it. */
export async function removeDataDir(dataDir: string): Promise<void> {
  for (const who of ['app', 'postgres', 'simulators'] as const) {
    killPid(pidOf(dataDir, who), 'SIGKILL');
  }
  await rm(dataDir, {
    recursive: true,
    force: true,
    maxRetries: 20,
    retryDelay: 50,
  });
  guarded.get(dataDir)?.();
  guarded.delete(dataDir);
}

/**
 * Folder of the server's bundle, made once for each state of the sources. It is what `npm start` runs, without the
 * web. Of two test files at once, the second finds it made or makes the same.
 */
export async function builtServer(): Promise<string> {
  const folder = testBundle();
  if (!existsSync(folder)) {
    const draft = `${folder}.${process.pid}`;
    const script = join(projectRoot, 'scripts', 'build-server.mjs');
    execFileSync(process.execPath, [script, draft], { cwd: projectRoot, stdio: 'inherit' });
    await rename(draft, folder).catch(() => rm(draft, { recursive: true }));
    await forgetOldBundles(dirname(folder));
  }
  return folder;
}

/** A new folder: by default, if it helps, a copy of one in which the application was started once. */
async function newDataDir({ env, account, command, isFirstStart }: StackOptions): Promise<string> {
  const dataDir = await mkdtemp(join(scratch, 'huella-stack-'));
  if (isFirstStart || account || command || env?.DATABASE_URL) return dataDir;
  // With owners and modes, because the database's files may belong to another account.
  execFileSync('cp', ['-a', `${await startedOnce()}/.`, dataDir]);
  return dataDir;
}

/** A new folder as after a first start that has ended: for whoever has to know it before the application starts. */
export const preparedDataDir = (): Promise<string> => newDataDir({});

/**
 * A data folder that the bundle created and closed properly, made once for each state of the sources: creating and
 * migrating a database is most of the time of a start.
 */
async function startedOnce(): Promise<string> {
  const folder = join(await builtServer(), 'datos');
  if (existsSync(folder)) return folder;
  const stack = await startStack({ isFirstStart: true });
  await stack.stop();
  // Of the simulators, only their authority stays, whose keys take long to make.
  const authority = join(stack.dataDir, 'simuladores/aeat/autoridad.json');
  const kept = readFileSync(authority);
  for (const name of ['cerrojo', 'postgres.log', 'simuladores']) {
    await rm(join(stack.dataDir, name), { recursive: true, force: true });
  }
  await mkdir(dirname(authority), { recursive: true });
  await writeFile(authority, kept, { mode: 0o600 });
  const draft = `${folder}.${process.pid}`;
  execFileSync('cp', ['-a', stack.dataDir, draft]);
  await stack.remove();
  await rename(draft, folder).catch(() => rm(draft, { recursive: true }));
  return folder;
}

async function forgetOldBundles(cache: string): Promise<void> {
  const names = (await readdir(cache)).filter((name) => name.startsWith('huella-pruebas-'));
  for (const name of names) {
    const { mtimeMs } = await stat(join(cache, name));
    if (mtimeMs < Date.now() - DAY_MS)
      await rm(join(cache, name), { recursive: true, force: true });
  }
}

/** 0 when it is not running: the number in a file may now belong to another process. */
function pidOf(dataDir: string, who: 'app' | 'postgres' | 'simulators'): number {
  try {
    if (who === 'postgres') {
      const pid = Number.parseInt(read(dataDir, 'postgres/postmaster.pid'), 10);
      return readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === 'postgres' ? pid : 0;
    }
    const pid =
      who === 'app'
        ? Number(/proceso (\d+)/.exec(read(dataDir, 'cerrojo'))?.[1])
        : JSON.parse(read(dataDir, 'simuladores/direcciones.json')).pid;
    return readFileSync(`/proc/${pid}/environ`, 'utf8').includes(dataDir) ? pid : 0;
  } catch {
    return 0;
  }
}

function read(dataDir: string, file: string): string {
  return readFileSync(join(dataDir, file), 'utf8');
}

function killPid(pid: number, signal: NodeJS.Signals): void {
  if (!pid) return;
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended already.
  }
}

function stopWhen(child: ChildProcess, isTime: () => boolean): void {
  const looking = setInterval(() => {
    if (!isTime()) return;
    clearInterval(looking);
    child.kill('SIGTERM');
  }, 1);
  child.once('exit', () => clearInterval(looking));
}

function endOf(child: ChildProcess): Promise<number | NodeJS.Signals> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(code ?? signal ?? 'SIGKILL'));
  });
}
