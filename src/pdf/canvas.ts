/** Drawing on a page: millimetres from its top left corner, and text by its baseline. */

import { type EmbeddedFonts, short } from './embedded-fonts.ts';
import { fontOf, type Shaped, widthOf } from './fonts.ts';
import { LINE, type TextStyle } from './styles.ts';
import { wrap } from './wrap.ts';

export type Doc = PDFKit.PDFDocument;
/** A branch of the structure tree, which is what a screen reader follows. */
export type Branch = PDFKit.PDFStructureElement;
export type Align = 'left' | 'right' | 'center';

const POINTS_PER_MM = 72 / 25.4;

export function pt(mm: number): number {
  return mm * POINTS_PER_MM;
}

/** Millimetres of a line of text. */
export function measure(text: string, { weight, size, tracking = 0 }: TextStyle): number {
  const gaps = Math.max(text.length - 1, 0);
  return (widthOf(text, weight, size) + tracking * gaps) / POINTS_PER_MM;
}

export function wrapText(text: string, width: number, style: TextStyle): string[] {
  return wrap(text, width, (piece) => measure(piece, style));
}

/** One line. `x` is its left end, its right end or its middle. */
export function drawText(
  doc: Doc,
  text: string,
  x: number,
  baseline: number,
  style: TextStyle,
  align: Align = 'left',
): void {
  if (text === '') return;
  // The no-break space has done its work by now; copied text has plain spaces.
  const plain = text.replaceAll('\u00a0', ' ');
  const left = pt(x - shiftOf(plain, style, align));
  const { weight, size, color, tracking } = style;
  const shaped = fontOf(weight).shape(plain);
  for (const { part, shift } of piecesOf(shaped)) {
    const { name, shown } = fontsOf(doc).show(weight, part);
    const place = `${short(left + (shift.x * size) / 1000)} ${short(pt(baseline) - (shift.y * size) / 1000)}`;
    // The page grows downwards, as pdfkit has it; the letters stand up again.
    doc.addContent(
      `BT ${inkOf(color)} /${name} ${size} Tf ${tracking ? `${tracking} Tc ` : ''}` +
        `1 0 0 -1 ${place} Tm ${shown} TJ${tracking ? ' 0 Tc' : ''} ET`,
    );
  }
}

const fontsByDocument = new WeakMap<Doc, EmbeddedFonts>();

/** Tells what a document's texts are drawn with. */
export function drawWith(doc: Doc, fonts: EmbeddedFonts): void {
  fontsByDocument.set(doc, fonts);
}

function fontsOf(doc: Doc): EmbeddedFonts {
  const fonts = fontsByDocument.get(doc);
  if (!fonts) throw new Error('The document was not opened by openDocument.');
  return fonts;
}

interface ShapedPiece {
  readonly part: Shaped;
  /** Where it begins, from where its text does; upwards is positive. */
  readonly shift: { readonly x: number; readonly y: number };
}

/** A text goes in one piece, unless accents have to be moved over their letters: then each letter by itself. */
function piecesOf(shaped: Shaped): readonly ShapedPiece[] {
  const { glyphs, advances, shifts } = shaped;
  if (!shifts) return [{ part: shaped, shift: { x: 0, y: 0 } }];
  let before = 0;
  return glyphs.map((glyph, index) => {
    const { x, y } = shifts[index] as { x: number; y: number };
    const part = { glyphs: [glyph], advances: [glyph.width], shifts: null, width: glyph.width };
    const piece = { part, shift: { x: before + x, y } };
    before += advances[index] as number;
    return piece;
  });
}

/** Colours are a handful, the same in every document. */
const inks = new Map<string, string>();

/** `#1B1F1D` as the operator that fills with it. */
function inkOf(color: string): string {
  const known = inks.get(color);
  if (known) return known;
  const parts = [1, 3, 5].map((at) => short(Number.parseInt(color.slice(at, at + 2), 16) / 255));
  const ink = `${parts.join(' ')} rg`;
  inks.set(color, ink);
  return ink;
}

/** From the place of a text to where it begins. A space before a centred one does not count. */
function shiftOf(text: string, style: TextStyle, align: Align): number {
  if (align === 'left') return 0;
  const width = measure(text, style);
  return align === 'right' ? width : width - measure(text.trimStart(), style) / 2;
}

/**
 * Lines one under another. Between two of them there is a space that nobody sees, so that who listens
 * or copies does not get the last word of one joined to the first of the next.
 * Returns the baseline of the last.
 */
export function drawLines(
  doc: Doc,
  lines: readonly string[],
  x: number,
  baseline: number,
  step: number,
  style: TextStyle,
  align: Align = 'left',
): number {
  const last = lines.length - 1;
  lines.forEach((line, index) => {
    const before = align !== 'left' && index > 0 ? ' ' : '';
    const after = align === 'left' && index < last ? ' ' : '';
    drawText(doc, `${before}${line}${after}`, x, baseline + index * step, style, align);
  });
  return baseline + last * step;
}

/** What stands before a value at its right, with the space between them that is heard and not seen. */
export function drawLabel(
  doc: Doc,
  label: string,
  x: number,
  baseline: number,
  style: TextStyle,
): void {
  drawText(doc, `${label} `, x, baseline, style);
}

/** A horizontal line, `weight` points thick. It says nothing: out of the structure. */
export function drawRule(
  doc: Doc,
  from: number,
  to: number,
  y: number,
  { weight = 0.5, color = LINE }: { weight?: number; color?: string } = {},
): void {
  drawArtifact(doc, 'Layout', () => {
    doc.moveTo(pt(from), pt(y)).lineTo(pt(to), pt(y)).lineWidth(weight).strokeColor(color).stroke();
  });
}

/** What a screen reader passes over: decoration, and what repeats on every page. */
export function drawArtifact(doc: Doc, type: 'Layout' | 'Pagination', draw: () => void): void {
  doc.markContent('Artifact', { type });
  draw();
  doc.endMarkedContent();
}

interface TagOptions {
  /** What stands for a picture. */
  readonly alt?: string;
  /** Left, top, right and bottom of a picture, millimetres. */
  readonly box?: readonly [number, number, number, number];
  /** Of a heading cell. */
  readonly scope?: 'Column' | 'Row';
}

/** Draws a leaf of the structure: what `draw` puts on the page is that paragraph, cell or figure. */
export function drawTagged(
  doc: Doc,
  parent: Branch,
  type: string,
  draw: () => void,
  { alt, box, scope }: TagOptions = {},
): void {
  const options = {
    ...(alt ? { alt } : {}),
    ...(box ? { bbox: box.map(pt), placement: 'Block' } : {}),
    ...(scope ? { scope } : {}),
  };
  parent.add(doc.struct(type, options, [draw]));
}

/** Opens a branch of the structure under another. */
export function addBranch(doc: Doc, parent: Branch, type: string): Branch {
  const branch = doc.struct(type);
  parent.add(branch);
  return branch;
}
