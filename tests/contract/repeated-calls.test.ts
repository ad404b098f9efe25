import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { findAnswer, keepAnswers, takeKeys } from '../../src/store/idempotency.ts';
import { yearOf } from '../support/world.ts';
import { type AccountApp, openAccountApp, PASSWORD } from './account-app.ts';

let app: AccountApp;
let token: string;
beforeAll(async () => {
  app = await openAccountApp();
  ({ token } = await app.signUp());
});
afterAll(() => app.close());

const draft = (change: object = {}) => ({
  accionFactura: 0,
  invoiceDate: '2026-11-20',
  invoiceItems: [{ description: 'Pan', quantity: '1', price: '10' }],
  ...change,
});

describe('Idempotency-Key of an invoice', () => {
  const call = async (path: string, key: string, body: object) =>
    app.call<{ DocNo: string; message: string }>('POST', `/api/PostData/${path}`, {
      token,
      body,
      headers: { 'idempotency-key': key },
    });

  it('makes one draft of the same call sent twice', async () => {
    const count = async () => (await app.get<unknown[]>('GetPendingInvoices', token)).body.length;
    const before = await count();
    const first = await call('SetFacturas', 'borrador', draft());
    const again = await call('SetFacturas', 'borrador', draft());
    expect(first.status).toBe(200);
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect(await count()).toBe(before + 1);
    const other = await call('SetFacturas', 'borrador', draft({ notas: 'otra' }));
    expect(other.status).toBe(409);
  });

  it('deletes a draft once', async () => {
    const { body } = await call('SetFacturas', 'uno', draft());
    const answers = [1, 2].map(() => () => call('DeleteInvoice', 'fuera', { No: body.DocNo }));
    for (const answer of answers) expect((await answer()).status).toBe(200);
    expect((await call('DeleteInvoice', 'otra vez', { No: body.DocNo })).status).toBe(404);
  });

  it('may be used again when annulling was refused', async () => {
    for (let i = 0; i < 2; i++) {
      const { status } = await call('AnularFactura', 'anular', { No: 'F-404', motivo: 'prueba' });
      expect(status).toBe(403); // It has no certificate.
    }
  });
});

describe('What is stored of a call under its key', () => {
  const call = (key: string, body: object) =>
    app.call('POST', '/api/PostData/reiniciarContador', {
      token,
      body,
      headers: { 'idempotency-key': key },
    });

  it('is no hash against which passwords could be tested', async () => {
    const asked = {
      NoSerie: `00007/${yearOf(app.deps.clock())}`,
      PasswordActual: PASSWORD,
    };
    const first = await call('contador', asked);
    expect(first).toMatchObject({ status: 200 });
    const bare = createHash('sha256')
      .update(`/api/PostData/reiniciarContador\n${JSON.stringify(asked)}`)
      .digest('hex');
    const [kept] = await app.sql`select request_hash from idempotency_keys where key = 'contador'`;
    expect(kept?.request_hash).toMatch(/^[0-9a-f]{64}$/);
    expect(kept?.request_hash).not.toBe(bare);
    expect(await call('contador', asked)).toMatchObject({ status: 200, body: first.body });
    expect((await call('contador', { ...asked, PasswordActual: 'otra' })).status).toBe(409);
  });
});

describe('A call that creates something', () => {
  const of = (call: string, table: string, body: object) => ({ call, table, body });
  const imported = { No: 'IMP', Name: 'Leche', UnitOfMeasure: 'UD', UnitPrice: 1 };
  const MAKING = [
    of('SetClientes', 'customers', { Name: 'Hotel' }),
    of('SetProductos', 'products', { Name: 'Pan', UnitOfMeasure: 'UD', UnitPrice: '1,20' }),
    of('SetFacturas', 'invoices', draft()),
    of('SaveData', 'products', { Items: [imported] }),
    of('sendMailSupport', 'mail_jobs', { Asunto: 'Ayuda', Body: 'No sé.' }),
  ];

  it.each(MAKING)('stores its answer in the transaction that creates it: $call', async (one) => {
    const key = `hecho con ${one.call}`;
    const ask = () =>
      app.call('POST', `/api/PostData/${one.call}`, {
        token,
        body: one.body,
        headers: { 'idempotency-key': key },
      });
    const first = await ask();
    expect(first).toMatchObject({ status: 200 });
    // Whenever the process is killed, a repeated call therefore finds both or neither.
    const makers = await app.sql`
      select (select xmin::text from idempotency_keys where key = ${key}) as kept, xmin::text as made
        from ${app.sql(one.table)} order by xmin::text::bigint desc limit 1`;
    expect(makers[0]?.kept).toBe(makers[0]?.made);
    expect(await ask()).toMatchObject({ status: 200, body: first.body });
  });

  it('creates nothing if its answer cannot be stored, and may be repeated', async () => {
    await app.sql.unsafe(`
      create function cut() returns trigger language plpgsql as $$ begin raise 'cut'; end $$;
      create trigger cut before update on idempotency_keys for each row
        when (new.status is not null) execute function cut();`);
    const own = await app.signUp();
    const ask = () =>
      app.call('POST', '/api/PostData/SetClientes', {
        token: own.token,
        body: { Name: 'Hotel' },
        headers: { 'idempotency-key': 'cortada' },
      });
    const customers = async () => (await app.get<unknown[]>('GetClientes', own.token)).body.length;
    const before = await customers();
    expect((await ask()).status).toBe(500);
    expect(await customers()).toBe(before);
    await app.sql`drop function cut cascade`;
    expect((await ask()).status).toBe(200);
    expect(await customers()).toBe(before + 1);
  });

  it('is under way for as long as it takes, and repeated calls are told so', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const own = await app.signUp();
    const ask = () =>
      app.call('POST', '/api/PostData/SetClientes', {
        token: own.token,
        body: { No: 'LENTO', Name: 'Hotel' },
        headers: { 'idempotency-key': 'lenta' },
      });
    const saidAt = async () =>
      (
        await app.sql<
          { at: Date }[]
        >`select created_at as at from idempotency_keys where key = 'lenta'`
      )[0]?.at;
    const slow = await app.sql.reserve();
    await slow`begin`;
    await slow`insert into customers (company_id, no, name) values (${own.id}, 'LENTO', 'Otro')`;
    const first = ask();
    const begun = await vi.waitUntil(saidAt, 10_000);
    for (let times = 0; times < 3; times++) {
      app.advanceClock(50);
      const now = app.deps.clock();
      vi.advanceTimersByTime(20_000);
      await vi.waitUntil(async () => ((await saidAt()) ?? begun) >= now, 10_000);
    }
    expect(await ask()).toMatchObject({ status: 409, body: { message: /todavía se está/ } });
    await slow`rollback`;
    slow.release();
    expect((await first).status).toBe(200);
    expect((await ask()).body).toEqual((await first).body);
    vi.useRealTimers();
  });
});

