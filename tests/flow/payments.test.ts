import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { DatosSubscripcion } from '../../src/contract/company.ts';
import type { EstadoPago, GatewayForm } from '../../src/contract/payments.ts';
import { addMonths, isoDateIn } from '../../src/domain/dates.ts';
import { TERMS_VERSION } from '../../src/domain/terms.ts';
import { startMailWorker } from '../../src/mail/worker.ts';
import { reconcilePayments } from '../../src/operations/reconcile-payments.ts';
import { refundPayment } from '../../src/payments/client.ts';
import { signParameters } from '../../src/payments/form.ts';
import { gatewayOf } from '../../src/payments/merchant.ts';
import { freePort } from '../../src/platform/free-port.ts';
import { expirePayment, giveUpUnasked } from '../../src/store/payments.ts';
import { readServiceState } from '../../src/store/service-state.ts';
import { type AtTheGateway, newOrderId, parametersOf, payAt, post } from '../support/gateway.ts';
import { expectOk, openWorld, untilTrue, type World } from '../support/world.ts';

const PASSWORD = 'tres barcas y un farol azul';
const MINUTE = 60;
const HOUR = 60 * MINUTE;

let world: World;
let baseUrl: string;
let nextNumber = 40_000_000;

beforeAll(async () => {
  const port = await freePort();
  world = await openWorld({ PORT: String(port) });
  await world.app.listen({ host: '127.0.0.1', port });
  baseUrl = `http://127.0.0.1:${port}`;
});
afterAll(() => world.close());
afterEach(() => gatewayDoes({ aviso: null, tardeSegundos: 30, caido: false }));

async function gatewayDoes(change: object): Promise<void> {
  const answer = await world.control('/desarrollo/redsys/comportamiento', change);
  if (!answer.ok) throw new Error(await answer.text());
}

interface Operacion {
  readonly Ds_Order: string;
  readonly Ds_MerchantData: string;
  readonly devueltoCents: number;
}
async function operacionOf(orderId: string): Promise<Operacion> {
  const answer = await world.control('/desarrollo/redsys/operaciones');
  const found = ((await answer.json()) as Operacion[]).find((o) => o.Ds_MerchantData === orderId);
  if (!found) throw new Error(`The gateway has no ${orderId}.`);
  return found;
}

function newCompany(plan = 'semiannual') {
  const number = nextNumber++;
  return {
    email: `pago${number}@ejemplo.es`,
    password: PASSWORD,
    fullName: 'Obrador Candela, S.L.',
    cifNif: `${number}${'TRWAGMYFPDXBNJZSQVHLCKE'.charAt(number % 23)}`,
    address: 'Calle de San Blas, 14',
    countryCode: 'ES',
    postCode: '50003',
    subscriptionType: plan,
  };
}
type NewCompany = ReturnType<typeof newCompany>;

async function begin(company: NewCompany, orderId = newOrderId(), totalCents = 5399) {
  const form = expectOk(
    await world.call<GatewayForm>('POST', '/api/Redsys/InitPayment', {
      body: { orderId, totalCents, userData: JSON.stringify(company) },
    }),
  );
  return { orderId, form, company };
}

async function pay(at: AtTheGateway = {}, company = newCompany()) {
  const begun = await begin(company);
  return { ...begun, back: await payAt(begun.form, at) };
}

const estado = async (orderId: string) =>
  expectOk(await world.call<EstadoPago>('GET', `/api/Redsys/Estado?orderId=${orderId}`));

const login = (email: string) =>
  world.call<{ tokenJWT: string }>('POST', '/api/Auth/login', {
    body: { Email: email, Password: PASSWORD },
  });

const companiesOf = async (email: string) =>
  (await world.sql`select 1 from companies where email = ${email}`).length;

const mailsOf = async (email: string) =>
  (
    await world.sql<{ kind: string }[]>`
      select kind from mail_jobs where recipient = ${email} order by id`
  ).map(({ kind }) => kind);

const reconcile = () => {
  const gateway = gatewayOf('simulador', world.runtime.redsysUrl);
  if (!gateway) throw new Error('There is no gateway.');
  return reconcilePayments(world.deps, gateway);
};

async function subscriptionOf(token: string) {
  const answer = await world.call<DatosSubscripcion>('GET', '/api/GetData/GetDatosSubscripcion', {
    token,
  });
  return expectOk(answer);
}

const dayOf = (instant: Date) => isoDateIn(instant, 'Europe/Madrid');

