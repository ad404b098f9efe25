import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ConexionAEAT } from '../../src/contract/invoices.ts';
import { AeatClient } from '../../src/dispatch/aeat-client.ts';
import type { Dispatcher } from '../../src/dispatch/loop.ts';
import { UNPACED } from '../../src/dispatch/pace.ts';
import { REFUSALS_TOLD } from '../../src/dispatch/policy.ts';
import { takeTurn } from '../../src/dispatch/turn.ts';
import { composeMail, MailObsolete } from '../../src/mail/compose.ts';
import { textOf } from '../../src/mail/message.ts';
import { WAITS } from '../../src/mail/retry.ts';
import { describeConexion } from '../../src/operations/describe-conexion.ts';
import { exportRegistros } from '../../src/operations/export-registros.ts';
import { verifyCadena } from '../../src/operations/verify-cadena.ts';
import { warnCertificates } from '../../src/operations/warn-certificates.ts';
import { claimMail, findDueMails } from '../../src/store/mail-jobs.ts';
import { copyCompany } from '../support/many-companies.ts';
import { expectOk, openWorld, type TestCompany, untilTrue, type World } from '../support/world.ts';

let world: World;
let company: TestCompany;
let dispatcher: Dispatcher | null = null;

beforeEach(async () => {
  world = await openWorld();
  company = await world.signUp('B12345674');
});
afterEach(async () => {
  await dispatcher?.stop(0);
  dispatcher = null;
  await world.close();
});

/** After each answer to a message, the AEAT cannot be asked what it holds. */
class UnqueriedClient extends AeatClient {
  override async post(...message: Parameters<AeatClient['post']>) {
    const outcome = await super.post(...message);
    await world.behave({ modo: 'http-503' });
    return outcome;
  }
}

async function conexion(of: TestCompany = company): Promise<ConexionAEAT> {
  return expectOk(await of.call<ConexionAEAT>('GET', '/api/GetData/GetConexionAEAT'));
}

describe('the clock', () => {
  it('is compared with the AEAT’s at each answer, shown, and warned about; no registro gets another date', async () => {
    expect((await conexion()).desfaseSegundos).toBeUndefined();
    expectOk(await company.register());
    const [before] =
      await world.sql`select xml, huella, fecha_hora_huso_gen_registro from registros`;
    // Its clock is two minutes ahead, within what it tolerates.
    await world.behave({ reloj: 120 });
    dispatcher = world.startDispatcher();
    const behind = await untilTrue(
      conexion,
      (c) => c.aceptadas === 1 && c.desfaseSegundos !== undefined,
    );
    // Less what the answer took to arrive.
    expect(behind.desfaseSegundos).toBeGreaterThan(60);
    expect(behind.desfaseSegundos).toBeLessThanOrEqual(121);
    expect(behind.avisos).toMatchObject([
      { tipo: 'reloj', gravedad: 'aviso', mensaje: expect.stringContaining('atrasado') },
    ]);
    const [after] =
      await world.sql`select xml, huella, fecha_hora_huso_gen_registro from registros`;
    expect(after).toEqual(before);
    const { payload } = await world.app.inject('/metricas');
    expect(payload).toContain(`\nhuella_desfase_reloj_segundos ${behind.desfaseSegundos}\n`);

    await world.behave({ reloj: 0 });
    expectOk(await company.register());
    await untilTrue(conexion, (c) => c.aceptadas === 2);
    // Asked again: what is accepted and the clock are two reads, and the answer may come between.
    expect((await conexion()).avisos).toEqual([]);
  });

  it.each(['fault', 'http-503', 'xml-roto'] as const)(
    'is compared at an answer that accepts nothing too («%s»)',
    async (modo) => {
      expectOk(await company.register());
      await world.behave({ reloj: 240, modo, fallos: 1 });
      dispatcher = world.startDispatcher();
      const { desfaseSegundos } = await untilTrue(conexion, (c) => c.estado === 'sin-conexion');
      // Less what the answer took to arrive.
      expect(desfaseSegundos).toBeGreaterThan(60);
    },
  );

  it('is compared at an answer too of which nobody knows yet what it means', async () => {
    expectOk(await company.register());
    const client = new UnqueriedClient(world.runtime);
    const { signal } = new AbortController();
    const turn = () => takeTurn({ ...world.deps, client, signal, pace: UNPACED }, company.id);
    await world.behave({ modo: 'cortar-despues', fallos: 1 });
    expect(await turn()).toBe(true);
    expect((await conexion()).desfaseSegundos).toBeUndefined();

    await world.behave({ reloj: 240, modo: 'normal' });
    await world.sql`update despachos set next_envio_at = now()`;
    expect(await turn()).toBe(true);
    await client.close();
    const { estado, mensaje, desfaseSegundos } = await conexion();
    expect(estado).toBe('sin-conexion');
    expect(mensaje).toContain('No se ha podido comprobar en la AEAT un registro repetido');
    expect(desfaseSegundos).toBeGreaterThan(60);
  });
});

