import { expect, it } from 'vitest';
import { accentedWord } from './accents.ts';

const [WIDTH, HEIGHT] = [200, 60];
/** A box of ink: first and last column, first and last row. */
type Ink = readonly [number, number, number, number];
/** The body of a letter. */
const body = (x: number): Ink => [x, x + 14, 24, 44];
/** A slanted stroke over the letter at `x`. */
const stroke = (x: number, way: 1 | -1): Ink[] =>
  [0, 1, 2, 3, 4, 5].map((k) => {
    const at = x + 5 - way * (k - 2);
    return [at, at + 4, 12 + k, 13 + k];
  });

/** What a word that was read as `text` is, with this ink. */
function seen(text: string, ...inks: readonly Ink[]): string {
  const data = new Uint8Array(WIDTH * HEIGHT).fill(255);
  for (const [x0, x1, y0, y1] of inks)
    for (let y = y0; y < y1; y += 1) data.fill(0, y * WIDTH + x0, y * WIDTH + x1);
  const bbox = {
    x0: Math.min(...inks.map(([x0]) => x0)),
    x1: Math.max(...inks.map(([, x1]) => x1)),
    y0: Math.min(...inks.map(([, , y0]) => y0)),
    y1: Math.max(...inks.map(([, , , y1]) => y1)),
  };
  return accentedWord({ data, width: WIDTH, height: HEIGHT }, { text, confidence: 90, bbox }).text;
}

it('tells a grave accent from an acute one by its slope', () => {
  expect(seen('més', body(10), body(30), ...stroke(30, -1), body(50))).toBe('mès');
  expect(seen('mes', body(10), body(30), ...stroke(30, -1), body(50))).toBe('mès');
  expect(seen('més', body(10), body(30), ...stroke(30, 1), body(50))).toBe('més');
  expect(seen('mes', body(10), body(30), body(50))).toBe('mes');
});

it('tells accents also if the first two letters overlap', () => {
  const joined = [10, 48, 24, 44] as const;
  const rest = [body(54), body(74), ...stroke(74, -1), body(94)];
  expect(seen('Vamés', joined, ...rest)).toBe('Vamès');
  expect(seen('bamés', joined, ...rest)).toBe('bamés');
});

it('reads two dots as a diaeresis, over a «u» even where two letters were read', () => {
  const dots: Ink[] = [
    [30, 34, 14, 18],
    [40, 44, 14, 18],
  ];
  const u: Ink[] = [
    [30, 34, 24, 44],
    [40, 44, 24, 44],
    [30, 44, 40, 44],
  ];
  expect(seen('giie', body(10), ...u, ...dots, body(50))).toBe('güe');
  expect(seen('gúe', body(10), ...u, ...dots, body(50))).toBe('güe');
  expect(seen('lii', [10, 14, 12, 44], ...u, [30, 34, 14, 18])).toBe('lii');
});

it('reads a cedilla by the tail of a letter that is open at its right', () => {
  const c: Ink[] = [
    [30, 34, 24, 44],
    [30, 44, 24, 28],
    [30, 44, 40, 44],
  ];
  expect(seen('aca', body(10), ...c, [35, 39, 44, 50], body(50))).toBe('aça');
  expect(seen('aca', body(10), ...c, body(50))).toBe('aca');
  expect(seen('aga', body(10), ...c, [40, 44, 24, 52], [30, 44, 48, 52], body(50))).toBe('aga');
});
