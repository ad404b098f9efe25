import type { ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** A child process started with `detached`, with its whole group. */
export function killGroup({ pid }: ChildProcess): void {
  if (pid) killPid(-pid);
}

/** Does nothing to a process that has already ended. */
export function killPid(pid: number, signal: NodeJS.Signals = 'SIGKILL'): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended already.
  }
}

/** A PostgreSQL server and the processes that it started, each of which leads a group of its own. */
export function familyOf(pid: number | undefined): number[] {
  const parentOf = (name: string): number => {
    try {
      return Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${name}/stat`, 'utf8'))?.[1]);
    } catch {
      return 0; // It has just ended.
    }
  };
  if (!pid) return [];
  const children = readdirSync('/proc').filter(
    (name) => /^\d+$/.test(name) && parentOf(name) === pid,
  );
  return [pid, ...children.map(Number)];
}
