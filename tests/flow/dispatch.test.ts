import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ConciliarRegistrosAnswer } from '../../src/contract/evidence.ts';
import { type ConexionAEAT, InvoiceDraft } from '../../src/contract/invoices.ts';
import { AeatClient } from '../../src/dispatch/aeat-client.ts';
import { readAnswer } from '../../src/dispatch/answer.ts';
import type { Dispatcher } from '../../src/dispatch/loop.ts';
import { createPace, UNPACED } from '../../src/dispatch/pace.ts';
import { takeTurn } from '../../src/dispatch/turn.ts';
import type { TurnDeps } from '../../src/dispatch/turn-deps.ts';
import { addDays } from '../../src/domain/dates.ts';
import type { RespuestaLinea } from '../../src/domain/verifactu/respuesta.ts';
import { openCertificate } from '../../src/operations/open-certificate.ts';
import { registerInvoices } from '../../src/operations/register-invoices.ts';
import {
  claimLease,
  countWaiting,
  endTurnUnderWay,
  failTurn,
  findDespacho,
  findDue,
  renewLease,
} from '../../src/store/despachos.ts';
import {
  applyVerdicts,
  hasEarlierCopy,
  type InvoiceVerdict,
  insertEnvio,
} from '../../src/store/envios.ts';
import { unpackMessage } from '../../src/store/packed-message.ts';
import { type RegistroSent, registrosAfter } from '../../src/store/registros.ts';
import { readServiceState } from '../../src/store/service-state.ts';
import { sendFromOtherProgram } from '../support/other-program.ts';
import { randomDni } from '../support/random-nif.ts';
import {
  draftOf,
  expectOk,
  type HeldRegistro,
  monthOf,
  openWorldWithCompany,
  type TestCompany,
  untilTrue,
  type World,
} from '../support/world.ts';

let world: World;
let company: TestCompany;
let dispatcher: Dispatcher | null = null;

beforeEach(async () => {
  ({ world, company } = await openWorldWithCompany());
});
afterEach(async () => {
  await dispatcher?.stop(0);
  dispatcher = null;
  await world.close();
});

/** Checks that everything of ours is at the AEAT, in our order, each with the huella and the link that we made. */
async function expectSameOnBothSides(): Promise<HeldRegistro[]> {
  const ours = await world.sql<
    { num_serie_factura: string; huella: string; huella_anterior: string }[]
  >`
    select num_serie_factura, huella, huella_anterior
      from registros where company_id = ${company.id} order by seq`;
  const held = await untilTrue(
    () => world.held(company.nif),
    (rows) => rows.length >= ours.length,
  );
  expect(held.map((row) => [row.NumSerieFactura, row.Huella, row.HuellaAnterior])).toEqual(
    ours.map((row) => [row.num_serie_factura, row.huella, row.huella_anterior]),
  );
  return held;
}

async function conexion(): Promise<ConexionAEAT> {
  return expectOk(await company.call<ConexionAEAT>('GET', '/api/GetData/GetConexionAEAT'));
}

/** Waits until a message has been made, and is on its way to the AEAT or there. */
async function untilUnderWay(): Promise<void> {
  await untilTrue(
    () =>
      world.sql`select 1 from despachos where company_id = ${company.id} and envio_id is not null`,
    (rows) => rows.length === 1,
  );
}

/** Ends the lease of the turn under way, and the wait after it, until another dispatcher has taken the turn. */
async function untilTaken(): Promise<void> {
  const [{ token = '' } = {}] = await world.sql<{ token: string }[]>`
    select lease_token::text as token from despachos where company_id = ${company.id}`;
  dispatcher = world.startDispatcher();
  // The slow one goes on renewing its lease, until the other takes the turn.
  await untilTrue(
    () => world.sql`
      update despachos set lease_until = now() - interval '1 hour'
       where company_id = ${company.id} and lease_token = ${token}
   returning 1`,
    (rows) => rows.length === 0,
  );
}

async function untilAccepted(count: number): Promise<void> {
  await untilTrue(conexion, (c) => c.aceptadas === count && c.enEspera === 0);
}

/** The titles in the story on the invoice's page, with the text where it matters. */
async function storyOf(No: string): Promise<string[]> {
  const { historia } = await company.detailOf(No);
  return historia.map(({ titulo, detalle }) =>
    detalle && /sin respuesta|Aceptada/.test(titulo) ? `${titulo}: ${detalle}` : titulo,
  );
}

/** Breaks what our own check of the structure would not let through: the stored XML of a registro loses a block. */
async function spoil(number: string): Promise<void> {
  await world.sql`alter table registros disable trigger user`;
  await world.sql`
    update registros set xml = regexp_replace(xml, '<sum1:Desglose>.*</sum1:Desglose>', '')
     where company_id = ${company.id} and num_serie_factura = ${number}`;
  await world.sql`alter table registros enable trigger user`;
}

/** The part of an invoice's status that its row shows. */
function saidOf({ status, errorMessage, errorCode, CSV }: InvoiceVerdict) {
  return { status, errorMessage, errorCode, CSV };
}

/** Registros as they go into a message. */
async function sentOf(numbers: readonly string[]): Promise<[RegistroSent, RegistroSent]> {
  const rows = await registrosAfter(world.sql, company.id, 0n, numbers.length);
  return rows.map(({ registro }) => registro) as [RegistroSent, RegistroSent];
}

function lineOf(
  { NumSerieFactura, FechaExpedicionFactura, TipoRegistro }: RegistroSent,
  EstadoRegistro: RespuestaLinea['EstadoRegistro'],
  CodigoErrorRegistro?: number,
): RespuestaLinea {
  return {
    IDEmisorFactura: company.nif,
    NumSerieFactura,
    FechaExpedicionFactura,
    TipoOperacion: TipoRegistro,
    EstadoRegistro,
    ...(CodigoErrorRegistro && { CodigoErrorRegistro }),
  };
}

/** How an answer with these lines is read, if the AEAT holds what the simulated one does. */
async function read(
  registros: readonly RegistroSent[],
  lineas: readonly RespuestaLinea[],
  failures = 0,
  isCopy = failures > 0,
) {
  const certificate = await openCertificate(world.deps, company.id);
  if (!certificate) throw new Error('The company has no certificate.');
  const client = new AeatClient(world.runtime);
  try {
    const deps = { ...world.deps, client, pace: createPace(), signal: AbortSignal.timeout(60_000) };
    const sender = { companyId: company.id, certificate, esDemo: true };
    return await readAnswer(
      deps,
      sender,
      registros,
      { lineas },
      { failures, isCopy: async () => isCopy },
    );
  } finally {
    await client.close();
  }
}

/** Uploads another certificate of the company. */
async function replaceCertificate(): Promise<void> {
  const p12 = await world.control(`/desarrollo/certificado?nif=${company.nif}&nombre=Otro`);
  expectOk(
    await company.call('POST', '/api/PostData/UpdateCertificate', {
      Certificate: Buffer.from(await p12.arrayBuffer()).toString('base64'),
      Password: 'prueba',
    }),
  );
}

/** Ends the pause before the next attempt, as if its time had come. */
async function skipWait(): Promise<void> {
  world.advanceClock(60);
}

