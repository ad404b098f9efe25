import { expect, it } from 'vitest';
import { inkedWords } from './glyphs.ts';

const [WIDTH, HEIGHT] = [200, 40];
/** A box of ink: first and last column, first and last row. */
type Ink = readonly [number, number, number, number];

/** A line of words on white paper, each with the boxes of its letters. */
function lineOf(...words: readonly (readonly [string, ...Ink[]])[]) {
  const data = new Uint8Array(WIDTH * HEIGHT).fill(255);
  const seen = words.map(([text, ...inks]) => {
    for (const [x0, x1, y0, y1] of inks)
      for (let y = y0; y < y1; y += 1) data.fill(0, y * WIDTH + x0, y * WIDTH + x1);
    const edge = (at: 0 | 1 | 2 | 3, most: typeof Math.min) => most(...inks.map((ink) => ink[at]));
    const bbox = {
      x0: edge(0, Math.min),
      x1: edge(1, Math.max),
      y0: edge(2, Math.min),
      y1: edge(3, Math.max),
    };
    return { text, confidence: 90, bbox };
  });
  return inkedWords({ data, width: WIDTH, height: HEIGHT }, seen).map(({ text }) => text);
}

it('reads a raised letter after a figure as an ordinal, and leaves figures alone', () => {
  expect(lineOf(['19', [10, 16, 10, 30], [20, 30, 10, 20]])).toEqual(['1º']);
  expect(lineOf(['14', [10, 16, 10, 30], [20, 30, 10, 21]])).toEqual(['1ª']);
  expect(lineOf(['12?,', [10, 16, 10, 30], [20, 30, 10, 20], [33, 35, 27, 33]])).toEqual(['1º,']);
  expect(lineOf(['M2', [10, 26, 10, 30], [29, 38, 10, 20]])).toEqual(['Mª']);
  expect(lineOf(['19', [10, 16, 10, 30], [20, 30, 10, 30]])).toEqual(['19']);
});

it('separates the litre from its figure if it is as far away as a word', () => {
  const name = ['garrafa', [2, 60, 10, 30]] as const;
  expect(lineOf(name, ['51', [70, 82, 10, 30], [92, 95, 10, 30]])).toEqual(['garrafa', '5', 'l']);
  expect(lineOf(name, ['51', [70, 82, 10, 30], [86, 92, 10, 30]])).toEqual(['garrafa', '51']);
});

it('separates the litre at the beginning of a line too', () => {
  const tens = [
    [70, 82, 10, 30],
    [86, 98, 10, 30],
  ] as const;
  expect(lineOf(['501', ...tens, [112, 116, 10, 30]])).toEqual(['50', 'l']);
  expect(lineOf(['501', ...tens, [102, 108, 10, 30]])).toEqual(['501']);
});

it('reads a letter that reaches below its figures as grams', () => {
  const name = ['papel', [2, 60, 10, 30]] as const;
  const eighty = [
    [70, 82, 10, 30],
    [86, 98, 10, 30],
  ] as const;
  expect(lineOf(name, ['809', ...eighty, [106, 118, 15, 36]])).toEqual(['papel', '80', 'g']);
  expect(lineOf(name, ['80q', ...eighty, [100, 112, 15, 36]])).toEqual(['papel', '80g']);
  expect(lineOf(name, ['809', ...eighty, [102, 114, 10, 30]])).toEqual(['papel', '809']);
});

it('distinguishes a small letter after a figure from a capital by its height', () => {
  const six = ['66', [10, 20, 10, 30], [23, 33, 10, 30]] as const;
  expect(lineOf(six, ['M', [40, 58, 16, 30]])).toEqual(['66', 'm']);
  expect(lineOf(six, ['m', [40, 58, 10, 30]])).toEqual(['66', 'M']);
});

it('reads a stroke thinner than any figure as an «I» or a litre', () => {
  const cat = ['cat.', [10, 30, 10, 30]] as const;
  expect(lineOf(cat, ['1', [40, 43, 10, 30]])).toEqual(['cat.', 'I']);
  expect(lineOf(cat, ['1', [40, 47, 10, 30]])).toEqual(['cat.', '1']);
  const paint = ['blanca', [2, 60, 10, 30]] as const;
  const litres = ['15', [70, 76, 10, 30], [80, 92, 10, 30]] as const;
  expect(lineOf(paint, litres, ['1', [105, 108, 10, 30]])).toEqual(['blanca', '15', 'l']);
});

