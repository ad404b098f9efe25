/** What a company notes down as collected of its invoices (docs/decisions/0510). */

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Cobros } from '../../src/contract/cobros.ts';
import type { InvoiceDraftInput } from '../../src/contract/invoices.ts';
import { addDays, addYears, fechaEs, isoDateIn } from '../../src/domain/dates.ts';
import { untilWaiting } from '../support/meanwhile.ts';
import { insteadOf, linesOf, simplified } from '../support/taxed-drafts.ts';
import { expectOk, openWorld, type TestCompany, type World } from '../support/world.ts';

let world: World;
let company: TestCompany;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  company = await world.signUp();
});

const today = () => isoDateIn(world.deps.clock(), 'Europe/Madrid');
const register = async (
  prices: Readonly<Record<string, string>>,
  draft: Partial<InvoiceDraftInput> = {},
) => expectOk(await company.register({ ...linesOf(prices), ...draft })).DocNo;

const note = (
  No: string,
  Importe: string | number,
  more: object = {},
  by = company,
  key?: string,
) =>
  by.call<Cobros & { message: string | string[] }>(
    'POST',
    '/api/PostData/AnotarCobro',
    { No, Fecha: today(), Importe, Medio: '01', ...more },
    key,
  );
const remove = (No: string, id: string | undefined) =>
  company.call<Cobros>('POST', '/api/PostData/EliminarCobro', { No, id });
const owedOf = async (No: string) => {
  const { cobros } = await company.detailOf(No);
  if (!cobros) throw new Error(`Nothing is said of what is owed of ${No}.`);
  return cobros;
};

/** How far each invoice of the history is collected. */
const stateOf = async () => {
  const { rows } = expectOk(
    await company.call<{ rows: { DocNo: string; Cobro?: string }[] }>(
      'GET',
      '/api/GetData/GetInvoices?page=1&sort=PostingDate',
    ),
  );
  return rows.map(({ DocNo, Cobro }) => [DocNo, Cobro]);
};

