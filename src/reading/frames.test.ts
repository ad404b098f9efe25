import { expect, it } from 'vitest';
import { withoutFrames } from './frames.ts';
import type { GreyPage } from './tax-qr.ts';

const [WIDTH, HEIGHT] = [2_480, 300];

interface Box {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

function inked(...boxes: readonly Box[]): GreyPage {
  const data = new Uint8Array(WIDTH * HEIGHT).fill(255);
  for (const { x, y, w, h } of boxes)
    for (let row = y; row < y + h; row += 1) data.fill(0, row * WIDTH + x, row * WIDTH + x + w);
  return { data, width: WIDTH, height: HEIGHT };
}

/** Its four sides, three pixels thick. */
const frameOf = ({ x, y, w, h }: Box): Box[] => [
  { x, y, w, h: 3 },
  { x, y: y + h - 3, w, h: 3 },
  { x, y, w: 3, h },
  { x: x + w - 3, y, w: 3, h },
];
const inkOf = ({ data }: GreyPage) => data.reduce((sum, value) => sum + (value < 128 ? 1 : 0), 0);
const LETTER: Box = { x: 500, y: 112, w: 8, h: 30 };

it('takes away the frame of a cell and leaves what is in it', () => {
  const page = withoutFrames(inked(...frameOf({ x: 400, y: 100, w: 600, h: 60 }), LETTER));
  expect(inkOf(page)).toBe(8 * 30);
});

it('leaves the rules of a table with columns', () => {
  const column = { x: 700, y: 100, w: 3, h: 60 };
  const page = inked(...frameOf({ x: 400, y: 100, w: 600, h: 60 }), column, LETTER);
  expect(inkOf(withoutFrames(page))).toBe(inkOf(page));
});
