/** The user manual as PDF: a cover, a table of contents and its chapters, from their Markdown. */

import { marked, type Token, type Tokens } from 'marked';
import {
  type Branch,
  type Doc,
  drawArtifact,
  drawRule,
  drawTagged,
  drawText,
  measure,
  pt,
} from './canvas.ts';
import { closeDocument, type OpenDocument, openDocument } from './document.ts';
import { breakRuns, drawRuns, type Run, runsOf } from './rich-text.ts';
import { ACCENT, ACCENT_SOFT, BODY, FOOT, INK, LINE, MUTED, type TextStyle } from './styles.ts';

export interface Manual {
  /** Its chapters in order, as Markdown. */
  readonly chapters: readonly string[];
  /** Reads a picture that a chapter refers to. */
  readonly picture: (href: string) => Buffer;
  readonly version: string;
  /** `YYYY-MM-DD`, the date of the file. */
  readonly day: string;
}

const LEFT = 24;
const RIGHT = 186;
const WIDTH = RIGHT - LEFT;
const TOP = 28;
const BOTTOM = 270;
const STEP = 5.2;
const INDENT = 6;
const PICTURE_HEIGHT = 112;

const H1: TextStyle = { weight: 700, size: 22, color: INK, tracking: -0.3 };
const H2: TextStyle = { weight: 600, size: 13, color: INK };
const TEXT: TextStyle = { weight: 400, size: 10, color: BODY };
const CELL: TextStyle = { weight: 400, size: 9, color: BODY };
const HEAD: TextStyle = { weight: 600, size: 9, color: MUTED };
const CAPTION: TextStyle = { weight: 400, size: 8.5, color: MUTED };

interface Entry {
  readonly text: string;
  readonly depth: 1 | 2;
  readonly page: number;
  readonly name: string;
}

/** The position of the next element. */
interface Place {
  readonly open: OpenDocument;
  readonly manual: Manual;
  /** Millimetres from the top of the page. */
  y: number;
  readonly entries: Entry[];
  /** What follows the element being drawn. */
  next: Token | undefined;
}

/** @throws {Error} naming an element of the Markdown that it cannot draw: nothing is left out silently */
export async function drawManual(manual: Manual): Promise<Uint8Array> {
  const open = openDocument({ title: 'Manual de Huella', author: 'Huella', day: manual.day });
  const { doc, root } = open;
  drawCover(open, manual.version);
  const chapters = manual.chapters.map((chapter) =>
    marked.lexer(chapter).filter(({ type }) => type !== 'space'),
  );
  // The contents come before the chapters, so their pages are reserved first.
  const depths = chapters
    .flat()
    .flatMap((token) => (token.type === 'heading' ? [entryDepth(token)] : []));
  const contentsPages = (layContents(depths).at(-1)?.page ?? 0) + 1;
  for (let page = 0; page < contentsPages; page++) doc.addPage({ size: 'A4', margin: 0 });
  const contents = root.addBranch('TOC');
  const place: Place = { open, manual, y: TOP, entries: [], next: undefined };
  for (const tokens of chapters) {
    tokens.forEach((token, index) => {
      place.next = tokens[index + 1];
      drawBlock(place, root, token);
    });
  }
  drawContents(doc, contents, place.entries, 1);
  drawFeet(doc);
  return closeDocument(open);
}

