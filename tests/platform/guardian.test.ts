import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { projectRoot } from '../../src/platform/project-root.ts';

/** A test like those that start servers: it starts two, and is killed before it can end them. */
const LEFT_HALF_WAY = `
  import { spawn } from 'node:child_process';
  import { guardFolder } from './tests/support/guardian.ts';
  const [folder, released] = process.argv.slice(-2);
  const release = guardFolder(folder);
  const options = { detached: true, stdio: 'ignore' };
  const sleeper = ['-e', 'setTimeout(() => {}, 60_000)'];
  const one = spawn(process.execPath, sleeper, { ...options, env: { DATA_DIR: folder } });
  const other = spawn(process.execPath, sleeper, { ...options, env: {}, cwd: folder });
  if (released === 'yes') release();
  process.stdout.write(one.pid + ' ' + other.pid + '\\n');
  setTimeout(() => {}, 60_000);
`;

it.runIf(process.platform === 'linux').each(['no', 'yes'])(
  'ends what a killed test left running, unless it was released: %s',
  async (released) => {
    const folder = mkdtempSync(join(tmpdir(), 'huella-guardian-'));
    const child = spawn(
      process.execPath,
      ['--import', 'tsx', '--input-type=module', '-e', LEFT_HALF_WAY, folder, released],
      { cwd: projectRoot, stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const pids = line.toString().trim().split(' ').map(Number);
    const guardian = guardianOf(child.pid ?? 0);
    child.kill('SIGKILL');
    await once(child, 'exit');
    if (released === 'yes') {
      await vi.waitFor(() => expect(isAlive(guardian)).toBe(false), 10_000);
      expect(pids.map(isAlive)).toEqual([true, true]);
      for (const pid of pids) process.kill(pid, 'SIGKILL');
      return;
    }
    await vi.waitFor(() => expect(pids.map(isAlive)).toEqual([false, false]), 10_000);
    await vi.waitFor(() => expect(existsSync(folder)).toBe(false), 10_000);
  },
);

/** The process that watches the folders of that process: a child of its own. */
function guardianOf(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
  const found = children.find((child) =>
    readFileSync(`/proc/${child}/cmdline`, 'utf8').includes('guardian.mjs'),
  );
  if (!found) throw new Error('Nobody looks after the folder.');
  return Number(found);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
