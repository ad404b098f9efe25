import { expect, it } from 'vitest';
import { readWords } from './read-words.ts';
import type { Word } from './shapes.ts';

/** Words of rows of cells, each at its place across the page. */
function printed(rows: readonly (readonly (readonly [number, string])[])[]): Word[] {
  return rows.flatMap((cells, i) =>
    cells.flatMap(([x, text]) => {
      let at = x;
      return text.split(' ').map((one) => {
        const word = { text: one, page: 1, x: at, y: 100 + 16 * i, w: 5 * one.length, h: 8 };
        at += word.w + 3;
        return word;
      });
    }),
  );
}

it('does not take a line whose amount, tax and total add up for the sums of the invoice', () => {
  const line = (name: string, ...figures: readonly string[]) =>
    [name, ...figures].map((text, i) => [[45, 230, 290, 340, 380, 440, 500][i], text] as const);
  const words = printed([
    line('Descripción', 'Precio', 'Cant.', 'IVA', 'Importe', 'Cuota', 'Total'),
    line('Diseño de cartel', '416,25', '7,00', '21%', '2.913,75', '611,89', '3.525,64'),
    line('Desplazamiento', '11,36', '3,00', '21%', '34,08', '7,16', '41,24'),
    line('Mesa de roble', '21,91', '4,00', '21%', '87,64', '18,40', '106,04'),
    // Spoiled as in a bad scan.
    line('', '', '', '', 'Total bruto', '3.O354', ''),
    line('', '', '', '', 'IVA 21%', '637,45', ''),
    line('', '', '', '', 'Total', '3,67268.92', ''),
  ] as never);
  const { campos, lineas, cuadra } = readWords(
    {
      origen: 'ocr',
      words: words.filter(({ text }) => text),
      pages: [{ width: 595, height: 842 }],
    },
    { issuerNif: 'B26487207', today: '2026-11-20' },
  );
  expect(lineas.map(({ totalCents }) => totalCents)).toEqual([291_375n, 3_408n, 8_764n]);
  expect(cuadra).toBe(false);
  expect(campos.baseImponible?.valor).not.toBe(291_375n);
});

it('leaves out of the lines what was laid out for the client, and the sum of the lines', () => {
  const line = (text: string, amount?: string) =>
    [[45, text], ...(amount ? [[440, amount]] : [])] as [number, string][];
  const linesOf = (...texts: (readonly [string, string?])[]) => {
    const words = printed(texts.map(([text, amount]) => line(text, amount)));
    const pages = [{ width: 595, height: 842 }];
    const context = { issuerNif: 'B26487207', today: '2026-11-20' };
    const { lineas, cuadra, suplidosCents } = readWords({ origen: 'texto', words, pages }, context);
    return { lines: lineas.map(({ description }) => description), cuadra, suplidosCents };
  };
  expect(
    linesOf(
      ['Concepto', 'Importe'],
      ['Honorarios constitución', '450,00'],
      ['Alta censal', '60,00'],
      ['Suplidos (art. 78 LIVA)'],
      ['Concepto', 'Importe'],
      ['Arancel notarial', '182,35'],
      ['Base imponible', '510,00'],
      ['IVA 21 %', '107,10'],
      ['Suplidos', '182,35'],
      ['Total a pagar', '799,45'],
    ),
  ).toEqual({
    lines: ['Honorarios constitución', 'Alta censal'],
    cuadra: true,
    suplidosCents: 18_235n,
  });
  expect(
    linesOf(
      ['Concepto', 'Importe'],
      ['Certificación nº 4 a origen', '86.450,00'],
      ['A deducir certificación nº 3', '-61.200,00'],
      ['Importe de la certificación', '25.250,00'],
      ['IVA 10 %', '2.525,00'],
      ['Total', '27.775,00'],
    ),
  ).toMatchObject({
    lines: ['Certificación nº 4 a origen', 'A deducir certificación nº 3'],
    cuadra: true,
  });
});