describe('dispatch', () => {
  it('sends what waits in order, in one message, and stores the answer line by line', async () => {
    await company.registerMany(3);
    dispatcher = world.startDispatcher();
    await untilAccepted(3);
    await expectSameOnBothSides();
    expect(await world.requests(company.nif)).toHaveLength(1);
    const [envio] = await world.sql<{ csv: string; estado_envio: string }[]>`
      select csv, estado_envio from envios where company_id = ${company.id}`;
    expect(envio).toMatchObject({ estado_envio: 'Correcto', csv: expect.stringMatching(/^A-/) });
  });

  it('measures the wait from the oldest unanswered registro, and as late only if nothing else holds it back', async () => {
    const waiting = () => countWaiting(world.sql, world.deps.clock(), { areDemosApart: false });
    const { invoiceDate } = draftOf(company.customerNo, world.deps.clock());
    const [answered] = (await company.registerMany(1)) as [string];
    await world.behave({ latenciaMs: 60_000, rechazar: { [answered]: 1153 } });
    const client = new AeatClient(world.runtime);
    const turn = takeTurn(
      { ...world.deps, client, pace: createPace(), signal: AbortSignal.timeout(60_000) },
      company.id,
    );
    await untilUnderWay();
    world.advanceClock(600);
    const later = world.deps.clock();
    await company.registerMany(1);
    await world.behave({ latenciaMs: 0 });
    expect(await turn).toBe(true);
    await client.close();

    const [row] = await world.sql<{ waiting_since: Date }[]>`
      select waiting_since from despachos where company_id = ${company.id}`;
    expect(row?.waiting_since.getTime()).toBeGreaterThanOrEqual(later.getTime() - 1_000);
    // The first was refused: the second waits until somebody corrects it.
    expect(await waiting()).toEqual({ pendientes: 1, since: null });
    await world.behave({ rechazar: { [answered]: 0 } });
    expectOk(await company.register({ notas: 'corregida', draftNo: answered, invoiceDate }));
    expect(await waiting()).toEqual({ pendientes: 2, since: row?.waiting_since });
    await world.sql`
      update certificates set valido_hasta = ${later} where company_id = ${company.id}`;
    expect(await waiting()).toEqual({ pendientes: 2, since: null });
  });

  it('does not renew a turn that has ended, or that another dispatcher has: the next one begins', async () => {
    await company.registerMany(1);
    const claim = async (leaseSeconds: number) => {
      const lease = await claimLease(
        world.sql,
        company.id,
        world.deps.aheadSeconds(),
        leaseSeconds,
      );
      if (!lease) throw new Error('Somebody else has it.');
      return lease;
    };
    const ended = await claim(60);
    expect(await renewLease(world.sql, ended, 60)).toBe(true);
    const now = world.deps.clock();
    const end = { failures: 0, lastError: null, nextEnvioAt: now, endedAt: now };
    await failTurn(world.sql, ended, end);
    expect(await renewLease(world.sql, ended, 60)).toBe(false);
    const lost = await claim(-1);
    const taken = await claim(60);
    expect(await renewLease(world.sql, lost, -1)).toBe(false);
    expect(await renewLease(world.sql, taken, 60)).toBe(true);
    await endTurnUnderWay(world.sql, company.id);
    dispatcher = world.startDispatcher();
    await untilAccepted(1);
  });

  it('repeats a message whose process died once the wait of the AEAT is over, not before', async () => {
    await company.registerMany(1);
    await world.behave({ latenciaMs: 60_000 });
    const dead = new AbortController();
    const client = new AeatClient(world.runtime);
    void takeTurn({ ...world.deps, client, pace: UNPACED, signal: dead.signal }, company.id);
    await untilUnderWay();
    // As if it had died on the way, so many seconds ago: its lease is not renewed any more.
    const died = (secondsAgo: number) => world.sql`
      update despachos
         set lease_token = lease_token + 1, wait_seconds = 60,
             lease_until = now() - make_interval(secs => ${secondsAgo})
       where company_id = ${company.id}`;
    const due = () => findDue(world.sql, world.deps.aheadSeconds(), 10);
    const claim = () => claimLease(world.sql, company.id, world.deps.aheadSeconds(), 4);
    await died(10);
    expect(await due()).toEqual([]);
    expect(await claim()).toBeNull();
    await died(61);
    expect(await due()).toEqual([company.id]);
    await world.behave({ latenciaMs: 0 });
    dispatcher = world.startDispatcher();
    await untilAccepted(1);
    dead.abort();
    await client.close();
    await expectSameOnBothSides();
  });

  it('takes a turn that was taken before the clock of the database was set back', async () => {
    await company.registerMany(1);
    await world.sql`
      update despachos set lease_until = now() + interval '1 day' where company_id = ${company.id}`;
    dispatcher = world.startDispatcher();
    await untilAccepted(1);
  });

  it('gives up a turn that does not end, and takes another', async () => {
    await company.registerMany(2);
    const client = new AeatClient(world.runtime);
    const turnDeps = {
      ...world.deps,
      client,
      pace: createPace(),
      signal: AbortSignal.timeout(60_000),
    };
    await world.sql.begin(async (tx) => {
      await tx`lock table certificates`;
      await expect(takeTurn(turnDeps, company.id, 200)).rejects.toThrow('no answer in time');
      expect(await findDue(world.sql, world.deps.aheadSeconds(), 10)).toEqual([]);
      world.advanceClock(40);
      expect(await findDue(world.sql, world.deps.aheadSeconds(), 10)).toEqual([company.id]);
    });
    dispatcher = world.startDispatcher();
    await untilAccepted(2);
    await expectSameOnBothSides();
    await client.close();
  });

  describe('turns that fail', () => {
    let failing: TestCompany[];
    let healthy: TestCompany;

    beforeEach(async () => {
      const others = Array.from({ length: 7 }, () => world.signUp());
      failing = [company, ...(await Promise.all(others))];
      healthy = await world.signUp();
      for (const one of [...failing, healthy]) expectOk(await one.register());
    });

    const postsOfFailing = async () =>
      Promise.all(failing.map(async ({ nif }) => (await world.requests(nif)).length));
    const ONCE_EACH = Array.from({ length: 8 }, () => 1);
    const untilAnswered = (one: TestCompany, count: number) =>
      untilTrue(
        () => world.held(one.nif),
        (rows) => rows.length === count,
      );

    /** Refuses to record failures of companies, as a database without disk space would, or one that is away. */
    async function refuse(change: string, errcode = '53100'): Promise<void> {
      await world.sql.unsafe(`
        create function refuse() returns trigger language plpgsql as $$
        begin raise exception 'no room' using errcode = '${errcode}'; end $$;
        create trigger refuse before ${change} for each row
          when (new.company_id <> ${healthy.id}) execute function refuse()`);
    }

    it('are tried at growing intervals, are reported, and hold nobody else back', async () => {
      await refuse('insert on envio_intentos');
      dispatcher = world.startDispatcher();
      await untilAnswered(healthy, 1);
      const noted = await untilTrue(
        () => world.sql<{ failures: number; due: Date }[]>`
          select failures, next_envio_at as due from despachos where failures > 0`,
        ({ length }) => length === failing.length,
      );
      expect(noted.every(({ failures }) => failures === 1)).toBe(true);
      expect(await postsOfFailing()).toEqual(ONCE_EACH);
      expect(await findDue(world.sql, world.deps.aheadSeconds() + 5, 50)).toEqual([]);
      expect(await conexion()).toMatchObject({
        estado: 'sin-conexion',
        enEspera: 1,
        mensaje: expect.stringContaining('vuelve a intentar'),
      });
      expect(
        (await readServiceState(world.sql, world.deps.clock(), { areDemosApart: false })).failing,
      ).toBe(8);

      await world.sql`drop function refuse cascade`;
      world.advanceClock(40);
      await untilAccepted(1);
      await expectSameOnBothSides();
    });

    it('hold nobody back and are not repeated at once, even if that cannot be recorded', async () => {
      await refuse('insert on envio_intentos');
      await world.sql.unsafe(`
        create trigger refuse before update of failures on despachos for each row
          when (new.company_id <> ${healthy.id}) execute function refuse()`);
      dispatcher = world.startDispatcher();
      await untilAnswered(healthy, 1);
      await untilTrue(postsOfFailing, (posts) => posts.every((count) => count === 1));
      await world.sql`update despachos set lease_until = null where company_id <> ${healthy.id}`;
      expectOk(await healthy.register());
      await untilAnswered(healthy, 2);
      expect(await postsOfFailing()).toEqual(ONCE_EACH);
    });

    it('wait as long as the AEAT asked for in the answer that could not be stored', async () => {
      await world.behave({ tiempoEspera: 600 });
      await refuse('insert on respuestas');
      dispatcher = world.startDispatcher();
      const noted = await untilTrue(
        () => world.sql<{ seconds: number }[]>`
          select extract(epoch from next_envio_at - next_envio_set_at)::float8 as seconds
            from despachos where failures > 0`,
        ({ length }) => length === failing.length,
      );
      for (const { seconds } of noted) expect(seconds).toBeGreaterThan(300);
    });

    it('wait as long if the database was away, which is tried again soon otherwise', async () => {
      await world.behave({ tiempoEspera: 60 });
      await refuse('insert on respuestas', '57P01');
      await world.sql.unsafe(`
        create trigger refuse before update of failures on despachos for each row
          when (new.company_id <> ${healthy.id}) execute function refuse()`);
      dispatcher = world.startDispatcher();
      await untilTrue(postsOfFailing, (posts) => posts.every((count) => count === 1));
      await sleep(8_000); // The lease of the failed turn lasts four seconds.
      expect(await postsOfFailing()).toEqual(ONCE_EACH);
    });
  });

  it.each(['cortar-antes', 'http-503', 'fault', 'xml-roto'] as const)(
    'sends the same bytes again when the AEAT fails with «%s» before storing',
    async (modo) => {
      await company.registerMany(2);
      await world.behave({ modo, fallos: 1 });
      dispatcher = world.startDispatcher();
      await untilTrue(conexion, (c) => c.estado === 'sin-conexion');
      expect(await conexion()).toMatchObject({ enEspera: 2, mensaje: expect.any(String) });
      await skipWait();
      await untilAccepted(2);
      await expectSameOnBothSides();
      const [envio] = await world.sql<{ intentos: number; envios: number }[]>`
        select count(*)::int as intentos, count(distinct envio_id)::int as envios
          from envio_intentos where company_id = ${company.id}`;
      expect(envio).toEqual({ intentos: 2, envios: 1 });
    },
  );

  it('keeps a message without an answer while the certificate is no good, and then sends it', async () => {
    await company.registerMany(1);
    await world.behave({ modo: 'http-503', fallos: 1 });
    const client = new AeatClient(world.runtime);
    const { signal } = new AbortController();
    const turn = () => takeTurn({ ...world.deps, client, signal, pace: UNPACED }, company.id);
    expect(await turn()).toBe(true);
    const unanswered = await findDespacho(world.sql, company.id);
    expect(unanswered).toMatchObject({ failures: 1, envioId: expect.any(BigInt) });

    const [{ end } = {}] = await world.sql<{ end: Date }[]>`
      select valido_hasta as end from certificates where company_id = ${company.id}`;
    const until = (day: Date) =>
      world.sql`update certificates set valido_hasta = ${day} where company_id = ${company.id}`;
    // Not by the clock: a registro that is late goes in another message.
    const makeDue = () =>
      world.sql`update despachos set next_envio_at = now() where company_id = ${company.id}`;
    await until(world.deps.clock());
    await makeDue();
    expect(await turn()).toBe(true);
    expect(await findDespacho(world.sql, company.id)).toMatchObject({
      failures: 2,
      lastError: expect.stringContaining('ha caducado'),
      envioId: unanswered?.envioId,
    });
    expect(await world.requests(company.nif)).toHaveLength(1);

    await until(end as Date);
    await makeDue();
    expect(await turn()).toBe(true);
    await client.close();
    const [first, again] = await world.requests(company.nif);
    expect(again?.peticion).toBe(first?.peticion);
    await untilAccepted(1);
  });

  it('asks for answers that are not compressed, as they may be for whoever does not say', async () => {
    await company.registerMany(2);
    await world.behave({ modo: 'comprimir' });
    dispatcher = world.startDispatcher();
    await untilAccepted(2);
  });

  it('treats silence as no answer, and sends the same bytes again after the wait of the AEAT', async () => {
    await company.registerMany(2);
    await world.sql`update despachos set wait_seconds = 900 where company_id = ${company.id}`;
    await world.behave({ modo: 'silencio', fallos: 1 });
    dispatcher = world.startDispatcher(500);
    const silent = await untilTrue(conexion, (c) => c.estado === 'sin-conexion');
    expect(silent).toMatchObject({ enEspera: 2, mensaje: 'La AEAT no ha respondido a tiempo.' });
    // It may have taken the message: 30 s, as after a failure to connect, would be too early for the next one.
    const [despacho] = await world.sql<{ rest: number }[]>`
      select extract(epoch from next_envio_at - next_envio_set_at)::int as rest
        from despachos where company_id = ${company.id}`;
    expect(despacho?.rest).toBeGreaterThan(600);
    world.advanceClock(900);
    await untilAccepted(2);
    await expectSameOnBothSides();
  });

  it.each([
    ['', false],
    [' (without the block that tells their state)', true],
  ])(
    'understands the duplicates when the AEAT stored them and the answer was lost%s',
    async (_, sinRegistroDuplicado) => {
      await world.behave({ sinRegistroDuplicado });
      const [first = ''] = await company.registerMany(3);
      await world.behave({ modo: 'cortar-despues', fallos: 1 });
      dispatcher = world.startDispatcher();
      await untilTrue(conexion, (c) => c.estado === 'sin-conexion');
      await skipWait();
      await untilAccepted(3);
      const held = await expectSameOnBothSides();
      expect(held).toHaveLength(3);
      const respuestas = await world.sql<{ es_duplicado: boolean }[]>`
      select es_duplicado from respuestas where company_id = ${company.id}`;
      expect(respuestas.every((row) => row.es_duplicado)).toBe(true);
      // The repeated message has a CSV, but none of these registros belongs to it.
      expect(await storyOf(first)).toEqual([
        'Borrador creado',
        'Registrada, eslabón 1 de la cadena',
        'Envío sin respuesta: La conexión con la AEAT se ha cortado.',
        'Enviada a la AEAT',
        expect.stringMatching(/^Aceptada por la AEAT: La AEAT ya la tenía/),
      ]);
      await world.behave({ sinRegistroDuplicado: false });
    },
  );

  it('looks up what entered before an answer was lost in the month of its operation', async () => {
    const { Ejercicio, Periodo } = monthOf(world.deps.clock());
    const monthBefore = addDays(`${Ejercicio}-${Periodo}-01`, -1);
    expectOk(await company.register({ fechaOperacion: monthBefore }));
    expectOk(await company.register());
    await world.behave({ modo: 'cortar-despues', fallos: 1 });
    dispatcher = world.startDispatcher();
    await untilTrue(conexion, (c) => c.estado === 'sin-conexion');
    await skipWait();
    await untilAccepted(2);
    expect(await expectSameOnBothSides()).toHaveLength(2);
  });

  it('stores the answer for each registro, alike or not, unless a later one is on its way', async () => {
    await company.registerMany(4);
    const registros = await registrosAfter(world.sql, company.id, 0n, 10);
    expect(registros.map(({ registro }) => registro)).toEqual(
      await world.sql`
        select seq, invoice_id as "invoiceId", tipo_registro as "TipoRegistro", huella as "Huella",
               num_serie_factura as "NumSerieFactura", fecha_expedicion_factura as "FechaExpedicionFactura",
               date_trunc('milliseconds', generated_at) as "generatedAt", subsanacion as "Subsanacion",
               null as "FechaOperacion"
          from registros where company_id = ${company.id} order by seq`,
    );
    const [accepted, admitted, refused, outdated] = registros.map(({ registro }) => registro);
    if (!accepted || !admitted || !refused || !outdated) throw new Error('Not four of them.');
    const { invoiceId, seq } = outdated;
    const apart = [
      { ...accepted, status: 'Registrada', errorMessage: null, errorCode: null, CSV: 'A-1' },
      {
        ...admitted,
        status: 'Aceptado con errores',
        errorMessage: 'x',
        errorCode: 2001,
        CSV: 'A-1',
      },
      { ...refused, status: 'Rechazado', errorMessage: 'y', errorCode: 1118, CSV: null },
      {
        invoiceId,
        seq: seq - 1n,
        status: 'Registrada',
        errorMessage: null,
        errorCode: null,
        CSV: 'A-1',
      },
    ] as const;
    const alike = apart.map((verdict) => ({ ...verdict, ...saidOf(apart[1]) }));
    const standing = () => world.sql`
      select status, error_message as "errorMessage", error_code as "errorCode", csv as "CSV"
        from invoices where company_id = ${company.id} order by id`;
    const waiting = { status: 'En espera', errorMessage: null, errorCode: null, CSV: null };
    await applyVerdicts(world.sql, company.id, apart);
    expect(await standing()).toEqual([...apart.slice(0, 3).map(saidOf), waiting]);
    await applyVerdicts(world.sql, company.id, alike);
    const admittedAll = saidOf(apart[1]);
    expect(await standing()).toEqual([admittedAll, admittedAll, admittedAll, waiting]);
    await applyVerdicts(world.sql, company.id, []);
    expect(await standing()).toEqual([admittedAll, admittedAll, admittedAll, waiting]);
  });

  it('counts a subsanación and an anulación once that entered twice because an answer was lost', async () => {
    const [mended, annulled] = await company.registerMany(2);
    await world.behave({ aceptarConErrores: { [mended as string]: 2005 } });
    dispatcher = world.startDispatcher();
    await untilTrue(conexion, (c) => c.aceptadas === 2 && c.teNecesitan === 1);
    await dispatcher.stop();
    await world.behave({ aceptarConErrores: { [mended as string]: 0 } });
    expectOk(await company.register({ notas: 'corregida', draftNo: mended }));
    expectOk(
      await company.call('POST', '/api/PostData/AnularFactura', { No: annulled, motivo: 'Prueba' }),
    );

    await world.behave({ modo: 'cortar-despues', fallos: 1 });
    dispatcher = world.startDispatcher();
    await untilTrue(conexion, (c) => c.estado === 'sin-conexion');
    await skipWait();
    await untilAccepted(2);
    // The matrix of the FAQ 1.3 lets both in again: the AEAT saw six registros, which are four.
    const held = await world.held(company.nif);
    expect(held).toHaveLength(6);
    expect(held.slice(4).map((row) => row.Huella)).toEqual(
      held.slice(2, 4).map((row) => row.Huella),
    );
    const answers = await world.sql`
      select seq, estado_registro from respuestas where company_id = ${company.id} order by seq`;
    expect(answers.map((row) => row.estado_registro)).toEqual([
      'AceptadoConErrores',
      'Correcto',
      'Correcto',
      'Correcto',
    ]);
    expect(await conciliado()).toMatchObject({ iguales: 2, distintos: [], soloAEAT: [] });
  });

  it('distinguishes a true clash of numbers from a lost answer', async () => {
    const [number] = await company.registerMany(1);
    // Another installation has already sent that number: the AEAT holds it with another huella.
    await registerElsewhere(number as string);
    dispatcher = world.startDispatcher();
    await untilTrue(conexion, (c) => c.teNecesitan === 1);
    const [invoice] = await world.sql<{ status: string; error_code: number }[]>`
      select status, error_code from invoices where company_id = ${company.id}`;
    expect(invoice).toEqual({ status: 'Rechazado', error_code: 3000 });
  });

  it('matches the lines of an answer in another order, and believes none that are not its own', async () => {
    const [first, second] = await sentOf(await company.registerMany(2));
    const lineas = [first, second].map((registro) => lineOf(registro, 'Correcto'));
    const statusesOf = async (given: readonly RespuestaLinea[]) => {
      const reading = await read([first, second], given);
      return reading.kind === 'read'
        ? reading.verdicts.map(({ seq, status }) => [seq, status])
        : reading.kind;
    };
    const refused = lineOf(second, 'Incorrecto', 1153);
    expect(await statusesOf([refused, lineas[0] as RespuestaLinea])).toEqual([
      [first.seq, 'Registrada'],
      [second.seq, 'Rechazado'],
    ]);
    expect(await statusesOf([refused, refused])).toBe('unclear');
    const elsewhen = { ...(lineas[0] as RespuestaLinea), FechaExpedicionFactura: '01-01-2020' };
    expect(await statusesOf([refused, elsewhen])).toBe('unclear');
  });

  it('asks again about a duplicate that the AEAT does not show, before treating it as a clash', async () => {
    const [registro] = await sentOf(await company.registerMany(1));
    const named = { IdPeticionRegistroDuplicado: '1', EstadoRegistroDuplicado: 'Correcta' };
    const linea = lineOf(registro, 'Incorrecto', 3000);
    const duplicate = [{ ...linea, RegistroDuplicado: named }];
    expect(await read([registro], duplicate, 2)).toMatchObject({
      kind: 'unclear',
      cause: expect.stringContaining('no lo enseña todavía'),
    });
    expect(await read([registro], duplicate, 3)).toMatchObject({
      verdicts: [{ status: 'Rechazado', errorCode: 3000 }],
    });
    // If the AEAT names nothing, it may still be the copy whose answer was lost.
    expect(await read([registro], [linea])).toMatchObject({ kind: 'read' });
    expect(await read([registro], [linea], 1)).toMatchObject({ kind: 'unclear' });
    // Nobody counts its failures any more after a new certificate.
    expect(await read([registro], [linea], 0, true)).toMatchObject({ kind: 'unclear' });
    expect(await read([registro], [linea], 3)).toMatchObject({ kind: 'read' });
  });

  it('asks again about what entered beside a registro to be repeated', async () => {
    const [first, repeated, third] = (await company.registerMany(3)) as [string, string, string];
    await world.behave({ rechazar: { [repeated]: 1129 }, sinRegistroDuplicado: true });
    let isShown = false;
    class ShownLater extends AeatClient {
      override post(...[who, message, signal]: Parameters<AeatClient['post']>) {
        const text = Buffer.from(message).toString();
        const isHidden = !isShown && text.includes('ConsultaFactuSistemaFacturacion');
        return super.post(who, isHidden ? Buffer.from(text.replace(third, 'X')) : message, signal);
      }
    }
    const client = new ShownLater(world.runtime);
    const { signal } = new AbortController();
    const turnDeps = { ...world.deps, client, signal, pace: UNPACED };
    const statuses = async () => {
      expect(await takeTurn(turnDeps, company.id)).toBe(true);
      const rows = await world.sql<{ doc_no: string; status: string }[]>`
        select doc_no, status from invoices where company_id = ${company.id} order by id`;
      return rows.map(({ doc_no, status }) => [doc_no, status]);
    };
    const some = [
      [first, 'Registrada'],
      [repeated, 'En espera'],
      [third, 'En espera'],
    ];
    expect(await statuses()).toEqual(some);
    await world.behave({ rechazar: { [repeated]: 0 } });
    await skipWait();
    expect(await statuses()).toEqual(some);
    isShown = true;
    world.advanceClock(75);
    expect(await statuses()).toEqual(some.map(([No]) => [No, 'Registrada']));
    await client.close();
  });

  it('says why it could not ask about a duplicate', async () => {
    const [registro] = await sentOf(await company.registerMany(1));
    const duplicate = [lineOf(registro, 'Incorrecto', 3000)];
    const asked = 'No se ha podido comprobar en la AEAT un registro repetido.';
    await world.behave({ modo: 'http-503', fallos: 1 });
    expect(await read([registro], duplicate)).toEqual({
      kind: 'unclear',
      cause: `${asked} La AEAT no está disponible (503).`,
    });
    await world.behave({ modo: 'fault', fallos: 1 });
    expect(await read([registro], duplicate)).toEqual({
      kind: 'unclear',
      cause: expect.stringMatching(/^No se ha podido comprobar .* problema técnico .*AEAT \d+\)$/),
    });
  });

  it('leaves it to the user when an accepted invoice has since been annulled there', async () => {
    const [number = ''] = await company.registerMany(1);
    await world.behave({ modo: 'cortar-despues', fallos: 1 });
    dispatcher = world.startDispatcher();
    await untilTrue(conexion, (c) => c.estado === 'sin-conexion');
    await dispatcher.stop();
    const [registro] = await sentOf([number]);
    const linea = lineOf(registro, 'Incorrecto', 3000);
    const stands = (EstadoRegistroDuplicado: string) => ({
      ...linea,
      RegistroDuplicado: { IdPeticionRegistroDuplicado: '1', EstadoRegistroDuplicado },
    });
    expect(await read([registro], [stands('Correcta')])).toMatchObject({
      verdicts: [{ status: 'Registrada', errorCode: null }],
    });
    expect(await read([registro], [stands('Anulada')])).toMatchObject({
      respuestas: [{ EstadoRegistro: 'Incorrecto', CodigoErrorRegistro: 3001, esDuplicado: true }],
      verdicts: [
        {
          status: 'Rechazado',
          errorCode: 3001,
          errorMessage: expect.stringContaining('ya tiene anulada esta factura'),
        },
      ],
    });
  });

  it('takes a repeated anulación for accepted if the AEAT says that the invoice is annulled, by that very one', async () => {
    const [number = ''] = await company.registerMany(1);
    dispatcher = world.startDispatcher();
    await untilAccepted(1);
    expectOk(await company.annul(number));
    await skipWait();
    await untilTrue(
      () => world.held(company.nif),
      (rows) => rows.length === 2,
    );
    const [, anulacion] = await sentOf([number, number]);
    const linea = lineOf(anulacion, 'Incorrecto', 3001);
    expect(await read([anulacion], [linea], 1)).toMatchObject({
      respuestas: [{ EstadoRegistro: 'Correcto', esDuplicado: true }],
      verdicts: [{ status: 'Anulada', errorCode: null, CSV: null }],
    });
    // Somebody else annulled it.
    const other = { ...anulacion, Huella: 'B'.repeat(64) };
    expect(await read([other], [linea], 1)).toMatchObject({
      verdicts: [{ status: 'Rechazado', errorCode: 3001 }],
    });
    expect(await read([anulacion], [linea])).toMatchObject({
      verdicts: [{ status: 'Rechazado', errorCode: 3001 }],
    });
  });

  it('takes it for accepted too if its copy was made anew, because the AEAT refused the first one meanwhile', async () => {
    const [number] = (await company.registerMany(1)) as [string];
    await world.behave({ rechazar: { [number]: 1153 } });
    dispatcher = world.startDispatcher();
    await untilTrue(conexion, (c) => c.teNecesitan === 1);
    await world.behave({ rechazar: { [number]: 0 }, modo: 'cortar-despues', fallos: 1 });
    expectOk(await company.annul(number));
    await untilTrue(conexion, (c) => c.estado === 'sin-conexion');
    await world.behave({ rechazar: { [company.nif]: 4112 } });
    await skipWait();
    await untilTrue(conexion, (c) => c.estado === 'detenido');
    await world.behave({ rechazar: { [company.nif]: 0, [number]: 3001 } });
    expectOk(await company.call('POST', '/api/PostData/ReintentarEnvio', {}));
    await skipWait();
    await untilTrue(conexion, (c) => c.enEspera === 0);
    const [invoice] = await world.sql`
      select status, error_code from invoices where company_id = ${company.id}`;
    expect(invoice).toEqual({ status: 'Anulada', error_code: null });
  });

  it('goes on after a stop once the wait between two messages is over, not before', async () => {
    const next = async () => {
      const [row] = await world.sql<{ at: Date; detenido: Date | null }[]>`
        select next_envio_at as at, detenido_at as detenido from despachos
         where company_id = ${company.id}`;
      return row;
    };
    await world.sql`
      update despachos set detenido_at = now(), next_envio_at = now() + interval '1 minute'
       where company_id = ${company.id}`;
    const stopped = await next();
    expectOk(await company.call('POST', '/api/PostData/ReintentarEnvio', {}));
    expect(await next()).toEqual({ at: stopped?.at, detenido: null });
  });

  it('knows a message that was made anew by the registros that an earlier one held', async () => {
    const made = async (fromSeq: bigint, toSeq: bigint) => {
      const envio = { fromSeq, toSeq, incidencia: false, esDemo: true, peticion: Buffer.alloc(0) };
      const id = await insertEnvio(world.sql, company.id, envio, world.deps.clock());
      return { ...envio, id, intentos: 0 };
    };
    const envios = [await made(1n, 3n), await made(4n, 5n), await made(3n, 3n)];
    const areCopies = envios.map((envio) => hasEarlierCopy(world.sql, company.id, envio));
    expect(await Promise.all(areCopies)).toEqual([false, false, true]);
  });

  it('reports a refusal by the AEAT without a code', async () => {
    const [registro] = await sentOf(await company.registerMany(1));
    const linea = { ...lineOf(registro, 'Incorrecto'), DescripcionErrorRegistro: 'No vale.' };
    expect(await read([registro], [linea])).toMatchObject({
      verdicts: [
        {
          errorMessage:
            'La AEAT no lo ha dado por bueno y no dice con qué código. La AEAT dice: «No vale». Si no sabes qué hacer, escríbenos desde Ayuda y soporte.',
        },
      ],
    });
  });

  it('goes on after a stop in the middle of an exchange, without losing or repeating anything', async () => {
    await company.registerMany(4);
    await world.behave({ modo: 'silencio', fallos: 1 });
    dispatcher = world.startDispatcher();
    await untilUnderWay();
    await dispatcher.stop(0);
    await world.behave({ modo: 'normal', fallos: 0 });
    await world.sql`
      update despachos set lease_until = now() - interval '1 second' where company_id = ${company.id}`;
    expect(await findDue(world.sql, world.deps.aheadSeconds(), 10)).toEqual([]);
    await world.sql`
      update despachos set lease_until = now() - interval '1 hour' where company_id = ${company.id}`;
    dispatcher = world.startDispatcher();
    await untilAccepted(4);
    await expectSameOnBothSides();
  });

  it('leaves its message to another dispatcher once its lease has ended, without repeating anything', async () => {
    await company.registerMany(2);
    await world.behave({ latenciaMs: 60_000 });
    const slow = world.startDispatcher();
    await untilUnderWay();
    await untilTaken();
    await world.behave({ latenciaMs: 0 });
    await untilAccepted(2);
    await slow.stop();
    const held = await expectSameOnBothSides();
    expect(held).toHaveLength(2);
    const answers = await world.sql`select 1 from respuestas where company_id = ${company.id}`;
    expect(answers).toHaveLength(2);
  });

  it.each(['normal', 'http-503'] as const)(
    'writes nothing of an answer («%s») that comes once another dispatcher has ended the turn',
    async (modo) => {
      await company.registerMany(1);
      await world.behave({ modo, fallos: 1 });
      let ended: unknown;
      class LateClient extends AeatClient {
        override async post(...message: Parameters<AeatClient['post']>) {
          const outcome = await super.post(...message);
          await untilTaken();
          await untilAccepted(1);
          ended = await findDespacho(world.sql, company.id);
          return outcome;
        }
      }
      const client = new LateClient(world.runtime);
      const { signal } = new AbortController();
      expect(await takeTurn({ ...world.deps, client, signal, pace: UNPACED }, company.id)).toBe(
        true,
      );
      await client.close();
      expect(ended).toMatchObject({ enviadoHasta: 1n, failures: 0, waitingSince: null });
      expect(await findDespacho(world.sql, company.id)).toEqual(ended);
      const attempts =
        await world.sql`select 1 from envio_intentos where company_id = ${company.id}`;
      expect(attempts).toHaveLength(1);
    },
  );

  it.each(['before', 'once'] as const)(
    'sends nothing any more in a turn that it lost %s its message was stored',
    async (when) => {
      await company.registerMany(1);
      const client = new AeatClient(world.runtime);
      const untilSent = async () => {
        await untilTaken();
        await untilAccepted(1);
      };
      const standingStill: TurnDeps = {
        ...world.deps,
        client,
        signal: AbortSignal.timeout(60_000),
        // It stands still until another dispatcher has sent it.
        pace: {
          ...UNPACED,
          async work(_, piece) {
            if (when === 'before') await untilSent();
            const made = await piece();
            if (when === 'once') await untilSent();
            return made;
          },
        },
      };
      await takeTurn(standingStill, company.id);
      await client.close();
      expect(await world.requests(company.nif)).toHaveLength(1);
      expect(await world.sql`select 1 from envios where company_id = ${company.id}`).toHaveLength(
        1,
      );
      await expectSameOnBothSides();
    },
  );

  it('lets an old copy of altas arrive late without changing anything at the AEAT', async () => {
    const numbers = await company.registerMany(3);
    dispatcher = world.startDispatcher();
    await untilAccepted(3);
    expectOk(
      await company.call('POST', '/api/PostData/AnularFactura', {
        No: numbers[1],
        motivo: 'Prueba',
      }),
    );
    await skipWait();
    await untilTrue(
      () => world.sql`select 1 from invoices where status = 'Anulada'`,
      (rows) => rows.length === 1,
    );
    const before = await world.held(company.nif);
    // The message of a dispatcher that lost its turn: it arrives there after all this.
    const late = await arriveLate(1);
    expect(late.match(/<[^>]*CodigoErrorRegistro>3000</g)).toHaveLength(3);
    expect(await world.held(company.nif)).toEqual(before);
    expect(await conciliado()).toMatchObject({ iguales: 3, distintos: [], soloAEAT: [] });
  });

  it('sends nothing after a repeated correction while an old copy may arrive, and would notice one', async () => {
    const [number] = (await company.registerMany(1)) as [string];
    await world.behave({ tiempoEspera: 20, aceptarConErrores: { [number]: 2005 } });
    dispatcher = world.startDispatcher();
    await untilTrue(conexion, (c) => c.teNecesitan === 1);
    // The answer to its subsanación is lost, so it is sent twice.
    expectOk(await company.register({ notas: 'primera', draftNo: number }));
    await world.behave({ modo: 'cortar-despues', fallos: 1 });
    await skipWait();
    await untilTrue(conexion, (c) => c.estado === 'sin-conexion');
    await skipWait();
    await untilTrue(conexion, (c) => c.teNecesitan === 1);
    const pause = await world.sql<{ seconds: number }[]>`
      select extract(epoch from d.next_envio_at - max(i.sent_at))::float8 as seconds
        from despachos d join envio_intentos i using (company_id)
       where company_id = ${company.id} group by d.next_envio_at`;
    expect(pause[0]?.seconds).toBeGreaterThanOrEqual(150);

    await world.behave({ aceptarConErrores: { [number]: 0 } });
    expectOk(await company.register({ notas: 'segunda', draftNo: number }));
    world.advanceClock(150);
    await untilAccepted(1);
    expect(await conciliado()).toMatchObject({ iguales: 1, distintos: [] });
    // The matrix accepts a subsanación again over whatever is there (FAQ 1.3).
    await arriveLate(2);
    expect(await conciliado()).toMatchObject({
      iguales: 0,
      distintos: [{ NumSerieFactura: number, motivo: expect.stringContaining('versión anterior') }],
      registroDetenido: false,
    });
  });

  it('lets two dispatchers share several companies without mixing or repeating anything', async () => {
    const others = await Promise.all(
      ['A58818501', 'J99216582', 'B85955367'].map((nif) => world.signUp(nif)),
    );
    const all = [company, ...others];
    await Promise.all(
      all.flatMap((one) => Array.from({ length: 15 }, () => one.register().then(expectOk))),
    );
    dispatcher = world.startDispatcher();
    const second = world.startDispatcher();
    for (const one of all) {
      const held = await untilTrue(
        () => world.held(one.nif),
        (rows) => rows.length >= 15,
      );
      expect(held).toHaveLength(15);
      held.forEach((row, i) => {
        expect(row.HuellaAnterior ?? '').toBe(held[i - 1]?.Huella ?? '');
      });
      // Each was sent by its own company: the AEAT has refused none in a message of another.
      await untilTrue(
        async () => expectOk(await one.call<ConexionAEAT>('GET', '/api/GetData/GetConexionAEAT')),
        ({ aceptadas, enEspera }) => aceptadas === 15 && enEspera === 0,
      );
    }
    await second.stop();
  });

  it('waits as long as TiempoEsperaEnvio says, by the clock of the application', async () => {
    await world.behave({ tiempoEspera: 60 });
    dispatcher = world.startDispatcher();
    await company.registerMany(1);
    await untilAccepted(1);
    await company.registerMany(1);
    const waiting = await conexion();
    expect(waiting.enEspera).toBe(1);
    const nextAt = new Date(waiting.proximoEnvio ?? 0).getTime();
    expect(nextAt - world.deps.clock().getTime()).toBeGreaterThan(30_000);
    expect(await findDue(world.sql, world.deps.aheadSeconds(), 10)).toEqual([]);
    // Nor is it taken by whoever saw it due before that wait.
    expect(await claimLease(world.sql, company.id, world.deps.aheadSeconds(), 60)).toBeNull();
    expect(await findDue(world.sql, world.deps.aheadSeconds() + 60, 10)).toEqual([company.id]);
    world.advanceClock(61);
    await world.behave({ reloj: 61 });
    await untilAccepted(2);
    await expectSameOnBothSides();
  });

  it.each([-300, 300])(
    'waits as long after the message of a dispatcher whose clock is %i seconds off',
    async (seconds) => {
      await world.behave({ tiempoEspera: 60 });
      await company.registerMany(1);
      const client = new AeatClient(world.runtime);
      const turnDeps = {
        ...world.deps,
        client,
        pace: UNPACED,
        signal: AbortSignal.timeout(60_000),
      };
      const clock = () => new Date(world.deps.clock().getTime() + seconds * 1000);
      expect(await takeTurn({ ...turnDeps, clock }, company.id)).toBe(true);
      await company.registerMany(1);
      expect(await takeTurn({ ...turnDeps, clock }, company.id)).toBe(false);
      expect(await takeTurn(turnDeps, company.id)).toBe(false);
      expect(await findDue(world.sql, world.deps.aheadSeconds(), 10)).toEqual([]);
      world.advanceClock(61);
      expect(await takeTurn(turnDeps, company.id)).toBe(true);
      await client.close();
      await expectSameOnBothSides();
    },
  );

  it.each([
    ['answered', -3600],
    ['answered', 3600],
    ['refused', -3600],
    ['refused', 3600],
  ] as const)(
    'waits as long after a message, %s, during which the clock is set by %i seconds',
    async (outcome, seconds) => {
      await world.behave({ tiempoEspera: 600 });
      const [number = ''] = await company.registerMany(1);
      if (outcome === 'refused') await spoil(number);
      await world.sql`update despachos set wait_seconds = 600 where company_id = ${company.id}`;
      let offset = 0;
      class ClockSetMeanwhile extends AeatClient {
        override async post(...message: Parameters<AeatClient['post']>) {
          const answer = await super.post(...message);
          offset = seconds;
          return answer;
        }
      }
      const client = new ClockSetMeanwhile(world.runtime);
      const clock = () => new Date(world.deps.clock().getTime() + offset * 1000);
      const signal = AbortSignal.timeout(60_000);
      expect(
        await takeTurn({ ...world.deps, clock, client, pace: UNPACED, signal }, company.id),
      ).toBe(true);
      await client.close();
      expect(offset).toBe(seconds);
      const [sent] = await world.sql`
        select outcome from envio_intentos where company_id = ${company.id}`;
      expect(sent).toEqual({ outcome: outcome === 'refused' ? 'fault' : 'answered' });
      const [wait] = await world.sql<{ seconds: number }[]>`
        select extract(epoch from next_envio_at - next_envio_set_at)::float8 as seconds
          from despachos where company_id = ${company.id}`;
      // The message and its answer took some of it.
      expect(wait?.seconds).toBeLessThanOrEqual(600);
      expect(wait?.seconds).toBeGreaterThan(0);
    },
  );

  it('does not wait if a full message is ready, and waits with less than that', async () => {
    await world.behave({ tiempoEspera: 60 });
    await world.sql`update companies set subscription_type = 'annual' where id = ${company.id}`;
    const draft = InvoiceDraft.parse(draftOf(company.customerNo, world.deps.clock()));
    for (let batch = 0; batch < 21; batch++) {
      const requests = Array.from({ length: 100 }, () => ({ draft, sendsToCustomer: false }));
      const outcomes = await registerInvoices(world.deps, company.id, requests);
      expect(outcomes.every(({ kind }) => kind === 'registered')).toBe(true);
    }
    dispatcher = world.startDispatcher();
    await untilTrue(conexion, ({ enEspera }) => enEspera <= 100);
    // Asked again: the waiting registros and the time of the next message are two reads, and the answer may come
    // between.
    const waiting = await conexion();
    const nextAt = new Date(waiting.proximoEnvio ?? 0).getTime();
    expect(waiting.enEspera).toBe(100);
    expect(nextAt - world.deps.clock().getTime()).toBeGreaterThan(30_000);
    world.advanceClock(61);
    await world.behave({ reloj: 61 });
    await untilAccepted(2100);
    await expectSameOnBothSides();
    const messages = await world.sql<{ registros: string }[]>`
      select to_seq - from_seq + 1 as registros from envios where company_id = ${company.id} order by id`;
    expect(messages.map(({ registros }) => Number(registros))).toEqual([1000, 1000, 100]);
  });

  it('marks late registros with Incidencia and sends new ones separately', async () => {
    await company.registerMany(2);
    world.advanceClock(600);
    await world.behave({ reloj: 600 });
    await company.registerMany(1);
    dispatcher = world.startDispatcher();
    await untilAccepted(3);
    const held = await expectSameOnBothSides();
    expect(held.map((row) => row.Incidencia)).toEqual(['S', 'S', null]);
    expect(held.every((row) => row.EstadoRegistro === 'Correcto')).toBe(true);
  });

  it('marks with Incidencia what an outage delayed, even if it was first sent in time', async () => {
    await company.registerMany(2);
    await world.behave({ modo: 'http-503', fallos: 1 });
    dispatcher = world.startDispatcher();
    await untilTrue(conexion, ({ estado }) => estado === 'sin-conexion');
    world.advanceClock(600);
    await world.behave({ relojMundo: 600 });
    await untilAccepted(2);
    const held = await expectSameOnBothSides();
    expect(held.map((row) => [row.Incidencia, row.EstadoRegistro])).toEqual([
      ['S', 'Correcto'],
      ['S', 'Correcto'],
    ]);
    // The registros themselves are those of the first time, byte by byte.
    const [late, fresh] = await world.requests(company.nif);
    const registrosIn = (peticion = '') => peticion.replace(/^.*?<\/sum:Cabecera>/s, '');
    expect(registrosIn(late?.peticion)).toBe(registrosIn(fresh?.peticion));
    expect(late?.peticion).not.toBe(fresh?.peticion);
  });

  it('holds later registros back behind a rejected one until it is corrected, and then sends them automatically', async () => {
    const [first = '', second = ''] = await company.registerMany(2);
    await world.behave({ rechazar: { [first]: 1153, [second]: 1153 } });
    dispatcher = world.startDispatcher();
    await untilTrue(conexion, (c) => c.teNecesitan === 2);
    await dispatcher.stop();
    await company.registerMany(2);
    expect(await conexion()).toMatchObject({ estado: 'parado', enEspera: 2 });
    expect(await findDue(world.sql, world.deps.aheadSeconds(), 10)).toEqual([]);
    expect(await world.held(company.nif)).toHaveLength(0);

    await world.behave({ rechazar: { [first]: 0, [second]: 0 } });
    expectOk(await company.register({ notas: 'corregida', draftNo: second }));
    // The other one is left.
    expect(await findDue(world.sql, world.deps.aheadSeconds(), 10)).toEqual([]);
    dispatcher = world.startDispatcher();
    const correction = await company.register({ notas: 'corregida', draftNo: first });
    expect(expectOk(correction).DocNo).toBe(first);
    await untilAccepted(4);
    const held = await world.held(company.nif);
    expect(held.at(-1)).toMatchObject({
      NumSerieFactura: first,
      Subsanacion: 'S',
      RechazoPrevio: 'X',
    });
  });

  it('stays held back behind a rejected one while another invoice is corrected', async () => {
    const [accepted = ''] = await company.registerMany(1);
    await world.behave({ aceptarConErrores: { [accepted]: 2005 } });
    await company.sendAll();
    const [rejected = ''] = await company.registerMany(1);
    await world.behave({ aceptarConErrores: { [accepted]: 0 }, rechazar: { [rejected]: 1153 } });
    await company.sendAll();
    const held = await world.held(company.nif);

    expectOk(await company.register({ notas: 'corregida', draftNo: accepted }));
    expect(await findDue(world.sql, world.deps.aheadSeconds(), 10)).toEqual([]);
    expect(await company.sendAll()).toMatchObject({ estado: 'parado', enEspera: 1 });
    expect(await world.held(company.nif)).toEqual(held);

    await world.behave({ rechazar: { [rejected]: 0 } });
    expectOk(await company.register({ notas: 'corregida', draftNo: rejected }));
    await company.sendAll();
    const after = await world.held(company.nif);
    expect(after.slice(held.length).map((row) => row.NumSerieFactura)).toEqual([
      accepted,
      rejected,
    ]);
  });

  it('stops at a problem that only a person can solve, reports it once, and goes on when told to', async () => {
    await company.registerMany(2);
    await world.behave({ rechazar: { [company.nif]: 4141 } });
    dispatcher = world.startDispatcher();
    const stopped = await untilTrue(conexion, (c) => c.estado === 'detenido');
    expect(stopped).toMatchObject({ enEspera: 2, teNecesitan: 0 });
    expect(stopped.mensaje).toContain('4141');
    expect(stopped.proximoEnvio).toBeUndefined();
    // Registering goes on, but even much later nothing more has been sent.
    expectOk(await company.register());
    world.advanceClock(1200);
    await world.behave({ relojMundo: 1200 });
    dispatcher.wake();
    const due = await findDue(world.sql, world.deps.aheadSeconds(), 10);
    expect(due).toEqual([]);
    expect(await world.requests(company.nif)).toHaveLength(1);
    const metrics = await world.app.inject({ url: '/metricas', remoteAddress: '127.0.0.1' });
    expect(metrics.body).toContain('huella_envios_detenidos 1');

    // Retried with nothing solved, it stops again and no second mail is written.
    const retry = () => company.call('POST', '/api/PostData/ReintentarEnvio', {});
    expectOk(await retry());
    await untilTrue(
      () => world.requests(company.nif),
      (rows) => rows.length === 2,
    );
    await untilTrue(conexion, (c) => c.estado === 'detenido');
    expect(await world.sql`select 1 from mail_jobs where kind = 'envio-detenido'`).toHaveLength(1);

    await world.behave({ rechazar: { [company.nif]: 0 } });
    expectOk(await retry());
    await skipWait();
    await untilAccepted(3);
    await expectSameOnBothSides();
  });

  it('calls whoever sends the mail about a stop once it is queued, and not for a second stop', async () => {
    await company.registerMany(1);
    await world.behave({ rechazar: { [company.nif]: 4141 } });
    const queued: Promise<number>[] = [];
    const wakeMail = () => {
      const mails = world.sql`select 1 from mail_jobs where kind = 'envio-detenido'`;
      queued.push(mails.then(({ length }) => length));
    };
    const client = new AeatClient(world.runtime);
    const { signal } = new AbortController();
    const deps = { ...world.deps, wakeMail, client, signal, pace: UNPACED };
    expect(await takeTurn(deps, company.id)).toBe(true);
    expectOk(await company.call('POST', '/api/PostData/ReintentarEnvio', {}));
    await world.sql`update despachos set next_envio_at = now()`;
    expect(await takeTurn(deps, company.id)).toBe(true);
    await client.close();
    expect(await world.requests(company.nif)).toHaveLength(2);
    expect(await Promise.all(queued)).toEqual([1]);
  });

  it('goes on automatically once the company’s data, unknown to the AEAT, are changed', async () => {
    await company.registerMany(1);
    await world.behave({ rechazar: { [company.nif]: 4104 } });
    dispatcher = world.startDispatcher();
    await untilTrue(conexion, (c) => c.estado === 'detenido');
    await world.behave({ rechazar: { [company.nif]: 0 } });
    const datos = expectOk(await company.call<object>('GET', '/api/GetData/GetDatosEmpresa'));
    expectOk(
      await company.call('POST', '/api/PostData/SetDatosEmpresa2', {
        ...datos,
        Name: 'Talleres Prueba, Sociedad Limitada',
      }),
    );
    await skipWait();
    await untilAccepted(1);
    const [last] = await world.requests(company.nif);
    expect(last?.peticion).toContain('<sum1:NombreRazon>Talleres Prueba, Sociedad Limitada<');
  });

  it.each([
    ['is on its way', { latenciaMs: 60_000, modo: 'normal' }],
    ['has no answer', { modo: 'cortar-antes', fallos: 1 }],
  ] as const)(
    'goes on if the name that the AEAT does not know is changed while its message %s',
    async (_, behaviour) => {
      const nif = randomDni();
      company = await world.signUp(nif, 'Ana Peña Riz');
      await world.behave({ censo: { [nif]: 'Ana Peña Ruiz' }, ...behaviour });
      await company.registerMany(1);
      dispatcher = world.startDispatcher();
      await untilUnderWay();
      if (behaviour.modo === 'cortar-antes') {
        await untilTrue(conexion, (c) => c.estado === 'sin-conexion');
      }
      const datos = expectOk(await company.call<object>('GET', '/api/GetData/GetDatosEmpresa'));
      expectOk(
        await company.call('POST', '/api/PostData/SetDatosEmpresa2', {
          ...datos,
          Name: 'Ana Peña Ruiz',
        }),
      );
      await world.behave({ latenciaMs: 0 });
      await skipWait();
      await untilTrue(
        () => world.sql`select 1 from envio_intentos where outcome = 'fault'`,
        (rows) => rows.length === 1,
      );
      await skipWait();
      await untilAccepted(1);
      await expectSameOnBothSides();
      expect(await world.sql`select 1 from mail_jobs where kind = 'envio-detenido'`).toEqual([]);
    },
  );

  it('goes on automatically with a new certificate, and sends with it', async () => {
    await company.registerMany(1);
    await world.behave({ rechazar: { [company.nif]: 4112 } });
    dispatcher = world.startDispatcher();
    const stopped = await untilTrue(conexion, (c) => c.estado === 'detenido');
    expect(stopped.mensaje).toContain('Perfil → Certificado Digital');
    await skipWait();
    expect((await world.requests(company.nif)).length).toBe(1);
    await world.behave({ rechazar: { [company.nif]: 0 } });
    await replaceCertificate();
    await skipWait();
    await untilAccepted(1);
    await expectSameOnBothSides();
    expect(await world.requests(company.nif)).toHaveLength(2);
  });

  it('does not wait for its next hourly attempt if the certificate is replaced during an attempt that fails', async () => {
    await company.registerMany(1);
    await world.behave({ modo: 'http-503', fallos: 1, latenciaMs: 60_000 });
    await world.sql`update despachos set failures = 9 where company_id = ${company.id}`;
    dispatcher = world.startDispatcher();
    await untilUnderWay();
    await replaceCertificate();
    await world.behave({ latenciaMs: 0 });
    const [row] = await untilTrue(
      () => world.sql<{ seconds: number }[]>`
        select extract(epoch from d.next_envio_at - d.next_envio_set_at)::float8 as seconds
          from despachos d join envio_intentos i using (company_id)
         where company_id = ${company.id} and i.outcome = 'no-answer'`,
      (rows) => rows.length > 0,
    );
    // The first wait is of at most 36 seconds, from a moment after the one that it is compared with; the second, of 60.
    expect(row?.seconds).toBeLessThan(60);
  });

  it('does not wait for it either if the certificate is replaced while that failure is being stored', async () => {
    await company.registerMany(1);
    await world.behave({ modo: 'cortar-antes', fallos: 1, latenciaMs: 60_000 });
    await world.sql`update despachos set failures = 9 where company_id = ${company.id}`;
    dispatcher = world.startDispatcher();
    await untilUnderWay();
    await world.sql.begin(async (tx) => {
      await tx`select from despachos where company_id = ${company.id} for update`;
      await world.behave({ latenciaMs: 0 });
      await untilTrue(
        () => world.sql`
          select from pg_stat_activity
           where datname = current_database() and wait_event_type = 'Lock'`,
        (waiting) => waiting.length > 0,
      );
      // As an upload does, in the transaction that holds this lock.
      await tx`update certificates set huella_certificado = repeat('0', 64) where company_id = ${company.id}`;
    });
    const [row] = await untilTrue(
      () => world.sql<{ failures: number }[]>`
        select failures from despachos d join envio_intentos i using (company_id)
         where company_id = ${company.id} and i.outcome = 'no-answer'`,
      (rows) => rows.length > 0,
    );
    expect(row?.failures).toBe(1);
  });

  it.each(['that a part of its message is repeated', 'what belongs to no message'])(
    'waits as long as the AEAT wants when it answers %s, also with a new certificate',
    async (answer) => {
      await world.behave({ tiempoEspera: 60 });
      const [, second = ''] = await company.registerMany(2);
      if (answer.includes('repeated')) await world.behave({ rechazar: { [second]: 1129 } });
      class OfOthers extends AeatClient {
        override async post(...message: Parameters<AeatClient['post']>) {
          const outcome = await super.post(...message);
          if (outcome.kind !== 'answer' || answer.includes('repeated')) return outcome;
          return { ...outcome, body: outcome.body.replaceAll(second, 'X') };
        }
      }
      const client = new OfOthers(world.runtime);
      const { signal } = new AbortController();
      const turnDeps = { ...world.deps, client, signal, pace: UNPACED };
      expect(await takeTurn(turnDeps, company.id)).toBe(true);
      await replaceCertificate();
      world.advanceClock(50);
      expect(await takeTurn(turnDeps, company.id)).toBe(false);
      world.advanceClock(11);
      expect(await takeTurn(turnDeps, company.id)).toBe(true);
      await client.close();
    },
  );

  it('sends again at once when a clock that was ahead is put right', async () => {
    await world.behave({ tiempoEspera: 60 });
    // Around midnight our clock is already at tomorrow, and the AEAT's is not.
    const { invoiceDate } = draftOf(company.customerNo, new Date());
    world.advanceClock(3000);
    expectOk(await company.register({ invoiceDate }));
    dispatcher = world.startDispatcher();
    await untilAccepted(1);
    world.advanceClock(-3000);
    // Around midnight it would be dated before the last one of its series, so it goes in another series.
    expectOk(await company.register({ isSimplificada: true, invoiceType: 1 }));
    await untilAccepted(2);
    await expectSameOnBothSides();
  });

  it('isolates a registro that makes its message fail by halving it, and reports only that one', async () => {
    const numbers = await company.registerMany(8);
    const broken = numbers[6] as string;
    await spoil(broken);
    dispatcher = world.startDispatcher();
    // All eight, refused; the first four; two of the other four; the one alone.
    for (let messages = 0; messages < 4; messages++) {
      await untilTrue(
        () => world.requests(company.nif),
        (rows) => rows.length > messages,
      );
      world.advanceClock(61);
    }
    const asked = await untilTrue(conexion, (c) => c.teNecesitan === 1);
    expect(asked.estado).toBe('parado');
    expect(await world.requests(company.nif)).toHaveLength(4);
    const held = await world.held(company.nif);
    expect(held.map((row) => row.NumSerieFactura)).toEqual(numbers.slice(0, 6));
    const [row] = await world.sql`
      select doc_no, error_code from invoices
       where company_id = ${company.id} and status = 'Rechazado'`;
    expect(row).toEqual({ doc_no: broken, error_code: 4102 });
    expect((await storyOf(broken)).slice(2)).toEqual([
      'La AEAT no admitió el envío', // Out of eight.
      'Enviada a la AEAT',
      'Rechazada por la AEAT',
    ]);

    // The eighth waits behind the seventh only, and goes once that is corrected.
    expect(await findDespacho(world.sql, company.id)).toMatchObject({
      enviadoHasta: 7n,
      rechazados: 1,
      waitingSince: expect.any(Date),
    });
    expectOk(await company.register({ notas: 'corregida', draftNo: broken }));
    world.advanceClock(61);
    await untilAccepted(8);
    const after = await world.held(company.nif);
    expect(after.slice(6).map((it) => it.NumSerieFactura)).toEqual([numbers[7], broken]);
  });

  it('annuls what the AEAT holds and what it never accepted, each as the matrix says', async () => {
    const [held, never] = await company.registerMany(2);
    await world.behave({ rechazar: { [never as string]: 1153 } });
    dispatcher = world.startDispatcher();
    await untilTrue(conexion, (c) => c.teNecesitan === 1 && c.enEspera === 0);
    await world.behave({ rechazar: { [never as string]: 0 } });
    for (const No of [never, held]) {
      expectOk(
        await company.call('POST', '/api/PostData/AnularFactura', {
          No,
          motivo: 'duplicada',
        }),
      );
    }
    await untilTrue(conexion, (c) => c.enEspera === 0 && c.teNecesitan === 0);
    const anulaciones = (await world.held(company.nif)).filter(
      (r) => r.TipoRegistro === 'Anulacion',
    );
    expect(anulaciones.map((r) => r.NumSerieFactura)).toEqual([never, held]);
    const rows = await world.sql<{ status: string }[]>`
      select distinct status from invoices where company_id = ${company.id}`;
    expect(rows).toEqual([{ status: 'Anulada' }]);
    const again = await company.call('POST', '/api/PostData/AnularFactura', {
      No: held,
      motivo: 'Prueba',
    });
    expect(again.status).toBe(409);
  });
});

