import { expect, it, vi } from 'vitest';
import { LISTS } from '../../tests/support/fill-template.ts';
import { zipOf } from '../../tests/support/zip-of.ts';
import { openFile } from './open-file.ts';
import { BOUNDS, readFile } from './read-file.ts';

/** A million rows take their time to be made on a busy machine. */
vi.setConfig({ testTimeout: 60_000 });

/** Under five megabytes, as every file that is taken. */
const ROWS = 1_000_000;
const csv = Buffer.from(`Nombre;NIF\n${'a\n'.repeat(ROWS)}`);

it('reads of a million rows of a workbook only the first of them, and unpacks no more', async () => {
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
  const { sheets } = await openFile(file, BOUNDS, (share) => {
    read = share;
  });
  expect(sheets[0]?.rowCount).toBeLessThanOrEqual(BOUNDS.rows + 2);
  expect(read).toBeLessThan(0.05);
  await expect(readFile(file, LISTS, null)).rejects.toThrow('no es la plantilla oficial');
});

it('reads of a million rows of a CSV only the first of them', async () => {
  const { sheets } = await openFile(csv, BOUNDS);
  expect(sheets[0]?.rowCount).toBeLessThanOrEqual(BOUNDS.rows + 2);
  await expect(readFile(csv, LISTS, null)).rejects.toThrow('no es la plantilla oficial');
});

it('imports no part of what has too many rows', async () => {
  const hojas = [
    { hoja: 'Archivo', fila: 1, destino: 'Clientes' as const, columnas: { Name: 0 }, fijos: {} },
  ];
  await expect(readFile(csv, LISTS, { decimal: ',', hojas })).rejects.toThrow('como mucho 5.000');
});

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

it('says of what is no table that it is none', async () => {
  for (const start of ['%PDF-1.7', '\x89PNG', '\xff\xd8\xff\xe0', 'GIF89a', '\x1f\x8b\x08']) {
    const file = Buffer.from(`${start}\n\n`, 'latin1');
    await expect(openFile(file, BOUNDS)).rejects.toThrow('no es un Excel');
  }
});
