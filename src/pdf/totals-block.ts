/** Below the table: on the right rates, sums and total; on the left payment, mentions and short notes. */

import type { Paper, PaperRate, Sum } from '../domain/paper/paper.ts';
import {
  type Branch,
  type Doc,
  drawArtifact,
  drawLabel,
  drawLines,
  drawRule,
  drawTagged,
  drawText,
  measure,
  pt,
  wrapText,
} from './canvas.ts';
import { LEFT, RIGHT } from './columns.ts';
import { VALUES } from './first-page.ts';
import { ACCENT_SOFT, CELL, LABEL, SMALL, STRONG, type TextStyle, TOTAL, VALUE } from './styles.ts';

const TOTALS_LEFT = 112;
const BASE_RIGHT = 160;
const COLUMN_GAP = 3;
/** The band is wider than its column on both sides, so that its numbers align with the others. */
const BAND: Band = { left: 108, right: 196, height: 11.4, radius: 1.6, baseline: 7.1, inset: 4 };
const STEP = { head: 9, headRule: 2.4, firstRate: 5, rate: 5.4, rateLine: 4.2 } as const;
const SUMS = { rule: 3.2, first: 5.6, step: 5.6, toBand: 4, bare: 5, after: 6.6 } as const;
const PAYMENT = { width: 59, step: 6.1, line: 4.6 } as const;
const NOTES = { gap: 8.5, width: 80, line: 4.5, between: 6 } as const;
/** Longer notes go below everything, as wide as the page. */
const SHORT_NOTES = 10;
/** Height limit for what is left of the totals; anything beyond also goes below everything. */
const TALLEST = 180;

export interface TotalsBlock {
  /** From the rule of the last row to the end of the block. */
  readonly height: number;
  /** Notes, or mentions and notes, that did not fit beside the totals. */
  readonly longNotes: string;
  /** Draws it below that rule and returns where it ends. */
  readonly draw: (doc: Doc, root: Branch, top: number) => number;
}

interface Side {
  readonly height: number;
  readonly draw: (doc: Doc, root: Branch, top: number) => void;
}

export function layOutTotals(paper: Paper): TotalsBlock {
  const totals = layOutSums(paper);
  const notes = paper.notes === '' ? [] : wrapText(paper.notes, NOTES.width, SMALL);
  const isLong = notes.length > SHORT_NOTES;
  const beside = layOutPayment(paper, isLong ? [] : notes);
  const isTooTall = beside.height > TALLEST;
  const left = isTooTall ? layOutPayment({ ...paper, mentions: [] }, []) : beside;
  const under = isTooTall ? [...paper.mentions, paper.notes] : isLong ? [paper.notes] : [];
  // The design reserves this much for the totals, whether they need it or not.
  const reserved = 6 + STEP.rate * (paper.rates.length + 1) + 33;
  const end = Math.max(totals.height, left.height);
  return {
    height: Math.max(end, reserved),
    longNotes: under.filter(Boolean).join('\n'),
    draw: (doc, root, top) => {
      left.draw(doc, root, top);
      totals.draw(doc, root, top);
      return top + end;
    },
  };
}

interface RateRow {
  readonly label: readonly string[];
  readonly rate: PaperRate;
}

function layOutSums(paper: Paper): Side {
  const { baseRight, labelWidth } = rateColumns(paper.rates);
  const rates = paper.rates.map((rate) => ({
    label: wrapText(rate.label, labelWidth, CELL),
    rate,
  }));
  const band = bandOffset(rates, paper.sums.length);
  const after = paper.afterTotal.length;
  const afterHeight = after === 0 ? 0 : SUMS.after + (after - 1) * SUMS.step;
  return {
    height: band + BAND.height + afterHeight,
    draw: (doc, root, top) => {
      if (rates.length > 0)
        drawRates(doc, root, { taxName: paper.table.taxName, rates, baseRight }, top);
      drawSums(doc, root, paper.sums, top + band - SUMS.toBand);
      drawTotal(doc, root, paper.total, { band: BAND, style: TOTAL, top: top + band });
      drawAfterTotal(doc, root, paper.afterTotal, top + band + BAND.height + SUMS.after);
    },
  };
}

/** The base is where the design puts it, unless the numbers, the label or the quota need the room. */
function rateColumns(rates: readonly PaperRate[]): { baseRight: number; labelWidth: number } {
  const widestOf = (texts: readonly string[]) =>
    Math.max(0, ...texts.map((text) => measure(text, CELL)));
  const quotaWidth = widestOf(rates.map(({ quota }) => quota));
  const baseWidth = Math.max(BASE_HEAD, widestOf(rates.map(({ base }) => base)));
  const wordWidth = widestOf(rates.flatMap(({ label }) => label.split(' ')));
  const wanted = Math.max(BASE_RIGHT, TOTALS_LEFT + wordWidth + COLUMN_GAP + baseWidth);
  const baseRight = Math.min(wanted, RIGHT - quotaWidth - COLUMN_GAP);
  return { baseRight, labelWidth: baseRight - baseWidth - COLUMN_GAP - TOTALS_LEFT };
}

const BASE_HEAD_TEXT = 'Base imponible';
const BASE_HEAD = 23.2;

/** From the rule of the last row to the top of the band. */
function bandOffset(rates: readonly RateRow[], sums: number): number {
  if (rates.length === 0) return SUMS.bare;
  const last = STEP.head + STEP.headRule + STEP.firstRate + ratesHeight(rates);
  return last + SUMS.rule + SUMS.first + (sums - 1) * SUMS.step + SUMS.toBand;
}

