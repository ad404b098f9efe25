import { expect, it } from 'vitest';
import { rowsOf } from './words.ts';

/** Words in a row whose letters are all six points wide, with a blank between them. */
function typed(...texts: readonly string[]) {
  return wordsOfRow(texts, 'ocr');
}

function wordsOfRow(texts: readonly string[], origen: 'texto' | 'ocr') {
  let x = 40;
  const words = texts.map((text) => {
    const word = { text, page: 1, x, y: 100, w: 6 * text.length, h: 7 };
    x += 6 * (text.length + 1);
    return word;
  });
  return rowsOf(words, { origen }).map((row) => row.words.map(({ text }) => text));
}

it('joins an amount with its separate cents if the euro shows that it is one', () => {
  expect(typed('2,487.', '66', 'EUR')).toEqual([['2,487.66', 'EUR']]);
  expect(typed('319', '.74€')).toEqual([['319.74€']]);
  expect(typed('Calle', 'Mayor', '3,', '28', 'Madrid')).toEqual([
    ['Calle', 'Mayor', '3,', '28', 'Madrid'],
  ]);
  expect(typed('3,', '12', '50,00', '€')).toEqual([['3,', '12', '50,00', '€']]);
});

it('joins separate thousands, but not a quantity and a price if thousands have a mark', () => {
  expect(typed('4', '284,78', '120,00')).toEqual([['4 284,78', '120,00']]);
  const marked = ['1139,12', '2963,61', '1.654,96'];
  expect(typed(...marked, '4', '284,78')).toEqual([[...marked, '4', '284,78']]);
  // A scan that lost two of its blanks.
  expect(typed('1', '813,02', '2', '588,48', '1237,16', '3', '725,34')).toEqual([
    ['1 813,02', '2 588,48', '1237,16', '3 725,34'],
  ]);
});

it('joins thousands that are set apart, whatever the number of the invoice looks like', () => {
  const word = (text: string, x: number, y: number) => {
    const w = 5 * text.length;
    return { text, page: 1, x, y, w, h: 9 };
  };
  const rows = rowsOf([word('26.000.148', 40, 40), word('1', 300, 80), word('020,72€', 307, 80)]);
  expect(rows[1]?.words.map(({ text }) => text)).toEqual(['1 020,72€']);
});

it('does not join the numbers of an enumeration', () => {
  const listed = ['modelos', '111,', '115', 'y', '303'];
  expect(typed(...listed)).toEqual([listed]);
  const inPairs = ['Ref.', '111,', '1155'];
  expect(wordsOfRow(inPairs, 'texto')).toEqual([inPairs]);
  // Only OCR splits a figure.
  expect(typed(...inPairs)).toEqual([['Ref.', '111,1155']]);
});
