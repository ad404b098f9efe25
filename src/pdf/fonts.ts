/** Inter, parsed once for the life of the process, with a cache of what it has already shaped. */

import { existsSync, readFileSync } from 'node:fs';
import PDFDocument from 'pdfkit';
import { drawable } from '../domain/paper/text.ts';
import { TrueType } from './truetype.ts';

export type Weight = 400 | 500 | 600 | 700;

const FILES: Readonly<Record<Weight, string>> = {
  400: 'Inter-Regular.ttf',
  500: 'Inter-Medium.ttf',
  600: 'Inter-SemiBold.ttf',
  700: 'Inter-Bold.ttf',
};

/** Contextual alternates: signs adapt to the height of their neighbours. */
const OF_WORDS = ['calt'] as const;
/** Plus tabular figures, so that columns align. */
const FEATURES = ['tnum', ...OF_WORDS] as const;
/** With tabular figures, a hyphen is as wide as a digit: «Ruiz-Valdepeñas» would look like two words. */
const HYPHENATED = /(\S*(?:\p{L}-|-\p{L})\S*)/u;

/** A glyph as the font file has it. */
export interface Glyph {
  readonly id: number;
  /** Thousandths of the font size. */
  readonly width: number;
  /** The characters that it represents, which PDF readers copy. */
  readonly codePoints: readonly number[];
}

/** A line of text as glyphs. Lengths in thousandths of the font size. */
export interface Shaped {
  readonly glyphs: readonly Glyph[];
  /** From each glyph to the next. */
  readonly advances: readonly number[];
  /** Offsets of accents that are not on the baseline; null when there are none. */
  readonly shifts: readonly { readonly x: number; readonly y: number }[] | null;
  readonly width: number;
}

/** What a PDF needs to know about a font besides its glyphs. Lengths in thousandths of the font size. */
export interface FontFacts {
  readonly name: string;
  /** Left, bottom, right and top of all its glyphs together. */
  readonly box: readonly [number, number, number, number];
  readonly italicAngle: number;
  readonly ascent: number;
  readonly descent: number;
  readonly capHeight: number;
  readonly xHeight: number;
}

export interface Font extends FontFacts {
  readonly file: TrueType;
  readonly missing: Glyph;
  readonly shape: (text: string) => Shaped;
  /** The width from `shape`, for callers that need nothing else. */
  readonly widthOf: (text: string) => number;
}

/** The parts of a fontkit font used here. Lengths in font units. */
interface ParsedFont {
  readonly postscriptName: string;
  readonly unitsPerEm: number;
  readonly bbox: Readonly<Record<'minX' | 'minY' | 'maxX' | 'maxY', number>>;
  readonly italicAngle: number;
  readonly ascent: number;
  readonly descent: number;
  readonly capHeight: number;
  readonly xHeight: number;
  getGlyph(id: number): ParsedGlyph;
  layout(text: string, features: readonly string[], script: Script): ParsedRun;
}

interface ParsedGlyph {
  readonly id: number;
  readonly advanceWidth: number;
  readonly codePoints: readonly number[];
}

interface ParsedRun {
  readonly glyphs: readonly ParsedGlyph[];
  readonly positions: readonly {
    readonly xAdvance: number;
    readonly xOffset: number;
    readonly yOffset: number;
  }[];
}

/** Fonts have rules by script: Latin, and characters of no script, such as digits. */
type Script = 'latn' | 'zyyy';

const fonts = new Map<Weight, Font>();

export function fontOf(weight: Weight): Font {
  const known = fonts.get(weight);
  if (known) return known;
  const bytes = readFontFile(FILES[weight]);
  const parsed = parse(bytes);
  const font = { ...factsOf(parsed), file: new TrueType(bytes), ...shaperOf(parsed) };
  fonts.set(weight, font);
  return font;
}

/** Beside this file in the sources; once built, beside the bundle or above one of its chunks. */
function readFontFile(name: string): Uint8Array {
  const [beside, over] = ['./fonts/', '../fonts/'].map(
    (folder) => new URL(`${folder}${name}`, import.meta.url),
  ) as [URL, URL];
  return readFileSync(existsSync(beside) ? beside : over);
}

/** Parses with pdfkit, which opens the file in a document that is then discarded. */
function parse(bytes: Uint8Array): ParsedFont {
  const document = new PDFDocument({ autoFirstPage: false, font: '' });
  document.font(Buffer.from(bytes));
  return (document as unknown as { _font: { font: ParsedFont } })._font.font;
}

function factsOf(parsed: ParsedFont): FontFacts {
  const scale = 1000 / parsed.unitsPerEm;
  const { minX, minY, maxX, maxY } = parsed.bbox;
  return {
    name: parsed.postscriptName,
    box: [minX * scale, minY * scale, maxX * scale, maxY * scale],
    italicAngle: parsed.italicAngle,
    ascent: parsed.ascent * scale,
    descent: parsed.descent * scale,
    capHeight: parsed.capHeight * scale,
    xHeight: parsed.xHeight * scale,
  };
}

/**
 * Text in which a glyph depends only on the next one, for their distance: every letter of western Europe, digits, and
 * the signs that Inter always draws alike. Its rules for other signs («3 x 4», «A-B», «(2)») look further; an x only
 * becomes a sign away from letters. Each character matches in one way only: if an x between letters matched in two, ruling
 * out a text with thirty of them would take minutes, and with forty, days.
 */
