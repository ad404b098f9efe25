/** The table of lines: its head, its rows, and the sums carried from page to page. */

import { setImmediate } from 'node:timers/promises';
import { amount } from '../domain/paper/amounts.ts';
import type { PaperRow, PaperTable } from '../domain/paper/paper.ts';
import {
  type Align,
  type Branch,
  type Doc,
  drawArtifact,
  drawLines,
  drawRule,
  drawTagged,
  drawText,
  measure,
  wrapText,
} from './canvas.ts';
import { type Column, type Columns, columnsFor, LEFT, RIGHT } from './columns.ts';
import { ROWS_END } from './plan.ts';
import { CELL, COLUMN, INK, STRONG, type TextStyle, VALUE } from './styles.ts';

/** Space above the first line of a row, height of a line, space below the last; and the baseline within a line. */
interface RowMeasures {
  readonly above: number;
  readonly line: number;
  readonly below: number;
  readonly baseline: number;
}

const ROOMY: RowMeasures = { above: 2.6, line: 4.6, below: 1.4, baseline: 3.4 };
const DENSE: RowMeasures = { above: 1.7, line: 4.2, below: 0.5, baseline: 2.8 };
/** With more lines than this, rows are closer together. */
const ROOMY_LINES = 14;

/** From the baseline of the head to the rule below it. */
const HEAD_TO_RULE = 2.6;
const SUMA_ANTERIOR = ROOMY.above + ROOMY.line + ROOMY.below;

/** A row ready to be drawn. One taller than a page is split: only the first part has numbers. */
export interface TableRow {
  readonly description: readonly string[];
  readonly quantity: readonly string[];
  readonly figures: PaperRow | null;
  readonly height: number;
  readonly amountCents: bigint;
  /** False if another part follows. */
  readonly isWhole: boolean;
}

export interface LinesTable {
  readonly paper: PaperTable;
  readonly columns: Columns;
  readonly measures: RowMeasures;
  readonly rows: readonly TableRow[];
}

/**
 * Lets others go on after every few rows: a thousand long ones take seconds.
 *
 * @param done rows so far
 */
export async function pauseBetweenRows(done: number): Promise<void> {
  if (done % ROWS_AT_ONCE === 0) await setImmediate();
}

/** Few enough to take milliseconds, and more than most invoices have. */
const ROWS_AT_ONCE = 8;

/**
 * With few lines their rows are apart, unless only closer together they fit on one page.
 *
 * @param headBaseline of the table on the first page, which has the least room for rows
 */
export async function layOutTable(
  paper: PaperTable,
  headBaseline: number,
  isOnePage: (table: LinesTable) => boolean,
): Promise<LinesTable> {
  if (paper.rows.length > ROOMY_LINES) return layOutRows(paper, headBaseline, DENSE);
  const roomy = await layOutRows(paper, headBaseline, ROOMY);
  if (isOnePage(roomy)) return roomy;
  const dense = await layOutRows(paper, headBaseline, DENSE);
  return isOnePage(dense) ? dense : roomy;
}

async function layOutRows(
  paper: PaperTable,
  headBaseline: number,
  measures: RowMeasures,
): Promise<LinesTable> {
  const columns = columnsFor(widestOf(paper), paper);
  const room = ROWS_END - firstRowTop(headBaseline) - measures.above - measures.below;
  const most = Math.max(5, Math.floor(room / measures.line));
  const rows: TableRow[] = [];
  for (const [index, row] of paper.rows.entries()) {
    rows.push(...tableRows(row, columns, measures, most));
    await pauseBetweenRows(index + 1);
  }
  return { paper, columns, measures, rows };
}

export function firstRowTop(headBaseline: number): number {
  return headBaseline + HEAD_TO_RULE;
}

export function nextRowTop(headBaseline: number): number {
  return headBaseline + HEAD_TO_RULE + SUMA_ANTERIOR;
}

function widestOf({ rows, priceLabel, amountLabel }: PaperTable) {
  const widest = (text: (row: PaperRow) => string, style: TextStyle) =>
    rows.reduce((most, row) => Math.max(most, measure(text(row), style)), 0);
  return {
    quantity: rows.reduce((most, { quantity }) => Math.max(most, widestWord(quantity)), 0),
    price: Math.max(
      measure(priceLabel, COLUMN),
      widest((row) => row.price, CELL),
    ),
    discount: widest((row) => row.discount, CELL),
    tax: widest((row) => row.tax, CELL),
    amount: Math.max(
      measure(amountLabel, COLUMN),
      widest((row) => row.amount, VALUE),
    ),
  };
}