function drawCover({ doc, root }: OpenDocument, version: string): void {
  doc.addPage({ size: 'A4', margin: 0 });
  drawArtifact(doc, 'Layout', () => {
    doc.rect(0, 0, pt(210), pt(297)).fill(ACCENT_SOFT);
    // The ridges of a fingerprint, running off the corner.
    for (let ridge = 0; ridge < 14; ridge++) {
      doc
        .circle(pt(196), pt(268), pt(14 + ridge * 9))
        .lineWidth(2.6)
        .strokeOpacity(0.16 + ridge * 0.012)
        .stroke(ACCENT);
    }
    doc.strokeOpacity(1);
  });
  drawTagged(doc, root, 'Title', () => {
    drawText(doc, 'Huella ', LEFT, 84, { weight: 700, size: 44, color: INK, tracking: -0.8 });
    drawText(doc, 'Manual de usuario', LEFT, 98, { weight: 500, size: 20, color: ACCENT });
  });
  drawTagged(doc, root, 'P', () => {
    drawText(doc, 'Facturación verificable para tu empresa ', LEFT, 108, { ...TEXT, size: 11 });
    drawText(doc, `Versión ${version}`, LEFT, 115, { ...TEXT, color: MUTED });
  });
}

function drawBlock(place: Place, parent: Branch, token: Token): void {
  switch (token.type) {
    case 'heading':
      drawHeading(place, parent, token as Tokens.Heading);
      break;
    case 'paragraph': {
      const picture = pictureOf(token);
      if (picture) drawPicture(place, parent, picture);
      else
        drawParagraph(place, parent, 'P', runsOf((token as Tokens.Paragraph).tokens, TEXT), LEFT);
      place.y += 2.6;
      break;
    }
    case 'list':
      drawList(place, parent, token as Tokens.List);
      break;
    case 'blockquote':
      drawTip(place, parent, token as Tokens.Blockquote);
      break;
    case 'table':
      drawTable(place, parent, token as Tokens.Table);
      break;
    default:
      throw new Error(`The manual has a «${token.type}», which is not drawn.`);
  }
}

/** A paragraph that only contains a picture. */
function pictureOf(token: Token | undefined): Tokens.Image | undefined {
  const { tokens = [] } = (token ?? {}) as Partial<Tokens.Paragraph>;
  const [only] = tokens;
  return tokens.length === 1 && only?.type === 'image' ? (only as Tokens.Image) : undefined;
}

const entryDepth = (heading: Token): Entry['depth'] =>
  (heading as Tokens.Heading).depth === 1 ? 1 : 2;

/** A chapter's heading starts a page; a smaller heading stays with what follows it. */
function drawHeading(place: Place, parent: Branch, heading: Tokens.Heading): void {
  const { doc } = place.open;
  const depth = entryDepth(heading);
  const style = depth === 1 ? H1 : H2;
  const text = runsOf(heading.tokens, style)
    .map((run) => run.text)
    .join('');
  if (depth === 1) newPage(place);
  else {
    place.y += 4;
    makeRoom(place, 26 + (pictureOf(place.next) ? PICTURE_HEIGHT : 0));
  }
  const { count } = doc.bufferedPageRange();
  const name = `apartado-${place.entries.length + 1}`;
  place.entries.push({ text, depth, page: count, name });
  doc.addNamedDestination(name, 'XYZ', 0, pt(place.y - 8), null);
  if (depth === 1) doc.outline.addItem(text);
  drawTagged(doc, parent, depth === 1 ? 'H1' : 'H2', () => {
    drawText(doc, text, LEFT, place.y + (depth === 1 ? 4 : 0), style);
  });
  place.y += depth === 1 ? 16 : 7.4;
}

/** As many lines as there is room for, and the rest on the next page. */
function drawParagraph(
  place: Place,
  parent: Branch,
  role: 'P' | 'LBody',
  runs: readonly Run[],
  left: number,
): void {
  const { doc } = place.open;
  let lines = breakRuns(runs, RIGHT - left);
  while (lines.length > 0) {
    makeRoom(place, Math.min(lines.length, 2) * STEP);
    const fitting = Math.max(1, Math.floor((BOTTOM - place.y) / STEP) + 1);
    const here = lines.slice(0, fitting);
    const { y } = place;
    drawTagged(doc, parent, role, () => drawRuns(doc, here, left, y, STEP));
    place.y += here.length * STEP;
    lines = lines.slice(here.length);
  }
}

