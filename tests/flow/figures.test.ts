/** What Inicio shows as invoiced: an invoice that replaces another one counts only the difference. */

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { InvoiceDraftInput, InvoicePage, Resumen } from '../../src/contract/invoices.ts';
import { centsToNumber, numberToCents } from '../../src/domain/money.ts';
import { readMigrations } from '../../src/platform/migrate.ts';
import type { Move } from '../../src/store/blocks.ts';
import { addToMonths, takeAnnulledFromMonths } from '../../src/store/months.ts';
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
  company = await world.signUp();
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
/** Saves a client. Returns what a draft to it says. */
async function clientOf(Name: string, VATRegistrationNo: string, countryCode = 'ES') {
  const { No: invoiceClient } = expectOk(
    await company.call<{ No: string }>('POST', '/api/PostData/SetClientes', {
      Name,
      VATRegistrationNo,
      countryCode,
      Address: 'Calle Una, 1',
      ...(countryCode === 'ES' && { postCode: '28013' }),
    }),
  );
  return { invoiceClient };
}

const clientIn = async (countryCode: string, name: string, nif: string) => ({
  ...(await clientOf(name, nif, countryCode)),
  typeClient: 'EXT' as const,
});

/** An invoice that replaces one of another program. */
const outside = {
  ...insteadOf('2025-77'),
  invoiceToRectifyDate: '2025-06-15',
  baseRectificada: '100,00',
  cuotaRectificada: '21,00',
};
const exchangeOf = (...numbers: string[]) =>
  ({ invoiceType: 2, invoiceToRectify: numbers.join(', ') }) as const;

/** Sends an invoice, which the AEAT accepts with errors, and a correction of it, which it refuses. */
async function correctInVain(draftNo: string, price: string, draft: Partial<InvoiceDraftInput>) {
  await world.behave({ aceptarConErrores: { [draftNo]: 2005 } });
  await company.sendAll();
  await world.behave({ aceptarConErrores: { [draftNo]: 0 }, rechazar: { [draftNo]: 1100 } });
  const corrected = { ...draft, draftNo };
  await register(price, corrected);
  await company.sendAll();
  await world.behave({ rechazar: { [draftNo]: 0 } });
}

/** The row of an invoice that the AEAT has not accepted as it is, with what is needed to add it up. */
const pendingRow = async (docNo: string) =>
  expectOk(
    await company.call<InvoicePage>('GET', '/api/GetData/GetPendingInvoices?page=1&sumas=true'),
  ).rows.find(({ DocNo }) => DocNo === docNo);

