/** The rectified or replaced invoices for which the first page has no room, after everything else. */

import { drawLines, drawTagged, drawText, measure, wrapText } from './canvas.ts';
import { LEFT, RIGHT } from './columns.ts';
import type { OpenDocument } from './document.ts';
import { pauseBetweenRows } from './lines-table.ts';
import { BLOCK_END } from './plan.ts';
import { LARGE, TEXT } from './styles.ts';

const HEAD_GAP = 8;
const STEP = 4.9;
const COLUMN_GAP = 6;
const MOST_COLUMNS = 3;

interface Annex {
  /** «Rectifica» or «Sustituye». */
  readonly label: string;
  readonly invoices: readonly string[];
}

/** @param nextPage starts a page and returns its first baseline */
export async function drawAnnex(
  { doc, root }: OpenDocument,
  { label, invoices }: Annex,
  nextPage: () => number,
): Promise<void> {
  const branch = root.addBranch('Sect');
  const widest = await widestOf(invoices);
  const fitting = Math.floor((RIGHT - LEFT + COLUMN_GAP) / (widest + COLUMN_GAP));
  const columns = Math.min(MOST_COLUMNS, Math.max(1, fitting));
  const width = (RIGHT - LEFT + COLUMN_GAP) / columns - COLUMN_GAP;
  const head = nextPage();
  drawTagged(doc, branch, 'P', () =>
    drawText(doc, `Anexo: facturas que ${label.toLowerCase()}`, LEFT, head, LARGE),
  );
  let top = head + HEAD_GAP;
  let column = 0;
  let baseline = top;
  for (const [index, invoice] of invoices.entries()) {
    await pauseBetweenRows(index + 1);
    const lines = wrapText(invoice, width, TEXT);
    if (baseline + (lines.length - 1) * STEP > BLOCK_END) {
      column = (column + 1) % columns;
      if (column === 0) top = nextPage();
      baseline = top;
    }
    const x = LEFT + column * (width + COLUMN_GAP);
    drawTagged(doc, branch, 'P', () => {
      baseline = drawLines(doc, lines, x, baseline, STEP, TEXT) + STEP;
    });
  }
}

/** Width of the widest, at most that of the page. */
async function widestOf(invoices: readonly string[]): Promise<number> {
  let widest = 0;
  for (const [index, invoice] of invoices.entries()) {
    const lines = wrapText(invoice, RIGHT - LEFT, TEXT);
    widest = Math.max(widest, ...lines.map((line) => measure(line, TEXT)));
    await pauseBetweenRows(index + 1);
  }
  return widest;
}