describe('an invoice is collected in parts', () => {
  it('up to what its paper asks for, which is its total without the retention', async () => {
    const No = await register({ IVA21: '100,00' }, { retencionIRPF: '15' });
    // 121 − 15.
    expect(await owedOf(No)).toMatchObject({ aCobrar: 106, cobrado: 0, pendiente: 106, lista: [] });
    const first = expectOk(await note(No, '6,00', { Medio: '04' }));
    expect(first).toMatchObject({ DocNo: No, cobrado: 6, pendiente: 100 });
    const tooMuch = await note(No, '100,01');
    expect([tooMuch.status, tooMuch.body.message]).toEqual([
      400,
      ['El importe no puede pasar de 100,00 €: es lo que queda.'],
    ]);
    const Fecha = addDays(today(), -1);
    const last = expectOk(await note(No, 100, { Fecha, Identificacion: ' ES91 2100 ' }));
    expect(last).toMatchObject({ aCobrar: 106, cobrado: 106, pendiente: 0 });
    expect(last.lista.map(({ id: _, ...cobro }) => cobro)).toEqual([
      { Fecha, Importe: 100, Medio: '01', Identificacion: 'ES91 2100' },
      { Fecha: today(), Importe: 6, Medio: '04' },
    ]);
    expect(await owedOf(No)).toEqual(last);
    expect(await note(No, '0,01')).toMatchObject({
      status: 409,
      body: { message: `De la factura ${No} no queda nada por cobrar.` },
    });
  });

  it('and what was noted down by mistake is taken off again, once', async () => {
    const No = await register({ IVA21: '100,00' });
    const { lista } = expectOk(await note(No, '121,00'));
    const { id } = lista[0] ?? {};
    expect(expectOk(await remove(No, id))).toMatchObject({ cobrado: 0, pendiente: 121, lista: [] });
    expect(await remove(No, id)).toMatchObject({ status: 404 });
    const other = await register({ IVA21: '100,00' });
    const kept = expectOk(await note(other, '21,00')).lista[0];
    expect(await remove(No, kept?.id)).toMatchObject({ status: 404 });
    expect(await owedOf(other)).toMatchObject({ cobrado: 21 });
  });

  it('which «Actividad» goes on telling', async () => {
    const No = await register({ IVA21: '100,00' });
    const { lista } = expectOk(await note(No, '100,50'));
    expectOk(await remove(No, lista[0]?.id));
    const { rows } = expectOk(
      await company.call<{ rows: { tipo: string; texto: string; detalle?: string }[] }>(
        'GET',
        '/api/GetData/GetEventosSeguridad?page=1',
      ),
    );
    expect(rows.find(({ tipo }) => tipo === 'cobro-eliminado')).toMatchObject({
      texto: 'Cobro eliminado de una factura',
      detalle: `${No}: 100,50 € del ${fechaEs(today())}`,
    });
  });

  it('never beyond what is left, by two at once', async () => {
    const No = await register({ IVA21: '100,00' });
    const both = await Promise.all([note(No, '100,00'), note(No, '100,00')]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect(await owedOf(No)).toMatchObject({ cobrado: 100, pendiente: 21 });
  });

  it('once for a call that is repeated with its key', async () => {
    const No = await register({ IVA21: '100,00' });
    const first = expectOk(await note(No, '21,00', {}, company, 'una-vez'));
    expect(expectOk(await note(No, '21,00', {}, company, 'una-vez'))).toEqual(first);
    expect(await owedOf(No)).toMatchObject({ cobrado: 21 });
  });

  it('nor by two at once on an invoice and on the one that takes its place meanwhile', async () => {
    const No = await register({ IVA21: '100,00' });
    expectOk(await note(No, '21,00'));
    await company.sendAll();
    const { first, second, instead } = await world.sql.begin(async (tx) => {
      await tx`
        select from counters where company_id = ${company.id} and name = 'novedades' for update`;
      const onIt = note(No, '100,00');
      await untilWaiting(world.sql, 1);
      const later = await register({ IVA21: '80,00' }, insteadOf(No));
      // 96,80 − 21.
      const onLater = note(later, '75,80');
      await untilWaiting(world.sql, 2);
      return { first: onIt, second: onLater, instead: later };
    });
    expect(await first).toMatchObject({ status: 409 });
    expect(expectOk(await second)).toMatchObject({
      DocNo: instead,
      cobradoAntes: 21,
      pendiente: 0,
    });
  });

  it('without a change of the invoice, its registros or its version', async () => {
    const No = await register({ IVA21: '100,00' });
    const rows = () => world.sql`
      select to_jsonb(i) - 'settled_seq' as invoice, d.xmin::text as document
        from invoices i join invoice_documents d on d.company_id = i.company_id and d.invoice_id = i.id
       where i.company_id = ${company.id}`;
    const before = await rows();
    expectOk(await note(No, '21,00'));
    expect(await rows()).toEqual(before);
  });
});

describe('is refused, and says why', () => {
  it.each([
    [
      'no number',
      { Importe: 'cien' },
      'El importe tiene que ser un número de euros, como 1.234,56.',
    ],
    [
      'a third of a cent',
      { Importe: '0,333' },
      'El importe tiene que ser un número de euros, como 1.234,56.',
    ],
    ['nothing', { Importe: 0 }, 'El importe no puede ser cero.'],
    [
      'what would be given back',
      { Importe: -1 },
      'El importe tiene que ser positivo: quedan 121,00 € por cobrar.',
    ],
    [
      '03 without criterio de caja',
      { Importe: 1, Medio: '03' },
      'El medio «No se cobra» es solo para facturas con criterio de caja.',
    ],
  ])('%s', async (_, { Importe, ...more }, sentence) => {
    const No = await register({ IVA21: '100,00' });
    const { status, body } = await note(No, Importe, more);
    expect([status, body.message]).toEqual([400, [sentence]]);
    expect(await owedOf(No)).toMatchObject({ cobrado: 0 });
  });

  it('a day that has not come, in the same answer as a wrong amount', async () => {
    const No = await register({ IVA21: '100,00' });
    const { status, body } = await note(No, 0, { Fecha: addDays(today(), 1) });
    expect([status, body.message]).toEqual([
      400,
      ['La fecha del cobro no puede ser posterior a hoy.', 'El importe no puede ser cero.'],
    ]);
  });

  it('a day more than a year before the invoice, which may be paid ahead', async () => {
    const No = await register({ IVA21: '100,00' });
    const first = addYears(today(), -1);
    const { status, body } = await note(No, 21, { Fecha: addDays(first, -1) });
    expect([status, body.message]).toEqual([
      400,
      [
        `La fecha del cobro no puede ser anterior al ${fechaEs(first)}, un año antes de la factura.`,
      ],
    ]);
    expect(expectOk(await note(No, 21, { Fecha: first }))).toMatchObject({ cobrado: 21 });
  });

  it('a draft, an annulled invoice, and that of another company', async () => {
    const { DocNo: draft } = expectOk(
      await company.call<{ DocNo: string }>('POST', '/api/PostData/SetFacturas', {
        ...linesOf({ IVA21: '100,00' }),
        invoiceClient: company.customerNo,
        accionFactura: 0,
      }),
    );
    expect(await note(draft, 1)).toMatchObject({
      status: 409,
      body: { message: 'Un borrador no se cobra: registra antes la factura.' },
    });
    const No = await register({ IVA21: '100,00' });
    const stranger = await world.signUp();
    expect(await note(No, 1, {}, stranger)).toMatchObject({ status: 404 });

    const { lista } = expectOk(await note(No, 21));
    await company.sendAll();
    expectOk(await company.annul(No));
    const annulled = { status: 409, body: { message: 'Está anulada: no hay nada que cobrar.' } };
    expect(await note(No, 1)).toMatchObject(annulled);
    await company.sendAll();
    expect(await note(No, 1)).toMatchObject(annulled);
    expect(await owedOf(No)).toMatchObject({ cobrado: 21, pendiente: 0 });
    expect(expectOk(await remove(No, lista[0]?.id))).toMatchObject({ cobrado: 0, lista: [] });
  });
});

describe('what corrects an invoice', () => {
  it('is given back by difference, on its own', async () => {
    const No = await register({ IVA21: '100,00' });
    expectOk(await note(No, 121));
    const credit = await register(
      { IVA21: '10,00' },
      { ...insteadOf(No), crmemoType: 0, tipoRectificativa: 'I' },
    );
    expect(await owedOf(credit)).toMatchObject({ aCobrar: -12.1, pendiente: -12.1 });
    expect(await note(credit, 12.1)).toMatchObject({
      status: 400,
      body: { message: ['El importe tiene que ser negativo: quedan 12,10 € por devolver.'] },
    });
    expect(expectOk(await note(credit, '-12,10'))).toMatchObject({ cobrado: -12.1, pendiente: 0 });
    expect(await owedOf(No)).toMatchObject({ cobrado: 121, pendiente: 0 });
  });

  it('is settled against it in one call, or neither is', async () => {
    const No = await register({ IVA21: '100,00' });
    const credited = (price: string, of = No) =>
      register({ IVA21: price }, { ...insteadOf(of), crmemoType: 0, tipoRectificativa: 'I' });
    const Abono = await credited('10,00');
    const other = await register({ IVA21: '100,00' });
    const ofOther = await credited('10,00', other);
    expect((await company.detailOf(No)).abonos).toEqual([{ DocNo: Abono, pendiente: -12.1 }]);
    const against = (importe: string, credit: string, more = {}) =>
      note(No, importe, { Medio: '04', Abono: credit, ...more });

    expect(await against('12,11', Abono)).toMatchObject({
      status: 400,
      body: { message: [expect.stringContaining('no puede pasar de 12,10 €')] },
    });
    expect((await against('1,00', ofOther)).status).toBe(400);
    expect((await against('1,00', 'B-999')).status).toBe(404);
    expect(await owedOf(No)).toMatchObject({ pendiente: 121, lista: [] });
    expect(await owedOf(other)).toMatchObject({ pendiente: 121 });

    const both = await Promise.all([against('12,10', Abono), against('12,10', Abono)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await owedOf(No)).toMatchObject({
      cobrado: 12.1,
      pendiente: 108.9,
      lista: [{ Identificacion: Abono }],
    });
    expect(await owedOf(Abono)).toMatchObject({
      cobrado: -12.1,
      pendiente: 0,
      lista: [{ Identificacion: No }],
    });
    expect((await company.detailOf(No)).abonos).toBeUndefined();
  });

  it('takes its place by substitution, with what was collected, until it is annulled', async () => {
    const No = await register({ IVA21: '100,00' });
    expectOk(await note(No, 50));
    await company.sendAll();
    const second = await register({ IVA21: '80,00' }, insteadOf(No));
    // 96,80 − 50.
    expect(await owedOf(second)).toMatchObject({
      aCobrar: 96.8,
      cobradoAntes: 50,
      cobrado: 0,
      pendiente: 46.8,
    });
    expect(await note(No, 1)).toMatchObject({
      status: 409,
      body: {
        message: `La sustituye la factura ${second}: lo cobrado aquí cuenta en ella, y lo que falte se anota allí.`,
      },
    });
    expectOk(await note(second, '6,80'));
    await company.sendAll();
    const third = await register({ IVA21: '10,00' }, insteadOf(second));
    // 12,10 − 50 − 6,80.
    expect(await owedOf(third)).toMatchObject({ cobradoAntes: 56.8, pendiente: -44.7 });
    await company.sendAll();
    expectOk(await company.annul(third));
    await company.sendAll();
    expect(await owedOf(second)).toMatchObject({ cobradoAntes: 50, cobrado: 6.8, pendiente: 40 });
  });

  it('takes its place once: a second substitution asks for all of its amount', async () => {
    const No = await register({ IVA21: '100,00' });
    expectOk(await note(No, 50));
    await company.sendAll();
    const first = await register({ IVA21: '80,00' }, insteadOf(No));
    const second = await register({ IVA21: '90,00' }, insteadOf(No));
    expect(await owedOf(first)).toMatchObject({ cobradoAntes: 50, pendiente: 46.8 });
    const { cobradoAntes, pendiente } = await owedOf(second);
    expect([cobradoAntes, pendiente]).toEqual([undefined, 108.9]);
    expect((await owedOf(No)).cerrado).toContain(first);
    await company.sendAll();
    expectOk(await company.annul(first));
    await company.sendAll();
    expect(await owedOf(second)).toMatchObject({ cobradoAntes: 50, pendiente: 58.9 });
  });

  it('takes over nothing from what it replaces that another one had taken over before', async () => {
    const No = await register({ IVA21: '100,00' });
    expectOk(await note(No, 50));
    await company.sendAll();
    await register({ IVA21: '80,00' }, insteadOf(No));
    const second = await register({ IVA21: '90,00' }, insteadOf(No));
    await company.sendAll();
    const third = await register({ IVA21: '70,00' }, insteadOf(second));
    const { cobradoAntes, pendiente } = await owedOf(third);
    expect([cobradoAntes, pendiente]).toEqual([undefined, 84.7]);
  });

  it('takes over from all that it names, and from what those had replaced, each once', async () => {
    const No = await register({ IVA21: '100,00' });
    expectOk(await note(No, 50));
    await company.sendAll();
    const first = await register({ IVA21: '80,00' }, insteadOf(No));
    expectOk(await note(first, '6,80'));
    await company.sendAll();
    const both = await register({ IVA21: '90,00' }, insteadOf(No, first));
    expect(await owedOf(both)).toMatchObject({ cobradoAntes: 56.8, pendiente: 52.1 });
  });

  it('takes over nothing from the invoice of a credit whose place it takes', async () => {
    const No = await register({ IVA21: '100,00' });
    expectOk(await note(No, 121));
    const credit = await register(
      { IVA21: '10,00' },
      { ...insteadOf(No), crmemoType: 0, tipoRectificativa: 'I' },
    );
    expectOk(await note(credit, '-12,10'));
    await company.sendAll();
    const instead = await register({ IVA21: '0,00' }, insteadOf(credit));
    expect(await owedOf(instead)).toMatchObject({ cobradoAntes: -12.1, pendiente: 12.1 });
  });

  it('does not count again what an F3 has taken off for the tickets that were paid at once', async () => {
    const { Customer: invoiceClient } = expectOk(
      await company.call<{ Customer: string }>('GET', '/api/GetData/GetDatosEmpresa'),
    );
    const atOnce = await register({ IVA21: '10,00' }, { ...simplified, invoiceClient });
    const later = await register({ IVA21: '20,00' }, simplified);
    await company.sendAll();
    expectOk(await note(atOnce, 12.1));
    expectOk(await note(later, 4.2));
    const full = await register(
      { IVA21: '30,00' },
      { invoiceType: 2, invoiceToRectify: `${atOnce}, ${later}` },
    );
    // 36,30 − 12,10 on its paper, − 4,20 of the other ticket.
    expect(await owedOf(full)).toMatchObject({ aCobrar: 24.2, cobradoAntes: 4.2, pendiente: 20 });
    await company.sendAll();
    expectOk(await note(full, 20));
    expect(await stateOf()).toContainEqual([full, 'Cobrada']);
  });

  it('gives back what an F3 with a retention asks less than its tickets paid at once', async () => {
    const { Customer: invoiceClient } = expectOk(
      await company.call<{ Customer: string }>('GET', '/api/GetData/GetDatosEmpresa'),
    );
    const ticket = await register({ IVA21: '100,00' }, { ...simplified, invoiceClient });
    expectOk(await note(ticket, 121));
    await company.sendAll();
    const full = await register(
      { IVA21: '100,00' },
      { invoiceType: 2, invoiceToRectify: ticket, retencionIRPF: '15' },
    );
    // 121 − 15 − 121, whatever is noted down of the ticket.
    const { cobradoAntes, ...owed } = await owedOf(full);
    expect(cobradoAntes).toBeUndefined();
    expect(owed).toMatchObject({ aCobrar: -15, cobrado: 0, pendiente: -15 });
    await company.sendAll();
    const { pendiente } = expectOk(
      await company.call<{ pendiente: number }>(
        'GET',
        '/api/GetData/GetInvoices?page=1&cobro=pendiente',
      ),
    );
    expect(pendiente).toBe(-15);
    expect(expectOk(await note(full, '-15,00'))).toMatchObject({ cobrado: -15, pendiente: 0 });
  });

  it('exchanges tickets, of which what was collected counts', async () => {
    const ticket = await register({ IVA21: '10,00' }, simplified);
    await company.sendAll();
    expectOk(await note(ticket, 2.1));
    const full = await register({ IVA21: '10,00' }, { invoiceType: 2, invoiceToRectify: ticket });
    expect(await owedOf(full)).toMatchObject({ aCobrar: 12.1, cobradoAntes: 2.1, pendiente: 10 });
    expect(await owedOf(ticket)).toMatchObject({
      cobrado: 2.1,
      pendiente: 0,
      cerrado: expect.stringContaining(full),
    });
  });
});

it('says since when an invoice is overdue, or until when it is not', async () => {
  const issuedAgo = async (days: number) => {
    const No = await register({ IVA21: '100,00' }, { invoiceDate: addDays(today(), -days) });
    const { vence, vencidaDesde } = await owedOf(No);
    return [No, vence, vencidaDesde] as const;
  };
  // Its client has thirty days.
  const [late, ...lateDays] = await issuedAgo(40);
  expect(lateDays).toEqual([undefined, addDays(today(), -10)]);
  const [, ...days] = await issuedAgo(20);
  expect(days).toEqual([addDays(today(), 10), undefined]);
  const paid = expectOk(await note(late, 121));
  expect([paid.vence, paid.vencidaDesde]).toEqual([undefined, undefined]);
});

it('is seen in the history, as the invoice stands now', async () => {
  const whole = await register({ IVA21: '100,00' }, { retencionIRPF: '15' });
  const part = await register({ IVA21: '100,00' });
  const free = await register({ IVA21: '100,00' });
  await company.sendAll();
  expect(await stateOf()).toEqual([
    [whole, undefined],
    [part, undefined],
    [free, undefined],
  ]);
  expectOk(await note(whole, 106));
  expectOk(await note(part, 21));
  const instead = await register({ IVA21: '80,00' }, insteadOf(part));
  await company.sendAll();
  expect(await stateOf()).toEqual([
    [whole, 'Cobrada'],
    [part, 'Cobrada en parte'],
    [free, undefined],
    [instead, undefined],
  ]);
  // 96,80 − 21.
  expectOk(await note(instead, '75,80'));
  expect(await stateOf()).toContainEqual([instead, 'Cobrada']);
});

it('notes once that the tax of the rest fell due without a cobro, which counts as nothing collected', async () => {
  const No = await register({ CAJA21: '100,00' });
  expect(await owedOf(No)).toMatchObject({ criterioDeCaja: true });
  // A part of it that was collected before leaves the rest to fall due.
  expectOk(await note(No, 21));
  expect(expectOk(await note(No, 100, { Medio: '03' }))).toMatchObject({
    cobrado: 21,
    pendiente: 100,
  });
  expect(await note(No, 100, { Medio: '03' })).toMatchObject({ status: 409 });
  expect(expectOk(await note(No, 100))).toMatchObject({ cobrado: 121, pendiente: 0 });
});

it('counts nothing for it in the history, nor for what takes its place', async () => {
  const No = await register({ CAJA21: '100,00' });
  expectOk(await note(No, 21));
  expectOk(await note(No, 100, { Medio: '03' }));
  await company.sendAll();
  expect(await stateOf()).toEqual([[No, 'Cobrada en parte']]);
  const instead = await register({ CAJA21: '80,00' }, insteadOf(No));
  // 96,80 − 21.
  expect(await owedOf(instead)).toMatchObject({ cobradoAntes: 21, pendiente: 75.8 });
});

describe('of what came down after it was collected', () => {
  it('the rest is to be given back, and the history goes on saying that it is collected', async () => {
    const No = await register({ IVA21: '100,00' });
    expectOk(await note(No, 121));
    await world.behave({ aceptarConErrores: { [No]: 2005 } });
    await company.sendAll();
    await world.behave({ aceptarConErrores: { [No]: 0 } });
    expectOk(await company.register({ draftNo: No, ...linesOf({ IVA21: '80,00' }) }));
    await company.sendAll();
    // 96,80 − 121.
    expect(await owedOf(No)).toMatchObject({ aCobrar: 96.8, cobrado: 121, pendiente: -24.2 });
    expect(await stateOf()).toEqual([[No, 'Cobrada']]);
    expect(expectOk(await note(No, '-24,20'))).toMatchObject({ cobrado: 96.8, pendiente: 0 });
    expect(await stateOf()).toEqual([[No, 'Cobrada']]);
  });

  it('everything is, if a rectificativa leaves it at nothing', async () => {
    const No = await register({ IVA21: '100,00' });
    expectOk(await note(No, 121));
    await company.sendAll();
    const nothing = await register({ IVA21: '0,00' }, insteadOf(No));
    expect(await owedOf(nothing)).toMatchObject({
      aCobrar: 0,
      cobradoAntes: 121,
      pendiente: -121,
    });
    expect(expectOk(await note(nothing, -121))).toMatchObject({ pendiente: 0 });
  });
});

describe('what is owed is found in the history', () => {
  interface Page {
    readonly rows: readonly { readonly DocNo: string }[];
    readonly total: number;
    readonly totalAlMenos?: boolean;
    readonly pendiente?: number;
  }
  const found = async (cobro: 'pendiente' | 'vencida', more = '') => {
    const { rows, total, pendiente } = expectOk(
      await company.call<Page>(
        'GET',
        `/api/GetData/GetInvoices?page=1&sort=PostingDate&cobro=${cobro}${more}`,
      ),
    );
    expect(total).toBe(rows.length);
    return [rows.map(({ DocNo }) => DocNo), pendiente];
  };

  it('although the tax of the rest fell due, and again once what replaced it is annulled', async () => {
    const No = await register({ CAJA21: '100,00' });
    expectOk(await note(No, 21));
    expectOk(await note(No, 100, { Medio: '03' }));
    await company.sendAll();
    expect(await found('pendiente')).toEqual([[No], 100]);
    const instead = await register({ CAJA21: '80,00' }, insteadOf(No));
    await company.sendAll();
    expect(await found('pendiente')).toEqual([[instead], 75.8]);
    expectOk(await company.annul(instead));
    await company.sendAll();
    expect(await found('pendiente')).toEqual([[No], 100]);
  });

  it('until it is collected, and again once that is deleted', async () => {
    const [one, two] = [await register({ IVA21: '100,00' }), await register({ IVA21: '50,00' })];
    expect(await found('pendiente')).toEqual([[one, two], 181.5]);
    await company.sendAll();
    expect(await found('pendiente')).toEqual([[one, two], 181.5]);
    expectOk(await note(one, 21));
    expect(await found('pendiente')).toEqual([[one, two], 160.5]);
    const { lista } = expectOk(await note(one, 100));
    expect(await found('pendiente')).toEqual([[two], 60.5]);
    expectOk(await remove(one, lista[0]?.id));
    expect((await found('pendiente'))[0]).toEqual([one, two]);
  });

  it('without tickets and annulled ones, and with what is to be given back', async () => {
    const ticket = await register({ IVA21: '10,00' }, simplified);
    const ofTicket = { ...insteadOf(ticket), crmemoType: 4, tipoRectificativa: 'I' } as const;
    const r5 = await register({ IVA21: '1,00' }, { ...ofTicket, isSimplificada: true });
    expect((await company.detailOf(r5)).fila.Tipo).toBe('R5');
    const No = await register({ IVA21: '100,00' });
    const annulled = await register({ IVA21: '1000,00' });
    await company.sendAll();
    const credit = await register(
      { IVA21: '10,00' },
      { ...insteadOf(No), crmemoType: 0, tipoRectificativa: 'I' },
    );
    expectOk(await company.annul(annulled));
    await company.sendAll();
    expect(await found('pendiente')).toEqual([[No, credit], 108.9]);
  });

  it('whatever the AEAT has answered: before it does, with errors, and refused', async () => {
    const waiting = await register({ IVA21: '100,00' });
    expect(await found('pendiente')).toEqual([[waiting], 121]);
    expect(await found('pendiente', '&search=en%20espera')).toEqual([[waiting], 121]);
    expect(await found('pendiente', '&search=registrada')).toEqual([[], 0]);
    await world.behave({ aceptarConErrores: { [waiting]: 2005 } });
    await company.sendAll();
    await world.behave({ aceptarConErrores: { [waiting]: 0 } });
    const refused = await register({ IVA21: '200,00' });
    await world.behave({ rechazar: { [refused]: 1100 } });
    await company.sendAll();
    await world.behave({ rechazar: { [refused]: 0 } });
    const behind = await register({ IVA21: '400,00' });
    expect(await found('pendiente')).toEqual([[waiting, refused, behind], 847]);
    const { rows } = expectOk(
      await company.call<{ rows: { Status: string }[] }>(
        'GET',
        '/api/GetData/GetInvoices?page=1&sort=PostingDate&cobro=pendiente',
      ),
    );
    expect(rows.map(({ Status }) => Status)).toEqual([
      'Aceptado con errores',
      'Rechazado',
      'En espera',
    ]);
    expectOk(await note(behind, 484));
    expect(await found('pendiente')).toEqual([[waiting, refused], 363]);
  });

  it('in what takes the place of another, also before the AEAT has it, until its anulación is made', async () => {
    const No = await register({ IVA21: '100,00' });
    await company.sendAll();
    const instead = await register({ IVA21: '80,00' }, insteadOf(No));
    expect(await found('pendiente')).toEqual([[instead], 96.8]);
    await company.sendAll();
    expectOk(await company.annul(instead));
    expect((await company.detailOf(instead)).fila.Status).toBe('En espera');
    expect(await found('pendiente')).toEqual([[], 0]);
  });

  it('in the invoice that takes the place of others, less what was collected of those', async () => {
    const No = await register({ IVA21: '100,00' });
    const { lista } = expectOk(await note(No, 50));
    await company.sendAll();
    const instead = await register({ IVA21: '80,00' }, insteadOf(No));
    await company.sendAll();
    expect(await found('pendiente')).toEqual([[instead], 46.8]);
    expectOk(await note(instead, '46,80'));
    expect(await found('pendiente')).toEqual([[], 0]);
    // What was collected of the first one counted for it.
    expectOk(await remove(No, lista[0]?.id));
    expect(await found('pendiente')).toEqual([[instead], 50]);
  });

  it('also when its own cobros come to all of it, and something had been given back before', async () => {
    const No = await register({ IVA21: '100,00' });
    const { lista } = expectOk(await note(No, 121));
    await company.sendAll();
    const first = await register({ IVA21: '80,00' }, insteadOf(No));
    // 96,80 − 121.
    expectOk(await note(first, '-24,20'));
    expectOk(await remove(No, lista[0]?.id));
    await company.sendAll();
    const second = await register({ IVA21: '100,00' }, insteadOf(first));
    expectOk(await note(second, 121));
    await company.sendAll();
    expect(await found('pendiente')).toEqual([[second], 24.2]);
  });

  it('again when a correction asks for more', async () => {
    const No = await register({ IVA21: '100,00' });
    expectOk(await note(No, 121));
    await world.behave({ aceptarConErrores: { [No]: 2005 } });
    await company.sendAll();
    await world.behave({ aceptarConErrores: { [No]: 0 } });
    expectOk(await company.register({ draftNo: No, ...linesOf({ IVA21: '200,00' }) }));
    await company.sendAll();
    expect(await found('pendiente')).toEqual([[No], 121]);
  });

  it('also when the cobro waited for that correction', async () => {
    const No = await register({ IVA21: '100,00' });
    await world.behave({ aceptarConErrores: { [No]: 2005 } });
    await company.sendAll();
    await world.behave({ aceptarConErrores: { [No]: 0 } });
    const { correcting, noting } = await world.sql.begin(async (tx) => {
      await tx`select from cadenas where company_id = ${company.id} for update`;
      const first = company.register({ draftNo: No, ...linesOf({ IVA21: '200,00' }) });
      await untilWaiting(world.sql, 1);
      const second = note(No, 121);
      await untilWaiting(world.sql, 2);
      return { correcting: first, noting: second };
    });
    expectOk(await correcting);
    expect(expectOk(await noting)).toMatchObject({ aCobrar: 242, pendiente: 121 });
    await company.sendAll();
    expect(await found('pendiente')).toEqual([[No], 121]);
  });

  it('also when it replaced the other while a cobro of that was being deleted', async () => {
    const No = await register({ IVA21: '100,00' });
    const { lista } = expectOk(await note(No, 50));
    await company.sendAll();
    const { deleting, instead } = await world.sql.begin(async (tx) => {
      await tx`
        select from invoices where company_id = ${company.id} and doc_no = ${No} for update`;
      const waits = remove(No, lista[0]?.id);
      await untilWaiting(world.sql, 1);
      const later = await register({ IVA21: '80,00' }, insteadOf(No));
      // 96,80 − 50, which is still there.
      expectOk(await note(later, '46,80'));
      return { deleting: waits, instead: later };
    });
    expectOk(await deleting);
    await company.sendAll();
    expect(await found('pendiente')).toEqual([[instead], 50]);
  });

  it('when an earlier substitution is corrected and takes over what had counted in a later one', async () => {
    const [one, two] = [await register({ IVA21: '100,00' }), await register({ IVA21: '100,00' })];
    expectOk(await note(two, 50));
    await company.sendAll();
    const earlier = await register({ IVA21: '200,00' }, insteadOf(one));
    await world.behave({ aceptarConErrores: { [earlier]: 2005 } });
    await company.sendAll();
    await world.behave({ aceptarConErrores: { [earlier]: 0 } });
    const later = await register({ IVA21: '80,00' }, insteadOf(two));
    expectOk(await note(later, '46,80'));
    expectOk(
      await company.register({
        draftNo: earlier,
        ...linesOf({ IVA21: '200,00' }),
        ...insteadOf(one, two),
      }),
    );
    await company.sendAll();
    // 242 − 50, and 96,80 − 46,80.
    expect(await found('pendiente')).toEqual([[earlier, later], 242]);
  });

  it('when it is overdue', async () => {
    const days = (ago: number) => ({ invoiceDate: addDays(today(), -ago) });
    // Its client has thirty days.
    const late = await register({ IVA21: '100,00' }, days(40));
    const inTime = await register({ IVA21: '10,00' }, days(20));
    await company.sendAll();
    expect(await found('vencida')).toEqual([[late], 121]);
    expect((await found('pendiente'))[0]).toEqual([late, inTime]);
    expect((await found('pendiente', `&desde=${addDays(today(), -25)}`))[0]).toEqual([inTime]);
    expect((await found('pendiente', `&search=${encodeURIComponent(late)}`))[0]).toEqual([late]);
    expect((await found('pendiente', '&search=nadie'))[0]).toEqual([]);
  });
});
