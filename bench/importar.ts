// Importing a whole company: a workbook of 5,000 customers, 5,000 products and 10,000 invoices of two
// lines, read and saved as the product does, and then «Registrar todas» over its drafts.
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import type { Deps } from '../src/deps.ts';
import { previewImport } from '../src/operations/preview-import.ts';
import { carryRun } from '../src/operations/register-all.ts';
import { saveImport } from '../src/operations/save-import.ts';
import { openRun } from '../src/store/register-runs.ts';
import { fillTemplate, line } from '../tests/support/fill-template.ts';
import { openBench, printTable, seedCompanies } from './support.ts';

const CUSTOMERS = 5_000;
const PRODUCTS = 5_000;
const INVOICES = 10_000;
const LIMIT_SECONDS = 30;
const LIMIT_MB = 300;
const MB = 2 ** 20;

// Made by another process: its memory is not the product's.
const [, , path] = process.argv;
if (path === undefined) {
  const made = join(tmpdir(), `huella-importar-${process.pid}.xlsx`);
  writeFileSync(made, await makeFile());
  const run = join(import.meta.dirname, '..', 'scripts', 'run.mjs');
  const { status } = spawnSync(process.execPath, [run, import.meta.filename, made], {
    stdio: 'inherit',
  });
  rmSync(made);
  process.exit(status ?? 1);
}

const bench = await openBench();
const deps: Deps = {
  sql: bench.sql,
  clock: () => new Date(),
  config: bench.config,
  log: pino({ level: 'error' }),
  wakeDispatcher: () => undefined,
  wakeMail: () => undefined,
};

try {
  const [company] = await seedCompanies(bench, 1);
  if (!company) throw new Error('No company was made.');
  await bench.sql`update companies set subscription_type = 'annual' where id = ${company.id}`;
  const file = readFileSync(path);
  const before = process.memoryUsage.rss();
  let peak = before;
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 20);

  const start = performance.now();
  const preview = await previewImport(deps, company.id, file);
  const read = performance.now();
  if (preview.errores.length > 0) throw new Error(JSON.stringify(preview.errores.slice(0, 3)));
  const { clientes, items, facturas } = preview;
  const saved = await saveImport(deps, company.id, {
    Clientes: clientes,
    Items: items,
    Facturas: facturas,
  });
  const end = performance.now();
  clearInterval(watch);
  if (saved.facturas !== INVOICES) throw new Error(JSON.stringify(saved));

  await openRun(bench.sql, company.id, new Date());
  const startRun = performance.now();
  await carryRun(deps, company.id);
  const runSeconds = (performance.now() - startRun) / 1000;

  console.log(
    `leer ${Math.round(read - start)} ms, guardar ${Math.round(end - read)} ms, ` +
      `archivo ${Math.round(file.length / 1024)} kB, memoria antes ${Math.round(before / MB)} MB`,
  );
  printTable([
    {
      ...{ id: 'importar', what: 'leer y guardar, segundos', unit: 's', goal: 1 },
      ...{ figure: (end - start) / 1000, limit: LIMIT_SECONDS, note: 'cuanto menos, mejor' },
    },
    {
      ...{ id: 'importar', what: 'memoria del proceso, pico', unit: 'MB', goal: 1 },
      ...{ figure: peak / MB, limit: LIMIT_MB, note: 'cuanto menos, mejor' },
    },
    {
      ...{ id: 'registrar todas', what: `${INVOICES} borradores`, unit: '/s', goal: 1 },
      ...{ figure: INVOICES / runSeconds, limit: 1, note: 'sin límite medido' },
    },
  ]);
} finally {
  await bench.close();
}

function makeFile(): Promise<Buffer> {
  const nifs = Array.from({ length: CUSTOMERS }, (_, index) => nifOf(index));
  return fillTemplate({
    Clientes: nifs.map((nif, i) => [
      ...['', `Cliente número ${i}, S.L.`, nif, `Calle Mayor, ${i}`, '28013', 'España'],
      ...[`cliente${i}@ejemplo.es`, '30D', 'TRANSF', 'NAC'],
    ]),
    Productos: Array.from({ length: PRODUCTS }, (_, i) => [`P${i}`, `Producto ${i}`, '12,5', 'UD']),
    Facturas: Array.from({ length: INVOICES }, (_, i) => {
      const nif = nifs[i % CUSTOMERS] ?? '';
      const fecha = `${String((i % 28) + 1).padStart(2, '0')}/01/2026`;
      return [line(`F-${i}`, nif, { fecha }), line(`F-${i}`, nif, { fecha, precio: '10' })];
    }).flat(),
  });
}

/** A company's NIF whose control digit is right. */
function nifOf(index: number): string {
  const digits = String(1_000_000 + index);
  const sum = [...digits].reduce((total, digit, place) => {
    const value = Number(digit) * (place % 2 === 0 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return `B${digits}${(10 - (sum % 10)) % 10}`;
}
