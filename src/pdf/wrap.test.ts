import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { oneLine } from '../domain/paper/text.ts';
import { wrap } from './wrap.ts';

/** Every character is one wide. */
const length = (text: string) => [...text].length;

describe('wrap', () => {
  it('fills each line with whole words', () => {
    expect(wrap('Barra de masa madre, 400 g', 10, length)).toEqual([
      'Barra de',
      'masa',
      'madre, 400',
      'g',
    ]);
  });

  it('breaks a word longer than the column at the column, and continues after it', () => {
    expect(wrap('ver abcdefghij k', 4, length)).toEqual(['ver', 'abcd', 'efgh', 'ij k']);
  });

  it('measures a word longer than any line by its characters, never whole', () => {
    const measured: number[] = [];
    const lines = wrap(`ver ${'0'.repeat(10_000)}`, 100, (text) => {
      measured.push(text.length);
      return text.length;
    });
    expect(lines).toEqual(['ver', ...new Array<string>(100).fill('0'.repeat(100))]);
    expect(Math.max(...measured)).toBe(100);
  });

  it('keeps the line feeds of the text', () => {
    expect(wrap('uno\n\ndos', 10, length)).toEqual(['uno', '', 'dos']);
  });

  it('does not separate what a no-break space joins', () => {
    expect(wrap('total 21\u00a0%', 7, length)).toEqual(['total', '21\u00a0%']);
  });

  it('returns one empty line for an empty text', () => {
    expect(wrap('', 10, length)).toEqual(['']);
  });

  it('never loses a letter or exceeds the column', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 80 }), fc.integer({ min: 1, max: 20 }), (raw, width) => {
        const text = oneLine(raw);
        const lines = wrap(text, width, length);
        expect(lines.every((line) => length(line) <= width)).toBe(true);
        expect(lines.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
      }),
    );
  });
});
