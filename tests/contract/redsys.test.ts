import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { GatewayForm } from '../../src/contract/payments.ts';
import { signParameters } from '../../src/payments/form.ts';
import { newOrderId, parametersOf } from '../support/gateway.ts';
import { type Answer, expectOk, openWorld, type World } from '../support/world.ts';

const ALREADY = 'Ya existe una cuenta con estos datos. Inicia sesión o recupera tu contraseña.';
const INVALID_PLAN = 'Plan de suscripción inválido';
const PASSWORD = 'cuatro nubes y un tejado';

let world: World;
let nextNumber = 50_000_000;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());
afterEach(() => world.sql`delete from rate_limits`);

function userData(change: Readonly<Record<string, string>> = {}) {
  const number = nextNumber++;
  return {
    email: `contrato${number}@ejemplo.es`,
    password: PASSWORD,
    fullName: 'Taller Ñ & Hijos, S.L.',
    cifNif: `${number}${'TRWAGMYFPDXBNJZSQVHLCKE'.charAt(number % 23)}`,
    address: 'Calle Mayor, 1',
    countryCode: 'ES',
    postCode: '28013',
    subscriptionType: 'semiannual',
    ...change,
  };
}

const init = <T = { message: unknown }>(
  change: Readonly<Record<string, unknown>> = {},
  data: object = userData(),
): Promise<Answer<T>> =>
  world.call<T>('POST', '/api/Redsys/InitPayment', {
    body: {
      orderId: newOrderId(),
      totalCents: 5399,
      userData: JSON.stringify(data),
      ...change,
    },
  });

const notify = (form: GatewayForm, change: Readonly<Record<string, string>> = {}) => {
  const asked = parametersOf(form);
  const order = asked.DS_MERCHANT_ORDER ?? '';
  return world.call('POST', '/api/Redsys/Notification', {
    body: signParameters(world.deps.config.redsys, order, {
      Ds_Order: order,
      Ds_Amount: asked.DS_MERCHANT_AMOUNT ?? '',
      Ds_Currency: '978',
      Ds_MerchantCode: '999008881',
      Ds_Terminal: '001',
      Ds_TransactionType: '0',
      Ds_Response: '0000',
      ...change,
    }),
  });
};

const payments = async () =>
  (await world.sql<{ n: number }[]>`select count(*)::int as n from payments`)[0]?.n;

