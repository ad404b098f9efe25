import type { Stats } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** What a running server writes into `postmaster.pid` in its folder. */
export interface PostmasterPid {
  readonly pid: number;
  readonly port: number;
  readonly isReady: boolean;
}

/** The server's own record of itself, or null when there is none (or it is half-written). */
export async function readPostmasterPid(cluster: string): Promise<PostmasterPid | null> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(ignoreMissing);
  const lines = text.split('\n').map((line) => line.trim());
  const pid = Number(lines[0]);
  if (!pid) return null;
  return { pid, port: Number(lines[3] ?? 0), isReady: lines[7] === 'ready' };
}

/**
 * Whether the recorded process exists and is the server of that cluster: its number may now belong to another
 * program, or to another PostgreSQL on the machine. On Linux it is identified by its working directory.
 */
export async function isServerOf(
  cluster: string,
  { pid, port }: Pick<PostmasterPid, 'pid' | 'port'>,
): Promise<boolean> {
  if (!isAlive(pid)) return false;
  if (process.platform !== 'linux') return true;
  const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(ignoreMissing);
  if (name.trim() !== 'postgres') return false;
  const ours = await stat(cluster);
  const theirs = await workingFolderOf(pid);
  if (theirs !== 'closed') return theirs?.ino === ours.ino && theirs.dev === ours.dev;
  // It belongs to another account, or even root may not look, as in a container: its command line may be read by
  // anybody.
  const started = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(ignoreMissing);
  return started.split('\0').includes(`port=${port}`);
}

async function workingFolderOf(pid: number): Promise<Stats | 'closed' | null> {
  try {
    return await statOrNull(`/proc/${pid}/cwd`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EACCES') return 'closed';
    throw error;
  }
}

function statOrNull(path: string): Promise<Stats | null> {
  return stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ESRCH') return null;
    throw error;
  });
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): string {
  if (error.code === 'ENOENT' || error.code === 'ESRCH') return '';
  throw error;
}
