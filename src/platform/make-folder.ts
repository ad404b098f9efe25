import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { keepNames } from './put-in-place.ts';

/**
 * Creates a private folder and its missing parents.
 *
 * One by one, because `mkdir` with `recursive` never returns if a folder may not be created inside an existing one
 * (`/proc`, some network mounts).
 */
export function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
    keepNames(dirname(folder));
  } catch (error) {
    // Another process that starts at the same time may have created it.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
