import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildApp } from '../../src/api/app.ts';
import { readConfig } from '../../src/config.ts';
import { type AccountApp, ALONE, openAccountApp } from './account-app.ts';

let app: AccountApp;
let token: string;
beforeAll(async () => {
  app = await openAccountApp();
  ({ token } = await app.signUp());
});
afterAll(() => app.close());

/** The directives of a policy, by name. */
const directivesOf = (policy: unknown) =>
  new Map(
    String(policy)
      .split(';')
      .map((directive) => directive.trim().split(' '))
      .map(([name = '', ...values]) => [name, values] as const),
  );

describe('every answer', () => {
  it.each(['/api/GetData/GetConfiguracion', '/api/openapi.json', '/salud', '/no-existe'])(
    '%s carries the headers of SECURITY.md §3',
    async (url) => {
      const { headers } = await app.app.inject({ url });
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'strict-origin-when-cross-origin',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'permissions-policy': 'camera=(self), microphone=(), geolocation=()',
      });
      expect(headers['x-powered-by']).toBeUndefined();
    },
  );

  it('runs no script except our files, and cannot be framed', async () => {
    const { headers } = await app.app.inject({ url: '/api/GetData/GetConfiguracion' });
    const policy = directivesOf(headers['content-security-policy']);
    expect(policy.get('default-src')).toEqual(["'none'"]);
    expect(policy.get('script-src')).toEqual(["'self'"]);
    expect(policy.get('connect-src')).toEqual(["'self'"]);
    expect(policy.get('frame-ancestors')).toEqual(["'none'"]);
    expect(policy.get('base-uri')).toEqual(["'none'"]);
    expect(policy.get('object-src')).toEqual(["'none'"]);
    expect(policy.get('style-src')).toEqual(["'self'"]);
    // No exceptions: nothing inline, evaluated or from elsewhere.
    expect(headers['content-security-policy']).not.toMatch(/unsafe|http|\*/);
  });

  it.each(['/api/GetData/GetConfiguracion', '/api/no-existe', '/salud'])(
    '%s is stored by no cache and no search engine',
    async (url) => {
      const { headers } = await app.app.inject({ url });
      expect(headers['x-robots-tag']).toBe('noindex');
      expect(headers['cache-control']).toBe('no-store');
    },
  );

  it('cannot be read by pages of other sites', async () => {
    const { headers } = await app.app.inject({
      url: '/api/GetData/GetConfiguracion',
      headers: { origin: 'https://otra.example' },
    });
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  it('is not held up by a header full of blanks', async () => {
    const { statusCode, headers } = await app.app.inject({
      url: '/api/GetData/GetPaises',
      headers: { 'accept-encoding': `x${'\t'.repeat(400_000)}x ,\tgzip` },
    });
    expect([statusCode, headers['content-encoding']]).toEqual([200, 'gzip']);
  });

  it('demands TLS for a year, once it is reached over TLS', async () => {
    expect(
      (await app.app.inject({ url: '/salud' })).headers['strict-transport-security'],
    ).toBeUndefined();
    const folder = await mkdtemp(join(tmpdir(), 'huella-headers-'));
    const config = readConfig({ DATA_DIR: folder, PUBLIC_URL: 'https://factura.example' });
    const overTls = await buildApp({ ...app.deps, config, log: pino({ level: 'silent' }) }, ALONE);
    const { headers } = await overTls.inject({ url: '/salud' });
    const age = /max-age=(\d+); includeSubDomains/.exec(
      String(headers['strict-transport-security']),
    )?.[1];
    expect(Number(age)).toBeGreaterThanOrEqual(365 * 24 * 3600);
    await overTls.close();
    await rm(folder, { recursive: true });
  });
});

