import { randomBytes } from 'node:crypto';
import { type TOTP, URI } from 'otpauth';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { CUSTOMER_MAILS } from '../../src/operations/attempts.ts';
import { forgetExpired } from '../../src/operations/forget-expired.ts';
import { takeAttempt } from '../../src/store/rate-limits.ts';
import { administer } from '../support/admin.ts';
import { draftOf, untilTrue } from '../support/world.ts';
import { type AccountApp, openAccountApp, PASSWORD, signUpBody } from './account-app.ts';

interface Event {
  tipo: string;
  texto: string;
  detalle: string;
  dispositivo: string;
  direccion: string;
}

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Safari/537.36';

const DAY = 24 * 3600;

let app: AccountApp;
beforeAll(async () => {
  app = await openAccountApp();
});
afterAll(() => app.close());

type Company = Awaited<ReturnType<AccountApp['signUp']>>;

const eventsOf = async (token: string, query = 'pageSize=50') =>
  (await app.get<{ rows: Event[]; total: number }>(`GetEventosSeguridad?${query}`, token)).body;
const kindsOf = async (token: string) => (await eventsOf(token)).rows.map(({ tipo }) => tipo);

/** The phone: returns the code for the secret that it scanned, `steps` of thirty seconds from now. */
function phoneOf(uri: string) {
  const totp = URI.parse(uri) as TOTP;
  return (steps = 0) => totp.generate({ timestamp: app.deps.clock().getTime() + steps * 30_000 });
}

async function turnOn(company: Company) {
  const prepared = await app.post<{ uri: string; secreto: string }>(
    'PostData/PrepararSegundoFactor',
    undefined,
    company.token,
  );
  expect(prepared.status).toBe(200);
  const phone = phoneOf(prepared.body.uri);
  const active = await app.post<{ codigos: string[] }>(
    'PostData/ActivarSegundoFactor',
    { Codigo: phone() },
    company.token,
  );
  expect(active.status).toBe(200);
  return { phone, codes: active.body.codigos, secret: prepared.body.secreto };
}

const firstStep = async (company: Company) =>
  app.post<{ segundoFactor?: boolean; Reto: string; tokenJWT?: string }>('Auth/login', {
    Email: company.email,
    Password: company.password,
  });
const secondStep = (Reto: string, Codigo: string) =>
  app.post<{ tokenJWT: string; message: string }>('Auth/SegundoFactor', { Reto, Codigo });

