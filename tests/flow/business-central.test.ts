import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ACCESO } from '../../simulators/business-central/world.ts';
import { buildApp } from '../../src/api/app.ts';
import type {
  BusinessCentral,
  BusinessCentralIva,
  BusinessCentralProblemas,
  ProbarBusinessCentral,
} from '../../src/contract/business-central.ts';
import type { Outside } from '../../src/operations/open-business-central.ts';
import { carrySync, scheduleSyncs } from '../../src/operations/sync-business-central.ts';
import { askToRetry, openRun, takeRun } from '../../src/store/business-central.ts';
import { BUSINESS_CENTRAL_SETTINGS } from '../fixtures/business-central.ts';
import { randomCompanyNif } from '../support/random-nif.ts';
import { expectOk, openWorld, type TestCompany, untilTrue, type World } from '../support/world.ts';

let world: World;
let outside: Outside;

beforeAll(async () => {
  world = await openWorld();
  outside = {
    businessCentral: world.runtime.businessCentral,
    consultarAeat: world.consultarAeat,
  };
});
afterAll(() => world.close());

async function simulate<T>(path: string, body: object): Promise<T> {
  const answer = await world.control(`/desarrollo/business-central/${path}`, body);
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()) as T;
}

const get = <T>(company: TestCompany, call: string) =>
  company.call<T>('GET', `/api/GetData/${call}`).then(expectOk);
const post = <T>(company: TestCompany, call: string, body: object = {}) =>
  company.call<T>('POST', `/api/PostData/${call}`, body);
const state = (company: TestCompany) => get<BusinessCentral>(company, 'GetBusinessCentral');

/** Accepts every proposal and, where there is none, the first possible choice. */
async function mapTaxes(company: TestCompany): Promise<void> {
  const codes = await get<BusinessCentralIva>(company, 'GetBusinessCentralIVA');
  expectOk(
    await post(company, 'SetBusinessCentralIVA', {
      codigos: codes.map(({ grupo, codigo, porcentaje, propuesta, opciones }) => ({
        grupo,
        codigo,
        porcentaje,
        tax: propuesta || opciones[0]?.value || '',
      })),
    }),
  );
}

/** The simulator's first invoice. */
const FIRST = `FV${new Date().getUTCFullYear() % 100}-00001`;

/** Without the API call, which would start a synchronisation. */
const switchOn = (company: TestCompany) => world.sql`
  update bc_connections set status = 'activa', declared_off_at = now(), declared_off_by = 'prueba'
   where company_id = ${company.id}`;

/** A connected company that is switched on, with nothing imported yet. */
async function connected(nif: string, settings: object = {}): Promise<TestCompany> {
  const company = await world.signUp(nif);
  expectOk(
    await post(company, 'SetBusinessCentral', { ...BUSINESS_CENTRAL_SETTINGS, ...settings }),
  );
  await mapTaxes(company);
  await switchOn(company);
  return company;
}

/** A synchronisation from start to end, in this process, after some minutes if given. */
async function sync(
  company: TestCompany,
  minutesLater = 0,
  through = outside,
): Promise<BusinessCentral> {
  const clock = () => new Date(world.deps.clock().getTime() + minutesLater * 60_000);
  await world.sql.begin((tx) => openRun(tx, company.id, 'manual', clock()));
  await carrySync({ ...world.deps, clock }, through, company.id);
  return state(company);
}

/** Posts one more invoice like the first one, visible from now on. */
const postAnother = (number: string, { hace = 0 } = {}) =>
  simulate('cambiar', {
    tabla: 'salesInvoices',
    number,
    como: FIRST,
    hace,
    cambios: {},
  });

/** Interrupts the company's next synchronisation after that many invoices, if there is no other news. */
async function cutAfter(invoices: number): Promise<void> {
  // Terms, methods, clients and items are requested first.
  await simulate('comportamiento', { pagina: 1, modo: 'averia', fallos: 1, tras: 4 + invoices });
}

/** Starts a synchronisation that is told to stop after the clients and goes no further, however fast it is. */
async function leftAfterClients(
  company: TestCompany,
  begin: () => Promise<unknown>,
  leave: () => Promise<unknown>,
): Promise<void> {
  const { left } = await world.sql.begin(async (tx) => {
    await tx`lock table products in share mode`;
    await begin();
    await untilTrue(
      () => rows('bc_parties', company),
      (count) => count > 0,
    );
    return { left: leave() };
  });
  await left;
}

/** What a process does when it looks for companies whose turn has come. */
async function runDue(): Promise<void> {
  const scheduler = scheduleSyncs(world.deps, outside);
  await scheduler.look();
  await scheduler.idle();
}

const cuentas = ({ historial }: BusinessCentral) => historial[0]?.cuentas ?? {};

async function rows(table: string, company: TestCompany): Promise<number> {
  const [row] = await world.sql<{ count: number }[]>`
    select count(*)::int as count from ${world.sql(table)} where company_id = ${company.id}`;
  return row?.count ?? 0;
}

/** Every imported row, with the transaction that last wrote it. */
async function writes(company: TestCompany): Promise<string> {
  const tables = ['customers', 'products', 'invoices', 'invoice_documents', 'counters'].concat([
    'bc_parties',
    'bc_documents',
    'bc_cursors',
    'bc_tax_codes',
  ]);
  const sums = await Promise.all(
    tables.map(async (table) => {
      const [row] = await world.sql<{ sum: string }[]>`
        select md5(string_agg(t.xmin::text || t.ctid::text, ',' order by t.ctid)) as sum
          from ${world.sql(table)} t where company_id = ${company.id}`;
      return `${table} ${row?.sum}`;
    }),
  );
  return sums.join('\n');
}

