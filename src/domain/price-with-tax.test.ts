import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { priceWithoutTax, priceWithTax } from './price-with-tax.ts';

describe('a price with its tax added', () => {
  it.each([
    // 8.26 × 1.21 = 9.9946, and 9.99 / 1.21 = 8.2562 is 8.26 to the cent.
    [8_260_000n, 2100n, 9_990_000n],
    [8_264_463n, 2100n, 10_000_000n],
    // 0.95 × 1.10 = 1.045.
    [950_000n, 1000n, 1_050_000n],
    // 0.0005 × 1.21 = 0.000605: neither 0.00 nor 0.001 gives it back.
    [500n, 2100n, 600n],
    [10_000_000n, 0n, 10_000_000n],
    [0n, 2100n, 0n],
  ])('%s at %s is %s', (net, taxBps, gross) => {
    expect(priceWithTax(net, taxBps)).toBe(gross);
  });

  it('is the same again after its tax was subtracted', () => {
    const cents = fc.bigInt({ min: 0n, max: 99_999_999n });
    fc.assert(
      fc.property(cents, fc.constantFrom(400n, 700n, 1000n, 2100n, 2620n), (price, taxBps) => {
        const gross = price * 10_000n;
        expect(priceWithTax(priceWithoutTax(gross, taxBps), taxBps)).toBe(gross);
      }),
    );
  });
});
