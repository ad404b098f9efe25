import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openZip } from '../../src/cli/zip-reader.ts';
import { comprobar } from '../../src/domain/verifactu/comprobar.ts';
import { type Anterior, registroAltaFromInvoice } from '../../src/domain/verifactu/registro.ts';
import { registroXml } from '../../src/domain/verifactu/xml.ts';
import {
  type Exportacion,
  exportRegistros,
  registroFiles,
} from '../../src/operations/export-registros.ts';
import type { SeqRange } from '../../src/operations/pack-registros.ts';
import { verifyCadena, watchCadena } from '../../src/operations/verify-cadena.ts';
import { savingCadenas } from '../../src/store/cadenas.ts';
import { type Company, findCompany } from '../../src/store/companies.ts';
import { appendingRegistros } from '../../src/store/registros.ts';
import { issued, item, SISTEMA } from '../fixtures/verifactu/invoices.ts';
import { anteriorOf } from '../support/verifactu.ts';
import { expectOk, openWorld, type TestCompany, untilTrue, type World } from '../support/world.ts';

const TOTAL = 1_600;
const BROKEN = 1_234n;
const DAYS = { desde: '0001-01-01', hasta: '9999-12-31' };
let world: World;
let company: TestCompany;

beforeAll(async () => {
  world = await openWorld();
  company = await world.signUp('A08001851');
  await fill(company);
});
afterAll(() => world.close());

/** More than are checked or packed without a thread. Their invoices do not matter here. */
async function fill({ id, nif }: TestCompany, total = TOTAL): Promise<void> {
  const { sql } = world;
  await sql`alter table registros disable trigger all`;
  const invoice = issued({ items: [item('100')] });
  const generatedAt = world.deps.clock();
  let anterior: Anterior | null = null;
  const rows = Array.from({ length: total }, (_, i) => {
    const one = { ...invoice, emisor: { ...invoice.emisor, nif }, numSerie: `${i + 1}/26` };
    const registro = registroAltaFromInvoice(one, {
      anterior,
      SistemaInformatico: SISTEMA,
      FechaHoraHusoGenRegistro: '2026-11-20T10:00:00+01:00',
    });
    const HuellaAnterior = anterior?.Huella ?? '';
    anterior = anteriorOf(registro);
    const { NumSerieFactura, FechaExpedicionFactura } = registro.IDFactura;
    return {
      companyId: id,
      seq: BigInt(i + 1),
      invoiceId: 1n,
      TipoRegistro: 'Alta' as const,
      NumSerieFactura,
      FechaExpedicionFactura,
      Huella: registro.Huella,
      HuellaAnterior,
      FechaHoraHusoGenRegistro: registro.FechaHoraHusoGenRegistro,
      generatedAt,
      Subsanacion: null,
      RechazoPrevio: null,
      SinRegistroPrevio: null,
      xml: registroXml(registro),
      issued: one,
      motivo: null,
      sid: null,
    };
  });
  await appendingRegistros(sql, rows);
  await savingCadenas(sql, [
    { companyId: id, lastSeq: BigInt(total), anterior, lastGeneratedAt: generatedAt },
  ]);
}

/** Connections of threads end with them, also if they were stopped. */
async function untilNobodyReads(): Promise<void> {
  const [, name] = /\/([^/?]+)$/.exec(world.databaseUrl) ?? [];
  await untilTrue(
    () => world.sql`
      select pid from pg_stat_activity
       where datname = ${name ?? ''} and query ~ 'copy' and query not like '%pg_stat_activity%'`,
    (readers) => readers.length === 0,
  );
}

/** The files of registros in an export. */
async function namesOf(range: SeqRange): Promise<string[]> {
  const found = (await findCompany(world.sql, company.id)) as Company;
  const others = (async function* () {})();
  const names: string[] = [];
  for await (const entry of registroFiles(world.deps, found, range, new Date(), others)) {
    if ('files' in entry) names.push(...entry.files.map(({ name }) => name));
  }
  return names;
}

