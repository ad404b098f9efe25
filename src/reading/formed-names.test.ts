import { expect, it } from 'vitest';
import { printedRows } from '../../tests/reading/printed-rows.ts';
import { formedNames } from './formed-names.ts';

it.each([
  ['Nubeware, S.L. · NIF B12345674 · C/ Mayor, 3', 'Nubeware, S.L.'],
  ['C/ Mayor, 3, 28013 Madrid. Frutas del Segre, S.A.T. NIF B12345674', 'Frutas del Segre, S.A.T.'],
  [
    'R.M. Madrid, T. 12 - Lázaro & Mesa Abogados, S.L.P. - 913 00 11 22',
    'Lázaro & Mesa Abogados, S.L.P.',
  ],
  ['Condiciones: pago a 30 días. Nubeware, S.L. · NIF B12345674', 'Nubeware, S.L.'],
  ['© 2026 Energía Clara SA. Todos los derechos reservados', 'Energía Clara SA'],
  ['Vendido por Bodegas Arlanza, S. Coop. And.', 'Bodegas Arlanza, S. Coop. And.'],
  ['Red Vega, S.A. Unipersonal, domiciliada en Madrid', 'Red Vega, S.A. Unipersonal'],
])('%s', (line, name) => {
  expect(formedNames(printedRows(line)).map(({ text }) => text)).toEqual([name]);
});

it('does not take a sentence for a name', () => {
  expect(formedNames(printedRows('Gracias por su confianza. Inscrita en Madrid.'))).toEqual([]);
});
