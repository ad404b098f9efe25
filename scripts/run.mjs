// Runs a tool written in TypeScript: `node scripts/run.mjs src/cli/migrate.ts …`. Without sources, as in a container,
// it runs the built version.
import { existsSync } from 'node:fs';
import { register } from 'node:module';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const [, , file] = process.argv;
if (!file) {
  console.error('Falta el archivo que ejecutar.');
  process.exit(1);
}
const source = resolve(file);
const built = join(import.meta.dirname, '..', 'dist', 'server', `${basename(file, '.ts')}.js`);
const hasSource = existsSync(source);
process.argv.splice(1, 2, hasSource ? source : built);
if (hasSource) {
  (await import('tsx/esm/api')).register();
  register('./guard-postgres.mjs', import.meta.url);
}
await import(pathToFileURL(hasSource ? source : built).href);
