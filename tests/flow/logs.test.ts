import { Writable } from 'node:stream';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { BusinessCentralIva } from '../../src/contract/business-central.ts';
import { resumeRuns } from '../../src/operations/register-all.ts';
import { createLogger } from '../../src/platform/log.ts';
import { openRun } from '../../src/store/register-all-runs.ts';
import { BUSINESS_CENTRAL_SETTINGS } from '../fixtures/business-central.ts';
import { endPauses } from '../support/load.ts';
import {
  draftOf,
  expectOk,
  openWorld,
  type TestCompany,
  untilTrue,
  type World,
} from '../support/world.ts';

type Line = Readonly<Record<string, unknown>>;

const lines: Line[] = [];
let world: World;
let company: TestCompany;

beforeEach(async () => {
  lines.length = 0;
  const destination = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(JSON.parse(String(chunk)));
      done();
    },
  });
  world = await openWorld({}, createLogger('info', destination));
  company = await world.signUp('B12345674');
});
afterEach(() => world.close());

async function post<T>(requestId: string, call: string, payload: object = {}, key?: string) {
  const answer = await world.app.inject({
    method: 'POST',
    url: `/api/PostData/${call}`,
    headers: {
      authorization: `Bearer ${company.token}`,
      'x-request-id': requestId,
      ...(key && { 'idempotency-key': key }),
    },
    payload,
  });
  expect(answer.statusCode).toBe(200);
  return answer.json() as T;
}

const draft = () => draftOf(company.customerNo, world.deps.clock());

const register = (requestId: string, key?: string) =>
  post<{ DocNo: string }>(requestId, 'SetFacturas', { ...draft(), accionFactura: 1 }, key);

/** Cuts the connection of whoever waits for this table, from inside, so that nobody knows whether it committed. */
async function cutWhoWritesTo(table: string, call: () => Promise<unknown>): Promise<void> {
  let called: Promise<unknown> = Promise.resolve();
  await world.sql.begin(async (tx) => {
    await tx`lock table ${tx(table)} in share mode`;
    called = call().catch(() => undefined);
    await untilTrue(
      () => tx<{ cut: boolean }[]>`
        select pg_terminate_backend(pid) as cut from pg_locks
         where database = (select oid from pg_database where datname = current_database())
           and relation = ${table}::regclass and not granted`,
      (rows) => rows.length > 0,
    );
  });
  await called;
}

async function saveDrafts(count: number): Promise<void> {
  const body = { ...draft(), accionFactura: 0 };
  for (let saved = 0; saved < count; saved++) await post('a-draft-saved', 'SetFacturas', body);
}

const linesOf = (msg: string) => lines.filter((line) => line.msg === msg);
const lineOf = (msg: string) => linesOf(msg)[0];

/** As the runbook says: the company's message that contains that place of the cadena. */
const messagesOf = (registro: Line) =>
  linesOf('a message to the AEAT is ready').filter(goesPast(registro));

const goesPast = (registro: Line) => (message: Line) =>
  message.companyId === registro.companyId &&
  Number(message.fromSeq) <= Number(registro.seq) &&
  Number(message.toSeq) >= Number(registro.seq);

const answersTo = (registro: Line) => linesOf('the AEAT answered').filter(goesPast(registro));

it('leads from the id of a call to the message that took its registro to the AEAT', async () => {
  const { DocNo } = await register('8f1d2c3b4a5e6071');
  expect(lineOf('invoice registered')).toMatchObject({
    reqId: '8f1d2c3b4a5e6071',
    companyId: company.id,
    DocNo,
    seq: '1',
  });

  // The first attempt gets no answer: that line too is found from the call.
  await world.behave({ modo: 'cortar-antes', fallos: 1 });
  const dispatcher = world.startDispatcher();
  const failed = await untilTrue(async () => lineOf('the AEAT did not take a message'), Boolean);
  expect(lineOf('a message to the AEAT is ready')).toMatchObject({
    companyId: company.id,
    envioId: failed?.envioId,
    facturas: [DocNo],
  });
  const answered = await untilTrue(async () => {
    await endPauses(world.sql);
    dispatcher.wake();
    return lineOf('the AEAT answered');
  }, Boolean);
  expect(answered).toMatchObject({
    companyId: company.id,
    fromSeq: '1',
    toSeq: '1',
    EstadoEnvio: 'Correcto',
    facturas: [DocNo],
  });
  expect(lineOf('sending a message to the AEAT')).toMatchObject({
    companyId: company.id,
    envioId: answered?.envioId,
    intento: 1, // The first line: the second attempt has one of its own.
  });
});

