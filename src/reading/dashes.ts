import { glyphsOf, inkOf, lettersOf } from './ink.ts';
import { isDash, letteringsOf, type SeenLine, type SeenWord } from './seen-words.ts';
import type { GreyPage } from './tax-qr.ts';
import { AMOUNT } from './unread-ink.ts';

/** Finds the dashes between two words that Tesseract left out, and tells `–` from `-` by its width. */

/** In heights of a capital: a gap between two words with a dash in it, and the white beside the dash. */
const NARROWEST_GAP = 0.75;
const WIDEST_GAP = 3.4;
const LEAST_WHITE = 0.12;
/** In heights of a capital: a dash is no thicker, and no shorter or longer; a hyphen is shorter than `–`. */
const THICKEST = 0.22;
const SHORTEST = 0.2;
const LONGEST = 1.15;
const EN_DASH = 0.43;
/** The same where letters and blanks are all of one width, by which the two words are this far apart. */
const EN_DASH_OF_ONE_WIDTH = 0.9;
const GAP_OF_ONE_WIDTH = 2.4;
/** As a part of the white between the two letters beside it: what `–` fills in the middle of a word, and `-` does not. */
const FILLED = 0.68;
/** Where it stands above the foot of its line, in heights of a capital. */
const LOWEST = 0.2;
const HIGHEST = 0.6;

/** The lines with each dash between two words. A minus before an amount stays as it was read. */
export function withDashes<L extends SeenLine>(page: GreyPage, lines: readonly L[]): L[] {
  const letterings = letteringsOf(lines);
  return lines.map((line, i): L => {
    const { size, footOf } = letterings[i] ?? { size: 0, footOf: () => 0 };
    if (size <= 0) return line;
    const words = line.words.flatMap((word, at): SeenWord[] => {
      const [before, after] = [line.words[at - 1], line.words[at + 1]];
      if (before && after && isDash(line.words, at))
        return AMOUNT.test(after.text)
          ? [word]
          : [withWidth(page, word, after.bbox.x0 - before.bbox.x1, size)];
      const whole = /\p{L}[-–—]\p{L}/u.test(word.text) ? withInnerDash(page, word, size) : word;
      const lost = after && lostDash(page, word, after, { size, foot: footOf(word) });
      return lost ? [whole, withWidth(page, lost, after.bbox.x0 - word.bbox.x1, size)] : [whole];
    });
    return { ...line, words };
  });
}

/** `'Lugo-Vigo'` → `Lugo–Vigo`, when its dash is wide and nearly touches both letters. */
function withInnerDash(page: GreyPage, word: SeenWord, size: number): SeenWord {
  const letters = [...word.text];
  const glyphs = lettersOf(glyphsOf(page, word), letters);
  const said = letters.map((letter, i) => {
    const [before, dash, after] = [glyphs?.[i - 1], glyphs?.[i], glyphs?.[i + 1]];
    if (!/[-–—]/.test(letter) || !before || !dash || !after) return letter;
    const wide = dash.x1 - dash.x0;
    const isWide = wide >= EN_DASH * size && wide >= FILLED * (after.x0 - before.x1);
    return isWide ? '–' : '-';
  });
  return { ...word, text: said.join('') };
}

/** The dash that fills so much of the gap between two words. */
function withWidth(page: GreyPage, word: SeenWord, gap: number, size: number): SeenWord {
  const [dash, more] = glyphsOf(page, word);
  if (!dash || more) return { ...word, text: '-' };
  const wide = (dash.x1 - dash.x0) / size;
  const least = gap > GAP_OF_ONE_WIDTH * size ? EN_DASH_OF_ONE_WIDTH : EN_DASH;
  return { ...word, text: wide >= least && wide <= LONGEST ? '–' : '-' };
}

/** A flat piece of ink between two words of which nothing was read. */
function lostDash(
  page: GreyPage,
  before: SeenWord,
  after: SeenWord,
  { size, foot }: { readonly size: number; readonly foot: number },
): SeenWord | null {
  const gap = after.bbox.x0 - before.bbox.x1;
  if (gap < NARROWEST_GAP * size || gap > WIDEST_GAP * size) return null;
  if (![before, after].every(({ text }) => /[\p{L}\d]/u.test(text) && !AMOUNT.test(text)))
    return null;
  if (![before, after].some(({ text }) => /\p{L}/u.test(text))) return null;
  const bbox = {
    x0: before.bbox.x1 + 2,
    x1: after.bbox.x0 - 2,
    y0: Math.round(foot - size),
    y1: Math.round(foot + 0.3 * size),
  };
  const piece: SeenWord = { text: '-', confidence: 90, bbox };
  const [dash, more] = inkOf(page, piece) ? glyphsOf(page, piece) : [];
  if (!dash || more) return null;
  const [wide, thick] = [dash.x1 - dash.x0, dash.bottom - dash.top];
  const above = foot - (dash.top + dash.bottom) / 2;
  const white = Math.min(dash.x0 - before.bbox.x1, after.bbox.x0 - dash.x1);
  const isFlat = thick <= THICKEST * size && wide >= SHORTEST * size && wide <= LONGEST * size;
  const isLevel = above >= LOWEST * size && above <= HIGHEST * size;
  if (!isFlat || !isLevel || wide < 1.5 * thick || white < LEAST_WHITE * size) return null;
  return { ...piece, bbox: { x0: dash.x0, x1: dash.x1, y0: dash.top, y1: dash.bottom } };
}
