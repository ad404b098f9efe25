import { type Glyph, glyphsOf } from './ink.ts';
import type { SeenWord } from './seen-words.ts';
import type { GreyPage } from './tax-qr.ts';

/**
 * Takes out figures that Tesseract invented: before a euro sign, and where two figures are alike, it reads one figure
 * twice, as in `184,866€` for 184,86 €. The ink tells how many there are.
 */

const FIGURES = /^-?\d[\d.,]*\d[€%]?$/;
/** As a part of the tallest: lower than this is a full stop, a comma or a dash. */
const HIGH = 0.6;
/** Wider than this many figures is more than one, or one that touches a rule. */
const WIDE = 1.4;
/** More than this many in a word are no slip. */
const MOST_EXTRA = 2;

/** By how much the best way to take figures out has to be better than the next, in figures. */
const CLEAR = 0.6;

/** The word without the figures for which there is no ink; as it came if the ink does not tell which ones they are. */
export function withoutExtraFigures<W extends SeenWord>(page: GreyPage, word: W): W {
  const [text, ...others] = textsIn(page, word);
  return text === undefined || others.length > 0 ? word : { ...word, text };
}

/** Whether a word has a figure for each one in its ink, as far as the ink tells. */
export function isClear(page: GreyPage, word: SeenWord): boolean {
  return textsIn(page, word).length < 2;
}

/** What a figure with too many digits may say by its ink, the likeliest first; nothing for any other word. */
function textsIn(page: GreyPage, { text, symbols = [], ...word }: SeenWord): readonly string[] {
  if (!FIGURES.test(text) || symbols.map((one) => one.text).join('') !== text) return [];
  const high = symbols.flatMap((one, at) => (/[\d€%]/.test(one.text) ? [{ ...one, at }] : []));
  const glyphs = highGlyphs(page, { text, ...word });
  const extra = high.length - glyphs.length;
  if (glyphs.length < 2 || extra < 1 || extra > MOST_EXTRA) return [];
  const best = new Map<string, number>();
  for (const gone of choices(high.length, extra)) {
    if (gone.some((i) => !/\d/.test(high[i]?.text ?? ''))) continue;
    const kept = high.filter((_, i) => !gone.includes(i));
    const score = kept.reduce((sum, one, i) => sum + share(one.bbox, glyphs[i] as Glyph), 0);
    const left = [...text].filter((_, at) => !gone.some((i) => high[i]?.at === at)).join('');
    best.set(left, Math.max(score, best.get(left) ?? 0));
  }
  const ways = [...best].sort(([, a], [, b]) => b - a);
  const most = ways[0]?.[1] ?? 0;
  return ways.filter(([, score]) => most - score < CLEAR).map(([left]) => left);
}

/** The part of a glyph that a symbol covers. */
const share = (symbol: SeenWord['bbox'], { x0, x1 }: Glyph) =>
  Math.max(0, Math.min(x1, symbol.x1) - Math.max(x0, symbol.x0)) / (x1 - x0);

/** The ways to take one or two out of so many. */
function choices(count: number, taken: number): readonly (readonly number[])[] {
  const one = Array.from({ length: count }, (_, i) => [i]);
  return taken === 1 ? one : one.flatMap(([i = 0]) => one.slice(i + 1).map(([j = 0]) => [i, j]));
}

/** The figures in the ink of a word; none if any two of them may be in one piece. */
function highGlyphs(page: GreyPage, word: SeenWord): readonly Glyph[] {
  const glyphs = glyphsOf(page, word);
  const tall = Math.max(...glyphs.map(({ top, bottom }) => bottom - top));
  const high = glyphs.filter(({ top, bottom }) => bottom - top > HIGH * tall);
  const widths = high.map(({ x0, x1 }) => x1 - x0).sort((a, b) => a - b);
  const usual = widths[widths.length >> 1] ?? 0;
  const last = word.text.endsWith('%') ? high.slice(0, -1) : high;
  return last.every(({ x0, x1 }) => x1 - x0 < WIDE * usual) ? high : [];
}