describe('a method that a path does not have', () => {
  it.each([
    ['GET', '/api/PostData/SetClientes', 'POST, OPTIONS'],
    ['HEAD', '/api/PostData/SetClientes?a=1', 'POST, OPTIONS'],
    ['POST', '/api/GetData/GetClientes', 'GET, HEAD, OPTIONS'],
    ['PUT', '/api/openapi.json', 'GET, HEAD, OPTIONS'],
    ['DELETE', '/salud', 'GET, HEAD, OPTIONS'],
  ] as const)('is refused with those that it has: %s %s', async (method, url, allow) => {
    const answer = await app.app.inject({ method, url, payload: { a: 1 } });
    expect([answer.statusCode, answer.headers.allow]).toEqual([405, allow]);
    const message = `Esta dirección no admite ${method}: usa ${allow.split(',')[0]}.`;
    if (method !== 'HEAD') expect(answer.json()).toEqual({ message });
  });

  it('is told when it is asked for', async () => {
    const { statusCode, headers, body } = await app.app.inject({
      method: 'OPTIONS',
      url: '/api/GetData/GetClientes',
      headers: { origin: 'https://otra.example', 'access-control-request-method': 'GET' },
    });
    expect([statusCode, headers.allow, body]).toEqual([204, 'GET, HEAD, OPTIONS', '']);
    // Which other sites may still not read.
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  it.each(['/api/:a(', '/api/:a(?=(a+)+$)', '/api/*', '/*', '/:a'])(
    'is not looked for by a pattern that somebody sends: %s',
    async (url) => {
      expect((await app.app.inject({ method: 'POST', url })).statusCode).toBe(404);
    },
  );

  it.each(['GET', 'POST', 'OPTIONS'] as const)(
    '%s of what does not exist is 404',
    async (method) => {
      const { statusCode, headers } = await app.app.inject({ method, url: '/api/no-existe' });
      expect([statusCode, headers.allow]).toEqual([404, undefined]);
    },
  );
});

describe('what is sent', () => {
  it.each([
    ['a key that would reach the prototype', '{"__proto__": {"isAdmin": true}}'],
    ['the same, deeper', '{"Email": {"constructor": {"prototype": 1}}}'],
    ['half a body', '{"Email": "a'],
    ['text', 'hola'],
  ])('%s is refused with an explanation', async (_what, payload) => {
    const answer = await app.app.inject({
      method: 'POST',
      url: '/api/Auth/login',
      headers: { 'content-type': 'application/json' },
      payload,
    });
    expect(answer.statusCode).toBe(400);
    expect(answer.json().message).toEqual(expect.anything());
  });

  it('more than a megabyte of JSON is not read', async () => {
    const answer = await app.app.inject({
      method: 'POST',
      url: '/api/PostData/GetInvoiceDetail',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      payload: JSON.stringify({ Email: 'a'.repeat(1_100_000) }),
    });
    expect(answer.statusCode).toBe(413);
  });

  it.each([
    ['application/json', '{}'],
    ['application/json', '[]'],
    ['text/plain', '{}'],
  ])('%s with more objects than any call is not parsed: %s', async (type, value) => {
    const answer = await app.app.inject({
      method: 'POST',
      url: '/api/PostData/GetInvoiceDetail',
      headers: { 'content-type': type, authorization: `Bearer ${token}` },
      payload: `[${`${value},`.repeat(200_000)}1]`,
    });
    expect([answer.statusCode, answer.json().message]).toEqual([
      413,
      'La petición lleva demasiados datos: envíalos en varias veces.',
    ]);
  });

  it('a form without a session is not read if it has a file, or more or longer fields than a sign-up', async () => {
    const post = async (fields: Readonly<Record<string, string | Blob>>) => {
      const form = new FormData();
      for (const [name, value] of Object.entries(fields)) form.set(name, value);
      const { status, body } = await app.call('POST', '/api/Auth/login', { body: form });
      return [status, body.message];
    };
    const TOO_BIG = 'El archivo o el texto es demasiado grande.';
    const credentials = { Email: 'nadie@ejemplo.es', Password: 'no es de nadie' };
    const [wrong] = await post(credentials);
    expect(wrong).toBe(401);
    expect(await post({ ...credentials, File: new Blob(['x']) })).toEqual([413, TOO_BIG]);
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`f${index}`, 'x']));
    expect(await post(many)).toEqual([413, TOO_BIG]);
    // Cut off, and so refused.
    expect(await post({ ...credentials, Password: 'x'.repeat(900_000) })).toEqual([
      400,
      ['El campo «Password»: tiene que tener 1000 caracteres como mucho.'],
    ]);
  });

  it('a request may take a minute for its headers and five to arrive in full', () => {
    const { headersTimeout, requestTimeout } = app.app.server;
    expect([headersTimeout, requestTimeout]).toEqual([60_000, 300_000]);
  });

  it('another kind of content is refused', async () => {
    const answer = await app.app.inject({
      method: 'POST',
      url: '/api/Auth/login',
      headers: { 'content-type': 'application/xml' },
      payload: '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>',
    });
    expect(answer.statusCode).toBe(415);
  });
});
