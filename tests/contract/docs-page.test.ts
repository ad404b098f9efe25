import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type AccountApp, openAccountApp } from './account-app.ts';

let app: AccountApp;
beforeAll(async () => {
  app = await openAccountApp();
});
afterAll(() => app.close());

const read = (url: string) => app.app.inject({ method: 'GET', url });

it('shows every call of the OpenAPI on one page, which search engines do not index', async () => {
  const page = await read('/api/docs');
  expect(page.statusCode).toBe(200);
  expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
  expect(page.headers['x-robots-tag']).toBe('noindex');
  const { paths } = (await read('/api/openapi.json')).json<{ paths: object }>();
  for (const path of Object.keys(paths)) expect(page.body).toContain(`<code>${path}</code>`);
  expect(page.body).toContain('<code>accionFactura</code>');
  expect(page.body).toContain('<h2 id="acceso-t">Acceso</h2>');
});

it('says what every field is, and which values it takes', async () => {
  const { body } = await read('/api/docs');
  expect(body).toContain(
    '<td><code>accionFactura</code></td><td>0 guarda el borrador; 1 registra; 2 registra y envía el PDF al cliente<br>entero <small>',
  );
  expect(body).toContain('Clave de régimen: véase GetClavesRegimen<br>texto');
  expect(body).toContain(
    '<td>Fecha de la operación, si no es la de expedición<br>fecha o vacío</td>',
  );
  expect(body).not.toContain('<code></code>');
});

it('says once how long the name of a company may be, as the call demands', async () => {
  const { body } = await read('/api/docs');
  const rows = [...body.matchAll(/<td><code>fullName<\/code><\/td><td>(.*?)<\/td>/g)];
  expect(rows.map(([, words]) => words)).toEqual([
    'Nombre o razón social<br>texto <small>hasta 120 caracteres</small>',
  ]);
});

it('says what every field of an answer is, and shows an example', async () => {
  const { body } = await read('/api/docs');
  expect(body).toContain(
    '<td><code>rows.AmountIncludingVat</code></td><td>Total con impuestos, en euros<br>número</td>',
  );
  expect(body).toMatch(/<pre tabindex="0">\{\n {2}&quot;tokenJWT&quot;: &quot;/);
  expect(body.match(/<summary>Ejemplo<\/summary>/g)?.length).toBeGreaterThan(100);
});

it('says what every answer means', async () => {
  const { body } = await read('/api/docs');
  const rows = [...body.matchAll(/<tr><td><code>(\d{3}|default)<\/code><\/td><td>(.*?)<\/td>/g)];
  expect(rows.length).toBeGreaterThan(300);
  expect(rows.filter(([, status, meaning]) => status === 'default' || meaning === '')).toEqual([]);
});

it('complies with the policy of every page: no script, nothing from elsewhere', async () => {
  const { body, headers } = await read('/api/docs');
  expect(headers['content-security-policy']).toContain("script-src 'self'");
  expect(body).not.toMatch(/<script|\son\w+=|@import|url\(/);
  const addresses = [...body.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, address]) => address);
  expect(addresses).not.toEqual([]);
  expect(addresses.every((address) => /^[/#]/.test(address ?? ''))).toBe(true);
});

it('is written once, however often anybody asks for it', async () => {
  const first = await Promise.all(['/api/docs', '/api/openapi.json'].map(read));
  const writing = vi.spyOn(app.app, 'swagger');
  const later = await Promise.all(['/api/docs', '/api/openapi.json'].map(read));
  expect(later.map(({ body }) => body)).toEqual(first.map(({ body }) => body));
  expect(writing).not.toHaveBeenCalled();
});