describe('the second factor', () => {
  it('requires nothing until one of its codes has been typed', async () => {
    const company = await app.signUp();
    await app.post('PostData/PrepararSegundoFactor', undefined, company.token);
    expect((await firstStep(company)).body.tokenJWT).toMatch(/^ey/);
    const wrong = await app.post(
      'PostData/ActivarSegundoFactor',
      { Codigo: '000000' },
      company.token,
    );
    expect(wrong).toMatchObject({
      status: 400,
      body: { message: 'El código no es correcto o ya se ha usado.' },
    });
    expect((await app.get('GetSegundoFactor', company.token)).body).toEqual({
      activo: false,
      codigosRestantes: 0,
    });
  });

  it('cannot be turned on with a secret that has replaced the scanned one', async () => {
    const company = await app.signUp();
    const prepare = () =>
      app.post<{ uri: string }>('PostData/PrepararSegundoFactor', undefined, company.token);
    const phone = phoneOf((await prepare()).body.uri);
    const otherTab = await app.sql.reserve();
    await otherTab`begin`;
    await otherTab`select from second_factors where company_id = ${company.id} for update`;
    const activating = app.post(
      'PostData/ActivarSegundoFactor',
      { Codigo: phone() },
      company.token,
    );
    await vi.waitUntil(
      async () =>
        (
          await app.sql`
            select from pg_stat_activity
             where datname = current_database() and wait_event_type = 'Lock'
               and query like '%update second_factors set last_step%'`
        ).length > 0,
      10_000,
    );
    await otherTab`
      update second_factors set sealed_key = 'otra'::bytea where company_id = ${company.id}`;
    await otherTab`commit`;
    otherTab.release();
    expect(await activating).toMatchObject({
      status: 409,
      body: { message: 'Empieza de nuevo la verificación en dos pasos.' },
    });
    expect((await app.get('GetSegundoFactor', company.token)).body).toMatchObject({
      activo: false,
    });
  });

  it.each([
    ['turned on', 'ActivarSegundoFactor', false],
    ['turned off', 'DesactivarSegundoFactor', true],
    ['given new codes', 'RenovarCodigos', true],
  ])('is not %s by a session that is being ended', async (_, call, wasOn) => {
    const company = await app.signUp();
    const { body } = await app.post<{ uri: string }>(
      'PostData/PrepararSegundoFactor',
      undefined,
      company.token,
    );
    const Codigo = phoneOf(body.uri)();
    if (wasOn) await app.post('PostData/ActivarSegundoFactor', { Codigo }, company.token);
    const kept = () => app.sql`
      select f.confirmed_at, c.code_hash
        from second_factors f left join second_factor_codes c using (company_id)
       where f.company_id = ${company.id} order by c.id`;
    const before = await kept();
    await app.post('Auth/ForgotPassword', { Email: company.email, Code: '', NewPassword: '' });
    const Code = await app.lastCodeOf(company.id);
    const NewPassword = 'otra frase bien larga';
    const [recovered, refused] = await app.whileSessionsEnd(
      company.id,
      () => app.post('Auth/ResetPassword', { Email: company.email, Code, NewPassword }),
      () => app.post(`PostData/${call}`, { Codigo }, company.token),
    );
    expect([recovered.status, refused.status]).toEqual([200, 401]);
    expect(await kept()).toEqual(before);
  });

  it('signs in with password and code, and never with the password alone', async () => {
    const company = await app.signUp();
    const { phone } = await turnOn(company);
    const { status, body } = await firstStep(company);
    expect([status, body.segundoFactor, body.tokenJWT]).toEqual([200, true, undefined]);
    // The token between the two steps opens nothing.
    expect((await app.get('GetDatosEmpresa', body.Reto)).status).toBe(401);

    app.advanceClock(30);
    const signedIn = await secondStep(body.Reto, phone());
    expect(signedIn.status).toBe(200);
    expect((await app.get('GetDatosEmpresa', signedIn.body.tokenJWT)).status).toBe(200);
  });

  it('accepts no code twice, not even the one that turned it on', async () => {
    const company = await app.signUp();
    const { phone } = await turnOn(company);
    const { Reto } = (await firstStep(company)).body;
    expect((await secondStep(Reto, phone())).status).toBe(401);
    app.advanceClock(30);
    expect((await secondStep(Reto, phone())).status).toBe(200);
    expect(await secondStep((await firstStep(company)).body.Reto, phone())).toMatchObject({
      status: 401,
      body: { message: 'El código no es correcto o ya se ha usado.' },
    });
  });

  it('tells its owner by e-mail, once a day, that somebody with the password guesses codes', async () => {
    // From noon on, so that all of it is on one day.
    const now = app.deps.clock();
    const noon = new Date(`${now.toISOString().slice(0, 10)}T12:00:00Z`);
    app.advanceClock(24 * 3600 + (noon.getTime() - now.getTime()) / 1000);
    const company = await app.signUp();
    await turnOn(company);
    const guess = async (times: number) => {
      const { Reto } = (await firstStep(company)).body;
      await app.sql`delete from rate_limits`; // They make it slow, not impossible.
      for (let i = 0; i < times; i++) {
        expect((await secondStep(Reto, 'ABCDE-FGHJK')).status).toBe(401);
        await app.sql`delete from rate_limits`;
      }
    };
    const told = async () =>
      (await app.queuedFor(company.email)).filter(
        (mail) => mail.kind === 'segundo-factor' && mail.change === 'codigos-fallidos',
      ).length;
    await guess(9);
    expect(await told()).toBe(0);
    await guess(5);
    expect(await told()).toBe(1);
    app.advanceClock(24 * 3600);
    await guess(10);
    expect(await told()).toBe(2);
  });

  it('lets only one of two in that use the same code at once', async () => {
    const company = await app.signUp();
    const { phone } = await turnOn(company);
    app.advanceClock(30);
    const { Reto } = (await firstStep(company)).body;
    const code = phone();
    const both = await Promise.all([secondStep(Reto, code), secondStep(Reto, code)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 401]);
  });

  it('accepts the code of one step before or after, and none further away', async () => {
    const company = await app.signUp();
    const { phone } = await turnOn(company);
    app.advanceClock(300);
    const { Reto } = (await firstStep(company)).body;
    expect((await secondStep(Reto, phone(-2))).status).toBe(401);
    expect((await secondStep(Reto, phone(2))).status).toBe(401);
    expect((await secondStep(Reto, phone(-1))).status).toBe(200);
    expect((await secondStep(Reto, phone(1))).status).toBe(200);
  });

  it('accepts each recovery code once, however it is typed', async () => {
    const company = await app.signUp();
    const { codes } = await turnOn(company);
    expect(codes).toHaveLength(10);
    expect(new Set(codes).size).toBe(10);
    const { Reto } = (await firstStep(company)).body;
    const code = codes[3] ?? '';
    const typed = code.toLowerCase().replace('-', ' ');
    const signedIn = await secondStep(Reto, typed);
    expect(signedIn.status).toBe(200);
    expect((await secondStep(Reto, code)).status).toBe(401);
    expect((await app.get('GetSegundoFactor', signedIn.body.tokenJWT)).body).toMatchObject({
      activo: true,
      codigosRestantes: 9,
    });
    // They are stored hashed: reading the table reveals none.
    const stored = JSON.stringify(
      await app.sql`select code_hash from second_factor_codes where company_id = ${company.id}`,
    );
    expect(stored).toContain('$argon2id$');
    expect(stored).not.toContain(code.replace('-', ''));

    const renewed = await app.post<{ codigos: string[] }>(
      'PostData/RenovarCodigos',
      undefined,
      signedIn.body.tokenJWT,
    );
    expect((await secondStep(Reto, codes[4] ?? '')).status).toBe(401);
    expect((await secondStep(Reto, renewed.body.codigos[0] ?? '')).status).toBe(200);
  });

  it('renews the recovery codes ten times an hour', async () => {
    const company = await app.signUp();
    await turnOn(company);
    const renew = () => app.post('PostData/RenovarCodigos', undefined, company.token);
    for (let i = 0; i < 10; i++) expect((await renew()).status).toBe(200);
    expect((await renew()).status).toBe(429);
  });

  it('renews the recovery codes twice at once, and those of the later one work', async () => {
    const company = await app.signUp();
    await turnOn(company);
    const renew = () =>
      app.post<{ codigos: string[] }>('PostData/RenovarCodigos', undefined, company.token);
    let both: ReturnType<typeof renew>[] = [];
    await app.sql.begin(async (tx) => {
      await tx`select from second_factor_codes where company_id = ${company.id} for update`;
      both = [renew(), renew()];
      await untilTrue(
        async () =>
          (
            await app.sql<{ count: number }[]>`
              select count(*)::int as count from pg_stat_activity
               where datname = current_database() and wait_event_type = 'Lock'`
          )[0]?.count,
        (count) => count === 2,
      );
    });
    const answers = await Promise.all(both);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const { Reto } = (await firstStep(company)).body;
    const entered = [];
    for (const { body } of answers) {
      entered.push((await secondStep(Reto, body.codigos[0] ?? '')).status);
    }
    expect(entered.sort()).toEqual([200, 401]);
  });

  it('limits guesses, and the wait ends', async () => {
    const company = await app.signUp();
    const { phone } = await turnOn(company);
    const { Reto } = (await firstStep(company)).body;
    for (let time = 0; time < 5; time++) {
      expect((await secondStep(Reto, '000000')).status).toBe(401);
    }
    app.advanceClock(0);
    const refused = await secondStep(Reto, phone(1));
    expect(refused.status).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    app.advanceClock(61);
    expect((await secondStep(Reto, phone())).status).toBe(200);
  });

  it('is pending for five minutes at most, and not after a change of password', async () => {
    const company = await app.signUp();
    const { phone } = await turnOn(company);
    const { Reto } = (await firstStep(company)).body;
    const again = (await firstStep(company)).body.Reto;
    app.advanceClock(30);
    await app.sql`update companies set password_hash = password_hash || ' ' where id = ${company.id}`;
    expect((await secondStep(again, phone())).status).toBe(401);
    await app.sql`update companies set password_hash = rtrim(password_hash) where id = ${company.id}`;
    app.advanceClock(271);
    expect(await secondStep(Reto, phone())).toMatchObject({
      status: 401,
      body: { message: 'Ha pasado demasiado tiempo. Vuelve a iniciar sesión.' },
    });
  });

  it('opens nothing if the password is recovered while its code is being checked', async () => {
    const company = await app.signUp();
    const { phone } = await turnOn(company);
    app.advanceClock(30);
    const { body } = await firstStep(company);
    await app.post('Auth/ForgotPassword', { Email: company.email, Code: '', NewPassword: '' });
    const Code = await app.lastCodeOf(company.id);
    const [recovered, signedIn] = await app.whileSessionsEnd(
      company.id,
      () =>
        app.post('Auth/ResetPassword', {
          Email: company.email,
          Code,
          NewPassword: 'otra frase bien larga',
        }),
      () => secondStep(body.Reto, phone()),
    );
    expect([recovered.status, signedIn.status]).toEqual([200, 401]);
    expect(signedIn.body.message).toBe('Ha pasado demasiado tiempo. Vuelve a iniciar sesión.');
  });

  it('notifies each change by mail, to the account’s own address', async () => {
    const company = await app.signUp();
    const { codes } = await turnOn(company);
    const { Reto } = (await firstStep(company)).body;
    const { tokenJWT } = (await secondStep(Reto, codes[0] ?? '')).body;
    await app.post('PostData/RenovarCodigos', undefined, tokenJWT);
    await app.post('PostData/DesactivarSegundoFactor', undefined, tokenJWT);
    const told = await app.sql`
      select recipient, payload->>'change' as change from mail_jobs
       where company_id = ${company.id} and kind = 'segundo-factor' order by id`;
    expect(told.map(({ change }) => change)).toEqual([
      'activado',
      'codigo-usado',
      'codigos-nuevos',
      'desactivado',
    ]);
    expect(new Set(told.map(({ recipient }) => recipient))).toEqual(new Set([company.email]));
  });

  it('has its secret sealed and bound to its company', async () => {
    const mine = await app.signUp();
    const theirs = await app.signUp();
    const { secret } = await turnOn(mine);
    const { phone } = await turnOn(theirs);
    const [row] = await app.sql<{ sealed: Buffer }[]>`
      select sealed from second_factors where company_id = ${mine.id}`;
    expect(row?.sealed.toString('latin1')).not.toContain(secret);
    await app.sql`
      update second_factors f set sealed_key = o.sealed_key, sealed = o.sealed
        from second_factors o where f.company_id = ${mine.id} and o.company_id = ${theirs.id}`;
    app.advanceClock(30);
    expect((await secondStep((await firstStep(mine)).body.Reto, phone())).status).toBe(409);
  });

  it('says when its secret cannot be decrypted any more, and accepts a recovery code', async () => {
    const company = await app.signUp();
    const { phone, codes } = await turnOn(company);
    await app.sql`
      update second_factors set kek_id = 'otra', sealed_key = ${randomBytes(60)}
       where company_id = ${company.id}`;
    app.advanceClock(30);
    const { Reto } = (await firstStep(company)).body;
    expect(await secondStep(Reto, phone())).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('Entra con uno de tus códigos de recuperación.') },
    });
    expect((await secondStep(Reto, codes[0] ?? '')).status).toBe(200);
    await app.sql`update second_factor_codes set used_at = now() where company_id = ${company.id}`;
    expect(await secondStep(Reto, phone())).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('No te quedan códigos de recuperación: escribe a') },
    });
  });

  it('starts again when a secret that was not confirmed yet cannot be decrypted any more', async () => {
    const company = await app.signUp();
    await app.post('PostData/PrepararSegundoFactor', undefined, company.token);
    await app.sql`update second_factors set sealed_key = ${randomBytes(60)}
                   where company_id = ${company.id}`;
    const typed = { Codigo: '123456' };
    expect(await app.post('PostData/ActivarSegundoFactor', typed, company.token)).toMatchObject({
      status: 409,
      body: { message: 'Empieza de nuevo la verificación en dos pasos.' },
    });
    await turnOn(company);
  });

  it('requires the password for changing it in a session that is not recent', async () => {
    const company = await app.signUp();
    await turnOn(company);
    app.advanceClock(11 * 60);
    for (const call of ['PrepararSegundoFactor', 'RenovarCodigos', 'DesactivarSegundoFactor']) {
      expect(await app.post(`PostData/${call}`, undefined, company.token), call).toMatchObject({
        status: 400,
        body: { codigo: 'REAUTHENTICATE' },
      });
    }
    const off = await app.post(
      'PostData/DesactivarSegundoFactor',
      { PasswordActual: PASSWORD },
      company.token,
    );
    expect(off.status).toBe(200);
    expect((await firstStep(company)).body.tokenJWT).toMatch(/^ey/);
    expect(await app.post('PostData/RenovarCodigos', undefined, company.token)).toMatchObject({
      status: 409,
    });
  });

  it('requires the password for a certificate and for the counter too', async () => {
    const company = await app.signUp();
    app.advanceClock(11 * 60);
    const body = { NoSerie: '00001/ZZ' };
    expect(await app.post('PostData/reiniciarContador', body, company.token)).toMatchObject({
      status: 400,
      body: { codigo: 'REAUTHENTICATE' },
    });
    expect(
      await app.post('PostData/UpdateCertificate', { Certificate: 'AAAA' }, company.token),
    ).toMatchObject({ status: 400, body: { codigo: 'REAUTHENTICATE' } });
    const confirmed = { ...body, PasswordActual: PASSWORD };
    expect((await app.post('PostData/reiniciarContador', confirmed, company.token)).status).toBe(
      200,
    );
  });
});

