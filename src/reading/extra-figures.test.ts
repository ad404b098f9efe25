import { expect, it } from 'vitest';
import { isClear, withoutExtraFigures } from './extra-figures.ts';

const [WIDTH, HEIGHT] = [220, 40];
/** From its first column of pixels to its last one. */
type Span = readonly [number, number];

/** Figures of ink, and what Tesseract made of them: each symbol where it believes it to be. */
function seen(ink: readonly Span[], symbols: readonly (readonly [string, ...Span])[]) {
  const data = new Uint8Array(WIDTH * HEIGHT).fill(255);
  for (const [x0, x1] of ink)
    for (let y = 10; y < 30; y += 1) data.fill(0, y * WIDTH + x0, y * WIDTH + x1);
  const bbox = { x0: 10, x1: ink.at(-1)?.[1] ?? 0, y0: 10, y1: 30 };
  const word = {
    text: symbols.map(([text]) => text).join(''),
    confidence: 30,
    bbox,
    symbols: symbols.map(([text, x0, x1]) => ({ text, confidence: 95, bbox: { ...bbox, x0, x1 } })),
  };
  return { page: { data, width: WIDTH, height: HEIGHT }, word };
}

const FOUR: readonly Span[] = [
  [10, 22],
  [26, 38],
  [42, 54],
  [68, 80],
];

it('takes out a figure that was read where there is no ink, before the euro sign', () => {
  const { page, word } = seen(FOUR, [
    ['8', 10, 22],
    ['6', 26, 38],
    ['5', 42, 54],
    ['5', 55, 66],
    ['€', 68, 80],
  ]);
  expect(withoutExtraFigures(page, word).text).toBe('865€');
  expect(isClear(page, word)).toBe(true);
});

it('takes out a figure that was read twice in the same ink', () => {
  const { page, word } = seen(FOUR, [
    ['1', 10, 22],
    ['9', 26, 33],
    ['9', 26, 38],
    ['2', 42, 54],
    ['€', 68, 80],
  ]);
  expect(withoutExtraFigures(page, word).text).toBe('192€');
});

it('leaves a figure as it is if it cannot tell which digit is one too many', () => {
  const { page, word } = seen(FOUR, [
    ['7', 10, 22],
    ['0', 26, 32],
    ['6', 33, 40],
    ['3', 42, 54],
    ['€', 68, 80],
  ]);
  expect(withoutExtraFigures(page, word).text).toBe('7063€');
  expect(isClear(page, word)).toBe(false);
});

it('leaves figures alone that touch, and those that have ink', () => {
  const touching: readonly Span[] = [
    [10, 22],
    [26, 54],
    [68, 80],
  ];
  const symbols = [
    ['1', 10, 22],
    ['2', 26, 38],
    ['3', 40, 54],
    ['€', 68, 80],
  ] as const;
  for (const ink of [touching, FOUR]) {
    const { page, word } = seen(ink, symbols);
    expect(withoutExtraFigures(page, word).text).toBe('123€');
    expect(isClear(page, word)).toBe(true);
  }
});
