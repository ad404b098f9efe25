/** A simplified invoice on till paper: 80 mm wide, and as long as needed. */

import type { Paper, PaperRow } from '../domain/paper/paper.ts';
import {
  type Branch,
  type Doc,
  drawLabel,
  drawLines,
  drawRule,
  drawTagged,
  drawText,
  measure,
  pt,
  wrapText,
} from './canvas.ts';
import type { OpenDocument } from './document.ts';
import type { FirstPage } from './first-page.ts';
import { drawLogo, fitBox, type Logo } from './logo.ts';
import { drawMarks, type Marks, STRIP_HEIGHT } from './marks.ts';
import { drawQrFigure } from './qr.ts';
import { ACCENT, BODY, INK, MUTED, type TextStyle } from './styles.ts';
import { type Band, drawTotal } from './totals-block.ts';

const WIDTH = 80;
const LEFT = 6;
const RIGHT = 74;
const MIDDLE = 40;
const QR_SIDE = 35;
const BAND: Band = { left: 4, right: 76, height: 10.6, radius: 1.6, baseline: 6.6, inset: 3 };
const BASE_RIGHT = 43.9;
const BOTTOM = 9;
/** A PDF page is at most 14,400 points high (ISO 32000-1 annex C.2): a longer ticket continues on another. */
const TALLEST = 5_000;

const LARGE: TextStyle = { weight: 600, size: 10, color: INK };
const NAME: TextStyle = { weight: 600, size: 9.5, color: INK };
const ITEM: TextStyle = { weight: 500, size: 9, color: INK };
const CELL: TextStyle = { weight: 400, size: 8.5, color: INK };
const TEXT: TextStyle = { weight: 400, size: 8.5, color: BODY };
const LABEL: TextStyle = { weight: 400, size: 8.5, color: MUTED };
const TOTAL: TextStyle = { weight: 700, size: 10, color: ACCENT };

/** Something to draw at `y`, and its height. */
interface Piece {
  readonly height: number;
  readonly draw: (doc: Doc, root: Branch, y: number) => void;
}

/** Laid out first and drawn later, because the height of the pages depends on the content. */
export function drawTicket(
  { doc, root }: OpenDocument,
  { paper, logo, note }: FirstPage,
  marks: Marks,
): void {
  const pieces = [
    ...qrPieces(paper.qr),
    ...issuerPieces(paper, logo),
    ...headPieces(paper, note),
    ...paper.table.rows.map((row) => rowPiece(row, paper.table.taxName)),
    totalPiece(paper),
    ...ratesPieces(paper),
    ...closingPieces(paper),
  ];
  const top = marks.hasDemoStrip ? STRIP_HEIGHT : 0;
  for (const onPage of pagesOf(pieces)) {
    const height = onPage.reduce((sum, piece) => sum + piece.height, top) + BOTTOM;
    const page = { width: WIDTH, height };
    doc.addPage({ size: [pt(WIDTH), pt(height)], margin: 0 });
    drawMarks(doc, marks, page);
    let y = top;
    for (const piece of onPage) {
      piece.draw(doc, root, y);
      y += piece.height;
    }
  }
}

function pagesOf(pieces: readonly Piece[]): Piece[][] {
  const pages: Piece[][] = [[]];
  let height = 0;
  for (const piece of pieces) {
    if (height + piece.height > TALLEST) {
      pages.push([]);
      height = 0;
    }
    pages.at(-1)?.push(piece);
    height += piece.height;
  }
  return pages;
}

function qrPieces(url: string | null): Piece[] {
  if (url === null) return [{ height: 2, draw: () => {} }];
  const left = MIDDLE - QR_SIDE / 2;
  return [
    textPiece(['QR tributario:'], LARGE, { above: 10, below: 4.5 }),
    {
      height: QR_SIDE,
      draw: (doc, root, y) => drawQrFigure(doc, root, url, { x: left, y, side: QR_SIDE }),
    },
    textPiece(['VERI*FACTU'], LARGE, { above: 6.9, below: 0 }),
  ];
}

function issuerPieces({ issuer }: Paper, logo: Logo | null): Piece[] {
  const name = wrapText(issuer.name, RIGHT - LEFT, NAME);
  const lines = issuer.lines.flatMap((line) => wrapText(line, RIGHT - LEFT, TEXT));
  return [
    ...(logo ? [logoPiece(logo, issuer.name)] : []),
    textPiece(name, NAME, { above: logo ? 6.1 : 10.1, below: 0 }),
    textPiece(lines, TEXT, { above: 4.7, below: 7 }),
    rulePiece({ weight: 0.9, color: INK }),
  ];
}

function logoPiece(logo: Logo, name: string): Piece {
  const above = 7.2;
  const size = fitBox(logo, 38, 15);
  const x = MIDDLE - size.width / 2;
  return {
    height: above + size.height,
    draw: (doc, root, y) => drawLogo(doc, root, logo, { x, y: y + above, ...size, owner: name }),
  };
}

