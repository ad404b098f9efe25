import { expect, it } from 'vitest';
import type { FilaImportar, ImportExcelAnswer } from '../../../contract/imports.ts';
import { changesIn, withoutRows, withoutUpdates } from './left-out.ts';

const row = (clave: string, accion: FilaImportar['accion']): FilaImportar => ({
  hoja: 'Contactos',
  fila: 2,
  clave,
  nombre: clave,
  accion,
});
const FILAS = [
  row('A', 'nuevo'),
  row('B', 'erroneo'),
  row('C', 'igual'),
  row('D', 'actualizado'),
  row('P', 'erroneo'),
  row('Q', 'nuevo'),
  row('1', 'nuevo'),
  row('2', 'erroneo'),
  row('3', 'actualizado'),
];
const of = (names: string) =>
  FILAS.filter(({ clave, accion }) => names.includes(clave) && accion !== 'erroneo').map(
    ({ clave, accion }) => ({ No: clave, accion }),
  );
const PREVIEW = {
  clientes: of('ABCD'),
  items: of('PQ'),
  facturas: of('123'),
  filas: FILAS,
} as unknown as ImportExcelAnswer;
const names = ({ clientes, items, facturas }: ImportExcelAnswer) =>
  [...clientes, ...items, ...facturas].map((one) => (one as unknown as { No: string }).No).join('');
const leaving = (claves: string) =>
  withoutRows(PREVIEW, new Set(FILAS.filter(({ clave }) => claves.includes(clave))));

it.each([
  ['', 'ACDQ13'],
  ['D', 'ACQ13'],
  ['AQ', 'CD13'],
  ['3', 'ACDQ1'],
  ['ACDQ13', ''],
])('leaving out «%s» saves «%s», whatever rows are wrong', (claves, saved) => {
  expect(names(leaving(claves))).toBe(saved);
});

it('what is counted is what would be saved', () => {
  expect(changesIn(PREVIEW)).toBe(5);
  expect(changesIn(leaving('AD'))).toBe(3);
  expect(changesIn(withoutUpdates(leaving('A')))).toBe(3);
});
