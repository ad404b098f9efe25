import { expect, it } from 'vitest';
import type { DatosEmpresa } from '../../../contract/company.ts';
import { missingDatum } from './missing-datum.ts';

const whole: DatosEmpresa = {
  Email: 'hola@obrador.test',
  Name: 'Obrador Candela, S.L.',
  VATRegistrationNo: 'B12345674',
  Address: 'Calle Mayor, 1',
  countryCode: 'ES',
  postCode: '28013',
  Municipio: 'Madrid',
  PaymentTerms: '',
  PaymentMethod: '',
  CustomerPostingGroup: '',
  Customer: '',
  NoSerie: '',
};

it('finds nothing missing of a company whose invoices are complete', () => {
  expect(missingDatum(whole)).toBeNull();
  expect(missingDatum({ ...whole, countryCode: 'PT', postCode: '1100-148' })).toBeNull();
});

it.each([
  [{ Name: ' ' }, 'Name'],
  [{ VATRegistrationNo: '' }, 'VATRegistrationNo'],
  [{ Address: '' }, 'Address'],
  [{ postCode: '99999' }, 'postCode'],
  [{ Municipio: '' }, 'Municipio'],
  [{ Address: '', Municipio: '' }, 'Address'],
])('of %o, %s', (change, field) => {
  expect(missingDatum({ ...whole, ...change })?.field).toBe(field);
});

it('finds the town missing of a company that signed up without one', () => {
  const { Municipio: _, ...signedUp } = whole;
  expect(missingDatum(signedUp)).toMatchObject({ field: 'Municipio', note: 'Falta el municipio' });
});