describe('a certificate that will expire', () => {
  async function expiresIn(days: number): Promise<void> {
    const end = new Date(world.deps.clock().getTime() + days * 86_400_000);
    await world.sql`update certificates set valido_hasta = ${end}`;
  }
  const queued = () => world.sql<{ kind: string }[]>`
    select kind from mail_jobs where kind = 'certificado-caduca'`;

  it('is announced once at 60, 30, 15 and 7 days, at one day and when it has expired, whoever looks and however often', async () => {
    await expiresIn(61.5);
    expect(await warnCertificates(world.deps)).toBe(0);
    for (const [days, mails] of [
      [1.6, 1],
      [30, 2],
      [15, 3],
      [8, 4],
    ] as const) {
      world.advanceClock(days * 86_400);
      // Several processes at once, and again after a restart.
      await Promise.all([1, 2, 3].map(() => warnCertificates(world.deps)));
      await warnCertificates(world.deps);
      expect(await queued()).toHaveLength(mails);
    }
    // The session expired long ago, so this is read without it.
    const now = () => describeConexion(world.deps, company.id);
    expect((await now()).avisos).toMatchObject([{ tipo: 'certificado', gravedad: 'grave' }]);
    world.advanceClock(6.5 * 86_400);
    expect(await warnCertificates(world.deps)).toBe(1);
    world.advanceClock(86_400);
    expect(await warnCertificates(world.deps)).toBe(1);
    expect(await warnCertificates(world.deps)).toBe(0);
    expect(await now()).toMatchObject({
      estado: 'sin-certificado',
      avisos: [{ tipo: 'certificado', gravedad: 'grave' }],
    });
    // Nothing is announced for a certificate that expired long before anybody looked.
    await world.sql`delete from certificate_warnings`;
    world.advanceClock(31 * 86_400);
    expect(await warnCertificates(world.deps)).toBe(0);
  });

  it('is announced to all whose day has come, even if more companies that were already told are found first', async () => {
    await copyCompany(world.sql, company.id, 1_100);
    await expiresIn(20);
    expect(await warnCertificates(world.deps)).toBe(1_101);
    expect(await warnCertificates(world.deps)).toBe(0);
    const late = await world.signUp('B76543214');
    const end = new Date(world.deps.clock().getTime() + 45 * 86_400_000);
    await world.sql`update certificates set valido_hasta = ${end} where company_id = ${late.id}`;
    expect(await warnCertificates(world.deps)).toBe(1);
  }, 60_000);

  it('is announced with its date, and not at all once there is another certificate', async () => {
    await expiresIn(20);
    await warnCertificates(world.deps);
    const due = await findDueMails(world.sql, { now: world.deps.clock(), waits: WAITS, limit: 10 });
    const jobs = await Promise.all(
      due.map(({ companyId, id }) => claimMail(world.sql, companyId, id, 60)),
    );
    const job = jobs.find((one) => one?.content.kind === 'certificado-caduca');
    if (!job) throw new Error('No e-mail.');
    const message = await composeMail(world.deps, job);
    expect(message.subject).toBe('Tu certificado digital caduca en 20 días');
    const waits = 'lo que registres esperará sin enviarse a la AEAT hasta que subas otro.';
    expect(textOf(message)).toContain(`Después, ${waits}`);
    // Sent after it has expired, it says so.
    world.advanceClock(21 * 86_400);
    const late = await composeMail(world.deps, job);
    expect(late.subject).toBe('Tu certificado digital ha caducado');
    expect(textOf(late)).toContain(`Puedes seguir registrando: ${waits}`);
    await expiresIn(700);
    await expect(composeMail(world.deps, job)).rejects.toThrow(MailObsolete);
  });
});

