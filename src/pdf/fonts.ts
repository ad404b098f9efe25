/** Inter, parsed once for the life of the process, with what it has already shaped kept at hand. */

import { existsSync, readFileSync } from 'node:fs';
import PDFDocument from 'pdfkit';

export type Weight = 400 | 500 | 600 | 700;

const FILES: Readonly<Record<Weight, string>> = {
  400: 'Inter-Regular.ttf',
  500: 'Inter-Medium.ttf',
  600: 'Inter-SemiBold.ttf',
  700: 'Inter-Bold.ttf',
};

/** Tabular figures, so that columns align; and signs that follow the height of what they join. */
export const FEATURES: PDFKit.Mixins.OpenTypeFeatures[] = ['tnum', 'calt'];

/** A line of text as glyphs. Lengths in thousandths of the size of the letter. */
interface Shaped {
  readonly glyphs: readonly { readonly advanceWidth: number }[];
  readonly positions: readonly Position[];
  readonly advanceWidth: number;
}

interface Position {
  readonly xAdvance: number;
  readonly yAdvance: number;
  readonly xOffset: number;
  readonly yOffset: number;
  /** Of the glyph by itself. */
  readonly advanceWidth: number;
}

/** The part of a fontkit font that is used here; pdfkit takes such an object in place of a file. */
interface ParsedFont {
  readonly unitsPerEm: number;
  readonly capHeight: number;
  readonly characterSet: readonly number[];
  glyphForCodePoint(codePoint: number): object;
  getGlyph(id: number): Glyph;
  /** In units of the font. */
  layout(
    text: string,
    features: readonly string[],
  ): Pick<Shaped, 'glyphs' | 'advanceWidth'> & {
    readonly positions: readonly Omit<Position, 'advanceWidth'>[];
  };
}

/** The part of a fontkit glyph that embedding uses: of its outline, only what it is composed of. */
interface Glyph {
  _decode(): Outline | null;
}

interface Outline {
  readonly numberOfContours: number;
  readonly components?: readonly object[];
}

/** What pdfkit makes of one in a document. */
interface EmbeddedFont {
  readonly font: ParsedFont;
  layoutRun(text: string): Shaped;
}

interface Font {
  readonly parsed: ParsedFont;
  readonly capHeight: number;
  readonly shape: (text: string) => Shaped;
}

const fonts = new Map<Weight, Font>();

function fontOf(weight: Weight): Font {
  const known = fonts.get(weight);
  if (known) return known;
  const parsed = rememberOutlines(nameGlyphs(parse(readFontFile(FILES[weight]))));
  const capHeight = (parsed.capHeight * 1000) / parsed.unitsPerEm;
  const font = { parsed, capHeight, shape: rememberShapes(parsed) };
  fonts.set(weight, font);
  return font;
}

/** Beside this file in the sources; once built, beside the bundle or over one of its pieces. */
function readFontFile(name: string): Uint8Array {
  const [beside, over] = ['./fonts/', '../fonts/'].map(
    (folder) => new URL(`${folder}${name}`, import.meta.url),
  ) as [URL, URL];
  return readFileSync(existsSync(beside) ? beside : over);
}

/** Parsing is pdfkit's: it opens the file in a document that is thrown away. */
function parse(bytes: Uint8Array): ParsedFont {
  const document = new PDFDocument({ autoFirstPage: false, font: '' });
  return currentFont(document.font(Buffer.from(bytes))).font;
}

function currentFont(document: PDFKit.PDFDocument): EmbeddedFont {
  return (document as unknown as { _font: EmbeddedFont })._font;
}

/**
 * A glyph keeps the characters it was first asked for with, and the text that a reader copies comes from
 * them. Embedding asks for the parts of «ñ» without saying any, so each is asked for here before.
 */
function nameGlyphs(font: ParsedFont): ParsedFont {
  for (const codePoint of font.characterSet) font.glyphForCodePoint(codePoint);
  return font;
}

/**
 * Every document embeds the letters it uses, and fontkit reads each one's outline, point by point, only to
 * know whether it is made of others: that is read once.
 */
function rememberOutlines(font: ParsedFont): ParsedFont {
  const getGlyph = font.getGlyph.bind(font);
  const outlines = new Map<Glyph, Outline | null>();
  font.getGlyph = (...args) => {
    const glyph = getGlyph(...args);
    if (outlines.has(glyph)) return glyph;
    const outline = glyph._decode();
    const { numberOfContours = 0, components } = outline ?? {};
    const kept = outline && { numberOfContours, ...(components && { components }) };
    outlines.set(glyph, kept);
    glyph._decode = () => kept;
    return glyph;
  };
  return font;
}

/** Labels, figures and names come back in every invoice: those used last are kept. */
const SHAPES = 4_000;

function rememberShapes(font: ParsedFont): (text: string) => Shaped {
  const shapes = new Map<string, Shaped>();
  return (text) => {
    const known = shapes.get(text);
    if (known) shapes.delete(text);
    const shaped = known ?? shape(font, text);
    shapes.set(text, shaped);
    if (shapes.size > SHAPES) shapes.delete(shapes.keys().next().value ?? '');
    return shaped;
  };
}

function shape(font: ParsedFont, text: string): Shaped {
  const scale = 1000 / font.unitsPerEm;
  const { glyphs, positions, advanceWidth } = font.layout(text, FEATURES);
  return {
    glyphs,
    positions: positions.map(({ xAdvance, yAdvance, xOffset, yOffset }, index) => ({
      xAdvance: xAdvance * scale,
      yAdvance: yAdvance * scale,
      xOffset: xOffset * scale,
      yOffset: yOffset * scale,
      advanceWidth: (glyphs[index]?.advanceWidth ?? 0) * scale,
    })),
    advanceWidth: advanceWidth * scale,
  };
}

export function fontName(weight: Weight): string {
  return `Inter ${weight}`;
}

/**
 * Makes the four weights known to a document; only those it uses are embedded, as subsets.
 *
 * pdfkit takes a parsed font in place of a file. It would shape every text anew, three times over: it
 * is given what is remembered instead, which it only reads.
 */
export function registerFonts(document: PDFKit.PDFDocument): void {
  for (const weight of [400, 500, 600, 700] as const) {
    const { parsed, shape } = fontOf(weight);
    document.registerFont(fontName(weight), parsed as unknown as Buffer);
    currentFont(document.font(fontName(weight))).layoutRun = shape;
  }
}

/** Width of a line of text, in points. */
export function widthOf(text: string, weight: Weight, size: number): number {
  return (fontOf(weight).shape(text).advanceWidth * size) / 1000;
}

/** Height of the capitals, in points. */
export function capHeightOf(weight: Weight, size: number): number {
  return (fontOf(weight).capHeight * size) / 1000;
}
