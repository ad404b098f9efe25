/**
 * B12 and B13: verifying and exporting one long cadena, against a bare chain of SHA-256 over the same
 * hashed strings.
 *
 *   npm run bench:evidencias [-- --json] [-- --registros=100000]
 */

import { createHash } from 'node:crypto';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { IssuedInvoice } from '../src/domain/invoice.ts';
import {
  type Anterior,
  anteriorOf,
  registroAltaFromInvoice,
} from '../src/domain/verifactu/registro.ts';
import { registroXml } from '../src/domain/verifactu/xml.ts';
import { exportRegistros } from '../src/operations/export-registros.ts';
import { verifyCadena } from '../src/operations/verify-cadena.ts';
import { saveCadenas } from '../src/store/cadenas.ts';
import { appendRegistros, type RegistroToAppend } from '../src/store/registros.ts';
import type { Sql } from '../src/store/sql.ts';
import { issued, item, SISTEMA } from '../tests/fixtures/verifactu/invoices.ts';
import { openBench, printTable, seedCompanies } from './support.ts';

const total = Number(
  process.argv.find((a) => a.startsWith('--registros='))?.split('=')[1] ?? 1_000_000,
);
let zipBytes = 0;
const bench = await openBench();
const { sql } = bench;
try {
  const [company] = await seedCompanies(bench, 1);
  if (!company) throw new Error('No company.');
  const xmlBytes = await fill(sql, company.id, company.nif);
  const deps = { sql, clock: () => new Date() };

  const bare = bareChain();
  const peak = watchMemory();
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const verify = await timed(async () => {
    const { correcta, registros } = await verifyCadena(deps, company.id);
    if (!correcta || registros !== total) throw new Error('The cadena is not whole.');
  });
  const exported = await timed(async () => {
    const days = { desde: '0000-01-01', hasta: '9999-12-31' };
    const { zip } = await exportRegistros(deps, company.id, days);
    for await (const piece of zip) zipBytes += piece.length;
  });
  delay.disable();
  const rate = (seconds: number) => Math.round(total / seconds);
  const megabytes = (bytes: number) => Math.round(bytes / 1e6);
  printTable([
    {
      id: 'B12',
      what: `verificar ${total} registros, ${megabytes(xmlBytes)} MB de XML`,
      figure: rate(verify),
      unit: 'registros/s',
      limit: rate(bare),
      goal: 0.1,
      note: `${verify.toFixed(1)} s; el hilo, ocupado ${Math.round(delay.max / 1e6)} ms como mucho`,
    },
    {
      id: 'B13',
      what: `exportarlos, ZIP de ${megabytes(zipBytes)} MB`,
      figure: xmlBytes / 1e6 / exported,
      unit: 'MB/s de XML',
      goal: 60,
    },
    {
      id: 'B13',
      what: 'memoria del proceso (con lo que costó llenar la base)',
      figure: megabytes(peak()),
      unit: 'MB',
      goal: 200,
      isCost: true,
    },
  ]);
} finally {
  await bench.close();
}

async function timed(run: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await run();
  return (performance.now() - start) / 1000;
}

function bareChain(): number {
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

function watchMemory(): () => number {
  let peak = 0;
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 50);
  return () => {
    clearInterval(timer);
    return peak;
  };
}

/** @returns bytes of XML stored */
async function fill(sql: Sql, companyId: number, nif: string): Promise<number> {
  const invoice: IssuedInvoice = issued({ items: [item('100'), item('50')] });
  const emisor = { ...invoice.emisor, nif };
  await sql`alter table registros disable trigger all`; // The invoices are not what is measured.
  const now = new Date();
  let anterior: Anterior | null = null;
  let bytes = 0;
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
      bytes += xml.length;
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
      });
      anterior = anteriorOf(registro);
    }
    await appendRegistros(sql, batch);
  }
  await saveCadenas(sql, [{ companyId, lastSeq: BigInt(total), anterior, lastGeneratedAt: now }]);
  return bytes;
}
