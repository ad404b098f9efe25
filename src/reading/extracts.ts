import { PSM, type Worker } from 'tesseract.js';
import { isClear } from './extra-figures.ts';
import { glyphsOf } from './ink.ts';
import type { SeenLine, SeenWord } from './seen-words.ts';
import type { GreyPage } from './tax-qr.ts';
import { AMOUNT, unreadInk } from './unread-ink.ts';

/**
 * Reads again what Tesseract read badly, or not at all, among the rest of a page: figures that it is not sure of,
 * words that it gives up because of a rule beside them, and letters beside an amount that it left out. They are cut
 * out, without rules, and put one below another on a sheet of their own, which takes it a tenth of a second.
 */

type Box = SeenWord['bbox'];

/** Confidence, out of a hundred, below which a figure is read again, and from which a second reading is believed. */
const DOUBTFUL = 60;
const BELIEVED = 75;
/** The same for amounts, of which Tesseract is nearly always surer. */
const DOUBTFUL_AMOUNT = 92;
const BELIEVED_AMOUNT = 88;
/** Confidence, out of a hundred, below which a word is left out. */
export const LEAST_WORD = 20;
/** In pixels: white around each piece, and between one and the next. */
const MARGIN = 5;
const APART = 30;
const FIGURE = /^-?[\d.,]*\d[\d.,]*[€%]?$/;
const MOST = 80;

/** The lines of a page with what a second look tells. */
export async function lookedCloser(
  ocr: Worker,
  page: GreyPage,
  lines: readonly SeenLine[],
): Promise<readonly SeenLine[]> {
  const again = (isBad: (word: SeenWord, line: SeenLine) => boolean) =>
    lines.flatMap((line) =>
      line.words
        .filter((word) => !isStroke(word) && isBad(word, line))
        .map((word) => ({ line, word, bbox: bareBox(page, word) })),
    );
  const figures = again((word, line) => isDoubtful(page, word) || isGarbled(line, word));
  const unread = unreadInk(page, lines);
  const lost = again((word, line) => isLost(word) && !isGarbled(line, word));
  const rest = figures.length + unread.length;
  const doubtful = rest + lost.length > MOST ? figures : [...figures, ...lost];
  const all = [...doubtful, ...unread];
  if (all.length === 0 || all.length > MOST) return lines;
  const read = await extractsRead(
    ocr,
    page,
    all.map(({ bbox }) => bbox),
  );
  const instead = new Map<SeenWord, readonly SeenWord[]>();
  for (const [i, { word }] of doubtful.entries()) {
    const again = read[i] ?? [];
    const confidence = Math.min(...again.map((one) => one.confidence));
    const isNearlySure = word.confidence >= DOUBTFUL && isClear(page, word);
    const believed = isNearlySure ? BELIEVED_AMOUNT : BELIEVED;
    if (!FIGURE.test(word.text)) {
      if (again.length > 0 && confidence >= believed) instead.set(word, again);
      continue;
    }
    const text = again.map((one) => one.text).join('');
    const tail = /[€%]$/.exec(word.text)?.[0] ?? '';
    if (confidence < believed || confidence < word.confidence || !FIGURE.test(text)) continue;
    // Of what is nearly sure, only figures too many are corrected: alone, a 6 may become a 0.
    if (isNearlySure && digitsIn(text) >= digitsIn(word.text)) continue;
    const whole = text.endsWith(tail) ? text : `${text}${tail}`;
    instead.set(word, [{ ...word, text: whole, confidence }]);
  }
  const added = new Map<SeenLine, SeenWord[]>();
  for (const [i, { line }] of unread.entries()) {
    const words = (read[doubtful.length + i] ?? []).filter(
      ({ text, confidence }) => confidence >= BELIEVED && /[\p{L}\d]/u.test(text),
    );
    added.set(line, [...(added.get(line) ?? []), ...words]);
  }
  return lines.map((line) => {
    const more = added.get(line) ?? [];
    const words = line.words.flatMap((word) => instead.get(word) ?? word);
    return { ...line, words: [...words, ...more].sort((a, b) => a.bbox.x0 - b.bbox.x0) };
  });
}

const digitsIn = (text: string) => text.replace(/\D/g, '').length;

