import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tickLabel, ticks } from './scale.ts';

describe('ticks', () => {
  it('marks every ten thousand up to thirty', () => {
    expect(ticks([14_200, 6_200, 28_130.5])).toEqual([0, 10_000, 20_000, 30_000]);
  });

  it('has only zero if there is nothing', () => {
    expect(ticks([0, 0])).toEqual([0]);
    expect(ticks([])).toEqual([0]);
  });

  it('goes below zero for a month of credits', () => {
    expect(ticks([-400, 1000])).toEqual([-500, 0, 500, 1000]);
  });

  it('covers every value with at most six marks, including zero', () => {
    const cents = fc.integer({ min: -1_000_000_000_00, max: 1_000_000_000_00 });
    fc.assert(
      fc.property(fc.array(cents, { minLength: 1, maxLength: 12 }), (amounts) => {
        const values = amounts.map((amount) => amount / 100);
        const marks = ticks(values);
        expect(marks.length).toBeLessThanOrEqual(6);
        expect(marks).toContain(0);
        expect(Math.min(...values)).toBeGreaterThanOrEqual(marks[0] ?? 0);
        expect(Math.max(...values)).toBeLessThanOrEqual(marks.at(-1) ?? 0);
      }),
    );
  });
});

it('writes marks briefly', () => {
  expect([0, 500, 10_000, 2500, 1_000_000, -5000].map(tickLabel)).toEqual([
    '0',
    '500',
    '10 mil',
    '2,5 mil',
    '1 M',
    '−5 mil',
  ]);
});
