import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

let guardian: ChildProcess | null = null;

/**
 * Makes sure that nothing keeps working on a temporary data folder, and that the folder is deleted, if this process
 * ends without having done so: a test that times out stops half-way and leaves its servers.
 *
 * @returns to be called once the folder has been deleted properly
 */
export function guardFolder(folder: string): () => void {
  if (!existsSync('/proc/self/environ')) return () => undefined; // Only Linux shows the environment of processes.
  guardian ??= start();
  guardian.stdin?.write(`${folder}\n`);
  return () => {
    guardian?.stdin?.write(`-${folder}\n`);
  };
}

function start(): ChildProcess {
  const script = join(import.meta.dirname, 'guardian.mjs');
  // In a session of its own: Ctrl+C ends the watched process, and this one afterwards.
  const child = spawn(process.execPath, [script], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    env: {},
  });
  child.unref();
  (child.stdin as unknown as { unref?: () => void } | null)?.unref?.();
  return child;
}
