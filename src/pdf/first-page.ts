/** Page 1 down to the table: logo, issuer, QR, heading, data, client and rectified invoices. */

import type { Datum, Paper, Party, Reference } from '../domain/paper/paper.ts';
import {
  type Branch,
  drawLabel,
  drawLines,
  drawRule,
  drawTagged,
  drawText,
  measure,
  wrapText,
} from './canvas.ts';
import { LEFT, RIGHT } from './columns.ts';
import type { OpenDocument } from './document.ts';
import { drawLogo, fitBox, type Logo } from './logo.ts';
import { drawQrFigure } from './qr.ts';
import { HEADING, LABEL, LARGE, SMALL, STRONG, TEXT, type TextStyle, VALUE } from './styles.ts';

/** Where values begin beside their labels, in the blocks on the left. */
export const VALUES = 46;

const LOGO = { x: LEFT, y: 16, width: 46, height: 18 } as const;
/** From this height on, a logo fills its place. */
const HIGH_LOGO = 14;
const QR = { x: 87.5, y: 24, side: 35, middle: 105, above: 19.4, below: 66.2 } as const;
const ISSUER = { gap: 8, width: 60, nameStep: 4.6, step: 4.5 } as const;
const HEADINGS = { first: 22, step: 8, toNote: 5.4 } as const;
/** If the heading has two lines, it begins this much lower. */
const DATA = { x: 136, baseline: 42, lower: 4, step: 5.6, gap: 3, lineStep: 4.8 } as const;
const RULE = { highest: 75.5, gap: 3 } as const;
const CLIENT = { gap: 7.5, width: 146, nameStep: 5.2, afterName: 5.4, step: 4.9 } as const;
const REFERENCE_GAP = 3.4;
const TABLE_GAP = 6.5;
/**
 * The rectified invoices end here or above: below, there is room for the head of the table and a row of five lines.
 */
const REFERENCE_END = 219;
/**
 * If they do not fit, an annex is needed anyway, and what stays on the page ends here, so that the totals may fit
 * too.
 */
const ANNEXED_END = 150;
/** Used when there is nothing between the rule and the table. */
const BARE_GAP = 9;

export interface FirstPage {
  readonly paper: Paper;
  readonly logo: Logo | null;
  /** Under the heading: what distinguishes this copy. */
  readonly note: string | null;
}

export interface DrawnFirstPage {
  /** Baseline of the table's head. */
  readonly headBaseline: number;
  /** The invoices in `reference` that had no room and go into an annex. */
  readonly inAnnex: readonly string[];
}

export function drawFirstPage(
  open: OpenDocument,
  { paper, logo, note }: FirstPage,
): DrawnFirstPage {
  const { root } = open;
  drawHeading(open, paper.heading, note);
  const issuerEnd = drawIssuer(open, paper.issuer, logo);
  if (paper.qr !== null) drawQrBlock(open, paper.qr);
  const dataTop = DATA.baseline + (paper.heading.length - 1) * DATA.lower;
  const dataEnd = drawData(open, paper.data, dataTop);

  const rule = Math.max(RULE.highest, issuerEnd + RULE.gap, dataEnd + RULE.gap);
  drawRule(open.doc, LEFT, RIGHT, rule);
  let next = rule + CLIENT.gap;
  let inAnnex: readonly string[] = [];
  if (paper.client) next = drawClient(open, root, paper.client, next) + CLIENT.step;
  if (paper.reference) {
    const top = paper.client ? next + REFERENCE_GAP : next;
    const reference = shorten(paper.reference, top);
    inAnnex = paper.reference.invoices.slice(reference.invoices.length);
    next = drawReference(open, root, reference, top) + CLIENT.step;
  }
  const headBaseline = paper.client || paper.reference ? next + TABLE_GAP : rule + BARE_GAP;
  return { headBaseline, inAnnex };
}

function drawHeading({ doc, root }: OpenDocument, lines: readonly string[], note: string | null) {
  let last: number = HEADINGS.first;
  drawTagged(doc, root, 'H1', () => {
    last = drawLines(doc, lines, RIGHT, HEADINGS.first, HEADINGS.step, HEADING, 'right');
  });
  if (note === null) return;
  drawTagged(doc, root, 'P', () =>
    drawText(doc, note, RIGHT, last + HEADINGS.toNote, STRONG, 'right'),
  );
}

