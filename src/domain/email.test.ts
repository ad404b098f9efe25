import { expect, it } from 'vitest';
import { checkEmail, emailKey } from './email.ts';

it.each([
  ['a@b.es', 'a@b.es'],
  ['nombre.apellido+fact@sub.empresa.com', 'nombre.apellido+fact@sub.empresa.com'],
  ['info@empresa-s-l.es', 'info@empresa-s-l.es'],
  [' Ana@Empresa.ES ', 'Ana@empresa.es'],
  ['\u200bana@empresa.es\ufeff', 'ana@empresa.es'],
  ['mailto:ana@empresa.es', 'ana@empresa.es'],
  ['Mailto:ana@empresa.es', 'ana@empresa.es'],
  ['Ana López <ana@empresa.es>', 'ana@empresa.es'],
  ['ana@empresa.es.', 'ana@empresa.es'],
  ['ana@compañía.es', 'ana@xn--compaa-7va5a.es'],
])('%s is stored as %s', (text, email) => {
  expect(checkEmail(text)).toEqual({ ok: true, email });
});

it.each([
  '',
  'a@b',
  'a@@b.es',
  'a b@c.es',
  '.a@b.es',
  'a.@b.es',
  'a..b@c.es',
  'a@-b.es',
  'a@b.es\n',
  'a@b.es\r\nBcc: c@d.es',
  `${'a'.repeat(65)}@b.es`,
  `a@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(63)}.${'e'.repeat(63)}.es`,
  'a@192.168.1.1',
  '@b.es',
  'a@',
  'a@b.es, c@d.es',
  'a@b.es <c@d.es>',
  '<a@b.es> c@d.es',
  'a@compañía.es/b',
  'a@compañía.es:25',
  'a@compañía.es?b',
  'a@compañía.es#b',
  'a@compañía%2eb.es',
  'a@compañía.es\\b',
  'a@compa\tñía.es',
])('%j is refused', (text) => {
  expect(checkEmail(text).ok).toBe(false);
});

it('gives a user one key, however the address is written', () => {
  expect(emailKey(' José@Empresa.es')).toBe(emailKey('jose\u0301@EMPRESA.ES'));
  expect(emailKey('Ana@Peñuelas.es')).toBe('ana@xn--peuelas-5za.es');
  expect(emailKey('ana@xn--peuelas-5za.es')).toBe('ana@xn--peuelas-5za.es');
  expect(emailKey(' Nadie ')).toBe('nadie');
  // A capital without a composed form of its own: its small letter has one.
  const greek = emailKey('\u0386\u0345@b.es');
  expect(emailKey(greek)).toBe(greek);
});
