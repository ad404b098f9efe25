import { expect, it } from 'vitest';
import { townAfter } from './town.ts';

const before = { address: 'Calle Mayor, 1', postCode: '28013', municipio: 'Madrid' };

it.each([
  ['stays with the same address', before, undefined, 'Madrid'],
  ['is not of another address', { ...before, address: 'Calle Menor, 2' }, undefined, ''],
  ['is not of another post code', { ...before, postCode: '28004' }, undefined, ''],
  ['is the one that is given', { ...before, postCode: '08013' }, ' Barcelona ', 'Barcelona'],
  ['is taken away', before, '', ''],
])('the town %s', (_what, after, given, town) => {
  expect(townAfter(before, after, given)).toBe(town);
});
