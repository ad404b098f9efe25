/** Every tax situation and every way of rectifying and exchanging, from the API to the AEAT. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type {
  EditInvoice,
  FacturaEmitida,
  Finding,
  InvoiceDraftInput,
  InvoicePage,
} from '../../src/contract/invoices.ts';
import { isoDateIn, zonaOf } from '../../src/domain/dates.ts';
import type { IssuedInvoice } from '../../src/domain/invoice.ts';
import { paperOf } from '../../src/domain/paper/paper.ts';
import { type GrupoCliente, SITUACIONES, type Situacion } from '../../src/domain/situaciones.ts';
import { readMigrations } from '../../src/platform/migrate.ts';
import { lineOf } from '../fixtures/verifactu/situaciones.ts';
import { randomCompanyNif } from '../support/random-nif.ts';
import { quarterByRate } from '../support/sums-by-rate.ts';
import {
  draftOf,
  expectOk,
  openWorld,
  type TestCompany,
  untilTrue,
  type World,
} from '../support/world.ts';

let world: World;

beforeAll(async () => {
  world = await openWorld();
  world.startDispatcher();
});
afterAll(() => world.close());

const CARDS: Readonly<Record<GrupoCliente | 'PUBLICO', object>> = {
  NAC: { VATRegistrationNo: 'A58818501', countryCode: 'ES', postCode: '08013' },
  NACRE: { VATRegistrationNo: '12345678Z', countryCode: 'ES', postCode: '08013' },
  CAN: { VATRegistrationNo: 'A39200019', countryCode: 'ES', postCode: '35001' },
  UE: { VATRegistrationNo: 'DE136695976', countryCode: 'DE', postCode: '10115' },
  UEPART: { VATRegistrationNo: 'L01X00T47', countryCode: 'DE', postCode: '10115' },
  EXT: { VATRegistrationNo: 'GB-12345', countryCode: 'GB', postCode: 'EC1A' },
  PUBLICO: { VATRegistrationNo: 'P2807900B', countryCode: 'ES', postCode: '28013' },
};

async function createClients(company: TestCompany): Promise<Record<string, string>> {
  const numbers: Record<string, string> = {};
  for (const [group, card] of Object.entries(CARDS)) {
    const { No } = expectOk(
      await company.call<{ No: string }>('POST', '/api/PostData/SetClientes', {
        Name: `Cliente ${group}`,
        Address: 'Calle Una, 1',
        Email: '',
        CustomerPostingGroup: group === 'PUBLICO' ? 'NAC' : group,
        ...card,
      }),
    );
    numbers[group] = No;
  }
  return numbers;
}

/** What the form sends for a situation: with its usual tax, and with all its taxes in one line each. */
function draftFor(
  situacion: Situacion,
  clients: Readonly<Record<string, string>>,
): Partial<InvoiceDraftInput> {
  const [grupo] = situacion.clientes;
  const isPublic = situacion.ClaveRegimen === '14';
  return {
    invoiceClient: clients[isPublic ? 'PUBLICO' : (grupo ?? 'NAC')] ?? '',
    invoiceItems: situacion.codigos.map(({ tax }) => lineOf(situacion, tax)) as never,
    notas: situacion.requiere.includes('articulo') ? 'Artículo 140 bis de la Ley 37/1992.' : '',
    ...(['14', '15'].includes(situacion.ClaveRegimen) && { fechaOperacion: dayFromToday(90) }),
  };
}

function dayFromToday(days: number): string {
  return new Date(world.deps.clock().getTime() + days * 86_400_000).toISOString().slice(0, 10);
}

/** Waits until the AEAT holds them all, and returns those that it did not accept without errors. */
async function notWhole(nif: string, count: number): Promise<unknown[]> {
  const held = await untilTrue(
    () => world.held(nif),
    (rows) => rows.length >= count,
  );
  return held.filter(({ EstadoRegistro }) => EstadoRegistro !== 'Correcto');
}

