import { expect, it } from 'vitest';
import { withoutBoxes } from './boxes.ts';

const [WIDTH, HEIGHT] = [400, 400];
type Box = readonly [x0: number, x1: number, y0: number, y1: number];

/** Whether the middle of each box of ink is still dark without the rules; null if there are no boxes. */
function leftOf(...inks: readonly Box[]): readonly boolean[] | null {
  const data = new Uint8Array(WIDTH * HEIGHT).fill(255);
  for (const [x0, x1, y0, y1] of inks)
    for (let y = y0; y < y1; y += 1) data.fill(0, y * WIDTH + x0, y * WIDTH + x1);
  const bare = withoutBoxes({ data, width: WIDTH, height: HEIGHT });
  if (!bare) return null;
  const isDark = (x: number, y: number) => bare.data[y * WIDTH + x] === 0;
  return inks.map(([x0, x1, y0, y1]) => isDark((x0 + x1) >> 1, (y0 + y1) >> 1));
}

it('takes away the sides of boxes, and leaves letters beside them', () => {
  const [top, side]: Box[] = [
    [20, 380, 50, 58],
    [20, 26, 50, 300],
  ];
  const letter: Box = [40, 46, 80, 110];
  expect(leftOf(top as Box, side as Box, letter)).toEqual([false, false, true]);
});

it('leaves a band of colour, with whatever is on it', () => {
  expect(leftOf([20, 380, 100, 140], [20, 26, 150, 300])).toEqual([true, false]);
});

it('finds no boxes where all rules are level', () => {
  expect(leftOf([20, 380, 50, 54], [20, 380, 90, 94])).toBeNull();
});