it('says what the AEAT still holds after a refused anulación and a refused subsanación', async () => {
  const [annulled, corrected] = (await company.registerMany(2)) as [string, string];
  await world.behave({ aceptarConErrores: { [corrected]: 2005 } });
  dispatcher = world.startDispatcher();
  await untilAccepted(2);
  await dispatcher.stop();
  await world.behave({ rechazar: { [annulled]: 1153, [corrected]: 1153 } });
  expectOk(
    await company.call('POST', '/api/PostData/AnularFactura', { No: annulled, motivo: 'Prueba' }),
  );
  expectOk(await company.register({ notas: 'corregida', draftNo: corrected }));
  dispatcher = world.startDispatcher();
  await untilTrue(conexion, (c) => c.enEspera === 0 && c.teNecesitan === 2);
  const rechazoOf = async (No: string) => {
    const [detail, edit] = await Promise.all(
      ['GetInvoiceDetail', 'GetEditInvoice'].map(async (call) =>
        expectOk(
          await company.call<{ rechazo?: unknown }>('POST', `/api/PostData/${call}`, { No }),
        ),
      ),
    );
    expect(edit?.rechazo).toEqual(detail?.rechazo);
    return detail?.rechazo;
  };
  expect(await rechazoOf(annulled)).toEqual({
    TipoRegistro: 'Anulacion',
    enAeat: 'alta',
    alDejarla: 'Registrada',
  });
  expect(await rechazoOf(corrected)).toEqual({
    TipoRegistro: 'Alta',
    enAeat: 'alta',
    alDejarla: 'Aceptado con errores',
  });
  // What it holds may be rectified.
  expect(await offeredToRectify()).toEqual([corrected, annulled]);
  expectOk(await company.register({ type: 'abono', invoiceToRectify: corrected }));
});

