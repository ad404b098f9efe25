import type { SeenWord } from './seen-words.ts';
import type { GreyPage } from './tax-qr.ts';

/** The ink of words, and of each of their letters. */

/** Ink between two columns of pixels that have none. In pixels. */
export interface Glyph {
  readonly x0: number;
  readonly x1: number;
  readonly top: number;
  readonly bottom: number;
}

/** Contrast, out of 255, below which there is only paper. */
const LEAST_CONTRAST = 60;

/** Where a word has ink, around its box. */
interface Ink {
  readonly x0: number;
  readonly x1: number;
  readonly y0: number;
  readonly y1: number;
  readonly isInk: (x: number, y: number) => boolean;
}

/** The ink of a word; null if there is hardly any contrast. */
export function inkOf({ data, width, height }: GreyPage, { bbox }: SeenWord): Ink | null {
  const [x0, x1] = [Math.max(0, bbox.x0 - 2), Math.min(width, bbox.x1 + 2)];
  const [y0, y1] = [Math.max(0, bbox.y0 - 2), Math.min(height, bbox.y1 + 2)];
  let [darkest, lightest] = [255, 0];
  for (let y = y0; y < y1; y += 1)
    for (let x = x0; x < x1; x += 1) {
      const grey = data[y * width + x] ?? 255;
      if (grey < darkest) darkest = grey;
      if (grey > lightest) lightest = grey;
    }
  if (lightest - darkest < LEAST_CONTRAST) return null;
  const middle = (darkest + lightest) / 2;
  // White letters on a dark band.
  const isDark = (data[y0 * width + x0] ?? 255) < middle;
  return {
    x0,
    x1,
    y0,
    y1,
    isInk: (x, y) => (data[y * width + x] ?? 255) < middle !== isDark,
  };
}

/** Letters one of which reaches over the other. */
const OVERLAPPING = /^(?:[VWTYFPA7][\p{L}\d.,-]|[\p{L}\d][VWTY])$/u;

/**
 * The ink of each letter of a word; null for two whose ink cannot be told apart, like those of `Va` and `7V`, and for the
 * whole word if more cannot.
 */
export function lettersOf(
  glyphs: readonly Glyph[],
  letters: readonly string[],
): readonly (Glyph | null)[] | null {
  if (glyphs.length === letters.length) return glyphs;
  const wide = glyphs.map(({ x0, x1 }) => x1 - x0);
  const at = wide.indexOf(Math.max(...wide));
  const isPair = OVERLAPPING.test(`${letters[at]}${letters[at + 1]}`);
  if (glyphs.length !== letters.length - 1 || !isPair) return null;
  return [...glyphs.slice(0, at), null, null, ...glyphs.slice(at + 1)];
}

/** The letters of a word, separated by columns of pixels without ink. */
export function glyphsOf(page: GreyPage, word: SeenWord): Glyph[] {
  const ink = inkOf(page, word);
  if (!ink) return [];
  const { x0, x1, y0, y1, isInk } = ink;
  const glyphs: Glyph[] = [];
  let open: { x0: number; top: number; bottom: number } | null = null;
  for (let x = x0; x <= x1; x += 1) {
    let [top, bottom] = [-1, -1];
    for (let y = y0; x < x1 && y < y1; y += 1)
      if (isInk(x, y)) {
        if (top < 0) top = y;
        bottom = y + 1;
      }
    if (top >= 0) {
      open = open
        ? { x0: open.x0, top: Math.min(open.top, top), bottom: Math.max(open.bottom, bottom) }
        : { x0: x, top, bottom };
    } else if (open) {
      glyphs.push({ ...open, x1: x });
      open = null;
    }
  }
  return glyphs;
}

/** The box of a word without the letters of those beside it, over which the box that Tesseract gives may reach. */
export function ownBox(
  page: GreyPage,
  word: SeenWord,
  {
    before,
    next,
  }: { readonly before?: SeenWord | undefined; readonly next?: SeenWord | undefined },
): SeenWord['bbox'] {
  const { bbox } = word;
  const [from, to] = [before?.bbox.x1 ?? bbox.x0, next?.bbox.x0 ?? bbox.x1];
  if (from <= bbox.x0 && to >= bbox.x1) return bbox;
  const own = glyphsOf(page, word).filter(({ x0, x1 }) => {
    const middle = (x0 + x1) / 2;
    return middle > from && middle < to;
  });
  const [first, last] = [own[0], own.at(-1)];
  if (!first || !last) return bbox;
  return { ...bbox, x0: from > bbox.x0 ? first.x0 : bbox.x0, x1: to < bbox.x1 ? last.x1 : bbox.x1 };
}