it('says from where a sign-in failed, whether or not somebody has that e-mail, and no more', async () => {
  for (const Email of ['b12345674@ejemplo.es', 'nadie@ejemplo.es']) {
    const { statusCode } = await world.app.inject({
      method: 'POST',
      url: '/api/Auth/login',
      remoteAddress: '83.45.12.34',
      payload: { Email, Password: 'no es esta' },
    });
    expect(statusCode).toBe(401);
  }
  const failed = lines.filter(({ msg }) => msg === 'a sign-in failed');
  expect(failed).toMatchObject([
    { address: '83.45.12.0', companyId: company.id },
    { address: '83.45.12.0' },
  ]);
  expect(failed[1]).not.toHaveProperty('companyId');
  expect(JSON.stringify(lines)).not.toMatch(/ejemplo\.es|no es esta/);
});

it('gives a call an id of its own if the given one is not valid', async () => {
  await register('{"level":"fatal"}');
  const { reqId } = lineOf('invoice registered') ?? {};
  expect(reqId).toMatch(/^[0-9a-f-]{36}$/);
});

it('leads from «Registrar todas» to the message of each invoice, including those that it does not name', async () => {
  await saveDrafts(53);
  await post('all-that-there-was', 'RegistrarTodas');
  const registered = await untilTrue(
    async () => linesOf('invoice registered'),
    (found) => found.length === 53,
  );
  expect(registered.map(({ seq }) => Number(seq))).toEqual(registered.map((_, index) => index + 1));
  expect(new Set(registered.map(({ reqId }) => reqId))).toEqual(new Set(['all-that-there-was']));

  world.startDispatcher();
  await untilTrue(
    async () => answersTo(registered.at(-1) as Line),
    (found) => found.length > 0,
  );
  const stored = await world.sql<{ DocNo: string; seq: string; envioId: string }[]>`
    select r.num_serie_factura as "DocNo", r.seq::text, a.envio_id::text as "envioId"
      from registros r
      join respuestas a on a.company_id = r.company_id and a.seq = r.seq
     where r.company_id = ${company.id} order by r.seq`;
  const followed = registered.map((line) => ({
    DocNo: line.DocNo,
    seq: line.seq,
    envioId: answersTo(line)[0]?.envioId,
  }));
  expect(followed).toEqual([...stored]);
  const [last] = registered.slice(-1) as [Line];
  const [message] = messagesOf(last) as [Line];
  expect(message.facturas).toHaveLength(50);
  expect(message.facturas).not.toContain(last.DocNo);
});

it('keeps the call that started a run when another process runs it', async () => {
  await saveDrafts(2);
  await openRun(world.sql, company.id, world.deps.clock(), { reqId: 'who-began-it' });
  await resumeRuns(world.deps);
  expect(linesOf('invoice registered')).toMatchObject([
    { reqId: 'who-began-it', companyId: company.id, seq: '1' },
    { reqId: 'who-began-it', companyId: company.id, seq: '2' },
  ]);
});

it('distinguishes the calls of a shared commit', async () => {
  const ids = ['first-of-three', 'second-of-three', 'third-of-three'];
  const answers = await Promise.all(ids.map((id) => register(id)));
  expect(linesOf('invoice registered')).toHaveLength(3);
  for (const [index, reqId] of ids.entries()) {
    const own = linesOf('invoice registered').filter((line) => line.reqId === reqId);
    expect(own).toMatchObject([{ DocNo: answers[index]?.DocNo }]);
  }
});