it('offers to rectify what the AEAT holds or has yet to answer, and refuses to rectify what it refused', async () => {
  const [held, refused] = (await company.registerMany(2)) as [string, string];
  await world.behave({ rechazar: { [refused]: 1153 } });
  dispatcher = world.startDispatcher();
  await untilTrue(conexion, (c) => c.teNecesitan === 1 && c.enEspera === 0);
  const [waiting] = (await company.registerMany(1)) as [string];
  expect(await offeredToRectify()).toEqual([waiting, held]);
  // Looked up by number it is one of ours, whatever the AEAT said about it.
  expect(await offeredToRectify(`numeros=${encodeURIComponent(refused)}`)).toEqual([refused]);

  const abono = { type: 'abono', invoiceToRectify: refused } as const;
  const answer = await company.register(abono);
  expect(answer.status).toBe(400);
  expect(JSON.stringify(answer.body)).toContain(`La AEAT rechazó la factura ${refused}`);
  const { errores } = expectOk(
    await company.call<{ errores: { campo: string; gravedad: string }[] }>(
      'POST',
      '/api/PostData/ValidarFactura',
      {
        ...draftOf(company.customerNo, world.deps.clock()),
        ...abono,
        accionFactura: 1,
      },
    ),
  );
  expect(errores).toMatchObject([{ campo: 'invoiceToRectify', gravedad: 'bloquea' }]);

  await world.behave({ rechazar: { [refused]: 0 } });
  expectOk(await company.register({ notas: 'corregida', draftNo: refused }));
  expect(await offeredToRectify()).toContain(refused);
  expectOk(await company.register(abono));
});

