/** Drawing on a page: millimetres from its top left corner, and text by its baseline. */

import { short } from './embedded-fonts.ts';
import { fontOf, type Shaped, widthOf } from './fonts.ts';
import type { PackedDocument } from './packed-document.ts';
import { type Branch, drawMarked } from './structure.ts';
import { LINE, type TextStyle } from './styles.ts';
import { entriesOf } from './syntax.ts';
import { wrap } from './wrap.ts';

export type Doc = PackedDocument;
export type { Branch };
export type Align = 'left' | 'right' | 'center';

const POINTS_PER_MM = 72 / 25.4;

export function pt(mm: number): number {
  return mm * POINTS_PER_MM;
}

/** Width of a line of text, in millimetres. */
export function measure(text: string, { weight, size, tracking = 0 }: TextStyle): number {
  const gaps = Math.max(text.length - 1, 0);
  return (widthOf(text, weight, size) + tracking * gaps) / POINTS_PER_MM;
}

export function wrapText(text: string, width: number, style: TextStyle): string[] {
  return wrap(text, width, (piece) => measure(piece, style));
}

/** Draws one line. `x` is its left end, its right end or its middle, depending on `align`. */
export function drawText(
  doc: Doc,
  text: string,
  x: number,
  baseline: number,
  style: TextStyle,
  align: Align = 'left',
): void {
  if (text === '') return;
  // No-break spaces have served their purpose by now; copied text should have plain spaces.
  const plain = text.replaceAll('\u00a0', ' ');
  const left = pt(x - shiftOf(plain, style, align));
  const { weight, size, color, tracking } = style;
  const shaped = fontOf(weight).shape(plain);
  for (const { part, shift } of piecesOf(shaped)) {
    const { name, shown } = doc.fonts.show(weight, part);
    const place = `${short(left + (shift.x * size) / 1000)} ${short(pt(baseline) - (shift.y * size) / 1000)}`;
    // pdfkit's pages grow downwards; the negative scale turns the letters upright again.
    doc.addContent(
      `BT ${inkOf(color)} /${name} ${size} Tf ${tracking ? `${tracking} Tc ` : ''}` +
        `1 0 0 -1 ${place} Tm ${shown} TJ${tracking ? ' 0 Tc' : ''} ET`,
    );
  }
}

interface ShapedPiece {
  readonly part: Shaped;
  /** Offset from the start of its text; upwards is positive. */
  readonly shift: { readonly x: number; readonly y: number };
}

/** A text is drawn in one piece, unless accents have to be moved over their letters: then letter by letter. */
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

/** There are only a few colours, the same in every document. */
const inks = new Map<string, string>();

/** `#1B1F1D` as the operator that sets the fill colour. */
function inkOf(color: string): string {
  const known = inks.get(color);
  if (known) return known;
  const parts = [1, 3, 5].map((at) => short(Number.parseInt(color.slice(at, at + 2), 16) / 255));
  const ink = `${parts.join(' ')} rg`;
  inks.set(color, ink);
  return ink;
}

/** Offset from the anchor of a text to its left end. A leading space does not count in a centred text. */
function shiftOf(text: string, style: TextStyle, align: Align): number {
  if (align === 'left') return 0;
  const width = measure(text, style);
  return align === 'right' ? width : width - measure(text.trimStart(), style) / 2;
}

/**
 * Draws lines one below the other. Between two of them there is an invisible space, so that screen readers and copied
 * text do not join the last word of one to the first of the next.
 *
 * @returns the baseline of the last
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

/** A label before a right-aligned value, with an invisible space between them for screen readers. */
export function drawLabel(
  doc: Doc,
  label: string,
  x: number,
  baseline: number,
  style: TextStyle,
): void {
  drawText(doc, `${label} `, x, baseline, style);
}

/** A horizontal line, `weight` points thick. It has no meaning, so it is not part of the structure. */
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

/** Draws what screen readers skip: decoration, and what repeats on every page. */
export function drawArtifact(doc: Doc, type: 'Layout' | 'Pagination', draw: () => void): void {
  drawMarked(doc, `/Artifact <<\n/Type /${type}\n>>`, draw);
}

interface TagOptions {
  /** Alternative text of a picture. */
  readonly alt?: string;
  /** Left, top, right and bottom of a picture, in millimetres. */
  readonly box?: readonly [number, number, number, number];
  /** For a heading cell. */
  readonly scope?: 'Column' | 'Row';
}

/** Draws a leaf of the structure: what `draw` puts on the page is that paragraph, cell or figure. */
export function drawTagged(
  doc: Doc,
  parent: Branch,
  type: string,
  draw: () => void,
  options?: TagOptions,
): void {
  parent.addLeaf(type, options ? attributesOf(doc, options) : '', draw);
}

function attributesOf(doc: Doc, { alt, box, scope }: TagOptions): string {
  return entriesOf({
    ...(alt && { Alt: new String(alt) }),
    ...(box && { A: { O: 'Layout', Placement: 'Block', BBox: onPage(doc, box) } }),
    ...(scope && { A: { O: 'Table', Scope: scope } }),
  });
}

/** From the bottom left corner, as in a PDF. */
function onPage(doc: Doc, [left, top, right, bottom]: NonNullable<TagOptions['box']>): number[] {
  const { height } = doc.page;
  return [pt(left), height - pt(bottom), pt(right), height - pt(top)];
}
