import { expect, it } from 'vitest';
import { impuestoOf, nombreImpuesto } from './impuestos.ts';
import { territoryOf } from './postal-code.ts';

it('names the tax of the AEAT’s code, and IVA if there is none', () => {
  expect(['01', '02', '03', undefined].map(nombreImpuesto)).toEqual(['IVA', 'IPSI', 'IGIC', 'IVA']);
});

it.each([
  ['28013', 'IVA'],
  ['48001', 'IVA'],
  ['35001', 'IGIC'],
  ['38001', 'IGIC'],
  ['51001', 'IPSI'],
  ['52001', 'IPSI'],
])('of a company in %s it is %s', (postCode, name) => {
  expect(impuestoOf(territoryOf(postCode))).toBe(name);
});
