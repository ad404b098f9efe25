import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import {
  findPackagedServer,
  preparePostgresBinaries,
} from '../../src/platform/postgres-binaries.ts';
import { projectRoot } from '../../src/platform/project-root.ts';
import { removeDataDir, type Stack, startStack } from '../support/stack.ts';

const NOBODY = { uid: 65_534, gid: 65_534 };
const isRoot = process.getuid?.() === 0;
const nobodyCanRead =
  isRoot && spawnSync('ls', [join(projectRoot, 'node_modules')], NOBODY).status === 0;

let parent = '';
let stack: Stack | null = null;
afterEach(async () => {
  await stack?.remove();
  stack = null;
  await removeDataDir(parent);
});

/** A folder that only its owner may enter, like root's home. */
function closedFolder(
  owner = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 },
): string {
  parent = mkdtempSync(join(tmpdir(), 'huella-closed-'));
  chownSync(parent, owner.uid, owner.gid);
  chmodSync(parent, 0o700);
  return parent;
}

const ownerOf = (pid: string) => statSync(`/proc/${pid}`).uid;
const postmaster = (dataDir: string) =>
  readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0] ?? '';

describe('as root', () => {
  it.skipIf(!isRoot)(
    'the database runs as another account, in a folder that only root may enter',
    async () => {
      const dataDir = join(closedFolder(), 'data');
      stack = await startStack({ dataDir });
      expect((await fetch(`${stack.baseUrl}/salud`)).status).toBe(200);
      expect(ownerOf(postmaster(dataDir))).not.toBe(0);
      expect(await stack.stop()).toBe(0);
    },
  );

  it.skipIf(!isRoot)('its executables are copied to where that account can run them', async () => {
    const { native } = await findPackagedServer();
    const hidden = join(closedFolder(), 'native');
    cpSync(native, hidden, { recursive: true, verbatimSymlinks: true });
    const version = `prueba-${process.pid}`;
    const { postgres } = await preparePostgresBinaries({ native: hidden, version }, parent, NOBODY);
    const copy = join(postgres, '../..');
    try {
      expect(postgres).not.toContain(parent);
      expect(spawnSync(postgres, ['--version'], NOBODY).status).toBe(0);
      // Owned by root and writable by nobody else: these files are executed.
      expect([lstatSync(copy).uid, lstatSync(copy).mode & 0o022]).toEqual([0, 0]);
    } finally {
      rmSync(copy, { recursive: true });
    }
  });
});

describe('as a normal user', () => {
  it.skipIf(isRoot && !nobodyCanRead)(
    'works in a folder that only that user may enter',
    async () => {
      const account = isRoot ? NOBODY : null;
      const dataDir = join(closedFolder(account ?? undefined), 'data');
      stack = await startStack({ dataDir, ...(account && { account }) });
      expect((await fetch(`${stack.baseUrl}/salud`)).status).toBe(200);
      const { uid } = account ?? { uid: process.getuid?.() };
      expect(ownerOf(postmaster(dataDir))).toBe(uid);
      expect(await stack.stop()).toBe(0);
    },
  );
});

describe('without install scripts', () => {
  it('creates the links that the package would have created', async () => {
    const { native } = await findPackagedServer();
    const folder = closedFolder();
    mkdirSync(join(folder, 'package'));
    const bare = join(folder, 'package/native');
    const isLink = (path: string) => lstatSync(path).isSymbolicLink();
    cpSync(native, bare, {
      recursive: true,
      filter: (source) => !isLink(source),
    });
    chmodSync(join(bare, 'bin/postgres'), 0o644);
    const server = { native: bare, version: 'prueba' };
    const { postgres } = await preparePostgresBinaries(server, folder, null);
    expect(spawnSync(postgres, ['--version'], { encoding: 'utf8' }).stdout).toMatch(/PostgreSQL/);
  });
});
