import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AccountApp, openAccountApp } from './account-app.ts';

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

  it('makes one draft of the same call twice', async () => {
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

describe('What deploy/nginx.conf asks again of the other process', () => {
  /** Whether a call goes to `@repeat`: the first line of the map that fits decides, as in nginx. */
  function mayRepeat(key: string, path: string): boolean {
    const config = readFileSync('deploy/nginx.conf', 'utf8');
    const lines = [...config.matchAll(/^ +"~(?<pattern>.+)" (?<value>1|"");$/gm)];
    expect(lines.length).toBeGreaterThan(2);
    const line = lines.find(({ groups }) =>
      new RegExp(groups?.pattern ?? '').test(`${key} ${path}`),
    );
    return line?.groups?.value === '1';
  }

  it('is under a key every call that keeps its answer, and no other', async () => {
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
