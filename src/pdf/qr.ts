import encodeQR from 'qr';
import { type Branch, type Doc, drawTagged, pt } from './canvas.ts';

/** The library insists on a border; the white space around the code is the page's. */
const BORDER = 1;

/** Modules are taller by this fraction, so that no viewer shows hairlines between rows. */
const OVERLAP = 0.0085;

/** The QR of a registered invoice as a figure, whose alternative text is its address. */
export function drawQrFigure(
  doc: Doc,
  parent: Branch,
  url: string,
  { x, y, side }: { readonly x: number; readonly y: number; readonly side: number },
): void {
  drawTagged(doc, parent, 'Figure', () => drawQr(doc, url, x, y, side), {
    alt: `Código QR tributario. Se comprueba en ${url}`,
    box: [x, y, x + side, y + side],
  });
}

/**
 * Draws black rectangles on the white page, with the top left corner at (x, y).
 *
 * Law: RD 1619/2012 art. 6.5. The AEAT's rules: ISO/IEC 18004, level M, between 30 and 40 mm, with at least 2 mm of
 * white space around it.
 */
function drawQr(doc: Doc, url: string, x: number, y: number, side: number): void {
  const rows = encodeQR(url, 'raw', { ecc: 'medium', border: BORDER }).slice(BORDER, -BORDER);
  const module = coordinate(side / rows.length);
  // There are hundreds of them, and pdfkit would make an object of each: with modules as units, each takes only a few
  // characters.
  const matrix = `${module} 0 0 ${module} ${coordinate(x)} ${coordinate(y)} cm`;
  doc.addContent(`q ${matrix} 0 g\n${rectanglesOf(rows)}f Q`);
}

/** Millimetres as points, as pdfkit writes them. */
function coordinate(mm: number): number {
  return Math.round(pt(mm) * 1e6) / 1e6;
}

/** Each run of dark modules in a row as a rectangle. */
function rectanglesOf(rows: readonly (readonly boolean[])[]): string {
  const end = ` ${1 + OVERLAP} re\n`;
  let text = '';
  rows.forEach((row, line) => {
    let from = -1;
    for (let at = BORDER; at <= row.length - BORDER; at++) {
      const isDark = at < row.length - BORDER && row[at];
      if (isDark && from < 0) from = at;
      if (isDark || from < 0) continue;
      text += `${from - BORDER} ${line} ${at - from}${end}`;
      from = -1;
    }
  });
  return text;
}
