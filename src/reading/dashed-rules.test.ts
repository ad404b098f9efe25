import { expect, it } from 'vitest';
import { withoutDashes } from './dashed-rules.ts';

const [WIDTH, HEIGHT] = [1_000, 60];

/** How much ink is left of some strokes. */
function inkLeft(strokes: readonly (readonly [x0: number, x1: number, y0: number, y1: number])[]) {
  const data = new Uint8Array(WIDTH * HEIGHT).fill(255);
  for (const [x0, x1, y0, y1] of strokes)
    for (let y = y0; y < y1; y += 1) data.fill(0, y * WIDTH + x0, y * WIDTH + x1);
  return withoutDashes({ data, width: WIDTH, height: HEIGHT }).data.filter((grey) => grey < 255)
    .length;
}

/** A row of strokes with these ends, one every so many pixels. */
const row = (count: number, every: number, long: number, [y0, y1]: readonly [number, number]) =>
  Array.from({ length: count }, (_, i) => {
    const x0 = 20 + i * every;
    return [x0, x0 + long, y0, y1] as const;
  });

it('takes off rules of dots and of dashes, and leaves the letters that they touch', () => {
  expect(inkLeft(row(60, 6, 3, [20, 23]))).toBe(0);
  expect(inkLeft(row(40, 20, 12, [20, 23]))).toBe(0);
  const letter = [400, 412, 24, 44] as const;
  expect(inkLeft([...row(40, 20, 12, [20, 23]), letter])).toBe(12 * 20);
});

it('takes off a rule that is not quite level', () => {
  const strokes = row(80, 12, 6, [20, 23]).map(
    ([x0, x1, y0, y1], i) => [x0, x1, y0 + (i >= 40 ? 1 : 0), y1 + (i >= 40 ? 1 : 0)] as const,
  );
  expect(inkLeft(strokes)).toBe(0);
});

it('leaves rows of letters, few dashes and whole rules', () => {
  expect(inkLeft(row(60, 12, 3, [20, 44]))).toBe(60 * 3 * 24);
  expect(inkLeft(row(12, 20, 12, [20, 23]))).toBe(12 * 12 * 3);
  expect(inkLeft([[20, 980, 20, 23]])).toBe(960 * 3);
  const uneven = [5, 12, 4, 30, 7, 11, 40, 6, 18].flatMap((long, i) =>
    row(4, 45, long, [20, 23]).map(([, , y0, y1], k) => {
      const x0 = 20 + (i * 4 + k) * 26 + long;
      return [x0, x0 + Math.min(long, 20), y0, y1] as const;
    }),
  );
  expect(inkLeft(uneven)).toBeGreaterThan(0);
});
