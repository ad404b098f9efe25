// `npm start`: builds when the sources have changed since the last time, then runs the app in this
// same process, so that signals reach it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { checkNode } from './node-version.mjs';
import { isBuilt, root } from './sources.mjs';

checkNode();
if (!isBuilt()) await build();
await import('../dist/server/main.js');

async function build() {
  console.log('Preparando Huella: solo la primera vez y cuando cambia el programa.');
  const script = join(root, 'scripts', 'build.mjs');
  const child = spawn(process.execPath, [script], { stdio: 'inherit' });
  let isAskedToEnd = false;
  const end = () => {
    isAskedToEnd = true;
    child.kill();
  };
  process.on('SIGTERM', end).on('SIGINT', end);
  const [code] = await once(child, 'exit');
  process.off('SIGTERM', end).off('SIGINT', end);
  if (isAskedToEnd) process.exit(0);
  if (code !== 0) process.exit(code ?? 1);
}
