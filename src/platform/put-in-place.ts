import { closeSync, fsyncSync, openSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Gives a complete file or folder the name under which it stays. A power cut may undo a rename that is not on the disk
 * yet, whatever was answered since.
 */
export function putInPlace(draft: string, target: string): void {
  renameSync(draft, target);
  keepNames(dirname(target));
}

/** What a disk answers that does not sync folders, and a folder that may be written and not read. */
const CANNOT_SYNC = ['EINVAL', 'EBADF', 'EISDIR', 'EPERM', 'EACCES'];

/** Writes the names of a folder to the disk. The content of its files is written apart (`flush`). */
export function keepNames(folder: string): void {
  let fd: number | null = null;
  try {
    fd = openSync(folder, 'r');
    fsyncSync(fd);
  } catch (error) {
    // PostgreSQL does without it there too.
    if (!CANNOT_SYNC.includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  } finally {
    if (fd !== null) closeSync(fd);
  }
}
