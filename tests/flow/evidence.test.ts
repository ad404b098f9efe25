import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openZip } from '../../src/cli/zip-reader.ts';
import type {
  ConciliarRegistrosAnswer,
  NuevaInstalacionAnswer,
  VerificarCadenaAnswer,
} from '../../src/contract/evidence.ts';
import type { ConexionAEAT } from '../../src/contract/invoices.ts';
import type { Dispatcher } from '../../src/dispatch/loop.ts';
import { addDays } from '../../src/domain/dates.ts';
import { RECONCILES } from '../../src/operations/attempts.ts';
import { startNewInstallation } from '../../src/operations/start-installation.ts';
import { verifyCadena, watchCadena } from '../../src/operations/verify-cadena.ts';
import { startInstallation } from '../../src/store/installations.ts';
import { takeAttempt } from '../../src/store/rate-limits.ts';
import { declaredOfPeriodo } from '../../src/store/registros.ts';
import { sendFromOtherProgram } from '../support/other-program.ts';
import { builtServer } from '../support/stack.ts';
import {
  expectOk,
  monthOf,
  openWorldWithCompany,
  type TestCompany,
  untilTrue,
  type World,
} from '../support/world.ts';

let world: World;
let company: TestCompany;
let dispatcher: Dispatcher | null = null;
let folder: string;

/** A registro that the AEAT holds from another program. */
const OF_ANOTHER = {
  IDEmisorFactura: 'B12345674',
  NumSerieFactura: 'X1',
  FechaExpedicionFactura: '02-01-2026',
  Huella: 'A'.repeat(64),
  HuellaAnterior: '',
  FechaHoraHusoGenRegistro: '2026-01-02T10:00:00+01:00',
  EstadoRegistro: 'Correcto' as const,
};

beforeEach(async () => {
  ({ world, company } = await openWorldWithCompany());
  folder = await mkdtemp(join(tmpdir(), 'huella-evidence-'));
});
afterEach(async () => {
  await dispatcher?.stop(0);
  dispatcher = null;
  await world.close();
  await rm(folder, { recursive: true, force: true });
});

/** Three invoices answered by the AEAT, the second then annulled: four registros. */
async function threeAndOneAnnulled(): Promise<string[]> {
  const numbers = await company.registerMany(3);
  dispatcher = world.startDispatcher();
  await untilAnswered(3);
  expectOk(
    await company.call('POST', '/api/PostData/AnularFactura', {
      No: numbers[1],
      motivo: 'Error',
    }),
  );
  await untilAnswered(3);
  return numbers;
}

async function untilAnswered(count: number): Promise<void> {
  await untilTrue(
    async () => expectOk(await company.call<ConexionAEAT>('GET', '/api/GetData/GetConexionAEAT')),
    (c) => c.aceptadas === count && c.enEspera === 0,
  );
}

async function verify(): Promise<VerificarCadenaAnswer> {
  return expectOk(await company.call('GET', '/api/GetData/VerificarCadena'));
}

/** What only somebody with direct access to the database can do. */
async function tamper(statement: string): Promise<void> {
  await world.sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    const { count } = await tx.unsafe(statement);
    if (count === 0) throw new Error('Nothing was tampered with.');
  });
}

async function exportZip(query = ''): Promise<string> {
  const response = await world.app.inject({
    url: `/api/GetData/ExportarRegistros${query}`,
    headers: { authorization: `Bearer ${company.token}` },
  });
  expect(response.statusCode).toBe(200);
  expect(response.headers['content-type']).toBe('application/zip');
  expect(response.headers['x-registros']).toMatch(/^\d+$/);
  const path = join(folder, `export-${Math.random()}.zip`);
  await writeFile(path, response.rawPayload);
  return path;
}

/** `npm run verificar`, as users run it. */
async function runVerificar(...paths: string[]): Promise<{ code: number; output: string }> {
  const script = join(await builtServer(), 'verificar.js');
  return new Promise((resolve) => {
    execFile(process.execPath, [script, ...paths], (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, output: `${stdout}${stderr}` });
    });
  });
}

