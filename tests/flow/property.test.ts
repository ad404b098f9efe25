/**
 * Whatever happens to a company's invoices, in any order, in the end the AEAT and we hold the same: registering,
 * answers of every kind, calls cut before and after storing, registros that make their message fail, numbers that
 * another program has used, a clock that is put back, a database that drops all its connections in the middle, web
 * servers that take over from others, dispatchers that die and start again, annulments, corrections, refused ones that
 * are given up, simplified invoices and rectificativas. Each walk does each of these at least once.
 *
 * `PROPIEDADES_CORRIDAS` sets the number of walks and `PROPIEDADES_SEMILLA` repeats one.
 */

import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ConexionAEAT, InvoiceDraftInput } from '../../src/contract/invoices.ts';
import { AeatClient } from '../../src/dispatch/aeat-client.ts';
import { startDispatcher } from '../../src/dispatch/loop.ts';
import { openDatabase } from '../../src/platform/database.ts';
import { sendFromOtherProgram } from '../support/other-program.ts';
import { pick, seededRandom } from '../support/random.ts';
import { expectOk, openWorld, type TestCompany, untilTrue, type World } from '../support/world.ts';

const STEPS = 200;
const CATCH_UP_MS = 2000;
const WALKS = Number(process.env.PROPIEDADES_CORRIDAS ?? 1);
const FIRST_SEED = Number(process.env.PROPIEDADES_SEMILLA ?? 1000);

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

it.each(Array.from({ length: WALKS }, (_, i) => FIRST_SEED + i))(
  'ends with the AEAT and us holding the same, whatever happened (PROPIEDADES_SEMILLA=%i)',
  async (seed) => {
    const walk = await startWalk(seed);
    const done: string[] = [];
    try {
      for (const step of walk.steps) {
        done.push(step);
        await walk.take(step);
      }
      await walk.settle();
      await walk.check();
    } catch (error) {
      throw new Error(`After ${done.slice(-30).join(', ')}`, { cause: error });
    } finally {
      await walk.end();
    }
  },
  180_000,
);

interface InvoiceRow {
  readonly posting_date: string;
  readonly doc_no: string;
  readonly status: string;
}

