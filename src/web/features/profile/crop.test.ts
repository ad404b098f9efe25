import { describe, expect, it } from 'vitest';
import { moveCorner, moveWhole, WHOLE, withoutMargins } from './crop.ts';

const half = { left: 0.25, top: 0.25, right: 0.75, bottom: 0.75 };

describe('moveCorner', () => {
  it('moves two sides, but not beyond the image', () => {
    expect(moveCorner(half, 'nw', -0.125, -0.5)).toEqual({ ...half, left: 0.125, top: 0 });
    expect(moveCorner(half, 'se', 0.5, 0.125)).toEqual({ ...half, right: 1, bottom: 0.875 });
    expect(moveCorner(half, 'ne', 0.125, 0.125)).toEqual({ ...half, right: 0.875, top: 0.375 });
  });

  it('never turns inside out', () => {
    const { left, right } = moveCorner(half, 'sw', 5, 0);
    expect(right - left).toBeCloseTo(0.05);
  });
});

describe('moveWhole', () => {
  it('stops at the edges and keeps its size', () => {
    expect(moveWhole(half, 0.5, -0.125)).toEqual({
      left: 0.5,
      right: 1,
      top: 0.125,
      bottom: 0.625,
    });
    expect(moveWhole(WHOLE, 0.3, 0.3)).toEqual(WHOLE);
  });
});

describe('withoutMargins', () => {
  /** An image as letters: `.` background, `x` ink, and a blank is transparent. */
  const picture = (rows: readonly string[]) => {
    const pixels = { '.': [250, 250, 250, 255], x: [180, 40, 10, 255], ' ': [9, 9, 9, 0] };
    const bytes = rows.flatMap((row) => [...row].flatMap((c) => pixels[c as '.' | 'x' | ' ']));
    return withoutMargins(Uint8ClampedArray.from(bytes), rows[0]?.length ?? 0, rows.length);
  };

  it('keeps what differs from the first pixel', () => {
    expect(picture(['....', '.x..', '.xx.', '....'])).toEqual({
      left: 0.25,
      right: 0.75,
      top: 0.25,
      bottom: 0.75,
    });
  });

  it('treats transparent pixels as background', () => {
    expect(picture(['    ', '  xx'])).toEqual({ left: 0.5, right: 1, top: 0.5, bottom: 1 });
  });

  it('keeps an empty image whole', () => {
    expect(picture(['..', '..'])).toEqual(WHOLE);
  });
});