describe('a first payment', () => {
  it('authorised: creates the account with six months, and sends the welcome and the receipt', async () => {
    const { orderId, company, back } = await pay();
    expect(back.location).toBe(`${baseUrl}/registro/pago?orderId=${orderId}`);
    expect(await estado(orderId)).toEqual({ estado: 'pagado', tipo: 'alta' });
    const { tokenJWT } = expectOk(await login(company.email));
    const subscription = await subscriptionOf(tokenJWT);
    expect(subscription).toMatchObject({ type: 'semiannual', enabled: true });
    expect(subscription.expirationdate).toBe(addMonths(dayOf(world.deps.clock()), 6));
    expect(await mailsOf(company.email)).toEqual(['bienvenida', 'pago']);
    // What was asked for to create it is not kept twice.
    expect(await world.sql`select sign_up from payments where order_id = ${orderId}`).toEqual([
      { sign_up: null },
    ]);
  });

  it('creates no account until the gateway says so', async () => {
    const { orderId, company } = await begin(newCompany());
    expect(await estado(orderId)).toMatchObject({ estado: 'pendiente' });
    expect((await login(company.email)).status).toBe(401);
  });

  it('denied: creates no account, explains why, and allows another attempt of the same order', async () => {
    const { orderId, company, back } = await pay({ respuesta: 'denegar' });
    expect(back.location).toBe(`${baseUrl}/registro/pago?orderId=${orderId}&ko=1`);
    expect(await estado(orderId)).toMatchObject({
      estado: 'denegado',
      mensaje: 'Tu banco ha denegado el pago.',
      codigo: '0190',
    });
    expect(await companiesOf(company.email)).toBe(0);

    const again = await begin(company, orderId);
    await payAt(again.form);
    expect(await estado(orderId)).toMatchObject({ estado: 'pagado' });
    expect(await companiesOf(company.email)).toBe(1);
  });

  it.each([
    ['the generic VISA with CVV 172', { cvv: '172' }, '0172'],
    ['an expired card', { caducidad: '01/20' }, '0101'],
    ['a card that is not of trials', { numero: '4111 1111 1111 1111' }, '0118'],
    ['the card that is always denied', { numero: '5576440022788500' }, '0190'],
    ['the wrong code of the phone', { numero: '4548817212493017', codigo: '000000' }, '0184'],
    ['a check that the bank refuses', { numero: '4907271141151707', codigo: '123456' }, '0184'],
    ['somebody who leaves', { cancel: true }, '9915'],
  ])('%s: denied with its code', async (_, at, codigo) => {
    const { orderId } = await pay(at);
    expect(await estado(orderId)).toMatchObject({ estado: 'denegado', codigo });
  });

  it('denied with the page closed: reported once by e-mail after ten minutes, and only if it is not paid', async () => {
    const worker = startMailWorker(world.deps, { smtpUrl: world.runtime.smtpUrl });
    const company = newCompany();
    await pay({ cancel: true }, company);
    expect(await mailsOf(company.email)).toEqual([]);
    await pay({ respuesta: 'denegar' }, company);
    const { orderId } = await pay({ cvv: '173' }, company);
    expect(await mailsOf(company.email)).toEqual(['pago-denegado']);

    const lucky = newCompany();
    await pay({ respuesta: 'denegar' }, lucky);
    await pay({}, lucky);
    world.advanceClock(10 * MINUTE + 1);
    worker.wake();
    const [row] = await untilTrue(
      () =>
        world.sql<{ last_error: string | null }[]>`
          select last_error from mail_jobs
           where recipient = ${lucky.email} and kind = 'pago-denegado' and failed_at is not null`,
      (rows) => rows.length === 1,
    );
    expect(row?.last_error).toBe('Se ha pagado después.');
    const [mail] = await untilTrue(
      async () =>
        (await (await world.control(`/desarrollo/correo?para=${company.email}`)).json()) as {
          asunto: string;
          texto: string;
        }[],
      (mails) => mails.length > 0,
    );
    await worker.stop();
    expect(mail?.asunto).toBe('El banco ha denegado tu pago');
    expect(mail?.texto).toContain('Revisa los datos de la tarjeta.');
    expect(mail?.texto).toContain(orderId);
  });

  it('after the bank’s check: authorised', async () => {
    const { orderId } = await pay({ numero: '4918019199883839', codigo: '123456' });
    expect(await estado(orderId)).toMatchObject({ estado: 'pagado' });
  });

  it('notified twice: creates one account and sends one receipt', async () => {
    const { orderId, company } = await pay({ respuesta: 'dos' });
    expect(await estado(orderId)).toMatchObject({ estado: 'pagado' });
    expect(await mailsOf(company.email)).toEqual(['bienvenida', 'pago']);
  });

  it('notified by ten calls at once: creates one account, and answers all of them', async () => {
    await gatewayDoes({ aviso: 'nunca' });
    const { orderId, company } = await pay();
    const { Ds_Order: pedido } = await operacionOf(orderId);
    const answers = await Promise.all(
      Array.from({ length: 10 }, async () => {
        const answer = await world.control('/desarrollo/redsys/avisar', { pedido });
        return ((await answer.json()) as { estadoHttp: number }).estadoHttp;
      }),
    );
    expect(answers).toEqual(Array(10).fill(200));
    expect(await companiesOf(company.email)).toBe(1);
    expect(await mailsOf(company.email)).toEqual(['bienvenida', 'pago']);
  });

  it('notified late: pending meanwhile', async () => {
    await gatewayDoes({ tardeSegundos: 0.1 });
    const { orderId, form } = await begin(newCompany());
    await world.sql.begin(async (tx) => {
      // It is not recorded before this, however slow this machine is.
      await tx`select from payments where order_id = ${orderId} for update`;
      await payAt(form, { respuesta: 'tarde' });
      expect(await estado(orderId)).toMatchObject({ estado: 'pendiente' });
    });
    await untilTrue(
      () => estado(orderId),
      (found) => found.estado === 'pagado',
    );
  });

  it('reported only in the address that the browser returns to: believed for its signature, not for its source', async () => {
    const { orderId, company, back } = await pay({ respuesta: 'vuelta' });
    const signed = Object.fromEntries(new URL(back.location ?? '').searchParams);
    expect(signed.orderId).toBe(orderId);
    expect(await estado(orderId)).toMatchObject({ estado: 'pendiente' });
    const tell = (fields: object) =>
      world.call('POST', '/api/Redsys/Notification', { body: { ...signed, ...fields } });
    const parameters = Buffer.from(
      Buffer.from(signed.Ds_MerchantParameters ?? '', 'base64')
        .toString()
        .replace('0000', '0001'),
    ).toString('base64');
    expect((await tell({ Ds_MerchantParameters: parameters })).status).toBe(400);
    expect(await companiesOf(company.email)).toBe(0);
    expect((await tell({})).status).toBe(200);
    expect((await tell({})).status).toBe(200);
    expect(await estado(orderId)).toMatchObject({ estado: 'pagado' });
    expect(await companiesOf(company.email)).toBe(1);
  });

  it('notified with a wrong signature: ignored, until the right one comes', async () => {
    await gatewayDoes({ aviso: 'firma' });
    const { orderId, company } = await pay();
    expect(await estado(orderId)).toMatchObject({ estado: 'pendiente' });
    expect(await companiesOf(company.email)).toBe(0);
    const { Ds_Order: pedido } = await operacionOf(orderId);
    const answer = await world.control('/desarrollo/redsys/avisar', { pedido });
    expect(await answer.json()).toEqual({ estadoHttp: 200 });
    expect(await companiesOf(company.email)).toBe(1);
  });

  it('never notified: asked about after a quarter of an hour', async () => {
    await gatewayDoes({ aviso: 'nunca' });
    const { orderId, company } = await pay();
    await reconcile();
    expect(await estado(orderId)).toMatchObject({ estado: 'pendiente' });
    world.advanceClock(16 * MINUTE);
    await gatewayDoes({ caido: true });
    expect((await reconcile()).failed).toBeGreaterThan(0);
    expect(await estado(orderId)).toMatchObject({ estado: 'pendiente' });
    await gatewayDoes({ caido: false });
    expect((await reconcile()).settled).toBeGreaterThan(0);
    expect(await estado(orderId)).toMatchObject({ estado: 'pagado' });
    expect(await companiesOf(company.email)).toBe(1);
  });

  it('records which terms were accepted and when, however late the bank notifies us', async () => {
    await gatewayDoes({ aviso: 'nunca' });
    const { company } = await pay();
    const accepted = world.deps.clock().getTime();
    world.advanceClock(2 * HOUR);
    await reconcile();
    const [row] = await world.sql<{ at: Date; version: string | null }[]>`
      select terms_accepted_at as at, terms_version as version from companies
       where email = ${company.email}`;
    expect(Math.abs((row?.at.getTime() ?? 0) - accepted)).toBeLessThan(MINUTE * 1000);
    expect(row?.version).toBe(TERMS_VERSION);
  });

  it('never paid: expires after a day, and the sign-up data are deleted', async () => {
    const { orderId } = await begin(newCompany());
    world.advanceClock(25 * HOUR);
    await reconcile();
    expect((await estado(orderId)).estado).toBe('denegado');
    const [row] = await world.sql<{ status: string; sign_up: Buffer | null }[]>`
      select status, sign_up from payments where order_id = ${orderId}`;
    expect(row).toEqual({ status: 'expired', sign_up: null });
  });

  it('that the gateway cannot be asked about: reported after three days, and asked about for thirty', async () => {
    const { orderId, company, form } = await begin(newCompany());
    const other = await begin(newCompany());
    await gatewayDoes({ caido: true });
    world.advanceClock(71 * HOUR);
    await reconcile();
    expect(await estado(orderId)).toMatchObject({ estado: 'pendiente' });
    world.advanceClock(2 * HOUR);
    await reconcile();
    await reconcile();
    expect(await mailsOf(company.email)).toEqual(['pago-sin-confirmar']);
    expect(await estado(orderId)).toMatchObject({
      estado: 'pendiente',
      mensaje: expect.stringContaining('No pagues otra vez'),
    });
    const toLookAt = async () =>
      (await readServiceState(world.sql, world.deps.clock(), { areDemosApart: false })).payments;
    const before = await toLookAt();
    world.advanceClock(24 * 24 * HOUR);
    await gatewayDoes({ caido: false, aviso: 'nunca' });
    await payAt(form);
    await reconcile();
    expect(await estado(orderId)).toMatchObject({ estado: 'pagado' });
    expect(await companiesOf(company.email)).toBe(1);
    // The other one was never paid, as the gateway can now say.
    expect((await estado(other.orderId)).estado).toBe('denegado');
    expect(await toLookAt()).toBeLessThanOrEqual(before - 2);
  });

  it('that can never be asked about: the sign-up data are deleted after thirty days', async () => {
    const { orderId } = await begin(newCompany());
    await gatewayDoes({ caido: true });
    world.advanceClock(73 * HOUR);
    await reconcile();
    const keeps = async () =>
      (
        await world.sql<{ keeps: boolean }[]>`
          select sign_up is not null as keeps from payments where order_id = ${orderId}`
      )[0]?.keeps;
    world.advanceClock(26 * 24 * HOUR);
    await reconcile();
    expect(await keeps()).toBe(true);
    world.advanceClock(24 * HOUR);
    await reconcile();
    expect(await keeps()).toBe(false);
  });

  it('begun twice: paid once one of them is, and paid still when the other one is refunded', async () => {
    const company = newCompany();
    const { orderId, form } = await begin(company);
    const again = await begin(company, orderId);
    await payAt(form);
    expect(await estado(orderId)).toEqual({ estado: 'pagado', tipo: 'alta' });
    await payAt(again.form);
    expect((await reconcile()).refunded).toBe(1);
    expect(await estado(orderId)).toEqual({ estado: 'pagado', tipo: 'alta' });
    expect(await companiesOf(company.email)).toBe(1);
  });

  it('that is given up, or expires, as the gateway tells of it: what it told stays', async () => {
    const { form } = await pay();
    const dsOrder = String(parametersOf(form).DS_MERCHANT_ORDER);
    const now = world.deps.clock();
    expect(await giveUpUnasked(world.sql, dsOrder, now)).toBe(false);
    await expirePayment(world.sql, dsOrder, now);
    const [row] = await world.sql`select status from payments where ds_order = ${dsOrder}`;
    expect(row).toEqual({ status: 'paid' });
  });

  it('denied after nobody could be asked: its sign-up data are deleted like those of any other', async () => {
    const { orderId, form } = await begin(newCompany());
    await gatewayDoes({ caido: true });
    world.advanceClock(73 * HOUR);
    await reconcile();
    await gatewayDoes({ caido: false });
    await payAt(form, { respuesta: 'denegar' });
    await reconcile();
    const [row] = await world.sql`
      select status, sign_up from payments where order_id = ${orderId}`;
    expect(row).toEqual({ status: 'denied', sign_up: null });
  });

  it('of an account that somebody else created meanwhile: refunded, with an e-mail', async () => {
    const first = await begin(newCompany());
    await pay({}, first.company);
    await payAt(first.form);
    expect(await companiesOf(first.company.email)).toBe(1);
    expect(await estado(first.orderId)).toMatchObject({
      estado: 'denegado',
      mensaje: expect.stringContaining('te devolvemos el importe'),
      devuelto: 'cuenta-existente',
    });
    expect((await reconcile()).refunded).toBe(1);
    expect((await reconcile()).refunded).toBe(0);
    expect((await operacionOf(first.orderId)).devueltoCents).toBe(5399);
    expect(await mailsOf(first.company.email)).toEqual(['bienvenida', 'pago', 'pago-devuelto']);
  });

  it('refunded by a process that died before recording it: recognised, and not requested again', async () => {
    const first = await begin(newCompany());
    await pay({}, first.company);
    await payAt(first.form);
    const { Ds_Order: dsOrder } = await operacionOf(first.orderId);
    const gateway = gatewayOf('simulador', world.runtime.redsysUrl);
    if (!gateway) throw new Error('There is no gateway.');
    await refundPayment(world.deps.config.redsys, gateway, { dsOrder, amountCents: 5399n });
    await world.sql`
      update payments set refund_tried_at = ${world.deps.clock()} where ds_order = ${dsOrder}`;
    world.advanceClock(31 * MINUTE);
    expect(await reconcile()).toMatchObject({ refunded: 1, failed: 0 });
    expect((await operacionOf(first.orderId)).devueltoCents).toBe(5399);

    // A refund that was refused is requested again.
    const second = await begin(newCompany());
    await pay({}, second.company);
    await payAt(second.form);
    await gatewayDoes({ caido: true });
    await reconcile();
    await gatewayDoes({ caido: false });
    world.advanceClock(31 * MINUTE);
    expect(await reconcile()).toMatchObject({ refunded: 1 });
    expect((await operacionOf(second.orderId)).devueltoCents).toBe(5399);
  });

  it('of a deleted sign-up: refunded, without giving another reason', async () => {
    const { orderId, form } = await begin(newCompany());
    await world.sql`update payments set sign_up = null where order_id = ${orderId}`;
    await payAt(form);
    const told = await estado(orderId);
    expect(told.mensaje).toContain('ya no guardábamos los datos del alta');
    expect(told.mensaje).not.toContain('Ya existía una cuenta');
    expect((await reconcile()).refunded).toBe(1);
    expect(await estado(orderId)).toEqual(told);
  });

  it('sends a readable welcome and receipt', async () => {
    const { orderId, company } = await pay();
    const worker = startMailWorker(world.deps, { smtpUrl: world.runtime.smtpUrl });
    const mails = await untilTrue(
      async () =>
        (await (await world.control(`/desarrollo/correo?para=${company.email}`)).json()) as {
          asunto: string;
          texto: string;
        }[],
      (found) => found.length === 2,
    );
    await worker.stop();
    const receipt = mails.find(({ asunto }) => asunto.startsWith('Hemos recibido tu pago'));
    expect(receipt?.texto).toContain('53,99');
    expect(receipt?.texto).toContain(orderId);
    for (const { texto } of mails) expect(texto).not.toContain(PASSWORD);
  });
});

