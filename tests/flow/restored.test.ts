import { unzipSync } from 'fflate';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { NuevaInstalacionAnswer } from '../../src/contract/evidence.ts';
import type { ConexionAEAT } from '../../src/contract/invoices.ts';
import { addDays, addYears, isoDateIn } from '../../src/domain/dates.ts';
import {
  FAILED_MS,
  MONTHS,
  RETRY_MS,
  reconcileStopped,
} from '../../src/operations/reconcile-stopped.ts';
import { requireReconcileAll } from '../../src/operations/require-reconcile.ts';
import { claimReconcile, endReconcile } from '../../src/store/cadenas.ts';
import {
  claimLease,
  findDespacho,
  findDue,
  holdLease,
  LeaseLost,
  withhold,
} from '../../src/store/despachos.ts';
import { meanwhile } from '../support/meanwhile.ts';
import {
  expectOk,
  monthOf,
  type TestCompany,
  untilTrue,
  type World,
  worldsAfter,
} from '../support/world.ts';

let world: World;
let company: TestCompany;

/** Two invoices that the AEAT has, after which a backup from a week ago is restored. */
const openWorldWithTwo = worldsAfter(async (owner) => {
  await owner.registerMany(2);
  expect(await owner.sendAll()).toMatchObject({ aceptadas: 2 });
});
beforeEach(async () => {
  ({ world, company } = await openWorldWithTwo());
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
  world.advanceClock(FAILED_MS / 1000);
  expect(await chore()).toBe(0);
  expect((await company.register()).status).toBe(403);
  world.advanceClock((RETRY_MS - FAILED_MS) / 1000);
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

it('asks again at once when its process was ended as it asked', async () => {
  await restored();
  const ending = new AbortController();
  const consultar: typeof world.consultarAeat = (...question) => {
    ending.abort();
    return world.consultarAeat(...question);
  };
  expect(await reconcileStopped(world.deps, consultar, ending.signal)).toBe(0);
  expect(await twoRounds()).toBe(1);
});

it('is done by one process when two try at once', async () => {
  await restored();
  const both = async () => {
    const [one, other] = await Promise.all([chore(), chore()]);
    return one + other;
  };
  expect(await twoRounds(both)).toBe(1);
});

it('is taken by one of two processes that have seen it due, and ended only by that one', async () => {
  await restored();
  const now = world.deps.clock();
  const before = new Date(now.getTime() - RETRY_MS);
  const claim = () => claimReconcile(world.sql, company.id, { claimedAt: now, before });
  expect(await claim()).toContain(isoDateIn(now, 'Europe/Madrid').slice(0, 7));
  expect(await claim()).toBeNull();
  await endReconcile(world.sql, company.id, { claimedAt: before, triedAt: before });
  expect(await claim()).toBeNull();
  await endReconcile(world.sql, company.id, { claimedAt: now, triedAt: before });
  expect(await claim()).not.toBeNull();
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
    // Whatever failed before, it is not what it waits for.
    await world.sql`update despachos set failures = 2, last_error = 'La AEAT no responde.'`;
    const waiting = await conexion();
    expect(waiting.estado).not.toBe('sin-conexion');
    expect(waiting.mensaje).toContain('Se ha restaurado una copia de seguridad');
    expect(waiting).not.toHaveProperty('proximoEnvio');
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

  describe('once what was lost is given up', () => {
    const standing = async (docNo: string) => {
      const [row] = await world.sql<
        { seq: number; status: string; message: string; tipo: string }[]
      >`
        select i.seq::int as seq, i.status, coalesce(i.error_message, '') as message, r.tipo_registro as tipo
          from invoices i join registros r on r.company_id = i.company_id and r.seq = i.seq
         where i.doc_no = ${docNo}`;
      return row;
    };
    const numero = async () => {
      const [row] = await world.sql<{ seq: bigint }[]>`
        select last_seq as seq from cadenas where company_id = ${company.id}`;
      return Number(row?.seq);
    };
    const annul = (No: string) =>
      company.call('POST', '/api/PostData/AnularFactura', { No, motivo: 'Prueba' }).then(expectOk);
    const correct = async (draftNo: string, notas: string, draft = {}) => {
      expectOk(await company.register({ ...draft, notas, draftNo }));
      return numero();
    };
    const refused = async (docNo: string) => {
      const dispatcher = world.startDispatcher();
      await untilTrue(
        () => standing(docNo),
        (row) => row?.status === 'Rechazado',
      );
      await dispatcher.stop();
    };
    const messageUpTo = async (seq: number) => {
      const [row] = await world.sql<{ id: bigint; from_seq: bigint }[]>`
        select id, from_seq from envios where to_seq = ${seq}`;
      return { id: row?.id ?? 0n, fromSeq: Number(row?.from_seq) };
    };
    const giveUp = async () => {
      await restored();
      await twoRounds();
      return begin();
    };
    const begin = async () =>
      expectOk(
        await company.call<NuevaInstalacionAnswer>('POST', '/api/PostData/NuevaInstalacion', {}),
      );
    /** Whatever waits has been sent or passed over, and nothing is left to do. */
    const drained = async () => {
      const dispatcher = world.startDispatcher();
      await untilTrue(
        () => world.sql`
          select 1 from despachos d join cadenas c on c.company_id = d.company_id
           where d.waiting_since is null and d.enviado_hasta = c.last_seq`,
        (rows) => rows.length === 1,
      );
      await dispatcher.stop();
    };

    /** What the manifest of an export says of a registro. */
    async function exportedState(seq: number): Promise<string | undefined> {
      const { rawPayload } = await world.app.inject({
        url: '/api/GetData/ExportarRegistros',
        headers: { authorization: `Bearer ${company.token}` },
      });
      const manifest = Buffer.from(unzipSync(rawPayload)['manifiesto.csv'] ?? []).toString();
      return manifest.match(new RegExp(`^${seq};.*`, 'm'))?.[0].split(';')[7];
    }

    /** The AEAT accepts this invoice with errors, so that it can be corrected again and again. */
    async function withErrors(draft: Parameters<TestCompany['register']>[0] = {}): Promise<string> {
      const { DocNo } = expectOk(await company.register(draft));
      await world.behave({ aceptarConErrores: { [DocNo]: 2005 } });
      await sent();
      return DocNo;
    }

    it('nothing begins in an account that is closed meanwhile', async () => {
      const before = await numero();
      expectOk(await company.register());
      await sent();
      await rewindTo(before, before + 1); // Nothing waits: the account can be closed.
      await restored();
      await twoRounds();
      const [closed, begun] = await meanwhile(
        world.sql,
        (tx) => tx`lock table import_readings in exclusive mode`, // The last thing that closing deletes.
        () => company.call('POST', '/api/PostData/DeleteAccount'),
        () => company.call('POST', '/api/PostData/NuevaInstalacion', {}),
      );
      expect([closed.status, begun.status]).toEqual([200, 401]);
    });

    it('a correction of which the AEAT has a later one is not sent, and what follows it is', async () => {
      const docNo = await withErrors();
      const waiting = await correct(docNo, 'primera');
      await sent();
      await correct(docNo, 'segunda');
      await sent();
      const held = await world.held(company.nif);
      await rewindTo(waiting);
      expect(await giveUp()).toMatchObject({ sinEfecto: [], sinEnviar: [docNo] });
      expect(await standing(docNo)).toMatchObject({
        seq: waiting,
        status: 'Aceptado con errores',
        message: expect.stringContaining('La que esperaba no se ha enviado'),
      });
      const { historia } = await company.detailOf(docNo);
      expect(historia.at(-1)).toMatchObject({ tipo: 'dejada', titulo: 'No enviada a la AEAT' });
      await drained();
      expect(await world.held(company.nif)).toEqual(held);
      expect(await exportedState(waiting)).toBe('No enviada a la AEAT');

      const { DocNo: next } = expectOk(await company.register());
      await drained();
      const after = await world.held(company.nif);
      expect(after.slice(0, -1)).toEqual(held);
      expect(after.at(-1)).toMatchObject({ NumSerieFactura: next, EstadoRegistro: 'Correcto' });

      await world.behave({ aceptarConErrores: { [docNo]: 0 } });
      await correct(docNo, 'otra vez');
      await drained();
      expect(await standing(docNo)).toMatchObject({ status: 'Registrada' });
      expect(expectOk(await company.call('GET', '/api/GetData/VerificarCadena'))).toMatchObject({
        correcta: true,
        instalaciones: 2,
      });
    });

    it.each([
      { place: 'at the beginning', before: 0 },
      { place: 'in the middle', before: 1 },
      { place: 'at the end', before: 2 },
    ])('is passed over $place of a message that had no answer', async ({ before }) => {
      const docNo = await withErrors();
      const others: string[] = [];
      for (let place = 0; place < 3; place++) {
        if (place === before) await correct(docNo, 'primera');
        else others.push(expectOk(await company.register()).DocNo);
      }
      const last = await numero();
      await sent();
      await correct(docNo, 'segunda');
      await sent();
      const held = await world.held(company.nif);
      const { fromSeq, id } = await messageUpTo(last);
      expect(fromSeq).toBe(last - 2);
      await rewindTo(last, fromSeq, id);
      expect(await giveUp()).toMatchObject({ sinEnviar: [docNo] });
      await drained();
      // The other two came again and are known by their huella.
      expect(await world.held(company.nif)).toEqual(held);
      for (const one of others) {
        expect(await standing(one)).toMatchObject({ status: 'Registrada', message: '' });
      }
      expect(await standing(docNo)).toMatchObject({ status: 'Aceptado con errores' });
    });

    it('nothing is left of a message without an answer that held nothing else, so that the next is no copy', async () => {
      const docNo = await withErrors();
      const waiting = await correct(docNo, 'primera');
      await sent();
      await correct(docNo, 'segunda');
      await sent();
      const { id } = await messageUpTo(waiting);
      await rewindTo(waiting, waiting, id);
      expect(await giveUp()).toMatchObject({ sinEnviar: [docNo] });
      expect(await findDespacho(world.sql, company.id)).toMatchObject({ envioId: id });
      await drained();
      expect(await findDespacho(world.sql, company.id)).toMatchObject({ envioId: null });
    });

    it('an anulación that was corrected since is not sent: the owner annuls it again', async () => {
      const docNo = await withErrors();
      await annul(docNo);
      const waiting = await numero();
      await world.behave({ rechazar: { [docNo]: 1100 } });
      await refused(docNo);
      await world.behave({ rechazar: { [docNo]: 0 } });
      await correct(docNo, 'al final vale');
      await sent();
      const held = await world.held(company.nif);
      await rewindTo(waiting);
      expect(await giveUp()).toMatchObject({ sinEnviar: [docNo] });
      await drained();
      expect(await world.held(company.nif)).toEqual(held);
      expect(await standing(docNo)).toMatchObject({
        status: 'Aceptado con errores',
        message: expect.stringContaining('La anulación no se ha enviado'),
        tipo: 'Alta',
      });
      // It may be rectified, as one that is not being annulled, or annulled again.
      const { DocNo: credit } = expectOk(
        await company.register({ type: 'abono', tipoRectificativa: 'I', invoiceToRectify: docNo }),
      );
      await drained();
      for (const one of [credit, docNo]) {
        await annul(one);
        await drained();
        expect(await standing(one)).toMatchObject({ status: 'Anulada' });
      }
    });

    it('a correction of one that was annulled since is not sent, so that it stays annulled', async () => {
      const docNo = await withErrors();
      const waiting = await correct(docNo, 'primera');
      await sent();
      await annul(docNo);
      await sent();
      const held = await world.held(company.nif);
      await rewindTo(waiting);
      expect(await giveUp()).toMatchObject({ sinEnviar: [docNo] });
      await drained();
      expect(await world.held(company.nif)).toEqual(held);
      expect(await standing(docNo)).toMatchObject({
        status: 'Anulada',
        message: expect.stringContaining('La AEAT la tiene anulada'),
      });
    });

    it('a correction is not sent either when nobody had doubts about the month of its invoice', async () => {
      const today = isoDateIn(world.deps.clock(), 'Europe/Madrid');
      const draft = { fechaOperacion: addYears(today, -1) };
      const docNo = await withErrors(draft);
      const waiting = await correct(docNo, 'primera', draft);
      await sent();
      await correct(docNo, 'segunda', draft);
      expectOk(await company.register());
      await sent();
      const held = await world.held(company.nif);
      await rewindTo(waiting);
      // Nobody has said that a copy was restored: this month shows it.
      const month = monthOf(world.deps.clock());
      expectOk(await company.call('POST', '/api/PostData/ConciliarRegistros', month));
      expect(await begin()).toMatchObject({ sinEnviar: [docNo] });
      await drained();
      expect(await world.held(company.nif)).toEqual(held);
    });

    it('a correction that is not sent already is no obstacle to giving up again', async () => {
      const docNo = await withErrors();
      const waiting = await correct(docNo, 'primera');
      await sent();
      await correct(docNo, 'segunda');
      await sent();
      await rewindTo(waiting);
      await giveUp();
      await correct(docNo, 'tercera');
      await drained();
      // A copy from before the third one is restored.
      await rewindTo(waiting);
      expect(await giveUp()).toMatchObject({ sinEnviar: [] });
      await drained();
    });

    it('what an earlier installation did not send is not sent by a later one', async () => {
      for (const seq of [7n, 9n]) await withhold(world.sql, company.id, [seq]);
      expect((await findDespacho(world.sql, company.id))?.retenidos).toEqual([7n, 9n]);
    });

    it('a correction that was made after the lost one is sent: it is what its owner declared last', async () => {
      const docNo = await withErrors();
      expectOk(await company.register());
      const last = await numero();
      await sent();
      await correct(docNo, 'perdida');
      await sent();
      await rewindTo(last);
      // Nobody has said that a copy was restored. Another second, another huella.
      world.advanceClock(5);
      await world.behave({ reloj: 5 });
      await correct(docNo, 'después');
      const month = monthOf(world.deps.clock());
      expectOk(await company.call('POST', '/api/PostData/ConciliarRegistros', month));
      expect(await begin()).toMatchObject({ sinEnviar: [] });
      await drained();
      const [made] = await world.sql<{ huella: string }[]>`
        select huella from registros where seq = ${last + 1}`;
      expect((await world.held(company.nif)).at(-1)).toMatchObject({ Huella: made?.huella });
    });

    /** Of two more invoices only the first is in the copy, and the AEAT is found to have the other. */
    const oneLost = async (): Promise<string> => {
      expectOk(await company.register());
      const last = await numero();
      await sent();
      const { DocNo } = expectOk(await company.register());
      await sent();
      await rewindTo(last);
      await world.sql`update series set next_number = next_number - 1 where kind = 'F'`;
      const month = monthOf(world.deps.clock());
      expectOk(await company.call('POST', '/api/PostData/ConciliarRegistros', month));
      return DocNo;
    };

    it('a turn under way is over, and what it finds is not written', async () => {
      await oneLost();
      const lease = await claimLease(world.sql, company.id, world.deps.aheadSeconds(), 60);
      if (!lease) throw new Error('There is nothing to send.');
      await begin();
      await expect(holdLease(world.sql, lease)).rejects.toThrow(LeaseLost);
    });

    it('the next number is not given again, although only that one was lost', async () => {
      const lost = await oneLost();
      const { NoSerie } = await begin();
      expect(NoSerie > lost).toBe(true);
      expect(expectOk(await company.register()).DocNo).toBe(NoSerie);
    });

    it('a correction that nothing has followed is sent', async () => {
      const docNo = await withErrors();
      const waiting = await correct(docNo, 'primera');
      await sent();
      expectOk(await company.register());
      await sent();
      await rewindTo(waiting);
      expect(await giveUp()).toMatchObject({ sinEnviar: [] });
      await drained();
      expect(await standing(docNo)).toMatchObject({
        status: 'Aceptado con errores',
        message: expect.not.stringContaining('no se ha enviado'),
      });
    });
  });

  /**
   * As it was when this registro had been made, and those from `unsent` on had not been answered.
   *
   * @param envioId their message, if it had been sent already
   */
  async function rewindTo(seq: number, unsent = seq, envioId = 0n): Promise<void> {
    await world.sql.begin(async (tx) => {
      await tx`set local session_replication_role = replica`;
      await tx`delete from respuestas where seq >= ${unsent}`;
      await tx`delete from envio_intentos where envio_id in (select id from envios where from_seq >= ${unsent})`;
      await tx`delete from envios where from_seq >= ${unsent} and id <> ${String(envioId)}`;
      await tx`delete from registros where seq > ${seq}`;
      await tx`delete from invoices where seq > ${seq} and not exists (
                 select from registros r where r.invoice_id = invoices.id)`;
      await tx`
        update invoices i
           set status = case when s.seq < ${unsent} then 'Aceptado con errores' else 'En espera' end,
               error_message = null, seq = s.seq
          from (select invoice_id, max(seq) as seq from registros group by 1) s
         where s.invoice_id = i.id and i.seq >= ${unsent}`;
      await tx`
        update cadenas c set last_seq = ${seq}, last_huella = r.huella
          from registros r where r.company_id = c.company_id and r.seq = ${seq}`;
      await tx`
        update despachos
           set enviado_hasta = ${unsent - 1}, waiting_since = now(), next_envio_at = now(),
               envio_id = nullif(${String(envioId)}::bigint, 0), rechazados = 0`;
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
