import { hash } from '@node-rs/argon2';
import { SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isoDateIn } from '../../src/domain/dates.ts';
import { TERMS_VERSION } from '../../src/domain/terms.ts';
import { TICK_MS } from '../../src/operations/even-time.ts';
import { forgetExpired } from '../../src/operations/forget-expired.ts';
import { findOpenSession, insertSession, touchSession } from '../../src/store/sessions.ts';
import { untilTrue, yearOf } from '../support/world.ts';
import { type AccountApp, claimsOf, openAccountApp, PASSWORD, signUpBody } from './account-app.ts';

const ALREADY = 'Ya existe una cuenta con estos datos. Inicia sesión o recupera tu contraseña.';
const WRONG_LOGIN = 'El correo o la contraseña no son correctos.';
const NEW_PASSWORD = 'otra frase bien larga';
const WRONG_CODE =
  'El código no es válido o ha caducado. Escribe el del último correo o pide otro.';

type Company = Awaited<ReturnType<AccountApp['signUp']>>;

let app: AccountApp;
beforeAll(async () => {
  app = await openAccountApp();
});
afterAll(() => app.close());

describe('NewRegisterDemo', () => {
  it('creates a company that can sign in and has everything it needs to invoice', async () => {
    const company = await app.signUp({ fullName: '  Taller Ñ & Hijos  ', postCode: '28013' });
    const year = yearOf(app.deps.clock());
    expect((await app.get('GetDatosEmpresa', company.token)).body).toEqual({
      Email: company.email,
      IBAN: '',
      Telefono: '',
      Municipio: '',
      RetencionPorDefecto: '',
      ImpuestoPorDefecto: '',
      DatosRegistrales: '',
      Name: 'Taller Ñ & Hijos',
      VATRegistrationNo: company.cifNif,
      Address: 'Calle Mayor, 1',
      countryCode: 'ES',
      postCode: '28013',
      PaymentTerms: '30D',
      PaymentMethod: 'TRANSF',
      CustomerPostingGroup: 'NAC',
      Customer: 'C00001',
      NoSerie: `00001/${year}`,
    });
    const clientes = await app.get<{ No: string; Name: string }[]>('GetClientes', company.token);
    expect(clientes.body.map(({ No, Name }) => [No, Name])).toEqual([
      ['C00001', 'Cliente de mostrador'],
    ]);
    const [terms] = await app.sql`select terms_version from companies where id = ${company.id}`;
    expect(terms?.terms_version).toBe(TERMS_VERSION);
    const subscription = await app.get<{ expirationdate: string }>(
      'GetDatosSubscripcion',
      company.token,
    );
    expect(subscription.body).toMatchObject({ type: 'Demo', enabled: true });
    const inDays = (days: number) =>
      isoDateIn(new Date(Date.now() + days * 86_400_000), 'Europe/Madrid');
    // Midnight may be passed between the two.
    expect([inDays(29.99), inDays(30)]).toContain(subscription.body.expirationdate);
  });

  it('queues the welcome, and stores the password nowhere', async () => {
    const body = signUpBody({ password: 'una clave muy reconocible' });
    expect((await app.post('Auth/NewRegisterDemo', body)).status).toBe(200);
    expect(await app.queuedFor(body.email)).toEqual([{ kind: 'bienvenida' }]);
    const [row] = await app.sql<{ dump: string }[]>`
      select c::text || ' ' || m::text as dump
        from companies c join mail_jobs m on m.company_id = c.id
       where c.email = ${body.email}`;
    expect(row?.dump).toContain('$argon2id$v=19$m=19456,t=2,p=1$');
    expect(row?.dump).not.toContain('reconocible');
  });

  it('accepts a multipart form as well', async () => {
    const form = new FormData();
    for (const [name, value] of Object.entries(signUpBody())) form.set(name, value);
    const { status, body } = await app.call('POST', '/api/Auth/NewRegisterDemo', { body: form });
    expect([status, body]).toEqual([200, { message: expect.any(String) }]);
  });

  it('reports everything that is wrong at once', async () => {
    const { status, body } = await app.post('Auth/NewRegisterDemo', {
      email: 'a@b',
      password: '1234567',
      fullName: '\u200b\u3164',
      cifNif: 'B12345670',
      countryCode: 'XX',
      postCode: '',
      subscriptionType: '10',
    });
    expect(status).toBe(400);
    expect(body.message).toEqual([
      expect.stringContaining('correo electrónico'),
      'La contraseña debe tener al menos 8 caracteres.',
      'La contraseña no puede ser una secuencia o un carácter repetido.',
      'Escribe el nombre de la empresa.',
      expect.stringContaining('B12345670'),
      'Escribe la dirección de la empresa.',
      'Elige el país de la lista.',
      expect.stringContaining('código postal'),
    ]);
  });

  it('refuses a NIF or an e-mail that has an account, with the same words', async () => {
    const first = await app.signUp();
    const sameNif = signUpBody({ cifNif: `es-${first.cifNif.toLowerCase()}` });
    const sameEmail = signUpBody({ email: first.email.toUpperCase() });
    for (const body of [sameNif, sameEmail]) {
      const answer = await app.post('Auth/NewRegisterDemo', body);
      expect([answer.status, answer.body.message]).toEqual([409, [ALREADY]]);
    }
  });

  it('lets only one of two equal sign-ups in', async () => {
    const body = signUpBody();
    const answers = await Promise.all([1, 2, 3].map(() => app.post('Auth/NewRegisterDemo', body)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  });

  it('repeated with the same key, returns the account of the first call', async () => {
    const body = signUpBody();
    const signUp = (data: object, key: string) =>
      app.call('POST', '/api/Auth/NewRegisterDemo', {
        body: data,
        headers: { 'idempotency-key': key },
      });
    const answers = await Promise.all([1, 2].map(() => signUp(body, 'una')));
    answers.push(await signUp(body, 'una'));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(answers[2]?.body).toEqual(answers[0]?.body);
    expect((await app.queuedFor(body.email)).map(({ kind }) => kind)).toEqual(['bienvenida']);
    // Neither with another password, nor with another key, nor a day later.
    expect((await signUp({ ...body, password: `${PASSWORD} y más` }, 'una')).status).toBe(409);
    expect((await signUp(body, 'otra')).status).toBe(409);
    app.advanceClock(25 * 3600);
    expect((await signUp(body, 'una')).status).toBe(409);
  });

  it('allows five sign-ups an hour from one address', async () => {
    const signUp = () =>
      app.call('POST', '/api/Auth/NewRegisterDemo', { body: signUpBody(), ip: '203.0.113.9' });
    for (let i = 0; i < 5; i++) expect((await signUp()).status).toBe(200);
    const sixth = await signUp();
    expect(sixth.status).toBe(429);
    expect(Number(sixth.headers['retry-after'])).toBeGreaterThan(3500);
    expect(sixth.body.message).toBe('Demasiados intentos. Inténtalo de nuevo en 60 minutos.');
  });

  it('counts refused ones separately: after typing mistakes one can still sign up', async () => {
    const ip = '203.0.113.10';
    const signUp = (data: object = {}) =>
      app.call('POST', '/api/Auth/NewRegisterDemo', { body: signUpBody(data), ip });
    for (let i = 0; i < 19; i++) expect((await signUp({ password: '1234' })).status).toBe(400);
    expect((await signUp()).status).toBe(200);
    expect((await signUp({ password: '1234' })).status).toBe(400);
    expect((await signUp({ password: '1234' })).status).toBe(429);
  });
});

describe('ValidacionPassword', () => {
  it('answers {} to a good password', async () => {
    const { status, body } = await app.post('Auth/ValidacionPassword', {
      Email: 'a@b.es',
      Password: PASSWORD,
    });
    expect([status, body]).toEqual([200, {}]);
  });

  it('gives one sentence per broken rule', async () => {
    const { status, body } = await app.post('Auth/ValidacionPassword', {
      Email: 'ab@b.es',
      Password: '123456',
    });
    expect(status).toBe(400);
    expect(body.errores).toEqual([
      'La contraseña debe tener al menos 8 caracteres.',
      'La contraseña no puede ser una secuencia o un carácter repetido.',
    ]);
  });
});

describe('ValidacionesCreacion', () => {
  const check = (email: string, cifNif: string, ip?: string) =>
    app.call('POST', '/api/Auth/ValidacionesCreacion', {
      body: { email, cifNif },
      ...(ip ? { ip } : {}),
    });

  it('answers {} to new data, also in a form', async () => {
    const { email, cifNif } = signUpBody();
    expect(await check(email, cifNif)).toMatchObject({ status: 200, body: {} });
    const form = new FormData();
    form.set('email', email);
    form.set('cifNif', cifNif);
    expect((await app.call('POST', '/api/Auth/ValidacionesCreacion', { body: form })).status).toBe(
      200,
    );
  });

  it('recognises a wrong control character and a malformed e-mail', async () => {
    const { status, body } = await check('a@b', '12345678A');
    expect(status).toBe(400);
    expect(body.message).toEqual([
      expect.stringContaining('correo'),
      expect.stringContaining('12345678A'),
    ]);
  });

  it('gives the same answer for a NIF and an e-mail that have an account', async () => {
    const taken = await app.signUp();
    const fresh = signUpBody();
    for (const [email, nif] of [
      [taken.email, fresh.cifNif],
      [fresh.email, taken.cifNif],
      [taken.email, taken.cifNif],
    ] as const) {
      const answer = await check(email, nif);
      expect([answer.status, answer.body.message]).toEqual([400, [ALREADY]]);
    }
  });

  it('limits the answers that reveal an account, and no others', async () => {
    const ip = '2001:db8:7:7::1';
    const taken = await app.signUp();
    for (let i = 0; i < 30; i++) {
      const { email, cifNif } = signUpBody();
      expect((await check(email, cifNif, ip)).status).toBe(200);
    }
    for (let i = 0; i < 10; i++) {
      expect((await check(taken.email, taken.cifNif, ip)).status).toBe(400);
    }
    const neighbour = '2001:db8:7:7:ffff::2'; // The same /64 counts as the same caller.
    const refused = await check(taken.email, taken.cifNif, neighbour);
    expect(refused.status).toBe(429);
    expect(refused.headers['retry-after']).toBeDefined();
    expect((await check(taken.email, taken.cifNif, '2001:db8:7:8::1')).status).toBe(400);
  });

  it('knows a caller whose address is passed on with a port, or as IPv6', async () => {
    const taken = await app.signUp();
    for (let i = 0; i < 10; i++) {
      const ip = `203.0.113.7:${40_000 + i}`;
      expect((await check(taken.email, taken.cifNif, ip)).status).toBe(400);
    }
    expect((await check(taken.email, taken.cifNif, '::ffff:203.0.113.7')).status).toBe(429);
    expect((await check(taken.email, taken.cifNif, '203.0.113.8:40000')).status).toBe(400);
  });
});

describe('login', () => {
  it('replaces a password hash of a lower cost than today’s', async () => {
    const company = await app.signUp();
    const old = await hash(PASSWORD, { memoryCost: 8192, timeCost: 1, parallelism: 1 });
    await app.sql`update companies set password_hash = ${old} where id = ${company.id}`;
    const hashOf = async () => {
      const [row] = await app.sql<{ password_hash: string }[]>`
        select password_hash from companies where id = ${company.id}`;
      return row?.password_hash ?? '';
    };
    await app.login(company.email);
    const renewed = await hashOf();
    expect(renewed).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    await app.login(company.email);
    expect(await hashOf()).toBe(renewed);
  });

  const changes = {
    'the password is recovered': async (company: Company) => {
      await app.post('Auth/ForgotPassword', { Email: company.email, Code: '', NewPassword: '' });
      const Code = await app.lastCodeOf(company.id);
      const body = { Email: company.email, Code, NewPassword: NEW_PASSWORD };
      return () => app.post('Auth/ResetPassword', body);
    },
    'the password is changed': async ({ token }: Company) => {
      const body = { Email: '', Password: NEW_PASSWORD };
      return () => app.post('PostData/SetDatosEmpresa1', body, token);
    },
    'the e-mail is changed': async ({ token, email }: Company) => {
      const body = { Email: `otro.${email}`, Password: '' };
      return () => app.post('PostData/SetDatosEmpresa1', body, token);
    },
    'the account is closed':
      async ({ token }: Company) =>
      () =>
        app.post('PostData/DeleteAccount', {}, token),
  };
  it.each(Object.entries(changes))('issues no session when meanwhile %s', async (_, prepare) => {
    const company = await app.signUp();
    const signIn = () =>
      app.post('Auth/login', { Email: company.email, Password: company.password });
    const [changed, signedIn] = await app.whileSessionsEnd(
      company.id,
      await prepare(company),
      signIn,
    );
    expect([changed.status, signedIn.status]).toEqual([200, 401]);
    expect(signedIn.body.message).toBe(WRONG_LOGIN);
  });

  it('restores no old password by replacing its hash while it is being changed', async () => {
    const company = await app.signUp();
    const old = await hash(PASSWORD, { memoryCost: 8192, timeCost: 1, parallelism: 1 });
    await app.sql`update companies set password_hash = ${old} where id = ${company.id}`;
    const [changed, signedIn] = await app.whileSessionsEnd(
      company.id,
      await changes['the password is recovered'](company),
      () => app.post('Auth/login', { Email: company.email, Password: PASSWORD }),
    );
    expect([changed.status, signedIn.status]).toEqual([200, 401]);
    expect(await app.login(company.email, NEW_PASSWORD)).toBeTruthy();
  });

  it('lets two in at once that both replace the hash of the same password', async () => {
    const company = await app.signUp();
    const old = await hash(PASSWORD, { memoryCost: 8192, timeCost: 1, parallelism: 1 });
    await app.sql`update companies set password_hash = ${old} where id = ${company.id}`;
    const tokens = await Promise.all([1, 2, 3].map(() => app.login(company.email)));
    expect(new Set(tokens).size).toBe(3);
  });

  it('is not possible after a recovery through a change of e-mail that was under way', async () => {
    const company = await app.signUp();
    const [recovered, changed] = await app.whileSessionsEnd(
      company.id,
      await changes['the password is recovered'](company),
      () =>
        app.post(
          'PostData/SetDatosEmpresa1',
          { Email: `ajeno.${company.email}`, Password: '' },
          company.token,
        ),
    );
    expect([recovered.status, changed.status]).toEqual([200, 401]);
    expect(await app.login(company.email, NEW_PASSWORD)).toBeTruthy();
  });

  it('is not possible after a change of e-mail through a second one that was under way', async () => {
    const company = await app.signUp();
    const other = await app.login(company.email);
    const [first, second] = ['nuevo', 'ajeno'].map((name) => `${name}.${company.email}`);
    const change = (Email: string | undefined, token: string) =>
      app.post('PostData/SetDatosEmpresa1', { Email, Password: '' }, token);
    const [moved, refused] = await app.whileSessionsEnd(
      company.id,
      () => change(first, company.token),
      () => change(second, other),
    );
    expect([moved.status, refused.status]).toEqual([200, 401]);
    expect(await app.login(first ?? '')).toBeTruthy();
  });

  it('returns a token valid for 60 minutes, with the company and the session', async () => {
    const company = await app.signUp();
    const { sub, email, iat, exp, sid } = claimsOf(company.token);
    expect({ sub, email, minutes: (exp - iat) / 60 }).toEqual({
      sub: String(company.id),
      email: company.email,
      minutes: 60,
    });
    expect(sid).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('ignores case in the e-mail, but takes the password exactly as it is', async () => {
    const company = await app.signUp();
    expect(await app.login(` ${company.email.toUpperCase()}`)).toBeTruthy();
    await expect(app.login(company.email, PASSWORD.toUpperCase())).rejects.toThrow('401');
  });

  // That both take equally long is by design: `verifyPassword` (src/operations/password-hash.ts) then verifies the hash
  // of a password that nobody has. Measuring the time would only measure the load of the machine.
  it('answers a wrong password and an unknown e-mail with the same status and body', async () => {
    const company = await app.signUp();
    const attempt = async (Email: string) => {
      const { status, body } = await app.post('Auth/login', { Email, Password: 'otra distinta' });
      return { status, body };
    };
    const known = await attempt(company.email);
    expect([known.status, known.body.message]).toEqual([401, WRONG_LOGIN]);
    expect(await attempt('nadie@ejemplo.es')).toEqual(known);
  });

  it('delays the sixth attempt, twice as long each time, and then lets the owner in', async () => {
    const company = await app.signUp();
    const wrong = () =>
      app.post('Auth/login', { Email: company.email, Password: 'no es esta, seguro' });
    for (let i = 0; i < 5; i++) expect((await wrong()).status).toBe(401);
    for (const seconds of [1, 2, 4, 8, 16, 32, 60, 60]) {
      const refused = await wrong();
      expect([refused.status, refused.headers['retry-after']]).toEqual([429, String(seconds)]);
      app.advanceClock(seconds);
      expect((await wrong()).status).toBe(401);
    }
    expect((await wrong()).status).toBe(429);
    app.advanceClock(60);
    const token = await app.login(company.email);
    expect((await app.get('GetDatosEmpresa', token)).status).toBe(200);
    expect((await wrong()).status).toBe(401); // The right password has reset the count.
  });

  it('does not let fifty simultaneous guesses count as one', async () => {
    const company = await app.signUp();
    const answers = await Promise.all(
      Array.from({ length: 50 }, () =>
        app.post('Auth/login', { Email: company.email, Password: 'no es esta, seguro' }),
      ),
    );
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(45);
  });

  it('counts only failures against an address', async () => {
    const company = await app.signUp();
    const ip = '198.51.100.7';
    const login = (Password: string, n: number) =>
      app.call('POST', '/api/Auth/login', {
        body: { Email: Password === PASSWORD ? company.email : `x${n}@ejemplo.es`, Password },
        ip,
      });
    for (let i = 0; i < 29; i++) expect((await login('otra distinta', i)).status).toBe(401);
    for (let i = 0; i < 3; i++) expect((await login(PASSWORD, i)).status).toBe(200);
    expect((await login('otra distinta', 29)).status).toBe(401);
    expect((await login('otra distinta', 30)).status).toBe(429);
  });
});

describe('private calls', () => {
  it('refuse a token that is not ours, in date and signed by us', async () => {
    const company = await app.signUp();
    const claims = claimsOf(company.token);
    const sign = (secret: string, change: Record<string, unknown> = {}) =>
      new SignJWT({ ...claims, iss: 'huella', aud: 'huella', ...change })
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
        .sign(new TextEncoder().encode(secret));
    const secret = app.deps.config.jwtSecret;
    const [head, payload, signature] = company.token.split('.');
    const forged = Buffer.from(JSON.stringify({ ...claims, sub: '1' })).toString('base64url');
    const tokens = {
      'another key': await sign(`${secret}x`),
      'no signature': new UnsecuredJWT({ ...claims }).encode(),
      'a changed payload': `${head}.${forged}.${signature}`,
      'a cut signature': `${head}.${payload}.`,
      'another audience': await sign(secret, { aud: 'otra' }),
      expired: await sign(secret, { exp: claims.iat - 1 }),
      'a session of another company': await sign(secret, { sub: String(company.id + 1) }),
      nothing: '',
    };
    for (const [what, token] of Object.entries(tokens)) {
      const { status, body } = await app.get('GetDatosEmpresa', token);
      expect([what, status, body.message]).toEqual([
        what,
        401,
        'Tu sesión ha caducado. Vuelve a iniciar sesión.',
      ]);
    }
    expect((await app.get('GetDatosEmpresa', await sign(secret))).status).toBe(200);
  });

  it('all refuse callers without a session, whatever they send', async () => {
    const { body: openApi } = await app.call<{
      paths: Record<string, Record<string, { security?: unknown }>>;
    }>('GET', '/api/openapi.json');
    const PUBLIC = [
      '/api/Auth/login',
      '/api/Auth/SegundoFactor',
      '/api/Auth/ForgotPassword',
      '/api/Auth/ValidarRecoveryCode',
      '/api/Auth/ValidacionPassword',
      '/api/Auth/ResetPassword',
      '/api/Auth/ValidacionesCreacion',
      '/api/Auth/NewRegisterDemo',
      '/api/GetData/GetPaises',
      '/api/GetData/GetConfiguracion',
      '/api/GetData/GetDeclaracionResponsable',
      '/api/GetData/GetDeclaracionResponsablePdf',
    ];
    const calls = Object.entries(openApi.paths)
      .filter(([path]) => /^\/api\/(Auth|GetData|PostData)\//.test(path))
      .flatMap(([path, methods]) => Object.keys(methods).map((method) => ({ path, method })));
    expect(calls.length).toBeGreaterThan(40);
    for (const { path, method } of calls) {
      if (PUBLIC.includes(path)) continue;
      const { status } = await app.call(method === 'get' ? 'GET' : 'POST', path, {
        ...(method === 'get' ? {} : { body: {} }),
      });
      expect([path, status]).toEqual([path, 401]);
    }
  });
});

/** The private calls that the panel makes when it opens. */
const START_UP = [
  ...['GetCompanyPicture', 'GetDatosEmpresa', 'GetProductos', 'GetInvoices?page=1&pageSize=3'],
  ...['GetPendingInvoices?page=1&pageSize=3', 'GetClientes', 'GetTerminosPago', 'GetFormasPago'],
  ...['GetGrupoContable', 'GetGrupoIVA', 'GetCertificate', 'GetUnitOfMeasure', 'GetDataBaseDemo'],
  ...['GetSubscriptionExpired', 'GetDatosSubscripcion', 'GetTemplateExcel', 'GetClavesRegimen'],
  ...['GetEnableMantenimiento', 'GetTextMantenimiento', 'GetConexionAEAT', 'GetResumen'],
];

describe('logout and RefreshToken', () => {
  it('ends the session on the server: its token stops working', async () => {
    const company = await app.signUp();
    const other = await app.login(company.email);
    expect(await app.post('Auth/logout', undefined, company.token)).toMatchObject({
      status: 200,
      body: {},
    });
    expect((await app.get('GetDatosEmpresa', company.token)).status).toBe(401);
    expect((await app.post('Auth/RefreshToken', {}, company.token)).status).toBe(401);
    const { headers } = await app.post('Auth/logout', undefined, await app.login(company.email));
    expect(headers['clear-site-data']).toBe('"cache"'); // Not the storage, where an unsaved invoice waits.
    expect((await app.get('GetDatosEmpresa', other)).status).toBe(200);
  });

  it('is looked up in the transaction that reads a list, and records its use once a minute', async () => {
    const company = await app.signUp();
    const seen = async () => {
      const [row] = await app.sql<{ last_seen_at: Date }[]>`
        select last_seen_at from sessions where company_id = ${company.id}`;
      return row?.last_seen_at.getTime() ?? 0;
    };
    const list = () => app.get('GetInvoices?page=1', company.token);
    expect((await list()).status).toBe(200);
    await app.sql`
      update sessions set last_seen_at = last_seen_at - interval '2 minutes' where company_id = ${company.id}`;
    const before = await seen();
    expect((await list()).status).toBe(200);
    await untilTrue(seen, (at) => at > before + 60_000);
    await app.sql`update sessions set ended_at = now() where company_id = ${company.id}`;
    for (const call of ['GetInvoices?page=1', 'GetInvoices', 'GetPendingInvoices?page=1']) {
      expect((await app.get(call, company.token)).status, call).toBe(401);
    }
    const download = await app.post('PostData/DownloadInvoice', { No: 'B-1' }, company.token);
    expect(download.status).toBe(401);
  });

  it('is looked up for each call of an opening panel, although they come together', async () => {
    const company = await app.signUp();
    const ended = await app.login(company.email);
    await app.post('Auth/logout', undefined, ended);
    const statuses = (token: string) =>
      Promise.all(
        START_UP.map(async (call) => [call, (await app.get(call, token)).status] as const),
      );
    const [mine, theirs] = await Promise.all([statuses(company.token), statuses(ended)]);
    for (const [call, status] of mine) expect([call, status]).toEqual([call, 200]);
    for (const [call, status] of theirs) expect([call, status]).toEqual([call, 401]);
    await app.sql`
      update sessions set last_seen_at = last_seen_at - interval '9 hours' where company_id = ${company.id}`;
    for (const [call, status] of await statuses(company.token)) {
      expect([call, status]).toEqual([call, 401]);
    }
  });

  it('is kept apart among many that ask at once, from several companies', async () => {
    const [first, second] = [await app.signUp(), await app.signUp()];
    const ended = await app.login(first.email);
    await app.post('Auth/logout', undefined, ended);
    const tokens = [first.token, ended, second.token, ended, first.token];
    const answers = await Promise.all(
      tokens.map((token) => app.get<{ Email?: string }>('GetDatosEmpresa', token)),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 401, 200, 401, 200]);
    expect(answers.map(({ body }) => body.Email)).toEqual([
      first.email,
      undefined,
      second.email,
      undefined,
      first.email,
    ]);
  });

  it('accepts an empty body, whatever its content type', async () => {
    const company = await app.signUp();
    const headers = { 'content-type': 'application/json' };
    for (const path of ['RefreshToken', 'logout']) {
      const { status } = await app.call('POST', `/api/Auth/${path}`, {
        token: company.token,
        headers,
      });
      expect([path, status]).toEqual([path, 200]);
    }
  });

  it('returns a new token of the same session once the old one is a minute old', async () => {
    const company = await app.signUp();
    const refresh = (token: string) =>
      app.post<{ tokenJWT: string }>('Auth/RefreshToken', {}, token);
    expect((await refresh(company.token)).body.tokenJWT).toBe(company.token);
    app.advanceClock(50 * 60);
    const { body } = await refresh(company.token);
    expect(body.tokenJWT).not.toBe(company.token);
    expect(claimsOf(body.tokenJWT).sid).toBe(claimsOf(company.token).sid);
    app.advanceClock(11 * 60);
    expect((await app.get('GetDatosEmpresa', company.token)).status).toBe(401);
    expect((await app.get('GetDatosEmpresa', body.tokenJWT)).status).toBe(200);
  });

  it('returns sixty new tokens a minute for a session, and delays no other', async () => {
    const company = await app.signUp();
    app.advanceClock(61);
    const other = await app.login(company.email);
    app.advanceClock(61);
    const refresh = (token: string) => app.post('Auth/RefreshToken', {}, token);
    for (let time = 0; time < 60; time++) expect((await refresh(company.token)).status).toBe(200);
    const refused = await refresh(company.token);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await refresh(other)).status).toBe(200);
  });

  it('a session ends after eight idle hours and after seven days of use', async () => {
    const company = await app.signUp();
    const start = new Date('2026-01-05T08:00:00Z');
    const at = (hours: number) => new Date(start.getTime() + hours * 3_600_000);
    const sid = crypto.randomUUID();
    await insertSession(app.sql, {
      companyId: company.id,
      sid,
      createdAt: start,
      authenticatedAt: start,
      userAgent: '',
    });
    const isOpen = async (hours: number) =>
      (await findOpenSession(app.sql, company.id, sid, at(hours))) !== null;
    expect([await isOpen(7.9), await isOpen(8.1)]).toEqual([true, false]);
    for (let hours = 7; hours < 7 * 24; hours += 7) {
      await touchSession(app.sql, company.id, sid, at(hours));
    }
    expect([await isOpen(7 * 24 - 0.1), await isOpen(7 * 24 + 0.1)]).toEqual([true, false]);
  });
});

describe('password recovery', () => {
  const forgot = (Email: string) =>
    app.post('Auth/ForgotPassword', { Email, Code: '', NewPassword: '' });
  const validate = (Email: string, Code: string) =>
    app.post('Auth/ValidarRecoveryCode', { Email, Code, NewPassword: '' });
  const reset = (Email: string, Code: string, NewPassword: string) =>
    app.post('Auth/ResetPassword', { Email, Code, NewPassword });
  const anotherCode = (code: string) => (code === '000000' ? '000001' : '000000');

  it('leads from the code to the new password, ends every session and sends a notice', async () => {
    const company = await app.signUp();
    expect((await forgot(company.email.toUpperCase())).body).toEqual({
      message: 'Te hemos enviado un código al correo.',
    });
    const code = await app.lastCodeOf(company.id);
    expect(code).toMatch(/^\d{6}$/);
    expect((await validate(company.email, ` ${code.slice(0, 3)} ${code.slice(3)}`)).body).toEqual({
      message: 'El código es válido. Introduce nueva contraseña',
    });
    const changed = await reset(company.email, code, 'otra frase bien larga');
    expect(changed).toMatchObject({
      status: 200,
      body: { message: 'Contraseña cambiada con éxito.' },
    });
    expect((await app.get('GetDatosEmpresa', company.token)).status).toBe(401);
    await expect(app.login(company.email)).rejects.toThrow('401');
    expect(await app.login(company.email, 'otra frase bien larga')).toBeTruthy();
    const kinds = (await app.queuedFor(company.email)).map(({ kind }) => kind);
    expect(kinds).toEqual(['bienvenida', 'codigo', 'contrasena-cambiada']);
    const again = await reset(company.email, code, 'y otra frase más larga');
    expect(again).toMatchObject({
      status: 400,
      body: { message: WRONG_CODE, codigo: 'CODE_REFUSED' },
    });
  });

  it('answers the same for an e-mail without account, and sends nothing', async () => {
    const answer = await forgot('nadie@ejemplo.es');
    expect(answer).toMatchObject({
      status: 200,
      body: { message: 'Te hemos enviado un código al correo.' },
    });
    expect(await app.queuedFor('nadie@ejemplo.es')).toEqual([]);
    expect((await validate('nadie@ejemplo.es', '123456')).body.message).toBe(WRONG_CODE);
  });

  it('answers after a fixed time, whatever there was to do', async () => {
    const { email } = await app.signUp();
    for (const ask of [
      () => forgot(email),
      () => forgot('otro-nadie@ejemplo.es'),
      () => validate(email, '123456'),
      () => validate('otro-nadie@ejemplo.es', '123456'),
    ]) {
      const start = performance.now();
      await ask();
      // Timers may fire a millisecond early.
      expect(performance.now() - start).toBeGreaterThanOrEqual(TICK_MS - 2);
    }
  });

  it('cancels a code after five wrong attempts, even for the right one', async () => {
    const company = await app.signUp();
    await forgot(company.email);
    const code = await app.lastCodeOf(company.id);
    for (let i = 0; i < 5; i++) {
      const answer = await validate(company.email, anotherCode(code));
      expect([answer.status, answer.body.message]).toEqual([400, WRONG_CODE]);
    }
    expect((await validate(company.email, code)).status).toBe(400);
    expect((await reset(company.email, code, 'otra frase bien larga')).status).toBe(400);
  });

  it('counts a thousand simultaneous attempts as a thousand', async () => {
    const company = await app.signUp();
    await forgot(company.email);
    const code = await app.lastCodeOf(company.id);
    await Promise.all(Array.from({ length: 20 }, () => validate(company.email, anotherCode(code))));
    expect((await validate(company.email, code)).status).toBe(400);
  });

  it('cancels a code after ten minutes, and when another is requested', async () => {
    const company = await app.signUp();
    await forgot(company.email);
    const first = await app.lastCodeOf(company.id);
    await forgot(company.email);
    const second = await app.lastCodeOf(company.id);
    if (first !== second) expect((await validate(company.email, first)).status).toBe(400);
    app.advanceClock(9 * 60);
    expect((await validate(company.email, second)).status).toBe(200);
    app.advanceClock(61);
    expect((await validate(company.email, second)).status).toBe(400);
  });

  it('does not accept a code sent before the e-mail or the password was changed', async () => {
    const renamed = await app.signUp();
    await forgot(renamed.email);
    const sentToOld = await app.lastCodeOf(renamed.id);
    const other = `otro.${renamed.email}`;
    const change = (body: object, token: string) =>
      app.post('PostData/SetDatosEmpresa1', body, token);
    expect((await change({ Email: other, Password: '' }, renamed.token)).status).toBe(200);
    expect((await reset(other, sentToOld, NEW_PASSWORD)).status).toBe(400);

    const changed = await app.signUp();
    await forgot(changed.email);
    const sentBefore = await app.lastCodeOf(changed.id);
    const password = { Email: '', Password: 'tres nubes sobre el puerto' };
    expect((await change(password, changed.token)).status).toBe(200);
    expect((await reset(changed.email, sentBefore, NEW_PASSWORD)).status).toBe(400);
    expect(await app.login(changed.email, 'tres nubes sobre el puerto')).toBeTruthy();
  });

  it.each([
    ['e-mail', { Email: signUpBody().email }],
    ['password', { Password: 'tres nubes sobre el puerto' }],
  ])('does not accept a code when the %s is being changed', async (_, change) => {
    const company = await app.signUp();
    await forgot(company.email);
    const Code = await app.lastCodeOf(company.id);
    const [changed, recovered] = await app.whileSessionsEnd(
      company.id,
      () => app.post('PostData/SetDatosEmpresa1', change, company.token),
      () => reset(company.email, Code, NEW_PASSWORD),
    );
    expect([changed.status, recovered.status, recovered.body.message]).toEqual([
      200,
      400,
      WRONG_CODE,
    ]);
  });

  it('refuses a weak password or the same one, after which the code still works', async () => {
    const company = await app.signUp();
    await forgot(company.email);
    const code = await app.lastCodeOf(company.id);
    expect((await reset(company.email, code, 'corta')).body.errores).toEqual([
      'La contraseña debe tener al menos 8 caracteres.',
    ]);
    expect((await reset(company.email, code, PASSWORD)).body.errores).toEqual([
      'La nueva contraseña debe ser distinta de la actual.',
    ]);
    expect((await reset(company.email, code, 'otra frase bien larga')).status).toBe(200);
  });

  it('stores no readable code', async () => {
    const company = await app.signUp();
    await forgot(company.email);
    const code = await app.lastCodeOf(company.id);
    const [row] = await app.sql<{ dump: string }[]>`
      select (select string_agg(r::text, ' ') from recovery_codes r where company_id = ${company.id})
          || (select string_agg(m.payload::text, ' ') from mail_jobs m
               where company_id = ${company.id}) as dump`;
    expect(row?.dump).not.toContain(code);
  });

  it('sends three codes an hour, whether there is an account or not', async () => {
    const company = await app.signUp();
    for (const email of [company.email, 'tampoco@ejemplo.es']) {
      for (let i = 0; i < 3; i++) expect((await forgot(email)).status).toBe(200);
      const refused = await forgot(email);
      expect(refused.status).toBe(429);
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3000);
    }
    app.advanceClock(3601);
    expect((await forgot(company.email)).status).toBe(200);
  });
});

describe('expired data', () => {
  it('are deleted, and nothing else', async () => {
    const rows = async () => {
      const [row] = await app.sql`
        select (select count(*)::int from rate_limits) as attempts,
               (select count(*)::int from recovery_codes) as codes,
               (select count(*)::int from sessions) as sessions,
               (select count(*)::int from companies) as companies`;
      return row as { attempts: number; codes: number; sessions: number; companies: number };
    };
    const company = await app.signUp();
    await app.post('Auth/ForgotPassword', { Email: company.email });
    const before = await rows();
    expect(Math.min(before.attempts, before.codes, before.sessions)).toBeGreaterThan(0);
    await forgetExpired(app.deps);
    expect(await app.lastCodeOf(company.id)).toMatch(/^\d{6}$/);
    expect((await app.get('GetDatosEmpresa', company.token)).status).toBe(200);
    app.advanceClock(31 * 86_400);
    await forgetExpired(app.deps);
    expect(await rows()).toEqual({
      attempts: 0,
      codes: 0,
      sessions: 0,
      companies: before.companies,
    });
  });
});

describe('calls that nobody would make', () => {
  it('are answered with an explanation, not with an internal error', async () => {
    const { token } = await app.signUp();
    const odd: unknown[] = [
      { Email: 'a\u0000@b.es', Password: 'x\u0000y' },
      { Email: '\ud800@b.es', Password: '\udfff' },
      { Email: 'ñ'.repeat(250), Password: 'x'.repeat(1000) },
      { Email: ['a@b.es'], Password: { length: 8 } },
      [],
      null,
      'texto',
      7,
    ];
    const paths = ['login', 'ForgotPassword', 'ValidacionPassword', 'ResetPassword'];
    for (const body of odd) {
      for (const path of paths) {
        const { status } = await app.post(`Auth/${path}`, body);
        expect([path, JSON.stringify(body).slice(0, 40), status < 500]).toEqual([
          path,
          expect.any(String),
          true,
        ]);
      }
    }
    const client = await app.post('PostData/SetClientes', { Name: 'a\u0000b' }, token);
    expect([client.status, client.body.message]).toEqual([
      400,
      'El campo «Name» lleva un carácter que no se admite. Escribe de nuevo su texto.',
    ]);
    const search = await app.get('GetInvoices?page=1&search=%00', token);
    expect(search.status).toBe(400);
    const deep = `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`;
    const response = await app.app.inject({
      method: 'POST',
      url: '/api/Auth/login',
      headers: { 'content-type': 'application/json' },
      payload: deep,
    });
    expect(response.statusCode).toBeLessThan(500);
  });
});
