import { type Glyph, glyphsOf, inkOf, lettersOf } from './ink.ts';
import { median, type SeenWord } from './seen-words.ts';
import type { GreyPage } from './tax-qr.ts';

/**
 * Letters that the Spanish model of Tesseract does not have, «ü» among them: it returns «Doménech», «Agiiero» and
 * «Franca» for «Domènech», «Agüero» and «França». Their ink tells them.
 */

type Mark = 'acute' | 'grave' | 'dots';

const MARKS: Readonly<Record<Mark, string>> = { acute: '\u0301', grave: '\u0300', dots: '\u0308' };
/** Letters lower than this, in pixels, are too small to tell one mark from another. */
const LEAST_HEIGHT = 11;

/** A word with its accents, diaereses and cedillas as its ink has them. */
export function accentedWord<W extends SeenWord>(page: GreyPage, word: W): W {
  if (!/\p{L}{2}/u.test(word.text) || !/[aeiouc]|\p{M}|g/iu.test(word.text.normalize('NFD')))
    return word;
  const glyphs = glyphsOf(page, word);
  for (const text of [word.text, word.text.replace(/[iuúü][ií]|ti/u, 'u')]) {
    const letters = [...text];
    const inks = lettersOf(glyphs, letters);
    if (!inks) continue;
    const low = inks.flatMap((ink, i) =>
      ink && /[acemnorsuvxz]/.test(letters[i] ?? '') ? [ink] : [],
    );
    const [foot, tall] = [median(low.map(({ bottom }) => bottom)), median(low.map(heightOf))];
    const said = letters.map((letter, i) => {
      const glyph = inks[i];
      return glyph ? inked(page, word, { letter, glyph, foot, tall }) : letter;
    });
    const isMarked = said.some(
      (letter, i) => /[\u0308]/.test(letter.normalize('NFD')) && letter !== letters[i],
    );
    if (text === word.text || isMarked) return { ...word, text: said.join('') };
  }
  return word;
}

const heightOf = ({ top, bottom }: Glyph) => bottom - top;

interface Inked {
  readonly letter: string;
  readonly glyph: Glyph;
  /** Where the letters of the word stand, and how tall an «x» is; 0 if it has no such letters. */
  readonly foot: number;
  readonly tall: number;
}

function inked(page: GreyPage, word: SeenWord, { letter, glyph, foot, tall }: Inked): string {
  const bare = letter.normalize('NFD').replace(/[\u0300\u0301\u0308]/g, '');
  if (/^[aeiou]$/i.test(bare)) {
    const found = markOf(page, word, glyph);
    if (!found) return letter;
    const { mark, isNarrow } = found;
    if (mark === 'acute' && bare !== letter) return letter;
    if (mark === 'dots' && /i/i.test(bare) && !isNarrow) return /I/.test(bare) ? 'Ü' : 'ü';
    if (mark !== 'dots' && /i/i.test(bare)) return letter;
    return `${bare}${MARKS[mark]}`.normalize('NFC');
  }
  if (/^[cg]$/.test(letter) && tall >= LEAST_HEIGHT)
    return hasCedilla(page, word, { glyph, foot, tall }) ? 'ç' : letter;
  return letter;
}

/** The mark over a letter, if there is one. */
function markOf(
  page: GreyPage,
  word: SeenWord,
  glyph: Glyph,
): { mark: Mark; isNarrow: boolean } | null {
  const ink = inkOf(page, word);
  if (!ink || heightOf(glyph) < LEAST_HEIGHT) return null;
  const rows: { y: number; xs: number[] }[] = [];
  for (let y = glyph.top; y < glyph.bottom; y += 1) {
    const xs: number[] = [];
    for (let x = glyph.x0; x < glyph.x1; x += 1) if (ink.isInk(x, y)) xs.push(x);
    rows.push({ y, xs });
  }
  const gap = rows.findIndex(({ xs }) => xs.length === 0);
  const over = rows.slice(0, gap);
  const body = rows.slice(gap).filter(({ xs }) => xs.length > 0);
  if (gap < 3 || body.length < 1.5 * over.length) return null;
  const columns = new Set(over.flatMap(({ xs }) => xs));
  const [left, right] = [Math.min(...columns), Math.max(...columns)];
  // One stem, as an «i» has, and not the two of a «u».
  const stem = body[body.length >> 1]?.xs ?? [];
  const isNarrow = stem.length === (stem.at(-1) ?? 0) - (stem[0] ?? 0) + 1;
  const holes = Array.from({ length: right - left + 1 }, (_, i) => left + i).filter(
    (x) => !columns.has(x),
  );
  if (holes.length > 0.15 * (right - left + 1)) return { mark: 'dots', isNarrow };
  const middleOf = (some: typeof over) => {
    const xs = some.flatMap((row) => row.xs);
    return xs.reduce((sum, x) => sum + x, 0) / xs.length;
  };
  const half = over.length >> 1;
  const lean =
    (middleOf(over.slice(0, half)) - middleOf(over.slice(over.length - half))) / over.length;
  if (Math.abs(lean) < 0.25) return null;
  return { mark: lean > 0 ? 'acute' : 'grave', isNarrow };
}

/** Whether a letter that is open at its right, as «c» is, has a tail below the line. */
function hasCedilla(
  page: GreyPage,
  word: SeenWord,
  { glyph, foot, tall }: Pick<Inked, 'glyph' | 'foot' | 'tall'>,
): boolean {
  const ink = inkOf(page, word);
  if (!ink || glyph.bottom - foot < 0.15 * tall || foot - glyph.top < 0.8 * tall) return false;
  const wide = glyph.x1 - glyph.x0;
  const middle = Math.round((glyph.top + foot) / 2);
  for (let y = middle - 1; y <= middle + 1; y += 1)
    for (let x = Math.round(glyph.x1 - 0.35 * wide); x < glyph.x1; x += 1)
      if (ink.isInk(x, y)) return false;
  return true;
}
