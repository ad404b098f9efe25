import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cut, cutToEnd, lengthOf } from './cut.ts';

const EMOJI = '\u{1f600}';

it.each([
  ['abc', 3, 'abc'],
  ['abcd', 3, 'abc'],
  [`ab${EMOJI}`, 3, `ab${EMOJI}`],
  [`ab${EMOJI}`, 2, 'ab'],
  [`${EMOJI}${EMOJI}${EMOJI}`, 2, `${EMOJI}${EMOJI}`],
])('cuts %s to %i: %s', (text, max, expected) => {
  expect(cut(text, max)).toBe(expected);
});

it.each([
  ['abcd', 3, 'bcd'],
  [`${EMOJI}ab`, 3, `${EMOJI}ab`],
  [`${EMOJI}ab`, 2, 'ab'],
  [`${EMOJI}${EMOJI}.p12`, 5, `${EMOJI}.p12`],
])('cuts the beginning off %s to leave %i: %s', (text, max, expected) => {
  expect(cutToEnd(text, max)).toBe(expected);
});

describe('any text', () => {
  const texts = fc.string({ unit: 'binary' });

  it('is as long as it has code points', () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(lengthOf(text)).toBe([...text].length);
      }),
    );
  });

  it('is cut between characters', () => {
    fc.assert(
      fc.property(texts, fc.nat(12), (text, max) => {
        expect(cut(text, max)).toBe([...text].slice(0, max).join(''));
        expect(cutToEnd(text, max)).toBe(max === 0 ? '' : [...text].slice(-max).join(''));
      }),
    );
  });
});
