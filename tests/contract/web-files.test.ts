import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildApp } from '../../src/api/app.ts';
import { type AccountApp, ALONE, openAccountApp } from './account-app.ts';

const FILES = {
  'index.html': '<meta name="csp-nonce" content="__nonce__">la aplicación',
  'landing.html': 'la portada, sin sus enlaces',
  'verificar.html': '<style></style><script></script>el verificador',
  'verificar.html.br': 'en pocos bytes',
  'favicon.svg': '<svg/>',
  'assets/panel-1a2b.js': 'export default 1',
  'assets/panel-1a2b.js.br': 'br',
  'assets/panel-1a2b.js.gz': 'gz',
};

let account: AccountApp;
let folder: string;
let app: Awaited<ReturnType<typeof buildApp>>;
beforeAll(async () => {
  account = await openAccountApp();
  folder = await mkdtemp(join(tmpdir(), 'huella-web-'));
  await mkdir(join(folder, 'web', 'assets'), { recursive: true });
  await writeFile(join(folder, 'secreto.js'), 'no es de la web');
  for (const [name, text] of Object.entries(FILES)) {
    await writeFile(join(folder, 'web', name), text);
  }
  app = await buildApp(account.deps, { ...ALONE, webRoot: join(folder, 'web') });
});
afterAll(async () => {
  await app.close();
  await account.close();
  await rm(folder, { recursive: true });
});

const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers });

it.each([
  ['/assets/panel-1a2b.js', {}, 'export default 1', undefined],
  ['/assets/panel-1a2b.js', { 'accept-encoding': 'gzip, br' }, 'br', 'br'],
  ['/assets/panel-1a2b.js?a=1', { 'accept-encoding': 'gzip' }, 'gz', 'gzip'],
])('%s with %j is %s, for ever', async (url, headers, body, encoding) => {
  const answer = await get(url, headers);
  expect([answer.statusCode, answer.body]).toEqual([200, body]);
  expect(answer.headers['content-encoding']).toBe(encoding);
  expect(answer.headers['content-type']).toMatch(/^(text|application)\/javascript/);
  expect(answer.headers['cache-control']).toBe('public, max-age=31536000, immutable');
  expect(
    (await get(url, { ...headers, 'if-none-match': String(answer.headers.etag) })).statusCode,
  ).toBe(304);
});

it('caches files without a hash for an hour', async () => {
  const { statusCode, headers } = await get('/favicon.svg');
  expect([statusCode, headers['cache-control']]).toEqual([200, 'public, max-age=3600']);
  expect((await app.inject({ method: 'HEAD', url: '/favicon.svg' })).statusCode).toBe(200);
});

it('the landing page is not sent again to whoever has it', async () => {
  const { etag } = (await get('/')).headers;
  for (const known of [`"otra", ${etag}`, '*']) {
    expect((await get('/', { 'if-none-match': known })).statusCode).toBe(304);
  }
  expect((await get('/', { 'if-none-match': '"otra"' })).statusCode).toBe(200);
});

it.each(['/', '/verificar', '/panel/facturas', '/favicon.svg'])('%s is only read', async (url) => {
  const { statusCode, headers } = await app.inject({ method: 'POST', url });
  expect([statusCode, headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS']);
});

it.each([
  '/index.html',
  '/landing.html',
  '/verificar.html.br',
  '/index%2ehtml',
  '/assets/../index.html',
  '/assets/..%2f..%2fsecreto.js',
  '/..%2fsecreto.js',
  '//secreto.js',
  '/assets',
  '/assets/',
  '/assets/panel-0000.js',
  '/api/no-existe',
])('%s is no file of the web', async (url) => {
  const answer = await get(url);
  expect(answer.statusCode).toBe(404);
  for (const text of ['la aplicación', 'la portada', 'en pocos bytes', 'no es de la web']) {
    expect(answer.body).not.toContain(text);
  }
});

it('shows a page to users who look for one, with the nonce of its policy', async () => {
  const answer = await get('/panel/inicio', { accept: 'text/html' });
  const [, nonce] = /content="([^"]+)"/.exec(answer.body) ?? [];
  expect(answer.statusCode).toBe(200);
  expect(answer.headers['content-security-policy']).toContain(`'nonce-${nonce}'`);
  expect((await get('/index.html', { accept: 'text/html' })).statusCode).toBe(404);
});

it.each([
  ['/?a=%00', 200, 'la portada'],
  ['/verificar?a=%EF%BF%BD', 200, 'el verificador'],
  ['/panel/historial?search=%00', 200, 'la aplicación'],
  ['/panel/historial?search=cami%F3n', 200, 'la aplicación'],
  ['/100%', 404, 'la aplicación'],
  ['/panel/%F3?a=1', 404, 'la aplicación'],
])('shows a page at %s, whatever its address contains', async (url, status, text) => {
  const answer = await get(url, { accept: 'text/html' });
  expect([answer.statusCode, answer.body]).toEqual([status, expect.stringContaining(text)]);
});

it('refuses a call with an unreadable address', async () => {
  const { statusCode, body } = await get('/api/GetData/%');
  expect([statusCode, body]).toEqual([400, expect.stringContaining('no se entiende')]);
});
