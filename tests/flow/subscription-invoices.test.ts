import { afterAll, beforeAll, expect, it } from 'vitest';
import type { GatewayForm } from '../../src/contract/payments.ts';
import { fechaAeat, isoDateIn } from '../../src/domain/dates.ts';
import type { IssuedInvoice } from '../../src/domain/invoice.ts';
import { invoiceSubscriptions } from '../../src/operations/invoice-subscriptions.ts';
import { signParameters } from '../../src/payments/form.ts';
import { createLogger } from '../../src/platform/log.ts';
import { readServiceState } from '../../src/store/service-state.ts';
import { administer } from '../support/admin.ts';
import { parametersOf } from '../support/gateway.ts';
import { expectOk, openWorld, type TestCompany, type World } from '../support/world.ts';

/** The provider: the company that sells the subscriptions. */
const PROVIDER = 'B12345674';

const lines: Record<string, unknown>[] = [];
let world: World;
let provider: TestCompany;
let nextNumber = 60_000_000;

beforeAll(async () => {
  world = await openWorld(
    { FACTURAR_SUSCRIPCIONES: 'si', EMPRESA_NIF: PROVIDER },
    createLogger('info', { write: (line) => lines.push(JSON.parse(line)) }),
  );
  provider = await world.signUp(PROVIDER, 'Huella Programas, S.L.');
});
afterAll(() => world.close());

/** A company whose payment is confirmed. @returns its e-mail and its NIF */
async function buy(plan: string, totalCents: number, postCode = '50003') {
  const number = nextNumber++;
  const company = {
    email: `compra${number}@ejemplo.es`,
    password: 'once peldaños y una veleta',
    fullName: 'Obrador Candela, S.L.',
    cifNif: `${number}${'TRWAGMYFPDXBNJZSQVHLCKE'.charAt(number % 23)}`,
    address: 'Calle de San Blas, 14',
    countryCode: 'ES',
    postCode,
    subscriptionType: plan,
  };
  const form = expectOk(
    await world.call<GatewayForm>('POST', '/api/Redsys/InitPayment', {
      body: { orderId: `O000${number}`, totalCents, userData: JSON.stringify(company) },
    }),
  );
  const order = parametersOf(form).DS_MERCHANT_ORDER ?? '';
  expectOk(
    await world.call('POST', '/api/Redsys/Notification', {
      body: signParameters(world.deps.config.redsys, order, {
        Ds_Order: order,
        Ds_Amount: String(totalCents),
        Ds_Currency: '978',
        Ds_MerchantCode: '999008881',
        Ds_Terminal: '1',
        Ds_TransactionType: '0',
        Ds_Response: '0000',
      }),
    }),
  );
  return company;
}

const admin = (...args: string[]) => administer(world.deps, args);

interface Row {
  readonly CIF: string;
  readonly Amount: number;
  readonly VatAmount: number;
  readonly AmountIncludingVat: number;
}
async function invoicesOf({ cifNif }: { cifNif: string }): Promise<Row[]> {
  const pending = expectOk(await provider.call<Row[]>('GET', '/api/GetData/GetPendingInvoices'));
  return pending.filter(({ CIF }) => CIF === cifNif);
}

it.each([
  ['monthly', 999, { Amount: 8.26, VatAmount: 1.73, AmountIncludingVat: 9.99 }],
  ['semiannual', 5399, { Amount: 44.62, VatAmount: 9.37, AmountIncludingVat: 53.99 }],
  ['annual', 9999, { Amount: 82.64, VatAmount: 17.35, AmountIncludingVat: 99.99 }],
])('invoices the %s plan to its payer, once, for the amount paid', async (plan, cents, row) => {
  const buyer = await buy(plan, cents);
  expect(await invoiceSubscriptions(world.deps)).toBe(1);
  expect(await invoiceSubscriptions(world.deps)).toBe(0);
  expect(await invoicesOf(buyer)).toEqual([expect.objectContaining(row)]);
  const mails = await world.sql<{ kind: string }[]>`
    select kind from mail_jobs where recipient = ${buyer.email} order by id`;
  expect(mails.map(({ kind }) => kind)).toEqual(['bienvenida', 'pago', 'factura']);
});

