import { glyphsOf } from './ink.ts';
import { median, type SeenLine, type SeenWord } from './seen-words.ts';
import type { GreyPage } from './tax-qr.ts';

/** Restores the blanks between words that Tesseract lost, as in `Altay puesta`: the ink is as far apart there as words are. */

/** As a part of the usual blank, and divided by the usual gap between letters. */
const WIDE = 0.75;
const WIDER = 2.2;
/** In heights: words further apart than this are in two columns. */
const COLUMN = 1.2;
/** The same after a comma, beside which letters that are all of one width leave more white. */
const AFTER_COMMA = 0.9;
/** Too short for the usual gap between its letters to be known. */
const MEASURE = /^\d{1,3}(?:mm|cm|m|h|g|kg|l|L|ml|W|V|A)$/;
/** A comma in it is no end of a word. */
const NUMBER = /^[-(]?(?:\d{1,3}(?:\.?\d{3})*,\d+|\d{1,3}(?:,\d{3})+(?:\.\d+)?)[€%)]?$/;

/** The lines with the words that Tesseract ran together set apart. */
export function withBlanks<L extends SeenLine>(page: GreyPage, lines: readonly L[]): L[] {
  const usual = median(lines.flatMap((line) => blanksIn(line.words)));
  return lines.map((line) => {
    const own = blanksIn(line.words);
    const blank = (own.length > 2 ? median(own) : usual) * heightOf(line.words);
    return { ...line, words: line.words.flatMap((word) => parted(page, word, blank)) };
  });
}

const heightOf = (words: readonly SeenWord[]) => median(words.map(({ bbox }) => bbox.y1 - bbox.y0));

/** The blanks between the words of a line, in heights. */
function blanksIn(words: readonly SeenWord[]): readonly number[] {
  const tall = heightOf(words);
  return words.slice(1).flatMap((word, i) => {
    const before = words[i] as SeenWord;
    const gap = (word.bbox.x0 - before.bbox.x1) / tall;
    const isText = [before, word].every(({ text }) => /\p{L}{2}/u.test(text));
    return isText && gap > 0 && gap < COLUMN ? [gap] : [];
  });
}

function parted<W extends SeenWord>(page: GreyPage, word: W, blank: number): readonly W[] {
  const letters = [...word.text];
  const isMeasure = MEASURE.test(word.text);
  const isShort = letters.length < 4 || word.bbox.x1 - word.bbox.x0 < 3 * blank;
  if (blank <= 0 || (isShort && !isMeasure)) return [word];
  const glyphs = glyphsOf(page, word);
  // Only where each letter has its own ink, so that it is known which one comes after a gap.
  if (glyphs.length !== letters.length) return [word];
  const gaps = glyphs.slice(1).map(({ x0 }, i) => x0 - (glyphs[i]?.x1 ?? 0));
  const least = isMeasure ? WIDE * blank : Math.max(WIDE * blank, WIDER * median(gaps));
  const isLetter = (at: number) => /[\p{L}\d]/u.test(letters[at] ?? '');
  const isComma = (at: number) => letters[at] === ',' && !NUMBER.test(word.text);
  const cuts = gaps.flatMap((gap, i) => {
    const isEnd = isComma(i) ? gap >= AFTER_COMMA * blank : isLetter(i);
    return gap >= least && isEnd && isLetter(i + 1) ? [i + 1] : [];
  });
  if (cuts.length === 0 || cuts.length > 2) return [word];
  return [0, ...cuts].map((from, k) => {
    const to = cuts[k] ?? letters.length;
    const [x0, x1] = [glyphs[from]?.x0 ?? 0, glyphs[to - 1]?.x1 ?? 0];
    const bbox = { ...word.bbox, x0, x1 };
    const symbols = word.symbols?.slice(from, to);
    return { ...word, text: letters.slice(from, to).join(''), bbox, ...(symbols && { symbols }) };
  });
}