it('keeps nobody out for the attempts counted by a clock that was a day ahead; minutes count', async () => {
  const company = await app.signUp();
  const signIn = (Password: string) => app.post('Auth/login', { Email: company.email, Password });
  // The clocks of two processes may differ that much: whoever alternates between them gains nothing.
  app.advanceClock(DAY / 480);
  for (let time = 0; time < 5; time++) expect((await signIn('otra')).status).toBe(401);
  app.advanceClock(-DAY / 480);
  expect((await signIn(company.password)).status).toBe(429);
  app.advanceClock(DAY);
  for (let time = 0; time < 5; time++) expect((await signIn('otra')).status).toBe(401);
  expect((await signIn('otra')).status).toBe(429);
  app.advanceClock(-DAY);
  expect((await signIn(company.password)).status).toBe(200);
});

describe('the open sessions', () => {
  it('are shown by device, address and use, and the others are closed at once', async () => {
    const company = await app.signUp();
    const other = await app.call<{ tokenJWT: string }>('POST', '/api/Auth/login', {
      body: { Email: company.email, Password: company.password },
      headers: { 'user-agent': CHROME },
      ip: '83.45.12.77',
    });
    const { body } = await app.get<object[]>('GetSesiones', company.token);
    expect(body).toHaveLength(2);
    expect(body).toContainEqual(
      expect.objectContaining({
        dispositivo: 'Chrome en Windows',
        direccion: '83.45.12.0',
        actual: false,
      }),
    );
    expect(body.filter((open) => (open as { actual: boolean }).actual)).toHaveLength(1);
    // Neither the identifier of a session nor its whole address is shown.
    expect(JSON.stringify(body)).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}|83\.45\.12\.77/);

    const closed = await app.post('PostData/CerrarSesiones', undefined, company.token);
    expect(closed.body).toEqual({ cerradas: 1 });
    expect((await app.get('GetSesiones', other.body.tokenJWT)).status).toBe(401);
    expect((await app.get<object[]>('GetSesiones', company.token)).body).toHaveLength(1);
    expect((await app.post('PostData/CerrarSesiones', undefined, company.token)).body).toEqual({
      cerradas: 0,
    });
  });
});

