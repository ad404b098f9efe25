import { expect, it } from 'vitest';
import { withoutBands } from './colour-bands.ts';

const [WIDTH, HEIGHT] = [200, 120];

/** A page with a band of one grey across it, and strokes of another grey on it. */
function pageWith({ band, ink }: { readonly band: number; readonly ink: number }) {
  const data = new Uint8Array(WIDTH * HEIGHT).fill(255);
  data.fill(band, 40 * WIDTH, 80 * WIDTH);
  for (let y = 50; y < 70; y += 1)
    for (let x = 20; x < 180; x += 12) data.fill(ink, y * WIDTH + x, y * WIDTH + x + 4);
  const bare = withoutBands({ data, width: WIDTH, height: HEIGHT })?.data;
  return {
    ground: (y: number) => bare?.[y * WIDTH + 27],
    ink: bare?.[60 * WIDTH + 22],
  };
}

it('paints the grey of a row white, and leaves its letters dark', () => {
  const { ground, ink } = pageWith({ band: 180, ink: 20 });
  for (const y of [20, 40, 41, 60, 78, 79, 100]) expect(ground(y)).toBe(255);
  expect(ink).toBeLessThan(60);
});

it('finds no colour on white paper, nor where white letters are on a dark band', () => {
  expect(pageWith({ band: 40, ink: 255 }).ink).toBeUndefined();
  expect(pageWith({ band: 255, ink: 20 }).ink).toBeUndefined();
});
