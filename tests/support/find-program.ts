import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Path of a program of the system, or an empty text where the machine has none. */
export function findProgram(name: string): string {
  const folders = [...(process.env.PATH ?? '').split(':'), '/usr/sbin', '/usr/local/sbin'];
  return folders.map((folder) => join(folder, name)).find((file) => existsSync(file)) ?? '';
}
