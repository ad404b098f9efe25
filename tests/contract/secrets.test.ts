import { randomBytes } from 'node:crypto';
import { type TOTP, URI } from 'otpauth';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openSealedCode } from '../../src/operations/recover-password.ts';
import { createLogger } from '../../src/platform/log.ts';
import { expectOk, openWorld, type World } from '../support/world.ts';

/**
 * Sends everything that a company types or is given in confidence through the product with its most detailed log, and
 * searches that log for it.
 */

const lines: string[] = [];
let world: World;
beforeAll(async () => {
  const log = createLogger('trace', { write: (line) => lines.push(line) });
  world = await openWorld({ LOG_LEVEL: 'trace' }, log);
});
afterAll(() => world.close());

it('no secret is ever logged, at any level', async () => {
  const secrets: Record<string, string> = {};
  const keep = (name: string, secret: string | undefined) => {
    expect(secret, name).toBeTruthy();
    secrets[name] = secret ?? '';
    return secret ?? '';
  };
  const { config, sql } = world.deps;
  const post = <T extends object>(path: string, body?: object, token?: string) =>
    world.call<T>('POST', `/api/${path}`, { ...(body && { body }), ...(token && { token }) });

  const company = await world.signUp('B12345674');
  const email = 'b12345674@ejemplo.es';
  keep('password', 'una frase larga cualquiera');
  keep('token', company.token);
  keep('wrong password', 'la que no era de nadie');
  await post('Auth/login', { Email: email, Password: secrets['wrong password'] });
  await post('Auth/ValidacionPassword', {
    Email: email,
    Password: keep('tried password', 'probando otra frase'),
  });

  const certificate = await world.control('/desarrollo/certificado?nif=B12345674&nombre=Talleres');
  const p12 = Buffer.from(await certificate.arrayBuffer()).toString('base64');
  keep('certificate', p12.slice(0, 60));
  for (const Password of [keep('certificate password', 'no-es-prueba-9'), 'prueba']) {
    await post('PostData/UpdateCertificate', { Certificate: p12, Password }, company.token);
  }
  const form = new FormData();
  form.set('Name', 'Clienta de paso');
  expectOk(await post('PostData/SetClientes', form, company.token));
  expectOk(await company.register());
  const dispatcher = world.startDispatcher();
  dispatcher.wake();
  await company.call('GET', '/api/GetData/ExportarRegistros?desde=2020-01-02&hasta=2020-01-01');

  const prepared = expectOk(
    await post<{ uri: string; secreto: string }>(
      'PostData/PrepararSegundoFactor',
      undefined,
      company.token,
    ),
  );
  keep('second factor', prepared.secreto);
  const phone = URI.parse(prepared.uri) as TOTP;
  const { codigos } = expectOk(
    await post<{ codigos: string[] }>(
      'PostData/ActivarSegundoFactor',
      { Codigo: phone.generate({ timestamp: world.deps.clock().getTime() }) },
      company.token,
    ),
  );
  keep('recovery code', codigos[0]);
  const { Reto } = expectOk(
    await post<{ Reto: string }>('Auth/login', { Email: email, Password: secrets.password }),
  );
  keep('challenge', Reto);
  const again = await post<{ tokenJWT: string }>('Auth/SegundoFactor', {
    Reto,
    Codigo: codigos[0],
  });
  keep('second token', expectOk(again).tokenJWT);

  await post('Auth/ForgotPassword', { Email: email });
  const [mail] = await sql<{ payload: { sealedCode: string } }[]>`
    select payload from mail_jobs where kind = 'codigo' order by id desc limit 1`;
  const Code = openSealedCode(config, company.id, mail?.payload.sealedCode ?? '');
  const NewPassword = keep('new password', 'otra frase nueva y larga');
  expectOk(await post('Auth/ValidarRecoveryCode', { Email: email, Code }));
  expectOk(await post('Auth/ResetPassword', { Email: email, Code, NewPassword }));

  // A sign-up that pays: its password is sealed into the payment.
  const orderId = `O${randomBytes(6).toString('hex').slice(0, 11).toUpperCase()}`;
  await post('Redsys/InitPayment', {
    orderId,
    totalCents: 9999,
    subscriptionType: 'annual',
    userData: JSON.stringify({
      email: 'x@ejemplo.es',
      password: keep('paid', 'la frase que se paga'),
    }),
  });

  // Failures log the most: half a body, and a database that refuses.
  await world.app.inject({
    method: 'POST',
    url: '/api/Auth/login',
    headers: { 'content-type': 'application/json' },
    payload: `{"Email":"${email}","Password":"${keep('half', 'medio cuerpo secreto')}`,
  });
  await sql`alter table rate_limits rename to rate_limits_away`;
  const broken = await post('Auth/login', {
    Email: email,
    Password: keep('bug', 'durante el fallo'),
  });
  await sql`alter table rate_limits_away rename to rate_limits`;
  expect(broken.status).toBe(500);
  await dispatcher.stop();

  keep('CLAVE_MAESTRA', config.claveMaestra.toString('base64'));
  keep('JWT_SECRET', config.jwtSecret);
  keep('private key', 'PRIVATE KEY-----');
  const logged = lines.join('');
  // The log is not empty: it has the calls, and the one that failed.
  expect(logged).toContain('/api/Auth/ResetPassword');
  expect(logged).toContain('request failed');
  const found = Object.entries(secrets).filter(([, secret]) => logged.includes(secret));
  expect(found.map(([name]) => name)).toEqual([]);
  expect(logged).not.toMatch(new RegExp(`(?<![\\d.])${Code}(?!\\d)`));
  expect(logged).not.toMatch(/eyJ[\w-]+\.[\w-]+\.[\w-]+/);
});
