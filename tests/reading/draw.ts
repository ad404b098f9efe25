import PDFDocument from 'pdfkit';
import type { Sample } from './invoice-sample.ts';

/** A sheet on which a layout puts text, in points from the top left corner. */
export interface Sheet {
  text(
    text: string,
    x: number,
    y: number,
    options?: { size?: number; bold?: boolean; right?: number },
  ): void;
  line(x1: number, y1: number, x2: number, y2: number): void;
  addPage(): void;
  image(png: Buffer, x: number, y: number, side: number): void;
}

export type Layout = (sheet: Sheet, sample: Sample) => void;

/** Draws a layout as PDF, with files attached to it when given. */
export function drawPdf(
  layout: Layout,
  sample: Sample,
  {
    files = [],
    font = 'Helvetica',
  }: { files?: readonly { name: string; content: Buffer }[]; font?: string } = {},
): Promise<Buffer> {
  const pdf = new PDFDocument({ size: 'A4', margin: 0, info: { CreationDate: new Date(0) } });
  const parts: Buffer[] = [];
  const done = new Promise<Buffer>((resolve) => {
    pdf.on('data', (part: Buffer) => parts.push(part));
    pdf.on('end', () => resolve(Buffer.concat(parts)));
  });
  for (const { name, content } of files) pdf.file(content, { name });
  layout(
    {
      text(text, x, y, { size = 10, bold = false, right } = {}) {
        pdf.font(bold ? `${font}-Bold` : font).fontSize(size);
        const left = right === undefined ? x : right - pdf.widthOfString(text);
        pdf.text(text, left, y, { lineBreak: false });
      },
      line: (x1, y1, x2, y2) => void pdf.moveTo(x1, y1).lineTo(x2, y2).lineWidth(0.6).stroke(),
      addPage: () => void pdf.addPage(),
      image: (png, x, y, side) => void pdf.image(png, x, y, { width: side }),
    },
    sample,
  );
  pdf.end();
  return done;
}