it('leads in the log from the notification of a payment to its invoice', async () => {
  lines.length = 0;
  const buyer = await buy('monthly', 999);
  await invoiceSubscriptions(world.deps);
  const told = lines.find(({ msg }) => msg === 'the gateway told of a payment');
  expect(told).toMatchObject({ reqId: expect.any(String), dsOrder: expect.any(String) });
  const [registro] = await world.sql<{ DocNo: string; seq: string }[]>`
    select r.num_serie_factura as "DocNo", r.seq::text from registros r
      join invoices i on i.company_id = r.company_id and i.id = r.invoice_id
     where i.customer_nif = ${buyer.cifNif}`;
  expect(lines.find(({ msg }) => msg === 'invoice registered')).toMatchObject({
    dsOrder: told?.dsOrder,
    companyId: provider.id,
    ...registro,
  });
});

it('issues a single invoice when two processes work at once', async () => {
  const buyer = await buy('monthly', 999);
  const issued = await Promise.all([
    invoiceSubscriptions(world.deps),
    invoiceSubscriptions(world.deps),
  ]);
  expect(issued.sort()).toEqual([0, 1]);
  expect(await invoicesOf(buyer)).toHaveLength(1);
});

it('invoices a payment once whose invoice was issued days ago without recording it', async () => {
  const buyer = await buy('monthly', 999);
  expect(await invoiceSubscriptions(world.deps)).toBe(1);
  const state = () => world.sql<{ no: string | null }[]>`
    select p.invoice_no as no from payments p join companies c on c.id = p.company_id
     where c.nif = ${buyer.cifNif}`;
  const marked = await state();
  expect(marked).toEqual([{ no: expect.any(String) }]);
  await world.sql`
    update payments set invoice_no = null, invoice_tried_at = null
     where company_id = (select id from companies where nif = ${buyer.cifNif})`;
  await world.sql`delete from idempotency_keys where company_id = ${provider.id}`;
  expect(await invoiceSubscriptions(world.deps)).toBe(0);
  expect(await invoicesOf(buyer)).toHaveLength(1);
  expect(await state()).toEqual(marked);
});

it('invoices a payer whose account was closed since, at the address of its closing', async () => {
  const buyer = await buy('monthly', 999);
  const { tokenJWT: token } = expectOk(
    await world.call<{ tokenJWT: string }>('POST', '/api/Auth/login', {
      body: { Email: buyer.email, Password: buyer.password },
    }),
  );
  expectOk(await world.call('POST', '/api/PostData/DeleteAccount', { token, body: {} }));
  expect(await invoiceSubscriptions(world.deps)).toBe(1);
  expect(await invoicesOf(buyer)).toHaveLength(1);
  const mails = await world.sql<{ kind: string }[]>`
    select kind from mail_jobs where recipient = ${buyer.email} order by id`;
  expect(mails.at(-1)?.kind).toBe('factura');
});

it('invoices again a client that the provider has deleted', async () => {
  const buyer = await buy('monthly', 999);
  expect(await invoiceSubscriptions(world.deps)).toBe(1);
  expectOk(
    await provider.call('POST', '/api/PostData/DeleteCliente', { No: `SUS-${buyer.cifNif}` }),
  );
  await world.sql`
    update payments
       set invoice_no = null, ds_order = reverse(ds_order), order_id = reverse(order_id), invoice_tried_at = null
     where company_id = (select id from companies where nif = ${buyer.cifNif})`;
  expect(await invoiceSubscriptions(world.deps)).toBe(1);
  expect(await invoicesOf(buyer)).toHaveLength(2);
});