/** The unit may wrap below the number, but neither breaks. */
function widestWord(quantity: string): number {
  return Math.max(...quantity.split(' ').map((word) => measure(word, CELL)));
}

function tableRows(
  row: PaperRow,
  columns: Columns,
  measures: RowMeasures,
  most: number,
): TableRow[] {
  const description = wrapText(row.description, columns.description.width, VALUE);
  const quantity = wrapText(row.quantity, columns.quantity.width, CELL);
  const count = Math.ceil(description.length / most);
  return Array.from({ length: count }, (_, piece) => {
    const lines = description.slice(piece * most, (piece + 1) * most);
    const figures = piece === 0 ? row : null;
    const tallest = Math.max(lines.length, figures ? quantity.length : 0);
    return {
      description: lines,
      quantity: figures ? quantity : [],
      figures,
      height: measures.above + tallest * measures.line + measures.below,
      amountCents: figures ? row.amountCents : 0n,
      isWhole: piece === count - 1,
    };
  });
}

/** The head is in the structure once: on later pages it only repeats for the eye. */
export function drawTableHead(
  doc: Doc,
  parent: Branch | null,
  { columns, paper }: LinesTable,
  baseline: number,
): void {
  const row = parent?.addBranch('TR');
  const head = (text: string, x: number, align: Align = 'right') => {
    const draw = () => drawText(doc, text, x, baseline, COLUMN, align);
    if (row) drawTagged(doc, row, 'TH', draw, { scope: 'Column' });
    else drawArtifact(doc, 'Pagination', draw);
  };
  head('Descripción', LEFT, 'left');
  head('Cantidad', columns.quantity.right);
  head(paper.priceLabel, columns.price.right);
  if (columns.discount) head('Dto.', columns.discount.right);
  if (paper.taxName) head(paper.taxName, columns.tax.right);
  head(paper.amountLabel, columns.amount.right);
  drawRule(doc, LEFT, RIGHT, baseline + HEAD_TO_RULE, { weight: 0.9, color: INK });
}

/** @returns the bottom of the row: its rule */
export function drawRow(
  doc: Doc,
  parent: Branch,
  { columns, measures, paper }: LinesTable,
  row: TableRow,
  top: number,
): number {
  const baseline = top + measures.above + measures.baseline;
  const branch = parent.addBranch('TR');
  drawTagged(doc, branch, 'TD', () => {
    drawLines(doc, row.description, LEFT, baseline, measures.line, VALUE);
  });
  drawTagged(doc, branch, 'TD', () => {
    drawLines(doc, row.quantity, columns.quantity.right, baseline, measures.line, CELL, 'right');
  });
  const cell = (text: string | undefined, column: Column, style: TextStyle = CELL) =>
    drawTagged(doc, branch, 'TD', () => {
      drawText(doc, text ?? '', column.right, baseline, style, 'right');
    });
  cell(row.figures?.price, columns.price);
  if (columns.discount) cell(row.figures?.discount, columns.discount);
  if (paper.taxName) cell(row.figures?.tax, columns.tax);
  cell(row.figures?.amount, columns.amount, VALUE);
  const bottom = top + row.height;
  if (row.isWhole) drawRule(doc, LEFT, RIGHT, bottom);
  return bottom;
}

const SUMA_Y_SIGUE = 6.2;

/** Below the last row of a page that is followed by another. */
export function drawSumaYSigue(
  doc: Doc,
  { columns }: LinesTable,
  bottom: number,
  cents: bigint,
): void {
  const baseline = bottom + SUMA_Y_SIGUE;
  drawArtifact(doc, 'Pagination', () => {
    drawText(doc, 'Suma y sigue', columns.tax.right, baseline, STRONG, 'right');
    drawText(doc, amount(cents), RIGHT, baseline, STRONG, 'right');
  });
}

/**
 * Directly below the head of a later page.
 *
 * @returns where the first row begins
 */
export function drawSumaAnterior(doc: Doc, headBaseline: number, cents: bigint): number {
  const baseline = headBaseline + HEAD_TO_RULE + ROOMY.above + ROOMY.baseline;
  drawArtifact(doc, 'Pagination', () => {
    drawText(doc, 'Suma anterior', LEFT, baseline, STRONG);
    drawText(doc, amount(cents), RIGHT, baseline, STRONG, 'right');
  });
  const top = nextRowTop(headBaseline);
  drawRule(doc, LEFT, RIGHT, top);
  return top;
}