describe('the first synchronisation', () => {
  it('imports thousands, and a second one without news writes nothing', async () => {
    await simulate('datos', { clientes: 2000, productos: 5000, facturas: 3000 });
    const company = await connected('B12345674');
    const first = await sync(company);
    expect(first.historial[0]).toMatchObject({ estado: 'terminada' });
    // A few invoices wait: their codes did not appear in the latest ones, which were read to make the proposals.
    const { facturasNuevas = 0, retenidas = 0, productosNuevos } = cuentas(first);
    expect(productosNuevos).toBe(5000);
    expect(facturasNuevas + retenidas).toBe(3000);
    expect(retenidas).toBeLessThan(100);
    await mapTaxes(company);
    expect(cuentas(await sync(company))).toEqual({ facturasNuevas: retenidas });
    // Apart from the company's own customer. Clients with the same NIF are one client.
    expect(await rows('customers', company)).toBeGreaterThan(1900);
    expect(await rows('bc_parties', company)).toBe(7000);
    expect(await rows('invoices', company)).toBe(3000);

    const before = await writes(company);
    const second = await sync(company);
    expect(second.historial[0]).toMatchObject({ estado: 'terminada', cuentas: {} });
    expect(await writes(company)).toBe(before);

    await simulate('cambiar', {
      tabla: 'customers',
      number: 'C00002',
      cambios: { displayName: 'Ferretería Nueva, S.L.' },
    });
    expect(cuentas(await sync(company))).toEqual({ clientesCambiados: 1 });
    expect(await rows('invoices', company)).toBe(3000);
  }, 120_000);
});

describe('a synchronisation', () => {
  beforeAll(() => simulate('datos', { clientes: 40, productos: 30, facturas: 60, abonos: 2 }));

  it('continues where it was interrupted, importing nothing twice', async () => {
    const company = await connected('B85905495');
    await simulate('comportamiento', { pagina: 10, modo: 'cortar', fallos: 1, tras: 12 });
    const cut = await sync(company);
    expect(cut.historial[0]).toMatchObject({ estado: 'aplazada' });
    expect(cut.historial[0]?.mensaje).toMatch(/No se llega a Business Central.*seguirá solo/);
    expect(cut.historial[0]?.cuentas.clientesNuevos).toBeGreaterThan(0);
    expect(await rows('invoices', company)).toBeLessThan(60);

    // Its time comes, and the search for due companies finds it.
    await world.sql`
      update bc_connections set next_run_at = 'epoch' where company_id = ${company.id}`;
    await runDue();
    await simulate('comportamiento', { pagina: 1000 });
    expect((await state(company)).historial[0]).toMatchObject({
      estado: 'terminada',
      causa: 'programada',
    });
    expect(await rows('bc_parties', company)).toBe(70);
    // Two credit memos wait until the invoices that they rectify are registered.
    expect(await rows('invoices', company)).toBe(60);
    expect(await rows('bc_documents', company)).toBe(62);
  });

  it('is interrupted by a process that ends, and resumed at once', async () => {
    const company = await connected(randomCompanyNif());
    await simulate('comportamiento', { pagina: 10 });
    const ending = scheduleSyncs(world.deps, outside);
    await leftAfterClients(company, ending.look, ending.stop);
    expect(await state(company)).toMatchObject({ enMarcha: { estado: 'en-marcha' } });
    await simulate('comportamiento', { pagina: 1000 });
    await runDue();
    expect((await state(company)).historial).toMatchObject([{ estado: 'terminada' }]);
    expect(await rows('invoices', company)).toBe(60);
  });

  it('that a person started is also interrupted by a process that ends, and resumed at once', async () => {
    const company = await connected(randomCompanyNif());
    await simulate('comportamiento', { pagina: 10 });
    const ending = new AbortController();
    const { deps, runtime, consultarAeat } = world;
    const app = await buildApp(deps, runtime, consultarAeat, ending.signal);
    const begin = async () => {
      const begun = await app.inject({
        method: 'POST',
        url: '/api/PostData/SincronizarBusinessCentral',
        headers: { authorization: `Bearer ${company.token}` },
        payload: {},
      });
      expect(begun.statusCode).toBe(200);
    };
    await leftAfterClients(company, begin, async () => {
      ending.abort();
      await app.close();
    });
    const brought = await rows('bc_parties', company);
    expect(await state(company)).toMatchObject({ enMarcha: { estado: 'en-marcha' } });
    await simulate('comportamiento', { pagina: 1000 });
    await runDue();
    expect((await state(company)).historial).toMatchObject([{ estado: 'terminada' }]);
    expect(brought).toBeLessThan(await rows('bc_parties', company));
    expect(await rows('invoices', company)).toBe(60);
  });

  it('is run by one process, and by another when that one dies', async () => {
    const company = await connected('B65410011');
    await world.sql.begin((tx) => openRun(tx, company.id, 'manual', world.deps.clock()));
    // A process took it and went silent: nobody else may take it until its lease runs out.
    await world.sql`
      update bc_connections set lease_until = now() + interval '5 minutes', lease_token = 7
       where company_id = ${company.id}`;
    await carrySync(world.deps, outside, company.id);
    expect(await rows('bc_parties', company)).toBe(0);
    await world.sql`
      update bc_connections set lease_until = now() where company_id = ${company.id}`;
    await Promise.all([runDue(), carrySync(world.deps, outside, company.id)]);
    const after = await state(company);
    expect(after.historial).toHaveLength(1);
    expect(after.historial[0]).toMatchObject({ estado: 'terminada' });
    expect(await rows('invoices', company)).toBe(60);
  });

  it('updates the town of a client together with its address', async () => {
    const company = await connected(randomCompanyNif());
    const townOf = async () => {
      const [client] = await world.sql<{ municipio: string }[]>`
        select municipio from customers where company_id = ${company.id} and no = 'C00007'`;
      return client?.municipio;
    };
    const change = (cambios: object) =>
      simulate('cambiar', { tabla: 'customers', number: 'C00007', cambios });
    await sync(company);
    expect(await townOf()).toBe('Pamplona');
    await change({ city: '' });
    await sync(company);
    expect(await townOf()).toBe('');
    await change({ city: 'Pamplona' });
    await sync(company);
    expect(await townOf()).toBe('Pamplona');
  });

  it('waits as long as Business Central asks, and is postponed when that is too long', async () => {
    const company = await connected('B83029439');
    await simulate('comportamiento', { modo: 'limite', fallos: 2, retryAfter: 0 });
    expect((await sync(company)).historial[0]).toMatchObject({ estado: 'terminada' });
    await simulate('comportamiento', { modo: 'limite', fallos: 1, retryAfter: 900 });
    const after = await sync(company);
    expect(after.historial[0]).toMatchObject({ estado: 'aplazada' });
    expect(after.historial[0]?.mensaje).toMatch(/ir más despacio/);
    const wait = Date.parse(after.proxima ?? '') - world.deps.clock().getTime();
    expect(wait).toBeGreaterThan(600_000);
  });

  it('holds only documents with an unmapped code, and imports them once it is mapped', async () => {
    const company = await connected('B20814463');
    await simulate('cambiar', {
      tabla: 'salesInvoices',
      number: 'FV-RARA',
      como: FIRST,
      cambios: {
        salesInvoiceLines: [line({ taxCode: 'REDUCIDO', taxPercent: 10, netAmount: 100 })],
        ...amounts(100, 10, 110),
      },
    });
    const held = await sync(company);
    expect(cuentas(held)).toMatchObject({ facturasNuevas: 60 });
    const { problemas } = await get<BusinessCentralProblemas>(
      company,
      'GetBusinessCentralProblemas',
    );
    expect(problemas.find(({ numero }) => numero === 'FV-RARA')?.motivos).toEqual([
      'Falta decir a qué IVA de Huella corresponde «REDUCIDO» al 10 %.',
    ]);
    const codes = await get<BusinessCentralIva>(company, 'GetBusinessCentralIVA');
    expect(codes.find(({ codigo }) => codigo === 'REDUCIDO')).toMatchObject({
      propuesta: 'IVA10',
      tax: '',
      esperan: 1,
    });
    await mapTaxes(company);
    expect(cuentas(await sync(company))).toMatchObject({ facturasNuevas: 1 });
  });

  it('maps only codes that were seen there, and of one given twice takes the last', async () => {
    const company = await connected('B17430422');
    const seen = await rows('bc_tax_codes', company);
    const national = { grupo: 'NAC', codigo: 'IVA21', porcentaje: '21', tax: 'IVA21' };
    const map = (...codigos: object[]) => post(company, 'SetBusinessCentralIVA', { codigos });
    for (const change of [
      { codigo: 'INVENTADO' },
      { grupo: 'OTRO', tax: '' },
      { porcentaje: '99999', tax: '' },
      { porcentaje: 'mucho', tax: '' },
    ]) {
      const { codigo, porcentaje } = { ...national, ...change };
      expect(await map(national, { ...national, ...change })).toMatchObject({
        status: 400,
        body: {
          message: `No conocemos el código «${codigo}» al ${porcentaje} % para esos clientes. Vuelve a abrir la lista.`,
        },
      });
    }
    expect(await rows('bc_tax_codes', company)).toBe(seen);

    expectOk(await map(national, { ...national, porcentaje: '21.00', tax: '' }));
    const codes = await get<BusinessCentralIva>(company, 'GetBusinessCentralIVA');
    expect(codes.find(({ grupo, codigo }) => grupo === 'NAC' && codigo === 'IVA21')?.tax).toBe('');
  });

  it('holds what does not add up to the cent, and shows both amounts', async () => {
    const company = await connected('B64717838');
    await simulate('cambiar', {
      tabla: 'salesInvoices',
      number: 'FV-CENT',
      como: FIRST,
      cambios: {
        salesInvoiceLines: [line({ taxCode: 'IVA21', taxPercent: 21, netAmount: 100 })],
        ...amounts(100, 21.01, 121.01),
      },
    });
    await sync(company);
    const { problemas } = await get<BusinessCentralProblemas>(
      company,
      'GetBusinessCentralProblemas',
    );
    expect(problemas.find(({ numero }) => numero === 'FV-CENT')?.motivos).toEqual([
      'Los importes no coinciden: el IVA es 21,01 € en Business Central y 21,00 € en Huella; el total es 121,01 € en Business Central y 121,00 € en Huella.',
    ]);
    // Once fixed in Business Central, it is imported automatically.
    await simulate('cambiar', {
      tabla: 'salesInvoices',
      number: 'FV-CENT',
      cambios: amounts(100, 21, 121),
    });
    expect(cuentas(await sync(company))).toMatchObject({ facturasNuevas: 1 });
  });
});

