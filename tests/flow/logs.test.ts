import { Writable } from 'node:stream';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createLogger } from '../../src/platform/log.ts';
import { endPauses } from '../support/load.ts';
import { draftOf, eventually, openWorld, type TestCompany, type World } from '../support/world.ts';

const lines: Record<string, unknown>[] = [];
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

function register(requestId: string) {
  return world.app.inject({
    method: 'POST',
    url: '/api/PostData/SetFacturas',
    headers: { authorization: `Bearer ${company.token}`, 'x-request-id': requestId },
    payload: { ...draftOf(company.customerNo, world.deps.clock()), accionFactura: 1 },
  });
}

const lineOf = (msg: string) => lines.find((line) => line.msg === msg);

it('leads from the id of a call to the message that took its registro to the AEAT', async () => {
  const answer = await register('8f1d2c3b4a5e6071');
  const { DocNo } = answer.json() as { DocNo: string };
  expect(lineOf('invoice registered')).toMatchObject({
    reqId: '8f1d2c3b4a5e6071',
    companyId: company.id,
    DocNo,
  });

  // The first attempt gets no answer: that line too is found from the call.
  await world.behave({ modo: 'cortar-antes', fallos: 1 });
  const dispatcher = world.startDispatcher();
  const failed = await eventually(async () => lineOf('the AEAT did not take a message'), Boolean);
  expect(lineOf('a message to the AEAT is ready')).toMatchObject({
    companyId: company.id,
    envioId: failed?.envioId,
    facturas: [DocNo],
  });
  const answered = await eventually(async () => {
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

it('names a call by itself when the id given could not be one', async () => {
  await register('{"level":"fatal"}');
  const { reqId } = lineOf('invoice registered') ?? {};
  expect(reqId).toMatch(/^[0-9a-f-]{36}$/);
});
