/** What stands on an invoice is annulled before it: alone it would say at the AEAT what nobody owes. */

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ConexionAEAT, InvoiceDetail } from '../../src/contract/invoices.ts';
import { randomCompanyNif } from '../support/random-nif.ts';
import { expectOk, openWorld, type TestCompany, untilTrue, type World } from '../support/world.ts';

let world: World;
let company: TestCompany;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  company = await world.signUp(randomCompanyNif());
});

type Draft = Parameters<TestCompany['register']>[0];
const register = async (draft: Draft = {}) => expectOk(await company.register(draft)).DocNo;
const abonoOf = (invoiceToRectify: string) => ({ type: 'abono', invoiceToRectify }) as const;
const simplified = { isSimplificada: true, invoiceType: 1 } as const;
const annul = (No: string) =>
  company.call<{ message: string }>('POST', '/api/PostData/AnularFactura', { No, motivo: 'x' });
const detailOf = async (No: string) =>
  expectOk(await company.call<InvoiceDetail>('POST', '/api/PostData/GetInvoiceDetail', { No }));

const connection = async () =>
  expectOk(await company.call<ConexionAEAT>('GET', '/api/GetData/GetConexionAEAT'));

const send = () => world.sendAll(company);

describe('an invoice that others stand on', () => {
  it('is annulled after its rectificativa', async () => {
    const invoice = await register();
    const credit = await register(abonoOf(invoice));
    await send();
    const { status, body } = await annul(invoice);
    expect([status, body.message]).toEqual([
      409,
      `La factura ${invoice} tiene la rectificativa ${credit}, que sigue valiendo y quedaría sola. Para anularla, anula antes la ${credit}.`,
    ]);
    expect((await detailOf(invoice)).rectificadaPor).toEqual([credit]);

    expectOk(await annul(credit));
    expect((await annul(invoice)).status).toBe(409); // Not before the AEAT has taken it.
    await send();
    expect(await detailOf(invoice)).not.toHaveProperty('rectificadaPor');
    expectOk(await annul(invoice));
    await send();
    const held = (await world.held(company.nif)).filter((r) => r.TipoRegistro === 'Anulacion');
    expect(held.map((r) => r.NumSerieFactura)).toEqual([credit, invoice]);
  });

  it('is annulled after the F3 that it was exchanged for, and so is what corrected it', async () => {
    const ticket = await register(simplified);
    const correction = await register({
      ...abonoOf(ticket),
      isSimplificada: true,
      crmemoType: 4,
    });
    const complete = await register({
      invoiceType: 2,
      invoiceToRectify: `${ticket}, ${correction}`,
    });
    await send();
    for (const No of [ticket, correction]) {
      const { status, body } = await annul(No);
      expect([status, body.message]).toEqual([
        409,
        `La factura ${No} se canjeó por la ${complete}, que sigue valiendo. Para anularla, anula antes la ${complete}.`,
      ]);
    }
    for (const No of [complete, correction, ticket]) {
      expectOk(await annul(No));
      await send();
    }
    expect((await detailOf(ticket)).fila.Status).toBe('Anulada');
  });

  it('may go first when the AEAT never took it and they wait behind it', async () => {
    const invoice = await register();
    await world.behave({ rechazar: { [invoice]: 1153 }, latenciaMs: 1_000 });
    const dispatcher = world.startDispatcher();
    await untilTrue(
      () => world.sql`
        select 1 from despachos where company_id = ${company.id} and envio_id is not null`,
      ({ length }) => length === 1,
    );
    const credit = await register(abonoOf(invoice)); // Its answer is on the way.
    await untilTrue(connection, ({ estado }) => estado === 'parado');
    await dispatcher.stop();
    await world.behave({ rechazar: { [invoice]: 0 }, latenciaMs: 0 });
    expect((await detailOf(credit)).fila.Status).toBe('En espera');
    expectOk(await annul(invoice));
    await send();
    expect((await detailOf(credit)).fila.Status).toBe('Registrada');
    expectOk(await annul(credit));
  });

  it('goes behind the anulación of one that got there before it', async () => {
    const invoice = await register();
    const credit = await register(abonoOf(invoice));
    await world.behave({ rechazar: { [invoice]: 1153 } });
    await send(); // In one message: only the first is refused.
    await world.behave({ rechazar: { [invoice]: 0 } });
    expect((await annul(invoice)).body.message).toContain(`anula antes la ${credit}`);
    expectOk(await annul(credit)); // It waits behind the refused one.
    expectOk(await annul(invoice));
    await send();
    const statuses = await Promise.all([invoice, credit].map(detailOf));
    expect(statuses.map(({ fila }) => fila.Status)).toEqual(['Anulada', 'Anulada']);
  });

  it('is left as it was before, when its own anulación was refused and holds them back', async () => {
    const invoice = await register();
    await send();
    await world.behave({ rechazar: { [invoice]: 1153 } });
    expectOk(await annul(invoice));
    await send();
    await world.behave({ rechazar: { [invoice]: 0 } });
    const credit = await register(abonoOf(invoice));
    const { status, body } = await annul(invoice);
    expect(status).toBe(409);
    expect(body.message).toMatch(/anula antes la .*R\. Pulsa primero «Dejarla como estaba»/);
    expectOk(await company.call('POST', '/api/PostData/DejarFactura', { No: invoice }));
    await send();
    for (const No of [credit, invoice]) {
      expectOk(await annul(No));
      await send();
    }
    expect((await detailOf(invoice)).fila.Status).toBe('Anulada');
  });

  it('is not stood on by what names another program’s with its number', async () => {
    const next = `00001/${new Date().getFullYear() % 100}`;
    const outside = await register({
      ...abonoOf(next),
      invoiceToRectifyDate: '2025-06-15',
    });
    expect(await register()).toBe(next);
    await send();
    expect((await detailOf(outside)).fila.Status).toBe('Registrada');
    expectOk(await annul(next));
  });
});