describe('what cannot be imported', () => {
  const problems = async (company: TestCompany) => {
    const { problemas } = await get<BusinessCentralProblemas>(
      company,
      'GetBusinessCentralProblemas',
    );
    return Object.fromEntries(problemas.map(({ numero, motivos }) => [numero, motivos]));
  };
  const another = (number: string, cambios: object = {}) =>
    simulate<{ invoiceDate: string }>('cambiar', {
      tabla: 'salesInvoices',
      number,
      como: FIRST,
      cambios,
    });

  it('keeps nothing else back: of two invoices with one number and day, the second waits', async () => {
    await simulate('datos', { clientes: 4, productos: 6, facturas: 3 });
    const { invoiceDate } = await another('FV-DOBLE');
    await another('FV-DOBLE', amounts(1, 0.21, 1.21));
    const company = await connected(randomCompanyNif());
    const after = await sync(company);
    expect(after.historial[0]).toMatchObject({
      estado: 'terminada',
      cuentas: { facturasNuevas: 4, retenidas: 1 },
    });
    const words = `Ya se trajo otra con el número FV-DOBLE del ${invoiceDate.split('-').reverse().join('/')}: no se importa dos veces.`;
    expect(await problems(company)).toEqual({ 'FV-DOBLE': [words] });

    // One that takes the number of another one later stays the draft that it is.
    await another('FV-OTRA', { invoiceDate });
    expect(cuentas(await sync(company))).toEqual({ facturasNuevas: 1 });
    await simulate('cambiar', {
      tabla: 'salesInvoices',
      number: 'FV-DOBLE',
      como: 'FV-OTRA',
      cambios: { id: await idOf(company, 'FV-OTRA') },
    });
    expect((await sync(company)).historial[0]).toMatchObject({ estado: 'terminada' });
    expect(await problems(company)).toEqual({ 'FV-DOBLE': [words], 'FV-OTRA': [words] });
    expect(await rows('invoices', company)).toBe(5);
  });

  it('keeps nothing else back: identifiers that are none', async () => {
    await simulate('datos', { clientes: 4, productos: 6, facturas: 3, abonos: 1 });
    await another('FV-CLIENTE', {
      billToCustomerId: '',
      customerId: 'C1',
      customerNumber: 'C1',
      customerName: 'Ruiz',
    });
    await another('FV-PAGADOR', {
      billToCustomerId: 'C2',
      billToCustomerNumber: 'C2',
      billToName: 'Vega',
    });
    await simulate('cambiar', {
      tabla: 'salesCreditMemos',
      number: 'AB-00001',
      cambios: { invoiceId: 'X', invoiceNumber: FIRST },
    });
    const company = await connected(randomCompanyNif());
    const after = await sync(company);
    expect(after.historial[0]).toMatchObject({
      estado: 'terminada',
      cuentas: { facturasNuevas: 3, retenidas: 3 },
    });
    expect(await problems(company)).toEqual({
      'FV-CLIENTE': ['El cliente C1 Ruiz: su identificador en Business Central no es válido.'],
      'FV-PAGADOR': ['El cliente C2 Vega: su identificador en Business Central no es válido.'],
      'AB-00001': [
        `Rectifica la factura ${FIRST}, cuyo identificador en Business Central no es válido.`,
      ],
    });
  });

  it('keeps nothing else back: characters that PostgreSQL does not keep', async () => {
    await simulate('datos', { clientes: 4, productos: 6, facturas: 3 });
    await simulate('cambiar', {
      tabla: 'customers',
      number: 'C00001',
      cambios: { displayName: 'Talleres\u0000Ruiz', addressLine1: 'Calle\ud800 Una' },
    });
    await simulate('cambiar', {
      tabla: 'items',
      number: 'P-00001',
      cambios: { displayName: 'Broca\u0000' },
    });
    const sold = (given: object) =>
      line({ taxCode: 'IVA21', taxPercent: 21, netAmount: 100, ...given });
    await another('FV-LETRAS', {
      externalDocumentNumber: 'P\u00001',
      salesInvoiceLines: [sold({ description: 'Broca\u0000fina', lineObjectNumber: 'P\ud800' })],
      ...amounts(100, 21, 121),
    });
    await another('FV-RETENIDA', {
      salesInvoiceLines: [sold({ description: 'Broca\ud800' })],
      ...amounts(100, 21, 122),
    });
    const company = await connected(randomCompanyNif());
    expect((await sync(company)).historial[0]).toMatchObject({
      estado: 'terminada',
      cuentas: { clientesNuevos: 4, productosNuevos: 6, facturasNuevas: 4, retenidas: 1 },
    });
    expect(Object.keys(await problems(company))).toEqual(['FV-RETENIDA']);
    const [kept] = await world.sql<{ name: string; address: string; draft: unknown }[]>`
      select c.name, c.address, i.draft
        from bc_documents d
        join invoice_documents i on i.company_id = d.company_id and i.invoice_id = d.invoice_id
        join bc_parties p on p.company_id = d.company_id and p.number = 'C00001'
        join customers c on c.company_id = d.company_id and c.no = p.no
       where d.company_id = ${company.id} and d.number = 'FV-LETRAS'`;
    expect(kept).toMatchObject({
      name: 'Talleres Ruiz',
      address: expect.stringMatching(/^Calle Una/),
      draft: {
        invoiceItems: [{ description: 'Broca fina' }],
        notas: 'Factura FV-LETRAS en Business Central. Su referencia: P 1.',
      },
    });
  });

  it('keeps nothing else back: percentages that no tax has', async () => {
    await simulate('datos', { clientes: 4, productos: 6, facturas: 3 });
    const at = (taxPercent: number) => ({
      salesInvoiceLines: [line({ taxCode: 'RARO', taxPercent, netAmount: 100 })],
    });
    await another('FV-ALTO', at(10_000));
    await another('FV-BAJO', at(-10_000));
    const company = await connected(randomCompanyNif());
    expect((await sync(company)).historial[0]).toMatchObject({
      estado: 'terminada',
      cuentas: { facturasNuevas: 3, retenidas: 2 },
    });
    expect(await problems(company)).toEqual({
      'FV-ALTO': ['Ningún IVA de Huella corresponde a «RARO» al 10.000 %.'],
      'FV-BAJO': ['Ningún IVA de Huella corresponde a «RARO» al -10.000 %.'],
    });
  });

  it('keeps nothing else back: codes of more than 40 characters', async () => {
    await simulate('datos', { clientes: 4, productos: 6, facturas: 3 });
    const long = (start: string) => start.padEnd(41, '0');
    const client = await simulate<{ id: string }>('cambiar', {
      tabla: 'customers',
      number: long('C'),
      como: 'C00001',
      cambios: { taxRegistrationNumber: randomCompanyNif(), displayName: 'Largo, S.L.' },
    });
    await simulate('cambiar', { tabla: 'items', number: long('P'), como: 'P-00001', cambios: {} });
    const sold = (given: object) => ({
      salesInvoiceLines: [
        line({
          taxCode: 'IVA21',
          taxPercent: 21,
          netAmount: 100,
          lineObjectNumber: long('P'),
          ...given,
        }),
      ],
      ...amounts(100, 21, 121),
    });
    await another('FV-CLIENTE', {
      billToCustomerId: '',
      customerId: client.id,
      customerNumber: long('C'),
      customerName: 'Largo, S.L.',
    });
    await another('FV-IVA', sold({ taxCode: long('IVA') }));
    await another('FV-ARTICULO', sold({}));
    const company = await connected(randomCompanyNif());
    const after = await sync(company);
    expect(after.historial[0]).toMatchObject({
      estado: 'terminada',
      cuentas: { clientesNuevos: 4, productosNuevos: 6, facturasNuevas: 4, retenidas: 2 },
    });
    const words = 'tiene más de 40 caracteres y Huella no admite tantos.';
    expect(await problems(company)).toEqual({
      [long('C')]: [`Su número ${words}`],
      [long('P')]: [`Su número ${words}`],
      'FV-CLIENTE': [`El cliente ${long('C')} Largo, S.L.: Su número ${words}`],
      'FV-IVA': [`El código de IVA «${long('IVA')}» ${words}`],
    });
    await mapTaxes(company);
  });

  it('keeps nothing else back: codes of more than 40 characters that an earlier version saved', async () => {
    await simulate('datos', { clientes: 1, productos: 1, facturas: 2 });
    const company = await connected(randomCompanyNif());
    await sync(company);
    const long = 'L'.repeat(41);
    await world.sql`update customers set no = ${long} where company_id = ${company.id} and no = 'C00003'`;
    await world.sql`update bc_parties set no = ${long} where company_id = ${company.id}`;
    await another('FV-NUEVA');
    expect((await sync(company)).historial[0]).toMatchObject({
      estado: 'terminada',
      cuentas: { retenidas: 1 },
    });
    expect((await problems(company))['FV-NUEVA']).toEqual([
      expect.stringMatching(/: su código tiene más de 40 caracteres y Huella no admite tantos\.$/),
    ]);
  });
});

