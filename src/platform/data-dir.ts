import { accessSync, constants, ftruncateSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { type FileLock, type LockMode, lockFile } from './file-lock.ts';
import { makeFolder } from './make-folder.ts';
import { StartError } from './start-error.ts';

/** The data folder, held by this process. */
export interface DataDir {
  /** Publishes our address, for a process that finds the folder taken. */
  readonly announce: (address: string) => void;
  readonly release: () => void;
}

/** Another Huella is using the folder. */
export class FolderTaken extends StartError {}

/**
 * Takes the data folder, creating it if it is missing: exclusively, or shared with processes whose database is
 * elsewhere.
 *
 * @throws {FolderTaken} when another Huella is using it
 * @throws {StartError} when it cannot be written
 */
export function takeDataDir(folder: string, mode: LockMode): DataDir {
  prepare(folder);
  const file = join(folder, 'cerrojo');
  const lock = lockFile(file, mode);
  if (!lock) throw new FolderTaken(takenSentence(folder, file));
  if (mode === 'exclusive') note(lock, `proceso ${process.pid}`);
  return {
    announce: (address) => note(lock, `${address}, proceso ${process.pid}`),
    release: lock.release,
  };
}

function prepare(folder: string): void {
  try {
    makeFolder(folder);
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw new StartError(
      `DATA_DIR: no se puede escribir en ${folder} (${(cause as NodeJS.ErrnoException).code}).`,
      { cause },
    );
  }
}

function takenSentence(folder: string, file: string): string {
  const who = readFileSync(file, 'utf8').trim();
  return `Huella ya está en marcha con los datos de ${folder}${who && ` (${who})`}: ciérrala antes, o indica otra carpeta en DATA_DIR.`;
}

function note({ fd }: FileLock, text: string): void {
  ftruncateSync(fd);
  writeSync(fd, `${text}\n`, 0);
}
