/** Radius of the innermost ring, distance between rings, and how much taller than wide they are. */
const INNER_RADIUS = 6.2;
const RING_STEP = 5.35;
const TALL = 1.14;

export const SELLO_VIEW_BOX = '-48 -55 96 110';
export const SELLO_RINGS = 8;

export interface SelloRing {
  readonly rx: number;
  readonly ry: number;
}

/** The eight ellipses on which a sello's strokes lie, innermost first. */
export const selloRings: readonly SelloRing[] = Array.from({ length: SELLO_RINGS }, (_, i) => {
  const rx = INNER_RADIUS + RING_STEP * i;
  return { rx: round(rx), ry: round(rx * TALL) };
});

/**
 * Draws a huella as its sello: one SVG path per ring, innermost first.
 *
 * `huella` is the 64 hexadecimal digits of a SHA-256, in either case; the result is null for anything else.
 * `strokeWidth` is in units of the view box: the gaps leave room for round caps. Each ring uses eight digits: those
 * at even positions are strokes, those at odd positions the gaps after them, and the first and last rotate the ring.
 * The same huella always gives the same drawing.
 */
export function selloPaths(huella: string, strokeWidth: number): string[] | null {
  if (!/^[0-9a-f]{64}$/i.test(huella)) return null;
  const digits = [...huella].map((digit) => Number.parseInt(digit, 16));
  return Array.from({ length: SELLO_RINGS }, (_, ring) =>
    ringPath(digits.slice(ring * 8, ring * 8 + 8), INNER_RADIUS + RING_STEP * ring, strokeWidth),
  );
}

function ringPath(digits: readonly number[], radius: number, strokeWidth: number): string {
  const leastGap = (strokeWidth + 1.5) / radius;
  const weights = digits.map((v, place) => (place % 2 === 0 ? (v + 3) * 2.4 : v + 1.2));
  const unit = (2 * Math.PI - 4 * leastGap) / weights.reduce((sum, weight) => sum + weight, 0);

  const turn = (digits[0] ?? 0) * 16 + (digits[7] ?? 0);
  let angle = -Math.PI / 2 + (turn * 2 * Math.PI) / 256;
  let path = '';
  weights.forEach((weight, place) => {
    const sweep = weight * unit;
    if (place % 2 === 0) path += arc(radius, angle, angle + sweep);
    angle += place % 2 === 0 ? sweep : sweep + leastGap;
  });
  return path;
}

/** An arc of the ellipse with that horizontal radius, clockwise between two angles in radians. */
function arc(radius: number, from: number, to: number): string {
  const large = to - from > Math.PI ? 1 : 0;
  const rx = round(radius);
  const ry = round(radius * TALL);
  return `M${point(radius, from)}A${rx} ${ry} 0 ${large} 1 ${point(radius, to)}`;
}

const point = (radius: number, angle: number) =>
  `${round(radius * Math.cos(angle))} ${round(radius * TALL * Math.sin(angle))}`;

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
