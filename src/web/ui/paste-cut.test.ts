import { describe, expect, it } from 'vitest';
import { charactersCut } from './paste-cut.ts';

const field = (value: string, maxLength: number, from = value.length, to = from) => ({
  value,
  maxLength,
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
    ['meets no limit', field('abc', -1), 'x'.repeat(5_000), 0],
    [
      'meets a field that does not tell its selection',
      { ...field('ab', 3), selectionStart: null, selectionEnd: null },
      '12',
      1,
    ],
  ])('that %s', (_, into, pasted, cut) => expect(charactersCut(into, pasted)).toBe(cut));
});
