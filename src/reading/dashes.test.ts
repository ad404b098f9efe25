import { expect, it } from 'vitest';
import { withDashes } from './dashes.ts';
import type { SeenWord } from './seen-words.ts';

const [WIDTH, HEIGHT] = [300, 50];
/** A box of ink: first and last column, first and last row. */
type Ink = readonly [number, number, number, number];

/** The words of a line whose capitals are twenty pixels high, and the ink between them that was not read. */
function lineOf(words: readonly (readonly [string, Ink])[], ...unread: readonly Ink[]) {
  const data = new Uint8Array(WIDTH * HEIGHT).fill(255);
  for (const [x0, x1, y0, y1] of [...words.map(([, ink]) => ink), ...unread])
    for (let y = y0; y < y1; y += 1) data.fill(0, y * WIDTH + x0, y * WIDTH + x1);
  const seen = words.map(
    ([text, [x0, x1, y0, y1]]): SeenWord => ({ text, confidence: 90, bbox: { x0, x1, y0, y1 } }),
  );
  const line = { words: seen, baseline: { x0: 0, x1: WIDTH, y0: 30, y1: 30 } };
  return withDashes({ data, width: WIDTH, height: HEIGHT }, [line])[0]?.words.map(
    ({ text }) => text,
  );
}

const left = ['Madrid', [10, 100, 10, 30]] as const;
const right = (x: number) => ['Toledo', [x, x + 80, 10, 30]] as const;

it('finds a dash that was left out between two words', () => {
  expect(lineOf([left, right(126)], [110, 117, 20, 22])).toEqual(['Madrid', '-', 'Toledo']);
  expect(lineOf([left, right(132)], [109, 123, 20, 22])).toEqual(['Madrid', '–', 'Toledo']);
});

it('takes neither a leader, nor a rule, nor another letter for a dash', () => {
  for (const ink of [
    [110, 117, 28, 30],
    [100, 126, 20, 22],
    [110, 117, 10, 30],
    [112, 114, 20, 22],
  ] as const)
    expect(lineOf([left, right(126)], ink)).toEqual(['Madrid', 'Toledo']);
  expect(lineOf([left, right(200)], [140, 147, 20, 22])).toEqual(['Madrid', 'Toledo']);
  const amount = ['12,00', [126, 180, 10, 30]] as const;
  expect(lineOf([left, amount], [110, 117, 20, 22])).toEqual(['Madrid', '12,00']);
});

it('tells a dash from a hyphen by its width, and leaves the minus of an amount alone', () => {
  const dash = (x1: number) => ['—', [110, x1, 20, 22]] as const;
  expect(lineOf([left, dash(117), right(126)])).toEqual(['Madrid', '-', 'Toledo']);
  expect(lineOf([left, dash(121), right(130)])).toEqual(['Madrid', '–', 'Toledo']);
  const amount = ['12,00', [130, 180, 10, 30]] as const;
  expect(lineOf([left, dash(121), amount])).toEqual(['Madrid', '—', '12,00']);
});

it('takes no hyphen for a dash where all letters and blanks are of one width', () => {
  const dash = (x1: number) => ['-', [118, x1, 20, 22]] as const;
  expect(lineOf([left, dash(130), right(154)])).toEqual(['Madrid', '-', 'Toledo']);
});

it('tells a dash from a hyphen within a word too', () => {
  const word = (from: number, to: number) => {
    const data = new Uint8Array(WIDTH * HEIGHT).fill(255);
    const inks: Ink[] = [
      [10, 24, 10, 30],
      [from, to, 20, 22],
      [44, 58, 10, 30],
    ];
    for (const [x0, x1, y0, y1] of inks)
      for (let y = y0; y < y1; y += 1) data.fill(0, y * WIDTH + x0, y * WIDTH + x1);
    const bbox = { x0: 10, x1: 58, y0: 10, y1: 30 };
    const line = {
      words: [{ text: 'M—S', confidence: 90, bbox }],
      baseline: { x0: 0, x1: WIDTH, y0: 30, y1: 30 },
    };
    return withDashes({ data, width: WIDTH, height: HEIGHT }, [line])[0]?.words[0]?.text;
  };
  expect(word(26, 42)).toBe('M–S');
  expect(word(29, 38)).toBe('M-S');
});
