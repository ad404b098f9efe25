import { expect, it } from 'vitest';
import { LISTS } from '../../tests/support/fill-template.ts';
import { zipOf } from '../../tests/support/zip-of.ts';
import { BOUNDS, openFile } from './open-file.ts';
import { readFile } from './read-file.ts';

/** Under five megabytes, like every accepted file. */
const ROWS = 1_000_000;
const csv = Buffer.from(`Nombre;NIF\n${'a\n'.repeat(ROWS)}`);

it('reads only the first of a million rows in a workbook, and unpacks no more', async () => {
  const rows = Array.from(
    { length: ROWS },
    (_, i) => `<row><c><v>${(i * 7919) % 1009}</v></c></row>`,
  );
  const file = zipOf([
    ['xl/workbook.xml', '<workbook><sheets><sheet name="Clientes" r:id="r1"/></sheets></workbook>'],
    [
      'xl/_rels/workbook.xml.rels',
      '<Relationships><Relationship Id="r1" Target="worksheets/sheet1.xml"/></Relationships>',
    ],
    ['xl/worksheets/sheet1.xml', `<worksheet><sheetData>${rows.join('')}</sheetData></worksheet>`],
  ]);
  expect(file.length).toBeLessThan(5 * 1024 * 1024);
  let read = 0;
  const { sheets } = await openFile(file, (share) => {
    read = share;
  });
  expect(sheets[0]).toMatchObject({ rowCount: BOUNDS.rows, goesOn: true });
  expect(read).toBeLessThan(0.05);
  await expect(readFile(file, LISTS, null)).rejects.toThrow('no es la plantilla oficial');
});

it('reads only the first of a million rows in a CSV', async () => {
  const { sheets } = await openFile(csv);
  expect(sheets[0]).toMatchObject({ rowCount: BOUNDS.rows, goesOn: true });
  await expect(readFile(csv, LISTS, null)).rejects.toThrow('no es la plantilla oficial');
});

it('imports no part of a file with too many rows', async () => {
  const hojas = [
    { hoja: 'Archivo', fila: 1, destino: 'Clientes' as const, columnas: { Name: 0 }, fijos: {} },
  ];
  await expect(readFile(csv, LISTS, { decimal: ',', hojas })).rejects.toThrow('como mucho 5.000');
});

/** Invoices of one line, numbered, with a blank row after each. */
const SPACED = 10_500;
const spacedOut = {
  decimal: ',' as const,
  hojas: [
    {
      hoja: 'Archivo',
      fila: 1,
      destino: 'Facturas' as const,
      columnas: { referencia: 0, price: 1 },
      fijos: { invoiceDate: '15/01/2026', cliente: 'C1', description: 'Uno', quantity: '1' },
    },
  ],
};

it('omits no row silently because of blank rows in between', async () => {
  // 10,500 rows with as many blank ones in between end beyond row 20,100.
  const rows = Array.from({ length: SPACED }, (_, i) => `${i + 1};10\n;\n`);
  const spaced = Buffer.from(`Ref;Precio\n${rows.join('')}`);
  await expect(readFile(spaced, LISTS, spacedOut)).rejects.toThrow('como mucho 20.000');

  const cells = Array.from(
    { length: SPACED },
    (_, i) => `<row r="${2 * i + 2}"><c><v>${i + 1}</v></c><c><v>10</v></c></row>`,
  );
  const hojas = spacedOut.hojas.map((one) => ({ ...one, hoja: 'Hoja1' }));
  await expect(
    readFile(workbookOf(cells.join('')), LISTS, { ...spacedOut, hojas }),
  ).rejects.toThrow('La hoja Hoja1 tiene demasiadas filas: como mucho 20.000');
});

it('ignores blank rows after the last one, however many, and spaces in them', async () => {
  const blank = Array.from({ length: 50_000 }, (_, i) => `<row r="${i + 3}"><c s="1"/></row>`);
  const spaces = '<row r="60000"><c t="inlineStr"><is><t> </t></is></c></row>';
  const file = workbookOf(
    `<row r="2"><c><v>1</v></c><c><v>10</v></c></row>${blank.join('')}${spaces}`,
  );
  const hojas = spacedOut.hojas.map((one) => ({ ...one, hoja: 'Hoja1' }));
  const { facturas } = await readFile(file, LISTS, { ...spacedOut, hojas });
  expect(facturas).toMatchObject({ rows: [{ fila: 2 }], leftAt: null });
  const csv = Buffer.from(`Ref;Precio\n1;10\n${'; \n'.repeat(50_000)}`);
  expect((await readFile(csv, LISTS, spacedOut)).facturas.rows).toHaveLength(1);
});

it('reports rows that come after so many blank ones that it stopped reading', async () => {
  const file = Buffer.from(`Ref;Precio\n1;10\n${';\n'.repeat(200)}2;10\n3;10\n`);
  const { facturas } = await readFile(file, LISTS, spacedOut);
  expect(facturas).toMatchObject({ rows: [{ fila: 2 }], leftAt: 203 });
});

function workbookOf(rows: string): Buffer {
  return zipOf([
    ['xl/workbook.xml', '<workbook><sheets><sheet name="Hoja1" r:id="r1"/></sheets></workbook>'],
    [
      'xl/_rels/workbook.xml.rels',
      '<Relationships><Relationship Id="r1" Target="worksheets/sheet1.xml"/></Relationships>',
    ],
    ['xl/worksheets/sheet1.xml', `<worksheet><sheetData>${rows}</sheetData></worksheet>`],
  ]);
}

it('reads one sheet of another program as rows of two kinds', async () => {
  const file = Buffer.from('Nombre;Artículo;Precio\nAna;Tornillo;1,5\nLuis;Tuerca;2\n');
  const one = { hoja: 'Archivo', fila: 1, fijos: {} };
  const { clientes, items } = await readFile(file, LISTS, {
    decimal: ',',
    hojas: [
      { ...one, destino: 'Clientes', columnas: { Name: 0 } },
      { ...one, destino: 'Productos', columnas: { Name: 1, UnitPrice: 2 } },
    ],
  });
  expect(clientes.rows.map(({ values }) => values.Name)).toEqual(['Ana', 'Luis']);
  expect(items.rows.map(({ values }) => values.UnitPrice)).toEqual(['1.5', '2']);
});

it('recognises a file that is no table', async () => {
  for (const start of ['%PDF-1.7', '\x89PNG', '\xff\xd8\xff\xe0', 'GIF89a', '\x1f\x8b\x08']) {
    const file = Buffer.from(`${start}\n\n`, 'latin1');
    await expect(openFile(file)).rejects.toThrow('no es un Excel');
  }
});
