/**
 * Interprets what Tesseract saw on a page before it is taken for words: the height and position of a line's letters,
 * and the meaning of its strokes and dots.
 */

export interface SeenWord {
  readonly text: string;
  /** Out of a hundred. */
  readonly confidence: number;
  /** In pixels. */
  readonly bbox: Box;
  /** Its letters, each where Tesseract believes it to be. */
  readonly symbols?: readonly Pick<SeenWord, 'text' | 'confidence' | 'bbox'>[];
}

export interface SeenLine {
  readonly words: readonly SeenWord[];
  /** From its left end to its right one, guessed from letters that may have descenders. */
  readonly baseline: Box;
}

interface Box {
  readonly x0: number;
  readonly x1: number;
  readonly y0: number;
  readonly y1: number;
}

/** The size and position of the letters of a line. */
export interface Lettering {
  /** Height of its capitals, in pixels. */
  readonly size: number;
  /** The bottom of a word, in pixels from the top. */
  readonly footOf: (word: SeenWord) => number;
}

export const heightOf = ({ bbox }: SeenWord) => bbox.y1 - bbox.y0;
/** Contains a letter or figure as high as a capital. */
const isHigh = ({ text }: SeenWord) => /[\p{Lu}\dbdfhijkltáéíóúñ]/u.test(text);
/** Consists of letters, figures and full stops without descenders. */
const isStanding = ({ text }: SeenWord) =>
  /[\p{L}\d]/u.test(text) && /^[\p{L}\d.:%€-]+$/u.test(text) && !/[gjpqyçQJ]/.test(text);

/**
 * As a part of the height of a capital: dots leading to an amount are no higher than this, whatever letters they are
 * taken for.
 */
const FLAT = 0.3;
/** Height of a capital divided by that of an «x». */
const CAPITAL = 1.3;

/** The lettering of each line. A single word says little about its own: it gets the height of most lines. */
export function letteringsOf(lines: readonly SeenLine[]): Lettering[] {
  const own = lines.map(letteringOf);
  const usual = median(own.flatMap(({ size }) => (size > 0 ? size : [])));
  return own.map(({ size, footOf }, i) => {
    const isAlone = (lines[i] as SeenLine).words.length === 1;
    if (!isAlone || size < 0.6 * usual || size > 1.4 * usual) return { size, footOf };
    return {
      size: usual,
      footOf: (word) => (isHigh(word) ? word.bbox.y0 + usual : footOf(word)),
    };
  });
}

function letteringOf(line: SeenLine): Lettering {
  const footOf = feetOf(line);
  const tallest = Math.max(...line.words.map(heightOf));
  const words = line.words.filter((word) => heightOf(word) > FLAT * tallest);
  const rise = (some: readonly SeenWord[]) =>
    median(some.map((word) => footOf(word) - word.bbox.y0));
  const high = words.filter(isHigh);
  return { size: high.length > 0 ? rise(high) : CAPITAL * rise(words), footOf };
}

/** The baseline, moved to the bottom of the words without descenders. */
function feetOf({ baseline: { x0, x1, y0, y1 }, words }: SeenLine): Lettering['footOf'] {
  const slope = x1 > x0 ? (y1 - y0) / (x1 - x0) : 0;
  const guess = ({ bbox }: SeenWord) => y0 + slope * ((bbox.x0 + bbox.x1) / 2 - x0);
  const off = median(words.filter(isStanding).map((word) => word.bbox.y1 - guess(word)));
  return (word) => {
    const foot = guess(word) + off;
    return Math.abs(word.bbox.y1 - foot) < 0.4 * heightOf(word) ? foot : word.bbox.y1;
  };
}

/** Dots leading to an amount, taken for letters. */
export function isLeader(word: SeenWord, size: number): boolean {
  return heightOf(word) < FLAT * size && /\p{L}/u.test(word.text);
}

/** A number before a litre: of `5 l`, `1,5 l`, `3/6 l` and `1.000 l`. */
export const MEASURE = /^(?:\d{1,3}[./])?\d{1,3}(?:[.,]\d{1,2})?$/;

/** What a stroke at the end of a text is: the l of `'25 l'`, the I of `'cat. I'`; null for a rule of the table. */
export function strokeOf(words: readonly SeenWord[], at: number): 'l' | 'I' | null {
  const [first, before, own, after] = [words[at - 2], words[at - 1], words[at], words[at + 1]];
  if (!before || !own || !/^[|1I!]$/.test(own.text)) return null;
  const isLitre = MEASURE.test(before.text) && /\p{L}{2}/u.test(first?.text ?? '');
  const isNumeral = /^[|!]$/.test(own.text) && /\p{L}{2}\.?$/u.test(before.text);
  if (!isLitre && !isNumeral) return null;
  // Dust makes a box taller than its letters.
  const tall = Math.min(heightOf(before), first ? heightOf(first) : heightOf(before));
  const ratio = heightOf(own) / tall;
  const gap = own.bbox.x0 - before.bbox.x1;
  const isLast = !after || after.bbox.x0 - own.bbox.x1 > tall;
  const isNear = gap > 0.1 * tall && gap < 0.85 * tall;
  if (!isLast || !isNear || ratio < 0.7 || ratio > 1.4) return null;
  return isLitre ? 'l' : 'I';
}

/** In heights: a dash between two words is no further from them, even where all letters are of one width. */
const FAR = 1.35;

/** A dash between two words of its line, close to both. Any other is a piece of a rule. */
export function isDash(words: readonly SeenWord[], at: number): boolean {
  const [before, own, after] = [words[at - 1], words[at], words[at + 1]];
  if (!before || !own || !after || !/^[-—–~]$/.test(own.text)) return false;
  const tall = Math.max(heightOf(before), heightOf(after));
  const [left, right] = [own.bbox.x0 - before.bbox.x1, after.bbox.x0 - own.bbox.x1];
  const isFlat = heightOf(own) < 0.4 * tall && own.bbox.x1 - own.bbox.x0 < tall;
  return isFlat && left > 0 && right > 0 && Math.max(left, right) < FAR * tall;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
