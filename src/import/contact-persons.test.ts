import { expect, it } from 'vitest';
import { contactPersons } from './contact-persons.ts';

const rowOf = (Name: string, VATRegistrationNo = '') => ({
  fila: 1,
  values: { Name, VATRegistrationNo },
  shown: [],
  problems: [],
  leftOut: [],
});
const COMPANIES = [rowOf('Azulejos Rey', 'B12345674'), rowOf('Cal y Canto, S.L.')];

it.each([
  ['Azulejos Rey, Ana', true],
  ['AZULEJOS REY,  Luis Gil Paz', true],
  ['Cal y Canto, S.L., Eva Mir', true],
  ['Azulejos Rey, S.L.', false],
  ['Azulejos Rey, SLU', false],
  ['Azulejos Rey, S. Coop.', false],
  ['Gil, Ana', false],
  ['Azulejos Rey', false],
])('%s is a person of a company of the list: %s', (name, isOne) => {
  const row = rowOf(name);
  expect(contactPersons([...COMPANIES, row])).toEqual(isOne ? [row] : []);
});

it('one with the NIF of the company, as Odoo exports them, is a person of it, wherever the company stands', () => {
  const person = rowOf('Azulejos Rey, Ana', 'ES-B12345674');
  expect(contactPersons([person, ...COMPANIES])).toEqual([person]);
});

it('one with another NIF is a client', () => {
  expect(contactPersons([...COMPANIES, rowOf('Azulejos Rey, Ana', '00000000T')])).toEqual([]);
});
