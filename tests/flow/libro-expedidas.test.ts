/** The book of issued invoices: as it is downloaded, compared with what was typed. */

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  InvoiceDraft,
  type InvoiceDraftInput,
  type SumasPorTipo,
} from '../../src/contract/invoices.ts';
import { addDays, isoDateIn, startOfQuarter } from '../../src/domain/dates.ts';
import { LIBRO_COLUMNS } from '../../src/domain/libro-expedidas.ts';
import { openFile } from '../../src/import/open-file.ts';
import { registerInvoices } from '../../src/operations/register-invoices.ts';
import type { PlaceOfCobro } from '../../src/store/cobros.ts';
import { type PageOfCobros, pageOfBook, pageOfCobros } from '../../src/store/libro-expedidas.ts';
import type { Place } from '../../src/store/sums-by-rate.ts';
import { insteadOf, linesOf, recargoClientOf, simplified } from '../support/taxed-drafts.ts';
import { draftOf, expectOk, openWorld, type TestCompany, type World } from '../support/world.ts';

let world: World;
let company: TestCompany;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  company = await world.signUp();
});

const register = async (
  prices: Readonly<Record<string, string>>,
  draft: Partial<InvoiceDraftInput> & { readonly draftNo?: string } = {},
  by = company,
) => expectOk(await by.register({ ...linesOf(prices), ...draft })).DocNo;

const download = (query = '', by = company) =>
  world.app.inject({
    url: `/api/GetData/GetLibroExpedidas${query}`,
    headers: { authorization: `Bearer ${by.token}` },
  });

/** The values of each row, by the letter of their columns. */
type Row = Readonly<Record<string, string | number | undefined>>;

async function book(query = '', by = company): Promise<readonly Row[]> {
  const answer = await download(query, by);
  expect(answer.statusCode).toBe(200);
  const { sheets } = await openFile(answer.rawPayload);
  expect(sheets.map(({ name }) => name)).toEqual(['EXPEDIDAS']);
  const [sheet] = sheets;
  if (!sheet) throw new Error('There is no sheet.');
  return Array.from({ length: sheet.rowCount - 2 }, (_, row) =>
    Object.fromEntries(
      LIBRO_COLUMNS.map((_, column) => {
        const cell = sheet.at(row + 2, column);
        const value = cell.kind === 'value' ? cell.value : undefined;
        return [
          letterOf(column),
          value instanceof Date ? value.toISOString().slice(0, 10) : (value as string | number),
        ];
      }),
    ),
  );
}

const letterOf = (column: number) =>
  column < 26 ? String.fromCharCode(65 + column) : `A${String.fromCharCode(39 + column)}`;

/** Type, number, clave, calificación or exemption, rate, base, quota, recargo, total. */
const short = (rows: readonly Row[]) =>
  rows.map(({ F, L, R, S, T, W, V, X, Z, U }) => [F, L, R, S ?? T, W, V, X, Z, U]);

const cents = (amounts: readonly (string | number | undefined)[]) =>
  amounts.reduce<number>((sum, amount) => sum + Math.round(Number(amount ?? 0) * 100), 0);

