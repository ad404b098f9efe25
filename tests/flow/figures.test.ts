/** What Inicio shows as invoiced: an invoice that replaces another one counts only the difference. */

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { InvoiceDraftInput, InvoicePage, Resumen } from '../../src/contract/invoices.ts';
import { readMigrations } from '../../src/platform/migrate.ts';
import { randomCompanyNif } from '../support/random-nif.ts';
import { recountFigures } from '../support/recount-figures.ts';
import { quarterByRate } from '../support/sums-by-rate.ts';
import { expectOk, openWorld, type TestCompany, type World } from '../support/world.ts';

let world: World;
let company: TestCompany;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  company = await world.signUp(randomCompanyNif());
});

const lineOf = (price: string) => ({
  invoiceItems: [{ description: 'Ruedas', quantity: '1', price, tax: 'IVA21', linetype: 0 }],
});

const register = async (price: string, draft: Partial<InvoiceDraftInput> = {}) =>
  expectOk(await company.register({ ...lineOf(price), ...draft })).DocNo;

const simplified = { isSimplificada: true, invoiceType: 1 } as const;
const insteadOf = (...numbers: string[]) =>
  ({
    type: 'abono',
    crmemoType: 3,
    tipoRectificativa: 'S',
    invoiceToRectify: numbers.join(', '),
  }) as const;
/** An invoice that replaces one of another program. */
const outside = {
  ...insteadOf('2025-77'),
  invoiceToRectifyDate: '2025-06-15',
  baseRectificada: '100,00',
  cuotaRectificada: '21,00',
};
const exchangeOf = (...numbers: string[]) =>
  ({ invoiceType: 2, invoiceToRectify: numbers.join(', ') }) as const;

/**
 * Base, VAT and number of this month's invoices, as Inicio shows them; checks that the sums by rate and a recount
 * agree.
 */
async function invoiced(): Promise<[number, number, number]> {
  const resumen = async () =>
    expectOk(await company.call<Resumen>('GET', '/api/GetData/GetResumen'));
  const { mes, trimestre, meses } = await resumen();
  expect([trimestre.base, trimestre.iva, meses.at(-1)?.base]).toEqual([
    mes.base,
    mes.iva,
    mes.base,
  ]);
  await quarterByRate(company);
  await world.sql.begin((tx) => recountFigures(tx, company.id));
  expect((await resumen()).mes).toEqual(mes);
  return [mes.base, mes.iva, mes.facturas];
}