const PLAIN =
  /^(?:[ \u00a0!"#$%&',./0-9;?A-Za-wyzªº·«»À-ÖØ-öø-žƒ‘’“”…€]|(?<=[A-Za-wyzÀ-ÖØ-öø-ž])x|(?<![A-Za-wyzÀ-ÖØ-öø-ž])x(?=[A-Za-wyzÀ-ÖØ-öø-ž]))*$/;
const LATIN = /\p{Script=Latin}/u;

/** For other texts, the most recently used are cached: labels and names recur in every invoice. */
const KEPT = 4_000;

/** fontkit applies all its rules to each text: plain texts are assembled from cached pairs instead. */
function shaperOf(parsed: ParsedFont): Pick<Font, 'missing' | 'shape' | 'widthOf'> {
  const scale = 1000 / parsed.unitsPerEm;
  const byId = new Map<string, Glyph>();
  const glyphOf = ({ id, advanceWidth }: ParsedGlyph, codePoints: readonly number[]): Glyph => {
    const key = `${id} ${codePoints.join(' ')}`;
    const glyph = byId.get(key) ?? { id, width: advanceWidth * scale, codePoints };
    byId.set(key, glyph);
    return glyph;
  };
  const kept = new Map<string, Shaped>();
  const letters = new Map<number, Glyph>();
  const pairs: Readonly<Record<Script, Map<number, number>>> = { latn: new Map(), zyyy: new Map() };

  /** A text split at its hyphenated words, which need other features. */
  function layout(text: string): ParsedRun {
    const script = scriptOf(text);
    const runs = text
      .split(HYPHENATED)
      .map((piece, index) => parsed.layout(piece, index % 2 ? OF_WORDS : FEATURES, script));
    return {
      glyphs: runs.flatMap(({ glyphs }) => glyphs),
      positions: runs.flatMap(({ positions }) => positions),
    };
  }

  function shapeWhole(text: string): Shaped {
    const { glyphs, positions } = layout(drawable(text));
    const isMoved = positions.some(({ xOffset, yOffset }) => xOffset !== 0 || yOffset !== 0);
    const advances = positions.map(({ xAdvance }) => xAdvance * scale);
    // fontkit gives a glyph the characters for which it first used it, and draws the x of «3x5» as «×». Where there
    // is one glyph per character, its own character is restored, so that copied text is as written, also where the
    // font lacks a letter.
    const written = Array.from(text, (character) => [character.codePointAt(0) as number]);
    const isEach = written.length === glyphs.length;
    return {
      glyphs: glyphs.map((glyph, index) =>
        glyphOf(glyph, (isEach && written[index]) || glyph.codePoints),
      ),
      advances,
      shifts: isMoved
        ? positions.map(({ xOffset, yOffset }) => ({ x: xOffset * scale, y: yOffset * scale }))
        : null,
      width: advances.reduce((sum, advance) => sum + advance, 0),
    };
  }

  function shapeKept(text: string): Shaped {
    const known = kept.get(text);
    if (known) kept.delete(text);
    const shaped = known ?? shapeWhole(text);
    kept.set(text, shaped);
    if (kept.size > KEPT) kept.delete(kept.keys().next().value ?? '');
    return shaped;
  }

  function letterOf(code: number): Glyph {
    const known = letters.get(code);
    if (known) return known;
    const letter = shapeWhole(String.fromCharCode(code)).glyphs[0] as Glyph;
    letters.set(code, letter);
    return letter;
  }

  function advanceOf(code: number, next: number, script: Script): number {
    const key = code * 0x10000 + next;
    const known = pairs[script].get(key);
    if (known !== undefined) return known;
    const run = parsed.layout(String.fromCharCode(code, next), FEATURES, script);
    const advance = (run.positions[0]?.xAdvance ?? 0) * scale;
    pairs[script].set(key, advance);
    return advance;
  }

  /** From a letter of a plain text to the next one, or to its own end. */
  function advanceAt(text: string, index: number, script: Script): number {
    const code = text.charCodeAt(index);
    if (index === text.length - 1) return letterOf(code).width;
    return advanceOf(code, text.charCodeAt(index + 1), script);
  }

  function shapePlain(text: string): Shaped {
    const script = scriptOf(text);
    const glyphs: Glyph[] = [];
    const advances: number[] = [];
    let width = 0;
    for (let index = 0; index < text.length; index++) {
      const advance = advanceAt(text, index, script);
      glyphs.push(letterOf(text.charCodeAt(index)));
      advances.push(advance);
      width += advance;
    }
    return { glyphs, advances, shifts: null, width };
  }

  function widthOfPlain(text: string): number {
    const script = scriptOf(text);
    let width = 0;
    for (let index = 0; index < text.length; index++) width += advanceAt(text, index, script);
    return width;
  }

  return {
    missing: glyphOf(parsed.getGlyph(0), []),
    shape: (text) => (PLAIN.test(text) ? shapePlain(text) : shapeKept(text)),
    widthOf: (text) => (PLAIN.test(text) ? widthOfPlain(text) : shapeKept(text).width),
  };
}

function scriptOf(text: string): Script {
  return LATIN.test(text) ? 'latn' : 'zyyy';
}

/** Width of a line of text, in points. */
export function widthOf(text: string, weight: Weight, size: number): number {
  return (fontOf(weight).widthOf(text) * size) / 1000;
}

/** Height of capital letters, in points. */
export function capHeightOf(weight: Weight, size: number): number {
  return (fontOf(weight).capHeight * size) / 1000;
}