describe('VerificarCadena', () => {
  it('accepts an empty cadena, and one of altas and an annulment', async () => {
    expect(await verify()).toEqual({ registros: 0, correcta: true });
    await threeAndOneAnnulled();
    const [last] = await world.sql<
      { huella: string }[]
    >`select huella from registros where seq = 4`;
    expect(await verify()).toEqual({ registros: 4, correcta: true, Huella: last?.huella });
  });

  const second = 'where seq = 2';
  it.each([
    [
      'an amount',
      `set xml = replace(xml, '<sum1:ImporteTotal>121.00', '<sum1:ImporteTotal>12.00')`,
      'no es la que sale de sus datos',
    ],
    [
      'a date',
      `set xml = regexp_replace(xml, '(?<=<sum1:FechaExpedicionFactura>.{6})[0-9]{4}', '2020')`,
      'no es la que sale de sus datos',
    ],
    ['a column', `set huella_anterior = repeat('A', 64)`, 'Lo guardado junto al registro'],
    ['the whole XML', `set xml = '<nada/>'`, 'no se puede leer'],
    ['its place', `set seq = 7`, 'Falta el registro'],
    ['its place for one far away', `set seq = 4000000000000`, 'Falta el registro'],
  ])('names the registro when somebody changes %s in the database', async (_, change, motivo) => {
    const numbers = await company.registerMany(3);
    await tamper(`update registros ${change} ${second}`);
    const { correcta, primeraRotura } = await verify();
    expect(correcta).toBe(false);
    expect(primeraRotura?.motivo).toContain(motivo);
    expect(numbers).toContain(primeraRotura?.NumSerieFactura);
  });

  it('notices a removed registro, from the middle and from the end', async () => {
    const numbers = await company.registerMany(4);
    await tamper('delete from registros where seq = 4');
    expect((await verify()).primeraRotura).toEqual({
      NumSerieFactura: numbers[2],
      motivo: expect.stringContaining('faltan 1'),
    });
    await tamper('delete from registros where seq = 2');
    expect((await verify()).primeraRotura).toMatchObject({ NumSerieFactura: numbers[2] });
  });

  it('notices when the head was moved to link to something else', async () => {
    await company.registerMany(2);
    await tamper(`update cadenas set last_huella = repeat('B', 64)`);
    expect((await verify()).primeraRotura?.motivo).toContain('El final de la cadena');
  });

  it('reports its progress line by line, and stops when nobody reads any more', async () => {
    await company.registerMany(2);
    const answer = await world.app.inject({
      url: '/api/GetData/VerificarCadena',
      headers: { authorization: `Bearer ${company.token}`, accept: 'application/x-ndjson' },
    });
    const lines = answer.body
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.length).toBeGreaterThan(1);
    expect(lines.at(-1)).toMatchObject({
      registros: 2,
      total: 2,
      resultado: { registros: 2, correcta: true },
    });

    const watched = watchCadena(world.deps, company.id);
    await watched.next();
    const other = verifyCadena(world.deps, company.id);
    await watched.return(undefined);
    // Somebody else waits for it, so it goes on. Whoever comes later starts another.
    expect(await other).toMatchObject({ registros: 2, correcta: true });
    const alone = watchCadena(world.deps, company.id);
    await alone.next();
    await alone.return(undefined);
    expect(await verify()).toMatchObject({ registros: 2, correcta: true });
  });

  it('refuses callers without a session', async () => {
    for (const call of ['VerificarCadena', 'ExportarRegistros']) {
      expect((await world.call('GET', `/api/GetData/${call}`)).status).toBe(401);
    }
  });
});

