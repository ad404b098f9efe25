import { describe, expect, it } from 'vitest';
import { selloPaths, selloRings } from './sello-path.ts';

const HUELLA = 'CA4137C748AAE32273733584 9C233DF6320ED5579F7C974EBE9E88425D3D0C4D'.replace(' ', '');

/** Start and end of each stroke of a ring, as angles in radians on its circle. */
function strokes(path: string): { from: number; to: number; length: number }[] {
  return [...path.matchAll(/M([-\d.]+) ([-\d.]+)A([\d.]+) ([\d.]+) 0 [01] 1 ([-\d.]+) ([-\d.]+)/g)]
    .map((match) => match.slice(1).map(Number) as [number, number, number, number, number, number])
    .map(([x1, y1, rx, ry, x2, y2]) => {
      const from = Math.atan2(y1 / ry, x1 / rx);
      const to = Math.atan2(y2 / ry, x2 / rx);
      return { from, to, length: (to - from + 2 * Math.PI) % (2 * Math.PI) };
    });
}

describe('selloPaths', () => {
  it('draws eight rings of four strokes', () => {
    const paths = selloPaths(HUELLA, 2.6);
    expect(paths).toHaveLength(8);
    for (const path of paths ?? []) expect(strokes(path)).toHaveLength(4);
  });

  it('draws the same huella identically, in either case of its letters', () => {
    expect(selloPaths(HUELLA.toLowerCase(), 2.6)).toEqual(selloPaths(HUELLA, 2.6));
  });

  it('changes only the ring of the digit that changes', () => {
    const changed = `${HUELLA.slice(0, 20)}0${HUELLA.slice(21)}`; // place 20: third ring
    const before = selloPaths(HUELLA, 2.6) ?? [];
    const after = selloPaths(changed, 2.6) ?? [];
    expect(before.map((path, ring) => path !== after[ring])).toEqual([
      false,
      false,
      true,
      false,
      false,
      false,
      false,
      false,
    ]);
  });

  it('rotates a ring by its first and last digits and divides it in proportion to the weights', () => {
    // Ring of zeros: it starts at −90°; strokes weigh 7.2 and gaps 1.2, so of the turn that remains after four gaps of
    // (2.6 + 1.5) / 6.2 rad, each stroke takes 7.2 / 33.6.
    const [inner = ''] = selloPaths('0'.repeat(64), 2.6) ?? [];
    const [first] = strokes(inner);
    const left = 2 * Math.PI - (4 * (2.6 + 1.5)) / 6.2;
    expect(first?.from).toBeCloseTo(-Math.PI / 2, 2);
    expect(first?.length).toBeCloseTo((left * 7.2) / 33.6, 2);
  });

  it('leaves at least the stroke and 1.5 units between two strokes', () => {
    const [inner = ''] = selloPaths('F0'.repeat(32), 2.6) ?? [];
    const drawn = strokes(inner);
    drawn.forEach((stroke, i) => {
      const next = drawn[(i + 1) % drawn.length];
      const gap = ((next?.from ?? 0) - stroke.to + 2 * Math.PI) % (2 * Math.PI);
      expect(gap * 6.2).toBeGreaterThan(2.6 + 1.5 - 0.05);
    });
  });

  it('draws nothing if it is given no huella', () => {
    expect(selloPaths('', 2.6)).toBeNull();
    expect(selloPaths('G'.repeat(64), 2.6)).toBeNull();
  });
});

it('spaces the rings from 6.2 in steps of 5.35, taller than wide', () => {
  expect(selloRings[0]).toEqual({ rx: 6.2, ry: 7.07 });
  expect(selloRings[7]).toEqual({ rx: 43.65, ry: 49.76 });
});
