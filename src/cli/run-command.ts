import { ConfigError } from '../config.ts';
import { StartError } from '../platform/start-error.ts';

/**
 * Runs a command of the terminal: errors that its user can fix are reported in a sentence, without a stack trace.
 *
 * @param help printed for `--help`, instead of doing anything
 */
export function runCommand(command: () => Promise<void>, help?: string): void {
  if (help !== undefined && process.argv.slice(2).some((arg) => ['--help', '-h'].includes(arg))) {
    console.log(help);
    return;
  }
  command().catch((error: unknown) => {
    const isForPeople = error instanceof ConfigError || error instanceof StartError;
    console.error(isForPeople ? error.message : (wordsOfFile(error) ?? error));
    process.exitCode ||= 1; // The command may already have set its exit code.
  });
}

/** What is wrong with a file or folder, in a sentence; null for other failures. */
function wordsOfFile(error: unknown): string | null {
  const { code, path } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC') return 'No queda sitio en el disco: haz sitio o indica otra carpeta.';
  if (path === undefined) return null;
  // The target, if it was being moved.
  const to = (error as { readonly dest?: string }).dest ?? path;
  switch (code) {
    case 'EACCES':
    case 'EPERM':
      return `No hay permiso para «${path}»: indica otra carpeta o da permiso a quien lo ejecuta.`;
    case 'EROFS':
      return `El disco de «${path}» es de solo lectura: indica otra carpeta.`;
    case 'ENOENT':
      return `No existe «${path}».`;
    case 'ENOTDIR':
      return `«${path}» no puede estar dentro de un archivo: indica otra carpeta.`;
    case 'EXDEV':
    case 'EBUSY':
      return `«${to}» es la raíz de un disco: indica una carpeta dentro de ella.`;
    default:
      return null;
  }
}
