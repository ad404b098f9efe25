import { holesOf } from './figure-holes.ts';
import { type Glyph, glyphsOf, lettersOf, ownBox } from './ink.ts';
import {
  BAR_WIDTH,
  isCapitalI,
  isCapitalK,
  isDiameter,
  isOne,
  isRaisedA,
  isSerifStroke,
  isThree,
  isZed,
  shapeOf,
} from './letter-shapes.ts';
import { MEASURE, median, type SeenWord } from './seen-words.ts';
import type { GreyPage } from './tax-qr.ts';

/**
 * Corrects letters that OCR takes for others, by looking at their ink: the «ª» and «º» of «1ª» and «2º», which are
 * raised, and so are the figures of «m²» and «m³»; the litre of «5 l», which is set apart; small letters after a figure,
 * which are lower than it; the «×» of «2×4» and the «Ø» of «Ø 20», which the Spanish model of Tesseract does not have;
 * the «0» and «I» of codes such as «H07V-K» and «EI2-60»; and capitals that only their height tells from small letters.
 */

/** Letters whose capitals have the same shape, only bigger. */
const SAME_SHAPE = /^[CKMOPSUVWXZckmopsuvwxz]$/;
/** What OCR makes of a figure with a raised letter behind it. */
const MAYBE_RAISED =
  /^(?:(?:\d{1,4}|[MNnP?]|M\.)[\dºª°%*$?'"“”’a-zA-Z]{1,2}|(?:\d{1,2}|[NnP])\.[\dºª°%*$?'"“”’a-zA-Z])$/;
/** A figure whose raised letter OCR left out. */
const UNRAISED = /^(?:\d|[Nn]\.)\.?$/;
/** The same if the letter of a door is behind them. */
const MAYBE_FLOOR = /^\d[\dºª°%*$?'"“”’a-zA-Z][A-H]$/;
/** What OCR makes of a metre with a raised figure behind it. */
const MAYBE_POWER = /(?<!\p{L})[cdk]?m[23?*i>"']$/u;
/** A code in which an «O» beside a figure may be a zero, a stroke an «I» or a 1, and a 7 a «Z». */
const MAYBE_CODE = /^(?=.*\d)(?=.*(?:O\d|\dO|[1I7l|]))(?=.*[-\p{Lu}])[\p{Lu}\d][\p{Lu}\dl|./-]+$/u;
/** What OCR makes of one stroke of a code. */
const TWO_STROKES = /1[Il|]|[l|][1Il|]|I[1l|]/;
/** What may be behind «½»: a heading may begin with «%» too. */
const PARTED = /^(?!dto|dcto|desc|iva|igic|irpf|rec|imp|total)\p{Ll}{2}/u;
/** A smaller piece of white is a fault in the ink of a sign, in parts of it; and no smaller sign has its rings open. */
const LEAST_RING = 0.004;
const LEAST_SIGN = 16;
/** A Roman numeral of strokes, whatever they were read as. */
const MAYBE_NUMERAL = /^[1Il|]{1,4}$/;
/** As a part of its height: a zero is narrower, and an «O» is wider. */
const ZERO_WIDTH = 0.7;
/** Divided by its height: one letter is no wider. */
const TWO_WIDE = 1.9;
/** What OCR makes of «&». */
const MAYBE_AMPERSAND = /^(?:8[:7z?]?|€[:z]?|S:|£)$/;
/** Divided by its height: it is wider, and no figure is. */
const AMPERSAND_WIDE = 0.8;
/** Divided by its height: a dot is no wider, and a hyphen is. */
const DOT_WIDE = 1.6;
/** What OCR makes of the sign of a diameter, and of one with its measure. */
const MAYBE_DIAMETER = /^(?:[^\p{L}\s%€]{1,3}|[OQGo])$/u;
/** In heights: letters further apart are of two words. */
const APART = 0.3;
const MAYBE_MEASURE = /^[^\p{L}\s.,]\d{1,3}[.,;:)]*$/u;
/** A word that begins with a capital that is a small letter, only higher; and how much higher than an «x» none is. */
const MAYBE_FIRST = /^[COSUVWXZ]\p{Ll}+[.,;:)]?$/u;
const AS_LOW = 1.12;
/** As a part of the height of the figure before it: a letter that is lower is a small one. */
const AS_SMALL = 0.84;
/** As a part of the height of a figure: a «×» begins at least this far above its foot, and an «x» does not. */
const CROSS_FOOT = 0.09;

/** The words of a line, corrected by their ink. Each one is looked at together with those before it. */
export function inkedWords<W extends SeenWord>(page: GreyPage, seen: readonly W[]): W[] {
  const words = seen.map((word, i) => ({
    ...word,
    bbox: ownBox(page, word, { before: seen[i - 1], next: seen[i + 1] }),
  }));
  const inked = words.flatMap((word, i) => inkedWord(page, words, word, i));
  return inked
    .flatMap((word, i) => withDiameter(page, word, inked[i + 1]))
    .map((word, i, all) => withCross(page, word, all[i + 1]))
    .map((word) => withFirstLetter(page, withoutFullStop(page, word)));
}

/** What a word may be is told by its text and by its neighbours; the first that fits is looked at, and no other. */
function inkedWord<W extends SeenWord>(
  page: GreyPage,
  words: readonly W[],
  word: W,
  i: number,
): W[] {
  const before = words[i - 1];
  const [last, next] = [before?.text ?? '', words[i + 1]?.text ?? ''];
  const marks = /[.,;:)]*$/.exec(word.text)?.[0] ?? '';
  const bare = word.text.slice(0, word.text.length - marks.length);
  if (before && /^\d[\d.,]*$/.test(last) && SAME_SHAPE.test(bare.replace(/^(.)\1$/i, '$1')))
    return [withOwnCase(page, word, before, { bare, marks })];
  const inner = withinParenthesis(page, word);
  if (inner) return inner;
  if (MAYBE_NUMERAL.test(bare) && /\p{L}\.?$/u.test(last)) {
    const strokes = tallest(glyphsOf(page, word));
    if (strokes.length > 0 && strokes.every((one) => isCapitalI(page, word, one)))
      return [{ ...word, text: 'I'.repeat(strokes.length) + marks }];
  }
  if (word.text === '%' && /[\p{L}.]$/u.test(last) && PARTED.test(next))
    return [withFraction(page, word)];
  if (/^[1|!I]$/.test(bare) && isLitre(page, words, i)) return [{ ...word, text: `l${marks}` }];
  if (/^[9q]$/.test(bare) && before && /^\d{1,4}$/.test(last) && isLow(page, word, before))
    return [{ ...word, text: `g${marks}` }];
  const mayBeUnit = !next.startsWith('%') && (!before || /\p{L}/u.test(last));
  if (/^\d{2,4}[9gq]$/.test(bare) && mayBeUnit) return partedGrams(page, word, bare, marks);
  if (/^\d{1,3}(,\d)?[1lI|!]$/.test(bare) && mayBeUnit)
    return partedLitre(page, word, bare, { marks, apart: figuresApart(page, words, word) });
  if (/^k[wg]h?$/i.test(bare)) return [withKilo(page, word)];
  if (/^\p{L}+l-l\p{L}+$/u.test(bare)) return [withMiddleDot(page, word)];
  if (MAYBE_AMPERSAND.test(word.text) && isBetween(words, i) && isOneLetter(page, word))
    return [{ ...word, text: '&' }];
  if (MAYBE_CODE.test(bare)) return [asCode(page, word, bare, marks)];
  if (MAYBE_POWER.test(bare)) return [withPower(page, word, bare, marks)];
  if (MAYBE_FLOOR.test(bare)) return partedFloor(page, word, bare, marks);
  if (UNRAISED.test(word.text) && hasRaised(page, word))
    return [withOrdinal(page, word, word.text, '')];
  return MAYBE_RAISED.test(bare) ? [withOrdinal(page, word, bare, marks)] : [word];
}

/** `'M'` behind `10` → `m`, when it is lower than the figure before it. What was read twice may be one wide letter. */
function withOwnCase<W extends SeenWord>(
  page: GreyPage,
  word: W,
  before: W,
  { bare, marks }: { bare: string; marks: string },
): W {
  const [letter, more] = glyphsOf(page, word);
  const [figure] = glyphsOf(page, before);
  const isTwo = more || (letter && letter.x1 - letter.x0 > TWO_WIDE * heightOf(letter));
  if (!letter || !figure || (isTwo && bare.length > 1)) return word;
  const said = bare.slice(0, 1);
  const isSmall = heightOf(letter) < AS_SMALL * heightOf(figure);
  return { ...word, text: (isSmall ? said.toLowerCase() : said.toUpperCase()) + marks };
}

const heightOf = ({ top, bottom }: Glyph) => bottom - top;

/** A stroke as thin, from top to bottom, as no figure is. */
function isBar(page: GreyPage, word: SeenWord): boolean {
  const [bar, more] = glyphsOf(page, word);
  return bar !== undefined && !more && bar.x1 - bar.x0 < BAR_WIDTH * heightOf(bar);
}

/** A stroke after a figure, with serifs or without, that begins or ends nothing else. */
function isLitre(page: GreyPage, words: readonly SeenWord[], at: number): boolean {
  const [before, own, after] = [words[at - 1], words[at] as SeenWord, words[at + 1]];
  if (!before || !MEASURE.test(before.text)) return false;
  if (!words.slice(0, at - 1).some(({ text }) => /\p{L}{2}/u.test(text))) return false;
  if (after && /^[%€]/.test(after.text)) return false;
  const [stroke, more] = glyphsOf(page, own);
  const [figure] = glyphsOf(page, before);
  if (!stroke || !figure || more) return false;
  const ratio = heightOf(stroke) / heightOf(figure);
  const gap = stroke.x0 - before.bbox.x1;
  if (ratio < 0.85 || ratio > 1.25 || gap > 0.85 * heightOf(figure)) return false;
  return isBar(page, own) || isSerifStroke(page, own, stroke);
}

/** Whether a letter reaches below the figures before it, and begins below their top. */
function isLow(page: GreyPage, word: SeenWord, before: SeenWord): boolean {
  const [letter, figure] = [glyphsOf(page, word)[0], glyphsOf(page, before).at(-1)];
  if (!letter || !figure) return false;
  const tall = heightOf(figure);
  return letter.bottom - figure.bottom > 0.15 * tall && letter.top - figure.top > 0.12 * tall;
}

/** Whether there is a word of letters on both sides. */
function isBetween(words: readonly SeenWord[], at: number): boolean {
  return [words[at - 1], words[at + 1]].every((one) => /^\p{L}{2}/u.test(one?.text ?? ''));
}

/** Whether one or two signs are in one piece that is wider than a figure. */
function isOneLetter(page: GreyPage, word: SeenWord): boolean {
  const [letter, more] = glyphsOf(page, word);
  return letter !== undefined && !more && letter.x1 - letter.x0 > AMPERSAND_WIDE * heightOf(letter);
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
  // A 2 may be read as a question mark.
  const front = bare
    .replace('.', '')
    .slice(0, glyphs.length - 1)
    .replace('?', '2');
  const said = bare.replace('.', '').slice(glyphs.length - 1);
  const isA = isRaisedA(page, word, last) ?? /^[ªa4]/.test(said);
  const letter = /^M/.test(bare) || (isA && !/^[NnP]/.test(bare)) ? 'ª' : 'º';
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

/** Whether there is one more letter than was read, and it is raised. */
function hasRaised(page: GreyPage, word: SeenWord): boolean {
  const [first, second, more] = standing(glyphsOf(page, word));
  return first !== undefined && second !== undefined && !more && isRaised(first, second);
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
  const isCubic = isThree(page, word, power) ?? bare.endsWith('3');
  return { ...word, text: `${bare.slice(0, -1)}${isCubic ? '³' : '²'}${marks}` };
}

/** `'kwh'`, `'KW'` → `kWh`, `kW`: by the height of the second letter, and by the arm of the first one. */
function withKilo<W extends SeenWord>(page: GreyPage, word: W): W {
  const [kilo, other] = glyphsOf(page, word);
  if (!kilo || !other) return word;
  const isSmall = isCapitalK(page, word, kilo) === false;
  const first = isSmall ? 'k' : word.text.charAt(0);
  const second = word.text.charAt(1);
  const isHigh = /w/i.test(second) && heightOf(other) >= 0.85 * heightOf(kilo);
  return { ...word, text: first + (isHigh ? 'W' : second) + word.text.slice(2) };
}

/** `'Instal-lació'` → `Instal·lació`, when the hyphen is no wider than a dot. */
function withMiddleDot<W extends SeenWord>(page: GreyPage, word: W): W {
  const letters = [...word.text];
  const at = letters.indexOf('-');
  const dot = lettersOf(glyphsOf(page, word), letters)?.[at];
  if (!dot || dot.x1 - dot.x0 > DOT_WIDE * heightOf(dot)) return word;
  return { ...word, text: letters.with(at, '·').join('') };
}

/** `'9'` before `19`, `'920'` → `Ø`, `Ø20`, when it is a ring with a slanted stroke. */
function withDiameter<W extends SeenWord>(page: GreyPage, word: W, next: W | undefined): W[] {
  const { text, bbox } = word;
  const tall = bbox.y1 - bbox.y0;
  const isBefore = /^\d/.test(next?.text ?? '') && (next?.bbox.x0 ?? 0) - bbox.x1 < tall;
  const isAlone = MAYBE_DIAMETER.test(text) && isBefore;
  const glyphs = isAlone || MAYBE_MEASURE.test(text) ? glyphsOf(page, word) : [];
  const [ring, figure] = glyphs;
  if (!ring || !isDiameter(page, word, ring)) return [word];
  if (isAlone && !figure) return [{ ...word, text: 'Ø' }];
  if (!figure || glyphs.length !== text.length) return [word];
  if (figure.x0 - ring.x1 < APART * tall) return [{ ...word, text: `Ø${text.slice(1)}` }];
  return [
    { ...word, text: 'Ø', bbox: { ...bbox, x1: ring.x1 } },
    { ...word, text: text.slice(1), bbox: { ...bbox, x0: figure.x0 } },
  ];
}

/** `'XL.'` → `XL`, when there is no ink of a full stop, nor room for it under the arm of the letter. */
function withoutFullStop<W extends SeenWord>(page: GreyPage, word: W): W {
  const letters = [...word.text];
  if (!/[ABCEHIKLMNRUXZ\d]\.$/.test(word.text)) return word;
  const glyphs = glyphsOf(page, word);
  const tall = Math.max(...glyphs.map(heightOf));
  const isWhole =
    glyphs.length === letters.length - 1 && glyphs.every((one) => heightOf(one) > 0.6 * tall);
  return isWhole ? { ...word, text: word.text.slice(0, -1) } : word;
}

/** `'Con'` → `con`, when its first letter is no higher than the next ones. */
function withFirstLetter<W extends SeenWord>(page: GreyPage, word: W): W {
  if (!MAYBE_FIRST.test(word.text)) return word;
  const letters = [...word.text];
  const [own, ...rest] = lettersOf(glyphsOf(page, word), letters) ?? [];
  const low = rest.flatMap((one, i) =>
    one && /[acemnorsuvxz]/.test(letters[i + 1] ?? '') ? [heightOf(one)] : [],
  );
  if (!own || low.length === 0 || heightOf(own) > AS_LOW * median(low)) return word;
  return { ...word, text: word.text.charAt(0).toLowerCase() + word.text.slice(1) };
}

/** `'(12'` → `(1ª`: what is behind a parenthesis, looked at by itself; null if no mark may be in it. */
function withinParenthesis<W extends SeenWord>(page: GreyPage, word: W): W[] | null {
  const text = word.text.slice(1);
  const [open, first] = glyphsOf(page, word);
  if (!word.text.startsWith('(') || !MAYBE_RAISED.test(text.replace(/[.,;:)]+$/, ''))) return null;
  if (!open || !first) return null;
  const inner = inkedWords(page, [{ ...word, text, bbox: { ...word.bbox, x0: first.x0 } }]);
  return inner.map((one, i) =>
    i === 0 ? { ...one, text: `(${one.text}`, bbox: { ...one.bbox, x0: word.bbox.x0 } } : one,
  );
}

/** `'%'` → `½`, `¼`, when its ink has not the two rings of that sign: a 4 has one. */
function withFraction<W extends SeenWord>(page: GreyPage, word: W): W {
  const glyphs = glyphsOf(page, word);
  const [first, last] = [glyphs[0], glyphs.at(-1)];
  if (!first || !last) return word;
  const sign: Glyph = {
    x0: first.x0,
    x1: last.x1,
    top: Math.min(...glyphs.map(({ top }) => top)),
    bottom: Math.max(...glyphs.map(({ bottom }) => bottom)),
  };
  const shape = heightOf(sign) < LEAST_SIGN ? null : shapeOf(page, word, sign);
  const rings = shape ? holesOf(shape, LEAST_RING).length : 2;
  return rings > 1 ? word : { ...word, text: rings === 0 ? '½' : '¼' };
}

/**
 * `'HO7V-K'`, `'El2-60'`, `'El4'`, `'6205-27'` → `H07V-K`, `EI2-60`, `E14`, `6205-2Z`: an «O» as narrow as a zero, a
 * stroke, a 1, and a 7 with a foot.
 */
function asCode<W extends SeenWord>(page: GreyPage, word: W, bare: string, marks: string): W {
  const own = glyphsOf(page, word);
  // A stroke may be read twice.
  const isTwice = own.length === word.text.length - 1;
  const letters = [...(isTwice ? bare.replace(TWO_STROKES, '1') : bare)];
  const glyphs = lettersOf(own, [...letters, ...marks]);
  if (!glyphs) return word;
  const isFigure = (at: number) => /\d/.test(letters[at] ?? '');
  const said = letters.map((letter, i) => {
    const glyph = glyphs[i];
    if (!glyph) return letter;
    const wide = (glyph.x1 - glyph.x0) / heightOf(glyph);
    if (letter === 'O' && (isFigure(i - 1) || isFigure(i + 1)))
      return wide < ZERO_WIDTH ? '0' : letter;
    if (letter === '7') return isZed(page, word, glyph) ? 'Z' : letter;
    if (!/[1Il|]/.test(letter)) return letter;
    if (isOne(page, word, glyph)) return isFigure(i - 1) || isFigure(i + 1) ? '1' : letter;
    const isAfterLetter = /\p{Lu}/u.test(letters[i - 1] ?? '');
    return (letter !== '1' || isAfterLetter) && isCapitalI(page, word, glyph) ? 'I' : letter;
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

/** Leaves out what is lower than a capital: a colon and other marks. */
function tallest(glyphs: readonly Glyph[]): readonly Glyph[] {
  const tall = Math.max(...glyphs.map(heightOf));
  return glyphs.filter((one) => heightOf(one) > 0.85 * tall);
}

/** Leaves out specks of dust, and the full stops and commas at the end. */
function standing(glyphs: readonly Glyph[]): readonly Glyph[] {
  const top = Math.min(...glyphs.map((one) => one.top));
  const tall = Math.max(...glyphs.map(heightOf));
  return glyphs.filter((one) => one.top - top < 0.55 * tall && heightOf(one) > 0.15 * tall);
}