describe('what is signed', () => {
  it('is the plan’s price, whatever the browser says', async () => {
    const { form } = await begin(newCompany('annual'), newOrderId(), 9999);
    expect(parametersOf(form)).toMatchObject({
      DS_MERCHANT_AMOUNT: '9999',
      DS_MERCHANT_CURRENCY: '978',
      DS_MERCHANT_TRANSACTIONTYPE: '0',
      DS_MERCHANT_PRODUCTDESCRIPTION: 'Suscripción anual',
    });
  });

  it('contains no personal data and no password, and neither does the database', async () => {
    const { form, company, orderId } = await begin(newCompany());
    const signed = JSON.stringify(parametersOf(form));
    const [row] = await world.sql<{ dump: string }[]>`
      select p::text || encode(sign_up, 'escape') as dump from payments p
       where order_id = ${orderId}`;
    for (const secret of [PASSWORD, company.email, company.cifNif, company.fullName]) {
      expect(signed).not.toContain(secret);
      expect(row?.dump).not.toContain(secret);
    }
  });

  it('is refused by the gateway if it was changed on the way', async () => {
    const { form } = await begin(newCompany());
    const cheaper = Buffer.from(
      JSON.stringify({ ...parametersOf(form), DS_MERCHANT_AMOUNT: '1' }),
    ).toString('base64');
    const { page } = await payAt({ ...form, ds_MerchantParameters: cheaper });
    expect(page).toContain('SIS0042');
  });
});

