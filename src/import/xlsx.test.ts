import { expect, it } from 'vitest';
import { LISTS } from '../../tests/support/fill-template.ts';
import { zipOf } from '../../tests/support/zip-of.ts';
import type { Correspondencia } from '../contract/imports.ts';
import type { Known } from './known.ts';
import { openFile } from './open-file.ts';
import { previewFile } from './preview.ts';
import { type FileRow, readFile } from './read-file.ts';
import { dateOfSerial } from './xlsx.ts';

/** Of `cellXfs`, in order: plain, 0%, 0.00%, a custom one, and one that only draws the sign. */
const STYLES = `<styleSheet>
  <numFmts><numFmt numFmtId="164" formatCode="#,##0.0##\\ %;[Red]-0%"/><numFmt numFmtId="165" formatCode="0&quot;%&quot;"/></numFmts>
  <cellStyleXfs><xf numFmtId="9"/></cellStyleXfs>
  <cellXfs><xf numFmtId="0"/><xf numFmtId="9"/><xf numFmtId="10"/><xf numFmtId="164"/><xf numFmtId="165"/></cellXfs>
</styleSheet>`;

/** A workbook of one sheet of invoices, «Hoja1»: reference, price, discount and tax of each row. */
function workbookOf(rows: readonly string[]): Buffer {
  const head = ['Ref', 'Precio', 'Dto', 'IVA'].map((title) => `<c t="str"><v>${title}</v></c>`);
  const data = [head.join(''), ...rows].map((cells) => `<row>${cells}</row>`).join('');
  return zipOf([
    ['xl/workbook.xml', '<workbook><sheets><sheet name="Hoja1" r:id="r1"/></sheets></workbook>'],
    [
      'xl/_rels/workbook.xml.rels',
      '<Relationships><Relationship Id="r1" Target="worksheets/sheet1.xml"/></Relationships>',
    ],
    ['xl/styles.xml', STYLES],
    ['xl/worksheets/sheet1.xml', `<worksheet><sheetData>${data}</sheetData></worksheet>`],
  ]);
}

async function rowsOf(rows: readonly string[]): Promise<readonly FileRow[]> {
  const { facturas } = await readFile(workbookOf(rows), LISTS, {
    decimal: ',',
    hojas: [
      {
        hoja: 'Hoja1',
        fila: 1,
        destino: 'Facturas',
        columnas: { referencia: 0, price: 1, discount: 2, tax: 3 },
        fijos: { invoiceDate: '15/01/2026', description: 'Uno', quantity: '1', cliente: 'C1' },
      },
    ],
  });
  return facturas.rows;
}

const number = (value: number, style: number) => `<c s="${style}"><v>${value}</v></c>`;

/** Excel stores «10%» as 0.1 with a percentage format, as in its IVA columns. */
it.each([
  [0.1, 1, '10', '10%'],
  [0.052, 2, '5.2', '5,2%'],
  [0.07, 2, '7', '7%'], // 0.07 × 100 is 7.000000000000001 in binary.
  [0.145, 3, '14.5', '14,5%'],
  [0.285, 3, '28.5', '28,5%'], // And 0.285 × 100, 28.499999999999996.
  [10, 4, '10', '10'],
  [10, 0, '10', '10'],
  [0.5, 0, '0.5', '0,5'],
])('reads a discount of %s in style %s as %s %%', async (value, style, percent, seen) => {
  const [row] = await rowsOf([
    `<c><v>1</v></c>${number(20, 0)}${number(value, style)}${number(0.21, 1)}`,
  ]);
  expect(row?.problems).toEqual([]);
  expect(row?.values.discount).toBe(percent);
  expect(row?.shown[8]).toBe(seen);
});

it('reads rates as percentages, and leaves a price in such a cell as the file stores it', async () => {
  const rows = await rowsOf(
    [0.21, 0.1, 0.04].map((rate) => `<c><v>1</v></c>${number(0.5, 1)}<c/>${number(rate, 1)}`),
  );
  expect(rows.map(({ values }) => values.tax)).toEqual(['IVA21', 'IVA10', 'IVA4']);
  expect(rows[0]).toMatchObject({ values: { price: '0.5', discount: '' } });
  expect(rows[0]?.shown[7]).toBe('0,5');
});

/** Serial 60 is 29 February 1900, which Excel counts and which did not exist (ECMA-376-1 §18.17.4.1). */
it.each([
  [1, false, '1900-01-01'],
  [32, false, '1900-02-01'],
  [59, false, '1900-02-28'],
  [60, false, '1900-02-28'],
  [61, false, '1900-03-01'],
  [46_037, false, '2026-01-15'],
  [0, true, '1904-01-01'],
  [1, true, '1904-01-02'],
])('reads day %s, counted from 1904: %s, as %s', (serial, is1904, day) => {
  expect(dateOfSerial(serial, { is1904 }).toISOString().slice(0, 10)).toBe(day);
});

