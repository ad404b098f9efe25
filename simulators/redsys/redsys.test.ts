import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { judgeCard } from './cards.ts';
import { type Operacion, Operaciones } from './operations.ts';
import { euros } from './pages.ts';
import { firma, firmado } from './signature.ts';

const clave = 'sq7HjrUOBfKmC576ILgskD5srU870gJ7';
const now = new Date('2026-11-20T10:00:00Z');

describe('the bank’s own signature', () => {
  /** Published example «Firmar una operación» of V2, signed in both. */
  const order = '1234567890';

  it('V1: a request that was published with its signature', () => {
    const notification =
      'eyJEc19EYXRlIjoiMjIlMkYxMCUyRjIwMjEiLCJEc19Ib3VyIjoiMjIlM0E1MSIsIkRzX1NlY3VyZVBheW1lbnQiOiIxIiwiRHNfQ2FyZF9OdW1iZXIiOiI0NTQ4ODEqKioqKiowMDA0IiwiRHNfQ2FyZF9Db3VudHJ5IjoiNzI0IiwiRHNfQW1vdW50IjoiNDk5OSIsIkRzX0N1cnJlbmN5IjoiOTc4IiwiRHNfT3JkZXIiOiIwNzI2cUkzSDdzWngiLCJEc19NZXJjaGFudENvZGUiOiI5OTkwMDg4ODEiLCJEc19UZXJtaW5hbCI6IjAwMSIsIkRzX1Jlc3BvbnNlIjoiMDAwMCIsIkRzX01lcmNoYW50RGF0YSI6IiIsIkRzX1RyYW5zYWN0aW9uVHlwZSI6IjAiLCJEc19Db25zdW1lckxhbmd1YWdlIjoiMSIsIkRzX0F1dGhvcmlzYXRpb25Db2RlIjoiMDUyMDI5IiwiRHNfQ2FyZF9CcmFuZCI6IjEiLCJEc19Qcm9jZXNzZWRQYXlNZXRob2QiOiIxIn0=';
    expect(firma('HMAC_SHA256_V1', clave, '0726qI3H7sZx', notification).toString('base64')).toBe(
      '52nPyUkyDws//OfMqDka/yN+arxzulELZC1TYTvvR0s=',
    );
  });

  it('V2: another merchant’s example', () => {
    const text =
      'eyJEU19NRVJDSEFOVF9BTU9VTlQiOiI1Mzk5IiwiRFNfTUVSQ0hBTlRfT1JERVIiOiIyNjExMjBBN0s5WlQiLCJEU19NRVJDSEFOVF9NRVJDSEFOVENPREUiOiI5OTkwMDg4ODEiLCJEU19NRVJDSEFOVF9DVVJSRU5DWSI6Ijk3OCIsIkRTX01FUkNIQU5UX1RSQU5TQUNUSU9OVFlQRSI6IjMiLCJEU19NRVJDSEFOVF9URVJNSU5BTCI6IjEifQ';
    expect(firma('HMAC_SHA512_V2', clave, '261120A7K9ZT', text).toString('base64url')).toBe(
      'KLvjS1QFzCyvgOc_vG5iNVhsaeQ52HkB_tDbWrS2X8kjpP3MHDVoz8oweQdoC2pchp75czEI4fsIZXfLi894Yw',
    );
  });

  it('goes in base64url with padding in V1', () => {
    const { Ds_Signature } = firmado('HMAC_SHA256_V1', clave, order, { Ds_Order: order });
    expect(Ds_Signature).toMatch(/^[\w-]{43}=$/);
  });
});

describe('cards', () => {
  const card = { number: '4548 8100 0000 0003', expiry: '12/34', cvv: '123' };
  const judge = (change: Partial<typeof card> = {}, amount = '5399') =>
    judgeCard({ ...card, ...change }, { amount, now });

  it.each([
    [{}, { kind: 'authorised' }],
    [{ cvv: '999' }, { kind: 'denied', Ds_Response: '0190' }],
    [{ cvv: '173' }, { kind: 'denied', Ds_Response: '0173' }],
    [{ expiry: '10/26' }, { kind: 'denied', Ds_Response: '0101' }],
    [{ expiry: '11/26' }, { kind: 'authorised' }],
    [{ number: '4548817212493017' }, { kind: 'challenge', after: '0000' }],
    [{ number: '4907271141151707' }, { kind: 'challenge', after: '0184' }],
    [{ number: '4111111111111111' }, { kind: 'denied', Ds_Response: '0118' }],
    [{ number: '4548810000000004' }, { kind: 'mistyped' }],
    [{ expiry: '13/30' }, { kind: 'mistyped' }],
    [{ cvv: '1' }, { kind: 'mistyped' }],
  ])('%o', (change, outcome) => {
    expect(judge(change)).toMatchObject(outcome);
  });

  it('are denied for amounts that end as those of trials', () => {
    expect(judge({}, '1096')).toEqual({ kind: 'denied', Ds_Response: '0190' });
  });
});

it('writes amounts as people do', () => {
  expect([euros('999'), euros('123456'), euros('5')]).toEqual([
    '9,99\u00a0€',
    '1.234,56\u00a0€',
    '0,05\u00a0€',
  ]);
});

it('keeps its orders when it starts again', () => {
  const dir = mkdtempSync(join(tmpdir(), 'pasarela-'));
  const file = join(dir, 'redsys', 'operaciones.json');
  const operacion = { Ds_Order: '2611A7K9ZT3Q', Ds_Response: '0000' } as Operacion;
  Operaciones.open(file).save(operacion);
  expect(Operaciones.open(file).find('2611A7K9ZT3Q')).toEqual(operacion);
  rmSync(dir, { recursive: true });
});
