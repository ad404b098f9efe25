import { hash as nodeHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { hash } from './sha256.ts';

it('gives the digest of FIPS 180-4 for «abc»', () => {
  expect(hash('sha256', 'abc', 'hex')).toBe(
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  );
});

it('agrees with node:crypto for every length around a block', () => {
  for (let length = 0; length <= 200; length++) {
    const bytes = new Uint8Array(length).fill(length);
    expect(hash('sha256', bytes, 'hex')).toBe(nodeHash('sha256', bytes, 'hex'));
  }
});

it('agrees with node:crypto for any text and any bytes, wherever they are in a buffer', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 400 }), (text) => {
      expect(hash('sha256', text, 'hex')).toBe(nodeHash('sha256', text, 'hex'));
    }),
  );
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 3, maxLength: 1000 }), (bytes) => {
      const part = bytes.subarray(3);
      expect(hash('sha256', part, 'hex')).toBe(nodeHash('sha256', part, 'hex'));
    }),
  );
});