/** What is under a low logo follows it. Without a logo, the name takes its place. */
function drawIssuer({ doc, root }: OpenDocument, issuer: Party, logo: Logo | null): number {
  let next: number = HEADINGS.first;
  if (logo) {
    const size = fitBox(logo, LOGO.width, LOGO.height);
    drawLogo(doc, root, logo, { x: LOGO.x, y: LOGO.y, ...size, owner: issuer.name });
    const name = wrapText(issuer.name, ISSUER.width, STRONG);
    drawTagged(doc, root, 'P', () => {
      const height = size.height < HIGH_LOGO ? size.height : LOGO.height;
      const top = LOGO.y + height + ISSUER.gap;
      next = drawLines(doc, name, LEFT, top, ISSUER.nameStep, STRONG) + 5;
    });
  } else {
    const name = wrapText(issuer.name, ISSUER.width, LARGE);
    drawTagged(doc, root, 'P', () => {
      next = drawLines(doc, name, LEFT, next, CLIENT.nameStep, LARGE) + CLIENT.afterName;
    });
  }
  for (const text of issuer.lines) {
    const lines = wrapText(text, ISSUER.width, SMALL);
    drawTagged(doc, root, 'P', () => {
      next = drawLines(doc, lines, LEFT, next, ISSUER.step, SMALL) + ISSUER.step;
    });
  }
  return next - ISSUER.step;
}

function drawQrBlock({ doc, root }: OpenDocument, url: string): void {
  drawTagged(doc, root, 'P', () =>
    drawText(doc, 'QR tributario:', QR.middle, QR.above, LARGE, 'center'),
  );
  drawQrFigure(doc, root, url, QR);
  drawTagged(doc, root, 'P', () =>
    drawText(doc, 'VERI*FACTU', QR.middle, QR.below, LARGE, 'center'),
  );
}

/** @returns the last baseline */
function drawData({ doc, root }: OpenDocument, data: readonly Datum[], top: number): number {
  let next = top;
  for (const { label, value, kind } of data) {
    const width = RIGHT - DATA.x - measure(label, LABEL) - DATA.gap;
    const style = kind === 'number' ? numberStyle(value, width) : kind ? LABEL : VALUE;
    const lines = wrapText(value, width, style);
    const baseline = next;
    drawTagged(doc, root, 'P', () => {
      drawLabel(doc, label, DATA.x, baseline, LABEL);
      next = drawLines(doc, lines, RIGHT, baseline, DATA.lineStep, style, 'right') + DATA.step;
    });
  }
  return next - DATA.step;
}

/** A number that would be broken in two is smaller, if it fits then. */
function numberStyle(number: string, width: number): TextStyle {
  const fits = (style: TextStyle) => wrapText(number, width, style).length === 1;
  return !fits(LARGE) && fits(STRONG) ? STRONG : LARGE;
}

/** @returns the last baseline */
function drawClient({ doc }: OpenDocument, parent: Branch, client: Party, top: number): number {
  const name = wrapText(client.name, CLIENT.width, LARGE);
  let last = top;
  drawTagged(doc, parent, 'P', () => {
    drawLabel(doc, 'Cliente', LEFT, top, LABEL);
    last = drawLines(doc, name, VALUES, top, CLIENT.nameStep, LARGE);
  });
  client.lines.forEach((text, index) => {
    const lines = wrapText(text, CLIENT.width, TEXT);
    const baseline = last + (index === 0 ? CLIENT.afterName : CLIENT.step);
    drawTagged(doc, parent, 'P', () => {
      last = drawLines(doc, lines, VALUES, baseline, CLIENT.step, TEXT);
    });
  });
  return last;
}

/** As many invoices as leave room for the table below, and how many more there are. */
function shorten(reference: Reference, top: number): Reference {
  const { invoices, lines } = reference;
  const height = (text: string, style: typeof TEXT) =>
    wrapText(text, CLIENT.width, style).length * CLIENT.step;
  const under = lines.reduce((sum, text) => sum + height(text, TEXT), 0);
  const room = (end: number) => end + CLIENT.step - top - under;
  let shown = 0;
  let used = 0;
  for (const text of invoices) {
    if (used > room(REFERENCE_END)) break; // There may be thousands more.
    used += height(text, STRONG);
    // The last available line says how many more there are.
    if (used + CLIENT.step <= room(ANNEXED_END)) shown += 1;
  }
  if (used <= room(REFERENCE_END)) return reference;
  const more = `y ${invoices.length - shown} más, en el anexo del final`;
  return { ...reference, invoices: invoices.slice(0, shown), lines: [more, ...lines] };
}

/** @returns the last baseline */
function drawReference(
  { doc }: OpenDocument,
  parent: Branch,
  { label, invoices, lines }: Reference,
  top: number,
): number {
  const branch = parent.addBranch('Sect');
  drawTagged(doc, branch, 'P', () => drawText(doc, label, LEFT, top, LABEL));
  let next = top;
  const draw = (text: string, style: typeof TEXT) => {
    const wrapped = wrapText(text, CLIENT.width, style);
    drawTagged(doc, branch, 'P', () => {
      next = drawLines(doc, wrapped, VALUES, next, CLIENT.step, style) + CLIENT.step;
    });
  };
  for (const invoice of invoices) draw(invoice, STRONG);
  for (const line of lines) draw(line, TEXT);
  return next - CLIENT.step;
}
