import { median, type SeenWord } from './seen-words.ts';
import type { GreyPage } from './tax-qr.ts';

/**
 * Corrects letters that OCR takes for others, by looking at their ink: the «ª» and «º» of «1ª» and «2º», which are
 * raised, and so are the figures of «m²» and «m³»; the litre of «5 l», which is set apart; small letters after a figure,
 * which are lower than it; the «×» of «2×4», which the Spanish model of Tesseract does not have; and the «0» and «I» of
 * codes such as «H07V-K» and «EI2-60».
 */

/** Ink between two columns of pixels that have none. In pixels. */
export interface Glyph {
  readonly x0: number;
  readonly x1: number;
  readonly top: number;
  readonly bottom: number;
}

/** Contrast, out of 255, below which there is only paper. */
const LEAST_CONTRAST = 60;
/** Letters whose capitals have the same shape, only bigger. */
const SAME_SHAPE = /^[CKMOPSUVWXZckmopsuvwxz]$/;
/** What OCR makes of a figure with a raised letter behind it. */
const MAYBE_RAISED =
  /^(?:(?:\d{1,4}|[MNnP]|M\.)[\dºª°%*$?'"“”’a-zA-Z]{1,2}|(?:\d{1,2}|[NnP])\.[\dºª°%*$?'"“”’a-zA-Z])$/;
/** The same if the letter of a door is behind them. */
const MAYBE_FLOOR = /^\d[\dºª°%*$?'"“”’a-zA-Z][A-H]$/;
/** What OCR makes of a metre with a raised figure behind it. */
const MAYBE_POWER = /(?<!\p{L})[cdk]?m[23?*]$/u;
/** As a part of its height: only a stroke is narrower. */
const BAR_WIDTH = 0.2;
/** A code in which an «O» beside a figure may be a zero, and an «l» or a stroke a capital I. */
const MAYBE_CODE = /^(?=.*\d)(?=.*(?:O\d|\dO|[l|]))\p{Lu}[\p{Lu}\dl|./-]+$/u;
/** As a part of its height: a zero is narrower, and an «O» is wider. */
const ZERO_WIDTH = 0.7;
/** As a part of the height of a figure: a «×» begins at least this far above its foot, and an «x» does not. */
const CROSS_FOOT = 0.09;

/** The words of a line, corrected by their ink. Each one is looked at together with those before it. */
export function inkedWords<W extends SeenWord>(page: GreyPage, words: readonly W[]): W[] {
  const inked = words.flatMap((word, i): W[] => {
    const before = words[i - 1];
    const marks = /[.,;:)]*$/.exec(word.text)?.[0] ?? '';
    const bare = word.text.slice(0, word.text.length - marks.length);
    if (
      SAME_SHAPE.test(bare.replace(/^(.)\1$/i, '$1')) &&
      before &&
      /^\d[\d.,]*$/.test(before.text)
    ) {
      const [letter, more] = glyphsOf(page, word);
      const [figure] = glyphsOf(page, before);
      if (!letter || !figure || (more && bare.length > 1)) return [word];
      const isLow = heightOf(letter) < 0.84 * heightOf(figure);
      const said = bare.slice(0, 1);
      return [{ ...word, text: (isLow ? said.toLowerCase() : said.toUpperCase()) + marks }];
    }
    const isRate = /^%/.test(words[i + 1]?.text ?? '');
    if (bare === '1' && isBar(page, word)) {
      if (/\p{L}\.?$/u.test(before?.text ?? '')) return [{ ...word, text: `I${marks}` }];
      const isLitre =
        /^\d{1,3}$/.test(before?.text ?? '') && /\p{L}{2}/u.test(words[i - 2]?.text ?? '');
      if (isLitre) return [{ ...word, text: `l${marks}` }];
    }
    const mayBeUnit = !isRate && (!before || /\p{L}{2}/u.test(before.text));
    if (/^\d{2,4}[9gq]$/.test(bare) && mayBeUnit) return partedGrams(page, word, bare, marks);
    if (/^\d{1,3}(,\d)?[1lI|!]$/.test(bare) && mayBeUnit)
      return partedLitre(page, word, bare, { marks, apart: figuresApart(page, words, word) });
    if (/^kwh?$/.test(bare)) return [withWatt(page, word)];
    if (MAYBE_CODE.test(bare)) return [asCode(page, word, bare, marks)];
    if (MAYBE_POWER.test(bare)) return [withPower(page, word, bare, marks)];
    if (MAYBE_FLOOR.test(bare)) return partedFloor(page, word, bare, marks);
    return MAYBE_RAISED.test(bare) ? [withOrdinal(page, word, bare, marks)] : [word];
  });
  return inked.map((word, i) => withCross(page, word, inked[i + 1]));
}

const heightOf = ({ top, bottom }: Glyph) => bottom - top;

/** A stroke as thin, from top to bottom, as no figure is. */
function isBar(page: GreyPage, word: SeenWord): boolean {
  const [bar, more] = glyphsOf(page, word);
  return bar !== undefined && !more && bar.x1 - bar.x0 < BAR_WIDTH * heightOf(bar);
}

/** Pixels between the figures of a line. */
function figuresApart(page: GreyPage, words: readonly SeenWord[], but: SeenWord): number {
  const gaps = words
    .filter((one) => one !== but && /^\d{2,}$/.test(one.text))
    .flatMap((one) => {
      const glyphs = glyphsOf(page, one);
      return glyphs.slice(1).map(({ x0 }, i) => x0 - (glyphs[i] as Glyph).x1);
    });
  return median(gaps);
}

/** `'51'` → `5` and `l`, when they are as far apart as two words. */
function partedLitre<W extends SeenWord>(
  page: GreyPage,
  word: W,
  bare: string,
  { marks, apart }: { marks: string; apart: number },
): W[] {
  const glyphs = standing(glyphsOf(page, word));
  const [last, figure] = [glyphs.at(-1), glyphs.at(-2)];
  if (!last || !figure || glyphs.length !== bare.replace(',', '').length) return [word];
  const tall = heightOf(figure);
  const gap = last.x0 - figure.x1;
  if (gap < Math.max(0.36 * tall, apart + 0.2 * tall) || heightOf(last) < 0.9 * tall) return [word];
  const { bbox } = word;
  return [
    { ...word, text: bare.slice(0, -1), bbox: { ...bbox, x1: figure.x1 } },
    { ...word, text: `l${marks}`, bbox: { ...bbox, x0: last.x0 } },
  ];
}

/** `'1359'` → `135` and `g`, when the last character reaches below the line, as no figure does. */
function partedGrams<W extends SeenWord>(
  page: GreyPage,
  word: W,
  bare: string,
  marks: string,
): W[] {
  const glyphs = standing(glyphsOf(page, word));
  const [last, figure] = [glyphs.at(-1), glyphs.at(-2)];
  if (!last || !figure || glyphs.length !== bare.length) return [word];
  const tall = heightOf(figure);
  const isLow = last.bottom - figure.bottom > 0.15 * tall && last.top - figure.top > 0.12 * tall;
  if (!isLow) return [word];
  const [figures, { bbox }] = [bare.slice(0, -1), word];
  if (last.x0 - figure.x1 < 0.3 * tall) return [{ ...word, text: `${figures}g${marks}` }];
  return [
    { ...word, text: figures, bbox: { ...bbox, x1: figure.x1 } },
    { ...word, text: `g${marks}`, bbox: { ...bbox, x0: last.x0 } },
  ];
}

/** `'19'`, `'12?'`, `'M2'`, `'n.9'` → `1º`, `1º`, `Mª`, `n.º`, when the last character is raised above the line. */
function withOrdinal<W extends SeenWord>(page: GreyPage, word: W, bare: string, marks: string): W {
  const all = glyphsOf(page, word);
  const glyphs = standing(all);
  const [first, last] = [glyphs[0], glyphs.at(-1)];
  if (!first || !last || glyphs.length < 2) return word;
  const tall = heightOf(first);
  if (!isRaised(first, last)) return word;
  const front = bare.replace('.', '').slice(0, glyphs.length - 1);
  const said = bare.replace('.', '').slice(glyphs.length - 1);
  const letter = /^M/.test(bare) || /^[ªa4]/.test(said) ? 'ª' : 'º';
  const before = glyphs.at(-2) as Glyph;
  const hasPoint = all.some(
    (one) =>
      one.x0 >= before.x1 &&
      one.x1 <= last.x0 &&
      heightOf(one) < 0.3 * tall &&
      one.bottom > first.bottom - 0.2 * tall,
  );
  return { ...word, text: `${front}${hasPoint ? '.' : ''}${letter}${marks}` };
}

/** Whether a letter stands above the line of the figure before it. */
function isRaised(figure: Glyph, letter: Glyph): boolean {
  const tall = heightOf(figure);
  return (
    figure.bottom - letter.bottom > 0.22 * tall &&
    heightOf(letter) > 0.36 * tall &&
    heightOf(letter) < 0.8 * tall &&
    letter.top - figure.top < 0.25 * tall &&
    letter.x1 - letter.x0 > 0.22 * tall
  );
}

/** `'55C'` → `5º` and `C`, when the second character is raised and the third is as far from it as a word. */
function partedFloor<W extends SeenWord>(
  page: GreyPage,
  word: W,
  bare: string,
  marks: string,
): W[] {
  const [figure, mark, door] = standing(glyphsOf(page, word));
  if (!figure || !mark || !door || !isRaised(figure, mark)) return [word];
  if (door.x0 - mark.x1 < 0.3 * heightOf(figure) || isRaised(figure, door)) return [word];
  const { bbox } = word;
  return [
    { ...word, text: `${bare.charAt(0)}º`, bbox: { ...bbox, x1: mark.x1 } },
    { ...word, text: `${bare.charAt(2)}${marks}`, bbox: { ...bbox, x0: door.x0 } },
  ];
}

/** `'m2'`, `'m?'`, `'m3'` → `m²`, `m²`, `m³`, when the figure is raised above the line. */
function withPower<W extends SeenWord>(page: GreyPage, word: W, bare: string, marks: string): W {
  const glyphs = standing(glyphsOf(page, word)).slice(0, bare.length);
  const [metre, power] = [glyphs.at(-2), glyphs.at(-1)];
  if (!metre || !power || metre.bottom - power.bottom < 0.3 * heightOf(metre)) return word;
  return { ...word, text: `${bare.slice(0, -1)}${bare.endsWith('3') ? '³' : '²'}${marks}` };
}

/** `'kwh'` → `kWh`, when its second letter is as high as the first. */
function withWatt<W extends SeenWord>(page: GreyPage, word: W): W {
  const [kilo, watt] = glyphsOf(page, word);
  if (!kilo || !watt || heightOf(watt) < 0.85 * heightOf(kilo)) return word;
  return { ...word, text: word.text.replace('w', 'W') };
}

/** `'HO7V-K'`, `'El2-60'` → `H07V-K`, `EI2-60`, when the «O» is as narrow as a zero, and the «l» a mere stroke. */
function asCode<W extends SeenWord>(page: GreyPage, word: W, bare: string, marks: string): W {
  const letters = [...bare];
  const glyphs = lettersOf(glyphsOf(page, word), [...word.text]);
  if (!glyphs) return word;
  const isFigure = (at: number) => /\d/.test(letters[at] ?? '');
  const said = letters.map((letter, i) => {
    const glyph = glyphs[i];
    if (!glyph) return letter;
    const wide = (glyph.x1 - glyph.x0) / heightOf(glyph);
    if (letter === 'O' && (isFigure(i - 1) || isFigure(i + 1)))
      return wide < ZERO_WIDTH ? '0' : letter;
    return /[l|]/.test(letter) && wide < BAR_WIDTH ? 'I' : letter;
  });
  return { ...word, text: said.join('') + marks };
}

/** `'20x60'` → `20×60`, and an `x` before a figure, when the cross stands higher than that letter does. */
function withCross<W extends SeenWord>(page: GreyPage, word: W, next: W | undefined): W {
  const letters = [...word.text];
  const at = letters.findIndex((letter, i) => letter === 'x' && /\d/.test(letters[i + 1] ?? ''));
  if (at < 0 && (word.text !== 'x' || !/^\d/.test(next?.text ?? ''))) return word;
  const glyphs = glyphsOf(page, word);
  if (glyphs.length !== letters.length) return word;
  const cross = glyphs[at < 0 ? 0 : at];
  const figure = at < 0 ? next && glyphsOf(page, next)[0] : glyphs[at + 1];
  if (!cross || !figure) return word;
  const tall = heightOf(figure);
  const isRaised = figure.bottom - cross.bottom > Math.max(2, CROSS_FOOT * tall);
  if (!isRaised || heightOf(cross) < 0.4 * tall || heightOf(cross) > 0.9 * tall) return word;
  return { ...word, text: word.text.replace(/x(?=\d|$)/, '×') };
}

/** Leaves out specks of dust, and the full stops and commas at the end. */
function standing(glyphs: readonly Glyph[]): readonly Glyph[] {
  const top = Math.min(...glyphs.map((one) => one.top));
  const tall = Math.max(...glyphs.map(heightOf));
  return glyphs.filter((one) => one.top - top < 0.55 * tall && heightOf(one) > 0.15 * tall);
}

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
