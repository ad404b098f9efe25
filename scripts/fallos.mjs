// `npm run test:fallos [-- --rondas=50] [-- --semilla=7]`: kills the processes of the product at random
// while it registers and sends, and counts what was lost, repeated or skipped.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { checkNode } from './node-version.mjs';
import { root } from './sources.mjs';

checkNode();
const option = (name) =>
  process.argv.find((argument) => argument.startsWith(`--${name}=`))?.split('=')[1];
const { status } = spawnSync(
  join(root, 'node_modules', '.bin', 'vitest'),
  ['run', '--project', 'flow', 'tests/platform/fallos.test.ts', '--reporter=verbose'],
  {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      FALLOS_RONDAS: option('rondas') ?? '50',
      ...(option('semilla') && { FALLOS_SEMILLA: option('semilla') }),
    },
  },
);
process.exitCode = status ?? 1;
