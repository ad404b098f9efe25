import { expect, it } from 'vitest';
import { readConfig } from '../config.ts';
import { readToken, signToken } from './tokens.ts';

const claims = {
  companyId: 7,
  email: 'ana@ejemplo.es',
  sid: '2b1cbb60-9a6c-4a8c-9c3c-1a4d6f6f0c11',
};
const start = new Date('2026-11-22T10:00:00Z');
const later = (minutes: number) => () => new Date(start.getTime() + minutes * 60_000);
const configOf = (secret: string) =>
  readConfig({ JWT_SECRET: secret.repeat(32), CLAVE_MAESTRA: `${'A'.repeat(43)}=` });

it('expires after an hour, even if it was checked before', async () => {
  const config = configOf('a');
  const token = await signToken({ config, clock: () => start }, claims);
  for (const minutes of [0, 1, 59]) {
    expect(await readToken({ config, clock: later(minutes) }, token)).toMatchObject(claims);
  }
  expect(await readToken({ config, clock: later(60) }, token)).toBeNull();
});

it('is invalid with another secret or another letter, even if it was checked before', async () => {
  const config = configOf('a');
  const token = await signToken({ config, clock: () => start }, claims);
  expect(await readToken({ config, clock: later(1) }, token)).not.toBeNull();
  expect(await readToken({ config: configOf('b'), clock: later(1) }, token)).toBeNull();
  const [header = '', payload = '', signature = ''] = token.split('.');
  const forged = Buffer.from(payload, 'base64url').toString().replace('"7"', '"8"');
  const other = [header, Buffer.from(forged).toString('base64url'), signature].join('.');
  expect(await readToken({ config, clock: later(1) }, other)).toBeNull();
});
