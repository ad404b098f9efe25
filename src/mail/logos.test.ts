import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { HUELLA_MARK } from './logos.ts';

it('is the mark of the web in green, at 88 pixels', async () => {
  const favicon = readFileSync(new URL('../web/public/favicon.svg', import.meta.url), 'utf8');
  const arcs = favicon.match(/<path[^>]+>/g)?.join('');
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="88" height="88" viewBox="0 0 32 32" fill="none" stroke="#0F7B5F" stroke-width="2.7" stroke-linecap="round">${arcs}</svg>`;
  const drawn = await sharp(Buffer.from(svg)).raw().toBuffer();
  const { data, info } = await sharp(HUELLA_MARK).raw().toBuffer({ resolveWithObject: true });

  expect(info).toMatchObject({ width: 88, height: 88, channels: 4 });
  const solid = { r: 0x0f, g: 0x7b, b: 0x5f };
  for (let i = 0; i < data.length; i += 4) {
    const [r = 0, g = 0, b = 0, alpha = 0] = data.subarray(i, i + 4);
    // Sixteen steps of transparency.
    expect(Math.abs(alpha - Number(drawn[i + 3]))).toBeLessThan(16);
    if (alpha === 255) {
      expect(
        Math.max(Math.abs(r - solid.r), Math.abs(g - solid.g), Math.abs(b - solid.b)),
      ).toBeLessThan(2);
    }
  }
});
