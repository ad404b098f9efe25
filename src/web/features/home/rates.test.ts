import { expect, it } from 'vitest';
import type { FilaPorTipo } from '../../../contract/invoices.ts';
import { inTwoLines, ratesOf } from './rates.ts';

const fila = (change: Partial<FilaPorTipo>): FilaPorTipo => ({
  trimestre: '2026-4T',
  impuesto: 'IVA',
  base: 0,
  cuota: 0,
  cuotaRecargo: 0,
  facturas: 1,
  ...change,
});
const words = (filas: readonly FilaPorTipo[], tax = 'IVA') =>
  ratesOf(filas, tax).words.map((word) => word.replaceAll('\u00a0', ' '));

it('shows each rate with its quota, highest quota first, and nothing for what charges none', () => {
  const filas = [
    fila({ tipo: 10, cuota: 215 }),
    fila({ tipo: 21, cuota: 10_533.77 }),
    fila({ tipo: 4, cuota: -300.5 }),
    fila({ tipo: 0 }),
    fila({ causa: 'E1', base: 1000 }),
  ];
  expect(words(filas)).toEqual(['21 %: 10.533,77', '4 %: −300,50', '10 %: 215,00']);
  expect(ratesOf(filas, 'IVA').cents).toBe(1_044_827n); // 10 533,77 − 300,50 + 215,00
});

it('joins a rate with and without recargo, which is shown as one more', () => {
  const filas = [
    fila({ tipo: 21, cuota: 4.41 }),
    fila({ tipo: 21, recargo: 5.2, cuota: 21, cuotaRecargo: 5.2 }),
    fila({ tipo: 10, recargo: 1.4, cuota: 1, cuotaRecargo: 0.14 }),
  ];
  expect(words(filas)).toEqual(['21 %: 25,41', 'recargo: 5,34', '10 %: 1,00']);
});

it('names a tax that is not the one of the company', () => {
  const filas = [
    fila({ impuesto: 'IGIC', tipo: 7, cuota: 70 }),
    fila({ tipo: 21, cuota: 2.1 }),
    fila({ impuesto: 'IGIC', tipo: 9.5, cuota: 9.5 }),
  ];
  expect(words(filas, 'IGIC')).toEqual(['7 %: 70,00', '9,5 %: 9,50', 'IVA 21 %: 2,10']);
});

it.each([
  [['21 %: 10.533,77', '10 %: 215,00', '4 %: 1,00']],
  [['21 %: 1.189.021,33', '10 %: 1,00']],
  [['21 %: 1,00']],
  [[]],
])('shows all of them if two lines have room: %j', (words) => {
  expect(inTwoLines(words, 27)).toEqual(words);
});

it.each<[string[], number, number]>([
  [['21 %: 1,00', '10 %: 1,00', '4 %: 1,00', 'recargo: 1,00'], 27, 3],
  [['21 %: 1.189.021,33', '10 %: 212.189,33', '4 %: 45.205,20'], 27, 2],
  [['21 %: 13.467,87', '10 %: 610,14', '4 %: 22,98'], 22, 2],
  [['21 %: 1.189.021,33', '10 %: 212.189,33', '4 %: 45.205,20'], 22, 1],
])('shows as many as fit in two lines, and that there are others: %j', (words, letters, told) => {
  expect(inTwoLines(words, letters)).toEqual([...words.slice(0, told), 'y otros']);
});