describe('How long a key is kept', () => {
  const MINUTE = 60;
  const DAY = 24 * 60 * MINUTE;
  const begun = new Date('2026-11-20T10:00:00Z');
  const at = (seconds: number) => new Date(begun.getTime() + seconds * 1000);
  let companyId: number;
  beforeAll(async () => {
    ({ id: companyId } = await app.signUp());
  });
  const call = (key: string) => ({ companyId, key, requestHash: 'lo pedido' });
  /** What a call with the key finds at that moment. */
  const found = async (key: string, seconds: number) => {
    const kept = await app.sql.begin((tx) => takeKeys(tx, [call(key)], at(seconds)));
    return [...kept.values()].map(({ status, body }) => ({ status, body }));
  };

  it('is 24 hours for one with an answer, which is the first one', async () => {
    expect(await found('contestada', 0)).toEqual([]);
    const answer = { companyId, key: 'contestada', status: 200, body: { DocNo: '1' } };
    expect(await keepAnswers(app.sql, [answer])).toBe(1);
    expect(await keepAnswers(app.sql, [{ ...answer, body: { DocNo: '2' } }])).toBe(0);
    const answered = [{ status: 200, body: { DocNo: '1' } }];
    expect(await found('contestada', DAY - 1)).toEqual(answered);
    expect(await findAnswer(app.sql, call('contestada'), at(DAY))).toEqual({ DocNo: '1' });
    expect(await findAnswer(app.sql, call('contestada'), at(DAY + 1))).toBeNull();
    expect(await found('contestada', DAY + 1)).toEqual([]);
  });

  it('is a minute for one that was interrupted', async () => {
    expect(await found('cortada', 0)).toEqual([]);
    expect(await found('cortada', MINUTE)).toEqual([{ status: null, body: null }]);
    expect(await found('cortada', MINUTE + 1)).toEqual([]);
    expect(await found('cortada', MINUTE + 2)).toEqual([{ status: null, body: null }]);
  });
});

describe('What deploy/nginx.conf repeats at the other process', () => {
  /** Whether a call goes to `@repeat`: the first matching line of the map decides, as in nginx. */
  function mayRepeat(key: string, path: string): boolean {
    const config = readFileSync('deploy/nginx.conf', 'utf8');
    const lines = [...config.matchAll(/^ +"~(?<pattern>.+)" (?<value>1|"");$/gm)];
    expect(lines.length).toBeGreaterThan(2);
    const line = lines.find(({ groups }) =>
      new RegExp(groups?.pattern ?? '').test(`${key} ${path}`),
    );
    return line?.groups?.value === '1';
  }

  it('is, with a key, every call that stores its answer, and no other', async () => {
    const { paths } = (
      await app.call<{
        paths: Record<string, Record<string, { parameters?: { name: string }[] }>>;
      }>('GET', '/api/openapi.json')
    ).body;
    const posts = Object.entries(paths).filter(([, { post }]) => post);
    const keeping = posts.filter(([, { post }]) =>
      post?.parameters?.some(({ name }) => name === 'Idempotency-Key'),
    );
    const pathsOf = (calls: typeof posts) => calls.map(([path]) => path);
    const writes = posts.filter(([path]) => !mayRepeat('', path));
    expect(pathsOf(writes.filter(([path]) => mayRepeat('k1', path)))).toEqual(
      pathsOf(keeping.filter(([path]) => !mayRepeat('', path))),
    );
    expect(keeping.length).toBeGreaterThan(30);
  });

  it('is no write without a key', () => {
    expect(mayRepeat('', '/api/PostData/SetFacturas')).toBe(false);
    expect(mayRepeat('', '/api/PostData/GetInvoiceDetail')).toBe(true);
  });
});
