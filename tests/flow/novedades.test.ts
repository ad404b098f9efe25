import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { buildApp } from '../../src/api/app.ts';
import type { Cobros } from '../../src/contract/cobros.ts';
import type { Novedades } from '../../src/contract/novedades.ts';
import { isoDateIn } from '../../src/domain/dates.ts';
import { openDatabase } from '../../src/platform/database.ts';
import { type Listener, openListener } from '../../src/platform/listener.ts';
import { createNews, NEWS_CHANNEL, type News } from '../../src/platform/news.ts';
import {
  draftOf,
  expectOk,
  openWorldWithCompany,
  type TestCompany,
  untilTrue,
  type World,
} from '../support/world.ts';

/** Two web servers over one database, like two processes: changes made through the first are asked of the second. */
let world: World;
let company: TestCompany;
let news: News;
let listener: Listener;
let second: Awaited<ReturnType<typeof buildApp>>;
/** Called, one after another, when a call of the second server is about to wait, which it does afterwards. */
let awaited: (() => unknown)[] = [];
/** For how many milliseconds its calls have waited. */
let heldMs = 0;

beforeEach(async () => {
  ({ world, company } = await openWorldWithCompany());
  awaited = [];
  heldMs = 0;
  news = waitingAloud(createNews(world.sql, world.deps.log));
  let isListening = false;
  const onReconnect = () => {
    news.handler.onReconnect?.();
    isListening = true;
  };
  listener = openListener(
    { url: world.databaseUrl },
    { [NEWS_CHANNEL]: { onMessage: news.handler.onMessage, onReconnect } },
  );
  second = await buildApp({ ...world.deps, news }, world.runtime);
  await untilTrue(
    async () => isListening,
    (is) => is,
  );
});
afterEach(async () => {
  news.release();
  await listener.close();
  await second.close();
  await world.close();
});

/** The same news, reporting when a call is about to wait for them. */
function waitingAloud(inner: News): News {
  return {
    ...inner,
    listen(companyId, sid) {
      const listening = inner.listen(companyId, sid);
      let isFirst = true;
      return (
        listening && {
          leave: listening.leave,
          async told(milliseconds) {
            // It waits again if what it was notified of changed nothing.
            if (isFirst) await awaited.shift()?.();
            isFirst = false;
            const since = performance.now();
            const isNews = await listening.told(milliseconds);
            heldMs += performance.now() - since;
            return isNews;
          },
        }
      );
    },
  };
}

interface Held {
  readonly status: number;
  readonly etag: string;
  readonly body: Novedades;
  readonly ms: number;
}

async function ask(
  { token }: TestCompany,
  { etag, wait }: { readonly etag?: string; readonly wait?: number } = {},
): Promise<Held> {
  const start = performance.now();
  const response = await second.inject({
    url: '/api/GetData/GetNovedades',
    headers: {
      authorization: `Bearer ${token}`,
      ...(etag && { 'if-none-match': etag }),
      ...(wait && { prefer: `wait=${wait}` }),
    },
  });
  return {
    status: response.statusCode,
    etag: String(response.headers.etag),
    body: response.body === '' ? { facturas: '', cuenta: '' } : response.json(),
    ms: performance.now() - start,
  };
}

/** Runs `happens` once the call waits, so that the call is notified of it. */
async function hold(of: TestCompany, etag: string, wait = 25): Promise<{ answer: Promise<Held> }> {
  const waiting = new Promise<void>((resolve) => {
    awaited.push(resolve);
  });
  const answer = ask(of, { etag, wait });
  await Promise.race([waiting, answer]);
  return { answer };
}

it('returns at once when another process registers, the AEAT answers or a mail is sent', async () => {
  const before = await ask(company);
  expect(before.status).toBe(200);

  const registering = await hold(company, before.etag);
  const { DocNo } = expectOk(await company.register());
  const registered = await registering.answer;
  expect(registered.status).toBe(200);
  expect(registered.body.facturas).not.toBe(before.body.facturas);
  expect(registered.body.cuenta).toBe(before.body.cuenta);
  expect(registered.ms).toBeLessThan(20_000);

  const sending = await hold(company, registered.etag);
  const dispatcher = world.startDispatcher();
  dispatcher.wake();
  const answered = await sending.answer;
  expect(answered.status).toBe(200);
  await dispatcher.stop();

  const { etag } = await ask(company);
  const mailing = await hold(company, etag);
  expectOk(await company.call('POST', '/api/PostData/EnviarFactura', { No: DocNo }));
  expect((await mailing.answer).status).toBe(200);
});