function drawList(place: Place, parent: Branch, { items, ordered }: Tokens.List): void {
  const { doc } = place.open;
  const list = parent.addBranch('L');
  items.forEach((item, index) => {
    const runs = runsOf(item.tokens, TEXT);
    // Its number stays with the first lines of its text.
    makeRoom(place, Math.min(breakRuns(runs, RIGHT - LEFT - INDENT).length, 2) * STEP);
    const branch = list.addBranch('LI');
    const label = ordered ? `${index + 1}.` : '•';
    const { y } = place;
    drawTagged(doc, branch, 'Lbl', () => {
      drawText(doc, `${label} `, LEFT + 0.5, y, { ...TEXT, weight: 600, color: ACCENT });
    });
    drawParagraph(place, branch, 'LBody', runs, LEFT + INDENT);
    place.y += 1.4;
  });
  place.y += 1.6;
}

const TIP = { inside: 5, gap: 5 } as const;

function drawTip(place: Place, parent: Branch, { tokens }: Tokens.Blockquote): void {
  const { doc } = place.open;
  const runs = tokens.flatMap((token) => runsOf((token as Tokens.Paragraph).tokens, TEXT));
  const lines = breakRuns(runs, WIDTH - 2 * TIP.inside - 2);
  const height = lines.length * STEP + 2 * TIP.inside - 2;
  makeRoom(place, height + 2);
  const top = place.y - 3;
  drawArtifact(doc, 'Layout', () => {
    doc.roundedRect(pt(LEFT), pt(top), pt(WIDTH), pt(height), 6).fill(ACCENT_SOFT);
    doc.rect(pt(LEFT), pt(top), pt(1), pt(height)).fill(ACCENT);
  });
  drawTagged(doc, parent, 'Note', () =>
    drawRuns(doc, lines, LEFT + TIP.inside + 1, top + TIP.inside + 2.6, STEP),
  );
  place.y = top + height + TIP.gap + 3;
}

/** As wide as the text, or as high as a page allows. */
function drawPicture(place: Place, parent: Branch, { href, text }: Tokens.Image): void {
  const { doc } = place.open;
  const image = place.manual.picture(href);
  const { width: pixels, height: rows } = (
    doc as unknown as { openImage(file: Buffer): { width: number; height: number } }
  ).openImage(image);
  const width = Math.min(WIDTH, (PICTURE_HEIGHT * pixels) / rows);
  const height = (width * rows) / pixels;
  makeRoom(place, height + 10);
  const { y } = place;
  const box = [LEFT, y, LEFT + width, y + height] as const;
  drawTagged(
    doc,
    parent,
    'Figure',
    () => {
      doc.image(image, pt(LEFT), pt(y), { width: pt(width) });
    },
    { alt: text, box },
  );
  drawArtifact(doc, 'Layout', () => {
    doc.rect(pt(LEFT), pt(y), pt(width), pt(height)).lineWidth(0.6).stroke(LINE);
  });
  drawTagged(doc, parent, 'Caption', () => drawText(doc, text, LEFT, y + height + 5, CAPTION));
  place.y = y + height + 10.4;
}

function drawTable(place: Place, parent: Branch, { header, rows }: Tokens.Table): void {
  const { doc } = place.open;
  const table = parent.addBranch('Table');
  const first = 40;
  const rest = (WIDTH - first) / (header.length - 1);
  const leftOf = (column: number) => LEFT + (column === 0 ? 0 : first + (column - 1) * rest);
  const widthOf = (column: number) => (column === 0 ? first : rest) - 4;

  const drawCells = (cells: readonly Tokens.TableCell[], style: TextStyle, role: 'TH' | 'TD') => {
    const texts = cells.map(({ tokens }, column) =>
      breakRuns(runsOf(tokens, style), widthOf(column)),
    );
    const height = Math.max(...texts.map((lines) => lines.length)) * 4.6 + 2.6;
    makeRoom(place, height);
    const row = table.addBranch('TR');
    const { y } = place;
    texts.forEach((lines, column) => {
      drawTagged(doc, row, role, () => drawRuns(doc, lines, leftOf(column), y, 4.6), {
        ...(role === 'TH' && { scope: 'Column' as const }),
      });
    });
    place.y += height;
    drawRule(doc, LEFT, RIGHT, place.y - 4.2);
  };
  drawCells(header, HEAD, 'TH');
  for (const row of rows) drawCells(row, CELL, 'TD');
  place.y += 4;
}

