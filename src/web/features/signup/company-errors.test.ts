import { expect, it } from 'vitest';
import { companyErrors } from './company-errors.ts';
import { EMPTY_SIGN_UP } from './sign-up-data.ts';

const COMPLETE = {
  ...EMPTY_SIGN_UP,
  email: 'nuria@obrador.example',
  password: 'tres panes y una vela',
  fullName: 'Obrador Candela, S.L.',
  cifNif: 'B50482173',
  address: 'Calle de San Blas, 14',
  postCode: '50003',
};

it('accepts a complete company', () => {
  expect(companyErrors(COMPLETE, { askPassword: false })).toEqual({});
});

it('requires each of the five fields', () => {
  const found = companyErrors({ ...EMPTY_SIGN_UP, countryCode: '' }, { askPassword: false });
  expect(Object.keys(found).sort()).toEqual([
    'address',
    'cifNif',
    'countryCode',
    'fullName',
    'postCode',
  ]);
});

it('asks for the password only if it was lost', () => {
  const lost = { ...COMPLETE, password: '' };
  expect(companyErrors(lost, { askPassword: true })).toHaveProperty('password');
  expect(companyErrors(lost, { askPassword: false })).toEqual({});
});

it('refuses a NIF whose control character is wrong', () => {
  const found = companyErrors({ ...COMPLETE, cifNif: 'B50482174' }, { askPassword: false });
  expect(Object.keys(found)).toEqual(['cifNif']);
});

it('accepts the postal codes of other countries as they are', () => {
  const abroad = { ...COMPLETE, countryCode: 'PT', postCode: '1000-205' };
  expect(companyErrors(abroad, { askPassword: false })).toEqual({});
});
