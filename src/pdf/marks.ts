/** What is on every page but not part of the invoice: watermark, demo strip, foot. */

import { type Doc, drawArtifact, drawRule, drawText, measure, pt, wrapText } from './canvas.ts';
import { LEFT, RIGHT } from './columns.ts';
import { capHeightOf } from './fonts.ts';
import { AMBER, AMBER_SOFT, FOOT, INK, type TextStyle } from './styles.ts';

export interface PageSize {
  /** Millimetres. */
  readonly width: number;
  readonly height: number;
}

/** The marks of one invoice. */
export interface Marks {
  readonly watermark: Watermark | null;
  readonly hasDemoStrip: boolean;
  readonly foot: string;
}

/** If it does not fit on one line, it breaks between its sentences. */
const DEMO_STRIP =
  'Factura de demostración, sin validez fiscal. No\u00a0consta\u00a0en\u00a0la\u00a0AEAT.';
export const DEMO_FOOT = 'Emitida con la suscripción Demo de Huella';
export const STRIP_HEIGHT = 9;

/** 118 points on a page as wide as A4, less on a narrower one. */
const WATERMARK_SIZE = 118;
const WATERMARK_DEGREES = 52;
const WATERMARK_OPACITY = 0.055;

export interface Watermark {
  readonly word: string;
  /** A line as wide as the word, below it. */
  readonly line?: string;
}

export const DEMO: Watermark = { word: 'DEMO', line: '– SIN VALIDEZ FISCAL –' };
export const DRAFT: Watermark = { word: 'BORRADOR' };
export const ANNULLED: Watermark = { word: 'ANULADA' };

/** Drawn on a page before anything else. */
export function drawMarks(doc: Doc, { watermark, hasDemoStrip }: Marks, page: PageSize): void {
  if (watermark) drawWatermark(doc, watermark, page);
  if (hasDemoStrip) drawDemoStrip(doc, page);
}

/** Diagonally up the page. Drawn before the content, so that it covers no text. */
function drawWatermark(doc: Doc, { word, line }: Watermark, page: PageSize): void {
  const size = (WATERMARK_SIZE * page.width) / 210;
  const middle = { x: page.width / 2, y: page.height * 0.572 };
  const big: TextStyle = { weight: 700, size, color: INK };
  const capital = capHeightOf(700, size) / pt(1);
  const baseline = middle.y + capital / 2;
  drawArtifact(doc, 'Pagination', () => {
    doc.save();
    doc.rotate(-WATERMARK_DEGREES, { origin: [pt(middle.x), pt(middle.y)] });
    doc.fillOpacity(WATERMARK_OPACITY);
    drawText(doc, word, middle.x, baseline, big, 'center');
    if (line) {
      const wide = measure(line, big) / measure(word, big);
      drawText(
        doc,
        line,
        middle.x,
        baseline + capital / 2,
        { ...big, size: size / wide },
        'center',
      );
    }
    doc.restore();
  });
}

function drawDemoStrip(doc: Doc, page: PageSize): void {
  const style: TextStyle = { weight: 600, size: page.width < 120 ? 7.5 : 9, color: AMBER };
  const lines = wrapText(DEMO_STRIP, page.width - 8, style);
  const step = 3.4;
  const first = STRIP_HEIGHT / 2 + 1.15 - ((lines.length - 1) * step) / 2;
  drawArtifact(doc, 'Pagination', () => {
    doc.rect(0, 0, pt(page.width), pt(STRIP_HEIGHT)).fill(AMBER_SOFT);
    lines.forEach((line, index) => {
      drawText(doc, line, page.width / 2, first + index * step, style, 'center');
    });
  });
}

const FOOT_RULE = 280;
const FOOT_BASELINE = 285.4;
const FOOT_STEP = 3.1;

/** Below the rule: the issuer and, on the right, the page. A long name moves the rule up. */
export function drawFoot(doc: Doc, text: string, page: string): void {
  const lines = wrapText(text, 148, FOOT);
  const raise = (lines.length - 1) * FOOT_STEP;
  drawRule(doc, LEFT, RIGHT, FOOT_RULE - raise);
  drawArtifact(doc, 'Pagination', () => {
    lines.forEach((line, index) => {
      drawText(doc, line, LEFT, FOOT_BASELINE - raise + index * FOOT_STEP, FOOT);
    });
    drawText(doc, page, RIGHT, FOOT_BASELINE, FOOT, 'right');
  });
}
