import { expect, it } from 'vitest';
import { countryNamed } from './country-names.ts';

it.each([
  ['España', 'ES'],
  ['ESPANA', 'ES'],
  ['Alemaña', 'DE'],
  ['alemania', 'DE'],
  ['Deutschland', 'DE'],
  [' Países Bajos ', 'NL'],
  ['United Kingdom', 'GB'],
  ['Hamburgo', null],
  ['', null],
])('%j is the name of %s', (name, country) => {
  expect(countryNamed(name)).toBe(country);
});