describe('each tax situation', () => {
  it.each([
    ['01', 'B12345674', '28013'],
    ['03', 'B76543214', '35001'],
    ['02', 'B87654323', '51001'],
  ])(
    'of Impuesto %s is registered, and the AEAT accepts it without errors',
    async (impuesto, nif, postCode) => {
      const company = await world.signUp(nif);
      if (postCode !== '28013') {
        expectOk(
          await company.call('POST', '/api/PostData/SetDatosEmpresa2', {
            Name: 'Talleres Prueba, S.L.',
            VATRegistrationNo: nif,
            Address: 'Calle Mayor, 1',
            countryCode: 'ES',
            postCode,
          }),
        );
      }
      const clients = await createClients(company);
      const rows = SITUACIONES.filter((situacion) => situacion.impuesto === impuesto);
      for (const situacion of rows) {
        // Late in the evening Madrid and the Canaries are on different days.
        const invoiceDate = isoDateIn(world.deps.clock(), zonaOf(postCode, 'ES'));
        expectOk(await company.register({ ...draftFor(situacion, clients), invoiceDate }));
      }
      expect(await notWhole(nif, rows.length)).toEqual([]);
      await quarterByRate(company);
    },
    90_000,
  );

  it('of a customer in France is also that of one in Monaco, whose NIF-IVA is French', async () => {
    const nif = randomCompanyNif();
    const company = await world.signUp(nif);
    const { No: invoiceClient } = expectOk(
      await company.call<{ No: string }>('POST', '/api/PostData/SetClientes', {
        Name: 'Horlogerie du Port, S.A.M.',
        VATRegistrationNo: '37000025487',
        Address: 'Quai Albert Ier, 7',
        postCode: '98000',
        countryCode: 'MC',
        CustomerPostingGroup: 'UE',
      }),
    );
    const invoiceItems = ['INTRAUE', 'SERVUE'].map((tax) => ({
      description: 'Pulsera',
      quantity: '1',
      price: '100',
      tax,
    }));
    const { DocNo } = expectOk(await company.register({ invoiceClient, invoiceItems }));
    expect((await company.detailOf(DocNo)).emitida).toMatchObject({
      cliente: { countryCode: 'MC', idOtro: { IDType: '02', ID: 'FR37000025487' } },
    });
    expect(await notWhole(nif, 1)).toEqual([]);
  });
});