/** A workbook of one sheet of customers, whose cells refer to shared strings. */
function workbookSharing(strings: readonly string[], sheet: string): Buffer {
  return zipOf([
    ['xl/workbook.xml', '<workbook><sheets><sheet name="Hoja1" r:id="r1"/></sheets></workbook>'],
    [
      'xl/_rels/workbook.xml.rels',
      '<Relationships><Relationship Id="r1" Target="worksheets/sheet1.xml"/></Relationships>',
    ],
    [
      'xl/sharedStrings.xml',
      `<sst>${strings.map((text) => `<si><t>${text}</t></si>`).join('')}</sst>`,
    ],
    ['xl/worksheets/sheet1.xml', `<worksheet>${sheet}</worksheet>`],
  ]);
}

const shared = (index: number) => `<c t="s"><v>${index}</v></c>`;
/** A company that has nothing yet. */
const NOTHING_KNOWN: Known = {
  customers: [],
  archivedNos: [],
  products: [],
  defaults: { PaymentTerms: '', PaymentMethod: '', CustomerPostingGroup: '' },
  choices: { terminosPago: new Set(), formasPago: new Set(), gruposContables: new Set() },
  units: new Set(),
  vatGroups: [],
  claves: new Set(),
  today: '2026-11-26',
};

const NAME_AND_EMAIL: Correspondencia = {
  decimal: ',',
  hojas: [
    {
      hoja: 'Hoja1',
      fila: 1,
      destino: 'Clientes',
      columnas: { Name: 0, Email: 1 },
      fijos: {},
    },
  ],
};

it.each([
  [
    'a shared text',
    32_768,
    (text: string) =>
      workbookSharing(
        ['Nombre', text],
        `<sheetData><row>${shared(0)}</row><row>${shared(1)}</row></sheetData>`,
      ),
  ],
  [
    'a text',
    32_768,
    (text: string) => workbookOf([`<c t="inlineStr"><is><t>${text}</t></is></c>`]),
  ],
  ['a formula', 32_768, (text: string) => workbookOf([`<c><f>${text}</f></c>`])],
])('refuses %s longer than those of Excel', async (_, length, workbook) => {
  const told = openFile(workbook('x'.repeat(length)));
  await expect(told).rejects.toThrow('Una celda del archivo tiene más de 32.767 caracteres');
  await openFile(workbook('x'.repeat(length - 1)));
});

it('quotes no more of a wrong cell than can be read, however many refer to the same text', async () => {
  const long = 'x'.repeat(30_000);
  const rows = `<row>${shared(0)}${shared(1)}</row>`.repeat(50);
  const file = workbookSharing(
    [long, long],
    `<sheetData><row>${shared(0)}</row>${rows}</sheetData>`,
  );
  const judging = { lists: LISTS, known: NOTHING_KNOWN, correspondencia: NAME_AND_EMAIL };
  const { errores } = await previewFile(
    file,
    judging,
    async () => [],
    () => undefined,
  );
  expect(errores.filter(({ mensaje }) => mensaje.includes('30000'))).toHaveLength(100);
  expect(JSON.stringify(errores).length).toBeLessThan(50_000);
});

it('tells of a merged cell once, however often the file says so', async () => {
  const merged = '<mergeCell ref="A2:B2"/>'.repeat(1000);
  const file = workbookSharing(
    ['Nombre', 'Uno'],
    `<sheetData><row>${shared(0)}</row><row>${shared(1)}</row></sheetData>${merged}`,
  );
  const { clientes } = await readFile(file, LISTS, NAME_AND_EMAIL);
  expect(clientes.rows[0]?.problems).toHaveLength(1);
});

it('refuses a cell with a character that cannot be kept, naming its row', async () => {
  const texts = ['Nombre', 'Uno_x0000_', '_xD800_Dos', 'Tres'];
  const rows = texts.map((_, index) => `<row>${shared(index)}</row>`).join('');
  const file = workbookSharing(texts, `<sheetData>${rows}</sheetData>`);
  const { clientes } = await readFile(file, LISTS, NAME_AND_EMAIL);
  expect(clientes.rows.map(({ problems }) => problems)).toEqual([
    [expect.objectContaining({ key: 'Name', fila: 2 })],
    [expect.objectContaining({ key: 'Name', fila: 3 })],
    [],
  ]);
});