it('says which invoice was the answer to a repeated call', async () => {
  const { DocNo } = await register('the-first-time', 'a-key-of-mine');
  await register('the-second-time', 'a-key-of-mine');
  expect(linesOf('invoice registered')).toMatchObject([{ reqId: 'the-first-time', DocNo }]);
  expect(linesOf('an invoice was asked for again')).toMatchObject([
    { reqId: 'the-second-time', companyId: company.id, DocNo },
  ]);
});

it('says what may have been registered when the database is lost in the middle', async () => {
  await cutWhoWritesTo('registros', () => register('nobody-answered'));
  expect(linesOf('invoice registered')).toEqual([]);
  expect(linesOf('nobody knows whether a registro was stored')).toMatchObject([
    { reqId: 'nobody-answered', companyId: company.id, DocNo: expect.any(String), seq: '1' },
  ]);
});

it('leads from a synchronisation that somebody asked for to each invoice that it registers', async () => {
  await world.control('/desarrollo/business-central/datos', {
    facturas: 3,
    clientes: 2,
    productos: 2,
  });
  await post('settings-of-it', 'SetBusinessCentral', {
    ...BUSINESS_CENTRAL_SETTINGS,
    modo: 'registrar',
  });
  const codes = await company
    .call<BusinessCentralIva>('GET', '/api/GetData/GetBusinessCentralIVA')
    .then(expectOk);
  const codigos = codes.map(({ grupo, codigo, porcentaje, propuesta, opciones }) => ({
    grupo,
    codigo,
    porcentaje,
    tax: propuesta || opciones[0]?.value || '',
  }));
  await post('taxes-of-it', 'SetBusinessCentralIVA', { codigos });
  await world.sql`
    update bc_connections set status = 'activa', declared_off_at = now(), declared_off_by = 'prueba'
     where company_id = ${company.id}`;
  await post('bring-it-all', 'SincronizarBusinessCentral');
  const registered = await untilTrue(
    async () => linesOf('invoice registered'),
    (found) => found.length === 3,
  );
  const [run] = await world.sql<{ id: string }[]>`select id::text from bc_runs`;
  expect(registered.map(({ reqId, runId, seq }) => ({ reqId, runId, seq }))).toEqual(
    ['1', '2', '3'].map((seq) => ({ reqId: 'bring-it-all', runId: run?.id, seq })),
  );
  // It is stopped before the world is.
  await untilTrue(
    () => world.sql`select 1 from bc_runs where finished_at is not null`,
    (ended) => ended.length === 1,
  );
});

it('says that the AEAT did not take the message of a single registro that it cannot read', async () => {
  const { DocNo } = await register('cannot-be-read');
  await world.behave({ defectuosos: [DocNo] });
  world.startDispatcher();
  const refused = await untilTrue(async () => lineOf('the AEAT did not take a message'), Boolean);
  expect(refused).toMatchObject({
    companyId: company.id,
    outcome: 'fault',
    detail: expect.stringContaining('4102'),
  });
  expect(messagesOf(lineOf('invoice registered') as Line)).toMatchObject([
    { envioId: refused?.envioId },
  ]);
});

it('leads from annulling to the message that reports it to the AEAT', async () => {
  const { DocNo } = await register('registered-first');
  const dispatcher = world.startDispatcher();
  await untilTrue(
    async () => linesOf('the AEAT answered').length,
    (count) => count === 1,
  );
  await post('annulled-then', 'AnularFactura', { No: DocNo, motivo: 'Duplicada' });
  const annulled = lineOf('invoice annulled') as Line;
  expect(annulled).toMatchObject({
    reqId: 'annulled-then',
    companyId: company.id,
    DocNo,
    seq: '2',
  });
  const [answered] = await untilTrue(
    async () => {
      await endPauses(world.sql);
      dispatcher.wake();
      return answersTo(annulled);
    },
    (found) => found.length > 0,
  );
  expect(messagesOf(annulled)).toMatchObject([{ envioId: answered?.envioId, facturas: [DocNo] }]);
  expect(answersTo(lineOf('invoice registered') as Line)).toHaveLength(1);
});
