/**
 * Invoices that refer to another one are annulled before it: annulled first, it would leave them at the AEAT declaring
 * amounts that nobody owes.
 */

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ConexionAEAT } from '../../src/contract/invoices.ts';
import { readPdf } from '../pdf/read-pdf.ts';
import {
  expectOk,
  openWorld,
  type TestCompany,
  untilTrue,
  type World,
  yearOf,
} from '../support/world.ts';

let world: World;
let company: TestCompany;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  company = await world.signUp();
});

type Draft = Parameters<TestCompany['register']>[0];
const register = async (draft: Draft = {}) => expectOk(await company.register(draft)).DocNo;
const abonoOf = (invoiceToRectify: string) => ({ type: 'abono', invoiceToRectify }) as const;
const simplified = { isSimplificada: true, invoiceType: 1 } as const;

const connection = async () =>
  expectOk(await company.call<ConexionAEAT>('GET', '/api/GetData/GetConexionAEAT'));

describe('an invoice that others refer to', () => {
  it('is annulled after its rectificativa', async () => {
    const invoice = await register();
    const credit = await register(abonoOf(invoice));
    await company.sendAll();
    const { status, body } = await company.annul(invoice);
    expect([status, body.message]).toEqual([
      409,
      `La factura ${invoice} tiene la rectificativa ${credit}, que sigue valiendo y quedaría sola. Para anularla, anula antes la ${credit}.`,
    ]);
    expect((await company.detailOf(invoice)).rectificadaPor).toEqual([credit]);

    expectOk(await company.annul(credit));
    expect((await company.annul(invoice)).status).toBe(409); // Not before the AEAT has accepted it.
    await company.sendAll();
    expect(await company.detailOf(invoice)).not.toHaveProperty('rectificadaPor');
    expectOk(await company.annul(invoice));
    await company.sendAll();
    const held = (await world.held(company.nif)).filter((r) => r.TipoRegistro === 'Anulacion');
    expect(held.map((r) => r.NumSerieFactura)).toEqual([credit, invoice]);
  });

  it('is marked in its PDF once the AEAT has accepted its anulación', async () => {
    const invoice = await register();
    await company.sendAll();
    const marked = async () => {
      const base64 = expectOk(
        await company.call<string>('POST', '/api/PostData/DownloadInvoice', { No: invoice }),
      );
      return /Anulada/.test((await readPdf(Buffer.from(base64, 'base64'))).text);
    };
    expectOk(await company.annul(invoice));
    expect(await marked()).toBe(false);
    await company.sendAll();
    expect(await marked()).toBe(true);
  });

  it('is annulled after the F3 that it was exchanged for, as is the invoice that corrected it', async () => {
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
    await company.sendAll();
    for (const No of [ticket, correction]) {
      const { status, body } = await company.annul(No);
      expect([status, body.message]).toEqual([
        409,
        `La factura ${No} se canjeó por la ${complete}, que sigue valiendo. Para anularla, anula antes la ${complete}.`,
      ]);
    }
    for (const No of [complete, correction, ticket]) {
      expectOk(await company.annul(No));
      await company.sendAll();
    }
    expect((await company.detailOf(ticket)).fila.Status).toBe('Anulada');
  });

  it('accepts no new references while it is being annulled', async () => {
    const [invoice, ticket] = [await register(), await register(simplified)];
    await company.sendAll();
    const offered = async () =>
      expectOk(
        await company.call<{ DocNo: string }[]>('GET', '/api/GetData/GetFacturasEmitidas?search='),
      ).map(({ DocNo }) => DocNo);
    expect(await offered()).toEqual(expect.arrayContaining([invoice, ticket]));
    for (const No of [invoice, ticket]) expectOk(await company.annul(No));
    expect(await offered()).toEqual([]);
    const late = [
      await company.register(abonoOf(invoice)),
      await company.register({ invoiceType: 2, invoiceToRectify: ticket }),
    ];
    expect(late.map(({ status, body }) => [status, body])).toEqual(
      [invoice, ticket].map((No) => [
        400,
        expect.objectContaining({
          message: [
            `Has anulado la factura ${No} y la AEAT no ha respondido todavía. Espera a su respuesta: si la anula, ya no hay nada que cambiar en ella.`,
          ],
        }),
      ]),
    );
    await company.sendAll();
    expect((await company.detailOf(invoice)).fila.Status).toBe('Anulada');
  });

  it('may be annulled first if the AEAT never accepted it and the others wait behind it', async () => {
    const invoice = await register();
    await world.behave({ rechazar: { [invoice]: 1153 }, latenciaMs: 60_000 });
    const dispatcher = world.startDispatcher();
    await untilTrue(
      () => world.sql`
        select 1 from despachos where company_id = ${company.id} and envio_id is not null`,
      ({ length }) => length === 1,
    );
    const credit = await register(abonoOf(invoice)); // The answer about the invoice is on its way.
    await world.behave({ latenciaMs: 0 });
    await untilTrue(connection, ({ estado }) => estado === 'parado');
    await dispatcher.stop();
    await world.behave({ rechazar: { [invoice]: 0 } });
    expect((await company.detailOf(credit)).fila.Status).toBe('En espera');
    expectOk(await company.annul(invoice));
    await company.sendAll();
    expect((await company.detailOf(credit)).fila.Status).toBe('Registrada');
    expectOk(await company.annul(credit));
  });

  it('is annulled after the anulación of an invoice that reached the AEAT before it', async () => {
    const invoice = await register();
    const credit = await register(abonoOf(invoice));
    await world.behave({ rechazar: { [invoice]: 1153 } });
    await company.sendAll(); // Both in one message: only the first is refused.
    await world.behave({ rechazar: { [invoice]: 0 } });
    expect((await company.annul(invoice)).body.message).toContain(`anula antes la ${credit}`);
    expectOk(await company.annul(credit)); // It waits behind the refused invoice.
    expectOk(await company.annul(invoice));
    await company.sendAll();
    const statuses = await Promise.all([invoice, credit].map(company.detailOf));
    expect(statuses.map(({ fila }) => fila.Status)).toEqual(['Anulada', 'Anulada']);
  });

  it('can be left as it was when its own anulación was refused and holds the others back', async () => {
    const invoice = await register();
    await company.sendAll();
    await world.behave({ rechazar: { [invoice]: 1153 } });
    expectOk(await company.annul(invoice));
    await company.sendAll();
    await world.behave({ rechazar: { [invoice]: 0 } });
    const credit = await register(abonoOf(invoice));
    const { status, body } = await company.annul(invoice);
    expect(status).toBe(409);
    expect(body.message).toMatch(/anula antes la .*R\. Pulsa primero «Dejarla como estaba»/);
    expectOk(await company.call('POST', '/api/PostData/DejarFactura', { No: invoice }));
    await company.sendAll();
    for (const No of [credit, invoice]) {
      expectOk(await company.annul(No));
      await company.sendAll();
    }
    expect((await company.detailOf(invoice)).fila.Status).toBe('Anulada');
  });

  it('is not referred to by a rectificativa of another program’s invoice with the same number', async () => {
    const next = `00001/${yearOf(world.deps.clock())}`;
    const outside = await register({
      ...abonoOf(next),
      invoiceToRectifyDate: '2025-06-15',
    });
    expect(await register()).toBe(next);
    await company.sendAll();
    expect((await company.detailOf(outside)).fila.Status).toBe('Registrada');
    expectOk(await company.annul(next));
  });
});

