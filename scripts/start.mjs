// `npm start`: builds when the sources have changed since the last time, then runs the app in this
// same process, so that signals reach it.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { checkNode } from './node-version.mjs';
import { isBuilt, root } from './sources.mjs';

checkNode();
if (!isBuilt()) {
  console.log(
    'Preparando Huella: es un momento, y solo la primera vez o cuando cambia el programa.',
  );
  const { status } = spawnSync(process.execPath, [join(root, 'scripts', 'build.mjs')], {
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(status ?? 1);
}
await import('../dist/server/main.js');