/** Identifier of a document there. */
async function idOf(company: TestCompany, number: string): Promise<string | undefined> {
  const [row] = await world.sql<{ bc_id: string }[]>`
    select bc_id from bc_documents where company_id = ${company.id} and number = ${number}`;
  return row?.bc_id;
}

describe('recent changes', () => {
  beforeAll(() => simulate('datos', { clientes: 4, productos: 6, facturas: 3 }));

  it('are imported even when later ones came first, also if it was interrupted between them', async () => {
    const company = await connected(randomCompanyNif());
    await sync(company);
    await postAnother('FV-PRONTO');
    expect(cuentas(await sync(company))).toEqual({ facturasNuevas: 1 });
    // Its transaction began before that one's, and ended only now.
    await postAnother('FV-TARDE', { hace: 240 });
    expect(cuentas(await sync(company))).toEqual({ facturasNuevas: 1 });

    await postAnother('FV-CORTE-1');
    await postAnother('FV-CORTE-2');
    await cutAfter(3); // Both earlier ones, and the first of these.
    expect((await sync(company)).historial[0]).toMatchObject({
      estado: 'aplazada',
      cuentas: { facturasNuevas: 1 },
    });
    await simulate('comportamiento', { pagina: 1000 });
    await postAnother('FV-TARDE-2', { hace: 300 });
    expect(cuentas(await sync(company))).toEqual({ facturasNuevas: 2 });
  });

  it('do not touch what is deleted or registered here while it is being compared', async () => {
    const company = await connected(randomCompanyNif());
    await simulate('comportamiento', { pagina: 1000 });
    await postAnother('FV-BORRADA');
    await postAnother('FV-REGISTRADA');
    await sync(company);
    const before = await rows('invoices', company);
    for (const number of ['FV-BORRADA', 'FV-REGISTRADA']) {
      await simulate('cambiar', {
        tabla: 'salesInvoices',
        number,
        cambios: {
          salesInvoiceLines: [line({ taxCode: 'IVA21', taxPercent: 21, netAmount: 200 })],
          ...amounts(200, 42, 242),
        },
      });
    }
    await postAnother('FV-NUEVA');
    const brought = async (number: string) => {
      const [row] = await world.sql<{ No: string | null; reasons: string[] }[]>`
        select i.doc_no as "No", d.reasons from bc_documents d
          left join invoices i on i.company_id = d.company_id and i.id = d.invoice_id
         where d.company_id = ${company.id} and d.number = ${number}`;
      return row;
    };
    const deleted = await brought('FV-BORRADA');
    const registered = await brought('FV-REGISTRADA');
    let isAsked = false;
    const after = await sync(company, 0, {
      ...outside,
      // The AEAT is asked between reading what was imported before and writing the outcome.
      consultarAeat: async (...asked) => {
        if (!isAsked) {
          isAsked = true;
          expectOk(await post(company, 'DeleteInvoice', { No: deleted?.No ?? '' }));
          expectOk(await company.register({ draftNo: registered?.No ?? '' }));
        }
        return outside.consultarAeat(...asked);
      },
    });
    expect(isAsked).toBe(true);
    expect(cuentas(after)).toEqual({ facturasNuevas: 1, cambiadasDespues: 1 });
    expect(await rows('invoices', company)).toBe(before);
    expect((await brought('FV-BORRADA'))?.No).toBeNull();
    expect((await brought('FV-NUEVA'))?.No).toMatch(/^B-[1-9]/);
    expect(await brought('FV-REGISTRADA')).toEqual({
      No: expect.stringMatching(/^00001/),
      reasons: [expect.stringMatching(/después de que registraste 00001/)],
    });
  });

  it('are imported however often it is interrupted, and not read again once they are settled', async () => {
    const company = await connected(randomCompanyNif());
    await sync(company);
    for (const n of [1, 2, 3, 4]) await postAnother(`FV-NUEVA-${n}`);
    const before = await rows('invoices', company);
    for (const minutes of [0, 20, 21]) {
      await cutAfter(2);
      await sync(company, minutes);
    }
    await simulate('comportamiento', { pagina: 1000, modo: 'normal' });
    await sync(company, 22);
    expect(await rows('invoices', company)).toBe(before + 4);
    const [cursor] = await world.sql<{ inclusive: boolean }[]>`
      select inclusive from bc_cursors where company_id = ${company.id} and entity = 'salesInvoices'`;
    expect(cursor).toEqual({ inclusive: false });
  });
});