describe('InitPayment', () => {
  it('accepts the sign-up as an object as well as in JSON text', async () => {
    expect((await init({ userData: userData() })).status).toBe(200);
  });

  it('allows five payments an hour from one address, not counting mistyped ones', async () => {
    const from = (remoteAddress: string, change: object = {}) =>
      world.app.inject({
        method: 'POST',
        url: '/api/Redsys/InitPayment',
        remoteAddress,
        payload: {
          orderId: newOrderId(),
          totalCents: 5399,
          userData: JSON.stringify(userData()),
          ...change,
        },
      });
    const address = '203.0.113.7';
    for (let i = 0; i < 8; i++) {
      expect((await from(address, { totalCents: 1 })).statusCode).toBe(400);
    }
    for (let i = 0; i < 5; i++) expect((await from(address)).statusCode).toBe(200);
    const refused = await from(address);
    expect(refused.statusCode).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3500);
    expect(refused.json().message).toBe('Demasiados intentos. Inténtalo de nuevo en 60 minutos.');
    expect((await from('203.0.113.8')).statusCode).toBe(200);
    world.advanceClock(3601);
    expect((await from(address)).statusCode).toBe(200);
    const guesser = '203.0.113.9';
    for (let i = 0; i < 20; i++) await from(guesser, { totalCents: 1 });
    expect((await from(guesser, { totalCents: 1 })).statusCode).toBe(429);
  });

  it('answers with the five fields of the form, and no more', async () => {
    const orderId = newOrderId();
    const answer = expectOk(await init<GatewayForm>({ orderId }));
    expect(answer).toEqual({
      modoTest: true,
      urlTPV: `${world.runtime.redsysUrl}/sis/realizarPago`,
      ds_SignatureVersion: 'HMAC_SHA256_V1',
      ds_MerchantParameters: expect.stringMatching(/^[A-Za-z0-9+/]+=*$/),
      ds_Signature: expect.stringMatching(/^[A-Za-z0-9+/]{43}=$/),
    });
    const { publicUrl } = world.deps.config;
    expect(parametersOf(answer)).toEqual({
      DS_MERCHANT_AMOUNT: '5399',
      DS_MERCHANT_ORDER: expect.stringMatching(/^\d{4}[0-9A-Z]{8}$/),
      DS_MERCHANT_MERCHANTCODE: '999008881',
      DS_MERCHANT_CURRENCY: '978',
      DS_MERCHANT_TRANSACTIONTYPE: '0',
      DS_MERCHANT_TERMINAL: '1',
      DS_MERCHANT_MERCHANTURL: `${publicUrl}/api/Redsys/Notification`,
      DS_MERCHANT_URLOK: `${publicUrl}/registro/pago?orderId=${orderId}`,
      DS_MERCHANT_URLKO: `${publicUrl}/registro/pago?orderId=${orderId}&ko=1`,
      DS_MERCHANT_CONSUMERLANGUAGE: '001',
      DS_MERCHANT_MERCHANTNAME: 'Huella',
      DS_MERCHANT_MERCHANTDATA: orderId,
      DS_MERCHANT_PRODUCTDESCRIPTION: 'Suscripción semestral',
      DS_MERCHANT_PAYMETHODS: 'C',
    });
  });

  it.each([
    ['a cent less', { totalCents: 5398 }, {}],
    ['the price of another plan', { totalCents: 999 }, {}],
    ['nothing', { totalCents: 0 }, {}],
    ['a plan that is not sold', {}, { subscriptionType: 'weekly' }],
    ['the demo', {}, { subscriptionType: '10' }],
    ['a name of every object', {}, { subscriptionType: 'constructor' }],
  ])('never signs %s', async (_, change, data) => {
    const before = await payments();
    const { status, body } = await init(change, userData(data));
    expect([status, body.message]).toEqual([400, INVALID_PLAN]);
    expect(await payments()).toBe(before);
  });

  it.each(['o23456789012', 'O2345678901', 'O234567890123', 'O2345678901é', ''])(
    'refuses the order id «%s»',
    async (orderId) => {
      const { status, body } = await init({ orderId });
      expect([status, body.message]).toEqual([400, 'El número de pedido no es válido.']);
    },
  );

  it.each([
    ['text that is not JSON', 'nada', 'userData»: tiene que ser un objeto.'],
    ['null', 'null', 'userData»: falta.'],
    ['a list', '[]', 'userData»: tiene que ser un objeto.'],
    ['a number where there is text', '{"email":5}', 'userData.email»: tiene que ser un texto.'],
    [
      'longer than they may be',
      JSON.stringify({ address: 'x'.repeat(301) }),
      'userData.address»: tiene que tener 300 caracteres como mucho.',
    ],
    [
      'spoilt by a NUL',
      '{"fullName":"a\\u0000b"}',
      'fullName» lleva un carácter que no se admite.',
    ],
  ])('refuses user data that are %s, and names the field', async (_, text, sentence) => {
    const { status, body } = await init({ userData: text });
    expect([status, [body.message].flat()]).toEqual([400, [expect.stringContaining(sentence)]]);
  });

  it('takes a null in the user data for a field that was left out, as NewRegisterDemo does', async () => {
    const { status, body } = await init({}, { ...userData(), postCode: null } as never);
    expect([status, body.message]).toEqual([400, [expect.stringContaining('El código postal')]]);
  });

  it('checks the sign-up with the same rules, all at once', async () => {
    const { status, body } = await init(
      {},
      userData({ cifNif: 'B12345670', password: '1234', postCode: 'x', address: '' }),
    );
    expect(status).toBe(400);
    expect((body.message as string[]).length).toBeGreaterThanOrEqual(4);
  });

  it('gives the same answer for an e-mail and a NIF that have an account', async () => {
    const first = userData();
    const form = expectOk(await init<GatewayForm>({}, first));
    expectOk(await notify(form));
    for (const taken of [{ email: first.email }, { cifNif: first.cifNif }]) {
      const { status, body } = await init({}, userData(taken));
      expect([status, body.message]).toEqual([400, [ALREADY]]);
    }
  });

  it('answers 409 for a paid order, even to somebody else', async () => {
    const orderId = newOrderId();
    expectOk(await notify(expectOk(await init<GatewayForm>({ orderId }))));
    const { status, body } = await init({ orderId });
    expect([status, body.message]).toEqual([409, 'Este pedido ya está pagado.']);
  });

  it('discards card data unread', async () => {
    const orderId = newOrderId();
    const card = { cardName: 'NURIA C', cardNumber: '4548810000000003', cvv: '123' };
    expectOk(await init({ orderId }, { ...userData(), ...card }));
    const [row] = await world.sql<{ dump: string }[]>`
      select p::text as dump from payments p where order_id = ${orderId}`;
    expect(row?.dump).not.toContain('4548810000000003');
  });

  it('is limited by address', async () => {
    const call = () =>
      world.app.inject({
        method: 'POST',
        url: '/api/Redsys/InitPayment',
        remoteAddress: '203.0.113.9',
        payload: { orderId: 'x', totalCents: 1, userData: '{}' },
      });
    const statuses = [];
    for (let i = 0; i < 21; i++) statuses.push((await call()).statusCode);
    expect(statuses.slice(0, 20)).toEqual(Array(20).fill(400));
    const last = await call();
    expect(last.statusCode).toBe(429);
    expect(Number(last.headers['retry-after'])).toBeGreaterThan(0);
  });
});

