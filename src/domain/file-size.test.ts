import { expect, it } from 'vitest';
import { fileSize } from './file-size.ts';

it.each([
  [0, '1 kB'],
  [340_499, '340 kB'],
  [999_949, '1000 kB'],
  [999_950, '1 MB'],
  [2_340_000, '2,3 MB'],
  [1_250_000_000, '1,3 GB'],
])('%d bytes are shown as %s', (bytes, text) => {
  expect(fileSize(bytes).replace('\u00a0', ' ')).toBe(text);
});