it('a registered invoice is deleted in no status, and the refusal says what can be done instead', async () => {
  const No = await register();
  const deleted = async () => {
    await company.sendAll();
    const { status, body } = await company.call<{ message: string }>(
      'POST',
      '/api/PostData/DeleteInvoice',
      { No },
    );
    return [status, body.message];
  };
  const refused = (advice: string) => [
    409,
    `La factura ${No} está registrada y no se puede eliminar. ${advice}`,
  ];
  await world.behave({ aceptarConErrores: { [No]: 2005 } });
  expect(await deleted()).toEqual(refused('Corrígela y regístrala de nuevo.'));
  await world.behave({ aceptarConErrores: { [No]: 0 } });
  expectOk(await company.annul(No));
  expect(await deleted()).toEqual(refused('Ya está anulada.'));
});

it('an anulación of an accepted invoice lets nothing pass behind a refused one', async () => {
  const [accepted, refused] = (await company.registerMany(2)) as [string, string];
  await world.behave({ rechazar: { [refused]: 1100 } });
  await company.sendAll();
  await world.behave({ rechazar: { [refused]: 0 } });
  const rechazados = async () => {
    const [row] = await world.sql<{ rechazados: number }[]>`
      select rechazados from despachos where company_id = ${company.id}`;
    return row?.rechazados;
  };
  expectOk(await company.annul(accepted));
  expect(await rechazados()).toBe(1);
  expectOk(await company.annul(refused));
  expect(await rechazados()).toBe(0);
});
