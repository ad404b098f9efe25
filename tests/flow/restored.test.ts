import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ConexionAEAT } from '../../src/contract/invoices.ts';
import { addDays, addYears, isoDateIn } from '../../src/domain/dates.ts';
import {
  FAILED_MS,
  MONTHS,
  RETRY_MS,
  reconcileStopped,
} from '../../src/operations/reconcile-stopped.ts';
import { requireReconcileAll } from '../../src/operations/require-reconcile.ts';
import { findDue } from '../../src/store/despachos.ts';
import { expectOk, openWorld, type TestCompany, untilTrue, type World } from '../support/world.ts';

let world: World;
let company: TestCompany;

/** Two invoices that the AEAT has, after which a backup from a week ago is restored. */
beforeEach(async () => {
  world = await openWorld();
  company = await world.signUp('B12345674');
  expectOk(await company.register());
  expectOk(await company.register());
  const dispatcher = world.startDispatcher();
  await untilTrue(conexion, ({ aceptadas }) => aceptadas === 2);
  await dispatcher.stop();
});
afterEach(() => world.close());

async function conexion(): Promise<ConexionAEAT> {
  return expectOk(await company.call('GET', '/api/GetData/GetConexionAEAT'));
}

async function restored(): Promise<void> {
  const now = world.deps.clock();
  const lastWeek = new Date(now.getTime() - 7 * 86_400_000);
  expect(await requireReconcileAll(world.sql, lastWeek, now)).toBe(1);
}

function chore(): Promise<number> {
  return reconcileStopped(world.deps, world.consultarAeat, AbortSignal.timeout(60_000));
}

async function sent(): Promise<void> {
  const dispatcher = world.startDispatcher();
  await untilTrue(conexion, ({ enEspera }) => enEspera === 0);
  await dispatcher.stop();
}

/** In January, the months up to the end of next year are more than one round asks for. */
async function twoRounds(round = chore): Promise<number> {
  return (await round()) + (await round());
}

it('lets a restored company register again automatically when the AEAT has nothing else', async () => {
  await restored();
  const refused = await company.register();
  expect(refused.status).toBe(403);
  const words =
    'Se ha restaurado una copia de seguridad. Antes de registrar y de enviar hay que comprobar';
  expect(refused.body).toMatchObject({ message: expect.stringContaining(words) });
  expect((await conexion()).mensaje).toContain(words);

  expect(await twoRounds()).toBe(1);
  expect((await company.register()).status).toBe(200);
  expect((await conexion()).mensaje ?? '').not.toContain('copia de seguridad');
});

it('asks again after six hours when the AEAT could not be asked, and not before', async () => {
  await restored();
  await world.behave({ modo: 'http-503', fallos: 1 });
  expect(await chore()).toBe(0);
  expect(await chore()).toBe(0); // The AEAT would answer now.
  expect((await company.register()).status).toBe(403);
  world.advanceClock(RETRY_MS / 1000);
  await world.behave({ relojMundo: RETRY_MS / 1000 });
  expect(await twoRounds()).toBe(1);
});

it('asks again after a quarter of an hour when its process died as it asked', async () => {
  await restored();
  const die = () => Promise.reject(new Error('The process ends here.'));
  expect(await reconcileStopped(world.deps, die, AbortSignal.timeout(60_000))).toBe(0);
  expect(await chore()).toBe(0);
  world.advanceClock(FAILED_MS / 1000);
  expect(await twoRounds()).toBe(1);
  expect((await company.register()).status).toBe(200);
});

it('is done by one process when two try at once', async () => {
  await restored();
  const both = async () => {
    const [one, other] = await Promise.all([chore(), chore()]);
    return one + other;
  };
  expect(await twoRounds(both)).toBe(1);
});

it('keeps a company stopped if the AEAT has registros that are missing here, and says why', async () => {
  await world.sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    await tx`delete from respuestas where seq = 2`;
    await tx`delete from registros where seq = 2`;
    await tx`delete from invoices where seq = 2`;
  });
  await restored();
  expect(await chore()).toBe(0);
  const refused = await company.register();
  expect(refused.status).toBe(403);
  expect(refused.body).toMatchObject({
    message: expect.stringMatching(
      /^Se ha restaurado una copia de seguridad, y la AEAT tiene registros/,
    ),
  });
});

