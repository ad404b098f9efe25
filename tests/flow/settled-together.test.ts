/** What an invoice and its credit settle against each other (docs/decisions/1050). */

import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Cobros } from '../../src/contract/cobros.ts';
import type { InvoiceDraftInput } from '../../src/contract/invoices.ts';
import { addDays, addYears, fechaEs, isoDateIn } from '../../src/domain/dates.ts';
import { untilWaiting } from '../support/meanwhile.ts';
import { insteadOf, linesOf } from '../support/taxed-drafts.ts';
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
const register = async (price: string, draft: Partial<InvoiceDraftInput> = {}) =>
  expectOk(await company.register({ ...linesOf({ IVA21: price }), ...draft })).DocNo;
const creditOf = (No: string, price: string, draft: Partial<InvoiceDraftInput> = {}) =>
  register(price, { ...insteadOf(No), crmemoType: 0, tipoRectificativa: 'I', ...draft });

const note = (No: string, Importe: string, more: object = {}) =>
  company.call<Cobros & { message: string | string[] }>('POST', '/api/PostData/AnotarCobro', {
    No,
    Fecha: today(),
    Importe,
    Medio: '04',
    ...more,
  });
const remove = (No: string, id: string | undefined, by = company) =>
  by.call<Cobros & { message: string }>('POST', '/api/PostData/EliminarCobro', { No, id });
const owedOf = async (No: string) => {
  const { cobros } = await company.detailOf(No);
  if (!cobros) throw new Error(`Nothing is said of what is owed of ${No}.`);
  return cobros;
};
const sideOf = async (No: string) => {
  const { pendiente, lista } = await owedOf(No);
  return { pendiente, lista: lista.map(({ Importe, CompensadoCon }) => [Importe, CompensadoCon]) };
};

/** An invoice of 121 €, and its credit of 12,10 €, settled. */
async function settled(more: object = {}) {
  const No = await register('100,00');
  const credit = await creditOf(No, '10,00');
  const { lista } = expectOk(await note(No, '12,10', { Abono: credit, ...more }));
  const back = (await owedOf(credit)).lista;
  return { No, credit, id: lista[0]?.id, backId: back[0]?.id };
}

it('is proven in both by what was written, or else by the number of the other', async () => {
  const proofOf = async (No: string) =>
    (await owedOf(No)).lista.map(({ Identificacion }) => Identificacion);
  const usual = await settled();
  expect([await proofOf(usual.No), await proofOf(usual.credit)]).toEqual([
    [usual.credit],
    [usual.No],
  ]);
  const written = await settled({ Identificacion: ' Acuerdo 7 ' });
  for (const No of [written.No, written.credit]) expect(await proofOf(No)).toEqual(['Acuerdo 7']);
});

it('is not what is never collected', async () => {
  const caja = linesOf({ CAJA21: '100,00' });
  const No = await register('', caja);
  const Abono = await creditOf(No, '', linesOf({ CAJA21: '10,00' }));
  expect(await note(No, '12,10', { Abono, Medio: '03' })).toMatchObject({
    status: 400,
    body: { message: 'Lo que no se cobra no se compensa: elige otro medio.' },
  });
  expect(await sideOf(No)).toEqual({ pendiente: 121, lista: [] });
});