describe('what was invoiced', () => {
  it('counts a rectificativa por sustitución, and not the replaced invoice as well', async () => {
    const first = await register('100,00');
    expect(await invoiced()).toEqual([100, 21, 1]);
    const second = await register('80,00', insteadOf(first));
    expect(await invoiced()).toEqual([80, 16.8, 2]);
    await register('60,00', insteadOf(second));
    expect(await invoiced()).toEqual([60, 12.6, 3]);
  });

  it('counts simplified invoices, and not the F3 that they are exchanged for as well', async () => {
    const one = await register('30,00', simplified);
    const other = await register('12,50', simplified);
    await register('42,50', exchangeOf(one, other));
    // 6,30 + 2,63 (2,625) of the simplified ones; 8,93 (8,925) of the F3.
    expect(await invoiced()).toEqual([42.5, 8.93, 3]);
  });

  it('counts an invoice that replaces one of another program in full, as that one was never counted here', async () => {
    await register('80,00', outside);
    expect(await invoiced()).toEqual([80, 16.8, 1]);
    const ours = await register('10,00');
    await register('95,00', {
      ...outside,
      invoiceToRectify: `${ours}, 2025-78`,
      invoiceToRectifyDate: ', 2025-06-15',
    });
    // 80 + 10 + (95 − 10)
    expect((await invoiced())[0]).toBe(175);
  });

  it('comes with each row of the history if asked for', async () => {
    const first = await register('100,00');
    const second = await register('80,00', insteadOf(first));
    const abono = await register('5,00', { ...insteadOf(second), tipoRectificativa: 'I' });
    const ticket = await register('30,00', { ...simplified, invoiceClient: '' });
    const full = await register('30,00', exchangeOf(ticket));
    await company.sendAll();
    const rows = async (more: string) => {
      const path = `/api/GetData/GetInvoices?page=1&pageSize=50${more}`;
      return expectOk(await company.call<InvoicePage>('GET', path)).rows;
    };
    const told = (await rows('&sumas=true')).map(({ DocNo, Metodo, Sustituido }) => [
      DocNo,
      { Metodo, Sustituido },
    ]);
    expect(Object.fromEntries(told)).toEqual({
      [first]: {},
      [second]: {
        Metodo: 'S',
        Sustituido: { Amount: 100, VatAmount: 21, AmountIncludingVat: 121 },
      },
      [abono]: { Metodo: 'I' },
      [ticket]: {},
      // A ticket has no client; the full invoice counts for its client.
      [full]: {
        Sustituido: {
          Amount: 30,
          VatAmount: 6.3,
          AmountIncludingVat: 36.3,
          DeOtros: [{ CIF: '', Name: expect.any(String), AmountIncludingVat: 36.3 }],
        },
      },
    });
    expect(JSON.stringify(await rows(''))).not.toMatch(/Metodo|Sustituido/);
  });

  it('comes with the country of a client whose number is no Spanish NIF', async () => {
    const clientOf = async (Name: string, VATRegistrationNo: string, countryCode: string) => {
      const { body } = await company.call<{ No: string }>('POST', '/api/PostData/SetClientes', {
        Name,
        VATRegistrationNo,
        countryCode,
        Address: 'Rue Une, 1',
      });
      return { invoiceClient: body.No, typeClient: 'EXT' };
    };
    const suisse = await clientOf('Suisse SA', '123456', 'CH');
    const maroc = await clientOf('Maroc SARL', '123456', 'MA');
    const abroad = await clientOf('Ana Ruiz', '12345678Z', 'CH');
    const here = await register('10,00');
    const first = await register('10,00', suisse);
    const other = await register('10,00', maroc);
    const spaniard = await register('10,00', abroad);
    await company.sendAll();
    const path = '/api/GetData/GetInvoices?page=1&pageSize=50';
    const { rows } = expectOk(await company.call<InvoicePage>('GET', `${path}&sumas=true`));
    expect(Object.fromEntries(rows.map(({ DocNo, Pais }) => [DocNo, Pais]))).toEqual({
      [spaniard]: undefined,
      [other]: 'MA',
      [first]: 'CH',
      [here]: undefined,
    });
    const shown = expectOk(await company.call<InvoicePage>('GET', path)).rows;
    expect(JSON.stringify(shown)).not.toMatch(/Pais/);
  });

  it('comes with what the clients withhold, and what was withheld of those that it replaces', async () => {
    const withheld = { retencionIRPF: '15' };
    const first = await register('100,00', withheld);
    const second = await register('80,00', { ...insteadOf(first), retencionIRPF: '7' });
    const third = await register('90,00', { ...insteadOf(first, second), ...withheld });
    const none = await register('40,00', insteadOf(third));
    const abono = await register('10,00', {
      ...insteadOf(none),
      ...withheld,
      tipoRectificativa: 'I',
    });
    const plain = await register('30,00');
    await company.sendAll();
    const path = '/api/GetData/GetInvoices?page=1&pageSize=50';
    const { rows } = expectOk(await company.call<InvoicePage>('GET', `${path}&sumas=true`));
    const told = rows.map(({ DocNo, Retencion, Sustituido }) => [
      DocNo,
      [Retencion, Sustituido?.Retencion],
    ]);
    expect(Object.fromEntries(told)).toEqual({
      [first]: [15, undefined],
      [second]: [5.6, 15],
      // 15 + 5.60, of which 15 had been replaced.
      [third]: [13.5, 5.6],
      [none]: [0, 13.5],
      [abono]: [-1.5, undefined],
      [plain]: [undefined, undefined],
    });
    const shown = expectOk(await company.call<InvoicePage>('GET', path)).rows;
    expect(JSON.stringify(shown)).not.toMatch(/Retencion/);
  });

  it('follows to the cent when a replacing invoice is corrected, its correction given up, and it is annulled', async () => {
    const first = await register('100,00');
    const other = await register('50,00');
    await company.sendAll();
    const second = await register('80,00', insteadOf(first));
    await world.behave({ aceptarConErrores: { [second]: 2005 } });
    await company.sendAll();
    expect(await invoiced()).toEqual([130, 27.3, 3]);

    // Corrected to replace both, and refused: meanwhile it counts as last declared.
    await world.behave({ aceptarConErrores: { [second]: 0 }, rechazar: { [second]: 1100 } });
    const corrected = { ...insteadOf(first, other), draftNo: second, ...lineOf('90,00') };
    expectOk(await company.register(corrected));
    expect(await invoiced()).toEqual([90, 18.9, 3]);
    await company.sendAll();
    expect(await invoiced()).toEqual([90, 18.9, 3]);
    expectOk(await company.call('POST', '/api/PostData/DejarFactura', { No: second }));
    expect(await invoiced()).toEqual([130, 27.3, 3]);

    await world.behave({ rechazar: { [second]: 0 } });
    expectOk(await company.register(corrected));
    await company.sendAll();
    expect(await invoiced()).toEqual([90, 18.9, 3]);
    expectOk(await company.annul(second));
    await company.sendAll();
    expect(await invoiced()).toEqual([150, 31.5, 2]);
  });

  it('is repaired when an earlier version counted replacing invoices in full', async () => {
    const first = await register('100,00');
    const second = await register('80,00', insteadOf(first));
    await register('60,00', insteadOf(first, second));
    const ticket = await register('30,00', simplified);
    const corrected = await register('20,00', {
      ...insteadOf(ticket),
      isSimplificada: true,
      crmemoType: 4,
    });
    await register('20,00', exchangeOf(ticket, corrected));
    await register('5,00', outside);
    const gone = await register('1,00', insteadOf(first));
    await company.sendAll();
    expectOk(await company.annul(gone));
    await company.sendAll();
    expect(await invoiced()).toEqual([85, 17.85, 7]); // 60 + 20 + 5
    const before = await months();

    // As the previous version left all companies.
    await world.sql`
      update invoice_documents set replaced_base = null, replaced_vat = null, replaced_total = null`;
    for (const { id } of await world.sql<{ id: number }[]>`select id from companies`) {
      await world.sql.begin((tx) => recountFigures(tx, id));
    }
    expect((await invoiced())[0]).toBe(315); // 100 + 80 + 60 + 30 + 20 + 20 + 5
    const mending = (await readMigrations()).find(({ name }) => name.startsWith('0221-'));
    await world.sql.unsafe(mending?.text ?? '');
    expect(await months()).toEqual(before);
    expect((await invoiced())[0]).toBe(85);
  });
});

const months = () => world.sql`
  select company_id, month, invoices, base, vat, total from invoice_months
   where invoices <> 0 order by company_id, month`;