const dayOf = async (No: string) => (await company.detailOf(No)).fila.PostingDate;

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
    const suisse = await clientIn('CH', 'Suisse SA', '123456');
    const maroc = await clientIn('MA', 'Maroc SARL', '123456');
    const abroad = await clientIn('CH', 'Ana Ruiz', '12345678Z');
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

  it('says what is taken from a client with the same number in another country, unless it is a NIF', async () => {
    const suisse = await clientIn('CH', 'Suisse SA', '123456');
    const maroc = await clientIn('MA', 'Maroc SARL', '123456');
    const before = await clientIn('CH', 'Ana Ruiz', '12345678Z');
    const later = await clientIn('MA', 'Ana Ruiz', '12345678Z');
    const wrong = await register('100,00', suisse);
    const right = await register('80,00', { ...insteadOf(wrong), ...maroc });
    const first = await register('10,00', before);
    const second = await register('20,00', { ...insteadOf(first), ...later });
    await company.sendAll();
    const path = '/api/GetData/GetInvoices?page=1&pageSize=50&sumas=true';
    const { rows } = expectOk(await company.call<InvoicePage>('GET', path));
    const ofOthers = new Map(rows.map(({ DocNo, Sustituido }) => [DocNo, Sustituido?.DeOtros]));
    expect(ofOthers.get(right)).toEqual([
      { CIF: '123456', Name: 'Suisse SA', Pais: 'CH', AmountIncludingVat: 121 },
    ]);
    expect(ofOthers.get(second)).toBeUndefined();
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

  it.each<{
    readonly who: string;
    /** Whose each of them is. */
    readonly of: Readonly<Record<'A' | 'B' | 'R' | 'D', 'Ana' | 'Bea' | 'Eva'>>;
    /** What D replaces of clients other than its own. */
    readonly ofOthers: Readonly<Record<string, number>>;
  }>([
    {
      who: 'of a client other than the last one’s',
      of: { A: 'Ana', B: 'Ana', R: 'Ana', D: 'Eva' },
      ofOthers: { Ana: 157.3 },
    },
    {
      who: 'of a client that had been wrong',
      of: { A: 'Ana', B: 'Ana', R: 'Bea', D: 'Bea' },
      ofOthers: {},
    },
    {
      who: 'of three clients',
      of: { A: 'Ana', B: 'Eva', R: 'Bea', D: 'Eva' },
      ofOthers: { Bea: 157.3 },
    },
    {
      who: 'back to the client of the first',
      of: { A: 'Ana', B: 'Bea', R: 'Bea', D: 'Ana' },
      ofOthers: { Bea: 157.3 },
    },
  ])(
    'counts once what is replaced beside one of the two that it had replaced, $who',
    async ({ of, ofOthers }) => {
      const clients = {
        Ana: await clientOf('Ana', '12345678Z'),
        Bea: await clientOf('Bea', 'B12345674'),
        Eva: await clientOf('Eva', 'A58818501'),
      };
      const A = await register('100,00', clients[of.A]);
      const B = await register('50,00', clients[of.B]);
      await company.sendAll();
      const cobro = { No: B, Fecha: await dayOf(B), Importe: '20,00', Medio: '01' };
      expectOk(await company.call('POST', '/api/PostData/AnotarCobro', cobro));
      const R = await register('130,00', { ...insteadOf(A, B), ...clients[of.R] });
      const D = await register('110,00', { ...insteadOf(A, R), ...clients[of.D] });
      await company.sendAll();
      // D alone stands: 110, and its tax.
      expect(await invoiced()).toEqual([110, 23.1, 4]);
      // 133.10, of which the 20 of B were collected.
      const list = '/api/GetData/GetInvoices?page=1&pageSize=50';
      const owed = expectOk(await company.call<InvoicePage>('GET', `${list}&cobro=pendiente`));
      expect([owed.rows.map(({ DocNo }) => DocNo), owed.pendiente]).toEqual([[D], 113.1]);

      const { rows } = expectOk(await company.call<InvoicePage>('GET', `${list}&sumas=true`));
      const replaced = rows.find(({ DocNo }) => DocNo === D)?.Sustituido;
      // A, which R had replaced, counts within R: 121 + (157.30 - 121).
      expect(replaced).toMatchObject({ Amount: 130, VatAmount: 27.3, AmountIncludingVat: 157.3 });
      expect((await company.detailOf(D)).emitida?.importeRectificacion).toMatchObject({
        base: '130.00',
        cuota: '27.30',
      });
      const told = (replaced?.DeOtros ?? []).map((other) => [other.Name, other.AmountIncludingVat]);
      expect(Object.fromEntries(told)).toEqual(ofOthers);
      const { [of.D]: last, ...others } = byClient(rows);
      expect(last).toBe(133.1);
      expect(Object.values(others).filter((sum) => sum !== 0)).toEqual([]);
    },
  );

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

  it('comes as it was last declared, although the AEAT refused that, with what it replaces as the AEAT holds it', async () => {
    const ana = await clientOf('Ana', '12345678Z');
    const bea = await clientOf('Bea', 'B12345674');
    const withheld = { retencionIRPF: '15' };
    const first = await register('100,00', { ...ana, ...withheld });
    const other = await register('50,00', { ...bea, ...withheld });
    await company.sendAll();
    const second = await register('80,00', { ...insteadOf(first), ...ana, retencionIRPF: '7' });
    await correctInVain(second, '90,00', { ...insteadOf(first, other), ...ana, ...withheld });
    expect(await pendingRow(second)).toMatchObject({
      Amount: 90,
      Retencion: 13.5,
      Sustituido: {
        Amount: 150,
        Retencion: 22.5,
        DeOtros: [{ Name: 'Bea', AmountIncludingVat: 60.5 }],
      },
    });
  });

  it('says what was replaced of an invoice of which the AEAT refused a correction', async () => {
    const ana = await clientOf('Ana', '12345678Z');
    const bea = await clientOf('Bea', 'B12345674');
    const first = await register('100,00', { ...bea, retencionIRPF: '15' });
    await correctInVain(first, '300,00', bea);
    const second = await register('80,00', { ...insteadOf(first), ...ana });
    expect(await pendingRow(second)).toMatchObject({
      Retencion: 0,
      Sustituido: {
        Amount: 100,
        Retencion: 15,
        DeOtros: [{ Name: 'Bea', AmountIncludingVat: 121 }],
      },
    });
  });

  it('loses an annulled invoice once, whatever is settled again', async () => {
    await register('50,00');
    const gone = await register('1,00');
    await company.sendAll();
    expectOk(await company.annul(gone));
    await company.sendAll();
    const [annulled] = await world.sql<{ invoiceId: bigint; seq: bigint }[]>`
      select id as "invoiceId", seq from invoices where company_id = ${company.id} and doc_no = ${gone}`;
    const move = { ...annulled, status: 'Anulada' } as Move;
    await world.sql.begin((tx) => takeAnnulledFromMonths(tx, company.id, [move]));
    expect(await invoiced()).toEqual([50, 10.5, 1]);
  });

  it('is shown for twelve months, the first one too', async () => {
    const months = async () =>
      expectOk(await company.call<Resumen>('GET', '/api/GetData/GetResumen')).meses;
    const [first] = await months();
    const added = { invoices: 1, base: '70.00', vat: '14.70', total: '84.70' };
    const day = `${first?.mes}-15`;
    await world.sql.begin((tx) => addToMonths(tx, [{ companyId: company.id, day, ...added }]));
    expect((await months())[0]).toEqual({ mes: first?.mes, base: 70 });
  });
});

const months = () => world.sql`
  select company_id, month, invoices, base, vat, total from invoice_months
   where invoices <> 0 order by company_id, month`;

/** What each client was invoiced, as the sums by client of the history add it up. */
function byClient(rows: InvoicePage['rows']): Readonly<Record<string, number>> {
  const cents = new Map<string, bigint>();
  const add = (name: string, euros: number) =>
    cents.set(name, (cents.get(name) ?? 0n) + numberToCents(euros));
  for (const { Name, AmountIncludingVat, Sustituido } of rows) {
    add(Name, AmountIncludingVat);
    add(Name, -(Sustituido?.AmountIncludingVat ?? 0));
    for (const other of Sustituido?.DeOtros ?? []) {
      add(Name, other.AmountIncludingVat);
      add(other.Name, -other.AmountIncludingVat);
    }
  }
  return Object.fromEntries([...cents].map(([name, sum]) => [name, centsToNumber(sum)]));
}