describe('InitRenewPayment', () => {
  const renew = (token: string | undefined, change: object = {}) =>
    world.call<GatewayForm & { message?: unknown }>('POST', '/api/Redsys/InitRenewPayment', {
      ...(token ? { token } : {}),
      body: {
        orderId: newOrderId(),
        totalCents: 9999,
        datosEmpresa: '{}',
        subscriptionType: 'annual',
        ...change,
      },
    });

  async function signIn() {
    const data = userData();
    expectOk(await notify(expectOk(await init<GatewayForm>({}, data))));
    const { tokenJWT } = expectOk(
      await world.call<{ tokenJWT: string }>('POST', '/api/Auth/login', {
        body: { Email: data.email, Password: PASSWORD },
      }),
    );
    return { ...data, token: tokenJWT };
  }

  it('requires a session', async () => {
    expect((await renew(undefined)).status).toBe(401);
  });

  it('answers like InitPayment, and never signs another amount', async () => {
    const { token } = await signIn();
    const form = expectOk(await renew(token));
    expect(Object.keys(form).sort()).toEqual([
      'ds_MerchantParameters',
      'ds_Signature',
      'ds_SignatureVersion',
      'modoTest',
      'urlTPV',
    ]);
    expect(parametersOf(form).DS_MERCHANT_AMOUNT).toBe('9999');
    const { status, body } = await renew(token, { totalCents: 1 });
    expect([status, body.message]).toEqual([400, INVALID_PLAN]);
  });

  it('renews the company of the session, whatever the data say', async () => {
    const [one, other] = [await signIn(), await signIn()];
    const datosEmpresa = JSON.stringify({ Email: other.email, VATRegistrationNo: other.cifNif });
    expectOk(await notify(expectOk(await renew(one.token, { datosEmpresa }))));
    const rows = await world.sql<{ email: string; subscription_type: string }[]>`
      select email, subscription_type from companies
       where email in (${one.email}, ${other.email}) order by id`;
    expect(rows.map((row) => row.subscription_type)).toEqual(['annual', 'semiannual']);
  });

  it('repeated with the same key, answers the form of the first call and begins nothing', async () => {
    const { token } = await signIn();
    const body = {
      orderId: newOrderId(),
      totalCents: 9999,
      datosEmpresa: '{}',
      subscriptionType: 'annual',
    };
    const ask = (change: object = {}, key = 'renovar') =>
      world.call<GatewayForm & { message?: unknown }>('POST', '/api/Redsys/InitRenewPayment', {
        token,
        body: { ...body, ...change },
        key,
      });
    const first = expectOk(await ask());
    expect(expectOk(await ask())).toEqual(first);
    const begun = await world.sql<{ made: string; kept: string }[]>`
      select p.xmin::text as made, k.xmin::text as kept
        from payments p join idempotency_keys k using (company_id)
       where p.order_id = ${body.orderId} and k.key = 'renovar'`;
    expect(begun).toHaveLength(1);
    expect(begun[0]?.made).toBe(begun[0]?.kept);
    expect((await ask({ orderId: newOrderId() })).status).toBe(409);
    expect(expectOk(await ask({}, 'otra vez')).ds_Signature).not.toBe(first.ds_Signature);
    // A refusal leaves the key free.
    expect((await ask({ totalCents: 1 }, 'libre')).status).toBe(400);
    expectOk(await ask({}, 'libre'));
  });

  it('answers 409 once that order is paid', async () => {
    const { token } = await signIn();
    const orderId = newOrderId();
    expectOk(await notify(expectOk(await renew(token, { orderId }))));
    expect((await renew(token, { orderId })).status).toBe(409);
  });
});