describe('a company whose certificate fails', () => {
  it('waits, says why, and does not slow the others down', async () => {
    const healthy = await world.signUp('A58818501', 'Otra Empresa, S.A.');
    // A certificate of another holder: the AEAT does not accept it for this company.
    await world.sql`update certificates set sealed = sealed || 'x'::bytea where company_id = ${company.id}`;
    for (let i = 0; i < 3; i++) expectOk(await company.register());
    for (let i = 0; i < 3; i++) expectOk(await healthy.register());
    dispatcher = world.startDispatcher();
    await untilTrue(
      () => conexion(healthy),
      (c) => c.aceptadas === 3 && c.enEspera === 0,
    );
    const waiting = await untilTrue(conexion, (c) => c.estado === 'sin-conexion');
    expect(waiting).toMatchObject({ enEspera: 3, aceptadas: 0 });
    expect(waiting.mensaje).toContain('no se puede abrir');
    expect(waiting.proximoEnvio).toBeDefined();
  });

  it('has one that the AEAT refuses: its owner is told once, and what waits goes out in order with another one', async () => {
    const numbers = await company.registerMany(3);
    await world.behave({ modo: 'http-403' });
    const client = new AeatClient(world.runtime);
    const { signal } = new AbortController();
    const turn = async () => {
      await world.sql`update despachos set next_envio_at = now() where company_id = ${company.id}`;
      await takeTurn({ ...world.deps, client, signal, pace: UNPACED }, company.id);
    };
    const metrics = async () => {
      await world.sql`
        update despachos set waiting_since = now() - interval '2 hours' where waiting_since is not null`;
      const { body } = await world.app.inject({ url: '/metricas', remoteAddress: '127.0.0.1' });
      const of = (name: string) => Number(new RegExp(`^${name} (\\d+)`, 'm').exec(body)?.[1]);
      return {
        isLate: of('huella_registro_mas_antiguo_segundos') > 3600,
        failing: of('huella_empresas_sin_conexion'),
        refused: of('huella_certificados_rechazados'),
      };
    };
    const told = () => world.sql<{ payload: { motivo: string } }[]>`
      select payload from mail_jobs where kind = 'certificado-rechazado'`;
    for (let refusal = 1; refusal < REFUSALS_TOLD; refusal++) await turn();
    expect(await told()).toEqual([]);
    expect(await metrics()).toEqual({ isLate: true, failing: 1, refused: 0 });
    // As long as nobody is answered, the trouble may be the AEAT's.
    await copyCompany(world.sql, company.id, 1);
    await turn();
    expect(await told()).toEqual([]);
    await world.sql`
      update despachos set failures = 0, waiting_since = null, desfase_at = now() where company_id <> ${company.id}`;
    await turn();
    await turn();
    expect(await told()).toMatchObject([{ payload: { motivo: expect.stringContaining('(403)') } }]);
    expect(await metrics()).toEqual({ isLate: false, failing: 0, refused: 1 });
    expect(await conexion()).toMatchObject({ estado: 'sin-conexion', enEspera: 3 });

    const due = await findDueMails(world.sql, { now: world.deps.clock(), waits: WAITS, limit: 10 });
    const jobs = await Promise.all(
      due.map(({ companyId, id }) => claimMail(world.sql, companyId, id, 60)),
    );
    const job = jobs.find((one) => one?.content.kind === 'certificado-rechazado');
    if (!job) throw new Error('No e-mail.');
    expect((await composeMail(world.deps, job)).subject).toContain('no admite tu certificado');

    const query = new URLSearchParams({ nif: company.nif, nombre: 'Talleres Prueba' });
    const issued = await world.control(`/desarrollo/certificado?${query}`);
    const p12 = Buffer.from(await issued.arrayBuffer()).toString('base64');
    const body = { Certificate: p12, Password: 'prueba' };
    expectOk(await company.call('POST', '/api/PostData/UpdateCertificate', body));
    await expect(composeMail(world.deps, job)).rejects.toThrow(MailObsolete);
    expect(await metrics()).toMatchObject({ isLate: true, refused: 0 });
    await world.behave({ modo: 'normal' });
    await turn();
    await client.close();
    expect(await conexion()).toMatchObject({ estado: 'al-dia', enEspera: 0, aceptadas: 3 });
    const held = await world.held(company.nif);
    expect(held.map(({ NumSerieFactura }) => NumSerieFactura)).toEqual(numbers);
  });

  it('recognises a seal at the wrong address by the AEAT’s message', async () => {
    await world.sql`update certificates set tipo = 'sello'`;
    const p12 = await world.control(
      `/desarrollo/certificado?nif=${company.nif}&nombre=Talleres&tipo=sello`,
    );
    expectOk(
      await company.call('POST', '/api/PostData/UpdateCertificate', {
        Certificate: Buffer.from(await p12.arrayBuffer()).toString('base64'),
        Password: 'prueba',
      }),
    );
    expectOk(await company.register());
    dispatcher = world.startDispatcher(); // This world has one address, that of personal certificates.
    const refused = await untilTrue(conexion, (c) => c.mensaje !== undefined);
    expect(refused.mensaje).toContain('(401)');
    expect(refused.enEspera).toBe(1);
  });
});

