import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The folder of `package.json`. The code runs from `src/` during development and bundled from `dist/server`
 * otherwise, and finds migrations, built web and simulators from here in both cases.
 */
export const projectRoot: string = findRoot(dirname(fileURLToPath(import.meta.url)));

function findRoot(folder: string): string {
  if (existsSync(join(folder, 'package.json'))) return folder;
  const parent = dirname(folder);
  if (parent === folder) throw new Error('package.json is not above the running code');
  return findRoot(parent);
}
