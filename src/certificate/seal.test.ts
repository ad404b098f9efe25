import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  kekIdOf,
  open,
  openEnvelope,
  rewrapEnvelope,
  SealBroken,
  seal,
  sealEnvelope,
} from './seal.ts';

const key = randomBytes(32);
const content = Buffer.from('-----BEGIN PRIVATE KEY-----');

describe('seal', () => {
  it('can be undone, and never gives the same bytes twice', () => {
    const sealed = seal(key, '7|certificado|1', content);
    expect(open(key, '7|certificado|1', sealed)).toEqual(content);
    expect(seal(key, '7|certificado|1', content)).not.toEqual(sealed);
    expect(sealed.includes(content)).toBe(false);
  });

  it('fails to open with any bit changed', () => {
    const sealed = seal(key, '7|certificado|1', content);
    fc.assert(
      fc.property(fc.nat(sealed.length * 8 - 1), (bit) => {
        const changed = Buffer.from(sealed);
        changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
        expect(() => open(key, '7|certificado|1', changed)).toThrow(SealBroken);
      }),
    );
  });

  it('fails to open when truncated, even to nothing', () => {
    const sealed = seal(key, '7|certificado|1', content);
    for (let length = 0; length < sealed.length; length++) {
      expect(() => open(key, '7|certificado|1', sealed.subarray(0, length))).toThrow(SealBroken);
    }
  });
});

describe('sealEnvelope', () => {
  it('opens only for its company, its kind and its master key', () => {
    const envelope = sealEnvelope(key, 7, 'certificado', content);
    expect(openEnvelope(key, 7, 'certificado', envelope)).toEqual(content);
    expect(() => openEnvelope(key, 8, 'certificado', envelope)).toThrow(SealBroken);
    expect(() => openEnvelope(key, 7, 'codigo', envelope)).toThrow(SealBroken);
    expect(() => openEnvelope(randomBytes(32), 7, 'certificado', envelope)).toThrow(SealBroken);
  });

  it('does not open with parts of two envelopes of the same company', () => {
    const one = sealEnvelope(key, 7, 'certificado', content);
    const other = sealEnvelope(key, 7, 'certificado', content);
    const mixed = { ...one, sealed: other.sealed };
    expect(() => openEnvelope(key, 7, 'certificado', mixed)).toThrow(SealBroken);
  });

  it('moves to another master key without touching its content', () => {
    const next = randomBytes(32);
    const old = sealEnvelope(key, 7, 'certificado', content);
    const moved = rewrapEnvelope(key, next, 7, 'certificado', old);
    expect(moved.sealed).toBe(old.sealed);
    expect([old.kekId, moved.kekId]).toEqual([kekIdOf(key), kekIdOf(next)]);
    expect(openEnvelope(next, 7, 'certificado', moved)).toEqual(content);
    expect(() => openEnvelope(key, 7, 'certificado', moved)).toThrow(SealBroken);
  });
});
