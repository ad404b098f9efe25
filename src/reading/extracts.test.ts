import type { Worker } from 'tesseract.js';
import { expect, it } from 'vitest';
import { lookedCloser } from './extracts.ts';

const [WIDTH, HEIGHT] = [400, 120];
type Span = readonly [x0: number, x1: number];

/** Rows of letters in boxes, each with the text that a first look made of it, or null for none. */
function pageOf(...rows: readonly (readonly (readonly [string | null, number, ...Span])[])[]) {
  const data = new Uint8Array(WIDTH * HEIGHT).fill(255);
  const lines = rows.map((row, i) => {
    const [y0, y1] = [20 + 40 * i, 40 + 40 * i];
    const words = row.flatMap(([text, confidence, x0, x1]) => {
      for (let y = y0; y < y1; y += 1) data.fill(0, y * WIDTH + x0, y * WIDTH + x1);
      return text === null ? [] : [{ text, confidence, bbox: { x0, x1, y0, y1 } }];
    });
    return { words, baseline: { x0: 0, x1: WIDTH, y0: y1, y1 } };
  });
  return { page: { data, width: WIDTH, height: HEIGHT }, lines };
}

/** A Tesseract that sees the given words one below another, whatever the picture. */
function seeing(...texts: readonly (readonly [string, number])[]) {
  const words = texts.map(([text, confidence], i) => ({
    text,
    confidence,
    bbox: { x0: 35, x1: 47, y0: 35 + 60 * i, y1: 55 + 60 * i },
  }));
  const data = { blocks: [{ paragraphs: [{ lines: words.map((word) => ({ words: [word] })) }] }] };
  return { setParameters: async () => {}, recognize: async () => ({ data }) } as unknown as Worker;
}

const textsOf = async (ocr: Worker, { page, lines }: ReturnType<typeof pageOf>) =>
  (await lookedCloser(ocr, page, lines)).map((line) => line.words.map(({ text }) => text));

const QUANTITY = [null, 0, 200, 212] as const;
const AMOUNT = ['12,50', 95, 300, 380] as const;

it('adds the figures that a first look left out, each in its line', async () => {
  const page = pageOf([['Cable', 95, 10, 90], QUANTITY, AMOUNT], [QUANTITY, AMOUNT]);
  expect(await textsOf(seeing(['3', 96], ['7', 96]), page)).toEqual([
    ['Cable', '3', '12,50'],
    ['7', '12,50'],
  ]);
});

it('reads a doubtful figure again, and believes the second reading only if that is sure', async () => {
  const page = pageOf([['12,550€', 20, 300, 380]]);
  expect(await textsOf(seeing(['12,50', 95]), page)).toEqual([['12,50€']]);
  expect(await textsOf(seeing(['12,50', 40]), page)).toEqual([['12,550€']]);
  expect(await textsOf(seeing(['abc', 95]), page)).toEqual([['12,550€']]);
});

it('reads an amount that begins with letters again', async () => {
  const page = pageOf([['P2318,97', 28, 300, 380]]);
  expect(await textsOf(seeing(['2318,97', 95]), page)).toEqual([['2318,97']]);
  expect(await textsOf(seeing(['2318,97', 40]), page)).toEqual([['P2318,97']]);
});

it('reads an amount again that is less sure than amounts are, and believes only what is surer', async () => {
  const page = pageOf([['1438,76', 61, 300, 380]]);
  expect(await textsOf(seeing(['438,76', 96]), page)).toEqual([['438,76']]);
  expect(await textsOf(seeing(['438,76', 80]), page)).toEqual([['1438,76']]);
  expect(await textsOf(seeing(['1488,76', 96]), page)).toEqual([['1438,76']]);
});

it('reads a calculation again whose blanks and cents were lost', async () => {
  const page = pageOf([['3x417,1€', 80, 200, 290], AMOUNT]);
  expect(await textsOf(seeing(['3x417,11', 96]), page)).toEqual([['3x417,11', '12,50']]);
});

it('reads a word again that a rule made illegible, and leaves the rule', async () => {
  const page = pageOf([
    ['|', 0, 4, 7],
    ['Vinotinto', 0, 10, 90],
    ['75', 95, 100, 120],
    ['|', 37, 130, 133],
    AMOUNT,
  ]);
  const rest = ['75', '|', '12,50'];
  const said = await textsOf(seeing(['Vino', 95], ['tinto', 95]), page);
  expect(said).toEqual([['|', 'Vino', ...rest]]);
  expect(await textsOf(seeing(['Vino', 40]), page)).toEqual([['|', 'Vinotinto', ...rest]]);
});

it('does not look again where everything was read', async () => {
  const page = pageOf([['3', 95, 200, 212], AMOUNT]);
  const ocr = { recognize: () => Promise.reject(new Error('looked')) } as unknown as Worker;
  expect(await textsOf(ocr, page)).toEqual([['3', '12,50']]);
});
