/**
 * B17: from the start of the process to the first 200 of `/salud`, with the database up and migrated,
 * against a Node that has nothing to do. Interleaved pairs, medians.
 *
 *   npm run bench -- B17 [--json]
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { isBuilt } from '../scripts/sources.mjs';
import { freePort } from '../src/platform/free-port.ts';
import { median, openBench, printTable } from './support.ts';

const PAIRS = 5;
if (!isBuilt())
  await once(spawn(process.execPath, ['scripts/build.mjs'], { stdio: 'ignore' }), 'exit');
const bench = await openBench();
const starts: number[] = [];
const empties: number[] = [];
try {
  for (let pair = 0; pair < PAIRS; pair++) {
    empties.push(await emptyNode());
    starts.push(await firstAnswer());
  }
} finally {
  await bench.close();
}
printTable([
  {
    id: 'B17',
    what: `arranque hasta /salud, ${PAIRS} veces`,
    figure: median(starts),
    unit: 'ms',
    limit: median(empties),
    goal: 12,
    isCost: true,
    note: 'y no más de 800 ms',
  },
]);

async function emptyNode(): Promise<number> {
  const start = performance.now();
  await once(spawn(process.execPath, ['-e', '']), 'exit');
  return performance.now() - start;
}

async function firstAnswer(): Promise<number> {
  const port = await freePort();
  const start = performance.now();
  const child = spawn(process.execPath, ['dist/server/main.js'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      DATABASE_URL: bench.url,
      DATA_DIR: bench.folder,
      PORT: String(port),
      ROLE: 'web',
      LOG_LEVEL: 'error',
      CLAVE_MAESTRA: bench.config.claveMaestra.toString('base64'),
      JWT_SECRET: bench.config.jwtSecret,
    },
  });
  try {
    for (;;) {
      if (child.exitCode !== null) throw new Error('The application ended before it served.');
      const answer = await fetch(`http://127.0.0.1:${port}/salud`).catch(() => null);
      await answer?.body?.cancel();
      if (answer?.ok) return performance.now() - start;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  } finally {
    child.kill('SIGTERM');
    if (child.exitCode === null) await once(child, 'exit');
  }
}
