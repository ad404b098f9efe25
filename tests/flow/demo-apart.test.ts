import { randomBytes } from 'node:crypto';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { startSimulators } from '../../simulators/simulators.ts';
import type { ConciliarRegistrosAnswer } from '../../src/contract/evidence.ts';
import { HECHA_EN_DEMO } from '../../src/operations/leave-demo.ts';
import { settlePayment } from '../../src/operations/settle-payment.ts';
import { insertPayment } from '../../src/store/payments.ts';
import { administer } from '../support/admin.ts';
import {
  expectOk,
  type HeldRegistro,
  monthOf,
  openWorld,
  type TestCompany,
  untilTrue,
  type World,
  yearOf,
} from '../support/world.ts';

/** An installation that declares to production, and its demos to the AEAT's test service. */
let world: World;
let tests: Awaited<ReturnType<typeof startSimulators>>;
let folder: string;
let company: TestCompany;

beforeAll(async () => {
  world = await openWorld({
    NODE_ENV: 'production',
    AEAT_ENTORNO: 'produccion',
    REDSYS_ENTORNO: 'pruebas',
    SMTP_URL: 'smtp://127.0.0.1:1',
    PUBLIC_URL: 'https://huella.ejemplo.es',
    CLAVE_MAESTRA: randomBytes(32).toString('base64'),
    JWT_SECRET: randomBytes(48).toString('base64'),
  });
  folder = await mkdtemp(join(tmpdir(), 'huella-test-service-'));
  await cp(inject('authorityFolder'), join(folder, 'aeat'), {
    recursive: true,
    filter: (source) => !source.includes('.p12'),
  });
  tests = await startSimulators({
    dir: folder,
    ports: { aeat: 0, sello: 0, control: 0, smtp: 0 },
    tiempoEspera: 0,
  });
  const { aeatUrl: url, aeatCa: ca } = tests;
  Object.assign(world.runtime, { aeatOfDemos: { url, selloUrl: url, ca } });
  company = await world.signUp('B12345674');
});
afterAll(async () => {
  await world.close();
  await tests.close();
  await rm(folder, { recursive: true, force: true });
});

interface Listed {
  readonly DocNo: string;
  readonly Status: string;
  readonly ErrorMessage?: string;
}

const rowsOf = async (list: 'GetInvoices' | 'GetPendingInvoices') =>
  expectOk(await company.call<Listed[]>('GET', `/api/GetData/${list}`));
const registered = async (total = '100,00') => {
  const { DocNo } = expectOk(
    await company.register({
      invoiceItems: [
        { description: 'Revisión', quantity: '1', price: total, tax: 'IVA21', linetype: 0 },
      ],
    }),
  );
  return DocNo;
};
/** What the test service holds; `world.held` is the same for production. */
const heldByTests = async () =>
  (await (
    await fetch(new URL(`/desarrollo/aeat/registros?nif=${company.nif}`, tests.controlUrl))
  ).json()) as HeldRegistro[];
const answered = (docNo: string, status: string) =>
  untilTrue(
    async () => [...(await rowsOf('GetInvoices')), ...(await rowsOf('GetPendingInvoices'))],
    (rows) => rows.some((row) => row.DocNo === docNo && row.Status === status),
  );
const thisMonth = () => monthOf(world.deps.clock());
const qrOf = async (docNo: string) =>
  (
    await world.sql<{ url: string }[]>`
      select r.issued ->> 'qr' as url from registros r
       where r.company_id = ${company.id} and r.num_serie_factura = ${docNo}`
  )[0]?.url ?? '';

async function pay(): Promise<void> {
  const { redsys } = world.deps.config;
  const [dsOrder, orderId] = ['000000000001', 'Odemoaplan01'];
  await insertPayment(world.sql, {
    dsOrder,
    orderId,
    kind: 'renovacion',
    companyId: company.id,
    plan: 'annual',
    amountCents: 9999n,
    signUp: null,
    createdAt: world.deps.clock(),
  });
  const result = await settlePayment(world.deps, {
    Ds_Order: dsOrder,
    Ds_Amount: '9999',
    Ds_Currency: '978',
    Ds_MerchantCode: redsys.comercio,
    Ds_Terminal: redsys.terminal,
    Ds_TransactionType: '0',
    Ds_MerchantData: orderId,
    Ds_Response: '0000',
    Ds_AuthorisationCode: '123456',
  } as Parameters<typeof settlePayment>[1]);
  expect(result).toBe('paid');
}