const line = (given: object) => ({
  sequence: 10_000,
  lineType: 'Item',
  lineObjectNumber: 'P-00001',
  description: 'Broca',
  quantity: 1,
  unitPrice: 100,
  discountPercent: 0,
  unitOfMeasureCode: 'UDS',
  ...given,
});
const amounts = (base: number, tax: number, total: number) => ({
  totalAmountExcludingTax: base,
  totalTaxAmount: tax,
  totalAmountIncludingTax: total,
});

describe('the code of a client', () => {
  const names = async (company: TestCompany) =>
    Object.fromEntries(
      (
        await world.sql<{ no: string; name: string }[]>`
          select no, name from customers where company_id = ${company.id} order by no`
      ).map(({ no, name }) => [no, name]),
    );

  it('is unique, also when some clients have no code of their own', async () => {
    await simulate('datos', { clientes: 3, productos: 1, facturas: 0 });
    // Their numbers already belong to other clients here, and they come after one that keeps its own.
    for (const number of ['C00001', 'C00002']) {
      await simulate('cambiar', { tabla: 'customers', number, cambios: {} });
    }
    const company = await connected(randomCompanyNif());
    expect(cuentas(await sync(company))).toMatchObject({ clientesNuevos: 3 });
    expect(await names(company)).toEqual({
      C00001: 'Cliente de mostrador',
      C00002: 'Cliente de Prueba, S.A.',
      C00003: 'Carpintería Ruiz 3, S.L.',
      C00004: 'Talleres Ruiz 1, S.L.',
      C00005: 'Ferretería Ruiz 2, S.L.',
    });
  });

  it('is searched for until a free one is found', async () => {
    await simulate('datos', { clientes: 1, productos: 1, facturas: 0 });
    const company = await connected(randomCompanyNif());
    for (const No of ['C00003', 'C00004']) {
      expectOk(await post(company, 'SetClientes', { No, Name: `Código ${No}` }));
    }
    expect((await sync(company)).historial[0]).toMatchObject({ estado: 'terminada' });
    expect(await names(company)).toMatchObject({
      C00003: 'Código C00003',
      C00004: 'Código C00004',
      C00005: 'Talleres Ruiz 1, S.L.',
    });
  });
});

