import { expect, it } from 'vitest';
import { withBlanks } from './lost-blanks.ts';

const [WIDTH, HEIGHT] = [500, 40];

/** Words of letters twelve pixels wide and three apart; a `·` is a blank of ten more pixels that was lost. */
function lineOf(...printed: readonly string[]) {
  const data = new Uint8Array(WIDTH * HEIGHT).fill(255);
  let x = 10;
  const words = printed.map((text) => {
    const x0 = x;
    for (const letter of text) {
      if (letter === '·') {
        x += 10;
        continue;
      }
      for (let y = 10; y < 30; y += 1) data.fill(0, y * WIDTH + x, y * WIDTH + x + 12);
      x += 15;
    }
    const bbox = { x0, x1: x - 3, y0: 10, y1: 30 };
    x += 10;
    return { text: text.replaceAll('·', ''), confidence: 95, bbox };
  });
  const line = { words, baseline: { x0: 0, x1: WIDTH, y0: 30, y1: 30 } };
  const page = { data, width: WIDTH, height: HEIGHT };
  return withBlanks(page, [line]).map((one) => one.words.map(({ text }) => text))[0];
}

it('sets apart words between which the blank was lost', () => {
  expect(lineOf('Alta·y', 'puesta', 'en', 'servicio')).toEqual([
    'Alta',
    'y',
    'puesta',
    'en',
    'servicio',
  ]);
  expect(lineOf('Cable', 'rojo', 'de', '5·13,02')).toEqual(['Cable', 'rojo', 'de', '5', '13,02']);
});

it('leaves words alone whose letters are close together', () => {
  expect(lineOf('Altay', 'puesta', 'en')).toEqual(['Altay', 'puesta', 'en']);
});

it('leaves a mark where it is, however far from its word', () => {
  expect(lineOf('Cable', 'rojo', 'de', '1,50·€')).toEqual(['Cable', 'rojo', 'de', '1,50€']);
});

it('sets apart what follows a comma, and a figure from its unit', () => {
  expect(lineOf('Cable', 'rojo', 'de', '2x1,·5', 'metros')).toEqual([
    ...['Cable', 'rojo', 'de', '2x1,', '5', 'metros'],
  ]);
  expect(lineOf('Cable', 'rojo', 'de', '2·m', 'y')).toEqual(['Cable', 'rojo', 'de', '2', 'm', 'y']);
  expect(lineOf('Cable', 'rojo', 'de', '2m', 'y')).toEqual(['Cable', 'rojo', 'de', '2m', 'y']);
});

it('leaves an amount whole, however far its decimals are from the comma', () => {
  expect(lineOf('Cable', 'rojo', 'de', '1.234,·50')).toEqual(['Cable', 'rojo', 'de', '1.234,50']);
});
