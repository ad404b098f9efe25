import encodeQR from 'qr';
import { expect, it } from 'vitest';
import { EXAMPLE_QR_PATH, EXAMPLE_QR_SIZE, EXAMPLE_QR_TEXT } from './example-qr.ts';

it('is the drawing of a QR that says it is an example', () => {
  const modules = encodeQR(EXAMPLE_QR_TEXT, 'raw', { ecc: 'medium', border: 1 });
  const drawn = modules.map((row) => row.map(() => false));
  for (const [, x, y, width] of EXAMPLE_QR_PATH.matchAll(/M(\d+) (\d+)h(\d+)/g)) {
    for (let i = 0; i < Number(width); i += 1) {
      const row = drawn[Number(y)];
      if (row) row[Number(x) + i] = true;
    }
  }
  expect(drawn).toEqual(modules);
  expect(modules).toHaveLength(EXAMPLE_QR_SIZE);
});