describe('invoices sent to clients', () => {
  it('are limited to a hundred an hour for each company, and registering without sending goes on', async () => {
    const { token, id, email } = await app.signUp();
    const register = (accionFactura: number, as = token) =>
      app.post('PostData/SetFacturas', { ...draftOf('', app.deps.clock()), accionFactura }, as);
    // Refused for want of a certificate: an invoice that was not registered does not count.
    for (let time = 0; time < 3; time++) expect((await register(2)).status).toBe(403);
    const key = `correo-clientes:${id}`;
    expect(await app.sql`select hits from rate_limits where key = ${key}`).toEqual([{ hits: 0 }]);
    for (let time = 0; time < 100; time++) {
      expect(await takeAttempt(app.sql, key, CUSTOMER_MAILS, app.deps.clock())).toBe(0);
    }
    const refused = await register(2);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3000);
    expect((await register(1)).status).toBe(403);
    app.advanceClock(3601);
    expect((await register(2, await app.login(email))).status).toBe(403);
  });
});

describe('closing the account', () => {
  it('deletes everything that was kept only for its use', async () => {
    const company = await app.signUp();
    await turnOn(company);
    const save = (call: string, body: object) =>
      app.call('POST', `/api/PostData/${call}`, {
        token: company.token,
        body,
        headers: { 'idempotency-key': `borrar-${call}` },
      });
    await save('SetClientes', { Name: 'Clienta Zeta' });
    await save('SetProductos', { Name: 'Producto Zeta' });
    const draft = { ...draftOf('', app.deps.clock()), accionFactura: 0, notas: 'Borrador Zeta' };
    expect((await save('SetFacturas', draft)).status).toBe(200);
    const rowsNaming = async (text: string) => {
      const tables = await app.sql<{ name: string; column: string }[]>`
        select c.relname as name,
               case when c.relname = 'companies' then 'id' else 'company_id' end as column
          from pg_class c join pg_policy p on p.polrelid = c.oid and p.polname = 'company_rows'`;
      const found: string[] = [];
      for (const { name, column } of tables) {
        const rows = await app.sql`
          select 1 from ${app.sql(name)} t
           where ${app.sql(column)} = ${company.id} and strpos(t::text, ${text}) > 0`;
        if (rows.length > 0) found.push(name);
      }
      return found.sort();
    };
    expect(await rowsNaming('Zeta')).toEqual(
      expect.arrayContaining(['customers', 'idempotency_keys', 'invoice_documents', 'products']),
    );

    expect((await app.post('PostData/DeleteAccount', undefined, company.token)).status).toBe(200);
    expect(await rowsNaming('Zeta')).toEqual([]);
    // The message about the closing still has to be sent.
    expect(await rowsNaming(company.email)).toEqual(['mail_jobs']);
    const left = await app.sql`
      select company_id from second_factors where company_id = ${company.id}
       union all select company_id from second_factor_codes where company_id = ${company.id}
       union all select company_id from sessions where company_id = ${company.id} and ended_at is null`;
    expect(left).toEqual([]);
    // The account's history stays, for whoever may ask by law.
    const [last] = await app.sql`
      select kind from security_events where company_id = ${company.id} order by id desc limit 1`;
    expect(last).toEqual({ kind: 'cuenta-eliminada' });
    expect((await app.get('GetSesiones', company.token)).status).toBe(401);
  });
});

