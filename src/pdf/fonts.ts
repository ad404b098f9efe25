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

interface Position {
  readonly xAdvance: number;
}

/** A line of text as glyphs, in units of the font. */
interface Shaped {
  readonly glyphs: readonly object[];
  readonly positions: readonly Position[];
  readonly advanceWidth: number;
}

/** The part of a fontkit font that is used here; pdfkit takes such an object in place of a file. */
interface ParsedFont {
  readonly unitsPerEm: number;
  readonly capHeight: number;
  readonly characterSet: readonly number[];
  glyphForCodePoint(codePoint: number): object;
  layout(text: string, features?: readonly string[]): Shaped;
}

interface Font {
  /** What pdfkit is given in place of a file. */
  readonly source: ParsedFont;
  readonly capHeight: number;
  readonly unitsPerEm: number;
  readonly shape: (text: string) => Shaped;
}

const fonts = new Map<Weight, Font>();

function fontOf(weight: Weight): Font {
  const known = fonts.get(weight);
  if (known) return known;
  const parsed = nameGlyphs(parse(readFontFile(FILES[weight])));
  const shape = rememberShapes(parsed);
  const source: ParsedFont = Object.create(parsed, { layout: { value: copying(shape) } });
  const { capHeight, unitsPerEm } = parsed;
  const font = { source, capHeight, unitsPerEm, shape };
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
  const document = new PDFDocument({ autoFirstPage: false, font: '' }).font(Buffer.from(bytes));
  return (document as unknown as { _font: { font: ParsedFont } })._font.font;
}

/**
 * A glyph keeps the characters it was first asked for with, and the text that a reader copies comes from
 * them. Embedding asks for the parts of «ñ» without saying any, so each is asked for here before.
 */
function nameGlyphs(font: ParsedFont): ParsedFont {
  for (const codePoint of font.characterSet) font.glyphForCodePoint(codePoint);
  return font;
}

/** Labels, figures and names come back in every invoice: those used last are kept. */
const SHAPES = 4_000;

function rememberShapes(font: ParsedFont): (text: string) => Shaped {
  const shapes = new Map<string, Shaped>();
  return (text) => {
    let shaped = shapes.get(text);
    if (shaped) {
      shapes.delete(text);
    } else {
      const { glyphs, positions, advanceWidth } = font.layout(text, FEATURES);
      shaped = { glyphs, positions, advanceWidth };
    }
    shapes.set(text, shaped);
    if (shapes.size > SHAPES) shapes.delete(shapes.keys().next().value ?? '');
    return shaped;
  };
}

/** pdfkit scales the positions it is given in place, and then asks how long the whole is. */
function copying(shape: (text: string) => Shaped): ParsedFont['layout'] {
  return (text) => {
    const { glyphs, positions } = shape(text);
    const copies = positions.map((position) => ({ ...position }));
    return {
      glyphs,
      positions: copies,
      get advanceWidth() {
        return copies.reduce((sum, { xAdvance }) => sum + xAdvance, 0);
      },
    };
  };
}

export function fontName(weight: Weight): string {
  return `Inter ${weight}`;
}

/** Makes the four weights known to a document; only those it uses are embedded, as subsets. */
export function registerFonts(document: PDFKit.PDFDocument): void {
  for (const weight of [400, 500, 600, 700] as const) {
    document.registerFont(fontName(weight), fontOf(weight).source as unknown as Buffer);
  }
}

/** Width of a line of text, in points. */
export function widthOf(text: string, weight: Weight, size: number): number {
  const { shape, unitsPerEm } = fontOf(weight);
  return (shape(text).advanceWidth / unitsPerEm) * size;
}

/** Height of the capitals, in points. */
export function capHeightOf(weight: Weight, size: number): number {
  const { capHeight, unitsPerEm } = fontOf(weight);
  return (capHeight / unitsPerEm) * size;
}
