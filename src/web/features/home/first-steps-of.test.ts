import { expect, it } from 'vitest';
import { wholeCompany } from '../../../../tests/fixtures/company-data.ts';
import { type Begun, firstStepsOf } from './first-steps-of.ts';

const all: Begun = {
  company: wholeCompany,
  certificate: { hasValue: true, caducado: false },
  hasLogo: true,
  hasCustomers: true,
  hasInvoices: true,
};
const expired = { hasValue: true, caducado: true };
const left = (begun: Begun) =>
  firstStepsOf(begun)
    .filter(({ done }) => !done)
    .map(({ name }) => name);

it('is empty once everything is done', () => {
  expect(firstStepsOf(all)).toEqual([]);
  expect(left({ ...all, hasLogo: false })).toEqual(['Logotipo']);
  expect(left({ ...all, certificate: { hasValue: false } })).toEqual(['Certificado digital']);
});

it('does not count an expired certificate as done', () => {
  const steps = firstStepsOf({ ...all, certificate: expired, hasInvoices: false });
  expect(steps.find(({ name }) => name === 'Certificado digital')).toMatchObject({
    done: false,
    note: 'Ha caducado',
    action: 'Renovar',
  });
});

it('does not come back when the certificate of a company that has begun expires', () => {
  expect(firstStepsOf({ ...all, certificate: expired })).toEqual([]);
});
