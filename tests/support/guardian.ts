import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

let guardian: ChildProcess | null = null;

/**
 * Sees to it that nothing goes on working on a temporary data folder, and that the folder goes, when this process ends
 * without having removed it: a test that ran out of time is left half way, with its servers.
 *
 * @returns what to call when the folder has been removed in order
 */
export function guardFolder(folder: string): () => void {
  if (!existsSync('/proc/self/environ')) return () => undefined; // Only Linux tells whose a process is.
  guardian ??= start();
  guardian.stdin?.write(`${folder}\n`);
  return () => {
    guardian?.stdin?.write(`-${folder}\n`);
  };
}

function start(): ChildProcess {
  const script = join(import.meta.dirname, 'guardian.mjs');
  // In a session of its own: Ctrl+C ends who is guarded, and this one afterwards.
  const child = spawn(process.execPath, [script], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    env: {},
  });
  child.unref();
  (child.stdin as unknown as { unref?: () => void } | null)?.unref?.();
  return child;
}
