import type { ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** A child that was started `detached`, with all of its group. */
export function killGroup({ pid }: ChildProcess): void {
  if (pid) killPid(-pid);
}

/** Nothing happens to one that has ended already. */
export function killPid(pid: number, signal: NodeJS.Signals = 'SIGKILL'): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended already.
  }
}

/** A server of PostgreSQL and those that it started, each of which leads a group of its own. */
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