describe('a notification', () => {
  const notify = async (fields: Record<string, string>) =>
    (await post(`${baseUrl}/api/Redsys/Notification`, fields)).status;

  async function notificationOf(form: GatewayForm, change: Record<string, string> = {}) {
    const asked = parametersOf(form);
    const order = asked.DS_MERCHANT_ORDER ?? '';
    const answer = {
      Ds_Amount: asked.DS_MERCHANT_AMOUNT ?? '',
      Ds_Currency: '978',
      Ds_Order: order,
      Ds_MerchantCode: asked.DS_MERCHANT_MERCHANTCODE ?? '',
      Ds_Terminal: '001',
      Ds_Response: '0000',
      Ds_MerchantData: asked.DS_MERCHANT_MERCHANTDATA ?? '',
      Ds_TransactionType: '0',
      Ds_AuthorisationCode: '482913',
      ...change,
    };
    return { ...signParameters(world.deps.config.redsys, answer.Ds_Order, answer) };
  }

  it.each([
    ['amount', { Ds_Amount: '999' }],
    ['currency', { Ds_Currency: '840' }],
    ['merchant', { Ds_MerchantCode: '999008882' }],
    ['terminal', { Ds_Terminal: '002' }],
    ['type', { Ds_TransactionType: '1' }],
    ['order of the customer', { Ds_MerchantData: 'O00000000000' }],
    ['order', { Ds_Order: '2611AAAAAAAA' }],
  ])(
    'of another %s is answered 400 and creates no account, although correctly signed',
    async (_, change) => {
      const { form, company } = await begin(newCompany());
      expect(await notify(await notificationOf(form, change))).toBe(400);
      expect(await companiesOf(company.email)).toBe(0);
    },
  );

  it('of a denial after the payment changes nothing', async () => {
    const { orderId, form } = await pay();
    expect(await notify(await notificationOf(form, { Ds_Response: '0190' }))).toBe(200);
    expect(await estado(orderId)).toMatchObject({ estado: 'pagado' });
    // Nor does one of another amount, which is refused.
    expect(await notify(await notificationOf(form, { Ds_Amount: '999' }))).toBe(400);
    expect(await estado(orderId)).toMatchObject({ estado: 'pagado' });
  });

  it('of an authorisation after a denial of the same attempt is believed: the card was charged', async () => {
    const { orderId, form, company } = await pay({ respuesta: 'denegar' });
    expect(await notify(await notificationOf(form))).toBe(200);
    expect(await estado(orderId)).toMatchObject({ estado: 'pagado' });
    expect(await companiesOf(company.email)).toBe(1);
  });

  it('of a denial, when another card has paid without a notification: the gateway is asked once more', async () => {
    const { orderId, form, company } = await begin(newCompany());
    await gatewayDoes({ aviso: 'nunca' });
    await payAt(form);
    expect(await notify(await notificationOf(form, { Ds_Response: '0190' }))).toBe(200);
    await reconcile();
    expect(await estado(orderId)).toMatchObject({ estado: 'denegado', codigo: '0190' });
    world.advanceClock(31 * MINUTE);
    await reconcile();
    expect(await estado(orderId)).toMatchObject({ estado: 'pagado' });
    expect(await companiesOf(company.email)).toBe(1);
  });

  it('of a denial, between half an hour and a day ago: the gateway is asked once, unless nothing can come of it', async () => {
    const denied = async (change: object = {}) => {
      const { orderId } = await pay({ respuesta: 'denegar' });
      if (Object.keys(change).length > 0) {
        await world.sql`update payments set ${world.sql(change)} where order_id = ${orderId}`;
      }
      return orderId;
    };
    const ago = (minutes: number) =>
      new Date(world.deps.clock().getTime() - minutes * MINUTE * 1000);
    const lately = ago(60);
    const lost = { settled_at: lately, sign_up: null };
    const { company } = await pay();
    const [payer] = await world.sql<{ id: number }[]>`
      select id from companies where email = ${company.email}`;
    const orders = {
      aDayAgo: await denied({ settled_at: ago(24 * 60) }),
      almostADayAgo: await denied({ settled_at: ago(24 * 60 - 5) }),
      justNow: await denied({ settled_at: ago(25) }),
      closedByHand: await denied({ settled_at: lately, closed_at: lately }),
      cancelled: await denied({ settled_at: lately, ds_response: '9915' }),
      withoutData: await denied(lost),
      renewal: await denied({ ...lost, kind: 'renovacion', company_id: payer?.id }),
      expired: await denied({ settled_at: lately, status: 'expired' }),
      askedBefore: await denied({ settled_at: lately, asked_again_at: ago(65) }),
    };
    await reconcile();
    const asked = await world.sql<{ order_id: string }[]>`
      select order_id from payments
       where order_id = any(${Object.values(orders)}) and asked_again_at > ${lately}`;
    const names = Object.entries(orders).filter(([, id]) =>
      asked.some((row) => row.order_id === id),
    );
    expect(names.map(([name]) => name)).toEqual(['almostADayAgo', 'renewal']);
  });

  it('while the card is still being typed changes nothing', async () => {
    const { orderId, form } = await begin(newCompany());
    expect(await notify(await notificationOf(form, { Ds_Response: '9998' }))).toBe(200);
    expect(await estado(orderId)).toMatchObject({ estado: 'pendiente' });
  });

  it.each([
    ['no fields', {}],
    ['an unknown version', { Ds_SignatureVersion: 'HMAC_MD5' }],
    ['an empty signature', { Ds_Signature: '' }],
    ['parameters without order', { Ds_MerchantParameters: 'e30=' }],
  ])('with %s is answered 400', async (_, change) => {
    const { form } = await begin(newCompany());
    const whole = Object.keys(change).length === 0 ? {} : await notificationOf(form);
    expect(await notify({ ...whole, ...change })).toBe(400);
  });

  it('longer than any of Redsys’s is not read', async () => {
    expect(await notify({ Ds_MerchantParameters: 'A'.repeat(20_000) })).toBe(413);
  });
});