describe('the security log', () => {
  it('lists what happened to the account and from where, newest first, in pages', async () => {
    const company = await app.signUp();
    await app.call('POST', '/api/Auth/login', {
      body: { Email: company.email, Password: 'otra cualquiera' },
      headers: { 'user-agent': CHROME },
      ip: '2001:db8:12:34::9',
    });
    await untilTrue(
      () => kindsOf(company.token),
      (kinds) => kinds.includes('sesion-fallida'),
    );
    app.advanceClock(1);
    await app.post('PostData/reiniciarContador', { NoSerie: '00001/QQ' }, company.token);
    await app.post(
      'PostData/SetDatosEmpresa1',
      { Password: 'una frase nueva y larga' },
      company.token,
    );
    const token = await app.login(company.email, 'una frase nueva y larga');
    const { rows, total } = await eventsOf(token, 'page=1&pageSize=3');
    expect(rows.map(({ tipo }) => tipo)).toEqual([
      'sesion-iniciada',
      'contrasena-cambiada',
      'contador-reiniciado',
    ]);
    expect(rows[2]?.detalle).toBe('00001/QQ');
    expect(total).toBe(5);
    const failed = (await eventsOf(token)).rows.find(({ tipo }) => tipo === 'sesion-fallida');
    expect(failed).toMatchObject({
      texto: 'Intento de inicio de sesión con una contraseña incorrecta',
      dispositivo: 'Chrome en Windows',
      direccion: '2001:db8:12::',
    });
  });

  it('records recovery, closing the session and the second factor', async () => {
    const company = await app.signUp();
    await turnOn(company);
    await app.post('PostData/DesactivarSegundoFactor', undefined, company.token);
    await app.post('Auth/ForgotPassword', { Email: company.email });
    const Code = await app.lastCodeOf(company.id);
    const NewPassword = 'otra frase larga para entrar';
    await app.post('Auth/ResetPassword', { Email: company.email, Code, NewPassword });
    const token = await app.login(company.email, NewPassword);
    await app.post('Auth/logout', undefined, token);
    expect(await kindsOf(await app.login(company.email, NewPassword))).toEqual([
      'sesion-iniciada',
      'sesion-cerrada',
      'sesion-iniciada',
      'contrasena-recuperada',
      'recuperacion-pedida',
      'segundo-factor-desactivado',
      'segundo-factor-activado',
      'sesion-iniciada',
    ]);
  });

  it('is written once, shown only to its company, and kept for two years', async () => {
    const company = await app.signUp();
    const stranger = await app.signUp();
    await expect(
      app.sql`update security_events set detail = 'otra cosa' where company_id = ${company.id}`,
    ).rejects.toThrow('no se cambia');
    await expect(
      app.sql.begin(async (tx) => {
        await tx.unsafe(`set local huella.company = '${company.id}'`);
        await tx`delete from security_events where company_id = ${company.id}`;
      }),
    ).rejects.toThrow('no se cambia');
    expect((await eventsOf(stranger.token)).total).toBe(1);

    app.advanceClock(3 * 365 * 24 * 3600);
    await forgetExpired(app.deps);
    const token = await app.login(company.email);
    expect(await kindsOf(token)).toEqual(['sesion-iniciada']);
  });

  it('reveals nothing to somebody who tries an e-mail without account', async () => {
    const { email } = signUpBody();
    const before = await app.sql`select count(*) from security_events`;
    const answer = await app.post('Auth/login', { Email: email, Password: PASSWORD });
    expect(answer.status).toBe(401);
    expect(await app.sql`select count(*) from security_events`).toEqual(before);
  });
});

