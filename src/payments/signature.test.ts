import { describe, expect, it } from 'vitest';
import vectors from '../../tests/fixtures/redsys/vectores.json' with { type: 'json' };
import { encodeParameters, isSignatureOf, orderKey, signText } from './signature.ts';

/** The test key that Redsys publishes. */
const clave = 'sq7HjrUOBfKmC576ILgskD5srU870gJ7';
const V1 = 'HMAC_SHA256_V1';
const V2 = 'HMAC_SHA512_V2';

describe.each(vectors)('$name', ({ order, json, ...vector }) => {
  const key = { clave, order };

  it('HMAC_SHA256_V1', () => {
    expect(orderKey(V1, key).toString('base64')).toBe(vector.claveV1);
    expect(encodeParameters(V1, JSON.parse(json))).toBe(vector.parametrosV1);
    expect(signText(V1, key, vector.parametrosV1)).toBe(vector.firmaV1);
  });

  it('HMAC_SHA512_V2', () => {
    expect(orderKey(V2, key).toString('ascii')).toBe(vector.claveV2);
    expect(encodeParameters(V2, JSON.parse(json))).toBe(vector.parametrosV2);
    expect(signText(V2, key, vector.parametrosV2)).toBe(vector.firmaV2);
  });
});

describe('examples that Redsys and others have published', () => {
  /** «Firmar una operación», order 1234567890: its JSON escapes the slashes, as PHP does. */
  const published =
    'eyJEU19NRVJDSEFOVF9BTU9VTlQiOiI5OTkiLCJEU19NRVJDSEFOVF9PUkRFUiI6IjEyMzQ1Njc4OTAiLCJEU19NRVJDSEFOVF9NRVJDSEFOVENPREUiOiI5OTkwMDg4ODEiLCJEU19NRVJDSEFOVF9DVVJSRU5DWSI6Ijk3OCIsIkRTX01FUkNIQU5UX1RSQU5TQUNUSU9OVFlQRSI6IjAiLCJEU19NRVJDSEFOVF9URVJNSU5BTCI6IjEiLCJEU19NRVJDSEFOVF9NRVJDSEFOVFVSTCI6Imh0dHA6XC9cL3d3dy5wcnVlYmEuY29tXC91cmxOb3RpZmljYWNpb24ucGhwIiwiRFNfTUVSQ0hBTlRfVVJMT0siOiJodHRwOlwvXC93d3cucHJ1ZWJhLmNvbVwvdXJsT0sucGhwIiwiRFNfTUVSQ0hBTlRfVVJMS08iOiJodHRwOlwvXC93d3cucHJ1ZWJhLmNvbVwvdXJsS08ucGhwIn0';
  /** A real notification of 22 October 2021. */
  const notification =
    'eyJEc19EYXRlIjoiMjIlMkYxMCUyRjIwMjEiLCJEc19Ib3VyIjoiMjIlM0E1MSIsIkRzX1NlY3VyZVBheW1lbnQiOiIxIiwiRHNfQ2FyZF9OdW1iZXIiOiI0NTQ4ODEqKioqKiowMDA0IiwiRHNfQ2FyZF9Db3VudHJ5IjoiNzI0IiwiRHNfQW1vdW50IjoiNDk5OSIsIkRzX0N1cnJlbmN5IjoiOTc4IiwiRHNfT3JkZXIiOiIwNzI2cUkzSDdzWngiLCJEc19NZXJjaGFudENvZGUiOiI5OTkwMDg4ODEiLCJEc19UZXJtaW5hbCI6IjAwMSIsIkRzX1Jlc3BvbnNlIjoiMDAwMCIsIkRzX01lcmNoYW50RGF0YSI6IiIsIkRzX1RyYW5zYWN0aW9uVHlwZSI6IjAiLCJEc19Db25zdW1lckxhbmd1YWdlIjoiMSIsIkRzX0F1dGhvcmlzYXRpb25Db2RlIjoiMDUyMDI5IiwiRHNfQ2FyZF9CcmFuZCI6IjEiLCJEc19Qcm9jZXNzZWRQYXlNZXRob2QiOiIxIn0=';

  it('signs the V2 example', () => {
    const key = { clave, order: '1234567890' };
    expect(orderKey(V2, key).toString('ascii')).toBe('RWt3/IPTzYRMXsQtkiGRKg==');
    expect(signText(V2, key, published)).toBe(
      'Vjo02eSWq249IeZZp3R-ArFnGLhKY0OuzDDlx1BuVtZDC2yhczA7_11uZhsYzLZBCMFAz8u8uzGDX3AErHKmmw',
    );
  });

  it('believes a real notification of V1, in the alphabet in which it arrived', () => {
    const key = { clave, order: '0726qI3H7sZx' };
    const signature = '52nPyUkyDws__OfMqDka_yN-arxzulELZC1TYTvvR0s=';
    expect(orderKey(V1, key).toString('base64')).toBe('GViV77kFjMPKVUcE9qxzlg==');
    expect(isSignatureOf(V1, key, notification, signature)).toBe(true);
    expect(isSignatureOf(V1, key, notification, `A${signature.slice(1)}`)).toBe(false);
    expect(isSignatureOf(V1, key, notification, '')).toBe(false);
  });

  it('fills a short key with zeros in V2', () => {
    const order = '1234567890';
    const filled = orderKey(V2, { clave: 'abc0000000000000', order });
    expect(orderKey(V2, { clave: 'abc', order })).toEqual(filled);
  });

  it('adds no padding block to an order that fills its blocks', () => {
    expect(orderKey(V1, { clave, order: '12345678' })).toHaveLength(8);
    expect(orderKey(V1, { clave, order: '012345678' }).toString('base64')).toBe(
      'ub0/L8+E9+9ITQJwk3SvHA==',
    );
  });
});
