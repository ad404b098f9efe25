import encodeQR from 'qr';
import { type Doc, pt } from './canvas.ts';

/** The library insists on a border of its own; the white around the code is the page's. */
const BORDER = 1;

/** Modules taller by this part, so that no viewer draws a hair between one row and the next. */
const OVERLAP = 0.0085;

/**
 * The QR of a registered invoice as black rectangles on the white page, its left top corner at (x, y).
 *
 * Law: RD 1619/2012 art. 6.5. The AEAT's rules: ISO/IEC 18004, level M, between 30 and 40 mm, and 2 mm of
 * white around it at least.
 */
export function drawQr(doc: Doc, url: string, x: number, y: number, side: number): void {
  const rows = encodeQR(url, 'raw', { ecc: 'medium', border: BORDER }).slice(BORDER, -BORDER);
  const module = coordinate(side / rows.length);
  const rects = rows.flatMap((row, line) =>
    runs(row.slice(BORDER, -BORDER)).map(
      ({ from, to }) => `${from} ${line} ${to - from} ${1 + OVERLAP} re`,
    ),
  );
  // Hundreds, of which pdfkit would make a piece each: in modules, so that each is a few letters.
  const matrix = `${module} 0 0 ${module} ${coordinate(x)} ${coordinate(y)} cm`;
  doc.addContent(`q ${matrix} 0 g\n${rects.join('\n')}\nf Q`);
}

/** Millimetres as the points that pdfkit writes. */
function coordinate(mm: number): number {
  return Math.round(pt(mm) * 1e6) / 1e6;
}

/** Dark stretches of a row: `to` is not included. */
function runs(row: readonly boolean[]): { from: number; to: number }[] {
  const found: { from: number; to: number }[] = [];
  row.forEach((isDark, index) => {
    if (!isDark) return;
    const last = found.at(-1);
    if (last?.to === index) last.to = index + 1;
    else found.push({ from: index, to: index + 1 });
  });
  return found;
}