it('differs after each change that lists show', async () => {
  let No = '';
  let id = '';
  const steps: (() => Promise<unknown>)[] = [
    () =>
      company.call('POST', '/api/PostData/SetFacturas', {
        ...draftOf(company.customerNo, world.deps.clock()),
        accionFactura: 0,
      }),
    () => company.call('POST', '/api/PostData/DeleteInvoice', { No: 'B-1' }),
    async () => {
      No = expectOk(await company.register()).DocNo;
    },
    async () => {
      const asked = { No, Fecha: isoDateIn(world.deps.clock(), 'Europe/Madrid'), Medio: '01' };
      const noted = await company.call<Cobros>('POST', '/api/PostData/AnotarCobro', {
        ...asked,
        Importe: '1,00',
      });
      id = expectOk(noted).lista[0]?.id ?? '';
    },
    async () => expectOk(await company.call('POST', '/api/PostData/EliminarCobro', { No, id })),
    () => world.sql`
      update companies set subscription_ends_at = now() + '2 years' where id = ${company.id}`,
  ];
  let last = (await ask(company)).etag;
  for (const step of steps) {
    await step();
    const { etag } = await ask(company, { etag: last });
    expect(etag).not.toBe(last);
    last = etag;
  }
});

it('says that nothing has changed when its time is over, which does not count as slowness', async () => {
  const { etag } = await ask(company);
  const same = await ask(company, { etag, wait: 1 });
  expect(same).toMatchObject({ status: 304, etag });
  expect(same.ms).toBeGreaterThan(900);
  // Without either header it is answered like any other call.
  const again = await ask(company, { etag });
  expect(again).toMatchObject({ status: 304 });
  expect(await ask(company, { wait: 25 })).toMatchObject({ status: 200, etag });

  const { body } = await second.inject('/metricas');
  const [, sum] = /huella_http_segundos_sum{.*GetNovedades.*status="304".*} (\S+)/.exec(body) ?? [];
  expect(Number(sum) * 1000).toBeLessThanOrEqual(same.ms + again.ms - heldMs);
});

it('notices a change when its time is over, even if it was not notified', async () => {
  const { etag } = await ask(company);
  awaited.push(
    () => world.sql`update despachos set failures = failures + 1 where company_id = ${company.id}`,
  );
  expect((await ask(company, { etag, wait: 1 })).status).toBe(200);
});

it('notifies nobody in another company', async () => {
  const other = await world.signUp('B76543214', 'Otra Empresa, S.L.');
  const { etag } = await ask(other);
  const held = await hold(other, etag, 2);
  expectOk(await company.register());
  expect(await held.answer).toMatchObject({ status: 304, etag });
});

it('covers more companies at once than fit in one notification', async () => {
  const ids = Array.from({ length: 2_000 }, (_, index) => 2_000_000_000 + index);
  const listening = ids.map((id) => news.listen(id, 'una sesión'));
  for (const id of ids) world.deps.news.tell(id);
  const told = await Promise.all(listening.map((one) => one?.told(20_000)));
  expect(told.every((isTold) => isTold)).toBe(true);
});

it('holds eight calls of a session at once, and answers the next one', async () => {
  const { etag } = await ask(company);
  const held = await Promise.all(Array.from({ length: 8 }, () => hold(company, etag)));
  const ninth = await ask(company, { etag, wait: 25 });
  expect(ninth).toMatchObject({ status: 304, etag });
  expect(ninth.ms).toBeLessThan(20_000);
  expectOk(await company.register());
  for (const { answer } of held) expect((await answer).status).toBe(200);
});

it('answers nothing to a session that ended meanwhile', async () => {
  const { etag } = await ask(company);
  const held = await hold(company, etag);
  await world.sql`update sessions set ended_at = now() where company_id = ${company.id}`;
  news.tell(company.id);
  expect((await held.answer).status).toBe(401);
});

it('releases everything when its process ends', async () => {
  const { etag } = await ask(company);
  const held = await hold(company, etag);
  news.release();
  expect(await held.answer).toMatchObject({ status: 304, etag });
  const late = await ask(company, { etag, wait: 25 });
  expect(late.status).toBe(304);
  expect(late.ms).toBeLessThan(20_000);
});

it('releases callers that go away', async () => {
  const { etag } = await ask(company);
  await second.listen({ host: '127.0.0.1', port: 0 });
  const { port } = second.server.address() as AddressInfo;
  const leaving = new AbortController();
  const gone = Array.from({ length: 8 }, () =>
    fetch(`http://127.0.0.1:${port}/api/GetData/GetNovedades`, {
      signal: leaving.signal,
      headers: {
        authorization: `Bearer ${company.token}`,
        'if-none-match': etag,
        prefer: 'wait=25',
      },
    }).catch(() => null),
  );
  const isFull = () => {
    const place = news.listen(company.id, sidOf(company));
    place?.leave();
    return place === null;
  };
  await untilTrue(
    async () => isFull(),
    (is) => is,
  );
  leaving.abort();
  await Promise.all(gone);
  await untilTrue(
    async () => isFull(),
    (is) => !is,
  );
});

function sidOf({ token }: TestCompany): string {
  const [, claims = ''] = token.split('.');
  return (JSON.parse(Buffer.from(claims, 'base64url').toString()) as { sid: string }).sid;
}

it('has notified the others by the time it is closed', async () => {
  const sql = openDatabase(world.deps.database);
  const ending = createNews(sql, world.deps.log);
  const listening = news.listen(company.id, 'sesion');
  ending.tell(company.id);
  await ending.close();
  await sql.end();
  expect(await listening?.told(5_000)).toBe(true);
  listening?.leave();
});
