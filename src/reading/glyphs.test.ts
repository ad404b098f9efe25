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

it('tells «ª» from «º» by its ink, whatever was read', () => {
  const [one, x] = [[10, 16, 10, 30] as const, 20];
  const bars = (...inks: readonly Ink[]): Ink[] =>
    inks.map(([x0, x1, y0, y1]) => [x + x0, x + x1, 10 + y0, 10 + y1]);
  const a = bars([1, 11, 0, 2], [9, 11, 0, 15], [1, 11, 6, 8], [0, 2, 8, 14], [1, 13, 13, 15]);
  const o = bars([2, 11, 0, 2], [11, 13, 2, 13], [0, 2, 2, 13], [2, 11, 13, 15]);
  for (const text of ['19', '14', '1*', '12'])
    expect(lineOf([text, one, ...a]), text).toEqual(['1ª']);
  for (const text of ['19', '14', '1*', '12'])
    expect(lineOf([text, one, ...o]), text).toEqual(['1º']);
  expect(lineOf(['?*', [4, 16, 10, 30], ...a])).toEqual(['2ª']);
  expect(lineOf(['P*', [4, 16, 10, 30], ...a])).toEqual(['Pº']);
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

it('leaves out of a word what is of the next one, over which its box reaches', () => {
  const five: readonly Ink[] = [
    [10, 22, 10, 30],
    [25, 27, 28, 30],
    [30, 40, 10, 20],
  ];
  const door = ['A', [47, 58, 10, 30]] as const;
  expect(lineOf(['5.9', ...five, [45, 58, 10, 30]], door)).toEqual(['5.º', 'A']);
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

it('reads a litre in the middle of a text, after a decimal figure or with serifs', () => {
  const paint = ['blanca', [2, 60, 10, 30]] as const;
  const figure = ['1,5', [70, 76, 10, 30], [78, 80, 27, 33], [82, 92, 10, 30]] as const;
  const more = ['(caja', [116, 160, 10, 34]] as const;
  const stroke = [104, 107, 10, 30] as const;
  for (const text of ['1', '|', 'I'])
    expect(lineOf(paint, figure, [text, stroke], more)).toEqual(['blanca', '1,5', 'l', '(caja']);
  const serifs = (aside: number) => [stroke, [104 - aside, 107 + aside, 28, 30] as const];
  expect(lineOf(paint, figure, ['1', ...serifs(2)], more)[2]).toBe('l');
  expect(lineOf(paint, figure, ['1', ...serifs(4)], more)[2]).toBe('1');
  expect(lineOf(paint, figure, ['|', [104, 107, 2, 38]], more)[2]).toBe('|');
  expect(lineOf(figure, ['1', stroke], more)[1]).toBe('1');
  for (const measure of ['3/6', '1.000'])
    expect(lineOf(paint, [measure, [70, 92, 10, 30]], ['1', stroke])[2]).toBe('l');
});

it('reads a letter set apart that reaches below its figure as grams', () => {
  const paper = ['papel', [2, 60, 10, 30]] as const;
  const eighty = ['80', [70, 82, 10, 30], [86, 98, 10, 30]] as const;
  expect(lineOf(paper, eighty, ['9,', [106, 118, 15, 36], [120, 122, 27, 33]])[2]).toBe('g,');
  expect(lineOf(paper, eighty, ['9', [106, 118, 10, 30]])[2]).toBe('9');
});

it('keeps both letters of «mm» where they touch', () => {
  const eight = ['8', [10, 20, 10, 30]] as const;
  expect(lineOf(eight, ['mm', [30, 62, 16, 30]])).toEqual(['8', 'mm']);
  expect(lineOf(eight, ['mm', [30, 48, 16, 30]])).toEqual(['8', 'm']);
});

it('reads what is in one piece, and wider than a figure, between two words as «&»', () => {
  const [one, other] = [['bed', [2, 30, 10, 30]] as const, ['pan', [70, 100, 16, 36]] as const];
  for (const text of ['8:', '87', '8'])
    expect(lineOf(one, [text, [40, 58, 10, 30]], other)[1], text).toBe('&');
  expect(lineOf(one, ['87', [40, 50, 10, 30], [52, 60, 10, 30]], other)[1]).toBe('87');
  expect(lineOf(one, ['8', [40, 52, 10, 30]], other)[1]).toBe('8');
});

/** A ring with a stroke from its lower left to its upper right. */
function slashedRing(x: number): Ink[] {
  const edges: Ink[] = [
    [x, x + 20, 10, 13],
    [x, x + 20, 27, 30],
    [x, x + 3, 10, 30],
    [x + 17, x + 20, 10, 30],
  ];
  const stroke = Array.from({ length: 18 }, (_, i): Ink => [x + i, x + i + 3, 29 - i, 30 - i]);
  return [...edges, ...stroke];
}

it('reads a ring with a slanted stroke before a figure as the sign of a diameter', () => {
  const ten = (x: number) => [[x, x + 6, 10, 30] as const, [x + 10, x + 22, 10, 30] as const];
  for (const text of ['9', '6', '17)', 'O'])
    expect(lineOf([text, ...slashedRing(10)], ['10', ...ten(40)]), text).toEqual(['Ø', '10']);
  expect(lineOf(['910', ...slashedRing(10), ...ten(33)])).toEqual(['Ø10']);
  expect(lineOf(['910', ...slashedRing(10), ...ten(40)])).toEqual(['Ø', '10']);
  const ring = slashedRing(10).slice(0, 4);
  expect(lineOf(['O', ...ring], ['10', ...ten(40)])).toEqual(['O', '10']);
  expect(lineOf(['9', ...slashedRing(10)], ['10', ...ten(120)])).toEqual(['9', '10']);
  expect(lineOf(['%', ...slashedRing(10)], ['10', ...ten(40)])).toEqual(['%', '10']);
});

it('takes no small letter at the beginning of a word for a capital', () => {
  const rest = [
    [24, 34, 16, 30],
    [36, 46, 16, 30],
  ] as const;
  expect(lineOf(['Con', [10, 20, 16, 30], ...rest])).toEqual(['con']);
  expect(lineOf(['Con', [10, 20, 10, 30], ...rest])).toEqual(['Con']);
  expect(lineOf(['COn', [10, 20, 16, 30], ...rest])).toEqual(['COn']);
});

it('takes away a full stop without ink', () => {
  const [x, l] = [
    [10, 24, 10, 30],
    [26, 36, 10, 30],
  ] as const;
  expect(lineOf(['XL.', x, l])).toEqual(['XL']);
  expect(lineOf(['XL.', x, l, [38, 41, 27, 30]])).toEqual(['XL.']);
  // Under the arm of a «T» there is room for one.
  expect(lineOf(['XT.', x, l])).toEqual(['XT.']);
});

it('reads a hyphen no wider than a dot as the middle dot of Catalan', () => {
  const l = (x: number) => [x, x + 4, 10, 30] as const;
  const [a, b] = [
    [10, 20, 16, 30],
    [60, 70, 16, 30],
  ] as const;
  const word = (dot: Ink) => lineOf(['al-la', a, l(24), dot, l(50), b]);
  expect(word([36, 40, 19, 22])).toEqual(['al·la']);
  expect(word([33, 41, 19, 22])).toEqual(['al-la']);
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
  expect(lineOf(['3.', [10, 22, 10, 30], dot, raised])).toEqual(['3.º']);
  expect(lineOf(['n.', n, dot, raised])).toEqual(['n.º']);
  expect(lineOf(['3.', [10, 22, 10, 30], dot])).toEqual(['3.']);
  expect(lineOf(['3.', [10, 22, 10, 30], dot, [31, 43, 10, 30]])).toEqual(['3.']);
});

it('reads a raised figure after a metre as its power', () => {
  const m = [10, 28, 15, 30] as const;
  const three: Ink[] = [
    [31, 39, 10, 12],
    [36, 39, 10, 21],
    [31, 39, 19, 21],
  ];
  const two: Ink[] = [
    [31, 39, 10, 12],
    [36, 39, 10, 15],
    [31, 34, 15, 21],
    [31, 39, 14, 16],
    [31, 39, 19, 21],
  ];
  for (const text of ['m3', 'm?', 'm>', 'm2']) {
    expect(lineOf([text, m, ...three]), text).toEqual(['m³']);
    expect(lineOf([text, m, ...two]), text).toEqual(['m²']);
  }
  expect(lineOf(['m?,', m, [31, 39, 10, 21], [41, 43, 27, 33]])).toEqual(['m²,']);
  expect(lineOf(['m3)', m, ...three, [42, 46, 9, 34]])).toEqual(['m³)']);
  expect(lineOf(['m3', m, [31, 43, 10, 30]])).toEqual(['m3']);
});

it('reads the «W» of a kilowatt as a capital if it is as high as the «k»', () => {
  const [k, h] = [
    [10, 20, 9, 30],
    [42, 52, 9, 30],
  ] as const;
  expect(lineOf(['kwh', k, [22, 40, 10, 30], h])).toEqual(['kWh']);
  const small: Ink[] = [
    [10, 13, 9, 30],
    [10, 20, 16, 30],
  ];
  expect(lineOf(['KW', ...small, [22, 40, 10, 30]])).toEqual(['kW']);
  expect(lineOf(['KW', k, [22, 40, 10, 30]])).toEqual(['KW']);
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

it('tells the 1, the I with serifs and the Z of a code', () => {
  const box = (x: number, wide: number) => [x, x + wide, 10, 30] as const;
  const moved = (x: number, inks: readonly Ink[]) =>
    inks.map(([x0, x1, y0, y1]): Ink => [x + x0, x + x1, 10 + y0, 10 + y1]);
  const one: Ink[] = [
    [4, 7, 0, 20],
    [0, 4, 3, 5],
    [0, 11, 18, 20],
  ];
  const capital: Ink[] = [
    [4, 7, 0, 20],
    [0, 11, 0, 2],
    [0, 11, 18, 20],
  ];
  const zed: Ink[] = [
    [0, 12, 0, 2],
    [5, 8, 2, 18],
    [0, 12, 18, 20],
  ];
  const seven = zed.slice(0, 2);
  const [first, last] = [box(10, 12), box(45, 10)];
  for (const text of ['El4', 'E14', 'E|4', 'El14'])
    expect(lineOf([text, first, ...moved(28, one), last]), text).toEqual(['E14']);
  for (const text of ['El4', 'E14', 'EI4', 'ElI4'])
    expect(lineOf([text, first, ...moved(28, capital), last]), text).toEqual(['EI4']);
  expect(lineOf(['2-7', first, [28, 33, 19, 21], ...moved(40, zed)])).toEqual(['2-Z']);
  expect(lineOf(['2-7', first, [28, 33, 19, 21], ...moved(40, seven)])).toEqual(['2-7']);
});

it('counts the strokes of a Roman numeral', () => {
  const stroke = (x: number) => [x, x + 3, 10, 30] as const;
  const fase = ['Fase', [2, 40, 10, 30]] as const;
  const three = [stroke(50), stroke(58), stroke(66)] as const;
  for (const text of ['II', '11', 'll1', 'III'])
    expect(lineOf(fase, [text, ...three])[1]).toBe('III');
  const colon = [
    [66, 69, 16, 19],
    [66, 69, 27, 30],
  ] as const;
  expect(lineOf(fase, ['II:', stroke(50), stroke(58), ...colon])[1]).toBe('II:');
  expect(lineOf(fase, ['11', [50, 60, 10, 30], [64, 74, 10, 30]])[1]).toBe('11');
});

it('reads a raised letter within a parenthesis', () => {
  const open = [2, 6, 8, 34] as const;
  expect(lineOf(['(19', open, [10, 16, 10, 30], [20, 30, 10, 20]])).toEqual(['(1º']);
  expect(lineOf(['(19', open, [10, 16, 10, 30], [20, 30, 10, 30]])).toEqual(['(19']);
});

it('reads a per cent sign without rings as a fraction', () => {
  const name = ['Dietas', [2, 60, 10, 30]] as const;
  const ring = (x: number, y: number): Ink[] => [
    [x, x + 8, y, y + 2],
    [x, x + 2, y, y + 8],
    [x + 6, x + 8, y, y + 8],
    [x, x + 8, y + 6, y + 8],
  ];
  const [bar, slash] = [[70, 73, 10, 20] as const, [78, 81, 10, 30] as const];
  const next = (text: string) => [text, [110, 160, 10, 30]] as const;
  const said = (...inks: readonly Ink[]) => lineOf(name, ['%', ...inks], next('jornada'))[1];
  expect(said(bar, slash, [86, 94, 20, 22], [86, 94, 28, 30])).toBe('½');
  expect(said(bar, slash, ...ring(86, 20), [92, 94, 28, 32])).toBe('¼');
  expect(said(...ring(68, 10), slash, ...ring(86, 22))).toBe('%');
  const half = ['%', bar, slash, [86, 94, 20, 30]] as const;
  expect(lineOf(['21', [40, 60, 10, 30]], half, next('jornada'))[1]).toBe('%');
  expect(lineOf(name, half, next('dto.'))[1]).toBe('%');
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
