import { spawnSync } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import { StartError } from './start-error.ts';

export type LockMode = 'shared' | 'exclusive';

/** A lock on an open file: the kernel releases it when the last process that has the file open ends. */
export interface FileLock {
  /** A child process that inherits this descriptor keeps the lock too. */
  readonly fd: number;
  readonly release: () => void;
}

/** Missing in `constants`: opens and locks in one step (macOS and the BSDs). */
const O_SHLOCK = 0x10;
const O_EXLOCK = 0x20;

/**
 * Locks a file (`flock`), or returns null when another process holds it.
 *
 * Unlike a process number written to a file, the kernel's lock does not outlive a `kill -9`, and cannot come to mean
 * another process. Node has no call for it, but on Linux a lock belongs to the open file and not to the process that
 * asked, so the system's `flock` command can lock our descriptor.
 */
export function lockFile(file: string, mode: LockMode): FileLock | null {
  const fd = process.platform === 'darwin' ? openLocked(file, mode) : openAndLock(file, mode);
  return fd === null ? null : { fd, release: () => closeSync(fd) };
}

function openLocked(file: string, mode: LockMode): number | null {
  const lock = mode === 'shared' ? O_SHLOCK : O_EXLOCK;
  try {
    return openSync(
      file,
      constants.O_RDWR | constants.O_CREAT | constants.O_NONBLOCK | lock,
      0o600,
    );
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return null;
    throw error;
  }
}

function openAndLock(file: string, mode: LockMode): number | null {
  const fd = openSync(file, 'a+', 0o600);
  const { status, error } = spawnSync('flock', [`--${mode}`, '--nonblock', '3'], {
    stdio: ['ignore', 'ignore', 'inherit', fd],
  });
  if (status === 0) return fd;
  closeSync(fd);
  if (status === 1) return null;
  throw new StartError(
    'No se puede poner el cerrojo de DATA_DIR: hace falta la orden «flock» (paquete util-linux) y una carpeta que admita cerrojos.',
    { cause: error },
  );
}
