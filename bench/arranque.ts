/**
 * B17: from the start of the process to the first 200 of `/salud`, with the database up and migrated,
 * against a Node that has nothing to do; and the whole of `npm start`, with its own PostgreSQL and its
 * simulators, on a folder that exists. Interleaved, medians.
 *
 *   npm run bench -- B17 [--json]
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isBuilt } from '../scripts/sources.mjs';
import { freePort } from '../src/platform/free-port.ts';
import { median, openBench, printTable } from './support.ts';

const ROUNDS = 5;
if (!isBuilt())
  await once(spawn(process.execPath, ['scripts/build.mjs'], { stdio: 'ignore' }), 'exit');
const bench = await openBench();
const dataDir = await mkdtemp(join(tmpdir(), 'huella-bench-'));
const starts: number[] = [];
const empties: number[] = [];
const wholes: number[] = [];
try {
  await wholeStart(); // Makes the folder.
  for (let round = 0; round < ROUNDS; round++) {
    empties.push(await emptyNode());
    starts.push(await firstAnswer());
    wholes.push(await wholeStart());
  }
} finally {
  await bench.close();
  await rm(dataDir, { recursive: true, force: true });
}
printTable([
  {
    id: 'B17',
    what: 'del arranque a /salud',
    unit: 'ms',
    isCost: true,
    figure: median(starts),
    limit: median(empties),
    goal: 12,
  },
  {
    id: 'B17',
    what: 'lo mismo, en milisegundos',
    unit: 'ms',
    isCost: true,
    figure: median(starts),
    goal: 800,
  },
  {
    id: 'B17',
    what: 'npm start sobre una carpeta que ya existe',
    unit: 'ms',
    isCost: true,
    figure: median(wholes),
    goal: 3000,
  },
]);

async function emptyNode(): Promise<number> {
  const start = performance.now();
  await once(spawn(process.execPath, ['-e', '']), 'exit');
  return performance.now() - start;
}

function firstAnswer(): Promise<number> {
  return untilHealthy([process.execPath, 'dist/server/main.js'], {
    DATABASE_URL: bench.url,
    DATA_DIR: bench.folder,
    ROLE: 'web',
    CLAVE_MAESTRA: bench.config.claveMaestra.toString('base64'),
    JWT_SECRET: bench.config.jwtSecret,
  });
}

function wholeStart(): Promise<number> {
  return untilHealthy(['npm', 'start', '--silent'], { DATA_DIR: dataDir });
}

/** @returns milliseconds until the process answers; it is ended afterwards */
async function untilHealthy(
  [command = '', ...args]: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<number> {
  const port = await freePort();
  const start = performance.now();
  const child: ChildProcess = spawn(command, args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, ...env, PORT: String(port), LOG_LEVEL: 'error' },
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