const CONTENTS = { first: 44, chapter: 7.4, section: 5.2, tightest: 0.75 } as const;

/** The position of a line of the contents: its page among those of the contents, from 0, and its baseline. */
interface ContentsLine {
  readonly page: number;
  readonly y: number;
}

/**
 * Distributes the contents over pages. Lines are set closer rather than leaving a few on another page, and no chapter
 * is last on a page without its first section.
 */
function layContents(depths: readonly Entry['depth'][]): ContentsLine[] {
  const stepOf = (depth: Entry['depth']) => (depth === 1 ? CONTENTS.chapter : CONTENTS.section);
  const height = depths.reduce((sum, depth) => sum + stepOf(depth), 0);
  const tightness = (BOTTOM - CONTENTS.first) / height;
  const closeness = tightness >= CONTENTS.tightest ? Math.min(1, tightness) : 1;
  let page = 0;
  let y: number = CONTENTS.first;
  return depths.map((depth) => {
    y += stepOf(depth) * closeness;
    const needed = depth === 1 ? y + CONTENTS.section * closeness : y;
    if (needed > BOTTOM + 0.01) {
      page += 1;
      y = TOP + stepOf(depth);
    }
    return { page, y };
  });
}

/** @param firstPage of the contents, counted from 0 in the document */
function drawContents(
  doc: Doc,
  branch: Branch,
  entries: readonly Entry[],
  firstPage: number,
): void {
  const lines = layContents(entries.map(({ depth }) => depth));
  doc.switchToPage(firstPage);
  drawTagged(doc, branch, 'Caption', () => drawText(doc, 'Contenido', LEFT, TOP + 8, H1));
  entries.forEach(({ text, depth, page, name }, index) => {
    const { page: at, y } = lines[index] as ContentsLine;
    doc.switchToPage(firstPage + at);
    const style: TextStyle = depth === 1 ? { ...TEXT, weight: 600, color: INK } : CELL;
    const left = depth === 1 ? LEFT : LEFT + INDENT;
    const number = String(page);
    drawTagged(doc, branch, 'TOCI', () => {
      drawText(doc, `${text} `, left, y, style);
      drawText(doc, number, RIGHT, y, style, 'right');
    });
    drawArtifact(doc, 'Layout', () => {
      const from = left + measure(text, style) + 2;
      const to = RIGHT - measure(number, style) - 2;
      doc.moveTo(pt(from), pt(y)).lineTo(pt(to), pt(y));
      doc.lineWidth(0.5).dash(0.6, { space: 2.4 }).strokeColor(LINE).stroke().undash();
    });
    doc.goTo(pt(LEFT), pt(y - 4), pt(WIDTH), pt(CONTENTS.section), name);
  });
}

function makeRoom(place: Place, height: number): void {
  if (place.y + height > BOTTOM) newPage(place);
}

function newPage(place: Place): void {
  place.open.doc.addPage({ size: 'A4', margin: 0 });
  place.y = TOP;
}

/** The page number, on all pages except the cover. */
function drawFeet(doc: Doc): void {
  const { count } = doc.bufferedPageRange();
  for (let page = 1; page < count; page++) {
    doc.switchToPage(page);
    drawArtifact(doc, 'Pagination', () => {
      drawText(doc, 'Manual de Huella', LEFT, 284, FOOT);
      drawText(doc, `Página ${page + 1} de ${count}`, RIGHT, 284, FOOT, 'right');
    });
  }
}