it('has a row for each rate, whose totals add up to that of the invoice as it is registered', async () => {
  const toShop = await recargoClientOf(company);
  const today = isoDateIn(world.deps.clock(), 'Europe/Madrid');
  const operation = addDays(startOfQuarter(today), -1);
  const one = await register({ IVA21: '33,33', IVA10: '0,05', EXEENS: '12,00' });
  const shop = await register(
    { IVA21: '100,00', SERV21: '20,00' },
    { ...toShop, fechaOperacion: operation },
  );
  const ticket = await register({ IVA4: '1,25' }, simplified);
  const { fila } = await company.detailOf(one);
  const rows = await book();
  // 33,33 × 21 % = 6,9993; 0,05 × 10 % = 0,005; 100 × 5,2 % = 5,20; 1,25 × 4 % = 0,05.
  expect(short(rows)).toEqual([
    ['F1', one, '01', 'S1', 21, 33.33, 7, undefined, 40.33],
    ['F1', one, '01', 'S1', 10, 0.05, 0.01, undefined, 0.06],
    ['F1', one, '01', 'E1', undefined, 12, undefined, undefined, 12],
    ['F1', shop, '01', 'S1', 21, 100, 21, 5.2, 126.2],
    ['F1', shop, '01', 'S1', 21, 20, 4.2, undefined, 24.2],
    ['F2', ticket, '01', 'S1', 4, 1.25, 0.05, undefined, 1.3],
  ]);
  expect(cents(rows.slice(0, 3).map(({ U }) => U))).toBe(Math.round(fila.AmountIncludingVat * 100));
  expect(rows[0]).toMatchObject({
    ...periodOf(fila.PostingDate),
    I: fila.PostingDate,
    P: 'A58818501',
    Q: 'Cliente de Prueba, S.A.',
  });
  expect(rows[0]?.J).toBeUndefined();
  expect(rows[3]).toMatchObject({ ...periodOf(operation), J: operation, P: '12345678Z', Y: 5.2 });
  expect(rows[5]).toMatchObject({ Q: 'VENTAS A CONSUMIDOR FINAL' });
});

it('contains neither drafts nor annulled invoices, nor those of another company', async () => {
  const kept = await register({ IVA21: '10,00' });
  const wrong = await register({ IVA21: '20,00' });
  expectOk(
    await company.call('POST', '/api/PostData/SetFacturas', {
      invoiceClient: company.customerNo,
      accionFactura: 0,
      invoiceItems: [{ description: 'Género', quantity: '1', price: '30,00', tax: 'IVA21' }],
    }),
  );
  await register({ IVA21: '40,00' }, {}, await world.signUp());
  expect((await book()).map(({ L }) => L)).toEqual([kept, wrong]);
  await company.sendAll();
  expectOk(await company.annul(wrong));
  await company.sendAll();
  expect((await book()).map(({ L }) => L)).toEqual([kept]);
});

it('has all of them, each once, also of more than are read at a time', async () => {
  await world.sql`update companies set subscription_type = 'annual' where id = ${company.id}`;
  const draft = InvoiceDraft.parse(draftOf(company.customerNo, world.deps.clock()));
  for (const count of [100, 100, 1]) {
    const requests = Array.from({ length: count }, () => ({ draft, sendsToCustomer: false }));
    await registerInvoices(world.deps, company.id, requests);
  }
  const numbers = (await book()).map(({ L }) => L);
  expect(numbers).toHaveLength(201);
  expect(new Set(numbers).size).toBe(201);
});

it('takes off what a rectificativa replaces, and so adds up to the sums by rate', async () => {
  const first = await register({ IVA21: '100,00', IVA10: '50,00' });
  await company.sendAll();
  const second = await register({ IVA10: '150,00' }, insteadOf(first));
  const credit = await register(
    { IVA10: '20,00' },
    { ...insteadOf(second), crmemoType: 0, tipoRectificativa: 'I' },
  );
  const rows = await book();
  expect(short(rows)).toEqual([
    ['F1', first, '01', 'S1', 21, 100, 21, undefined, 121],
    ['F1', first, '01', 'S1', 10, 50, 5, undefined, 55],
    ['F1', first, '01', 'S1', 21, -100, -21, undefined, -121],
    ['F1', first, '01', 'S1', 10, -50, -5, undefined, -55],
    ['R4', second, '01', 'S1', 10, 150, 15, undefined, 165],
    ['R1', credit, '01', 'S1', 10, -20, -2, undefined, -22],
  ]);
  expect(rows.map(({ AJ }) => AJ)).toEqual([
    ...[undefined, undefined, `Rectificada por ${second}`, `Rectificada por ${second}`],
    ...[`Rectifica ${first}`, `Rectifica ${second}`],
  ]);
  const { filas } = expectOk(
    await company.call<SumasPorTipo>('GET', '/api/GetData/GetSumasPorTipo'),
  );
  for (const { tipo, base, cuota } of filas) {
    const ofRate = rows.filter(({ W }) => W === tipo);
    expect([cents(ofRate.map(({ V }) => V)), cents(ofRate.map(({ X }) => X))]).toEqual([
      cents([base]),
      cents([cuota]),
    ]);
  }
  expect(filas.map(({ tipo }) => tipo)).toEqual([21, 10]);
});

