import { expect, it } from 'vitest';
import { withFiguresByHoles } from './figure-holes.ts';

const WIDTH = 200;
const [TOP, WIDE, HIGH] = [10, 16, 24];
const BBOX = { x0: 10, y0: TOP, y1: TOP + HIGH };

/** The text after its ink was looked at; of each figure, the white boxes in it: first and last column, and row. */
function read(text: string, ...figures: readonly (readonly (readonly number[])[])[]): string {
  const data = new Uint8Array(WIDTH * 50).fill(255);
  const fill = (x0: number, x1: number, y0: number, y1: number, grey: number) => {
    for (let y = TOP + y0; y < TOP + y1; y += 1) data.fill(grey, y * WIDTH + x0, y * WIDTH + x1);
  };
  for (const [i, holes] of figures.entries()) {
    const x = 10 + i * (WIDE + 4);
    fill(x, x + WIDE, 0, HIGH, 0);
    for (const [x0 = 0, x1 = 0, y0 = 0, y1 = 0] of holes) fill(x + x0, x + x1, y0, y1, 255);
  }
  const bbox = { ...BBOX, x1: 10 + figures.length * (WIDE + 4) };
  return withFiguresByHoles({ data, width: WIDTH, height: 50 }, { text, confidence: 90, bbox })
    .text;
}

const ZERO = [[3, 13, 3, 21]];
const SIX = [
  [3, 13, 12, 21],
  [3, 16, 3, 9],
];
const NINE = [
  [3, 13, 3, 12],
  [0, 13, 15, 21],
];
const EIGHT = [
  [3, 13, 3, 10],
  [3, 13, 13, 21],
];

it('tells figures apart by the white in them', () => {
  expect(read('0000', ZERO, SIX, NINE, EIGHT)).toBe('0698');
  expect(read('8686', ZERO, SIX, NINE, EIGHT)).toBe('0698');
});

it('leaves a figure whose ink says nothing', () => {
  const open = [[0, 13, 12, 21]];
  expect(read('60', open, [])).toBe('60');
  const slashed = [
    [3, 10, 3, 14],
    [12, 13, 10, 21],
  ];
  expect(read('0', slashed)).toBe('0');
});

it('leaves other letters, and words whose letters touch', () => {
  expect(read('5B', SIX, EIGHT)).toBe('5B');
  expect(read('600', SIX, ZERO)).toBe('600');
});
