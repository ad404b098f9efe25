import PDFDocument from 'pdfkit';
import { describe, expect, it } from 'vitest';
import { drawPagePictures } from './page-pictures.ts';
import { drawPages, readPdf } from './pdf.ts';
import { rowsOf } from './words.ts';

/** A sheet with a line of text up its left margin or down its right one. */
function withMargin(angle: number, x: number, y: number): Promise<Buffer> {
  const pdf = new PDFDocument({ size: 'A4', margin: 0 });
  const parts: Buffer[] = [];
  pdf.on('data', (part: Buffer) => parts.push(part));
  pdf.fontSize(10).text('FACTURA 26/118', 60, 60, { lineBreak: false });
  pdf.rotate(angle, { origin: [x, y] });
  pdf.fontSize(6).text('Talleres Vega, S.L. - NIF B12345674', x, y, { lineBreak: false });
  return new Promise((resolve) => {
    pdf.on('end', () => resolve(Buffer.concat(parts)));
    pdf.end();
  });
}

it.each([
  ['up the left margin', -90, 20, 600],
  ['down the right one', 90, 580, 300],
])(
  'reads what runs %s as one line after the last, and shows where it is',
  async (_, angle, x, y) => {
    const { words } = await readPdf(await withMargin(angle, x, y));
    const rows = rowsOf(words);
    expect(rows.map(({ text }) => text)).toEqual([
      'FACTURA 26/118',
      'Talleres Vega, S.L. - NIF B12345674',
    ]);
    const paper = rows[1]?.words.map((word) => word.paper) ?? [];
    // Taller than it is wide, and in its place to within a line of 6-point letters.
    for (const box of paper) {
      expect(Math.abs((box?.x ?? 0) * 595 - x)).toBeLessThan(8);
      expect(Math.abs((box?.y ?? 0) * 842 - y)).toBeLessThan(120);
    }
    const [first, last] = [paper[0]?.y ?? 0, paper.at(-1)?.y ?? 0];
    expect(first > last).toBe(angle < 0);
  },
);

it('joins letters of a word that are drawn separately, such as «fi»', async () => {
  const pdf = new PDFDocument({ size: 'A4', margin: 0 });
  const parts: Buffer[] = [];
  pdf.on('data', (part: Buffer) => parts.push(part));
  let x = 60;
  for (const [text, font] of [
    ['Horas de o', 'Helvetica'],
    ['fi', 'Helvetica-Oblique'],
    ['cial', 'Helvetica'],
  ] as const) {
    pdf.font(font).fontSize(10).text(text, x, 60, { lineBreak: false });
    x += pdf.widthOfString(text);
  }
  const file = new Promise<Buffer>((resolve) => {
    pdf.on('end', () => resolve(Buffer.concat(parts)));
    pdf.end();
  });
  const { words } = await readPdf(await file);
  expect(words.map(({ text }) => text)).toEqual(['Horas', 'de', 'oficial']);
});

/** Sheets in a PDF that says that they are so many, in all and in each branch. */
function withCounts(all: number, ofBranch: number, branches = 1): Buffer {
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${'3 0 R '.repeat(branches)}] /Count ${all} >>`,
    `<< /Type /Pages /Parent 2 0 R /Kids [4 0 R] /Count ${ofBranch} >>`,
    '<< /Type /Page /Parent 3 0 R /MediaBox [0 0 595 842] >>',
  ];
  let text = '%PDF-1.4\n';
  const places = objects.map((object, i) => {
    const place = text.length;
    text += `${i + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(place).padStart(10, '0')} 00000 n \n`;
  });
  const table = `xref\n0 5\n0000000000 65535 f \n${places.join('')}`;
  return Buffer.from(
    `${text}${table}trailer << /Size 5 /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF`,
  );
}

describe('a PDF whose numbers of pages disagree', () => {
  it.each([
    ['fewer than none, and eleven to draw', withCounts(-1, 1, 11)],
    ['fewer than none, and a hundred thousand to draw', withCounts(-1, 100_000)],
    ['a hundred thousand, and one there', withCounts(100_000, 1)],
    ['two, and one there', withCounts(2, 1)],
  ])('is damaged: %s', async (_, file) => {
    expect((await readPdf(file)).pages.length).toBeLessThan(2);
    const drawn = async () => {
      for await (const page of drawPages(file, 20)) void page;
    };
    await expect(drawn()).rejects.toThrow('El PDF está dañado');
    await expect(drawPagePictures(file)).rejects.toThrow('El PDF está dañado');
  });
});
