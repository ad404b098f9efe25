import { expect, it } from 'vitest';
import { findLines } from './line-items.ts';
import type { Word } from './shapes.ts';
import { rowsOf } from './words.ts';

const word = (text: string, x: number, y: number): Word => ({
  text,
  page: 1,
  x,
  y,
  w: text.length * 5,
  h: 10,
});

it('gives a line the words of all the rows that its description takes', () => {
  const rows = rowsOf([
    ...[word('Concepto', 40, 100), word('Cantidad', 300, 100)],
    ...[word('Precio', 380, 100), word('Importe', 460, 100)],
    ...[word('Instalación', 40, 120), word('2', 330, 120)],
    ...[word('50,00', 385, 120), word('100,00', 465, 120)],
    word('trifásica', 40, 132),
    ...[word('Cuadro', 40, 160), word('1', 330, 160)],
    ...[word('30,00', 385, 160), word('30,00', 470, 160)],
  ]);
  expect(
    findLines(rows).map(({ description, words }) => [description, words.map(({ y }) => y)]),
  ).toEqual([
    ['Instalación trifásica', [120, 120, 120, 120, 132]],
    ['Cuadro', [160, 160, 160, 160]],
  ]);
});
