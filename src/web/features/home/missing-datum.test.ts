import { expect, it } from 'vitest';
import { wholeCompany } from '../../../../tests/fixtures/company-data.ts';
import { missingDatum } from './missing-datum.ts';

it('finds nothing missing of a company whose invoices are complete', () => {
  expect(missingDatum(wholeCompany)).toBeNull();
  expect(missingDatum({ ...wholeCompany, countryCode: 'PT', postCode: '1100-148' })).toBeNull();
});

it.each([
  [{ Name: ' ' }, 'Name'],
  [{ VATRegistrationNo: '' }, 'VATRegistrationNo'],
  [{ Address: '' }, 'Address'],
  [{ postCode: '99999' }, 'postCode'],
  [{ Municipio: '' }, 'Municipio'],
  [{ Address: '', Municipio: '' }, 'Address'],
])('of %o, %s', (change, field) => {
  expect(missingDatum({ ...wholeCompany, ...change })?.field).toBe(field);
});

it('finds the town missing of a company that signed up without one', () => {
  const { Municipio: _, ...signedUp } = wholeCompany;
  expect(missingDatum(signedUp)).toMatchObject({ field: 'Municipio', note: 'Falta el municipio' });
});
