/** The sums of registered invoices by tax and rate: the quarter on Inicio, and any dates of the history. */

import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import {
  type FilaPorTipo,
  InvoiceDraft,
  type InvoiceDraftInput,
  type SumasPorTipo,
} from '../../src/contract/invoices.ts';
import { addedUp } from '../../src/domain/sums-by-rate.ts';
import { describeTrimestre } from '../../src/operations/describe-sums.ts';
import { registerInvoices } from '../../src/operations/register-invoices.ts';
import { type Place, sumsByRate } from '../../src/store/sums-by-rate.ts';
import { quarterByRate } from '../support/sums-by-rate.ts';
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

const exchangeOf = (...numbers: string[]) =>
  ({ invoiceType: 2, invoiceToRectify: numbers.join(', ') }) as const;

/** Rate with its recargo or cause, base, quota with its recargo, number of invoices. */
const short = (filas: readonly FilaPorTipo[]) =>
  filas.map(({ tipo, recargo, causa, base, cuota, cuotaRecargo, facturas }) => [
    causa ?? (recargo === undefined ? tipo : `${tipo} + ${recargo}`),
    base,
    recargo === undefined ? cuota : [cuota, cuotaRecargo],
    facturas,
  ]);
const quarter = async () => short(await quarterByRate(company));

it('are empty for a company that has registered nothing, and contain nothing of another company', async () => {
  expect(await quarter()).toEqual([]);
  await register({ IVA21: '100,00' }, {}, await world.signUp());
  expect(await quarter()).toEqual([]);
});

it('count each rate of an invoice, exempt and not subject amounts by cause, and no draft, suplido or retention', async () => {
  await register({ IVA21: '100,00', IVA10: '50,00' });
  await register(
    { IVA21: '10,00', EXEENS: '30,00' },
    { suplidos: '40,50', suplidosConcepto: 'Tasas', retencionIRPF: '15' },
  );
  await register({ '01/01/S2': '7,00' });
  await register({ NOSUJETO: '5,00' }, simplified);
  await company.call('POST', '/api/PostData/SetFacturas', {
    invoiceClient: company.customerNo,
    accionFactura: 0,
    ...linesOf({ IVA4: '1000,00' }),
  });
  expect(await quarter()).toEqual([
    [21, 110, 23.1, 2],
    [10, 50, 5, 1],
    ['E1', 30, 0, 1],
    ['N1', 5, 0, 1],
    ['S2', 7, 0, 1],
  ]);
});

it('separate a rate with recargo de equivalencia from the same rate without it', async () => {
  const shop = await recargoClientOf(company);
  await register({ IVA21: '100,00', IVA10: '10,00', SERV21: '20,00' }, shop);
  await register({ IVA21: '1,00' });
  expect(await quarter()).toEqual([
    [21, 21, 4.41, 2],
    ['21 + 5.2', 100, [21, 5.2], 1],
    ['10 + 1.4', 10, [1, 0.14], 1],
  ]);
});

it('subtract a rectificativa por diferencias from its rates, until it is annulled', async () => {
  const first = await register({ IVA21: '100,00', IVA10: '50,00' });
  const abono = await register(
    { IVA10: '20,00' },
    { ...insteadOf(first), crmemoType: 0, tipoRectificativa: 'I' },
  );
  expect(await quarter()).toEqual([
    [21, 100, 21, 1],
    [10, 30, 3, 2],
  ]);
  await company.sendAll();
  expectOk(await company.annul(abono));
  await company.sendAll();
  expect(await quarter()).toEqual([
    [21, 100, 21, 1],
    [10, 50, 5, 1],
  ]);
});

it('move amounts between rates for a rectificativa por sustitución, whatever happens to the first one', async () => {
  const first = await register({ IVA21: '100,00', IVA10: '50,00' });
  const second = await register({ IVA10: '150,00' }, insteadOf(first));
  const moved = [
    [21, 0, 0, 2],
    [10, 150, 15, 2],
  ];
  expect(await quarter()).toEqual(moved);
  await company.sendAll();
  expect(await quarter()).toEqual(moved);
  await register({ IVA4: '10,00' }, insteadOf(first, second));
  expect(await quarter()).toEqual([
    [21, 0, 0, 3],
    [10, 0, 0, 3],
    [4, 10, 0.4, 1],
  ]);
});

