import { expect, it } from 'vitest';
import { withoutSides } from './cell-sides.ts';

const [WIDTH, HEIGHT] = [400, 80];
type Stroke = readonly [x0: number, x1: number, y0: number, y1: number];
/** Letters of a line are from 30 to 50. */
const [TOP, FOOT] = [30, 50];
const SIDE = [16, 64] as const;

/** A page with some strokes on it. */
function pageOf(strokes: readonly Stroke[]) {
  const data = new Uint8Array(WIDTH * HEIGHT).fill(255);
  for (const [x0, x1, y0, y1] of strokes)
    for (let y = y0; y < y1; y += 1) data.fill(0, y * WIDTH + x0, y * WIDTH + x1);
  return { data, width: WIDTH, height: HEIGHT };
}

/** What is left of a line of words, each with its box and, unless it is filled, the strokes in it. */
function left(
  words: readonly (readonly [text: string, x0: number, x1: number, strokes?: readonly Stroke[]])[],
  { isBand = false } = {},
) {
  const data = new Uint8Array(WIDTH * HEIGHT).fill(255);
  const paint = ([x0, x1, y0, y1]: Stroke, grey: number) => {
    for (let y = y0; y < y1; y += 1) data.fill(grey, y * WIDTH + x0, y * WIDTH + x1);
  };
  if (isBand) paint([0, WIDTH, 10, 70], 0);
  for (const [, x0, x1, strokes = [[x0, x1, TOP, FOOT] as const]] of words)
    for (const stroke of strokes) paint(stroke, isBand ? 255 : 0);
  const line = {
    words: words.map(([text, x0, x1]) => ({
      text,
      confidence: 80,
      bbox: { x0, x1, y0: TOP, y1: FOOT },
    })),
    baseline: { x0: 0, x1: WIDTH, y0: FOOT, y1: FOOT },
  };
  return withoutSides({ data, width: WIDTH, height: HEIGHT }, [line]).map((one) =>
    one.words.map(({ text }) => text),
  );
}

const CABLE = ['Cable', 60, 140] as const;
const AMOUNT = ['12,50', 300, 360] as const;

it('leaves out the sides of boxes, and where two boxes meet', () => {
  const side = (text: string, x: number) => [text, x, x + 4, [[x, x + 4, ...SIDE]]] as const;
  expect(left([side('(', 40), CABLE, AMOUNT, side('J', 380)])).toEqual([['Cable', '12,50']]);
  const meeting = [
    [200, 203, ...SIDE],
    [209, 212, ...SIDE],
  ] as const;
  expect(left([CABLE, ['J(', 200, 212, meeting], AMOUNT])).toEqual([['Cable', '12,50']]);
  expect(left([side('(', 40)])).toEqual([]);
});

it('takes them off the ends of words', () => {
  const [wall, seven] = [[328, 332, ...SIDE] as const, [300, 312, TOP, FOOT] as const];
  expect(left([CABLE, ['7)', 300, 332, [seven, wall]]])).toEqual([['Cable', '7']]);
  const first = [296, 299, ...SIDE] as const;
  const rest = [308, 360, TOP, FOOT] as const;
  expect(left([CABLE, ['1438,76', 296, 360, [first, rest]]])).toEqual([['Cable', '438,76']]);
});

it('leaves letters and figures as they are, on paper and on a dark band', () => {
  const stroke = (text: string, x: number) => [text, x, x + 4] as const;
  const line = [stroke('(', 40), CABLE, stroke('1', 200), ['11', 240, 252], AMOUNT] as const;
  const texts = [['(', 'Cable', '1', '11', '12,50']];
  expect(left(line)).toEqual(texts);
  expect(left(line, { isBand: true })).toEqual(texts);
});

it.each([
  ['4,00|29,99', ['4,00', '29,99']],
  ['4,00/29,99', ['4,00', '29,99']],
  ['4,0029,99', ['4,00', '29,99']],
])('separates the figures of two cells in %s', (text, parts) => {
  // Letters of 12 pixels, and between the two figures a gap with a rule, whether or not it was read as a letter.
  const letters = [...text];
  const boxes = letters.map((letter, i) => {
    const x0 = 40 + 16 * i + (i >= 4 && letters.length === 9 ? 16 : 0);
    return { text: letter, confidence: 90, bbox: { x0, x1: x0 + 12, y0: TOP, y1: FOOT } };
  });
  const figures = boxes
    .filter((one) => /\d/.test(one.text))
    .map(({ bbox }) => [bbox.x0, bbox.x1, TOP, FOOT] as const);
  const bbox = { x0: 40, x1: boxes.at(-1)?.bbox.x1 ?? 0, y0: TOP, y1: FOOT };
  const line = {
    words: [{ text, confidence: 50, bbox, symbols: boxes }],
    baseline: { x0: 0, x1: WIDTH, y0: FOOT, y1: FOOT },
  };
  const read = (strokes: readonly Stroke[]) =>
    withoutSides(pageOf([...figures, ...strokes]), [line]).flatMap((one) => one.words);
  expect(read([[108, 111, ...SIDE]]).map((word) => word.text)).toEqual(parts);
  expect(read([[108, 111, ...SIDE]])[1]?.bbox.x0).toBe(120);
  expect(read([[108, 111, TOP, FOOT]]).map((word) => word.text)).toEqual([text]);
});

it('does not part a word at a letter that is high above small ones', () => {
  const symbols = [...'a4la4'].map((text, i) => {
    const x0 = 40 + 16 * i;
    const y0 = text === 'l' ? TOP - 12 : TOP;
    return { text, confidence: 90, bbox: { x0, x1: x0 + (text === 'l' ? 3 : 12), y0, y1: FOOT } };
  });
  const bbox = { x0: 40, x1: 116, y0: TOP - 12, y1: FOOT };
  const line = {
    words: [{ text: 'a4la4', confidence: 90, bbox, symbols }],
    baseline: { x0: 0, x1: WIDTH, y0: FOOT, y1: FOOT },
  };
  const page = pageOf(symbols.map(({ bbox: { x0, x1, y0, y1 } }) => [x0, x1, y0, y1] as const));
  expect(withoutSides(page, [line])[0]?.words.map(({ text }) => text)).toEqual(['a4la4']);
});
