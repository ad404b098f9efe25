import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '..');

/** The inputs of the build. Changes in tests and documents do not make it stale. */
const INPUTS = [
  'src',
  'simulators',
  'package.json',
  'package-lock.json',
  'vite.config.ts',
  'vite.server.config.ts',
  'vite.verificador.config.ts',
  'scripts/verificador.mjs',
  'docs/manual',
  'scripts/build.mjs',
  'scripts/build-server.mjs',
  'scripts/guard-postgres.mjs',
  'scripts/prerender.mjs',
  'scripts/replace.mjs',
];

export const stampFile = join(root, 'dist', 'fuentes.sha256');

/** SHA-256 of the sources' names and contents. */
export function hashSources() {
  const hash = createHash('sha256');
  for (const file of INPUTS.flatMap(filesUnder)) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(root, file)))
      .update('\0');
  }
  return hash.digest('hex');
}

/** Folder of the server's bundle for tests, one for each state of the sources. */
export function testBundle() {
  return join(root, 'node_modules', '.cache', `huella-pruebas-${hashSources()}`);
}

/** A folder with the built app but without its sources has nothing to compare with. */
export function isBuilt() {
  if (!existsSync(stampFile)) return false;
  return !existsSync(join(root, 'src')) || readFileSync(stampFile, 'utf8') === hashSources();
}

function filesUnder(path) {
  if (statSync(join(root, path)).isFile()) return [path];
  const entries = readdirSync(join(root, path), { withFileTypes: true });
  return entries
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const file = `${path}/${entry.name}`;
      if (entry.isDirectory()) return filesUnder(file);
      return /\.test\.tsx?$/.test(entry.name) ? [] : [file];
    });
}
