import { expect, it } from 'vitest';
import { cut } from './cut.ts';

it.each([
  ['abc', 3, 'abc'],
  ['abcd', 3, 'abc'],
  ['ab\u{1f600}', 4, 'ab\u{1f600}'],
  ['ab\u{1f600}', 3, 'ab'],
])('cuts %s to %i: %s', (text, max, expected) => {
  expect(cut(text, max)).toBe(expected);
});
