import { expect, it } from 'vitest';
import { withoutFills } from './fills.ts';
import type { GreyPage } from './tax-qr.ts';

const [WIDTH, HEIGHT] = [2_480, 400];

/** A white page with rectangles of a grey painted on it, one over another. */
function painted(
  ...boxes: readonly { x: number; y: number; w: number; h: number; grey: number }[]
): GreyPage {
  const data = new Uint8Array(WIDTH * HEIGHT).fill(255);
  for (const { x, y, w, h, grey } of boxes)
    for (let row = y; row < y + h; row += 1) data.fill(grey, row * WIDTH + x, row * WIDTH + x + w);
  return { data, width: WIDTH, height: HEIGHT };
}

const at = ({ data }: GreyPage, x: number, y: number) => data[y * WIDTH + x];
const letter = (grey: number) => ({ x: 600, y: 110, w: 8, h: 30, grey });

it('makes grey under dark letters white, up to its edges', () => {
  const page = withoutFills(painted({ x: 200, y: 93, w: 2_000, h: 61, grey: 190 }, letter(60)));
  expect(at(page, 200, 93)).toBe(255);
  expect(at(page, 2_199, 153)).toBe(255);
  expect(at(page, 603, 120)).toBeLessThan(100);
});

it('makes light letters on a dark colour dark', () => {
  const page = withoutFills(painted({ x: 200, y: 93, w: 2_000, h: 61, grey: 40 }, letter(255)));
  expect(at(page, 203, 96)).toBe(255);
  expect(at(page, 603, 120)).toBe(0);
});

it('leaves letters on white paper as they are', () => {
  const page = painted(letter(30), { x: 700, y: 110, w: 16, h: 30, grey: 0 });
  expect(withoutFills(page)).toBe(page);
});
