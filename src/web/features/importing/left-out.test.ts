import { describe, expect, it } from 'vitest';
import type { FilaImportar, ImportExcelAnswer } from '../../../contract/imports.ts';
import { allLeft, changesIn, outcomesOf, takenIn, updatesIn, withoutRows } from './left-out.ts';

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
const keys = (rows: Iterable<FilaImportar>) => [...rows].map(({ clave }) => clave).join('');
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
});

it('the rows that change saved clients and products are told, and no invoice', () => {
  expect(keys(updatesIn(PREVIEW))).toBe('D');
});

it('what becomes of the clients adds up, with those that are left out', () => {
  const all = { nuevo: 1, actualizado: 1, igual: 1, erroneo: 1 };
  expect(outcomesOf(all, PREVIEW.clientes)).toEqual({ ...all, fuera: 0 });
  expect(outcomesOf(all, leaving('A').clientes)).toEqual({ ...all, nuevo: 0, fuera: 1 });
});

describe('an invoice of a client that only the file has', () => {
  const [client, invoice] = [row('A', 'nuevo'), { ...row('1', 'nuevo'), cliente: 0 }] as const;
  const filas = [client, invoice, { ...row('2', 'nuevo'), cliente: 3 }, row('B', 'nuevo')];

  it('stays out with it, and comes back with it', () => {
    const left = new Set([client]);
    expect(keys(allLeft(filas, left))).toBe('A1');
    expect(keys(allLeft(filas, takenIn(filas, left, [client])))).toBe('');
  });

  it('brings it when it is taken in', () => {
    expect(keys(allLeft(filas, takenIn(filas, new Set(filas), [invoice])))).toBe('2B');
  });
});