/** Kind and number, dates, and what it rectifies. */
function headPieces({ heading, data, reference }: Paper, note: string | null): Piece[] {
  const [number, ...days] = data;
  const title = heading.join(' ');
  const room = RIGHT - LEFT - measure(title, LARGE) - 4;
  const numberStyle = number?.kind === 'pending' ? LABEL : LARGE;
  const numberLines = wrapText(number?.value ?? '', room, numberStyle);
  const rectified = reference
    ? [...reference.invoices.map((text) => `${reference.label} ${text}`), ...reference.lines]
    : [];
  return [
    {
      height: 5.85 + (numberLines.length - 1) * 4.2,
      draw: (doc, root, y) => {
        drawTagged(doc, root, 'H1', () => drawText(doc, title, LEFT, y + 5.85, LARGE));
        drawTagged(doc, root, 'P', () => {
          drawLines(doc, numberLines, RIGHT, y + 5.85, 4.2, numberStyle, 'right');
        });
      },
    },
    ...(note ? [textPiece([note], ITEM, { above: 4.9, below: 0, x: LEFT })] : []),
    ...days.map(({ label, value }) => pairPiece(label, value)),
    ...rectified.map((text) =>
      textPiece(wrapText(text, RIGHT - LEFT, TEXT), TEXT, { above: 4.9, below: 0, x: LEFT }),
    ),
    { height: 4.05, draw: () => {} },
    rulePiece(),
  ];
}

function pairPiece(label: string, value: string): Piece {
  return {
    height: 4.9,
    draw: (doc, root, y) =>
      drawTagged(doc, root, 'P', () => {
        drawLabel(doc, label, LEFT, y + 4.9, LABEL);
        drawText(doc, value, RIGHT, y + 4.9, CELL, 'right');
      }),
  };
}

/** The description with the amount on the right; below it, the calculation. */
function rowPiece(row: PaperRow, taxName: string | null): Piece {
  const step = 4;
  const name = wrapText(row.description, RIGHT - LEFT - measure(row.amount, ITEM) - 4, ITEM);
  const parts = [
    `${row.quantity.replace(/ ud$/, '')} × ${row.price}`,
    row.discount && `Dto. ${row.discount}`,
    taxName && row.tax && (/\d/.test(row.tax) ? `${taxName} ${row.tax}` : row.tax),
  ];
  const detail = wrapText(parts.filter(Boolean).join(' · '), RIGHT - LEFT, LABEL);
  const first = 5.3;
  const second = first + (name.length - 1) * step + 4.1;
  const height = second + (detail.length - 1) * step + 2.25;
  return {
    height,
    draw: (doc, root, y) => {
      drawTagged(doc, root, 'P', () => {
        drawLines(doc, name, LEFT, y + first, step, ITEM);
        drawText(doc, ` ${row.amount}`, RIGHT, y + first, ITEM, 'right');
      });
      drawTagged(doc, root, 'P', () => {
        drawLines(doc, detail, LEFT, y + second, step, LABEL);
      });
      drawRule(doc, LEFT, RIGHT, y + height);
    },
  };
}

function totalPiece({ total }: Paper): Piece {
  const above = 2.85;
  return {
    height: above + BAND.height,
    draw: (doc, root, y) =>
      drawTotal(doc, root, total, { band: BAND, style: TOTAL, top: y + above }),
  };
}

function ratesPieces({ rates, table }: Paper): Piece[] {
  if (rates.length === 0) return [];
  const head = 5.85;
  const rule = 2;
  const step = 4.55;
  return [
    {
      height: head + rule + rates.length * step - 0.35,
      draw: (doc, root, y) => {
        const branch = root.addBranch('Table');
        const row = (cells: readonly string[], baseline: number, type: 'TH' | 'TD') => {
          const line = branch.addBranch('TR');
          const style = type === 'TH' ? LABEL : CELL;
          const options = type === 'TH' ? ({ scope: 'Column' } as const) : {};
          cells.forEach((text, index) => {
            const x = [LEFT, BASE_RIGHT, RIGHT][index] ?? RIGHT;
            const align = index === 0 ? 'left' : 'right';
            const draw = () => drawText(doc, text, x, baseline, style, align);
            drawTagged(doc, line, type, draw, options);
          });
        };
        row([table.taxName ?? '', 'Base', 'Cuota'], y + head, 'TH');
        drawRule(doc, LEFT, RIGHT, y + head + rule);
        rates.forEach(({ label, base, quota }, index) => {
          row([label, base, quota], y + head + rule + 4.2 + index * step, 'TD');
        });
      },
    },
  ];
}

function closingPieces({ payment, mentions, notes, afterTotal, registry }: Paper): Piece[] {
  const method = payment.find(({ label }) => label === 'Forma de pago' || label === 'Abono');
  const texts = [
    ...afterTotal.map(({ label, amount }) => `${label}: ${amount}`),
    ...(method ? [`${method.label}: ${method.value}`] : []),
    ...mentions,
    ...(notes ? [notes] : []),
    ...(registry ? [registry] : []),
  ];
  return texts.map((text, index) =>
    textPiece(wrapText(text, RIGHT - LEFT, TEXT), TEXT, {
      above: index === 0 ? 8.3 : LINE,
      below: 0,
    }),
  );
}

const LINE = 4.25;

/** Lines in the middle of the paper, or from its left. */
function textPiece(
  lines: readonly string[],
  style: TextStyle,
  { above, below, x = MIDDLE }: { above: number; below: number; x?: number },
): Piece {
  return {
    height: above + (lines.length - 1) * LINE + below,
    draw: (doc, root, y) =>
      drawTagged(doc, root, 'P', () => {
        drawLines(doc, lines, x, y + above, LINE, style, x === MIDDLE ? 'center' : 'left');
      }),
  };
}

function rulePiece(options: { weight?: number; color?: string } = {}): Piece {
  return { height: 0, draw: (doc, _root, y) => drawRule(doc, LEFT, RIGHT, y, options) };
}