/** From the baseline of the first rate to the last baseline of all. */
function ratesHeight(rates: readonly RateRow[]): number {
  const lines = rates.reduce((sum, { label }) => sum + (label.length - 1) * STEP.rateLine, 0);
  return lines + (rates.length - 1) * STEP.rate;
}

interface RatesTable {
  readonly taxName: string | null;
  readonly rates: readonly RateRow[];
  readonly baseRight: number;
}

function drawRates(
  doc: Doc,
  root: Branch,
  { taxName, rates, baseRight }: RatesTable,
  top: number,
): void {
  const table = root.addBranch('Table');
  const head = table.addBranch('TR');
  const headBaseline = top + STEP.head;
  const th = (text: string, x: number, align: 'left' | 'right') =>
    drawTagged(doc, head, 'TH', () => drawText(doc, text, x, headBaseline, LABEL, align), {
      scope: 'Column',
    });
  th(taxName ?? '', TOTALS_LEFT, 'left');
  th(BASE_HEAD_TEXT, baseRight, 'right');
  th('Cuota', RIGHT, 'right');
  drawRule(doc, TOTALS_LEFT, RIGHT, headBaseline + STEP.headRule);

  let baseline = headBaseline + STEP.headRule + STEP.firstRate;
  for (const { label, rate } of rates) {
    const row = table.addBranch('TR');
    const first = baseline;
    drawTagged(doc, row, 'TD', () => {
      baseline = drawLines(doc, label, TOTALS_LEFT, first, STEP.rateLine, CELL) + STEP.rate;
    });
    drawTagged(doc, row, 'TD', () => drawText(doc, rate.base, baseRight, first, CELL, 'right'));
    drawTagged(doc, row, 'TD', () => drawText(doc, rate.quota, RIGHT, first, CELL, 'right'));
  }
  drawRule(doc, TOTALS_LEFT, RIGHT, baseline - STEP.rate + SUMS.rule);
}

/** Upwards from the last one, which is at `last`. */
function drawSums(doc: Doc, root: Branch, sums: readonly Sum[], last: number): void {
  sums.forEach((sum, index) => {
    const baseline = last - (sums.length - 1 - index) * SUMS.step;
    drawTagged(doc, root, 'P', () => {
      drawLabel(doc, sum.label, TOTALS_LEFT, baseline, CELL);
      drawText(doc, sum.amount, RIGHT, baseline, VALUE, 'right');
    });
  });
}

/** A coloured band with the total on it, `inset` from its ends. */
export interface Band {
  readonly left: number;
  readonly right: number;
  readonly height: number;
  readonly radius: number;
  readonly baseline: number;
  readonly inset: number;
}

export function drawTotal(
  doc: Doc,
  root: Branch,
  { label, amount }: Sum,
  { band, style, top }: { readonly band: Band; readonly style: TextStyle; readonly top: number },
): void {
  const { left, right, height, radius, inset } = band;
  drawArtifact(doc, 'Layout', () => {
    doc.roundedRect(pt(left), pt(top), pt(right - left), pt(height), pt(radius)).fill(ACCENT_SOFT);
  });
  const baseline = top + band.baseline;
  drawTagged(doc, root, 'P', () => {
    drawLabel(doc, label, left + inset, baseline, style);
    drawText(doc, amount, right - inset, baseline, style, 'right');
  });
}

/** The last of them is the amount left to pay. */
function drawAfterTotal(doc: Doc, root: Branch, sums: readonly Sum[], first: number): void {
  sums.forEach(({ label, amount }, index) => {
    const baseline = first + index * SUMS.step;
    const isLast = index === sums.length - 1;
    drawTagged(doc, root, 'P', () => {
      drawLabel(doc, label, TOTALS_LEFT, baseline, isLast ? STRONG : CELL);
      drawText(doc, amount, RIGHT, baseline, isLast ? STRONG : VALUE, 'right');
    });
  });
}

function layOutPayment(paper: Paper, notes: readonly string[]): Side {
  const payment = paper.payment.map(({ label, value }) => ({
    label,
    lines: wrapText(value, PAYMENT.width, VALUE),
  }));
  const texts = [
    ...paper.mentions.map((mention) => wrapText(mention, NOTES.width, SMALL)),
    ...(notes.length > 0 ? [notes] : []),
  ];
  const paymentEnd = payment.reduce(
    (y, { lines }, index) => y + (index > 0 ? PAYMENT.step : 0) + (lines.length - 1) * PAYMENT.line,
    STEP.head as number,
  );
  const textsTop = payment.length > 0 ? paymentEnd + NOTES.gap : STEP.head;
  const textsEnd = texts.reduce(
    (y, lines, index) => y + (index > 0 ? NOTES.between : 0) + (lines.length - 1) * NOTES.line,
    textsTop as number,
  );
  return {
    height: texts.length > 0 ? textsEnd : paymentEnd,
    draw: (doc, root, top) => {
      let next = top + STEP.head;
      for (const { label, lines } of payment) {
        drawTagged(doc, root, 'P', () => {
          drawLabel(doc, label, LEFT, next, LABEL);
          next = drawLines(doc, lines, VALUES, next, PAYMENT.line, VALUE) + PAYMENT.step;
        });
      }
      next = top + textsTop;
      for (const lines of texts) {
        drawTagged(doc, root, 'P', () => {
          next = drawLines(doc, lines, LEFT, next, NOTES.line, SMALL) + NOTES.between;
        });
      }
    },
  };
}