describe('an item whose price includes tax', () => {
  it('is imported without the tax, once its tax code is mapped', async () => {
    await simulate('datos', { clientes: 1, productos: 3, facturas: 1 });
    const withTax = (number: string, taxGroupCode: string) =>
      simulate('cambiar', {
        tabla: 'items',
        number,
        cambios: { unitPrice: 121, priceIncludesTax: true, taxGroupCode },
      });
    await withTax('P-00001', 'IVA21');
    await withTax('P-00002', 'ESPECIAL');
    const company = await connected(randomCompanyNif());
    expect(cuentas(await sync(company))).toMatchObject({ productosNuevos: 2 });
    const price = async (no: string) =>
      (
        await world.sql<{ price: string }[]>`
          select unit_price::text as price from products
           where company_id = ${company.id} and no = ${no}`
      )[0]?.price;
    expect(await price('P-00001')).toBe('100.000000');
    const { problemas } = await get<BusinessCentralProblemas>(
      company,
      'GetBusinessCentralProblemas',
    );
    expect(problemas).toMatchObject([
      { tipo: 'producto', numero: 'P-00002', motivos: [expect.stringMatching(/«ESPECIAL»/)] },
    ]);

    // An invoice brings the unknown code, and somebody maps it.
    await simulate('cambiar', {
      tabla: 'salesInvoices',
      number: 'FV-ESPECIAL',
      como: FIRST,
      cambios: {
        salesInvoiceLines: [line({ taxCode: 'ESPECIAL', taxPercent: 10, netAmount: 100 })],
        ...amounts(100, 10, 110),
      },
    });
    await sync(company);
    await mapTaxes(company);
    expect(cuentas(await sync(company))).toEqual({ productosNuevos: 1, facturasNuevas: 1 });
    expect(await price('P-00002')).toBe('110.000000');
  });

  it('is imported although an earlier version, which stored the price with tax, recorded it as read', async () => {
    await simulate('datos', { clientes: 1, productos: 3, facturas: 1 });
    const company = await connected(randomCompanyNif());
    await world.sql`
      insert into bc_cursors (company_id, bc_company, entity, since, inclusive)
      select company_id, bc_company, 'items', now() + interval '1 day', false
        from bc_connections where company_id = ${company.id}`;
    expect(cuentas(await sync(company))).toMatchObject({ productosNuevos: 3 });
    expect(cuentas(await sync(company))).not.toHaveProperty('productosNuevos');
  });
});

