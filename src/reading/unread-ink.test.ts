import { expect, it } from 'vitest';
import { unreadInk } from './unread-ink.ts';

const [WIDTH, HEIGHT] = [400, 60];
type Box = readonly [x0: number, x1: number, y0: number, y1: number];

/** What is found in some ink, beside an amount at its right and the words read at the given places. */
function foundIn(inks: readonly Box[], read: readonly Box[] = []) {
  const data = new Uint8Array(WIDTH * HEIGHT).fill(255);
  const amount: Box = [300, 380, 20, 40];
  for (const [x0, x1, y0, y1] of [...inks, amount])
    for (let y = y0; y < y1; y += 1) data.fill(0, y * WIDTH + x0, y * WIDTH + x1);
  const words = [...read.map((box) => ['word', box] as const), ['12,50', amount] as const].map(
    ([text, [x0, x1, y0, y1]]) => ({ text, confidence: 90, bbox: { x0, x1, y0, y1 } }),
  );
  const line = { words, baseline: { x0: 0, x1: WIDTH, y0: 40, y1: 40 } };
  return unreadInk({ data, width: WIDTH, height: HEIGHT }, [line]).map(({ bbox }) => [
    bbox.x0,
    bbox.x1,
  ]);
}

it('finds a figure that stands alone beside an amount and was not read', () => {
  expect(foundIn([[200, 212, 20, 40]])).toEqual([[200, 212]]);
  expect(foundIn([[200, 212, 20, 40]], [[200, 212, 20, 40]])).toEqual([]);
});

it('does not take the rest of a letter whose box was too short for an unread one', () => {
  expect(foundIn([[200, 214, 20, 40]], [[180, 204, 20, 40]])).toEqual([]);
  expect(foundIn([[200, 214, 20, 40]], [[210, 240, 20, 40]])).toEqual([]);
});

it('takes letters close to each other for one word, and others apart for two', () => {
  expect(
    foundIn([
      [200, 212, 20, 40],
      [216, 228, 20, 40],
    ]),
  ).toEqual([[200, 228]]);
  expect(
    foundIn([
      [200, 212, 20, 40],
      [240, 252, 20, 40],
    ]),
  ).toEqual([
    [200, 212],
    [240, 252],
  ]);
});

it('leaves out rules, leaders and what is part of another row', () => {
  expect(foundIn([[200, 203, 0, 60]])).toEqual([]);
  expect(foundIn([[100, 290, 38, 40]])).toEqual([]);
  expect(foundIn([[200, 212, 34, 60]])).toEqual([]);
});
