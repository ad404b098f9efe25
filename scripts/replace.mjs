import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';

/** Puts a folder in the place of another, if there is one, by renaming both. */
export function replace(from, to) {
  const old = `${from}.old`;
  mkdirSync(dirname(to), { recursive: true });
  // Of one that was killed here, and whose process had the same number: in a container they begin again.
  rmSync(old, { recursive: true, force: true });
  try {
    renameSync(to, old);
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
  renameSync(from, to);
  rmSync(old, { recursive: true, force: true });
}