describe('a renewal', () => {
  async function renew(token: string, plan: string, totalCents: number, at?: AtTheGateway) {
    const orderId = newOrderId();
    const form = expectOk(
      await world.call<GatewayForm>('POST', '/api/Redsys/InitRenewPayment', {
        token,
        body: { orderId, totalCents, datosEmpresa: '{}', subscriptionType: plan },
      }),
    );
    await payAt(form, at);
    return orderId;
  }

  it('before the end extends it without losing days', async () => {
    const { company } = await pay();
    const token = expectOk(await login(company.email)).tokenJWT;
    const before = await subscriptionOf(token);
    const orderId = await renew(token, 'annual', 9999);
    expect(await estado(orderId)).toEqual({ estado: 'pagado', tipo: 'renovacion' });
    const after = await subscriptionOf(token);
    expect(after).toMatchObject({ type: 'annual', enabled: true });
    expect(after.expirationdate).toBe(addMonths(before.expirationdate, 12));
    expect(await mailsOf(company.email)).toEqual(['bienvenida', 'pago', 'pago']);
  });

  it('after the end counts from today, and allows invoicing again', async () => {
    const { company } = await pay({}, newCompany());
    world.advanceClock(200 * 24 * HOUR);
    const token = expectOk(await login(company.email)).tokenJWT;
    expect((await subscriptionOf(token)).enabled).toBe(false);
    await renew(token, 'monthly', 999);
    const after = await subscriptionOf(token);
    expect(after).toMatchObject({ type: 'monthly', enabled: true });
    expect(after.expirationdate).toBe(addMonths(dayOf(world.deps.clock()), 1));
  });

  it('of a demo turns it into a plan, and the remaining days are not lost', async () => {
    const { token } = await world.signUp('B12345674');
    const before = await subscriptionOf(token);
    expect(before.type).toBe('Demo');
    await renew(token, 'semiannual', 5399);
    const after = await subscriptionOf(token);
    expect(after).toMatchObject({ type: 'semiannual', enabled: true });
    expect(after.expirationdate).toBe(addMonths(before.expirationdate, 6));
    expect(
      expectOk(await world.call<boolean>('GET', '/api/GetData/GetDataBaseDemo', { token })),
    ).toBe(false);
  });

  it('that is denied leaves the subscription as it was', async () => {
    const { company } = await pay();
    const token = expectOk(await login(company.email)).tokenJWT;
    const before = await subscriptionOf(token);
    await renew(token, 'annual', 9999, { respuesta: 'denegar' });
    expect(await subscriptionOf(token)).toEqual(before);
  });

  it('that is denied again takes the place of the notice that nobody has begun to send, and of no other', async () => {
    const { company } = await pay();
    const token = expectOk(await login(company.email)).tokenJWT;
    const deny = async () => {
      await renew(token, 'annual', 9999, { respuesta: 'denegar' });
      return mailsOf(company.email);
    };
    const noteOfNotices = (change: object) =>
      world.sql`
        update mail_jobs set ${world.sql(change)}
         where recipient = ${company.email} and kind = 'pago-denegado'`;
    const before = ['bienvenida', 'pago'];
    expect(await deny()).toEqual([...before, 'pago-denegado']);
    expect(await deny()).toEqual([...before, 'pago-denegado']);
    await noteOfNotices({ attempts: 1 });
    expect(await deny()).toEqual([...before, 'pago-denegado', 'pago-denegado']);
    await noteOfNotices({ attempts: 0, sent_at: world.deps.clock() });
    expect(await deny()).toHaveLength(5);
    // Of the same company, to another address.
    await noteOfNotices({ sent_at: null, recipient: 'otra@ejemplo.es' });
    expect(await deny()).toEqual([...before, 'pago-denegado']);
    expect(await mailsOf('otra@ejemplo.es')).toHaveLength(3);
  });

  it('of an account that was closed meanwhile is refunded, with an e-mail to the address of the closing', async () => {
    const { company } = await pay();
    const token = expectOk(await login(company.email)).tokenJWT;
    const orderId = newOrderId();
    const form = expectOk(
      await world.call<GatewayForm>('POST', '/api/Redsys/InitRenewPayment', {
        token,
        body: { orderId, totalCents: 999, datosEmpresa: '{}', subscriptionType: 'monthly' },
      }),
    );
    expectOk(await world.call('POST', '/api/PostData/DeleteAccount', { token, body: {} }));
    await payAt(form);
    const { mensaje } = await estado(orderId);
    expect(mensaje).toContain('La cuenta se eliminó');
    expect((await mailsOf(company.email)).slice(-2)).toEqual(['cuenta-eliminada', 'pago-devuelto']);
    expect((await reconcile()).refunded).toBe(1);
  });

  it('notified twice is added once', async () => {
    const { company } = await pay();
    const token = expectOk(await login(company.email)).tokenJWT;
    const before = await subscriptionOf(token);
    await renew(token, 'monthly', 999, { respuesta: 'dos' });
    const after = await subscriptionOf(token);
    expect(after.expirationdate).toBe(addMonths(before.expirationdate, 1));
  });

  it('paid again before the bank had confirmed the first: added once, and the other payment is refunded', async () => {
    const { company } = await pay();
    const token = expectOk(await login(company.email)).tokenJWT;
    const before = await subscriptionOf(token);
    await gatewayDoes({ aviso: 'nunca' });
    const first = await renew(token, 'monthly', 999);
    const other = await renew(token, 'annual', 9999);
    await gatewayDoes({ aviso: null });
    const second = await renew(token, 'monthly', 999);
    expect(await estado(second)).toEqual({ estado: 'pagado', tipo: 'renovacion' });
    world.advanceClock(16 * MINUTE);
    await reconcile();
    expect(await estado(first)).toEqual({
      estado: 'pagado',
      tipo: 'renovacion',
      mensaje: expect.stringContaining('te devolvemos el importe'),
    });
    expect((await operacionOf(first)).devueltoCents).toBe(999);
    expect(await estado(other), 'another plan is another purchase').toEqual({
      estado: 'pagado',
      tipo: 'renovacion',
    });
    const third = await renew(token, 'monthly', 999);
    expect(await estado(third), 'begun when the others were known').toEqual({
      estado: 'pagado',
      tipo: 'renovacion',
    });
    expect((await subscriptionOf(token)).expirationdate).toBe(
      addMonths(before.expirationdate, 1 + 12 + 1),
    );
    const mails = (await mailsOf(company.email)).slice(2);
    expect(mails.toSorted()).toEqual(['pago', 'pago', 'pago', 'pago-devuelto']);
  });

  it('with two paid attempts of one order is added once, and one of them is refunded', async () => {
    const { company } = await pay();
    const token = expectOk(await login(company.email)).tokenJWT;
    const before = await subscriptionOf(token);
    const body = {
      orderId: newOrderId(),
      totalCents: 999,
      datosEmpresa: '{}',
      subscriptionType: 'monthly',
    };
    const attempt = async () =>
      expectOk(
        await world.call<GatewayForm>('POST', '/api/Redsys/InitRenewPayment', { token, body }),
      );
    const attempts = [await attempt(), await attempt()];
    await Promise.all(attempts.map((form) => payAt(form)));
    expect(await estado(body.orderId)).toMatchObject({ estado: 'pagado' });
    await reconcile();
    const found = await world.sql<{ status: string }[]>`
      select status from payments where order_id = ${body.orderId} order by status`;
    expect(found.map(({ status }) => status)).toEqual(['paid', 'refunded']);
    expect((await subscriptionOf(token)).expirationdate).toBe(addMonths(before.expirationdate, 1));
  });
});