it('takes off once what is replaced beside one of the two that it had replaced', async () => {
  const first = await register({ IVA21: '100,00' });
  const other = await register({ IVA21: '50,00' });
  const replacing = await register({ IVA21: '130,00' }, insteadOf(first, other));
  const again = await register({ IVA21: '110,00' }, insteadOf(first, replacing));
  expect(short(await book()).map(([tipo, number, , , , base]) => [tipo, number, base])).toEqual([
    ['F1', first, 100],
    ['F1', other, 50],
    ['F1', first, -100],
    ['F1', other, -50],
    ['R4', replacing, 130],
    ['R4', replacing, -130],
    ['R4', again, 110],
  ]);
});

it('leaves to an F3 its type, and takes no simplified invoice off', async () => {
  const ticket = await register({ IVA21: '30,00' }, simplified);
  const whole = await register({ IVA21: '30,00' }, { invoiceType: 2, invoiceToRectify: ticket });
  const rows = await book();
  expect(short(rows)).toEqual([
    ['F2', ticket, '01', 'S1', 21, 30, 6.3, undefined, 36.3],
    ['F3', whole, '01', 'S1', 21, 30, 6.3, undefined, 36.3],
  ]);
  expect(rows[1]).toMatchObject({ AJ: `Sustituye a ${ticket}`, P: 'A58818501' });
});

it('says an invoice as its last alta does', async () => {
  const first = await register({ IVA21: '100,00' });
  await world.behave({ aceptarConErrores: { [first]: 2005 } });
  await company.sendAll();
  await register({ IVA10: '100,00' }, { draftNo: first });
  expect(short(await book())).toEqual([['F1', first, '01', 'S1', 10, 100, 10, undefined, 110]]);
});

it('is of the days asked for, says how many invoices it has, and is read page by page', async () => {
  const numbers = await company.registerMany(3);
  await company.sendAll();
  numbers.push(...(await company.registerMany(2)));
  const { PostingDate } = (await company.detailOf(numbers[0] ?? '')).fila;
  const query = `?desde=${PostingDate}`;
  expect((await book(query)).map(({ L }) => L)).toEqual(numbers);
  const { headers } = await download(query);
  expect(headers).toMatchObject({
    'x-facturas': '5',
    'content-disposition': `attachment; filename="libro-expedidas-${company.nif}.xlsx"`,
  });
  expect(await book('?hasta=2025-12-31')).toEqual([]);

  const days = { since: null, until: null };
  const pages: string[][] = [];
  for (let after: Place | null = null; ; ) {
    const { invoices, last } = await pageOfBook(world.sql, company.id, { ...days, after }, 2);
    pages.push(invoices.map(({ invoice }) => invoice.numSerie));
    if (last === null) break;
    after = last;
  }
  expect(pages).toEqual([numbers.slice(0, 2), numbers.slice(2, 4), numbers.slice(4), []]);
});

