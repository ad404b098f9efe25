import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';

/** Replaces a folder by another, by renaming both. */
export function replace(from, to) {
  const old = `${from}.old`;
  mkdirSync(dirname(to), { recursive: true });
  // Left by a killed process with the same number, since numbers start again in a container.
  rmSync(old, { recursive: true, force: true });
  try {
    renameSync(to, old);
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
  renameSync(from, to);
  rmSync(old, { recursive: true, force: true });
}