describe('the story of an invoice', () => {
  it('contains registro, sending, answer, downloads and the reason of the annulment', async () => {
    const { DocNo } = expectOk(await company.register());
    dispatcher = world.startDispatcher();
    await untilTrue(conexion, (c) => c.aceptadas === 1 && c.enEspera === 0);
    for (let i = 0; i < 2; i++) {
      expectOk(await company.call('POST', '/api/PostData/DownloadInvoice', { No: DocNo }));
    }
    expectOk(await company.annul(DocNo));
    await untilTrue(conexion, (c) => c.enEspera === 0);
    const { historia } = await company.detailOf(DocNo);
    expect(historia.map(({ tipo }) => tipo)).toEqual([
      'borrador',
      'registrada',
      'enviada',
      'respuesta',
      'descarga',
      'anulada',
      'enviada',
      'respuesta',
    ]);
    expect(historia[4]?.titulo).toBe('PDF descargado 2 veces');
    expect(historia[5]?.detalle).toBe('Motivo: Repetida');
  });
});

describe('two at once', () => {
  it('share a verification, and export one after the other', async () => {
    expectOk(await company.register());
    const both = await Promise.all([1, 2].map(() => verifyCadena(world.deps, company.id)));
    expect(both[0]).toBe(both[1]);
    expect(both[0]).toMatchObject({ registros: 1, correcta: true });

    const days = { desde: '0000-01-01', hasta: '9999-12-31' };
    const first = (await exportRegistros(world.deps, company.id, days)).zip[Symbol.asyncIterator]();
    await first.next();
    await expect(exportRegistros(world.deps, company.id, days)).rejects.toThrow('Ya se están');
    await first.return?.(); // A download that is abandoned half way does not stop the next one.
    const second = await exportRegistros(world.deps, company.id, days);
    let bytes = 0;
    for await (const piece of second.zip) bytes += piece.length;
    expect(bytes).toBeGreaterThan(0);
  });
});
