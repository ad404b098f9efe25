/**
 * Importing a whole company: a workbook of 5,000 customers, 5,000 products and 10,000 invoices of two
 * lines, read and saved through the API of the built application, in a process that just started.
 *
 *   npm run bench:importar [-- --json]
 */
import { setTimeout } from 'node:timers/promises';
import { FormData, request } from 'undici';
import type { ImportExcelAnswer, SaveDataAnswer } from '../src/contract/imports.ts';
import { entityNif } from '../src/domain/nif.ts';
import { fillTemplate, line } from '../tests/support/fill-template.ts';
import {
  type BenchCompany,
  openBench,
  printTable,
  residentMegabytes,
  seedCompanies,
  startServer,
} from './support.ts';

const CUSTOMERS = 5_000;
const PRODUCTS = 5_000;
const INVOICES = 10_000;
const LIMIT_SECONDS = 30;
const LIMIT_MB = 300;

const bench = await openBench();
const server = await startServer(bench, 'web');
try {
  const [company] = await seedCompanies(bench, 1);
  if (!company) throw new Error('No company was made.');
  const file = await makeFile();
  await setTimeout(1_000);
  const { now: before } = await residentMegabytes(server.pid);

  const start = performance.now();
  const form = new FormData();
  form.set('File', new File([new Uint8Array(file)], 'plantilla-importacion.xlsx'));
  const preview = await call<ImportExcelAnswer>(company, '/api/PostData/ImportExcel', form);
  const read = performance.now();
  const { peak: readPeak } = await residentMegabytes(server.pid);
  if (preview.errores.length > 0) throw new Error(JSON.stringify(preview.errores.slice(0, 3)));
  const { clientes, items, facturas } = preview;
  const body = JSON.stringify({ Clientes: clientes, Items: items, Facturas: facturas });
  const saved = await call<SaveDataAnswer>(company, '/api/PostData/SaveData', body);
  const end = performance.now();
  if (saved.facturas !== INVOICES) throw new Error(JSON.stringify(saved));
  const { peak } = await residentMegabytes(server.pid);

  printTable([
    {
      id: 'importar',
      what: 'leer y guardar',
      unit: 's',
      goal: LIMIT_SECONDS,
      isCost: true,
      figure: (end - start) / 1000,
      note: `leer ${Math.round(read - start)} ms, archivo ${Math.round(file.length / 1024)} kB`,
    },
    {
      id: 'importar',
      what: 'memoria del proceso, pico',
      unit: 'MB',
      goal: LIMIT_MB,
      figure: peak,
      isCost: true,
      note: `antes ${Math.round(before)} MB, al leer ${Math.round(readPeak)} MB`,
    },
  ]);
} finally {
  await server.stop();
  await bench.close();
}

async function call<T>({ token }: BenchCompany, path: string, body: FormData | string): Promise<T> {
  const answer = await request(`${server.url}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      ...(typeof body === 'string' && { 'content-type': 'application/json' }),
    },
    body,
  });
  if (answer.statusCode !== 200) throw new Error(await answer.body.text());
  return answer.body.json() as Promise<T>;
}

function makeFile(): Promise<Buffer> {
  const nifs = Array.from({ length: CUSTOMERS }, (_, i) => entityNif('B', String(1_000_000 + i)));
  return fillTemplate({
    Clientes: nifs.map((nif, i) => [
      ...['', `Cliente número ${i}, S.L.`, nif, `Calle Mayor, ${i}`, '28013'],
      ...['Madrid', 'España', `cliente${i}@ejemplo.es`, '30D', 'TRANSF', 'NAC'],
    ]),
    Productos: Array.from({ length: PRODUCTS }, (_, i) => [`P${i}`, `Producto ${i}`, '12,5', 'UD']),
    Facturas: Array.from({ length: INVOICES }, (_, i) => {
      const nif = nifs[i % CUSTOMERS] ?? '';
      const fecha = `${String((i % 28) + 1).padStart(2, '0')}/01/2026`;
      return [line(`F-${i}`, nif, { fecha }), line(`F-${i}`, nif, { fecha, precio: '10' })];
    }).flat(),
  });
}
