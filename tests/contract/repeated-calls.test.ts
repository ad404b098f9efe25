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
