import { expect, it } from 'vitest';
import { askedByMain, REGISTER } from './registering.ts';

it('repeats the main button if its label says what will happen', () => {
  expect(askedByMain('create', false).verb).toBe('Enviar factura');
  expect(askedByMain('pending', true).verb).toBe('Reenviar factura corregida');
});

it('says «register» for what was read from a file, and for a draft that was never sent', () => {
  expect(askedByMain('upload', false)).toBe(REGISTER);
  expect(askedByMain('pending', false)).toBe(REGISTER);
});