describe('what was settled is deleted of both', () => {
  it.each(['the invoice', 'the credit'])('from the page of %s', async (from) => {
    const { No, credit, id, backId } = await settled();
    expectOk(await note(No, '1,00'));
    expect(await sideOf(No)).toEqual({
      pendiente: 107.9,
      lista: [
        [12.1, credit],
        [1, undefined],
      ],
    });
    expect(await sideOf(credit)).toEqual({ pendiente: 0, lista: [[-12.1, No]] });
    const [of, one] = from === 'the invoice' ? [No, id] : [credit, backId];
    const answer = expectOk(await remove(of, one));
    expect(answer).toEqual(await owedOf(of));
    expect(await sideOf(No)).toEqual({ pendiente: 120, lista: [[1, undefined]] });
    expect(await sideOf(credit)).toEqual({ pendiente: -12.1, lista: [] });
    expect((await company.detailOf(No)).abonos).toEqual([{ DocNo: credit, pendiente: -12.1 }]);
    for (const [gone, cobro] of [
      [No, id],
      [credit, backId],
    ] as const) {
      expect(await remove(gone, cobro)).toMatchObject({
        status: 404,
        body: { message: `Esa anotación de la factura ${gone} ya no existe.` },
      });
    }
  });

  it('once, by two at once from either page', async () => {
    const { No, credit, id, backId } = await settled();
    const answers = await Promise.all([remove(No, id), remove(credit, backId)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
    expect(await sideOf(No)).toEqual({ pendiente: 121, lista: [] });
    expect(await sideOf(credit)).toEqual({ pendiente: -12.1, lista: [] });
  });

  it('after a cobro of the credit that was asked for before, and judged by what stood then', async () => {
    const { No, credit, id } = await settled();
    const { noting, deleting } = await world.sql.begin(async (tx) => {
      await tx`
        select from counters where company_id = ${company.id} and name = 'novedades' for update`;
      const first = note(credit, '-12,10');
      await untilWaiting(world.sql, 1);
      const second = remove(No, id);
      await untilWaiting(world.sql, 2);
      return { noting: first, deleting: second };
    });
    expect((await noting).status).toBe(409);
    expectOk(await deleting);
    expect(await sideOf(credit)).toEqual({ pendiente: -12.1, lista: [] });
  });

  it('and «Actividad» tells it of both', async () => {
    const { No, credit, id } = await settled();
    expectOk(await remove(No, id));
    const { rows } = expectOk(
      await company.call<{ rows: { tipo: string; detalle?: string }[] }>(
        'GET',
        '/api/GetData/GetEventosSeguridad?page=1',
      ),
    );
    const told = rows.filter(({ tipo }) => tipo === 'cobro-eliminado').map((row) => row.detalle);
    expect(told.sort()).toEqual(
      [
        `${No}: 12,10 € del ${fechaEs(today())}`,
        `${credit}: -12,10 € del ${fechaEs(today())}`,
      ].sort(),
    );
  });

  it('also once the credit is annulled, and both are found again among what is owed', async () => {
    const No = await register('10,00');
    const credit = await creditOf(No, '10,00');
    const { lista } = expectOk(await note(No, '12,10', { Abono: credit }));
    await company.sendAll();
    const owed = async () =>
      expectOk(
        await company.call<{ rows: { DocNo: string }[]; pendiente: number }>(
          'GET',
          '/api/GetData/GetInvoices?page=1&sort=PostingDate&cobro=pendiente',
        ),
      );
    expect(await owed()).toMatchObject({ rows: [], pendiente: 0 });
    expectOk(await remove(No, lista[0]?.id));
    expect(await owed()).toMatchObject({
      rows: [{ DocNo: No }, { DocNo: credit }],
      pendiente: 0,
    });
    const again = expectOk(await note(No, '12,10', { Abono: credit })).lista[0];
    expectOk(await company.annul(credit));
    await company.sendAll();
    expect(await sideOf(No)).toEqual({ pendiente: 0, lista: [[12.1, credit]] });
    expectOk(await remove(No, again?.id));
    expect((await owedOf(credit)).lista).toEqual([]);
    expect(await owed()).toMatchObject({ rows: [{ DocNo: No }], pendiente: 12.1 });
  });

  it('by nobody else, and not under the number of another invoice', async () => {
    const { No, credit, id, backId } = await settled();
    const stranger = await world.signUp();
    expect((await remove(No, id, stranger)).status).toBe(404);
    expect((await remove(No, backId)).status).toBe(404);
    expect((await remove(credit, id)).status).toBe(404);
    expect(await sideOf(No)).toEqual({ pendiente: 108.9, lista: [[12.1, credit]] });
    expect(await sideOf(credit)).toEqual({ pendiente: 0, lista: [[-12.1, No]] });
  });

  it('alone, when a version that does not know it has deleted the other one', async () => {
    const { No, credit, id, backId } = await settled();
    await world.sql`delete from cobros where company_id = ${company.id} and id = ${backId ?? ''}`;
    expect(await sideOf(No)).toEqual({ pendiente: 108.9, lista: [[12.1, undefined]] });
    expectOk(await remove(No, id));
    expect(await sideOf(No)).toEqual({ pendiente: 121, lista: [] });
    expect(await sideOf(credit)).toEqual({ pendiente: -12.1, lista: [] });
  });

  it('if it was noted down before the two knew of each other, and nothing that only looks like it', async () => {
    const { No, credit } = await settled();
    const free = await register('50,00');
    const alike = await creditOf(free, '50,00');
    expectOk(await note(free, '60,50'));
    expectOk(await note(alike, '-60,50'));
    // As the version before left them: of two at other moments, each on its own.
    await world.sql`
      update cobros set settled_with = null, noted_at = noted_at + case when importe < -13 then interval '1 ms' else '0' end
       where company_id = ${company.id}`;
    await world.sql.unsafe(await readFile('migrations/1051-settled-before.sql', 'utf8'));
    expect((await sideOf(free)).lista).toEqual([[60.5, undefined]]);
    expect((await sideOf(alike)).lista).toEqual([[-60.5, undefined]]);
    expect((await sideOf(No)).lista).toEqual([[12.1, credit]]);
    expectOk(await remove(credit, (await owedOf(credit)).lista[0]?.id));
    expect(await sideOf(No)).toEqual({ pendiente: 121, lista: [] });
  });
});

describe('a refusal says which credit it is about', () => {
  const refusalOf = async (No: string, Importe: string, more: object) => {
    const { status, body } = await note(No, Importe, more);
    return [status, body.message];
  };

  it('of which nothing is left, or less than that', async () => {
    const No = await register('100,00');
    const Abono = await creditOf(No, '10,00');
    expect(await refusalOf(No, '12,11', { Abono })).toEqual([
      400,
      [`El importe no puede pasar de 12,10 €: es lo que queda por devolver del abono ${Abono}.`],
    ]);
    expectOk(await note(Abono, '-12,10'));
    expect(await refusalOf(No, '12,10', { Abono })).toEqual([
      409,
      `Del abono ${Abono} no queda nada por devolver.`,
    ]);
    expect(await refusalOf(Abono, '-12,10', {})).toEqual([
      409,
      `De la factura ${Abono} no queda nada por devolver.`,
    ]);
    expect(await sideOf(No)).toEqual({ pendiente: 121, lista: [] });
  });

  it('that was annulled meanwhile', async () => {
    const No = await register('100,00');
    const Abono = await creditOf(No, '10,00');
    await company.sendAll();
    expectOk(await company.annul(Abono));
    expect(await refusalOf(No, '12,10', { Abono })).toEqual([
      409,
      `El abono ${Abono} ya no se puede compensar: está anulado o lo sustituye otra factura.`,
    ]);
    expect(await sideOf(No)).toEqual({ pendiente: 121, lista: [] });
  });

  it('that is more than a year later than the day', async () => {
    const No = await register('100,00', { invoiceDate: addDays(today(), -30) });
    const Abono = await creditOf(No, '10,00');
    const first = addYears(today(), -1);
    const Fecha = addDays(first, -1);
    expect(await refusalOf(No, '12,10', { Abono, Fecha })).toEqual([
      400,
      [`La fecha no puede ser anterior al ${fechaEs(first)}, un año antes del abono ${Abono}.`],
    ]);
    expect(expectOk(await note(No, '12,10', { Abono, Fecha: first })).pendiente).toBe(108.9);
  });
});

describe('the page of a credit says where it may be settled', () => {
  const whereOf = async (No: string) => (await company.detailOf(No)).descontableDe;

  it('while something is left to collect there, and to give back here', async () => {
    const No = await register('100,00');
    const credit = await creditOf(No, '10,00');
    expect(await whereOf(credit)).toEqual([No]);
    expect(await whereOf(No)).toBeUndefined();
    const { lista } = expectOk(await note(No, '121,00'));
    expect(await whereOf(credit)).toBeUndefined();
    expectOk(await remove(No, lista[0]?.id));
    expectOk(await note(credit, '-12,10'));
    expect(await whereOf(credit)).toBeUndefined();
  });

  it('not where another invoice has taken the place of what it rectifies, nor of one por sustitución', async () => {
    const No = await register('100,00');
    expectOk(await note(No, '121,00'));
    await company.sendAll();
    const credit = await creditOf(No, '10,00');
    const instead = await register('80,00', insteadOf(No));
    expect(await whereOf(credit)).toBeUndefined();
    // 96,80 − 121: to be given back, with nothing to settle.
    expect((await owedOf(instead)).pendiente).toBe(-24.2);
    expect(await whereOf(instead)).toBeUndefined();
  });
});

it('an invoice is not offered to be settled against a credit that another one has replaced', async () => {
  const No = await register('100,00');
  const credit = await creditOf(No, '10,00');
  await company.sendAll();
  expect((await company.detailOf(No)).abonos).toEqual([{ DocNo: credit, pendiente: -12.1 }]);
  await register('5,00', insteadOf(credit));
  expect((await company.detailOf(No)).abonos).toBeUndefined();
});

describe('a credit that is corrected while it is being settled', () => {
  it('is judged by its correction', async () => {
    const No = await register('100,00');
    const credit = await creditOf(No, '10,00');
    await world.behave({ aceptarConErrores: { [credit]: 2005 } });
    await company.sendAll();
    await world.behave({ aceptarConErrores: { [credit]: 0 } });
    const { correcting, settling } = await world.sql.begin(async (tx) => {
      await tx`select from cadenas where company_id = ${company.id} for update`;
      const first = company.register({
        draftNo: credit,
        ...linesOf({ IVA21: '5,00' }),
        ...insteadOf(No),
        crmemoType: 0,
        tipoRectificativa: 'I',
      });
      await untilWaiting(world.sql, 1);
      const second = note(No, '12,10', { Abono: credit });
      await untilWaiting(world.sql, 2);
      return { correcting: first, settling: second };
    });
    expectOk(await correcting);
    expect((await settling).body.message).toEqual([
      `El importe no puede pasar de 6,05 €: es lo que queda por devolver del abono ${credit}.`,
    ]);
    expect(await sideOf(credit)).toEqual({ pendiente: -6.05, lista: [] });
  });
});
