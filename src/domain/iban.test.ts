import { expect, it } from 'vitest';
import { checkIban } from './iban.ts';

it.each([
  'ES9121000418450200051332',
  'ES7921000813610123456789',
  'ES6000491500051234567892',
  'ES9200490001561234567890',
  'ES9701822370400012345678',
  'ES4230580990262720012345',
  'FR1420041010050500013M02606',
  'DE89370400440532013000',
  'PT50000201231234567890154',
  'GB29NWBK60161331926819',
  'IT60X0542811101000000123456',
])('%s is valid, also with blanks and in lower case', (iban) => {
  expect(checkIban(iban)).toEqual({ ok: true, iban });
  expect(checkIban(iban.toLowerCase().replace(/(.{4})/g, '$1 '))).toEqual({ ok: true, iban });
});

it.each([
  'ES91\u00a02100\u00a00418\u00a04502\u00a00005\u00a01332',
  'IBAN: ES91-2100-0418-4502-0005-1332',
  'IBAN ES91 2100 0418 4502 0005 1332',
  'ES91.2100.0418.4502.0005.1332',
  '\u200eES9121000418450200051332\u200b',
])('%j is taken as copied from a bank or a message', (text) => {
  expect(checkIban(text)).toEqual({ ok: true, iban: 'ES9121000418450200051332' });
});

it.each([
  ['ES9121000418450200051333', /control/],
  ['ES0000000000000000000000', /control/],
  ['ES912100041845020005133', /24 caracteres y este tiene 23/],
  ['XX00123', /dos letras/],
  ['', /dos letras/],
])('%s is refused', (text, reason) => {
  expect(checkIban(text)).toMatchObject({ ok: false, mensaje: expect.stringMatching(reason) });
});
