import { expect, it } from 'vitest';
import { openFile } from '../import/open-file.ts';
import { type SheetColumn, type SheetRow, writeSheet } from './sheet-writer.ts';

const COLUMNS: readonly SheetColumn[] = [
  { group: 'Factura', title: 'Fecha', kind: 'day', width: 12 },
  { title: 'Número', kind: 'text', width: 20 },
  { group: 'Total', kind: 'amount', width: 14 },
  { group: 'Año', kind: 'year', width: 8 },
];

async function written(pages: readonly (readonly SheetRow[])[]): Promise<Buffer> {
  async function* rows() {
    yield* pages;
  }
  const pieces: Buffer[] = [];
  const sheet = { name: 'HOJA', columns: COLUMNS, rows: rows() };
  for await (const piece of writeSheet(sheet, new Date('2026-11-26T10:00:00Z'))) pieces.push(piece);
  return Buffer.concat(pieces);
}

it('writes a sheet that is read back: texts as they are, amounts as numbers, days as days', async () => {
  const file = await written([
    [['2026-11-20', '<&> «00001/26»', '-102030405060.70', '2026']],
    [[null, '  =1+1', '0.00', null]],
  ]);
  const { sheets } = await openFile(file);
  expect(sheets.map(({ name }) => name)).toEqual(['HOJA']);
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
  expect(sheet.merged).toEqual([
    { row: 0, column: 0 },
    { row: 0, column: 2 },
    { row: 0, column: 3 },
  ]);
});

it('refuses more rows than a sheet holds', async () => {
  const many = Array.from({ length: 1_048_575 }, (): SheetRow => []);
  await expect(written([many])).rejects.toThrow('do not fit');
});