describe('a user who lost the phone or the mailbox', () => {
  const access = (nif: string, ...args: string[]) => administer(app.deps, ['acceso', nif, ...args]);
  const BECAUSE = ['--motivo', 'Llamada al teléfono de sus facturas'];

  it('is let in by the administrator, with the reason in the log and a notice to each address', async () => {
    const company = await app.signUp();
    const other = await app.signUp();
    const nif = company.cifNif.toLowerCase();
    expect((await access(nif, ...BECAUSE)).text).toContain('Di de quién y qué');
    expect((await access(nif, '--quitar-segundo-factor')).text).toContain('--motivo');
    expect((await access(nif, '--quitar-segundo-factor', ...BECAUSE)).text).toContain(
      'no tiene activada',
    );
    await turnOn(company);
    expect((await access(nif, '--quitar-segundo-factor', ...BECAUSE)).code).toBe(0);
    expect((await firstStep(company)).body.tokenJWT).toMatch(/^ey/);

    expect((await access(nif, '--correo', 'no es', ...BECAUSE)).code).toBe(1);
    expect((await access(nif, '--correo', other.email, ...BECAUSE)).text).toContain(
      'Ya existe una cuenta',
    );
    const { email } = signUpBody();
    expect((await access(nif, '--correo', email.toUpperCase(), ...BECAUSE)).code).toBe(0);
    expect((await app.get('GetDatosEmpresa', company.token)).status).toBe(401);
    expect((await firstStep(company)).status).toBe(401);
    const { rows } = await eventsOf(await app.login(email));
    expect(rows.filter(({ detalle }) => detalle.includes('Llamada al teléfono'))).toEqual([
      expect.objectContaining({ tipo: 'correo-cambiado-servicio' }),
      expect.objectContaining({ tipo: 'segundo-factor-quitado' }),
    ]);
    expect((await app.queuedFor(company.email)).slice(-2)).toEqual([
      expect.objectContaining({ kind: 'segundo-factor', change: 'quitado' }),
      expect.objectContaining({ kind: 'correo-cambiado', newEmail: email }),
    ]);
    expect(await app.queuedFor(email)).toEqual([
      expect.objectContaining({ kind: 'correo-cambiado' }),
    ]);
  });
});