it('subtract the replaced invoice as it stood then, although the AEAT refused another declaration of it', async () => {
  const first = await register({ IVA21: '100,00' });
  await world.behave({ aceptarConErrores: { [first]: 2005 } });
  await company.sendAll();
  // Another rate, which the AEAT refuses: it holds the first one.
  await world.behave({ aceptarConErrores: { [first]: 0 }, rechazar: { [first]: 1100 } });
  await register({ IVA10: '100,00' }, { draftNo: first });
  expect(await quarter()).toEqual([[10, 100, 10, 1]]);
  await company.sendAll();
  expectOk(await company.call('POST', '/api/PostData/DejarFactura', { No: first }));
  await world.behave({ rechazar: { [first]: 0 } });
  expect(await quarter()).toEqual([[21, 100, 21, 1]]);
  await register({ IVA4: '100,00' }, insteadOf(first));
  expect(await quarter()).toEqual([
    [21, 0, 0, 2],
    [4, 100, 4, 1],
  ]);
});

it('count simplified invoices to the cent, and not the F3 as well', async () => {
  const one = await register({ IVA21: '30,00' }, simplified);
  const other = await register({ IVA21: '12,50', IVA10: '1,00' }, simplified);
  await register({ IVA21: '42,50', IVA10: '1,00' }, exchangeOf(one, other));
  // 6,30 + 2,63 (2,625) of the simplified ones; 8,93 (8,925) of the F3.
  expect(await quarter()).toEqual([
    [21, 42.5, 8.93, 3],
    [10, 1, 0.1, 2],
  ]);
});

it('can be read in parts that add up to the whole, between the given dates', async () => {
  const first = await register({ IVA21: '1,00', IVA10: '1,00' });
  await company.sendAll();
  await register({ IVA21: '2,00' });
  await register({ IVA10: '3,00' }, insteadOf(first));
  await register({ EXEENS: '4,00' });
  const all = { since: null, until: null, after: null };
  const whole = await sumsByRate(world.sql, company.id, all, 100);
  expect(whole.invoices).toBe(4);
  const parts = [];
  let after: Place | null = null;
  for (;;) {
    const part = await sumsByRate(world.sql, company.id, { ...all, after }, 1);
    if (part.last === null) break;
    parts.push(...part.rows);
    after = part.last;
  }
  expect(addedUp(parts)).toEqual(whole.rows);

  const asked = async (query: string) =>
    expectOk(await company.call<SumasPorTipo>('GET', `/api/GetData/GetSumasPorTipo?${query}`));
  const { PostingDate } = (await company.detailOf(first)).fila;
  expect((await asked(`desde=${PostingDate}&hasta=${PostingDate}`)).facturas).toBe(4);
  expect(await asked('hasta=2025-12-31')).toEqual({ filas: [], facturas: 0 });
  const later = `despues=${PostingDate}.${whole.last?.id}`;
  expect(await asked(later)).toEqual({ filas: [], facturas: 0 });
  const bad = await company.call('GET', '/api/GetData/GetSumasPorTipo?despues=2026-02-30.1');
  expect(bad).toMatchObject({
    status: 400,
    body: {
      message: ['El campo «despues»: escribe lo que decía «siguiente» en la parte anterior.'],
    },
  });
});

it('count an invoice that replaces one of another quarter in its own quarter', async () => {
  const ticket = await register({ IVA21: '9,00' }, simplified);
  const before = (await quarterByRate(company))[0]?.trimestre;
  world.advanceClock(95 * 24 * 3600);
  await world.sql`
    update companies set subscription_type = 'annual', subscription_ends_at = '2100-01-01' where id = ${company.id}`;
  const draft = InvoiceDraft.parse({
    ...draftOf(company.customerNo, world.deps.clock()),
    ...linesOf({ IVA10: '9,00' }),
    ...insteadOf(ticket),
    ...simplified,
    crmemoType: 4,
  });
  const [outcome] = await registerInvoices(world.deps, company.id, [
    { draft, sendsToCustomer: false },
  ]);
  expect(outcome?.kind).toBe('registered');
  const { filas } = await describeTrimestre(world.deps, company.id);
  expect(short(filas ?? [])).toEqual([
    [21, -9, -1.89, 1],
    [10, 9, 0.9, 1],
  ]);
  expect(filas?.[0]?.trimestre).not.toBe(before);
});
