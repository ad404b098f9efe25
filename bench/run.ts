/**
 * All benchmarks, or those that are named; each in a process of its own, as its own script would.
 *
 *   npm run bench [-- B1 B7] [-- --json]
 *
 * What each measured stays in `bench/results/<script>.json`, with the machine and the day.
 */
import { spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** Which script measures what. One that is named runs whole: its figures come from the same run. */
const SCRIPTS: Readonly<Record<string, readonly string[]>> = {
  memoria: ['B6'],
  registro: ['B1', 'B2', 'B4'],
  despacho: ['B7'],
  listas: ['B10', 'B11'],
  evidencias: ['B12', 'B13'],
  arranque: ['B17'],
  web: ['B21'],
};
const RESULTS = join(import.meta.dirname, 'results');

const args = process.argv.slice(2);
const isJson = args.includes('--json');
const asked = args.filter((arg) => !arg.startsWith('--')).map((id) => id.toUpperCase());
const known = Object.values(SCRIPTS).flat();
const unknown = asked.filter((id) => !known.includes(id));
if (unknown.length > 0) {
  console.error(`No hay ninguna prueba ${unknown.join(', ')}. Las que hay: ${known.join(', ')}.`);
  process.exit(2);
}

await mkdir(RESULTS, { recursive: true });
for (const [script, ids] of Object.entries(SCRIPTS)) {
  if (asked.length > 0 && !ids.some((id) => asked.includes(id))) continue;
  const load = loadavg()[0] ?? 0;
  const results = await run(
    script,
    args.filter((arg) => arg.startsWith('--') && arg !== '--json'),
  );
  if (!results) {
    process.exitCode = 1;
    continue;
  }
  const machine = {
    cpu: `${cpus().length} × ${cpus()[0]?.model ?? ''}`,
    memoryGB: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    // With as many or more than cores, times tell of the neighbours too.
    load: Number(load.toFixed(1)),
  };
  const day = new Date().toISOString();
  const file = join(RESULTS, `${script}.json`);
  await writeFile(file, `${JSON.stringify({ day, machine, results }, null, 2)}\n`);
}

/** @returns the JSON lines of the script, or null when it failed; the rest of what it says is shown */
async function run(script: string, flags: readonly string[]): Promise<unknown[] | null> {
  const child = spawn(
    process.execPath,
    ['scripts/run.mjs', `bench/${script}.ts`, ...flags, '--json'],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const results: unknown[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    const isResult = line.startsWith('{"id"');
    if (isResult) results.push(JSON.parse(line));
    if (isResult === isJson) console.log(line);
  }
  if ((await ended) === 0) return results;
  console.error(`bench/${script}.ts no terminó bien.`);
  return null;
}