describe('Estado', () => {
  const estado = (orderId: string) =>
    world.call('GET', `/api/Redsys/Estado?orderId=${encodeURIComponent(orderId)}`);

  it('goes from pending to paid', async () => {
    const orderId = newOrderId();
    const form = expectOk(await init<GatewayForm>({ orderId }));
    expect(await estado(orderId)).toEqual({
      status: 200,
      body: { estado: 'pendiente', tipo: 'alta' },
    });
    expectOk(await notify(form));
    expect(await estado(orderId)).toEqual({
      status: 200,
      body: { estado: 'pagado', tipo: 'alta' },
    });
  });

  it('says why it was denied', async () => {
    const orderId = newOrderId();
    expectOk(await notify(expectOk(await init<GatewayForm>({ orderId })), { Ds_Response: '0116' }));
    expect((await estado(orderId)).body).toEqual({
      estado: 'denegado',
      tipo: 'alta',
      mensaje: 'Saldo insuficiente.',
      codigo: '0116',
    });
  });

  it('answers 404 for an order that nobody began', async () => {
    expect((await estado(newOrderId())).status).toBe(404);
  });

  it('answers 400 without an order', async () => {
    expect((await world.call('GET', '/api/Redsys/Estado')).status).toBe(400);
  });
});

it('signs with HMAC_SHA512_V2 if the terminal is set to it, and believes only that', async () => {
  const other = await openWorld({ REDSYS_SIGNATURE_VERSION: 'HMAC_SHA512_V2' });
  try {
    const form = expectOk(
      await other.call<GatewayForm>('POST', '/api/Redsys/InitPayment', {
        body: {
          orderId: newOrderId(),
          totalCents: 5399,
          userData: JSON.stringify(userData()),
        },
      }),
    );
    expect(form.ds_SignatureVersion).toBe('HMAC_SHA512_V2');
    expect(form.ds_Signature).toMatch(/^[\w-]{86}$/);
    const order = parametersOf(form).DS_MERCHANT_ORDER ?? '';
    const told = (firma: 'HMAC_SHA256_V1' | 'HMAC_SHA512_V2') =>
      other.call('POST', '/api/Redsys/Notification', {
        body: signParameters({ ...other.deps.config.redsys, firma }, order, {
          Ds_Order: order,
          Ds_Amount: '5399',
          Ds_Currency: '978',
          Ds_MerchantCode: '999008881',
          Ds_Terminal: '1',
          Ds_TransactionType: '0',
          Ds_Response: '0000',
        }),
      });
    expect((await told('HMAC_SHA256_V1')).status).toBe(400);
    expect((await told('HMAC_SHA512_V2')).status).toBe(200);
  } finally {
    await other.close();
  }
});

it('the page may post its form only to the gateway', async () => {
  const { headers } = await world.app.inject({ url: '/api/GetData/GetPaises' });
  expect(headers['content-security-policy']).toContain(
    `form-action 'self' ${world.runtime.redsysUrl}`,
  );
});