function isDoubtful(page: GreyPage, word: SeenWord): boolean {
  if (!FIGURE.test(word.text)) return false;
  const least = AMOUNT.test(word.text) ? DOUBTFUL_AMOUNT : DOUBTFUL;
  return word.confidence < least || !isClear(page, word);
}

/**
 * An amount with something else in it, like `P2318,97` or `549%6,85`, or a short word level with an amount, like `eh`
 * for «6 h», that Tesseract hardly knows.
 */
function isGarbled(line: SeenLine, { text, confidence }: SeenWord): boolean {
  if (/^\S{0,4}\d\S*[.,](?:\d{2}[€%]*|\d€)$/u.test(text) && !FIGURE.test(text))
    return confidence < DOUBTFUL_AMOUNT;
  const isShort = text.length <= 4 && line.words.some((one) => AMOUNT.test(one.text));
  return isShort && confidence < DOUBTFUL;
}

/** A word that would be left out, as those are that a rule touches. */
const isLost = ({ text, confidence }: SeenWord) =>
  confidence < LEAST_WORD && /\p{L}{3}/u.test(text);

/** A rule of the table, which read alone would become a letter. */
const isStroke = ({ text }: SeenWord) => /^[|_—\-[\]{}]+$/.test(text);

/** The box of a figure without its euro sign, beside which Tesseract invents figures. */
function bareBox(page: GreyPage, word: SeenWord): Box {
  const sign = /[€%]$/.test(word.text) ? glyphsOf(page, word).at(-1) : undefined;
  const before = sign && sign.x0 - 3;
  return before !== undefined && before > word.bbox.x0 + (word.bbox.x1 - word.bbox.x0) / 3
    ? { ...word.bbox, x1: before - MARGIN }
    : word.bbox;
}

/** The words in each of some boxes of a page, with their place on it. */
async function extractsRead(
  ocr: Worker,
  page: GreyPage,
  boxes: readonly Box[],
): Promise<readonly (readonly SeenWord[])[]> {
  const cut = boxes.map(({ x0, x1, y0, y1 }) => ({
    x: Math.max(0, x0 - MARGIN),
    y: Math.max(0, y0 - MARGIN),
    w: Math.min(page.width, x1 + MARGIN) - Math.max(0, x0 - MARGIN),
    h: Math.min(page.height, y1 + MARGIN) - Math.max(0, y0 - MARGIN),
  }));
  const width = Math.max(...cut.map(({ w }) => w)) + 2 * APART;
  const tops = cut.map(
    (_, i) => APART + cut.slice(0, i).reduce((sum, { h }) => sum + h + APART, 0),
  );
  const height = (tops.at(-1) as number) + (cut.at(-1) as { h: number }).h + APART;
  const data = new Uint8Array(width * height).fill(255);
  for (const [i, { x, y, w, h }] of cut.entries())
    for (let row = 0; row < h; row += 1) {
      const from = (y + row) * page.width + x;
      data.set(page.data.subarray(from, from + w), ((tops[i] as number) + row) * width + APART);
    }
  await ocr.setParameters({ tessedit_pageseg_mode: PSM.SINGLE_BLOCK });
  const picture = Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`), data]);
  const { data: read } = await ocr.recognize(picture, {}, { blocks: true, text: false });
  await ocr.setParameters({ tessedit_pageseg_mode: PSM.SINGLE_COLUMN });
  const words = (read.blocks ?? [])
    .flatMap(({ paragraphs }) => paragraphs)
    .flatMap(({ lines }) => lines)
    .flatMap((line) => line.words);
  return cut.map(({ x, y, h }, i) => {
    const top = tops[i] as number;
    return words
      .filter(({ bbox }) => (bbox.y0 + bbox.y1) / 2 > top && (bbox.y0 + bbox.y1) / 2 < top + h)
      .sort((a, b) => a.bbox.x0 - b.bbox.x0)
      .map(({ text, confidence, bbox }) => ({
        text,
        confidence,
        bbox: {
          x0: bbox.x0 - APART + x,
          x1: bbox.x1 - APART + x,
          y0: bbox.y0 - top + y,
          y1: bbox.y1 - top + y,
        },
      }));
  });
}
