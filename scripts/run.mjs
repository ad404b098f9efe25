// Runs a tool written in TypeScript: `node scripts/run.mjs src/cli/migrate.ts …`.
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { register } from 'tsx/esm/api';

const [, , file] = process.argv;
if (!file) {
  console.error('Falta el archivo que ejecutar.');
  process.exit(1);
}
process.argv.splice(1, 2, resolve(file));
register();
await import(pathToFileURL(resolve(file)).href);