async function startWalk(seed: number) {
  const random = seededRandom(seed);
  const company = await world.signUp();
  const mortal = mortalDispatcher();
  /** Numbers that the AEAT was told to refuse, or to accept with an error. */
  const spoiled = new Set<string>();
  /** The request of each invoice that is not an ordinary one. */
  const drafts = new Map<string, Partial<InvoiceDraftInput>>();
  const rectified = new Set<string>();
  mortal.start();

  const invoices = (...statuses: string[]) => world.sql<InvoiceRow[]>`
    select doc_no, status, posting_date::text from invoices
     where company_id = ${company.id} and status = any(${statuses}) order by doc_no`;
  const connection = async () =>
    expectOk(await company.call<ConexionAEAT>('GET', '/api/GetData/GetConexionAEAT'));
  const sendNow = () => world.sql`
    update despachos set next_envio_at = ${world.deps.clock()} where company_id = ${company.id}`;
  const nextNumber = async () => {
    const [row] = await world.sql<{ doc_no: string }[]>`
      select doc_no from invoices
       where company_id = ${company.id} and status <> 'Borrador' and doc_no ~ '[0-9]$'
       order by doc_no desc limit 1`;
    const last = row?.doc_no ?? `00000/${madridDay(world.deps.clock()).slice(2, 4)}`;
    return `${String(Number.parseInt(last, 10) + 1).padStart(5, '0')}${last.slice(5)}`;
  };
  /** Numbers whose registros make the AEAT refuse their whole message. */
  const defective = new Set<string>();
  /** Huellas of registros by another program. */
  const foreign = new Set<string>();
  const unspoil = async (docNo: string) => {
    if (defective.delete(docNo)) await world.behave({ defectuosos: [...defective] });
    if (!spoiled.delete(docNo)) return;
    await world.behave({ rechazar: { [docNo]: 0 }, aceptarConErrores: { [docNo]: 0 } });
  };
  const spoil = async (docNo: string) => {
    spoiled.add(docNo);
    await world.behave({ rechazar: { [docNo]: 1100 } });
  };
  /** @returns whether the AEAT held something to go back to */
  const giveUp = async ({ doc_no: No }: InvoiceRow) => {
    const answer = await company.call('POST', '/api/PostData/DejarFactura', { No });
    expect([200, 409], JSON.stringify(answer.body)).toContain(answer.status);
    return answer.status === 200;
  };
  /** @returns whether its number belongs to another program at the AEAT */
  const leave = async ({ doc_no: No }: InvoiceRow) => {
    const answer = await company.call('POST', '/api/PostData/DejarSinEfecto', { No });
    expect([200, 409], JSON.stringify(answer.body)).toContain(answer.status);
    return answer.status === 200;
  };
  const correct = async ({ doc_no: draftNo, posting_date: invoiceDate }: InvoiceRow) => {
    const changes = { ...drafts.get(draftNo), notas: 'Corregida', invoiceDate, draftNo };
    const answer = await company.register(changes);
    expect([200, 409], JSON.stringify(answer.body)).toContain(answer.status);
  };

  const actions: Record<string, () => Promise<unknown>> = {
    async registrar() {
      expectOk(await company.register());
    },
    async 'registrar a la vez'() {
      const key = String(random());
      const answers = await Promise.all([
        company.register(),
        company.register({}, key),
        company.register({}, key), // The same invoice, requested twice.
      ]);
      const [, once, again] = answers.map(expectOk);
      expect(again).toEqual(once);
    },
    async 'registrar una que rechazará'() {
      const docNo = await nextNumber();
      spoiled.add(docNo);
      await world.behave({ rechazar: { [docNo]: pick(random, [1100, 1153, 1142]) } });
      expect(expectOk(await company.register()).DocNo).toBe(docNo);
    },
    async 'registrar una que aceptará con errores'() {
      const docNo = await nextNumber();
      spoiled.add(docNo);
      await world.behave({
        aceptarConErrores: { [docNo]: pick(random, [2000, 2001, 2004, 2005]) },
      });
      expect(expectOk(await company.register()).DocNo).toBe(docNo);
    },
    async 'registrar una que estropea su envío'() {
      const docNo = await nextNumber();
      defective.add(docNo);
      await world.behave({ defectuosos: [...defective] });
      expect(expectOk(await company.register()).DocNo).toBe(docNo);
    },
    async 'registrar una cuyo número usó otro programa'() {
      const [like] = await world.sql<{ xml: string }[]>`
        select xml from registros
         where company_id = ${company.id} and tipo_registro = 'Alta' and subsanacion is null
           and fecha_expedicion_factura = ${madridDay(world.deps.clock()).split('-').toReversed().join('-')}
         order by seq limit 1`;
      if (!like) return;
      const docNo = await nextNumber();
      const Huella = String(foreign.size).padStart(64, 'F');
      foreign.add(Huella);
      await sendFromOtherProgram(world, company, like.xml, { NumSerieFactura: docNo, Huella });
      expect(expectOk(await company.register()).DocNo).toBe(docNo);
    },
    async 'registrar y que se pierda la respuesta'() {
      expectOk(await company.register());
      await world.behave({ modo: 'cortar-despues', fallos: 1 });
    },
    async 'atrasar el reloj'() {
      const seconds = Math.floor(random() * 90);
      const before = new Date(world.deps.clock().getTime() - seconds * 1000);
      // The previous day is a different case: no invoice is dated before the last one.
      if (madridDay(before) === madridDay(world.deps.clock())) world.advanceClock(-seconds);
    },
    async 'registrar una simplificada'() {
      const draft = { isSimplificada: true, invoiceType: 1 } as const;
      drafts.set(expectOk(await company.register(draft)).DocNo, draft);
    },
    async rectificar() {
      const all = await invoices('Registrada');
      const original = all.find(({ doc_no }) => /\d$/.test(doc_no) && !rectified.has(doc_no));
      if (!original) return;
      rectified.add(original.doc_no);
      const draft = {
        type: 'abono',
        crmemoType: 0,
        tipoRectificativa: 'I',
        invoiceToRectify: original.doc_no,
      } as const;
      drafts.set(expectOk(await company.register(draft)).DocNo, draft);
    },
    async 'cortar la base de datos al registrar'() {
      const key = String(random());
      const first = company.register({}, key).catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, random() * 10));
      await world.sql`
        select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid()`.catch(() => undefined);
      await first;
      // The browser repeats the request with its key until it gets an answer: it must register only once.
      await untilTrue(
        () => company.register({}, key),
        ({ status }) => status === 200,
      );
      await meetLostConnections();
    },
    async 'reiniciar la web'() {
      const key = String(random());
      const first = company.register({}, key).catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, random() * 10));
      await world.restartWeb();
      await first;
      expectOk(await company.register({}, key)); // The same invoice, if the first request was answered.
    },
    async anular() {
      const all = await invoices('Registrada', 'Aceptado con errores', 'Rechazado', 'Anulada');
      if (all.length === 0) return;
      const { doc_no: No } = pick(random, all);
      // A refused annulment is also possible: its number still makes messages fail.
      if (random() < 0.7) await unspoil(No);
      const answer = await company.call('POST', '/api/PostData/AnularFactura', {
        No,
        motivo: 'Repetida',
      });
      expect([200, 409], JSON.stringify(answer.body)).toContain(answer.status);
    },
    async corregir() {
      const wrong = await invoices('Rechazado', 'Aceptado con errores');
      if (wrong.length === 0) return;
      const invoice = pick(random, wrong);
      await unspoil(invoice.doc_no);
      await correct(invoice);
    },
    async 'corregir mal'() {
      const wrong = await invoices('Rechazado', 'Aceptado con errores');
      if (wrong.length === 0) return;
      const invoice = pick(random, wrong);
      await spoil(invoice.doc_no);
      await correct(invoice);
    },
    async 'anular mal'() {
      const all = await invoices('Registrada', 'Aceptado con errores');
      if (all.length === 0) return;
      const { doc_no: No } = pick(random, all);
      await spoil(No);
      const answer = await company.call('POST', '/api/PostData/AnularFactura', {
        No,
        motivo: 'Repetida',
      });
      expect([200, 409], JSON.stringify(answer.body)).toContain(answer.status);
    },
    async 'dejar como estaba'() {
      const refused = await invoices('Rechazado');
      if (refused.length > 0) await giveUp(pick(random, refused));
    },
    async 'dejar sin efecto'() {
      for (const invoice of await invoices('Rechazado')) if (await leave(invoice)) return;
    },
    async cortar() {
      const modo = pick(random, [
        'cortar-antes',
        'cortar-despues',
        'http-503',
        'fault',
        'xml-roto',
      ]);
      await world.behave({ modo, fallos: 1 + Math.floor(random() * 2) });
    },
    async 'cambiar la espera'() {
      await world.behave({ tiempoEspera: pick(random, [0, 0, 1, 60]) });
    },
    'pasar el tiempo': passTime,
    async 'matar el despacho'() {
      await mortal.kill();
    },
    async 'arrancar el despacho'() {
      mortal.start();
    },
    async 'un segundo despacho'() {
      mortal.start({ another: true });
    },
    'ponerse al día': catchUp,
    async esperar() {
      await new Promise((resolve) => setTimeout(resolve, random() * 60));
    },
  };
  const weighted = Object.keys(actions).flatMap((name) =>
    Array.from({ length: WEIGHTS[name] ?? 2 }, () => name),
  );

  return {
    /** Each at least once, in any order. */
    steps: shuffled(random, [
      ...Object.keys(actions),
      ...Array.from({ length: STEPS - Object.keys(actions).length }, () => pick(random, weighted)),
    ]),
    async take(name: string): Promise<void> {
      await actions[name]?.();
    },
    /**
     * Corrects or gives up what was refused until all is sent; then the same once more, with an answer that is lost.
     */
    async settle(): Promise<void> {
      await world.behave({ modo: 'normal', tiempoEspera: 0 });
      mortal.start();
      await sendAll();
      await actions['registrar y que se pierda la respuesta']?.();
      await sendAll();
    },
    check: () => check(company, foreign),
    end: () => mortal.end(),
  };

  /** Corrects what was refused, or gives it up where that is possible. */
  async function mend(...statuses: string[]): Promise<void> {
    for (const invoice of await invoices(...statuses)) {
      // Only once it is answered: what the AEAT has refused without our knowing would enter at the second attempt,
      // behind those that entered at the first.
      await unspoil(invoice.doc_no);
      const isLeft = random() < 0.5 && ((await giveUp(invoice)) || (await leave(invoice)));
      if (!isLeft) await correct(invoice);
    }
  }

  async function sendAll(): Promise<void> {
    await untilTrue(
      async () => {
        await sendNow();
        await mend('Rechazado', 'Aceptado con errores');
        return connection();
      },
      ({ enEspera, teNecesitan }) => enEspera === 0 && teNecesitan === 0,
      { patienceMs: 90_000 },
    );
  }

  /** Waits long enough for everything to be sent that nothing stops. */
  async function catchUp(): Promise<void> {
    mortal.start();
    await mend('Rechazado');
    const deadline = Date.now() + CATCH_UP_MS;
    while (Date.now() < deadline) {
      await sendNow();
      const { enEspera, estado } = await connection();
      if (enEspera === 0 || estado === 'parado') return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** Advances half a minute, for us and for the AEAT, so that the turn of a dead dispatcher is free again. */
  async function passTime(): Promise<void> {
    world.advanceClock(30);
    const ahead = (world.deps.clock().getTime() - Date.now()) / 1000;
    await world.behave({ relojMundo: Math.round(ahead) });
    if (mortal.isRunning()) return;
    await world.sql`update despachos set lease_until = null where company_id = ${company.id}`;
  }
}

/** Uses each connection of the pool once, because a call that later got a lost one would be answered 503. */
async function meetLostConnections(): Promise<void> {
  const all = Array.from({ length: world.sql.options.max }, () => world.sql`select 1`);
  await Promise.allSettled(all);
}

function shuffled<T>(random: () => number, items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}

function madridDay(instant: Date): string {
  return instant.toLocaleDateString('sv-SE', { timeZone: 'Europe/Madrid' });
}

const WEIGHTS: Readonly<Record<string, number>> = {
  registrar: 8,
  'pasar el tiempo': 8,
  corregir: 5,
  'arrancar el despacho': 5,
  esperar: 5,
  'ponerse al día': 8,
  'anular mal': 3,
  'dejar como estaba': 4,
};

/** A dispatcher that dies like a process: in the middle of its work, and without its database from then on. */
function mortalDispatcher() {
  const alive = new Set<() => Promise<void>>();
  return {
    isRunning: () => alive.size > 0,
    start({ another = false } = {}): void {
      if (alive.size > (another ? 1 : 0)) return;
      const sql = openDatabase({ url: world.databaseUrl });
      const client = new AeatClient(world.runtime);
      const dispatcher = startDispatcher({ ...world.deps, sql }, world.runtime, client);
      alive.add(async () => {
        await Promise.all([sql.end({ timeout: 0 }), client.close()]);
        // What it waits for may never come from a database that is gone.
        await Promise.race([dispatcher.stop(0), new Promise((gone) => setTimeout(gone, 1000))]);
      });
    },
    async kill(): Promise<void> {
      const all = [...alive];
      alive.clear();
      await Promise.all(all.map((die) => die()));
    },
    end(): Promise<void> {
      return this.kill();
    },
  };
}

interface RegistroRow {
  readonly num_serie_factura: string;
  readonly tipo_registro: string;
  readonly huella: string;
  readonly huella_anterior: string;
  readonly estado: string | null;
  readonly answers: number;
}

/** What each side has where they differ, and the messages that took it to the AEAT, in order. */
async function differenceOf(
  nif: string,
  here: readonly string[],
  there: readonly string[],
): Promise<string> {
  const names = [...new Set([...here, ...there])].filter(
    (name) => here.indexOf(name) !== there.indexOf(name),
  );
  const calls = (await world.requests(nif)).toReversed().map(({ peticion, conexionCortada }) => {
    const carried = names.filter((name) => ownHuella(name.split(' ').at(-1) ?? '').test(peticion));
    return `${conexionCortada ? '(cut) ' : ''}${carried.map((name) => names.indexOf(name)).join(' ')}`;
  });
  return [
    `The AEAT holds ${there.length} and we ${here.length}. Places there and here:`,
    ...names.map((name, i) => `${i}. ${name}: ${there.indexOf(name)}, ${here.indexOf(name)}`),
    'Those of them that each call carried:',
    ...calls.filter(Boolean),
  ].join('\n');
}

/** Matches where a registro states its own huella, not where the next one refers to it. */
function ownHuella(huella: string): RegExp {
  return new RegExp(`TipoHuella>\\s*<[^>]*Huella>${huella}`);
}

async function check({ id, nif, call }: TestCompany, foreign: ReadonlySet<string>): Promise<void> {
  const registros = await world.sql<RegistroRow[]>`
    select r.num_serie_factura, r.tipo_registro, r.huella, r.huella_anterior,
           max(a.estado_registro) as estado, count(a.seq)::int as answers
      from registros r
      left join respuestas a on a.company_id = r.company_id and a.seq = r.seq
     where r.company_id = ${id}
     group by r.company_id, r.seq order by r.seq`;

  // At least the last one had entered when its answer was lost.
  const duplicates = await world.sql`
    select 1 from respuestas where company_id = ${id} and es_duplicado`;
  expect(duplicates.length).toBeGreaterThan(0);

  // Each registro has one answer, and is linked to the one before it.
  expect(registros.filter(({ answers }) => answers !== 1)).toEqual([]);
  registros.forEach(({ huella_anterior }, i) => {
    expect(huella_anterior).toBe(registros[i - 1]?.huella ?? '');
  });
  expect(expectOk(await call('GET', '/api/GetData/VerificarCadena'))).toMatchObject({
    registros: registros.length,
    correcta: true,
  });

  // The AEAT holds everything that it accepted, in our order. A subsanación or an anulación whose answer was lost
  // enters again, unlike an alta (AEAT, FAQ for developers 1.3): it is the same registro, recognised by its huella.
  const accepted = registros.filter(({ estado }) => estado !== 'Incorrecto');
  const arrived = await world.held(nif);
  const held = arrived.filter(
    ({ Huella }, i) =>
      !foreign.has(Huella) && arrived.findIndex((row) => row.Huella === Huella) === i,
  );
  const there = held.map((row) => `${row.NumSerieFactura} ${row.TipoRegistro} ${row.Huella}`);
  const here = accepted.map((r) => `${r.num_serie_factura} ${r.tipo_registro} ${r.huella}`);
  if (here.join() !== there.join()) throw new Error(await differenceOf(nif, here, there));

  // Every number was used once, and each invoice stands as the AEAT has it.
  const invoices = await world.sql<InvoiceRow[]>`
    select doc_no, status, posting_date::text from invoices
     where company_id = ${id} and status <> 'Borrador' order by doc_no`;
  const seriesOf = (docNo: string) => docNo.replace(/^\d+/, '');
  for (const series of new Set(invoices.map(({ doc_no }) => seriesOf(doc_no)))) {
    const own = invoices.filter(({ doc_no }) => seriesOf(doc_no) === series);
    expect(own.map(({ doc_no }) => Number.parseInt(doc_no, 10))).toEqual(own.map((_, i) => i + 1));
  }
  const latest = new Map(held.map((row) => [row.NumSerieFactura, row]));
  for (const { doc_no, status } of invoices) {
    const row = latest.get(doc_no);
    const isMended = row?.EstadoRegistro === 'Correcto' || row?.CodigoErrorRegistro === 2004;
    const alta = isMended ? 'Registrada' : 'Aceptado con errores';
    // Invoices of which it accepted nothing were left without effect, because their number belongs to another program.
    const isAnulada = row === undefined || row.TipoRegistro === 'Anulacion';
    expect([doc_no, status]).toEqual([doc_no, isAnulada ? 'Anulada' : alta]);
    if (row === undefined) expect(arrived.map((r) => r.NumSerieFactura)).toContain(doc_no);
  }
}