describe('a cadena that a thread reads', () => {
  beforeEach(untilNobodyReads);

  it('is found intact, and reports its progress', async () => {
    const steps = [];
    for await (const step of watchCadena(world.deps, company.id)) steps.push(step);
    expect(steps[0]).toEqual({ registros: 0, total: 0 });
    expect(steps.at(-1)).toMatchObject({
      registros: TOTAL,
      total: TOTAL,
      resultado: { registros: TOTAL, correcta: true },
    });
    const asked = await company.call('GET', '/api/GetData/VerificarCadena');
    expect(expectOk(asked)).toMatchObject({ registros: TOTAL, correcta: true });
  });

  it('is exported complete as a ZIP, in order', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'huella-larga-'));
    try {
      const path = join(folder, 'a.zip');
      await writeFile(path, (await exportRegistros(world.deps, company.id, DAYS)).zip);
      const zip = await openZip(path);
      const names = zip.files.map(({ name }) => name);
      const ofRegistros = names.filter((name) => name.startsWith('registros/'));
      expect(ofRegistros).toHaveLength(TOTAL / 50);
      expect(ofRegistros[24]).toBe('registros/001201-001250.xml');
      const sources = zip.files.map((file) => ({ name: file.name, read: () => zip.read(file) }));
      expect(await comprobar(sources)).toMatchObject({
        cadenas: [{ registros: TOTAL, rotura: null }],
        damage: [],
      });
      const manifest = zip.files.find(({ name }) => name === 'manifiesto.csv');
      const lines = manifest
        ? String(await zip.read(manifest))
            .trimEnd()
            .split('\r\n')
        : [];
      expect(lines).toHaveLength(TOTAL + 2);
      expect(lines.at(-2)).toContain(`${TOTAL};Alta;${TOTAL}/26;`);
      expect(lines.at(-1)).toContain(';LEEME.txt;');
      await zip.close();
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('is exported from any place on, in files of the same places', async () => {
    const names = await namesOf({ fromSeq: 1_030n, toSeq: BigInt(TOTAL) });
    expect(names.slice(0, 2)).toEqual([
      'registros/001030-001050.xml',
      'registros/001051-001100.xml',
    ]);
    expect(names).toHaveLength(12);
  });

  it('is not read where places are missing, and is exported up to its last registro', async () => {
    const far = 10n ** 12n;
    await world.sql`
      update registros set seq = seq + ${String(far)}
       where company_id = ${company.id} and seq > ${String(TOTAL - 60)}`;
    try {
      expect(await verifyCadena(world.deps, company.id)).toMatchObject({
        registros: TOTAL,
        primeraRotura: { motivo: `Falta el registro que iba en el lugar ${TOTAL - 59}.` },
      });
      const range = { fromSeq: 1_501n, toSeq: far + BigInt(TOTAL) };
      expect(await namesOf(range)).toEqual([
        'registros/0000000001501-0000000001540.xml',
        'registros/1000000001541-1000000001550.xml',
        'registros/1000000001551-1000000001600.xml',
      ]);
    } finally {
      await world.sql`
        update registros set seq = seq - ${String(far)}
         where company_id = ${company.id} and seq > ${String(far)}`;
    }
  });

  it('is left half way when the reader stops', async () => {
    const watched = watchCadena(world.deps, company.id);
    await watched.next();
    await watched.return(undefined);
    const { zip } = await exportRegistros(world.deps, company.id, DAYS);
    const pieces = zip[Symbol.asyncIterator]();
    await pieces.next();
    await pieces.return?.();
    await untilNobodyReads();
    expect(await verifyCadena(world.deps, company.id)).toMatchObject({ correcta: true });
  });

  it('is exported once at a time, also if two ask at once', async () => {
    const asked = await Promise.allSettled(
      [1, 2, 3].map(() => exportRegistros(world.deps, company.id, DAYS)),
    );
    const refused = asked.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    expect(refused.map(({ code }) => code)).toEqual(['TOO_MANY_REQUESTS', 'TOO_MANY_REQUESTS']);
    // Nobody reads the other one: it is closed before its first piece, and may therefore be requested again.
    const close = (one: Exportacion) => one.zip[Symbol.asyncIterator]().return?.();
    for (const one of asked) if (one.status === 'fulfilled') await close(one.value);
    await close(await exportRegistros(world.deps, company.id, DAYS));
    // One that has nothing to pack frees its place too.
    const none = { desde: '2020-01-01', hasta: '2020-12-31' };
    for (const _ of [1, 2]) {
      const empty = await exportRegistros(world.deps, company.id, none);
      expect(empty.registros).toBe(0n);
      await close(empty);
    }
  });

  it('waits while four others are exported in this process', async () => {
    const others: TestCompany[] = [];
    while (others.length < 4) {
      const other = await world.signUp();
      await fill(other, 300);
      others.push(other);
    }
    const open = await Promise.all(others.map(({ id }) => exportRegistros(world.deps, id, DAYS)));
    const path = '/api/GetData/ExportarRegistros';
    const refused = await company.call<{ message: string }>('GET', path);
    expect(refused).toMatchObject({
      status: 429,
      body: { message: expect.stringContaining('no cabe otra descarga') },
    });
    const pieces = open.map(({ zip }) => zip[Symbol.asyncIterator]());
    await pieces[0]?.next();
    for (const one of pieces) await one.return?.();
    const { zip } = await exportRegistros(world.deps, company.id, DAYS);
    await zip[Symbol.asyncIterator]().return?.();
  });

  it('frees its place when whoever asked for it is gone', async () => {
    const { app } = world;
    const address = await app.listen({ port: 0 });
    const headers = { authorization: `Bearer ${company.token}` };
    const url = `${address}/api/GetData/ExportarRegistros`;
    for (const _ of [1, 2, 3]) {
      const leaving = new AbortController();
      const gone = fetch(url, { headers, signal: leaving.signal });
      leaving.abort();
      await gone.catch(() => undefined);
      const response = await untilTrue(
        () => fetch(url, { headers }),
        ({ status }) => status === 200,
      );
      await response.body?.cancel();
      await untilNobodyReads();
    }
  });

  it.each([
    ['tipo_registro', `'Anulacion'`],
    ['num_serie_factura', `num_serie_factura || '0'`],
    ['fecha_expedicion_factura', `'19-11-2026'`],
    ['fecha_hora_huso_gen_registro', `left(fecha_hora_huso_gen_registro, -1)`],
    ['huella', `upper(md5(huella))`],
    ['huella_anterior', `null`],
  ])('is found broken where the column %s differs from the XML', async (column, other) => {
    const place = `where company_id = ${company.id} and seq = ${BROKEN}`;
    const [kept] = await world.sql.unsafe<{ value: string }[]>(
      `select ${column} as value from registros ${place}`,
    );
    await world.sql.unsafe(`update registros set ${column} = ${other} ${place}`);
    const { primeraRotura } = await verifyCadena(world.deps, company.id);
    await world.sql.unsafe(`update registros set ${column} = $1 ${place}`, [kept?.value ?? '']);
    expect(primeraRotura?.motivo).toContain('Lo guardado junto al registro');
    expect(primeraRotura?.NumSerieFactura).toContain('1234/26');
  });

  it('is found broken in the right place, and the thread’s failure is reported', async () => {
    await world.sql`
      update registros set xml = replace(xml, '<sum1:ImporteTotal>121', '<sum1:ImporteTotal>122')
       where company_id = ${company.id} and seq = ${String(BROKEN)}`;
    const broken = {
      registros: TOTAL,
      correcta: false,
      primeraRotura: { NumSerieFactura: '1234/26' },
    };
    expect(await verifyCadena(world.deps, company.id)).toMatchObject(broken);
    const asked = await company.call('GET', '/api/GetData/VerificarCadena');
    expect(expectOk(asked)).toMatchObject(broken);
    const nowhere = { ...world.deps, database: { url: `${world.databaseUrl}_no` } };
    await expect(verifyCadena(nowhere, company.id)).rejects.toThrow('does not exist');
  });
});