describe('what rectifies and what is exchanged', () => {
  const NIF = 'B65432106';
  let company: TestCompany;
  let today: string;
  let registered = 0;

  beforeAll(async () => {
    company = await world.signUp(NIF);
    today = draftOf('', world.deps.clock()).invoiceDate;
  });

  const line = (price: string, tax = 'IVA21') => ({
    description: 'Menú del día',
    quantity: '1',
    price,
    tax,
    linetype: 0,
  });
  async function register(draft: Partial<InvoiceDraftInput> = {}): Promise<string> {
    const { DocNo } = expectOk(await company.register(draft));
    registered += 1;
    return DocNo;
  }
  const ticket = (price = '10') =>
    register({ isSimplificada: true, invoiceClient: '', invoiceItems: [line(price, 'IVA10')] });
  const emitidas = async (query: string) =>
    expectOk(
      await company.call<FacturaEmitida[]>('GET', `/api/GetData/GetFacturasEmitidas?${query}`),
    );
  const findingsOf = async (draft: Partial<InvoiceDraftInput>) =>
    expectOk(
      await company.call<{ errores: Finding[] }>('POST', '/api/PostData/ValidarFactura', {
        ...draftOf(company.customerNo, world.deps.clock()),
        ...draft,
        accionFactura: 1,
      }),
    ).errores;

  it('exchanges several simplified invoices for one F3, once', async () => {
    const numbers = [await ticket('10'), await ticket('20')];
    const f3: Partial<InvoiceDraftInput> = {
      invoiceType: 2,
      invoiceItems: [line('10', 'IVA10'), line('20', 'IVA10')],
      invoiceToRectify: numbers.join(','),
    };
    expect(await findingsOf(f3)).toEqual([]);
    const DocNo = await register(f3);

    const { emitida } = await company.detailOf(DocNo);
    expect(emitida?.sustituye).toMatchObject(
      numbers.map((numSerie) => ({ numSerie, fecha: today, externa: false })),
    );
    expect((await company.detailOf(numbers[0] ?? '')).canjeadaPor).toBe(DocNo);
    const free = await ticket('5');
    const listed = async (list: string) => {
      const path = `/api/GetData/${list}?page=1&pageSize=100`;
      return expectOk(await company.call<InvoicePage>('GET', path)).rows;
    };
    // In this order: one that is accepted in between moves from the first list to the second.
    const rows = [...(await listed('GetPendingInvoices')), ...(await listed('GetInvoices'))];
    const inList = (docNo: string) => rows.find((row) => row.DocNo === docNo);
    expect(numbers.map((docNo) => inList(docNo)?.CanjeadaPor)).toEqual([DocNo, DocNo]);
    expect(inList(free)).not.toHaveProperty('CanjeadaPor');
    expect(inList(DocNo)).not.toHaveProperty('CanjeadaPor');
    await register({
      invoiceType: 2,
      invoiceItems: [line('5', 'IVA10')],
      invoiceToRectify: free,
    });

    const again = await company.register({ ...f3, invoiceToRectify: numbers[1] as string });
    expect(again).toMatchObject({
      status: 400,
      body: { message: [expect.stringContaining(`ya se canjeó por la ${DocNo}`)] },
    });
    const both = await Promise.all(
      [await ticket('7')].flatMap((one) =>
        [1, 2].map(() =>
          company.register({
            invoiceType: 2,
            invoiceItems: [line('7', 'IVA10')],
            invoiceToRectify: one,
          }),
        ),
      ),
    );
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 400]);
    registered += 1;
  });

  it('offers what can be exchanged or rectified, with its amounts', async () => {
    const free = await ticket('30');
    const exchangeable = await emitidas('canjeables=true');
    expect(exchangeable.map(({ DocNo }) => DocNo)).toEqual([free]);
    const complete = await emitidas('completas=true');
    expect(complete.length).toBeGreaterThan(0);
    expect(complete.filter(({ Tipo }) => Tipo === 'F2' || Tipo === 'R5')).toEqual([]);
    const [one] = await emitidas(`numeros=${encodeURIComponent(free)}`);
    expect(one).toMatchObject({
      DocNo: free,
      Tipo: 'F2',
      base: 30,
      cuota: 3,
      recargo: 0,
      total: 33,
    });
    expect(one).not.toHaveProperty('cuotaDestino');
  });

  it('rectifies por diferencias and por sustitución, also a rectificativa, and keeps what was sent', async () => {
    const original = await register();
    const abono = { type: 'abono', invoiceToRectify: original } as const;
    const credit = await register({ ...abono, invoiceItems: [line('40')] });
    const replaced = await register({
      ...abono,
      tipoRectificativa: 'S',
      invoiceItems: [line('80')],
    });
    expect((await company.detailOf(replaced)).emitida).toMatchObject({
      importeRectificacion: { base: '100.00', cuota: '21.00' },
    });
    const second = await register({
      type: 'abono',
      crmemoType: 3,
      tipoRectificativa: 'S',
      invoiceToRectify: credit,
      invoiceItems: [line('30')],
    });
    expect((await company.detailOf(second)).emitida).toMatchObject({
      rectifies: [{ numSerie: credit }],
      importeRectificacion: { base: '-40.00', cuota: '-8.40' },
    });
    const edit = expectOk(
      await company.call<EditInvoice>('POST', '/api/PostData/GetEditInvoice', { No: second }),
    );
    expect(edit).toMatchObject({ tipoRectificativa: 'S', invoiceToRectify: credit, crmemoType: 3 });
  });

  it('warns when an invoice would be credited twice', async () => {
    const original = await register();
    const abono = { type: 'abono', invoiceToRectify: original } as const;
    expect(await findingsOf({ ...abono, invoiceItems: [line('100')] })).toEqual([]);
    const credit = await register({ ...abono, invoiceItems: [line('40')] });
    const [finding] = await findingsOf({ ...abono, invoiceItems: [line('100')] });
    expect(finding).toMatchObject({ campo: 'invoiceItems', gravedad: 'avisa' });
    // 121,00 − 48,40.
    expect(finding?.mensaje).toContain(
      `la rectificativa ${credit}, de lo facturado quedan 72,60 €`,
    );
    expect(await findingsOf({ ...abono, invoiceItems: [line('60')] })).toEqual([]);
    // Por sustitución it counts by the difference: 96,80 instead of 121,00.
    const other = await register();
    const named = { type: 'abono', invoiceToRectify: other } as const;
    await register({ ...named, tipoRectificativa: 'S', invoiceItems: [line('80')] });
    expect(await findingsOf({ ...named, invoiceItems: [line('80')] })).toEqual([]);
    expect(await findingsOf({ ...named, invoiceItems: [line('81')] })).toHaveLength(1);
  });

  it('replaces an independent abono by a smaller one, also for used goods and of another program', async () => {
    const abono = { type: 'abono', invoiceToRectify: await register() } as const;
    const credit = await register({ ...abono, invoiceItems: [line('100')] });
    const smaller = {
      type: 'abono',
      crmemoType: 3,
      tipoRectificativa: 'S',
      invoiceToRectify: credit,
      invoiceItems: [{ ...line('50'), quantity: '-1' }],
    } as const;
    expect(await findingsOf(smaller)).toEqual([]);
    const { emitida } = await company.detailOf(await register(smaller));
    expect(emitida).toMatchObject({
      desglose: [{ base: '-50.00', quota: '-10.50' }],
      total: '-60.50',
      importeRectificacion: { base: '-100.00', cuota: '-21.00' },
      vencimientos: [],
    });
    // Only such a replacement may have a negative quantity.
    for (const other of [
      { ...smaller, invoiceToRectify: abono.invoiceToRectify },
      { ...smaller, tipoRectificativa: 'I' as const },
      { invoiceItems: smaller.invoiceItems },
    ]) {
      const places = (await findingsOf(other)).map(({ campo, gravedad }) => [campo, gravedad]);
      expect(places).toContainEqual(['invoiceItems.0.quantity', 'bloquea']);
    }

    const used = { invoiceItems: [{ ...line('100', 'REBU21'), coste: '60' }] };
    const returned = { ...used, type: 'abono', invoiceToRectify: await register(used) } as const;
    const back = await register({
      ...smaller,
      invoiceToRectify: await register(returned),
      invoiceItems: [{ ...line('80', 'REBU21'), quantity: '-1', coste: '60' }],
    });
    // The margin of 20,00 including tax: 16,53 and 3,47.
    expect((await company.detailOf(back)).emitida).toMatchObject({
      desglose: [{ base: '-16.53', quota: '-3.47' }],
      total: '-80.00',
      importeRectificacion: { base: '-33.06', cuota: '-6.94' },
    });

    const elsewhere = {
      ...smaller,
      invoiceToRectify: 'ABONO/3',
      invoiceToRectifyDate: dayFromToday(-40),
      baseRectificada: '-100,00',
      cuotaRectificada: '-21,00',
    };
    expect((await company.detailOf(await register(elsewhere))).emitida).toMatchObject({
      total: '-60.50',
      importeRectificacion: { base: '-100.00', cuota: '-21.00' },
    });
  });

  it('refers to an original with its declared and total amounts: OSS and used goods', async () => {
    const { No: invoiceClient } = expectOk(
      await company.call<{ No: string }>('POST', '/api/PostData/SetClientes', {
        Name: 'Erika Mustermann',
        Address: 'Hauptstraße 1',
        Email: '',
        CustomerPostingGroup: 'UEPART',
        ...CARDS.UEPART,
      }),
    );
    const oss = { invoiceClient, invoiceItems: [{ ...line('100', 'OSS'), tipoDestino: '20' }] };
    const replacing = {
      ...oss,
      type: 'abono',
      tipoRectificativa: 'S',
      invoiceToRectify: await register(oss),
    } as const;
    // Base, our quota and the other State's are those of the total.
    expect(
      await emitidas(`numeros=${encodeURIComponent(replacing.invoiceToRectify)}`),
    ).toMatchObject([{ base: 100, cuota: 0, recargo: 0, cuotaDestino: 20, total: 120 }]);
    const { emitida } = await company.detailOf(await register(replacing));
    expect(emitida).toMatchObject({
      desglose: [{ base: '120.00' }],
      importeRectificacion: { base: '120.00', cuota: '0.00' },
    });

    const used = { invoiceItems: [{ ...line('100', 'REBU21'), coste: '60' }] };
    const whole = { ...used, type: 'abono', invoiceToRectify: await register(used) } as const;
    expect(await findingsOf(whole)).toEqual([]);
    const over = { ...whole, invoiceItems: [{ ...line('101', 'REBU21'), coste: '60' }] };
    expect(await findingsOf(over)).toMatchObject([
      { mensaje: expect.stringContaining('Abonas 101,00 € y lo facturado son 100,00 €') },
    ]);
  });

  it('replaces an invoice of another program with the amounts that are typed', async () => {
    const draft: Partial<InvoiceDraftInput> = {
      type: 'abono',
      tipoRectificativa: 'S',
      invoiceToRectify: 'VIEJA/77',
      invoiceToRectifyDate: dayFromToday(-40),
      invoiceItems: [line('90')],
    };
    const [missing] = await findingsOf(draft);
    expect(missing).toMatchObject({ campo: 'baseRectificada', gravedad: 'bloquea' });
    const DocNo = await register({
      ...draft,
      baseRectificada: '100,00',
      cuotaRectificada: '21,00',
      recargoRectificado: '5,20',
    });
    expect((await company.detailOf(DocNo)).emitida).toMatchObject({
      rectifies: [{ numSerie: 'VIEJA/77', externa: true }],
      importeRectificacion: { base: '100.00', cuota: '21.00', recargo: '5.20' },
    });
  });

  it('rectifies one of ours and two of another program together, each with its day, printed on paper', async () => {
    const ours = await register({ invoiceItems: [line('100')] });
    const abono = {
      type: 'abono' as const,
      crmemoType: 0,
      invoiceToRectify: `VIEJA/1, ${ours}, VIEJA/2`,
      invoiceItems: [line('10')],
    };
    const [undated] = await findingsOf({
      ...abono,
      invoiceToRectifyDate: `${dayFromToday(-50)},,`,
    });
    expect(undated).toMatchObject({
      campo: 'invoiceToRectifyDate',
      mensaje: expect.stringContaining('VIEJA/2'),
    });
    const days = [dayFromToday(-50), dayFromToday(-40)];
    const DocNo = await register({ ...abono, invoiceToRectifyDate: days.join(',,') });
    const { emitida } = await company.detailOf(DocNo);
    expect(emitida?.rectifies).toEqual([
      { numSerie: 'VIEJA/1', fecha: days[0], externa: true },
      { numSerie: ours, fecha: today, externa: false },
      { numSerie: 'VIEJA/2', fecha: days[1], externa: true },
    ]);
    const paper = paperOf(emitida as unknown as IssuedInvoice, { draft: false });
    expect(paper.reference?.invoices.map((text) => text.endsWith(' (externa)'))).toEqual([
      true,
      false,
      true,
    ]);
    const [row] = await world.sql<{ xml: string }[]>`
      select xml from registros where num_serie_factura = ${DocNo} and company_id = ${company.id}`;
    expect(row?.xml.match(/<sum1:IDFacturaRectificada>/g)).toHaveLength(3);
  });

  it('does not attribute a rectificativa of another program’s invoice to ours with the same number', async () => {
    const other = await world.signUp();
    const numberOf = async (draft: Partial<InvoiceDraftInput>) =>
      expectOk(await other.register(draft)).DocNo;
    const simplified = {
      isSimplificada: true,
      invoiceClient: '',
      invoiceItems: [line('10', 'IVA10')],
    };
    const complete = { invoiceType: 2, invoiceItems: [line('10', 'IVA10')] };
    const credit = { ...simplified, type: 'abono', crmemoType: 4 } as const;
    const number = `00001/${today.slice(2, 4)}S`;
    const theirs = { invoiceToRectify: number, invoiceToRectifyDate: dayFromToday(-9) };
    await numberOf({ ...credit, ...theirs });
    const exchange = await numberOf({ ...complete, ...theirs });
    // As the previous version stored it.
    await world.sql`
      insert into invoice_references (company_id, invoice_id, kind, numero)
      select i.company_id, i.id, k.kind, ${number}
        from invoices i cross join (values ('F3', 'sustituye'), ('R5', 'rectifica')) as k (tipo, kind)
       where i.company_id = ${other.id} and i.tipo_factura = k.tipo
          on conflict do nothing`;
    const apart = (await readMigrations()).find(({ name }) => name.startsWith('0370-'));
    await world.sql.unsafe(apart?.text ?? '');

    expect(await numberOf(simplified)).toBe(number);
    const offered = expectOk(
      await other.call<FacturaEmitida[]>('GET', '/api/GetData/GetFacturasEmitidas?canjeables=true'),
    );
    expect(offered.map(({ DocNo }) => DocNo)).toContain(number);
    const ours = { invoiceToRectify: number, invoiceToRectifyDate: '' };
    const credited = await numberOf({ ...credit, ...ours, invoiceItems: [line('4', 'IVA10')] });
    const exchanged = await numberOf({
      ...complete,
      invoiceItems: [line('6', 'IVA10')],
      invoiceToRectify: `${number}, ${credited}`,
    });
    expect(exchanged).not.toBe(exchange);
    expect(await other.detailOf(number)).toMatchObject({
      canjeadaPor: exchanged,
      rectificadaPor: [credited],
    });
  });

  it('rectifies a simplified invoice only with R5', async () => {
    const simplified = await ticket('50');
    const abono = { type: 'abono', invoiceToRectify: simplified } as const;
    const [wrongType] = await findingsOf(abono);
    expect(wrongType).toMatchObject({ campo: 'crmemoType', gravedad: 'bloquea' });
    await register({
      ...abono,
      crmemoType: 4,
      isSimplificada: true,
      invoiceClient: '',
      invoiceItems: [line('5', 'IVA10')],
    });
  });

  it('carries over to the F3 what was paid with the tickets, and asks for the rest', async () => {
    const client = expectOk(
      await company.call<{ No: string }>('POST', '/api/PostData/SetClientes', {
        Name: 'Bodegas Ribera, S.A.',
        Address: 'Calle Una, 1',
        Email: '',
        CustomerPostingGroup: 'NAC',
        PaymentMethod: 'TRANSF',
        PaymentTerms: '30D',
        ...CARDS.NAC,
      }),
    ).No;
    const { Customer } = expectOk(
      await company.call<{ Customer: string }>('GET', '/api/GetData/GetDatosEmpresa'),
    );
    const sold = (invoiceClient: string, price: string) =>
      register({ isSimplificada: true, invoiceClient, invoiceItems: [line(price, 'IVA10')] });
    const f3 = (numbers: readonly string[], ...prices: readonly string[]) => ({
      invoiceType: 2,
      invoiceClient: client,
      invoiceItems: prices.map((price) => line(price, 'IVA10')),
      invoiceToRectify: numbers.join(','),
    });
    const [first, second] = [await sold(Customer, '10'), await sold(Customer, '20')];
    // Sold to the client itself, who pays in thirty days.
    const onAccount = await sold(client, '40');

    const whole = f3([first], '10');
    const checked = expectOk(
      await company.call('POST', '/api/PostData/ValidarFactura', {
        ...draftOf(client, world.deps.clock()),
        ...whole,
        accionFactura: 1,
      }),
    );
    const way = 'Contado (efectivo)';
    expect(checked).toMatchObject({ pagado: { importe: 11, fecha: today, formaPago: way } });
    const paid = (await company.detailOf(await register(whole)))
      .emitida as unknown as IssuedInvoice;
    expect(paid).toMatchObject({
      total: '11.00',
      pagado: { importe: '11.00', fecha: today },
      payable: '0.00',
      formaPago: way,
      terminoPago: '',
      vencimientos: [],
    });
    const part = await company.detailOf(await register(f3([second, onAccount], '20', '40')));
    expect(part.emitida).toMatchObject({
      total: '66.00',
      pagado: { importe: '22.00', fecha: today },
      payable: '44.00',
      formaPago: 'Transferencia bancaria',
      vencimientos: [{ importe: '44.00' }],
    });
  });

  it('computes from prices including tax: the ticket, its R5 and its F3 add up to the same', async () => {
    const priced = {
      ivaIncluido: true,
      invoiceItems: [
        line('10'),
        ...['0,33', '0,33', '0,33'].map((price) => line(price)),
        line('9,99', 'IVA10'),
      ],
    };
    const simplified = { ...priced, isSimplificada: true, invoiceClient: '' };
    const issuedOf = async (DocNo: string) =>
      (await company.detailOf(DocNo)).emitida as unknown as IssuedInvoice;
    const amountsOf = ({ desglose, total }: IssuedInvoice) => [
      ...desglose.map(({ base, quota }) => `${base} + ${quota}`),
      total,
    ];

    // 10.00 + 0.99 = 10.99, / 1.21 = 9.0826; 9.99 / 1.10 = 9.0818.
    const first = await register(simplified);
    const amounts = ['9.08 + 1.91', '9.08 + 0.91', '20.98'];
    expect(amountsOf(await issuedOf(first))).toEqual(amounts);
    expect((await company.detailOf(first)).borrador.ivaIncluido).toBe(true);

    const abono = { ...simplified, type: 'abono', crmemoType: 4, invoiceToRectify: first } as const;
    const back = await register(abono);
    expect(amountsOf(await issuedOf(back))).toEqual(['-9.08 + -1.91', '-9.08 + -0.91', '-20.98']);

    const second = await register(simplified);
    const replaced = await register({
      ...abono,
      tipoRectificativa: 'S',
      invoiceToRectify: second,
      invoiceItems: [line('10')],
    });
    expect((await issuedOf(replaced)).importeRectificacion).toMatchObject({
      base: '18.16',
      cuota: '2.82',
    });

    const third = await register(simplified);
    const complete: Partial<InvoiceDraftInput> = {
      ...priced,
      invoiceType: 2,
      invoiceToRectify: third,
    };
    expect(await findingsOf(complete)).toEqual([]);
    const exchanged = await register(complete);
    expect(amountsOf(await issuedOf(exchanged))).toEqual(amounts);
    // The full invoice states its prices without tax (RD 1619/2012 art. 6.1.f): 9.99 / 1.10.
    const { rows } = paperOf(await issuedOf(exchanged), { draft: false }).table;
    expect(rows.at(-1)).toMatchObject({ price: '9,08', amount: '9,08' });

    const back3 = await register({ ...priced, type: 'abono', invoiceToRectify: exchanged });
    expect((await issuedOf(back3)).total).toBe('-20.98');
  });

  it('accepts prices including tax on no other full invoice', async () => {
    const draft = { ivaIncluido: true };
    expect(await findingsOf(draft)).toMatchObject([{ campo: 'ivaIncluido', gravedad: 'bloquea' }]);
    expect((await company.register(draft)).status).toBe(400);

    // Nor on a rectificativa of an invoice without them (art. 6.1.f).
    const full = await register({});
    const abono = { ...draft, type: 'abono', invoiceToRectify: full } as const;
    expect(await findingsOf(abono)).toMatchObject([{ campo: 'ivaIncluido', gravedad: 'bloquea' }]);
    expect((await company.register(abono)).status).toBe(400);
  });

  it.each([
    ['I', '4', '6'],
    ['S', '6', '6'],
  ] as const)(
    'exchanges a simplified invoice together with the R5 (%s) that corrects it',
    async (tipoRectificativa, price, left) => {
      const simplified = await ticket('10');
      const correction = await register({
        type: 'abono',
        crmemoType: 4,
        tipoRectificativa,
        isSimplificada: true,
        invoiceClient: '',
        invoiceToRectify: simplified,
        invoiceItems: [line(price, 'IVA10')],
      });
      const f3 = (numbers: string[], total: string): Partial<InvoiceDraftInput> => ({
        invoiceType: 2,
        invoiceItems: [line(total, 'IVA10')],
        invoiceToRectify: numbers.join(','),
      });
      // Together they come to what is left: 11,00 − 4,40, or 11,00 + 6,60 − 11,00.
      const amounts = await emitidas(
        `numeros=${encodeURIComponent(`${simplified},${correction}`)}`,
      );
      const sums = amounts.map(({ total, totalSustituido = 0 }) => total - totalSustituido);
      expect(sums.reduce((a, b) => a + b)).toBeCloseTo(6.6, 10);
      for (const alone of [simplified, correction]) {
        const refused = await company.register(f3([alone], left));
        expect(refused.status).toBe(400);
        expect(JSON.stringify(refused.body)).toContain('se canjean juntas');
      }
      expect(await findingsOf(f3([simplified, correction], '10'))).toMatchObject([
        { campo: 'invoiceItems', gravedad: 'avisa' },
      ]);
      expect(await findingsOf(f3([simplified, correction], left))).toEqual([]);
      const complete = await register(f3([simplified, correction], left));
      expect((await company.detailOf(simplified)).canjeadaPor).toBe(complete);
      expect((await company.detailOf(correction)).canjeadaPor).toBe(complete);
    },
  );

  it('numbers in separate series what the law requires, and shows the number in advance', async () => {
    // Like a company that an older process made during an update, until the migration adds what it lacks.
    await world.sql`delete from series where company_id = ${company.id} and kind in ('G', 'M')`;
    const giving = (await readMigrations()).find(({ name }) => name.startsWith('0242-'));
    await world.sql.unsafe(giving?.text ?? '');
    const next = expectOk(
      await company.call<Record<string, string>>('GET', '/api/GetData/GetProximosNumeros'),
    );
    const sold = (tax: string) =>
      register({
        invoiceItems: [lineOf({ requiere: [] }, tax)] as never,
      });
    const telephones = await sold('ISPTEC');
    expect(telephones).toBe(next.G);
    expect(telephones).toMatch(/^\d+\/\d\dG$/);
    const metals = await sold('ISPMET');
    expect(Number.parseInt(metals, 10)).toBe(Number.parseInt(telephones, 10) + 1);
    const tickets = await sold('AGENMED10');
    expect(tickets).toBe(next.M);
    const empty = { ...lineOf({ requiere: [] }, 'ISPTEC'), description: '', price: '' };
    const withEmpty = [lineOf({ requiere: [] }, 'IVA21'), empty] as never;
    expect(await register({ invoiceItems: withEmpty })).toBe(next.F);
    expect(tickets).toMatch(/^0*1\/\d\dM$/);
    expect((await company.detailOf(metals)).emitida?.menciones).toEqual([
      'Inversión del sujeto pasivo (artículo 84.Uno.2.º g) de la Ley 37/1992)',
    ]);
  });

  it('carries suplidos, the bank account, and clients who are not in the census', async () => {
    expectOk(
      await company.call('POST', '/api/PostData/SetDatosEmpresa3', {
        PaymentTerms: '30D',
        PaymentMethod: 'TRANSF',
        CustomerPostingGroup: 'NAC',
        Customer: '',
        IBAN: 'ES91 2100 0418 4502 0005 1332',
        Telefono: '912 345 678',
        DatosRegistrales: '  Registro Mercantil de Zaragoza,\n tomo 4211 ',
      }),
    );
    const { No } = expectOk(
      await company.call<{ No: string }>('POST', '/api/PostData/SetClientes', {
        Name: 'Nadie En El Censo',
        VATRegistrationNo: '12345678Z',
        Address: 'Calle Una, 1',
        postCode: '28013',
        countryCode: 'ES',
        Email: '',
        PaymentMethod: 'TRANSF',
      }),
    );
    const DocNo = await register({
      invoiceClient: No,
      suplidos: '40,50',
      suplidosConcepto: 'Tasas del Registro Mercantil',
      tipoIdentificacion: '07',
    });
    expect((await company.detailOf(DocNo)).emitida).toMatchObject({
      total: '121.00',
      payable: '161.50',
      suplidos: { importe: '40.50', concepto: 'Tasas del Registro Mercantil' },
      iban: 'ES9121000418450200051332',
      emisor: {
        telefono: '912 345 678',
        datosRegistrales: 'Registro Mercantil de Zaragoza, tomo 4211',
      },
      cliente: { nif: null, idOtro: { CodigoPais: 'ES', IDType: '07', ID: '12345678Z' } },
    });

    expectOk(
      await company.call('POST', '/api/PostData/UpdateClientes', {
        No,
        Name: 'Nadie En El Censo',
        VATRegistrationNo: '12345678Z',
        Address: 'Calle Una, 1',
        postCode: '28013',
        tipoIdentificacion: '07',
      }),
    );
    const again = await register({ invoiceClient: No });
    expect((await company.detailOf(again)).emitida).toMatchObject({
      cliente: { idOtro: { IDType: '07' } },
    });
  });

  it('adds up by rates', async () => {
    await quarterByRate(company);
  });

  it('reaches the AEAT without errors', async () => {
    expect(await notWhole(NIF, registered)).toEqual([]);
  }, 60_000);
});
