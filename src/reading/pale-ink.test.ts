import { expect, it } from 'vitest';
import { withDarkInk } from './pale-ink.ts';

const [WIDTH, HEIGHT] = [400, 80];

function strokes(...at: readonly { x: number; grey: number }[]) {
  const data = new Uint8Array(WIDTH * HEIGHT).fill(255);
  for (const { x, grey } of at)
    for (let y = 20; y < 50; y += 1) data.fill(grey, y * WIDTH + x, y * WIDTH + x + 5);
  return { data, width: WIDTH, height: HEIGHT };
}

it('makes pale letters black', () => {
  const page = withDarkInk(strokes({ x: 100, grey: 160 }, { x: 300, grey: 0 }));
  expect(page.data[30 * WIDTH + 102]).toBe(0);
  expect(page.data[30 * WIDTH + 110]).toBe(255);
});

it('leaves black letters and specks as they are', () => {
  const page = strokes({ x: 100, grey: 20 }, { x: 300, grey: 230 });
  expect(withDarkInk(page)).toBe(page);
});
