import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createWorker, OEM, PSM, type Worker } from 'tesseract.js';
import { accentedWord } from './accents.ts';
import { withoutBoxes } from './boxes.ts';
import { withoutSides } from './cell-sides.ts';
import { withoutBands } from './colour-bands.ts';
import { withoutDashes } from './dashed-rules.ts';
import { withDashes } from './dashes.ts';
import { withoutExtraFigures } from './extra-figures.ts';
import { LEAST_WORD, lookedCloser } from './extracts.ts';
import { withFiguresByHoles } from './figure-holes.ts';
import { inkedWords } from './glyphs.ts';
import {
  type Box,
  type Layer,
  layersOf,
  marginsOf,
  turnedBack,
  turnedBox,
  without,
} from './layers.ts';
import { withBlanks } from './lost-blanks.ts';
import { mendedAmount } from './misread.ts';
import {
  isDash,
  isLeader,
  type Lettering,
  letteringsOf,
  median,
  type SeenLine,
  strokeOf,
} from './seen-words.ts';
import type { Word } from './shapes.ts';
import type { GreyPage } from './tax-qr.ts';
import { type UprightPage, uprightPage, upsideDown } from './upright.ts';

/** Width of an A4 in points. Pages read by OCR are measured in it, whatever their real size. */
export const PAGE_WIDTH = 595;
/**
 * Height of a text's letters divided by the height of its capitals. In a PDF with text, heights come measured like
 * this.
 */
const LETTER = 1.3;
/** Confidence, out of a hundred, below which what was read is no language: the page may be upside down. */
const GIBBERISH = 62;

/** Tesseract with its Spanish model, from the installed packages: nothing is downloaded. */
export async function openOcr(): Promise<Worker> {
  const require = createRequire(import.meta.url);
  const folder = (name: string) => dirname(require.resolve(`${name}/package.json`));
  const worker = await createWorker('spa', OEM.LSTM_ONLY, {
    langPath: join(folder('@tesseract.js-data/spa'), '4.0.0_best_int'),
    gzip: true,
    cacheMethod: 'none',
    corePath: folder('tesseract.js-core'),
    workerPath: join(folder('tesseract.js'), 'src', 'worker-script', 'node', 'index.js'),
  });
  // Unset, it reads the page as one block and fails on tables; 3 silently drops whole columns.
  await worker.setParameters({
    tessedit_pageseg_mode: PSM.SINGLE_COLUMN,
    user_defined_dpi: '300',
  });
  return worker;
}

/** The words read on a page, and a way to look again. */
export interface OcrPage {
  /** In points of the page set upright. */
  readonly words: readonly Word[];
  /**
   * A second look: without the boxes and the colours of the page or, if it has none, with the words that are found one by one where
   * none were read, in the rows and cells that a first look misses.
   */
  readonly again: () => Promise<readonly Word[]>;
}

/** The words of a page, whichever way round it is on its picture. */
export async function readPage(
  opening: Worker | Promise<Worker>,
  picture: GreyPage,
  page: number,
): Promise<OcrPage> {
  const upright = withoutDashes(await uprightPage(picture));
  const ocr = await opening;
  const read = await recognised(ocr, upright, page, { isFirst: true });
  if (read.confidence >= GIBBERISH) return ocrPage(ocr, upright, read.words, page);
  const other = upsideDown(upright);
  const turned = await recognised(ocr, other, page, { isFirst: true });
  return turned.confidence > read.confidence
    ? ocrPage(ocr, other, turned.words, page)
    : ocrPage(ocr, upright, read.words, page);
}

function ocrPage(ocr: Worker, upright: UprightPage, words: readonly Word[], page: number): OcrPage {
  const isFree = (one: Word) =>
    words.every(
      ({ x, y, w, h }) =>
        one.x + one.w <= x || x + w <= one.x || one.y + one.h * 0.8 <= y || y + h * 0.8 <= one.y,
    );
  return {
    words,
    again: async () => {
      const plain = withoutBands(upright);
      const bare = withoutBoxes(plain ?? upright) ?? plain;
      if (bare) return (await recognised(ocr, bare, page, { isFirst: true })).words;
      await ocr.setParameters({ tessedit_pageseg_mode: PSM.SPARSE_TEXT });
      const found = await recognised(ocr, upright, page, { isFirst: false });
      await ocr.setParameters({ tessedit_pageseg_mode: PSM.SINGLE_COLUMN });
      const isWord = (one: Word) => /[\p{L}\p{N}]{2}/u.test(one.text) && isFree(one);
      return [...words, ...found.words.filter(isWord)];
    },
  };
}

async function recognised(
  ocr: Worker,
  page: UprightPage,
  number: number,
  { isFirst }: { readonly isFirst: boolean },
): Promise<{ words: Word[]; confidence: number }> {
  const margins = marginsOf(page);
  const seen: SeenLine[] = [];
  for (const layer of layersOf(without(page, margins))) seen.push(...(await linesOf(ocr, layer)));
  const lines = withoutSides(page, seen);
  const first = wordsOf(lines, page, number);
  const isWorth = isFirst && first.confidence >= GIBBERISH;
  const read = isWorth ? wordsOf(await lookedCloser(ocr, page, lines), page, number) : first;
  for (const margin of margins) read.words.push(...(await marginWords(ocr, page, margin, number)));
  return read;
}