it('leaves a sale to a person if its tax is not the IVA of the price', async () => {
  const buyer = await buy('monthly', 999, '35001');
  const toInvoice = async () =>
    (await readServiceState(world.sql, world.deps.clock(), { areDemosApart: false }))
      .paymentsToInvoice;
  lines.length = 0;
  expect(await invoiceSubscriptions(world.deps)).toBe(0);
  expect(await invoicesOf(buyer)).toEqual([]);
  for (let hours = 0; hours < 3; hours++) {
    expect(await invoiceSubscriptions(world.deps)).toBe(0);
    world.advanceClock(3_601);
  }
  expect(lines.filter(({ msg }) => String(msg).includes('by hand'))).toHaveLength(1);
  expect(await toInvoice()).toBe(1);

  const [payment] = await world.sql<{ order: string }[]>`
    select p.ds_order as "order" from payments p join companies c on c.id = p.company_id
     where c.nif = ${buyer.cifNif}`;
  const order = payment?.order ?? '';
  expect((await admin('pagos')).text).toMatch(new RegExp(`${order} .* a mano`));
  expect((await admin('pagos', 'facturado', order)).text).toContain('--numero');
  expect((await admin('pagos', 'facturado', order, '--numero', 'M-7')).code).toBe(0);
  // Here a mistyped number is corrected.
  expect((await admin('pagos', 'facturado', order, '--numero', 'M-8')).code).toBe(0);
  expect(await toInvoice()).toBe(0);
  expect((await admin('pagos')).text).toBe('Nada.');
});

it('waits for the provider’s certificate, and then issues', async () => {
  const buyer = await buy('annual', 9999);
  const [kept] =
    await world.sql`delete from certificates where company_id = ${provider.id} returning *`;
  expect(await invoiceSubscriptions(world.deps)).toBe(0);
  await world.sql`insert into certificates ${world.sql(kept as Record<string, never>)}`;
  expect(await invoiceSubscriptions(world.deps)).toBe(0);
  world.advanceClock(3_601);
  expect(await invoiceSubscriptions(world.deps)).toBe(1);
  const rows = await world.sql<{ invoice_no: string | null }[]>`
    select p.invoice_no from payments p join companies c on c.id = p.company_id
     where c.nif = ${buyer.cifNif}`;
  expect(rows).toEqual([{ invoice_no: expect.stringMatching(/^\d{5}\//) }]);
});

it('says that it is paid by card, and on which day if it is issued later', async () => {
  const buyer = await buy('monthly', 999);
  world.advanceClock(3 * 86_400);
  const issued = async () => {
    const [row] = await world.sql<{ issued: IssuedInvoice; xml: string }[]>`
      select r.issued, r.xml from registros r
        join invoices i on i.company_id = r.company_id and i.id = r.invoice_id
       where i.customer_nif = ${buyer.cifNif}`;
    return row;
  };
  expect(await invoiceSubscriptions(world.deps)).toBe(1);
  const row = await issued();
  const day = (daysAgo: number) =>
    isoDateIn(new Date(world.deps.clock().getTime() - daysAgo * 86_400_000), 'Europe/Madrid');
  expect(row?.issued).toMatchObject({
    fechaExpedicion: day(0),
    fechaOperacion: day(3),
    formaPago: 'Tarjeta de crédito o débito',
    vencimientos: [{ fecha: day(0), importe: '9.99' }],
  });
  expect(row?.issued.iban ?? null).toBeNull();
  expect(row?.xml).toContain(`<sum1:FechaOperacion>${fechaAeat(day(3))}<`);
});

it('issues nothing while the provider is in a demo whose invoices do not count', async () => {
  await buy('monthly', 999);
  const produccion = { ...world.deps.config.aeat, entorno: 'produccion' as const };
  const config = { ...world.deps.config, aeat: produccion };
  await world.sql`update companies set subscription_type = 'Demo' where id = ${provider.id}`;
  expect(await invoiceSubscriptions({ ...world.deps, config })).toBe(0);
  await world.sql`update companies set subscription_type = 'annual' where id = ${provider.id}`;
  expect(await invoiceSubscriptions(world.deps)).toBe(1);
});
