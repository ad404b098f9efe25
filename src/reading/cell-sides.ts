import { glyphsOf } from './ink.ts';
import { letteringsOf, type SeenLine, type SeenWord } from './seen-words.ts';
import type { GreyPage } from './tax-qr.ts';

/**
 * Takes out the sides of boxes that Tesseract read as letters, like the `(` and `J` of a cell with round corners, and
 * separates the figures on both sides of one. They are strokes that go on above and below the letters of their line.
 */

/** Out of 255: a darker pixel may be of a rule. */
export const DARK = 170;
/** In letter heights: a longer stroke is none of these letters. */
const LONGEST = 1.5;
/** The same where the height of the letter is the only sign. */
const LONGEST_ALONE = 2.2;
/** As a part of the letter height: how wide the end of a word is in which its side is looked for. */
const END = 0.35;
/** In letter heights: where two cells meet, nothing else has such letters. */
const LONGEST_MEETING = 1.2;
/** In letter heights: what has ink on both sides this far from it is a band or a rule that it meets. */
const ASIDE = 0.3;
const MAYBE_SIDE = /^[()[\]{}|!JLIl1]$/;
const MAYBE_LETTER = /^[Il1]$/;
const MAYBE_BETWEEN = /^[()[\]{}|!JLIl1/\\]$/;
const WHERE_CELLS_MEET = /^[()[\]{}|!J]{2}$/;

/** The lines without what is no letter; without those of which nothing is left. */
export function withoutSides<L extends SeenLine>(page: GreyPage, lines: readonly L[]): L[] {
  const letterings = letteringsOf(lines);
  return lines.flatMap((line, i): L[] => {
    const size = letterings[i]?.size ?? 0;
    const words = line.words
      .flatMap((word) => partedAtSides(page, word, size))
      .flatMap((word) => bared(page, word, size) ?? []);
    return words.length > 0 ? [{ ...line, words }] : [];
  });
}

/** `'4,000|129,99'`, `'10/1.631,76'` → the figures in each of the cells that Tesseract took for one word. */
function partedAtSides<W extends SeenWord>(page: GreyPage, word: W, size: number): readonly W[] {
  const { symbols = [], bbox } = word;
  if (!/\d.*\d/.test(word.text) || symbols.map(({ text }) => text).join('') !== word.text)
    return [word];
  const heights = symbols
    .filter(({ text }) => !MAYBE_BETWEEN.test(text))
    .map((one) => one.bbox.y1 - one.bbox.y0);
  const tall = Math.max(size, ...heights);
  const isSide = (x0: number, x1: number) =>
    strokeIn(page, { ...bbox, x0, x1 }, size) > LONGEST * tall;
  const parts: (typeof symbols)[number][][] = [[]];
  for (const [i, symbol] of symbols.entries()) {
    const { x0, x1 } = symbol.bbox;
    const before = symbols[i - 1]?.bbox.x1 ?? x0;
    if (before < x0 && isSide(before, x0)) parts.push([]);
    const isEnd = i === 0 || i === symbols.length - 1;
    if (!isEnd && MAYBE_BETWEEN.test(symbol.text) && isSide(x0, x1)) parts.push([]);
    else parts.at(-1)?.push(symbol);
  }
  const filled = parts.filter((part) => part.length > 0);
  if (filled.length < 2) return [word];
  return filled.map((part) => ({
    ...word,
    text: part.map(({ text }) => text).join(''),
    bbox: { ...bbox, x0: part[0]?.bbox.x0 ?? bbox.x0, x1: part.at(-1)?.bbox.x1 ?? bbox.x1 },
    symbols: part,
  }));
}

/** A word without the sides of a box at its ends; null if it is nothing else. */
function bared<W extends SeenWord>(page: GreyPage, word: W, size: number): W | null {
  const letters = [...word.text];
  const { bbox, symbols } = word;
  if (letters.length === 1) {
    const longest = MAYBE_LETTER.test(word.text) ? LONGEST_ALONE : LONGEST;
    const isSide = MAYBE_SIDE.test(word.text) && strokeIn(page, bbox, size) > longest * size;
    return isSide ? null : word;
  }
  const width = Math.ceil(END * size);
  const [first, last] = [letters[0] as string, letters.at(-1) as string];
  const isMaybe = [first, last].map((letter) => MAYBE_SIDE.test(letter));
  if (!isMaybe.includes(true)) return word;
  const [left, right] = [
    strokeIn(page, { ...bbox, x1: bbox.x0 + width }, size),
    strokeIn(page, { ...bbox, x0: bbox.x1 - width }, size),
  ];
  if (WHERE_CELLS_MEET.test(word.text))
    return Math.min(left, right) > LONGEST_MEETING * size ? null : word;
  const tallOf = (from: number, to: number) =>
    Math.max(
      size,
      ...glyphsOf(page, word)
        .filter(({ x0, x1 }) => x0 >= from && x1 <= to)
        .map(({ top, bottom }) => bottom - top),
    );
  const isFirst = isMaybe[0] && left > LONGEST * tallOf(bbox.x0 + width, bbox.x1);
  const isLast = isMaybe[1] && right > LONGEST * tallOf(bbox.x0, bbox.x1 - width);
  if (!isFirst && !isLast) return word;
  const [from, to] = [isFirst ? 1 : 0, letters.length - (isLast ? 1 : 0)];
  if (from >= to) return null;
  return {
    ...word,
    text: letters.slice(from, to).join(''),
    bbox: { ...bbox, x0: bbox.x0 + (isFirst ? width : 0), x1: bbox.x1 - (isLast ? width : 0) },
    ...(symbols?.length === letters.length && { symbols: symbols.slice(from, to) }),
  };
}

/** The length of the longest thin stroke up and down through the middle of a box, as far as it goes on. */
function strokeIn(page: GreyPage, { x0, x1, y0, y1 }: SeenWord['bbox'], size: number): number {
  const middle = (y0 + y1) >> 1;
  const aside = Math.max(3, Math.round(ASIDE * size));
  const isThin = (x: number, y: number) =>
    isDark(page, x, y) && !(isDark(page, x - aside, y) && isDark(page, x + aside, y));
  /** How far it goes on from a pixel, moving aside by a pixel at a time at most. */
  const from = (x: number, by: 1 | -1) => {
    let [at, far] = [x, 0];
    for (;;) {
      const row = middle + by * (far + 1);
      const next = [at, at - 1, at + 1].find((one) => isThin(one, row));
      if (next === undefined) return far;
      [at, far] = [next, far + 1];
    }
  };
  let longest = 0;
  for (let x = x0; x < x1; x += 1)
    if (isThin(x, middle)) longest = Math.max(longest, 1 + from(x, -1) + from(x, 1));
  return longest;
}

const isDark = ({ data, width, height }: GreyPage, x: number, y: number): boolean =>
  x >= 0 && x < width && y >= 0 && y < height && (data[y * width + x] as number) < DARK;