/** The words of a margin that run up the page or, failing that, down. They are placed in a line below the last one. */
async function marginWords(
  ocr: Worker,
  page: UprightPage,
  box: Box,
  number: number,
): Promise<Word[]> {
  const scale = page.width / PAGE_WIDTH;
  const readAs = async (way: 'up' | 'down') => {
    const strip = turnedBox(page, box, way);
    const toPaper = (u: number, v: number) => page.toPaper(...turnedBack(box, way, u, v));
    const lines = await linesOf(ocr, { ...strip, x: 0, y: 0 });
    return wordsOf(lines, { ...strip, toPaper }, number, scale);
  };
  const up = await readAs('up');
  const down = up.confidence < GIBBERISH ? await readAs('down') : up;
  const { words } = down.confidence > up.confidence ? down : up;
  return words.map((word) => ({ ...word, y: word.y + page.height / scale }));
}

/** The lines that Tesseract sees on a layer, with their place on the page. */
async function linesOf(
  ocr: Worker,
  { data, width, height, x, y }: Layer,
): Promise<readonly SeenLine[]> {
  // A PGM: neither packed here nor unpacked there.
  const picture = Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`), data]);
  const { data: read } = await ocr.recognize(picture, {}, { blocks: true, text: false });
  const moved = <T extends { x0: number; x1: number; y0: number; y1: number }>(box: T): T => ({
    ...box,
    x0: box.x0 + x,
    x1: box.x1 + x,
    y0: box.y0 + y,
    y1: box.y1 + y,
  });
  return (read.blocks ?? [])
    .flatMap(({ paragraphs }) => paragraphs)
    .flatMap((paragraph) => paragraph.lines)
    .map((line) => ({
      words: line.words.map((word) => ({
        ...word,
        bbox: moved(word.bbox),
        symbols: word.symbols.map((symbol) => ({ ...symbol, bbox: moved(symbol.bbox) })),
      })),
      baseline: moved(line.baseline),
    }));
}

/** Converts what Tesseract saw on a page to words, in points. */
function wordsOf(
  seen: readonly SeenLine[],
  page: UprightPage,
  number: number,
  scale = page.width / PAGE_WIDTH,
): { words: Word[]; confidence: number } {
  const { width, toPaper } = page;
  const lines = withBlanks(page, withDashes(page, seen)).map((line) => ({
    ...line,
    words: inkedWords(
      page,
      line.words.map((word) => withFiguresByHoles(page, withoutExtraFigures(page, word))),
    ).map((word) => accentedWord(page, word)),
  }));
  const slope = median(
    lines
      .filter(({ baseline }) => baseline.x1 - baseline.x0 > width / 8)
      .map(({ baseline: { x0, y0, x1, y1 } }) => (y1 - y0) / (x1 - x0)),
  );
  const letterings = letteringsOf(lines);
  const words = lines.flatMap((line, at) => {
    const { size, footOf } = letterings[at] as Lettering;
    const tall = (LETTER * size) / scale;
    return line.words.flatMap((word, i): Word[] => {
      const { text, bbox, confidence } = word;
      const isFigures = /\d{3}|\d[.,]\d/.test(text);
      const stroke = strokeOf(line.words, i);
      const isNothing = /^[|_—\-.'"~]+$/.test(text) && !stroke && !isDash(line.words, i);
      const isKnown = stroke !== null || isAmountIn(line.words, i) || isUnlike(text);
      if (confidence < (isFigures ? 3 : LEAST_WORD) && !isKnown) return [];
      if (isNothing || isLeader(word, size)) return [];
      const tilt = (slope * (bbox.x0 + bbox.x1)) / 2 / scale;
      return [
        {
          text: stroke ?? text,
          page: number,
          x: bbox.x0 / scale,
          y: footOf(word) / scale - tall - tilt,
          w: (bbox.x1 - bbox.x0) / scale,
          h: Math.max(tall, 4),
          paper: placeOn(toPaper, bbox),
        },
      ]
        .flatMap(partedAmounts)
        .map((one) => (stroke ? one : { ...one, text: mendedWord(one.text) }))
        .flatMap(partedTax)
        .flatMap(partedLabel);
    });
  });
  const letters = lines.flatMap((line) => line.words).filter(({ text }) => /\w{3}/.test(text));
  return { words, confidence: median(letters.map(({ confidence }) => confidence)) };
}

/** Words of the sums, rates, and what may be a NIF. */
const UNLIKE = [
  /^(base|imponible|total|iva|igic|irpf|cuota|importe|neto|suma|subtotal|recargo|a|al|pagar)$/i,
  /^-?\d{1,2}([.,]\d{1,2})?%$/,
  /^[A-Z\d]\d{7}[A-Z\d]$/,
];

/** Whether hardly anything else is misread like this, so that Tesseract need not be sure of it. */
export const isUnlike = (text: string) => UNLIKE.some((pattern) => pattern.test(text));

const AMOUNT = /^[-—–]?(\d{1,3}[.,])*\d{1,3}[.,]\d{2}€?$/;

/**
 * An amount, or the thousands before it. Tesseract is rarely sure of amounts that are set apart, but reads them well.
 */
function isAmountIn(words: readonly { text: string }[], at: number): boolean {
  const [own, next] = [words[at]?.text ?? '', words[at + 1]?.text ?? ''];
  return AMOUNT.test(own) || (/^[-—–]?\d{1,3}$/.test(own) && /^\d{3}[.,]\d{2}€?$/.test(next));
}

/** Removes the rules of the table that stuck to it. */
export function mendedWord(text: string): string {
  // After the figures of a NIF, such a stroke is its letter.
  const bare = text.replace(/(?<!^\d{8})[|[\]{}]/g, '');
  const marked = bare
    .replace(/^[—~]$/, '-')
    .replace(/^[-—–~]+(?=\d)/, '-')
    .replace(/(?<=^|\d)(?:\$%?|%\$)$/, '%')
    .replace(/^i?¡$/, 'i')
    .replace(/^[Ll1](?=\.?(?:R\.?P\.?F|V\.?A)\.?$)/, 'I')
    .replace(/^([CN]\.?)[Ll1](?=\.?F\.?:?$)/, '$1I')
    .replace(/^€:$/, '&')
    .replace(/^([cdk]?m)[?*]$/, '$1²')
    .replace(/(?<=\p{Lu})\$(?=\d)/u, '')
    // The middle dot of Catalan, as in «Instal·lacions».
    .replace(/(?<=\p{L}l):-?(?=l\p{L})/u, '·');
  return mendedAmount(marked);
}

/** `'IVA21%'`, `'IGC7%'`, `'TOTALEUR'` → `IVA` and `21%`: restores the blank between a tax and its rate. */
export function partedTax(word: Word): Word[] {
  const [, total = '', tail = ''] = /^(total)(eur|euros|factura|iva)$/i.exec(word.text) ?? [];
  if (total !== '') return halves(word, total, tail);
  const [, name = '', rate = ''] =
    /^([1lI]{1,3}[VMN]?A|IGI?C|IPSI|[I1l]RPF)(-?\d{1,2}(?:[.,]\d{1,2})?%?)$/.exec(word.text) ?? [];
  // `1A21`, `lA5`: a reference, unless something else shows that it is a tax.
  const isTax = /^I[AGP]|[VMN]A$|RPF$/.test(name) || rate.endsWith('%');
  if (rate === '' || !isTax) return [word];
  const whole = name.startsWith('IG') ? 'IGIC' : /A$/.test(name) ? 'IVA' : name.replace(/^./, 'I');
  return halves({ ...word, text: name + rate }, name, rate).map((one, i) =>
    i === 0 ? { ...one, text: whole } : one,
  );
}

/** `'273,581.367,90'` → `273,58` and `1.367,90`: splits two amounts whose columns touch. */
export function partedAmounts(word: Word): Word[] {
  // Where all marks are alike, one amount may have its own misread.
  if (/^-?\d{1,3}(,\d{3})+,\d{2}€?$/.test(word.text)) return [word];
  const [, first = '', last = ''] =
    /^(-?\d{1,3}(?:\.\d{3})*,\d{2})(-?\d{1,3}(?:\.\d{3})*,\d{2}€?)$/.exec(word.text) ?? [];
  return first === '' ? [word] : halves(word, first, last);
}

/** Splits a word into the two that it was, each with its share of the width, and a gap. */
function halves(word: Word, first: string, last: string): Word[] {
  const letter = word.w / word.text.length;
  const gap = letter / 2;
  const end = first.length * letter;
  return [
    { ...word, text: first, w: end - gap },
    { ...word, text: last, x: word.x + end + gap, w: last.length * letter - gap },
  ];
}

/** `'NIF:12345678Z'`, `'N”:1-002341'` → `NIF:` and `12345678Z`: splits a label from the value it is stuck to. */
export function partedLabel(word: Word): Word[] {
  const [all = '', label = ''] =
    /^(\p{L}[\p{L}./-]{0,12}[º°”“"'*?]?:)[^\s:/][^:]{3,}$/u.exec(word.text) ?? [];
  if (all === '' || !/\d/.test(all.slice(label.length))) return [word];
  return halves(word, label, all.slice(label.length));
}

/** The box around a word on the original picture, as fractions of its sides. */
function placeOn(
  toPaper: UprightPage['toPaper'],
  { x0, y0, x1, y1 }: { x0: number; y0: number; x1: number; y1: number },
): NonNullable<Word['paper']> {
  const corners = [toPaper(x0, y0), toPaper(x1, y0), toPaper(x1, y1), toPaper(x0, y1)];
  const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { x, y, w: Math.max(...xs) - x, h: Math.max(...ys) - y };
}