async function offeredToRectify(query = 'search='): Promise<string[]> {
  const rows = expectOk(
    await company.call<{ DocNo: string }[]>('GET', `/api/GetData/GetFacturasEmitidas?${query}`),
  );
  return rows.map(({ DocNo }) => DocNo);
}

/** Sends the message that held a registro to the AEAT once more, like a copy that was on its way. */
async function arriveLate(seq: number): Promise<string> {
  const [envio] = await world.sql<{ peticion: Uint8Array }[]>`
    select peticion from envios
     where company_id = ${company.id} and from_seq <= ${seq} and to_seq >= ${seq}`;
  const client = new AeatClient(world.runtime);
  const certificate = await openCertificate(world.deps, company.id);
  if (!certificate || !envio) throw new Error('There is nothing to send.');
  const outcome = await client.post(
    { certificate, esDemo: true },
    await unpackMessage(envio.peticion),
    new AbortController().signal,
  );
  await client.close();
  if (outcome.kind !== 'answer') throw new Error(outcome.cause);
  return outcome.body;
}

async function conciliado(): Promise<ConciliarRegistrosAnswer> {
  const month = monthOf(world.deps.clock());
  return expectOk(await company.call('POST', '/api/PostData/ConciliarRegistros', month));
}

/** Puts a registro with the same number and another huella into the simulated AEAT. */
async function registerElsewhere(number: string): Promise<void> {
  const [row] = await world.sql<{ xml: string }[]>`
    select xml from registros where company_id = ${company.id} and num_serie_factura = ${number}`;
  const Huella = 'A'.repeat(64);
  const answer = await sendFromOtherProgram(world, company, row?.xml ?? '', { Huella });
  if (!answer?.includes('AceptadoConErrores')) throw new Error(`Not stored: ${answer}`);
}
