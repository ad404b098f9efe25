/**
 * B12 and B13: verifying and exporting one long cadena through the API of a process that did nothing
 * before, against a bare chain of SHA-256 over the same hashed strings. Interleaved, medians.
 *
 *   npm run bench:evidencias [-- --json] [-- --registros=100000] [-- --carpeta=FOLDER]
 *
 * Filling takes minutes: with `--carpeta` the cadena stays there, and the next run measures at once.
 */

import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { VerificarCadenaAnswer } from '../src/contract/evidence.ts';
import type { IssuedInvoice } from '../src/domain/invoice.ts';
import { type Anterior, registroAltaFromInvoice } from '../src/domain/verifactu/registro.ts';
import { registroXml } from '../src/domain/verifactu/xml.ts';
import { savingCadenas } from '../src/store/cadenas.ts';
import { appendingRegistros, type RegistroToAppend } from '../src/store/registros.ts';
import type { Sql } from '../src/store/sql.ts';
import { issued, item, SISTEMA } from '../tests/fixtures/verifactu/invoices.ts';
import { anteriorOf } from '../tests/support/verifactu.ts';
import {
  type BenchCompany,
  forgetPeak,
  median,
  openBench,
  printTable,
  residentMegabytes,
  seedCompanies,
  signIn,
  startServer,
} from './support.ts';

const { values } = parseArgs({
  options: {
    registros: { type: 'string', default: '1000000' },
    carpeta: { type: 'string' },
    json: { type: 'boolean' },
  },
});
const ROUNDS = 3;

const bench = await openBench(values.carpeta && resolve(values.carpeta));
const { sql } = bench;
try {
  const company = await companyWithCadena(Number(values.registros));
  const { total, xmlBytes } = company;

  const server = await startServer(bench, 'web');
  const limits: number[] = [];
  const verified: number[] = [];
  const exported: number[] = [];
  let zipBytes = 0;
  const idle = (await residentMegabytes(server.pid)).now;
  const peaks: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    limits.push(total / bareChain(total));
    await delay(100); // Lets it notice connections that the server has closed.
    verified.push(total / (await timed(() => verify(server.url, company.token, total))));
    zipBytes = 0;
    await forgetPeak(server.pid);
    const seconds = await timed(async () => {
      for await (const piece of await download(server.url, company.token)) zipBytes += piece.length;
    });
    exported.push(xmlBytes / 1e6 / seconds);
    peaks.push((await residentMegabytes(server.pid)).peak);
  }
  await server.stop();
  const megabytes = (bytes: number) => Math.round(bytes / 1e6);
  printTable([
    {
      id: 'B12',
      what: `verificar ${total} registros por la API, ${megabytes(xmlBytes)} MB de XML`,
      figure: median(verified),
      unit: 'registros/s',
      limit: median(limits),
      goal: 0.1,
    },
    {
      id: 'B12',
      what: 'lo mismo, un millón',
      unit: 's',
      isCost: true,
      figure: 1_000_000 / median(verified),
      goal: 10,
    },
    {
      id: 'B13',
      what: `exportarlos por la API, ZIP de ${megabytes(zipBytes)} MB`,
      figure: median(exported),
      unit: 'MB/s de XML',
      goal: 60,
    },
    {
      id: 'B13',
      what: 'memoria del servidor mientras exporta, la mayor',
      figure: Math.max(...peaks),
      unit: 'MB',
      goal: 200,
      isCost: true,
      note: `${Math.round(idle)} MB antes`,
    },
  ]);
} finally {
  await bench.close();
}

interface Filled {
  readonly token: string;
  readonly total: number;
  /** Bytes of the XML of its registros. */
  readonly xmlBytes: number;
}

/** The one in the folder, or a new one. */
async function companyWithCadena(wanted: number): Promise<Filled> {
  const [kept] = await sql<{ id: number }[]>`select id from companies limit 1`;
  const [company] = kept ? [] : await seedCompanies(bench, 1);
  if (company) {
    await fill(sql, company, wanted);
    await sql`vacuum (analyze) registros`; // As in a table that grew over years.
  }
  const id = kept?.id ?? company?.id ?? 0;
  const [row] = await sql<{ total: number; bytes: number }[]>`
    select count(*)::int as total, sum(octet_length(xml))::float8 as bytes
      from registros where company_id = ${id}`;
  if (!row?.total) throw new Error('There is no cadena.');
  return { token: await signIn(bench, id), total: row.total, xmlBytes: row.bytes };
}

async function verify(url: string, token: string, total: number): Promise<void> {
  const answer = await fetch(`${url}/api/GetData/VerificarCadena`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const { correcta, registros } = (await answer.json()) as VerificarCadenaAnswer;
  if (!correcta || registros !== total) throw new Error('The cadena is not whole.');
}

async function download(url: string, token: string): Promise<AsyncIterable<Uint8Array>> {
  const days = new URLSearchParams({ desde: '0001-01-01', hasta: '9999-12-31' });
  const answer = await fetch(`${url}/api/GetData/ExportarRegistros?${days}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  if (!answer.ok || !answer.body) throw new Error(await answer.text());
  return answer.body as unknown as AsyncIterable<Uint8Array>;
}

async function timed(run: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await run();
  return (performance.now() - start) / 1000;
}

function bareChain(total: number): number {
  const start = performance.now();
  let huella = '';
  for (let i = 0; i < total; i++) {
    huella = createHash('sha256')
      .update(
        `IDEmisorFactura=B12345674&NumSerieFactura=${i}/26&FechaExpedicionFactura=20-11-2026&TipoFactura=F1&CuotaTotal=21.00&ImporteTotal=121.00&Huella=${huella}&FechaHoraHusoGenRegistro=2026-11-20T10:00:00+01:00`,
      )
      .digest('hex')
      .toUpperCase();
  }
  return (performance.now() - start) / 1000;
}

async function fill(sql: Sql, { id: companyId, nif }: BenchCompany, total: number): Promise<void> {
  const invoice: IssuedInvoice = issued({ items: [item('100'), item('50')] });
  const emisor = { ...invoice.emisor, nif };
  await sql`alter table registros disable trigger all`; // The invoices are not what is measured.
  const now = new Date();
  let anterior: Anterior | null = null;
  for (let done = 0; done < total; ) {
    const batch: RegistroToAppend[] = [];
    for (; batch.length < 500 && done < total; done++) {
      const one: IssuedInvoice = { ...invoice, emisor, numSerie: `${done + 1}/26` };
      const registro = registroAltaFromInvoice(one, {
        anterior,
        SistemaInformatico: SISTEMA,
        FechaHoraHusoGenRegistro: '2026-11-20T10:00:00+01:00',
      });
      const xml = registroXml(registro);
      batch.push({
        companyId,
        seq: BigInt(done + 1),
        invoiceId: 1n,
        TipoRegistro: 'Alta',
        NumSerieFactura: registro.IDFactura.NumSerieFactura,
        FechaExpedicionFactura: registro.IDFactura.FechaExpedicionFactura,
        Huella: registro.Huella,
        HuellaAnterior: anterior?.Huella ?? '',
        FechaHoraHusoGenRegistro: registro.FechaHoraHusoGenRegistro,
        generatedAt: now,
        Subsanacion: null,
        RechazoPrevio: null,
        SinRegistroPrevio: null,
        xml,
        issued: one,
        motivo: null,
        sid: null,
      });
      anterior = anteriorOf(registro);
    }
    await appendingRegistros(sql, batch);
  }
  await savingCadenas(sql, [{ companyId, lastSeq: BigInt(total), anterior, lastGeneratedAt: now }]);
}
