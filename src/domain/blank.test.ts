import { expect, it } from 'vitest';
import { isBlank } from './blank.ts';

it.each([
  ['nothing', ''],
  ['blanks', ' \t\n\u00a0\u2003'],
  ['a zero-width space', '\u200b'],
  ['a mark of byte order', '\ufeff'],
  ['a filler of hangul', '\u3164\uffa0'],
  ['a soft hyphen between blanks', ' \u00ad '],
  ['an empty cell of braille', '\u2800'],
  ['a control character', '\u0001'],
])('%s is blank', (_, text) => {
  expect(isBlank(text)).toBe(true);
});

it.each(['a', '.', '\u200bÑ\u200b', '株式会社', '🍕', '-'])('«%s» is not', (text) => {
  expect(isBlank(text)).toBe(false);
});
