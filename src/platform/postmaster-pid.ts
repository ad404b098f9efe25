import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What a running server writes in `postmaster.pid` of its folder. */
export interface PostmasterPid {
  readonly pid: number;
  readonly port: number;
  readonly isReady: boolean;
}

/** The server's own note of itself, or null when there is none (or it is half written). */
export async function readPostmasterPid(cluster: string): Promise<PostmasterPid | null> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(ignoreMissing);
  const lines = text.split('\n').map((line) => line.trim());
  const pid = Number(lines[0]);
  if (!pid) return null;
  return { pid, port: Number(lines[3] ?? 0), isReady: lines[7] === 'ready' };
}

/** Whether that process exists and is a PostgreSQL: its number may belong to another by now. */
export async function isPostgres(pid: number): Promise<boolean> {
  if (!isAlive(pid)) return false;
  if (process.platform !== 'linux') return true;
  const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(ignoreMissing);
  return name.trim() === 'postgres';
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
