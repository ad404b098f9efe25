// Programs that are ended with all that they have started.
import { spawn } from 'node:child_process';

const underWay = new Set();

/** Starts a program as the leader of a process group: Ctrl+C on the terminal reaches only who started it. */
export function startGroup(command, args, options) {
  const child = spawn(command, args, { ...options, detached: true });
  child.once('spawn', () => underWay.add(child));
  child.once('exit', () => underWay.delete(child));
  return child;
}

/** Ends all of them as Ctrl+C does: with that, test runners close their servers and browsers. */
export function endGroups() {
  for (const { pid } of underWay) process.kill(-pid, 'SIGINT');
}