describe('a demo where everybody else declares to production', () => {
  it('declares only to the test service, under numbers that do not count', async () => {
    const dispatcher = world.startDispatcher();
    const docNo = await registered();
    expect(docNo).toBe('00001/DEMO');
    await answered(docNo, 'Registrada');
    await dispatcher.stop();
    expect(await heldByTests()).toMatchObject([
      { NumSerieFactura: docNo, EstadoRegistro: 'Correcto' },
    ]);
    expect(await world.held(company.nif)).toEqual([]);
    expect(await qrOf(docNo)).toMatch(/^https:\/\/prewww2\.aeat\.es\//);
    const asked = await company.call<ConciliarRegistrosAnswer>(
      'POST',
      '/api/PostData/ConciliarRegistros',
      thisMonth(),
    );
    expect(expectOk(asked)).toMatchObject({ iguales: 1, soloAqui: [], soloAEAT: [] });
  });

  it('that is paid for leaves nothing of it to production, not even what was on its way', async () => {
    await fetch(new URL('/desarrollo/aeat/comportamiento', tests.controlUrl), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ modo: 'cortar-antes' }),
    });
    const dispatcher = world.startDispatcher();
    await registered();
    await untilTrue(
      () => world.sql`
        select from envio_intentos where company_id = ${company.id} and outcome = 'no-answer'`,
      (rows) => rows.length > 0,
    );
    await registered('7,00');
    await pay();

    const before = await rowsOf('GetInvoices');
    expect(before.map(({ DocNo, Status }) => [DocNo, Status]).toSorted()).toEqual([
      ['00001/DEMO', 'Anulada'],
      ['00002/DEMO', 'Anulada'],
      ['00003/DEMO', 'Anulada'],
    ]);
    expect(await rowsOf('GetPendingInvoices')).toEqual([]);
    const [months] = await world.sql<{ total: string }[]>`
      select sum(total)::text as total from invoice_months where company_id = ${company.id}`;
    expect(Number(months?.total)).toBe(0);
    const [row] = await world.sql`
      select error_message from invoices where company_id = ${company.id} and doc_no = '00003/DEMO'`;
    expect(row?.error_message).toBe(HECHA_EN_DEMO);

    const year = yearOf(world.deps.clock());
    const docNo = await registered('50,00');
    expect(docNo).toBe(`00001/${year}`);
    await answered(docNo, 'Registrada');
    await dispatcher.stop();
    expect(await world.held(company.nif)).toMatchObject([
      { NumSerieFactura: docNo, EstadoRegistro: 'Correcto', HuellaAnterior: '' },
    ]);
    expect(await heldByTests()).toHaveLength(1);
    expect(await qrOf(docNo)).toMatch(/^https:\/\/www2\.agenciatributaria\.gob\.es\//);
    const [mail] = await world.sql<{ payload: { leftDemo: object } }[]>`
      select payload from mail_jobs where company_id = ${company.id} and kind = 'pago'`;
    expect(mail?.payload.leftDemo).toEqual({ NoSerie: docNo, facturas: 3 });
  });

  it('has an intact cadena, with no registro missing at the AEAT', async () => {
    expect(expectOk(await company.call('GET', '/api/GetData/VerificarCadena'))).toMatchObject({
      correcta: true,
      instalaciones: 2,
    });
    const asked = await company.call<ConciliarRegistrosAnswer>(
      'POST',
      '/api/PostData/ConciliarRegistros',
      thisMonth(),
    );
    expect(expectOk(asked)).toMatchObject({ iguales: 1, soloAqui: [], soloAEAT: [] });
  });

  it('cannot be returned to by a company that has declared', async () => {
    const admin = (args: readonly string[], isKeyMissing = false) =>
      administer(world.deps, args, { isKeyMissing });
    const back = ['suscripcion', company.nif, '--hasta', '2099-12-31', '--plan', 'Demo'];
    expect(await admin(back)).toEqual({
      code: 1,
      text: expect.stringContaining('no puede volver a la demo'),
    });
    expect(await admin(back, true)).toMatchObject({ code: 1 });

    // A company that gets a plan from its administrator leaves its demo as by paying, even without registered invoices.
    const other = await world.signUp('B76543214');
    expect(
      await admin(['suscripcion', other.nif, '--hasta', '2099-12-31', '--plan', 'annual']),
    ).toMatchObject({ code: 0 });
    const { DocNo } = expectOk(await other.register());
    expect(DocNo).toMatch(/^00001\/\d\d$/);
  });
});