describe('what waited when the copy was made', () => {
  const due = () => findDue(world.sql, world.deps.aheadSeconds(), 10);

  it('is sent once the AEAT has been asked', async () => {
    expectOk(await company.register());
    expect(await due()).toEqual([company.id]);
    await restored();
    expect(await due()).toEqual([]);
    expect(await conexion()).not.toHaveProperty('proximoEnvio');
    expect(await twoRounds()).toBe(1);
    await sent();
    expect(await world.held(company.nif)).toHaveLength(3);
  });

  it('does not take the place of a later correction that was lost', async () => {
    const { DocNo } = expectOk(await company.register());
    await world.behave({ aceptarConErrores: { [DocNo]: 2005 } });
    await sent();
    expectOk(await company.register({ notas: 'primera', draftNo: DocNo }));
    await sent();
    await world.behave({ aceptarConErrores: { [DocNo]: 0 } });
    expectOk(await company.register({ notas: 'segunda', draftNo: DocNo }));
    await sent();
    const held = await world.held(company.nif);
    expect(held).toHaveLength(5);

    await rewindTo(4);
    await restored();
    expect(await due()).toEqual([]);
    expect(await twoRounds()).toBe(0);
    expect(await due()).toEqual([]);
    expect((await company.register()).status).toBe(403);
    expect(await world.held(company.nif)).toEqual(held);
  });

  /** As it was when this registro, of a correction, had been made and not been sent. */
  async function rewindTo(seq: number): Promise<void> {
    await world.sql.begin(async (tx) => {
      await tx`set local session_replication_role = replica`;
      await tx`delete from respuestas where seq >= ${seq}`;
      await tx`delete from envios where from_seq >= ${seq}`;
      await tx`delete from registros where seq > ${seq}`;
      await tx`update invoices set seq = ${seq}, status = 'En espera' where seq > ${seq}`;
      await tx`
        update cadenas c set last_seq = ${seq}, last_huella = r.huella
          from registros r where r.company_id = c.company_id and r.seq = ${seq}`;
      await tx`
        update despachos set enviado_hasta = ${seq - 1}, waiting_since = now(), next_envio_at = now()`;
    });
  }
});

describe('an invoice of long ago', () => {
  const today = () => isoDateIn(world.deps.clock(), 'Europe/Madrid');
  const cadena = async () => {
    const [row] = await world.sql<{ months: string[]; triedAt: Date | null }[]>`
      select reconcile_periodos as months, reconcile_tried_at as "triedAt" from cadenas
       where company_id = ${company.id}`;
    return row ?? { months: [], triedAt: null };
  };
  const months = async () => (await cadena()).months;

  /** A company whose first invoice is this one. */
  async function registered(draft: Parameters<TestCompany['register']>[0]): Promise<string> {
    company = await world.signUp('A58818501');
    const { DocNo } = expectOk(await company.register(draft));
    await sent();
    return DocNo;
  }

  it.each([
    { of: 'its day', draft: () => ({ invoiceDate: addDays(today(), -150) }) },
    { of: 'the day of its operation', draft: () => ({ fechaOperacion: addYears(today(), -3) }) },
  ])('that was annulled after the backup keeps its company stopped: by $of', async ({ draft }) => {
    const No = await registered(draft());
    expectOk(await company.call('POST', '/api/PostData/AnularFactura', { No, motivo: 'Prueba' }));
    await sent();
    // As in the backup.
    await world.sql.begin(async (tx) => {
      await tx`set local session_replication_role = replica`;
      await tx`delete from respuestas where company_id = ${company.id} and seq = 2`;
      await tx`delete from registros where company_id = ${company.id} and seq = 2`;
      await tx`update invoices set status = 'Registrada' where company_id = ${company.id}`;
    });
    const now = world.deps.clock();
    await requireReconcileAll(world.sql, now, now);
    expect(await months()).toContain(Object.values(draft())[0]?.slice(0, 7));
    for (let round = 0; round < 3; round++) await chore();
    expect((await company.register()).status).toBe(403);
    expect((await conexion()).mensaje).toContain('la AEAT tiene registros de esta instalación');
  });

  it('has its months asked for in the following rounds, up to the end of next year', async () => {
    await registered({ invoiceDate: '2024-10-31' });
    const now = world.deps.clock();
    await requireReconcileAll(world.sql, now, now);
    const all = await months();
    expect(all.length).toBeGreaterThan(MONTHS);
    expect(all[0]).toBe('2024-10');
    expect(all.at(-1)).toBe(`${Number(today().slice(0, 4)) + 1}-12`);
    expect((await conexion()).mensaje).toContain(
      `no falta nada de ${all.length} meses, entre 10/2024 y 12/`,
    );

    await chore();
    expect(await months()).toEqual(all.slice(MONTHS));
    for (let left = all.length - MONTHS; left > 0; left -= MONTHS) await chore();
    expect(await months()).toEqual([]);
    expect((await company.register()).status).toBe(200);
  });

  it('is asked for again after the others, and after six hours, where something is missing', async () => {
    await registered({ invoiceDate: '2024-10-31' });
    await world.sql.begin(async (tx) => {
      await tx`set local session_replication_role = replica`;
      await tx`update registros set huella = repeat('0', 64) where company_id = ${company.id}`;
    });
    const now = world.deps.clock();
    await requireReconcileAll(world.sql, now, now);
    const rounds = Math.ceil((await months()).length / MONTHS);
    for (let round = 0; round < rounds; round++) await chore();
    const left = await cadena();
    expect(left.months).toEqual(['2024-10']);
    await chore();
    expect(await cadena()).toEqual(left);
  });
});

it('postpones a company without a certificate until it has one', async () => {
  await restored();
  await world.sql`update certificates set valido_hasta = now() - interval '1 day'`;
  expect(await chore()).toBe(0);
  await world.sql`update certificates set valido_hasta = now() + interval '1 year'`;
  expect(await twoRounds()).toBe(1);
});

it('also stops a company that had registered nothing: its first numbers may be in use by now', async () => {
  const other = await world.signUp('A58818501');
  const now = world.deps.clock();
  expect(await requireReconcileAll(world.sql, now, now)).toBe(2);
  expect((await other.register()).status).toBe(403);
  expect(await twoRounds()).toBe(2);
  expect((await other.register()).status).toBe(200);
});
