import { strFromU8, unzipSync } from 'fflate';
import { expect, it } from 'vitest';
import { openFile } from '../import/open-file.ts';
import { type SheetColumn, type SheetRow, writeSheet } from './sheet-writer.ts';

const COLUMNS: readonly SheetColumn[] = [
  { group: 'Factura', title: 'Fecha', kind: 'day', width: 12 },
  { title: 'Número', kind: 'text', width: 20 },
  { group: 'Total', kind: 'amount', width: 14 },
  { group: 'Año', kind: 'year', width: 8 },
];

async function written(
  pages: readonly (readonly SheetRow[])[],
  columns: readonly SheetColumn[] = COLUMNS,
): Promise<Buffer> {
  async function* rows() {
    yield* pages;
  }
  const pieces: Buffer[] = [];
  const sheet = { name: 'UNO & DOS', columns, rows: rows() };
  for await (const piece of writeSheet(sheet, new Date('2026-11-26T10:00:00Z'))) pieces.push(piece);
  return Buffer.concat(pieces);
}

it('writes a sheet that is read back: texts as they are, amounts as numbers, days as days', async () => {
  const file = await written([
    [['2026-11-20', '<&> «00001/26»', '-102030405060.70', '2026']],
    [[null, '  =1+1', '0.00', null]],
  ]);
  const { sheets } = await openFile(file);
  expect(sheets.map(({ name }) => name)).toEqual(['UNO & DOS']);
  const [sheet] = sheets;
  if (!sheet) throw new Error('There is no sheet.');
  const rowOf = (row: number) =>
    COLUMNS.map((_, column) => {
      const cell = sheet.at(row, column);
      return cell.kind === 'value' ? cell.value : null;
    });
  expect(sheet.rowCount).toBe(4);
  expect(rowOf(0)).toEqual(['Factura', null, 'Total', 'Año']);
  expect(rowOf(1)).toEqual(['Fecha', 'Número', null, null]);
  const [day, ...rest] = rowOf(2);
  expect((day as Date).toISOString().slice(0, 10)).toBe('2026-11-20');
  expect(rest).toEqual(['<&> «00001/26»', -102030405060.7, 2026]);
  expect(rowOf(3)).toEqual([null, '  =1+1', 0, null]);
});

it('has a header of two rows that stays in sight, over columns of their widths', async () => {
  const columns: readonly SheetColumn[] = [
    ...COLUMNS,
    { group: 'Inmueble', title: 'Situación', kind: 'text', width: 10 },
    { title: 'Referencia Catastral', kind: 'text', width: 21 },
  ];
  const parts = unzipSync(await written([[['2026-11-20', ' 1', '1.00', '2026']]], columns));
  const xml = strFromU8(parts['xl/worksheets/sheet1.xml'] ?? new Uint8Array());
  const found = (pattern: RegExp) => [...xml.matchAll(pattern)].map(([, ...groups]) => groups);
  expect(found(/ySplit="(\d+)" topLeftCell="(\w+)"/g)).toEqual([['2', 'A3']]);
  expect(found(/<col min="(\d)" max="(\d)" width="(\d+)"/g)).toEqual([
    ...[12, 20, 14, 8, 10, 21].map((width, i) => [`${i + 1}`, `${i + 1}`, `${width}`]),
  ]);
  expect(xml).toContain('<mergeCells count="4">');
  // A column without a title takes both rows, and a group its columns, the last one too.
  expect(found(/<mergeCell ref="([^"]+)"/g).flat()).toEqual(['A1:B1', 'C1:C2', 'D1:D2', 'E1:F1']);
  const styles = (row: number) => found(new RegExp(`<c r="([A-Z])${row}" s="(\\d)"`, 'g'));
  expect(styles(1)).toEqual([...'ACDE'].map((column) => [column, '3']));
  expect(styles(2)).toEqual([...'ABEF'].map((column) => [column, '3']));
  // Days and amounts are shown as such; a year is a plain number.
  expect(styles(3)).toEqual([
    ['A', '2'],
    ['B', '0'],
    ['C', '1'],
    ['D', '0'],
  ]);
  expect(xml).toContain('<t xml:space="preserve"> 1</t>');
});

it('holds as many rows as a sheet does under its header, and refuses one more', async () => {
  // A page of holes counts as long as it is, and is written at once.
  const after = (count: number) => written([[[]], new Array<SheetRow>(count)]);
  await expect(after(1_048_573)).resolves.toBeInstanceOf(Buffer);
  await expect(after(1_048_574)).rejects.toThrow('do not fit');
});
