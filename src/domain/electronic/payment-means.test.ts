import { expect, it } from 'vitest';
import { medioDePagoOf } from './payment-means.ts';

const IBAN = 'ES9121000418450200051332';

it.each([
  ['Transferencia bancaria', '04', '30'],
  ['Domiciliación bancaria', '03', '59'],
  ['Tarjeta', '19', '48'],
  ['Efectivo', '01', '10'],
  ['Contra reembolso', '18', '1'],
  ['Letra de cambio', '05', '44'],
  ['Giro', '15', '44'],
  ['Bizum', '13', '68'],
  ['Trueque', '13', '1'],
])('%s is %s in Facturae and %s in UNCL4461', (formaPago, facturae, uncl4461) => {
  expect(medioDePagoOf(formaPago, IBAN)).toEqual({ facturae, uncl4461 });
});

it('a transfer without an account does not exist in the formats', () => {
  expect(medioDePagoOf('Transferencia bancaria', '')).toEqual({ facturae: '13', uncl4461: '1' });
});