describe('under criterio de caja', () => {
  const note = async (No: string, Fecha: string, Importe: number, more: object = {}) =>
    expectOk(
      await company.call('POST', '/api/PostData/AnotarCobro', {
        No,
        Fecha,
        Importe,
        Medio: '01',
        ...more,
      }),
    );
  /** Type, number, clave, base, and the cobro: day, amount, medio and what proves it. */
  const collected = (rows: readonly Row[]) =>
    rows.map(({ F, L, R, V, AA, AB, AC, AD }) => [F, L, R, V, AA, AB, AC, AD]);

  it('has a row for each cobro of the days asked for, whatever the day of its invoice', async () => {
    const today = isoDateIn(world.deps.clock(), 'Europe/Madrid');
    const yesterday = addDays(today, -1);
    const caja = await register({ CAJA21: '100,00' }, { invoiceDate: yesterday });
    const usual = await register({ IVA21: '100,00' });
    await note(usual, today, 121);
    await note(caja, yesterday, 21, { Medio: '05', Identificacion: 'ES9121000418' });
    await note(caja, today, 100);
    const rows = await book();
    expect(collected(rows.slice(-2))).toEqual([
      ['F1', caja, '07', undefined, yesterday, 21, '05', 'ES9121000418'],
      ['F1', caja, '07', undefined, today, 100, '01', undefined],
    ]);
    expect(rows.at(-1)).toMatchObject({
      ...periodOf(today),
      I: yesterday,
      P: 'A58818501',
      Q: 'Cliente de Prueba, S.A.',
    });
    expect(rows.filter(({ AA }) => AA === undefined).map(({ L }) => L)).toEqual([caja, usual]);
    expect(collected(await book(`?desde=${today}`))).toEqual([
      ['F1', usual, '01', 100, undefined, undefined, undefined, undefined],
      ['F1', caja, '07', undefined, today, 100, '01', undefined],
    ]);

    const days = { since: null, until: null };
    const pages: number[] = [];
    for (let after: PlaceOfCobro | null = null; ; ) {
      const page: PageOfCobros = await pageOfCobros(world.sql, company.id, days, after, 1);
      pages.push(page.cobros.length);
      after = page.last;
      if (after === null) break;
    }
    // The one of the usual invoice is looked at, and left out.
    expect(pages.toSorted()).toEqual([0, 0, 1, 1]);
  });

  it('goes by the last correction of an invoice, and by IVA alone', async () => {
    const today = isoDateIn(world.deps.clock(), 'Europe/Madrid');
    const No = await register({ IVA21: '100,00' });
    await world.behave({ aceptarConErrores: { [No]: 2005 } });
    await company.sendAll();
    await world.behave({ aceptarConErrores: { [No]: 0 } });
    await register({ CAJA21: '100,00' }, { draftNo: No });
    await note(No, today, 21);
    await note(await register({ '03/07/S1/7': '100,00' }), today, 7);
    const cobros = collected(await book()).filter(([, , , , day]) => day !== undefined);
    expect(cobros).toEqual([['F1', No, '07', undefined, today, 21, '01', undefined]]);
  });

  it('leaves out what is collected after the tax fell due, and of annulled invoices', async () => {
    const today = isoDateIn(world.deps.clock(), 'Europe/Madrid');
    const day = (ago: number) => addDays(today, -ago);
    const late = await register({ CAJA21: '100,00' });
    await note(late, day(3), 21);
    await note(late, day(2), 100, { Medio: '03' });
    await note(late, day(1), 100);
    const wrong = await register({ CAJA21: '50,00' });
    await note(wrong, today, 60.5);
    await company.sendAll();
    expectOk(await company.annul(wrong));
    await company.sendAll();
    expect(collected(await book()).slice(1)).toEqual([
      ['F1', late, '07', undefined, day(3), 21, '01', undefined],
      ['F1', late, '07', undefined, day(2), 100, '03', undefined],
    ]);
  });
});

it('is given to nobody without a session', async () => {
  const answer = await world.app.inject({ url: '/api/GetData/GetLibroExpedidas' });
  expect(answer.statusCode).toBe(401);
});

/** Columns A and B of an operation of that day. */
function periodOf(day: string): Row {
  const [year, month] = day.split('-').map(Number);
  return { A: year, B: `${Math.ceil((month ?? 0) / 3)}T` };
}
