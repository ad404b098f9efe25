import { DARK } from './layers.ts';
import { heightOf, median, type SeenLine, type SeenWord } from './seen-words.ts';
import type { GreyPage } from './tax-qr.ts';

/**
 * Finds letters beside an amount for which Tesseract returned no word: it takes a figure that stands alone, as most
 * quantities do, for dirt.
 */

/** In letter heights: gaps between two words are wider than this. */
const BETWEEN = 0.5;
/** In letter heights: what is lower is a dash, a rule or a leader; what is wider is no word of a table. */
const LOWEST = 0.6;
const WIDEST = 14;
const NARROWEST = 0.08;
/** In letter heights: how far above and below a row its letters may reach, and no letter reaches. */
const ABOVE = 0.35;
/** With more unread pieces than this, a page is dirty, or is no page of text. */
const MOST = 60;
export const AMOUNT = /\d[.,]\d{2}/;

/** A place on the page, in pixels, level with a line. */
export interface UnreadInk {
  readonly line: SeenLine;
  readonly bbox: SeenWord['bbox'];
}

export function unreadInk(page: GreyPage, lines: readonly SeenLine[]): readonly UnreadInk[] {
  const words = lines.flatMap((line) => line.words);
  const rows = lines.flatMap((line) => {
    const amount = line.words.filter(({ text }) => AMOUNT.test(text)).at(-1);
    return amount ? [{ line, amount }] : [];
  });
  const usual = median(rows.map(({ amount }) => heightOf(amount)));
  const found: UnreadInk[] = [];
  for (const { line, amount } of rows) {
    const size = heightOf(amount);
    if (size < 0.6 * usual || size > 1.6 * usual) continue;
    for (const bbox of piecesBeside(page, amount, words)) {
      const isFound = found.some((one) => overlap(one.bbox, bbox));
      if (!isFound) found.push({ line, bbox });
    }
  }
  return found.length > MOST ? [] : found;
}

const overlap = (a: SeenWord['bbox'], b: SeenWord['bbox']) =>
  a.x0 < b.x1 && b.x0 < a.x1 && a.y0 < b.y1 && b.y0 < a.y1;

/** The boxes of ink level with an amount that no word covers. */
function piecesBeside(
  { data, width, height }: GreyPage,
  amount: SeenWord,
  words: readonly SeenWord[],
): SeenWord['bbox'][] {
  const size = heightOf(amount);
  const reach = Math.ceil(ABOVE * size);
  const [top, end] = [amount.bbox.y0 - reach, amount.bbox.y1 + reach];
  if (top < 0 || end > height) return [];
  const isCovered = new Uint8Array(width);
  const isInk = (x: number) => {
    for (let y = amount.bbox.y0; y < amount.bbox.y1; y += 1)
      if ((data[y * width + x] as number) < DARK) return true;
    return false;
  };
  for (const { bbox } of words) {
    if (bbox.y0 >= amount.bbox.y1 || bbox.y1 <= amount.bbox.y0) continue;
    isCovered.fill(1, Math.max(0, bbox.x0 - 4), Math.min(width, bbox.x1 + 4));
    // A box may end within a letter: the rest of it is not unread.
    for (let x = bbox.x0 - 1; x >= 0 && isInk(x); x -= 1) isCovered[x] = 1;
    for (let x = bbox.x1; x < width && isInk(x); x += 1) isCovered[x] = 1;
  }
  const pieces: { x0: number; x1: number; y0: number; y1: number }[] = [];
  for (let x = 0; x < width; x += 1) {
    if (isCovered[x] === 1) continue;
    let [first, last] = [-1, -1];
    for (let y = top; y < end; y += 1)
      if ((data[y * width + x] as number) < DARK) {
        if (first < 0) first = y;
        last = y + 1;
      }
    if (first < 0) continue;
    const piece = pieces.at(-1);
    const isBeside =
      piece && x - piece.x1 < BETWEEN * size && !isCovered.subarray(piece.x1, x).includes(1);
    if (!isBeside) {
      pieces.push({ x0: x, x1: x + 1, y0: first, y1: last });
      continue;
    }
    piece.x1 = x + 1;
    piece.y0 = Math.min(piece.y0, first);
    piece.y1 = Math.max(piece.y1, last);
  }
  return pieces.filter(({ x0, x1, y0, y1 }) => {
    // Rules and letters of other rows go on beyond.
    const isWithin = y0 > top && y1 < end;
    return (
      isWithin && y1 - y0 > LOWEST * size && x1 - x0 > NARROWEST * size && x1 - x0 < WIDEST * size
    );
  });
}
