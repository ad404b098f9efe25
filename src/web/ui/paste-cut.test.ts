import { describe, expect, it } from 'vitest';
import { charactersCut, unitsFor } from './paste-cut.ts';

const field = (value: string, limit: number, from = value.length, to = from) => ({
  value,
  limit,
  selectionStart: from,
  selectionEnd: to,
});

describe('what is cut from a paste', () => {
  it.each([
    ['fits', field('', 10), '1234567890', 0],
    ['is longer than the field', field('', 10), '123456789012', 2],
    ['finds room taken', field('abcdef', 10), '12345', 1],
    ['takes the place of what is selected', field('abcdef', 10, 0, 6), '1234567890', 0],
    ['finds it full', field('abcdef', 6), '123', 3],
    ['is as many emoji as letters fit', field('', 10), '😀'.repeat(10), 0],
    ['is more emoji than letters fit', field('😀', 10), '😀'.repeat(12), 3],
    ['meets no limit', field('abc', -1), 'x'.repeat(5_000), 0],
    [
      'meets a field that does not tell its selection',
      { ...field('ab', 3), selectionStart: null, selectionEnd: null },
      '12',
      1,
    ],
  ])('that %s', (_, into, pasted, cut) => expect(charactersCut(into, pasted)).toBe(cut));
});

describe('the length in units with which a browser takes what fits', () => {
  it.each([
    ['letters', field('ab', 10), 'cde', 10],
    ['emoji', field('', 10), '😀'.repeat(10), 20],
    ['letters beside emoji', field('😀😀', 10), 'x'.repeat(20), 12],
    ['emoji of which some do not fit', field('abc', 10), '😀'.repeat(20), 17],
    ['letters in the place of emoji', field('😀😀', 10, 0, 4), 'x'.repeat(20), 10],
    ['nothing more where it is full', field('😀'.repeat(10), 10), 'x', 20],
    ['nothing more for what is too long while it is composed', field('x'.repeat(12), 10), 'y', 10],
  ])('%s', (_, into, text, units) => expect(unitsFor(into, text)).toBe(units));
});
