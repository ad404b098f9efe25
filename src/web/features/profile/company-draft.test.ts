import { expect, it } from 'vitest';
import {
  companyErrors,
  nifNotice,
  normalizedCompany,
  printNotice,
  territoryNotice,
} from './company-draft.ts';

const company = {
  Name: 'Carpintería Belmonte e Hijos, S.L.',
  VATRegistrationNo: 'B12345674',
  Address: 'Av. de la Industria 18',
  countryCode: 'ES',
  postCode: '28823',
  Municipio: 'Alcalá de Henares',
};

it('finds nothing wrong in complete data, however the NIF is written', () => {
  expect(companyErrors({ ...company, VATRegistrationNo: ' b-1234567-4' })).toEqual({});
});

it('warns about a NIF with an unusual last character, which may be right', () => {
  expect(nifNotice(company)).toBeUndefined();
  const odd = { ...company, VATRegistrationNo: 'B1234567D' };
  expect(companyErrors(odd)).toEqual({});
  expect(nifNotice(odd)).toMatch(/^El NIF B1234567D suele acabar en /);
});

it('warns about letters that invoices print as a sign, and drawings that they leave out', () => {
  expect(printNotice(company, 'Name')).toBeNull();
  expect(printNotice({ ...company, Name: '静岡, S.L.' }, 'Name')).toBe(
    'El nombre de la empresa se imprimirá con «□» en lugar de «静» y «岡»: la letra del PDF no los tiene.',
  );
  expect(printNotice({ ...company, Address: 'Calle Mayor, 1 🍵' }, 'Address')).toBe(
    'La dirección de la empresa se imprimirá sin «🍵»: la letra del PDF no lo tiene.',
  );
});

it('names each wrong field', () => {
  const wrong = { Name: ' ', VATRegistrationNo: 'B12345670', Address: '', postCode: '99999' };
  expect(Object.keys(companyErrors({ ...company, ...wrong }))).toEqual([
    'Name',
    'VATRegistrationNo',
    'Address',
    'postCode',
  ]);
});

it('does not treat blanks or hyphens as a change', () => {
  const typed = { ...company, Name: `${company.Name} `, VATRegistrationNo: 'B-12345674' };
  expect(normalizedCompany(typed)).toEqual(company);
});

it.each([
  ['48001', /TicketBAI/],
  ['31001', /NaTicket/],
  ['35001', /IGIC/],
  ['52001', /IPSI/],
])('says what follows from %s', (postCode, notice) => {
  expect(territoryNotice({ ...company, postCode })).toMatch(notice);
});

it('says nothing about most places', () => {
  expect(territoryNotice(company)).toBeUndefined();
  expect(territoryNotice({ ...company, countryCode: 'FR', postCode: '48001' })).toBeUndefined();
});