describe('registering at once and writing back', () => {
  it('registers once, rectifies what was registered, and leaves the huella beside each document', async () => {
    await simulate('datos', { clientes: 4, productos: 6, facturas: 5, abonos: 1 });
    const company = await connected('B58818501', { modo: 'registrar' });
    const first = await sync(company);
    expect(cuentas(first)).toMatchObject({ facturasNuevas: 5, abonosNuevos: 1, registradas: 6 });
    expect(await rows('registros', company)).toBe(6);
    await sync(company);
    expect(await rows('registros', company)).toBe(6);

    const dispatcher = world.startDispatcher();
    await untilTrue(
      async () =>
        (
          await world.sql<{ count: number }[]>`
        select count(*)::int as count from invoices
         where company_id = ${company.id} and status = 'Registrada'`
        )[0]?.count,
      (count) => count === 6,
    );
    await dispatcher.stop();
    expect(cuentas(await sync(company))).toMatchObject({ devueltas: 6 });
    const answer = await world.control('/desarrollo/business-central/estado');
    const { adjuntos } = (await answer.json()) as {
      adjuntos: { fileName: string; parentType: string; content: string }[];
    };
    expect(adjuntos).toHaveLength(6);
    const credit = adjuntos.find(({ parentType }) => parentType === 'Sales Credit Memo');
    expect(credit?.fileName).toBe('Huella-AB-00001.csv');
    expect(credit?.content).toMatch(/;Registrada;[0-9A-F]{64};[\w-]+;https:\/\//);
    expect(cuentas(await sync(company))).toEqual({});

    const csv = await world.app.inject({
      method: 'GET',
      url: '/api/GetData/BusinessCentralCSV',
      headers: { authorization: `Bearer ${company.token}` },
    });
    expect(csv.body.split('\r\n')).toHaveLength(8);
  });

  it('refuses an invoice that another program declared', async () => {
    await simulate('datos', { clientes: 4, productos: 6, facturas: 1 });
    const company = await connected('B60195278', { modo: 'registrar' });
    const { number, day } = await declareElsewhere(company);
    const after = await sync(company);
    expect(cuentas(after)).toMatchObject({ retenidas: 1 });
    expect(await rows('registros', company)).toBe(1);
    const { problemas } = await get<BusinessCentralProblemas>(
      company,
      'GetBusinessCentralProblemas',
    );
    expect(problemas[0]?.motivos[0]).toContain(`La AEAT ya tiene la factura ${number} del ${day}`);
  });

  it('rectifies what another program declared, by its number and day there', async () => {
    await simulate('datos', { clientes: 4, productos: 6, facturas: 1, abonos: 1 });
    const company = await connected('B64030182');
    const { id, number, today } = await declareElsewhere(company);
    const cambios = { invoiceId: id, invoiceNumber: number };
    await simulate('cambiar', { tabla: 'salesCreditMemos', number: 'AB-00001', cambios });
    expect(cuentas(await sync(company))).toMatchObject({ retenidas: 1, abonosNuevos: 1 });
    const [credit] = await world.sql<{ draft: object }[]>`
      select draft from invoices i
        join invoice_documents d on d.company_id = i.company_id and d.invoice_id = i.id
       where i.company_id = ${company.id} and i.status = 'Borrador'`;
    expect(credit?.draft).toMatchObject({
      type: 'abono',
      invoiceToRectify: number,
      invoiceToRectifyDate: today,
    });
  });
});

describe('what its owner changes while a synchronisation is under way', () => {
  beforeAll(() => simulate('datos', { clientes: 4, productos: 6, facturas: 3 }));

  /** A synchronisation in which something else happens before the first invoices are saved. */
  async function syncDuring(company: TestCompany, happens: () => Promise<unknown>): Promise<void> {
    let hasHappened = false;
    await sync(company, 0, {
      ...outside,
      consultarAeat: async (...asked) => {
        if (!hasHappened) {
          hasHappened = true;
          await happens();
        }
        return outside.consultarAeat(...asked);
      },
    });
    expect(hasHappened).toBe(true);
  }

  const save = async (company: TestCompany, changes: object) =>
    expectOk(
      await post(company, 'SetBusinessCentral', { ...BUSINESS_CENTRAL_SETTINGS, ...changes }),
    );

  it('counts for the rest of it: an earlier first day', async () => {
    const company = await connected(randomCompanyNif(), { desde: '2021-01-01' });
    const cambios = { invoiceDate: '2020-06-01' };
    await simulate('cambiar', { tabla: 'salesInvoices', number: 'FV-ANTES', como: FIRST, cambios });
    await syncDuring(company, () => save(company, { desde: '2020-01-01' }));
    await runDue();
    expect(await idOf(company, 'FV-ANTES')).toBeDefined();
    expect((await state(company)).historial).toMatchObject([{ estado: 'terminada' }]);
  });

  it('counts for the rest of it: drafts, instead of registering at once', async () => {
    const company = await connected(randomCompanyNif(), { modo: 'registrar' });
    await syncDuring(company, () => save(company, { modo: 'borradores' }));
    await runDue();
    expect(await rows('invoices', company)).toBeGreaterThanOrEqual(3);
    expect(await rows('registros', company)).toBe(0);
  });

  it('counts for what waits to be registered', async () => {
    const company = await connected(randomCompanyNif(), { modo: 'registrar' });
    const unanswered = async () => ({ kind: 'no-answer', cause: 'No responde.' }) as const;
    const first = await sync(company, 0, { ...outside, consultarAeat: unanswered });
    expect(first.historial[0]?.mensaje).toMatch(/^No se han registrado/);
    await save(company, { modo: 'borradores' });
    await sync(company);
    expect(await rows('registros', company)).toBe(0);
    await save(company, { modo: 'registrar' });
    await sync(company);
    expect(await rows('registros', company)).toBeGreaterThanOrEqual(3);
  });

  it('counts for what waits to be registered: a draft that was saved here, or that no longer agrees', async () => {
    const company = await connected(randomCompanyNif(), { modo: 'registrar' });
    const unanswered = async () => ({ kind: 'no-answer', cause: 'No responde.' }) as const;
    await sync(company, 0, { ...outside, consultarAeat: unanswered });
    const [saved, changed] = await world.sql<{ number: string; No: string; draft: object }[]>`
      select o.number, i.doc_no as "No", d.draft
        from bc_documents o
        join invoices i on i.company_id = o.company_id and i.id = o.invoice_id
        join invoice_documents d on d.company_id = o.company_id and d.invoice_id = o.invoice_id
       where o.company_id = ${company.id} and o.kind = 'factura'
       order by o.issued_on desc, o.number limit 2`;
    expectOk(
      await post(company, 'SetFacturas', { ...saved?.draft, accionFactura: 0, draftNo: saved?.No }),
    );
    await simulate('cambiar', {
      tabla: 'salesInvoices',
      number: changed?.number,
      cambios: { totalAmountIncludingTax: 1 },
    });
    await sync(company);
    await askToRetry(world.sql, company.id, world.deps.clock());
    await sync(company);
    expect(await rows('registros', company)).toBeGreaterThan(0);
    const drafts = await world.sql<{ No: string }[]>`
      select doc_no as "No" from invoices where company_id = ${company.id} and status = 'Borrador'`;
    expect(drafts.map(({ No }) => No)).toEqual(expect.arrayContaining([saved?.No, changed?.No]));
  });

  it('ends it, if it is disconnected and connected again', async () => {
    const company = await connected(randomCompanyNif());
    await syncDuring(company, async () => {
      expectOk(await post(company, 'DesconectarBusinessCentral'));
      await save(company, {});
      await switchOn(company);
      await world.sql.begin((tx) => openRun(tx, company.id, 'manual', world.deps.clock()));
      await takeRun(world.sql, company.id, 60); // As another process does.
    });
    expect(await rows('invoices', company)).toBe(0);
    expect(await state(company)).toMatchObject({ enMarcha: { estado: 'en-marcha' } });
  });
});

/** Makes the AEAT hold an invoice of that number and day, from an installation that is not this one. */
async function declareElsewhere(company: TestCompany) {
  const today = world.deps.clock().toLocaleDateString('sv-SE', { timeZone: 'Europe/Madrid' });
  expectOk(await company.register());
  const [registered] = await world.sql<{ doc_no: string }[]>`
    select doc_no from invoices where company_id = ${company.id}`;
  const number = registered?.doc_no ?? '';
  const dispatcher = world.startDispatcher();
  await untilTrue(
    () => world.held(company.nif),
    (held) => held.length === 1,
  );
  await dispatcher.stop();
  // From now on this is another installation, as if that registro were from another program.
  await world.sql`
    update companies set numero_instalacion = 'OTRA-' || id where id = ${company.id}`;
  await simulate('cambiar', {
    tabla: 'salesInvoices',
    number: FIRST,
    cambios: { status: 'Draft' },
  });
  const { id } = await simulate<{ id: string }>('cambiar', {
    tabla: 'salesInvoices',
    number,
    como: FIRST,
    cambios: { status: 'Open', invoiceDate: today },
  });
  return { id, number, today, day: today.split('-').reverse().join('/') };
}

describe('the connection', () => {
  it('explains what is wrong with it', async () => {
    const company = await world.signUp('B98765431');
    const companies = (access: object) =>
      post<{ message: string }>(company, 'BusinessCentralEmpresas', {
        ...BUSINESS_CENTRAL_SETTINGS,
        ...access,
      });
    const words = async (access: object) => (await companies(access)).body.message;
    expect(await words({ tenant: 'nadie.example' })).toMatch(/^Microsoft no conoce ese inquilino/);
    expect(await words({ clientId: ACCESO.tenant })).toMatch(/^Esa aplicación no existe/);
    expect(await words({ clientSecret: 'otro' })).toMatch(/^El secreto no es correcto/);
    expect(await words({ entorno: 'Pruebas' })).toMatch(/^No existe ese entorno/);
    expect(await words({ clientSecret: '' })).toBe('Escribe el secreto de la aplicación.');
    expect(await companies({ tenant: 'a/../b', clientId: '5' })).toMatchObject({
      status: 400,
      body: {
        message: [
          expect.stringMatching(/^El inquilino es un identificador como/),
          'El id. de aplicación tiene la forma 00000000-0000-0000-0000-000000000000.',
        ],
      },
    });

    expectOk(await post(company, 'SetBusinessCentral', BUSINESS_CENTRAL_SETTINGS));
    const [stored] = await world.sql<{ sealed: Buffer }[]>`
      select sealed from bc_connections where company_id = ${company.id}`;
    expect(stored?.sealed.includes(ACCESO.secreto)).toBe(false);

    await world.sql`
      update bc_connections set sealed_key = sealed_key || 'x', status = 'activa'
       where company_id = ${company.id}`;
    const unreadable = expect.stringMatching(/^El secreto guardado no se puede abrir/);
    expect(await post(company, 'ProbarBusinessCentral')).toMatchObject({
      status: 400,
      body: { message: unreadable },
    });
    expect((await sync(company)).historial[0]).toMatchObject({
      estado: 'fallida',
      mensaje: unreadable,
    });
    expectOk(await post(company, 'SetBusinessCentral', BUSINESS_CENTRAL_SETTINGS));

    const broken = async (behaviour: object) => {
      await simulate('comportamiento', { fallos: 1, ...behaviour });
      const { correcta, pasos } = expectOk(
        await post<ProbarBusinessCentral>(company, 'ProbarBusinessCentral'),
      );
      await simulate('comportamiento', { modo: 'normal', nif: '' });
      expect(correcta).toBe(false);
      return pasos.find(({ estado }) => estado === 'mal')?.mensaje;
    };
    await simulate('comportamiento', { nif: company.nif });
    const whole = expectOk(await post<ProbarBusinessCentral>(company, 'ProbarBusinessCentral'));
    expect(whole.pasos.map(({ estado }) => estado)).toEqual(['bien', 'bien', 'bien', 'bien']);
    expect(await broken({ modo: 'sin-permiso' })).toMatch(
      /no tiene permiso para leer.*dale el conjunto de permisos D365 BUS FULL ACCESS/,
    );
    expect(await broken({ modo: 'limite', retryAfter: 30 })).toMatch(
      /demasiadas peticiones seguidas. Prueba otra vez dentro de 30 s/,
    );
    expect(await broken({ modo: 'cortar' })).toMatch(/No se llega a Business Central/);
    expect(await broken({ nif: 'B99286320' })).toMatch(/tiene el NIF B99286320 y la tuya es/);
    await world.sql`
      update bc_connections set bc_company = gen_random_uuid() where company_id = ${company.id}`;
    expect(await broken({})).toMatch(/Esa empresa ya no está/);
  });

  it('is switched on once the user confirms that VERI*FACTU is off there, and the confirmation is kept', async () => {
    const company = await world.signUp('B02826113');
    expectOk(await post(company, 'SetBusinessCentral', BUSINESS_CENTRAL_SETTINGS));
    const refused = await post<{ message: string }>(company, 'ActivarBusinessCentral');
    expect(refused.status).toBe(400);
    expect(refused.body.message).toMatch(/confirma que VERI\*FACTU está desactivado/);
    const on = expectOk(
      await post<BusinessCentral>(company, 'ActivarBusinessCentral', { verifactuApagado: true }),
    );
    expect(on).toMatchObject({ estado: 'activa', verifactuApagado: { quien: expect.any(String) } });
    await untilTrue(
      () => state(company),
      ({ enMarcha }) => enMarcha === undefined,
    );

    expectOk(await post(company, 'PausarBusinessCentral'));
    expect((await post(company, 'SincronizarBusinessCentral')).status).toBe(409);
    // Confirmed once: no need to confirm it again.
    expectOk(await post(company, 'ActivarBusinessCentral'));
    await untilTrue(
      () => state(company),
      ({ enMarcha }) => enMarcha === undefined,
    );
    const invoices = await rows('invoices', company);

    expectOk(await post(company, 'DesconectarBusinessCentral'));
    expect(await state(company)).toMatchObject({ estado: 'sin-conectar' });
    expect(await rows('invoices', company)).toBe(invoices);
    const events = await world.sql<{ kind: string }[]>`
      select kind from bc_events where company_id = ${company.id} order by id`;
    expect(events.map(({ kind }) => kind)).toEqual([
      ...['conexión guardada', 'VERI*FACTU desactivado allí', 'activada', 'pausada', 'activada'],
      'desconectada',
    ]);
    // The company reads the same in its security log.
    const logged = await world.sql<{ kind: string }[]>`
      select kind from security_events
       where company_id = ${company.id} and kind like 'business-central-%' order by id`;
    expect(logged.map(({ kind }) => kind)).toEqual(
      ['guardada', 'declarada', 'activada', 'pausada', 'activada', 'desconectada'].map(
        (kind) => `business-central-${kind}`,
      ),
    );

    // Connected again to the same company, it imports nothing twice.
    expectOk(await post(company, 'SetBusinessCentral', BUSINESS_CENTRAL_SETTINGS));
    expectOk(await post(company, 'ActivarBusinessCentral', { verifactuApagado: true }));
    await untilTrue(
      () => state(company),
      ({ enMarcha }) => enMarcha === undefined,
    );
    expect(await rows('invoices', company)).toBe(invoices);
  });

  it('belongs to a single company', async () => {
    const [a, b] = [await world.signUp(), await world.signUp()];
    expectOk(await post(a, 'SetBusinessCentral', BUSINESS_CENTRAL_SETTINGS));
    expect(await state(b)).toMatchObject({ estado: 'sin-conectar' });
    expect((await post(b, 'ProbarBusinessCentral')).status).toBe(404);
    // Its sealed secret does not open in another company's row.
    await world.sql`
      insert into bc_connections select ${b.id}, tenant, environment, bc_company, bc_company_name,
             client_id, kek_id, sealed_key, sealed, status, registers_at_once, writes_back, since,
             every_minutes, null, null, next_run_at
        from bc_connections where company_id = ${a.id}`;
    expect((await post(b, 'ProbarBusinessCentral')).status).toBe(400);
  });
});