it('keeps the full stop before a raised letter, read or not', () => {
  const [n, dot, raised] = [
    [10, 22, 16, 30],
    [25, 28, 27, 30],
    [31, 40, 10, 20],
  ] as const;
  expect(lineOf(['n.9', n, dot, raised])).toEqual(['n.º']);
  expect(lineOf(['nº', n, dot, raised])).toEqual(['n.º']);
  expect(lineOf(['nº', n, raised])).toEqual(['nº']);
  expect(lineOf(['2.9', [10, 22, 10, 30], dot, raised])).toEqual(['2.º']);
  expect(lineOf(['2.9', [10, 22, 10, 30], dot, [31, 43, 10, 30]])).toEqual(['2.9']);
});

it('reads a raised figure after a metre as its power', () => {
  const m = [10, 28, 15, 30] as const;
  expect(lineOf(['m3', m, [31, 39, 10, 21]])).toEqual(['m³']);
  expect(lineOf(['m?,', m, [31, 39, 10, 21], [41, 43, 27, 33]])).toEqual(['m²,']);
  expect(lineOf(['m3)', m, [31, 39, 10, 21], [42, 46, 9, 34]])).toEqual(['m³)']);
  expect(lineOf(['m3', m, [31, 43, 10, 30]])).toEqual(['m3']);
});

it('reads the «W» of a kilowatt as a capital if it is as high as the «k»', () => {
  const [k, h] = [
    [10, 20, 9, 30],
    [42, 52, 9, 30],
  ] as const;
  expect(lineOf(['kwh', k, [22, 40, 10, 30], h])).toEqual(['kWh']);
  expect(lineOf(['kw', k, [22, 36, 15, 30]])).toEqual(['kw']);
});

it('distinguishes a multiplication sign from an «x» by where it stands', () => {
  const [two, four] = [
    [10, 22, 10, 30],
    [44, 56, 10, 30],
  ] as const;
  expect(lineOf(['2x4', two, [26, 39, 14, 26], four])).toEqual(['2×4']);
  expect(lineOf(['2x4', two, [26, 39, 15, 30], four])).toEqual(['2x4']);
  expect(lineOf(['2', two], ['x', [28, 40, 14, 26]], ['4', four])).toEqual(['2', '×', '4']);
  expect(lineOf(['2', two], ['x', [28, 40, 15, 30]], ['4', four])).toEqual(['2', 'x', '4']);
});

it('tells the zeros and the capital I of a code', () => {
  const box = (x: number, wide: number) => [x, x + wide, 10, 30] as const;
  const cable = (wide: number) =>
    lineOf(['HO7V', box(10, 14), box(28, wide), box(50, 10), box(64, 14)]);
  expect(cable(11)).toEqual(['H07V']);
  expect(cable(18)).toEqual(['HO7V']);
  expect(lineOf(['CO2', box(10, 14), box(28, 18), box(50, 10)])).toEqual(['CO2']);
  const door = (wide: number) =>
    lineOf(['El2,', box(10, 12), box(28, wide), box(40, 10), [53, 56, 27, 34]]);
  expect(door(3)).toEqual(['EI2,']);
  expect(door(7)).toEqual(['El2,']);
  expect(lineOf(['El', box(10, 12), box(28, 3)])).toEqual(['El']);
});

it('tells them also if two other letters overlap', () => {
  const box = (x: number, wide: number) => [x, x + wide, 10, 30] as const;
  expect(
    lineOf(['HO7V-K', box(10, 14), box(28, 12), box(44, 26), box(74, 6), box(84, 14)]),
  ).toEqual(['H07V-K']);
});

it('separates a raised letter after a floor from the letter of its door', () => {
  const [five, mark] = [[10, 22, 10, 30] as const, [24, 33, 10, 20] as const];
  expect(lineOf(['55C,', five, mark, [42, 56, 10, 30], [58, 60, 28, 34]])).toEqual(['5º', 'C,']);
  expect(lineOf(['55C', five, [24, 36, 10, 30], [42, 56, 10, 30]])).toEqual(['55C']);
});