describe('ConciliarRegistros', () => {
  const NOTHING = {
    distintos: [],
    soloAqui: [],
    soloAEAT: [],
    enEspera: 0,
    registroDetenido: false,
  };

  async function conciliar(): Promise<ConciliarRegistrosAnswer> {
    const month = monthOf(world.deps.clock());
    return expectOk(await company.call('POST', '/api/PostData/ConciliarRegistros', month));
  }

  /** Deletes the registro from our database as if it had never existed, with everything after it. */
  async function restoreOldBackup(lastSeq: number): Promise<void> {
    await tamper(`delete from respuestas where seq > ${lastSeq}`);
    await tamper(`delete from registros where seq > ${lastSeq}`);
    await tamper(`delete from invoices where seq > ${lastSeq}`);
    await world.sql`
      update cadenas c
         set last_seq = r.seq, last_huella = r.huella, last_num_serie = r.num_serie_factura,
             last_fecha_expedicion = r.fecha_expedicion_factura
        from registros r where r.company_id = c.company_id and r.seq = ${lastSeq}`;
    await world.sql`update series set next_number = ${lastSeq + 1} where kind = 'F'`;
    await world.sql`update despachos set enviado_hasta = ${lastSeq}, waiting_since = null`;
  }

  it('finds the month equal on both sides, page by page, and counts what is on its way', async () => {
    await threeAndOneAnnulled();
    await world.behave({ registrosPorConsulta: 2 });
    expect(await conciliar()).toEqual({ ...NOTHING, iguales: 3 });
    await dispatcher?.stop();
    await company.registerMany(2);
    expect(await conciliar()).toEqual({ ...NOTHING, iguales: 3, enEspera: 2 });
  });

  it('reports its progress page by page, and why the AEAT could not be asked', async () => {
    await threeAndOneAnnulled();
    await world.behave({ registrosPorConsulta: 2 });
    const linesOf = async () => {
      const answer = await world.app.inject({
        method: 'POST',
        url: '/api/PostData/ConciliarRegistros',
        headers: { authorization: `Bearer ${company.token}`, accept: 'application/x-ndjson' },
        payload: monthOf(world.deps.clock()),
      });
      expect(answer.statusCode).toBe(200);
      return answer.body
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
    };
    const resultado = { ...NOTHING, iguales: 3 };
    expect(await linesOf()).toEqual([
      ...[0, 2, 3].map((facturas) => ({ facturas, total: 3 })),
      { facturas: 3, total: 3, resultado },
    ]);
    await world.behave({ modo: 'http-503', fallos: 10 });
    expect(await linesOf()).toEqual([
      { facturas: 0, total: 3 },
      { facturas: 0, total: 3, message: expect.stringContaining('AEAT') },
    ]);
  });

  it('stops asking the AEAT when whoever asked is gone', async () => {
    await threeAndOneAnnulled();
    await world.behave({ registrosPorConsulta: 1, latenciaMs: 60_000 });
    const address = await world.app.listen({ port: 0 });
    const leaving = new AbortController();
    const response = await fetch(`${address}/api/PostData/ConciliarRegistros`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${company.token}`,
        accept: 'application/x-ndjson',
        'content-type': 'application/json',
      },
      body: JSON.stringify(monthOf(world.deps.clock())),
      signal: leaving.signal,
    });
    const reader = response.body?.getReader();
    await reader?.read();
    leaving.abort();
    await world.behave({ latenciaMs: 0 });
    const pagesAsked = async () =>
      (await world.requests(company.nif)).filter(({ peticion }) =>
        peticion.includes('ConsultaFactuSistemaFacturacion'),
      ).length;
    // Asking for all the pages, one after another, would have taken less time than asking for them twice more.
    expect(await conciliar()).toEqual({ ...NOTHING, iguales: 3 });
    expect(await conciliar()).toEqual({ ...NOTHING, iguales: 3 });
    expect(await pagesAsked()).toBeLessThanOrEqual(2 * 3 + 1);
  });

  it('asks the AEAT at most thirty times an hour for each company', async () => {
    const key = `conciliar:${company.id}`;
    expect(await conciliar()).toEqual({ ...NOTHING, iguales: 0 });
    for (let time = 1; time < RECONCILES.attempts; time++) {
      expect(await takeAttempt(world.sql, key, RECONCILES, world.deps.clock())).toBe(0);
    }
    const refused = await company.call<{ message: string }>(
      'POST',
      '/api/PostData/ConciliarRegistros',
      { Ejercicio: '2026', Periodo: '11' },
    );
    expect(refused).toMatchObject({
      status: 429,
      body: { message: expect.stringContaining('Demasiados intentos') },
    });
    const asked = (await world.requests(company.nif)).filter(({ peticion }) =>
      peticion.includes('ConsultaFactuSistemaFacturacion'),
    );
    expect(asked).toHaveLength(1);
  });

  it('names what only we hold, and what the AEAT holds differently', async () => {
    const numbers = await company.registerMany(2);
    dispatcher = world.startDispatcher();
    await untilAnswered(2);
    await tamper(`update registros set huella = repeat('C', 64) where seq = 2`);
    const different = await conciliar();
    expect(different.iguales).toBe(1);
    expect(different.distintos).toMatchObject([{ NumSerieFactura: numbers[1] }]);

    await world.control('/desarrollo/aeat/vaciar', {});
    const empty = await conciliar();
    expect(empty.soloAqui.map((row) => row.NumSerieFactura)).toEqual(numbers);
    expect(empty.registroDetenido).toBe(false);
  });

  it('stops registering when an old backup was restored, until the month is complete again', async () => {
    const numbers = await company.registerMany(3);
    dispatcher = world.startDispatcher();
    await untilAnswered(3);
    const backup = await world.sql`select * from registros where seq = 3`;
    await restoreOldBackup(2);
    const found = await conciliar();
    expect(found).toMatchObject({ iguales: 2, registroDetenido: true });
    expect(found.soloAEAT).toMatchObject([
      { NumSerieFactura: numbers[2], motivo: expect.stringContaining('esta cuenta') },
    ]);

    const refused = await company.register();
    expect(refused.status).toBe(403);
    expect(refused.body).toMatchObject({ message: expect.stringContaining('copia de seguridad') });
    const annulled = await company.call('POST', '/api/PostData/AnularFactura', {
      No: numbers[0],
      motivo: 'Prueba',
    });
    expect(annulled.status).toBe(403);

    // The newest backup is restored: what was missing is here again.
    const [row] = backup;
    await world.sql.begin(async (tx) => {
      await tx`set local session_replication_role = replica`;
      const [invoice] = await tx<{ id: bigint }[]>`
        insert into invoices (company_id, doc_no, status, tipo_factura, posting_date, seq)
        select company_id, ${numbers[2] ?? ''}, status, tipo_factura, posting_date, 3
          from invoices where doc_no = ${numbers[0] ?? ''} returning id`;
      await tx`insert into registros ${tx({ ...row, invoice_id: String(invoice?.id), seq: '3', issued: tx.json(row?.issued) } as never)}`;
    });
    await world.sql`
      update cadenas set last_seq = 3, last_huella = ${row?.huella},
             last_num_serie = ${row?.num_serie_factura}`;
    await world.sql`update series set next_number = 4 where kind = 'F'`;
    expect(await conciliar()).toMatchObject({ iguales: 3, registroDetenido: false });
    expect((await company.register()).status).toBe(200);
  });

  it('stops registering when a number turns out to be used by a registro that we lost', async () => {
    await company.registerMany(3);
    dispatcher = world.startDispatcher();
    await untilAnswered(3);
    await restoreOldBackup(2);
    // Another second, another huella.
    world.advanceClock(5);
    await world.behave({ reloj: 5 });
    expect((await company.register()).status).toBe(200);
    await untilTrue(
      () => world.sql`select 1 from invoices where status = 'Rechazado'`,
      (rows) => rows.length === 1,
    );
    const refused = await company.register();
    expect(refused.body).toMatchObject({ message: expect.stringContaining('copia de seguridad') });
    const conexion = expectOk(
      await company.call<ConexionAEAT>('GET', '/api/GetData/GetConexionAEAT'),
    );
    expect(conexion.mensaje).toContain('copia de seguridad');
  });

  it('goes on as a new installation when what was lost cannot be recovered', async () => {
    const start = () => company.call('POST', '/api/PostData/NuevaInstalacion', {});
    expect((await start()).status).toBe(409);
    const numbers = await company.registerMany(5);
    dispatcher = world.startDispatcher();
    await untilAnswered(5);
    expectOk(
      await company.call('POST', '/api/PostData/AnularFactura', {
        No: numbers[0],
        motivo: 'Prueba',
      }),
    );
    await untilTrue(
      () => world.held(company.nif),
      (rows) => rows.length === 6,
    );
    await untilTrue(
      () => world.sql`select 1 from invoices where status = 'Anulada'`,
      (rows) => rows.length === 1,
    );
    await world.sql`update invoices set status = 'Registrada', seq = 1 where doc_no = ${numbers[0] ?? ''}`;
    await restoreOldBackup(2);
    world.advanceClock(5);
    await world.behave({ reloj: 5 });
    // Their numbers belong to two that were lost: the first is refused, and registering stops.
    await dispatcher.stop();
    expect(await company.registerMany(2)).toEqual(numbers.slice(2, 4));
    // The first of the two is sent alone.
    await world.sql`update despachos set aislar_hasta = enviado_hasta + 2`;
    dispatcher = world.startDispatcher();
    await untilTrue(
      () => world.sql`select 1 from cadenas where reconcile_required_at is not null`,
      (rows) => rows.length === 1,
    );
    await world.behave({ modo: 'http-503', fallos: 1 });
    expect((await start()).status).toBe(503);

    const old = await world.sql<{ numero_instalacion: string }[]>`
      select numero_instalacion from companies where id = ${company.id}`;
    const begun = expectOk(await start()) as NuevaInstalacionAnswer;
    expect(begun.perdidos.map((row) => row.NumSerieFactura)).toEqual([
      numbers[2],
      numbers[3],
      numbers[4],
      numbers[0], // Its anulación was the last.
    ]);
    expect(begun).toMatchObject({
      sinEfecto: [numbers[2]],
      NoSerie: numbers[4]?.replace('00005', '00006'),
    });
    expect(begun.numeroInstalacion).not.toBe(old[0]?.numero_instalacion);
    expect((await start()).status).toBe(409);

    const next = [...(await company.registerMany(2)), ...numbers];
    expect(next[0]).toBe(begun.NoSerie);
    await untilTrue(
      () => world.held(company.nif),
      (rows) => rows.length === 8,
    );
    await untilTrue(
      () => world.sql`select 1 from invoices where status in ('En espera', 'Rechazado')`,
      (rows) => rows.length === 0,
    );
    const made = (await world.held(company.nif)).slice(6);
    expect(made.map((row) => [row.EstadoRegistro, row.HuellaAnterior ?? ''])).toEqual([
      ['Correcto', ''],
      ['Correcto', made[0]?.Huella],
    ]);
    expect(await verify()).toMatchObject({ registros: 6, correcta: true, instalaciones: 2 });
    const rows = await world.sql<{ doc_no: string; status: string }[]>`
      select doc_no, status from invoices where registered_at is not null order by doc_no`;
    expect(rows.map((row) => row.status)).toEqual([
      'Anulada',
      'Registrada',
      'Anulada',
      'Anulada', // Refused later, on its own.
      'Registrada',
      'Registrada',
    ]);
    expect(await conciliar()).toMatchObject({
      iguales: 3,
      registroDetenido: false,
      soloAEAT: [
        {
          NumSerieFactura: numbers[4],
          motivo: expect.stringContaining('antes de que se perdieran'),
        },
      ],
    });
    // No counter hands them out again.
    const back = await company.call('POST', '/api/PostData/reiniciarContador', {
      NoSerie: numbers[4],
    });
    expect(back.status).toBe(409);
    const { code, output } = await runVerificar(await exportZip());
    expect(output).toContain('6 registros de 2 instalaciones');
    expect(code).toBe(0);
    // A registro may have none before it only where an installation began.
    await tamper('delete from instalaciones');
    expect((await verify()).primeraRotura).toMatchObject({ NumSerieFactura: next[0] });
    await expect(
      world.sql`
        insert into registros (company_id, seq, invoice_id, tipo_registro, num_serie_factura,
               fecha_expedicion_factura, huella, huella_anterior, fecha_hora_huso_gen_registro,
               generated_at, xml)
        select company_id, 99, invoice_id, tipo_registro, num_serie_factura, fecha_expedicion_factura,
               huella, null, fecha_hora_huso_gen_registro, generated_at, xml
          from registros where seq = 6`,
    ).rejects.toThrow('primer registro');
  });

  /** Four invoices at the AEAT, of which a restored backup has two, as comparing the month shows. */
  async function lostTwo(): Promise<string[]> {
    const numbers = await company.registerMany(4);
    dispatcher = world.startDispatcher();
    await untilAnswered(4);
    await dispatcher.stop();
    await restoreOldBackup(2);
    expect(await conciliar()).toMatchObject({ iguales: 2, registroDetenido: true });
    return numbers;
  }

  const untilSent = () =>
    untilTrue(
      () => world.sql`select 1 from invoices where status = 'En espera'`,
      (rows) => rows.length === 0,
    );

  const start = () =>
    company.call<NuevaInstalacionAnswer>('POST', '/api/PostData/NuevaInstalacion', {});

  it('asks for months that hold more invoices than a call takes arguments', async () => {
    const { Ejercicio, Periodo } = monthOf(world.deps.clock());
    await world.sql`
      update cadenas
         set reconcile_periodos = array[${`${Ejercicio}-${Periodo}`}],
             reconcile_required_at = now()
       where company_id = ${company.id}`;
    let pages = 0;
    const { signal } = new AbortController();
    const starting = startNewInstallation(
      world.deps,
      async () => ({
        kind: 'consulta',
        registros: Array.from({ length: 10_000 }, () => OF_ANOTHER),
        ...(++pages % 20 !== 0 && { ClavePaginacion: OF_ANOTHER }),
      }),
      company.id,
      signal,
    );
    await expect(starting).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(pages).toBeGreaterThanOrEqual(20);
  });

  it('keeps its NIF while its new installation has registered nothing yet', async () => {
    await lostTwo();
    expectOk(await start());
    const changed = await company.call<{ message: string }>(
      'POST',
      '/api/PostData/SetDatosEmpresa2',
      {
        Name: 'Talleres Prueba, S.L.',
        VATRegistrationNo: 'A58818501',
        Address: 'Calle Mayor, 1',
        countryCode: 'ES',
        postCode: '28013',
      },
    );
    expect(changed).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('ya hay facturas registradas con B12345674') },
    });
  });

  it('knows what its new installation made when that is lost too, with a backup older than it', async () => {
    const numbers = await lostTwo();
    const [backup] =
      await world.sql`select numero_instalacion from companies where id = ${company.id}`;
    const second = expectOk(await start());
    dispatcher = world.startDispatcher();
    numbers.push(...(await company.registerMany(2)));
    await untilSent();
    await dispatcher.stop();

    // The same backup once more: it only knows the first installation.
    await restoreOldBackup(2);
    await tamper('delete from instalaciones');
    await tamper('delete from registros_perdidos');
    await world.sql`update cadenas set first_seq = 1`;
    await world.sql`update companies set ${world.sql({ ...backup })} where id = ${company.id}`;
    const found = await conciliar();
    expect(found).toMatchObject({ iguales: 2, registroDetenido: true });
    expect(found.soloAEAT.map((row) => [row.NumSerieFactura, row.motivo])).toEqual(
      numbers.slice(2).map((number) => [number, expect.stringContaining('esta cuenta')]),
    );
    expect((await company.register()).status).toBe(403);

    const third = expectOk(await start());
    expect(third.perdidos.map((row) => row.NumSerieFactura)).toEqual(numbers.slice(2));
    expect(third.NoSerie).toBe(numbers[5]?.replace('00006', '00007'));
    const installations = [backup?.numero_instalacion, second, third].map((one) =>
      typeof one === 'string' ? one : one?.numeroInstalacion,
    );
    expect(new Set(installations).size).toBe(3);

    dispatcher = world.startDispatcher();
    expect(await company.registerMany(1)).toEqual([third.NoSerie]);
    await untilSent();
    const after = await conciliar();
    expect(after).toMatchObject({ iguales: 3, registroDetenido: false });
    expect(after.soloAEAT.map((row) => row.motivo)).toEqual(
      Array(4).fill(expect.stringContaining('antes de que se perdieran')),
    );
    expect(await verify()).toMatchObject({ correcta: true, instalaciones: 2 });
    for (const NoSerie of numbers.slice(2)) {
      const back = await company.call('POST', '/api/PostData/reiniciarContador', { NoSerie });
      expect(back.status).toBe(409);
    }
  });

  it('stops when a number turns out to be used by an installation that the backup does not know', async () => {
    await lostTwo();
    const second = expectOk(await start());
    // A counter that was raised before the backup: its numbers clash only with those of the second installation.
    await tamper('delete from instalaciones');
    await tamper('delete from registros_perdidos');
    dispatcher = world.startDispatcher();
    const [lost] = await company.registerMany(1);
    await untilSent();
    await restoreOldBackup(2);
    await world.sql`update series set next_number = 5 where kind = 'F'`;
    await world.sql`update cadenas set first_seq = 1`;
    await world.sql`
      update companies set numero_instalacion = left(${second.numeroInstalacion}, 21)
       where id = ${company.id}`;
    world.advanceClock(5);
    await world.behave({ reloj: 5 });
    expect(await company.registerMany(1)).toEqual([lost]);
    await untilTrue(
      () => world.sql`select 1 from cadenas where reconcile_required_at is not null`,
      (rows) => rows.length === 1,
    );
    expect(expectOk(await start()).sinEfecto).toEqual([lost]);
  });

  it('leaves an invoice without effect if the lost installation, still at work elsewhere, used its number', async () => {
    await lostTwo();
    const [former] = await world.sql<{ numero: string }[]>`
      select numero_instalacion as numero from companies where id = ${company.id}`;
    expectOk(await start());
    const [number] = (await company.registerMany(1)) as [string];
    const [mine] = await world.sql<{ xml: string }[]>`
      select xml from registros where num_serie_factura = ${number}`;
    const theirs = { Huella: 'C'.repeat(64), NumeroInstalacion: former?.numero ?? '' };
    await sendFromOtherProgram(world, company, mine?.xml ?? '', theirs);
    dispatcher = world.startDispatcher();
    await untilSent();
    const [row] = await world.sql`
      select status, error_message from invoices where doc_no = ${number}`;
    expect(row).toMatchObject({
      status: 'Anulada',
      error_message: expect.stringContaining('haz otra con los mismos datos'),
    });
  });

  it('starts a single new installation when two users press at once, with the dispatcher at work', async () => {
    await lostTwo();
    dispatcher = world.startDispatcher();
    const both = await Promise.all([start(), start(), conciliar()]);
    expect(
      both
        .slice(0, 2)
        .map((answer) => (answer as { status: number }).status)
        .toSorted(),
    ).toEqual([200, 409]);
    expect(await world.sql`select numero from instalaciones`).toHaveLength(1);
    expect((await company.register()).status).toBe(200);
    await untilSent();
    expect(await verify()).toMatchObject({ registros: 3, correcta: true, instalaciones: 2 });
  });

  it.each(['cadenas', 'series', 'despachos'])(
    'leaves no trace of a new installation that dies where it waits for %s, and starts it when asked again',
    async (table) => {
      await lostTwo();
      const state = () => world.sql`
        select c.numero_instalacion, k.first_seq, k.last_seq, k.reconcile_periodos, s.next_number,
               (select count(*) from instalaciones) as installations,
               (select count(*) from registros_perdidos) as lost
          from companies c join cadenas k on k.company_id = c.id
          join series s on s.company_id = c.id and s.kind = 'F'`;
      const before = await state();
      let dying: ReturnType<typeof start> | undefined;
      await world.sql.begin(async (tx) => {
        await tx`select from ${tx(table)} where company_id = ${company.id} for update`;
        dying = start();
        // It has reached the lock that this test holds: its connection is cut there.
        await untilTrue(
          () => world.sql`
            select pg_terminate_backend(pid) from pg_stat_activity
             where datname = current_database() and wait_event_type = 'Lock'`,
          (killed) => killed.length === 1,
        );
        expect((await dying)?.status).toBeGreaterThanOrEqual(500);
      });
      expect(await state()).toEqual(before);
      expect((await company.register()).status).toBe(403);

      expectOk(await start());
      dispatcher = world.startDispatcher();
      await company.registerMany(1);
      await untilSent();
      expect(await verify()).toMatchObject({ correcta: true, instalaciones: 2 });
    },
  );

  it.each(['corrected', 'annulled'])(
    'keeps an invoice in force at the AEAT that was corrected by a lost registro, to be %s again',
    async (ending) => {
      const [refused, second] = (await company.registerMany(2)) as [string, string];
      await world.behave({ rechazar: { [refused]: 1100, [second]: 1100 } });
      dispatcher = world.startDispatcher();
      const areStanding = (status: string, count: number) =>
        untilTrue(
          () => world.sql`select 1 from invoices where status = ${status}`,
          (rows) => rows.length === count,
        );
      await areStanding('Rechazado', 2);
      await world.behave({ rechazar: { [refused]: 0, [second]: 0 } });
      world.advanceClock(5);
      await world.behave({ reloj: 5 });
      expectOk(await company.register({ notas: 'corregida', draftNo: refused }));
      expectOk(await company.register({ notas: 'corregida', draftNo: second }));
      await company.registerMany(1);
      await areStanding('Registrada', 3);
      expectOk(
        await company.call('POST', '/api/PostData/AnularFactura', { No: second, motivo: 'Prueba' }),
      );
      await areStanding('Anulada', 1);
      await dispatcher.stop();
      // The backup is from when both were refused.
      await world.sql`
      update invoices set status = 'Rechazado', seq = case doc_no when ${refused} then 1 else 2 end
       where doc_no in (${refused}, ${second})`;
      await restoreOldBackup(2);
      await world.sql`update despachos set rechazados = 2`;
      expect(await conciliar()).toMatchObject({ registroDetenido: true });

      const begun = expectOk(
        await company.call<NuevaInstalacionAnswer>('POST', '/api/PostData/NuevaInstalacion', {}),
      );
      expect(begun.sinEfecto).toEqual([]);
      const rows = await world.sql`
      select status, error_message from invoices where seq is not null order by doc_no`;
      expect(rows).toMatchObject([
        { status: 'Aceptado con errores', error_message: expect.stringContaining('No hagas otra') },
        { status: 'Anulada', error_message: expect.stringContaining('la tiene anulada') },
      ]);
      // What follows applies to the lost one, in the new cadena.
      dispatcher = world.startDispatcher();
      if (ending === 'annulled') {
        expectOk(await company.annul(refused));
        await areStanding('Anulada', 2);
      } else {
        expectOk(await company.register({ notas: 'otra vez', draftNo: refused }));
        await areStanding('Registrada', 1);
        expect(await conciliar()).toMatchObject({ iguales: 1, registroDetenido: false });
      }
      expect(await verify()).toMatchObject({ correcta: true, instalaciones: 2 });
    },
  );

  it('says that the AEAT could not be asked, and changes nothing', async () => {
    await company.registerMany(1);
    await world.behave({ modo: 'http-503', fallos: 1 });
    const [Ejercicio, Periodo] = ['2026', '11'];
    const failed = await company.call('POST', '/api/PostData/ConciliarRegistros', {
      Ejercicio,
      Periodo,
    });
    expect(failed.status).toBe(503);
    const wrong = await company.call('POST', '/api/PostData/ConciliarRegistros', {
      Ejercicio,
      Periodo: '13',
    });
    expect(wrong.status).toBe(400);
    expect((await company.register()).status).toBe(200);
  });

  it('asks for what earlier installations declared, but for what a demo declared to the test service', async () => {
    await company.registerMany(1);
    const now = world.deps.clock();
    const { Ejercicio, Periodo } = monthOf(now);
    const declared = () => declaredOfPeriodo(world.sql, company.id, `${Ejercicio}-${Periodo}`);
    const begin = (numero: string, isAfterDemo: boolean) =>
      startInstallation(world.sql, company.id, { numero, now, isAfterDemo });
    await begin('SEGUNDA', false);
    expect(await declared()).toHaveLength(1);
    await begin('TRAS-LA-DEMO', true);
    expect(await declared()).toEqual([]);
    await begin('SIN-HABER-REGISTRADO', false);
    expect(await declared()).toEqual([]);
  });
});

describe('ExportarRegistros and npm run verificar', () => {
  async function unpack(path: string): Promise<string> {
    const unpacked = join(folder, 'abierto');
    const zip = await openZip(path);
    for (const file of zip.files) {
      const to = join(unpacked, file.name);
      await mkdir(dirname(to), { recursive: true });
      await writeFile(to, await zip.read(file));
    }
    await zip.close();
    return unpacked;
  }

  it('exports every registro unchanged, the answers and a manifest, which the tool accepts', async () => {
    const numbers = await threeAndOneAnnulled();
    const path = await exportZip();
    const zip = await openZip(path);
    const names = zip.files.map(({ name }) => name);
    const registros = 'registros/000001-000004.xml';
    expect(names.filter((name) => name.startsWith('registros/'))).toEqual([registros]);
    const answers = names.filter((name) => name.startsWith('respuestas/'));
    expect(answers).toHaveLength(2);
    const text = async (name: string) => {
      const file = zip.files.find((one) => one.name === name);
      return file ? (await zip.read(file)).toString() : '';
    };
    const rows = await world.sql<{ xml: string }[]>`select xml from registros order by seq`;
    expect(await text(registros)).toContain(
      `</sum:Cabecera>${rows.map(({ xml }) => xml).join('')}</sum:RegFactu`,
    );
    expect(rows[3]?.xml).toContain(`>${numbers[1]}</sum1:NumSerieFacturaAnulada>`);
    const manifest = await text('manifiesto.csv');
    expect(manifest.startsWith('\ufeffSecuencia;Tipo;NumSerieFactura;')).toBe(true);
    const lines = manifest.trimEnd().split('\r\n').slice(1);
    const sha256 = async (name: string) =>
      createHash('sha256')
        .update(await text(name))
        .digest('hex');
    expect(lines.slice(4)).toEqual([
      `;Texto;;;;;;;;;LEEME.txt;${await sha256('LEEME.txt')}`,
      `;Respuesta;;;;;;;;;${answers[0]};${await sha256(answers[0] ?? '')}`,
      `;Respuesta;;;;;;;;;${answers[1]};${await sha256(answers[1] ?? '')}`,
    ]);
    expect(manifest).toMatch(/\r\n4;Anulacion;.*;Correcto;;A-[^;]+;registros\//);
    await zip.close();

    const { code, output } = await runVerificar(path);
    expect(output).toContain('BIEN  B12345674: 4 registros');
    expect(output).not.toContain('AVISO');
    expect(code).toBe(0);
  });

  it('reports when the manifest of a folder gives an invoice another CSV than the AEAT', async () => {
    const [number] = await company.registerMany(1);
    dispatcher = world.startDispatcher();
    await untilAnswered(1);
    const unpacked = await unpack(await exportZip());
    expect(await runVerificar(unpacked)).toMatchObject({ code: 0 });
    const path = join(unpacked, 'manifiesto.csv');
    const manifest = await readFile(path, 'utf8');
    await writeFile(path, manifest.replace(/;Correcto;;A-[^;]+;/, ';Correcto;;A-INVENTADO;'));
    const { code, output } = await runVerificar(unpacked);
    expect(code).toBe(1);
    expect(output).toContain(`MAL   manifiesto.csv: De la factura ${number} dice`);
  });

  it('exports only what was generated on the given days, which may be nothing', async () => {
    const today = new Date().toLocaleDateString('sv-SE', { timeZone: 'Europe/Madrid' });
    await company.registerMany(3);
    // As if the first one had been generated long before.
    await tamper(`update registros set fecha_hora_huso_gen_registro = '2026-01-02T10:00:00+01:00'
                   where seq = 1`);
    const path = await exportZip('?hasta=2026-01-02');
    const zip = await openZip(path);
    const names = zip.files.map(({ name }) => name).filter((name) => /^registros/.test(name));
    expect(names).toEqual(['registros/000001-000001.xml']);
    await zip.close();
    const later = await exportZip(`?desde=2026-01-03&hasta=${today}`);
    expect((await runVerificar(later)).output).toContain('2 registros');
    // A clock that was a few hours ahead around midnight, and was put right: the first and the last are from today.
    await tamper(`update registros set fecha_hora_huso_gen_registro = '${addDays(today, 1)}T01:00:00+01:00'
                   where seq = 2`);
    const around = await openZip(await exportZip(`?desde=2026-01-03&hasta=${today}`));
    const range = around.files.map(({ name }) => name).find((name) => /^registros/.test(name));
    expect(range).toMatch(/-000003\.xml$/);
    await around.close();
    const none = await exportZip('?desde=2020-01-01&hasta=2020-12-31');
    const empty = await openZip(none);
    expect(empty.files.map(({ name }) => name)).toEqual(['LEEME.txt', 'manifiesto.csv']);
    await empty.close();
    expect(await runVerificar(none)).toMatchObject({
      code: 2,
      output: expect.stringContaining('No hay ningún registro que comprobar.'),
    });
    const turned = await company.call(
      'GET',
      '/api/GetData/ExportarRegistros?desde=2027-01-01&hasta=2026-01-01',
    );
    expect(turned.status).toBe(400);
  });

  it('reports the file in which one byte of the ZIP has changed', async () => {
    await company.registerMany(1);
    const path = await exportZip();
    const bytes = await readFile(path);
    const zip = await openZip(path);
    const [file] = zip.files.filter(({ name }) => name.startsWith('registros/'));
    await zip.close();
    const at = (file?.offset ?? 0) + 30 + (file?.name.length ?? 0) + 200;
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    await writeFile(path, bytes);
    const { code, output } = await runVerificar(path);
    expect(code).toBe(1);
    expect(output).toContain('MAL   registros/000001-000001.xml: El archivo está dañado');
  });

  it('reports the file and the invoice when a registro of an unpacked folder has changed', async () => {
    const numbers = await company.registerMany(3);
    const unpacked = await unpack(await exportZip());
    const path = join(unpacked, 'registros/000001-000003.xml');
    const [head, ...pieces] = (await readFile(path, 'utf8')).split('<sum1:ImporteTotal>');
    pieces[1] = pieces[1]?.replace(/^\d/, '9') ?? '';
    await writeFile(path, [head, ...pieces].join('<sum1:ImporteTotal>'));
    const { code, output } = await runVerificar(unpacked);
    expect(code).toBe(1);
    expect(output).toContain(
      'MAL   registros/000001-000003.xml: No es el archivo del manifiesto: su SHA-256',
    );
    expect(output).toContain(`se rompe en la factura ${numbers[1]}`);
  });

  it('checks an unpacked folder and loose messages of any program, and names the break', async () => {
    const numbers = await company.registerMany(3);
    dispatcher = world.startDispatcher();
    await untilAnswered(3);
    const [request] = await world.requests(company.nif);
    const message = join(folder, 'mensaje.xml');
    await writeFile(message, request?.peticion ?? '');
    expect(await runVerificar(message)).toMatchObject({ code: 0 });

    await writeFile(message, (request?.peticion ?? '').replace('>121.00<', '>121.01<'));
    const changed = await runVerificar(message);
    expect(changed.code).toBe(1);
    expect(changed.output).toContain(`se rompe en la factura ${numbers[0]}`);

    expect(await runVerificar(join(folder, 'nada.xml'))).toMatchObject({ code: 2 });
    expect(await runVerificar()).toMatchObject({ code: 2 });
  });
});
