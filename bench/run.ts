/**
 * All benchmarks, or those that are named; each in a process of its own, as its own script would.
 *
 *   npm run bench [-- B1 B7] [-- --json] [-- --corto]
 *
 * `--corto` takes all of them in a quarter of an hour, with less of everything: its figures say so, and
 * are for comparing with each other. A flag that is not known here goes to the scripts.
 * What each measured stays in `bench/results/<script>.json`, with the machine and the day.
 */
import { spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Line, printLines } from './support.ts';

interface Script {
  /** What it measures. A script named by one of them runs completely, because its figures come from the same run. */
  readonly ids: readonly string[];
  /** Its arguments in the short form. */
  readonly short: readonly string[];
}

const SCRIPTS: Readonly<Record<string, Script>> = {
  memoria: { ids: ['B6'], short: ['--registros=20000'] },
  registro: { ids: ['B1', 'B2', 'B4', 'B14'], short: ['--segundos=1', '--empresas=200'] },
  despacho: { ids: ['B7', 'B8'], short: ['--registros=10000'] },
  'a-la-vez': { ids: ['B9'], short: ['--segundos=1', '--registros=6000'] },
  pdf: { ids: ['B15'], short: [] },
  procesos: { ids: ['B16'], short: ['--segundos=45'] },
  disco: { ids: ['B19'], short: ['--facturas=5000'] },
  listas: { ids: ['B10', 'B11'], short: ['--facturas=100000', '--reales=500', '--vueltas=30'] },
  evidencias: { ids: ['B12', 'B13'], short: ['--registros=100000'] },
  arranque: { ids: ['B17'], short: [] },
  'registrar-todas': { ids: ['B5'], short: ['--borradores=3000'] },
  fallos: { ids: ['B18'], short: ['--rondas=6'] },
  lectura: { ids: ['B20'], short: ['texto', 'XML'] },
  web: { ids: ['B21'], short: [] },
};
const RESULTS = join(import.meta.dirname, 'results');

const args = process.argv.slice(2);
const isJson = args.includes('--json');
const isShort = args.includes('--corto');
const asked = args.filter((arg) => !arg.startsWith('--')).map((id) => id.toUpperCase());
const known = Object.values(SCRIPTS).flatMap(({ ids }) => ids);
const unknown = asked.filter((id) => !known.includes(id));
if (args.includes('--help')) {
  console.log(`npm run bench [-- ${known.join(' ')}] [-- --corto] [-- --json]: docs/benchmarks.md`);
  process.exit(0);
}
if (unknown.length > 0) {
  console.error(`No hay ninguna prueba ${unknown.join(', ')}. Las que hay: ${known.join(', ')}.`);
  process.exit(2);
}

await mkdir(RESULTS, { recursive: true });
const passed = args.filter((arg) => arg.startsWith('--') && arg !== '--json' && arg !== '--corto');
const all: Line[] = [];
const failed: string[] = [];
const start = performance.now();
for (const [script, { ids, short }] of Object.entries(SCRIPTS)) {
  if (asked.length > 0 && !ids.some((id) => asked.includes(id))) continue;
  const machine = {
    cpu: `${cpus().length} × ${cpus()[0]?.model ?? ''}`,
    memoryGB: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    // With a load as high as the number of cores, times depend on other processes too.
    load: Number((loadavg()[0] ?? 0).toFixed(1)),
  };
  const results = await run(script, isShort ? [...short, ...passed] : passed);
  if (!results) {
    failed.push(script);
    continue;
  }
  all.push(...results);
  const file = join(RESULTS, `${script}.json`);
  const kept = { day: new Date().toISOString(), machine, isShort, results };
  await writeFile(file, `${JSON.stringify(kept, null, 2)}\n`);
}
if (!isJson) {
  const minutes = ((performance.now() - start) / 60_000).toFixed(1);
  console.log(`\nTodo, en ${minutes} minutos${isShort ? ' (forma corta)' : ''}:`);
  printLines(all);
}
for (const script of failed) console.error(`bench/${script}.ts no terminó bien.`);
if (failed.length > 0) process.exitCode = 1;

/** @returns the JSON lines of the script, or null when it failed; its other output is shown */
async function run(script: string, flags: readonly string[]): Promise<Line[] | null> {
  const child = spawn(
    process.execPath,
    ['scripts/run.mjs', `bench/${script}.ts`, ...flags, '--json'],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const results: Line[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    const isResult = line.startsWith('{"id"');
    if (isResult) results.push({ ...JSON.parse(line), ...(isShort && { isShort }) });
    if (isResult && isJson) console.log(JSON.stringify(results.at(-1)));
    if (!isResult && !isJson) console.log(line);
  }
  return (await ended) === 0 ? results : null;
}
