import type { Paper } from '../domain/paper/paper.ts';
import { drawAnnex } from './annex.ts';
import {
  type Doc,
  drawArtifact,
  drawLines,
  drawTagged,
  drawText,
  measure,
  wrapText,
} from './canvas.ts';
import { LEFT, RIGHT } from './columns.ts';
import type { OpenDocument } from './document.ts';
import { drawFirstPage, type FirstPage } from './first-page.ts';
import {
  drawRow,
  drawSumaAnterior,
  drawSumaYSigue,
  drawTableHead,
  firstRowTop,
  type LinesTable,
  layOutTable,
  nextRowTop,
  pauseBetweenRows,
} from './lines-table.ts';
import { drawFoot, drawMarks, type Marks, type PageSize } from './marks.ts';
import { BLOCK_END, planPages } from './plan.ts';
import { LABEL, LARGE, SMALL, STRONG } from './styles.ts';
import { layOutTotals } from './totals-block.ts';

const A4: PageSize = { width: 210, height: 297 };

/** The invoice on as many A4 pages as it takes. */
export async function drawA4(open: OpenDocument, page: FirstPage, marks: Marks): Promise<void> {
  const { doc, root } = open;
  const { paper } = page;
  startPage(doc, marks);
  const { headBaseline: firstHead, inAnnex } = drawFirstPage(open, page);
  const header = layOutNextHeader(paper);
  const totals = layOutTotals(paper);
  const pagesOf = ({ rows }: LinesTable) =>
    planPages({
      rowHeights: rows.map(({ height }) => height),
      firstTop: firstRowTop(firstHead),
      nextTop: nextRowTop(header.headBaseline),
      blockHeight: totals.height,
    });
  const table = await layOutTable(paper.table, firstHead, (laid) => pagesOf(laid).length === 1);
  const pages = pagesOf(table);

  const nextPage = () => {
    startPage(doc, marks);
    header.draw(doc);
    return header.headBaseline;
  };
  const branch = root.addBranch('Table');
  let bottom = 0;
  let carriedCents = 0n;
  let done = 0;
  for (const [index, { from, to }] of pages.entries()) {
    // If the first page has no room for a row, the table does not even begin there.
    if (index === 0 && to === 0 && pages.length > 1) continue;
    if (index === 0) {
      drawTableHead(doc, branch, table, firstHead);
      bottom = firstRowTop(firstHead);
    } else {
      nextPage();
      drawTableHead(doc, from === 0 ? branch : null, table, header.headBaseline);
      bottom =
        from === 0
          ? firstRowTop(header.headBaseline)
          : drawSumaAnterior(doc, header.headBaseline, carriedCents);
    }
    for (const row of table.rows.slice(from, to)) {
      bottom = drawRow(doc, branch, table, row, bottom);
      carriedCents += row.amountCents;
      done += 1;
      await pauseBetweenRows(done);
    }
    if (index < pages.length - 1) drawSumaYSigue(doc, table, bottom, carriedCents);
  }

  const end = totals.draw(doc, root, bottom);
  if (totals.longNotes !== '') drawLongNotes(open, totals.longNotes, end, nextPage);
  if (paper.reference && inAnnex.length > 0)
    await drawAnnex(open, { label: paper.reference.label, invoices: inAnnex }, nextPage);
  drawFeet(doc, marks.foot);
}

function startPage(doc: Doc, marks: Marks): void {
  doc.addPage({ size: 'A4', margin: 0 });
  drawMarks(doc, marks, A4);
}

interface NextHeader {
  readonly headBaseline: number;
  readonly draw: (doc: Doc) => void;
}

const NEXT = { baseline: 20, line: 4.8, gap: 5.2, toHead: 12.8, between: 8 } as const;

/**
 * Issuer, invoice and client, above the table of every page after the first. It repeats page 1, so it is only for the
 * eye.
 */
function layOutNextHeader(paper: Paper): NextHeader {
  const room = RIGHT - LEFT - NEXT.between;
  const title = wrapText(paper.title, room / 2, LARGE);
  const titleWidth = Math.max(...title.map((line) => measure(line, LARGE)));
  const name = wrapText(paper.issuer.name, room - titleWidth, STRONG);
  const day = paper.data.find(({ label }) => label === 'Fecha de expedición');
  const date = day ? `${day.label} ${day.value}` : '';
  const client = paper.client
    ? wrapText(`Cliente: ${paper.client.name}`, room - measure(date, LABEL), LABEL)
    : [];
  const tallest = Math.max(title.length, name.length);
  const second = NEXT.baseline + (tallest - 1) * NEXT.line + NEXT.gap;
  const last = second + Math.max(client.length - 1, 0) * NEXT.line;
  return {
    headBaseline: last + NEXT.toHead,
    draw: (doc) => {
      drawArtifact(doc, 'Pagination', () => {
        drawLines(doc, name, LEFT, NEXT.baseline, NEXT.line, STRONG);
        drawLines(doc, title, RIGHT, NEXT.baseline, NEXT.line, LARGE, 'right');
        drawLines(doc, client, LEFT, second, NEXT.line, LABEL);
        drawText(doc, date, RIGHT, second, LABEL, 'right');
      });
    },
  };
}

/** The least lines that begin them on a page, and that end them on another. */
const LONG_NOTES = { gap: 9, line: 4.5, least: 3, last: 2 } as const;

/** Line by line to the end of the page, and on to the next. */
function drawLongNotes(
  { doc, root }: OpenDocument,
  notes: string,
  end: number,
  nextPage: () => number,
): void {
  let lines = wrapText(notes, RIGHT - LEFT, SMALL);
  let top = end + LONG_NOTES.gap;
  const fitting = () => Math.floor((BLOCK_END - top) / LONG_NOTES.line) + 1;
  if (fitting() < LONG_NOTES.least) top = nextPage();
  while (lines.length > 0) {
    const rest = lines.length - fitting();
    const short = rest > 0 ? Math.max(LONG_NOTES.last - rest, 0) : 0;
    const here = lines.slice(0, fitting() - short);
    drawTagged(doc, root, 'P', () => {
      drawLines(doc, here, LEFT, top, LONG_NOTES.line, SMALL);
    });
    lines = lines.slice(here.length);
    if (lines.length > 0) top = nextPage();
  }
}

/** Drawn at the end, when the number of pages is known. */
function drawFeet(doc: Doc, text: string): void {
  const { start, count } = doc.bufferedPageRange();
  for (let page = 0; page < count; page += 1) {
    doc.switchToPage(start + page);
    drawFoot(doc, text, `Página ${page + 1} de ${count}`);
  }
}
