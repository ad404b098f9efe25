// `npm run test:conmutacion [-- --espera=5]`: registers over two PostgreSQL servers with synchronous
// replication, kills the primary, promotes the standby after `espera` seconds and counts what was lost; and
// again with a primary that freezes. With Debian's patroni, etcd-server and postgresql, then with Patroni too.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { checkNode } from './node-version.mjs';
import { root } from './sources.mjs';

checkNode();
const espera = process.argv.find((argument) => argument.startsWith('--espera='))?.split('=')[1];
const { status } = spawnSync(
  join(root, 'node_modules', '.bin', 'vitest'),
  ['run', '--project', 'flow', 'tests/platform/conmutacion.test.ts', '--reporter=verbose'],
  { cwd: root, stdio: 'inherit', env: { ...process.env, CONMUTACION_ESPERA: espera ?? '5' } },
);
process.exitCode = status ?? 1;
