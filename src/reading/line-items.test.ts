import { describe, expect, it } from 'vitest';
import { findLines } from './line-items.ts';
import type { Word } from './shapes.ts';
import { rateOf } from './values.ts';
import { rowsOf } from './words.ts';

const word = (text: string, x: number, y: number): Word => ({
  text,
  page: 1,
  x,
  y,
  w: text.length * 5,
  h: 10,
});

it('gives a line the words of all the rows of its description', () => {
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

describe('a figure of three decimals', () => {
  it.each([
    ['2', '1,459', '2,92'],
    ['12,500', '2,00', '25,00'],
    ['12.500', '0,002', '25,00'], // its point separates thousands
    ['0,125', '8,00', '1,00'],
  ])('has no thousands separator: %s × %s = %s', (quantity, price, total) => {
    const rows = rowsOf([
      ...[word('Concepto', 40, 100), word('Cantidad', 300, 100)],
      ...[word('Precio', 380, 100), word('Importe', 460, 100)],
      ...[word('Tornillo', 40, 120), word(quantity, 310, 120)],
      ...[word(price, 385, 120), word(total, 465, 120)],
    ]);
    expect(findLines(rows)).toMatchObject([{ addsUp: true }]);
  });

  it('is not read as a rate of thousands of percent', () => {
    expect(rateOf('21.000')).toBeNull();
    expect(rateOf('5,2')).toBe(520n);
    expect(rateOf('100')).toBe(10_000n);
  });
});

it('takes litres under their heading for the quantity, though the price is the figure of three decimals', () => {
  const rows = rowsOf([
    ...[word('Producto', 40, 100), word('Litros', 300, 100)],
    ...[word('Precio', 380, 100), word('Importe', 460, 100)],
    ...[word('Gasóleo', 40, 120), word('52,34', 310, 120)],
    ...[word('1,489', 385, 120), word('77,93', 465, 120)],
  ]);
  expect(findLines(rows)).toMatchObject([{ quantity: '52.34', price: '1.489', addsUp: true }]);
});

it('does not take the delivery note above the next lines for a description', () => {
  const rows = rowsOf([
    ...[word('Concepto', 40, 100), word('Cantidad', 300, 100)],
    ...[word('Precio', 380, 100), word('Importe', 460, 100)],
    ...[word('Tubo', 40, 120), word('2', 330, 120)],
    ...[word('50,00', 385, 120), word('100,00', 465, 120)],
    ...[word('ALBARÁN', 40, 132), word('26/8901', 80, 132)],
    ...[word('Cuadro', 40, 144), word('1', 330, 144)],
    ...[word('30,00', 385, 144), word('30,00', 470, 144)],
  ]);
  expect(findLines(rows).map(({ description }) => description)).toEqual(['Tubo', 'Cuadro']);
});
