import fastify from 'fastify';
import { expect, it } from 'vitest';
import { readConfig } from '../config.ts';
import type { Deps } from '../deps.ts';
import { guardReadings, scopeRequests } from './auth.ts';
import { signToken } from './tokens.ts';

it('withholds the answer of a reading call that read nothing, because its session was never looked up', async () => {
  const config = readConfig({ JWT_SECRET: 'a'.repeat(32), CLAVE_MAESTRA: `${'A'.repeat(43)}=` });
  const deps = { config, clock: () => new Date(), sql: null as unknown as Deps['sql'] };
  const app = fastify();
  scopeRequests(app);
  guardReadings(app, deps);
  app.get('/secreto', async () => 'secreto');
  const claims = { companyId: 7, email: '', sid: '2b1cbb60-9a6c-4a8c-9c3c-1a4d6f6f0c11' };
  const authorization = `Bearer ${await signToken(deps, claims)}`;
  const { statusCode, body } = await app.inject({ url: '/secreto', headers: { authorization } });
  expect(statusCode).toBe(500);
  expect(body).not.toContain('secreto');
});
