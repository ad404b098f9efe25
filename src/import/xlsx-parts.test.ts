/** What other programs write in a workbook, as it is found: `xlsx.test.ts` judges what becomes of it. */

import { expect, it } from 'vitest';
import { zipOf } from '../../tests/support/zip-of.ts';
import { openContainer } from './container.ts';
import { type FoundCell, type FoundWorkbook, isBlank } from './found.ts';
import { readWorkbook } from './xlsx.ts';

const BOUNDS = { rows: 3, columns: 3 };

interface Parts {
  readonly workbook?: string;
  readonly rels?: string;
  readonly sheet?: string;
  readonly strings?: string;
  readonly styles?: string;
}

function found({ workbook, rels, sheet = '', strings, styles }: Parts): Promise<FoundWorkbook> {
  const parts: [string, string][] = [
    [
      'xl/workbook.xml',
      `<workbook>${workbook ?? '<sheets><sheet name="Uno" r:id="r1"/></sheets>'}</workbook>`,
    ],
    [
      'xl/_rels/workbook.xml.rels',
      `<Relationships>${rels ?? '<Relationship Id="r1" Target="worksheets/sheet1.xml"/>'}</Relationships>`,
    ],
    ['xl/worksheets/sheet1.xml', `<worksheet><sheetData>${sheet}</sheetData></worksheet>`],
    ['xl/chartsheets/sheet2.xml', '<chartsheet/>'],
  ];
  if (strings) parts.push(['xl/sharedStrings.xml', `<sst>${strings}</sst>`]);
  if (styles) parts.push(['xl/styles.xml', `<styleSheet>${styles}</styleSheet>`]);
  return readWorkbook(openContainer(zipOf(parts)), BOUNDS);
}

/** The cells of the first rows, a line for each, blank ones as `·`. */
async function cellsOf(parts: Parts): Promise<string[]> {
  const { sheets } = await found(parts);
  const [sheet] = sheets;
  const word = (cell: FoundCell) => {
    if (isBlank(cell)) return '·';
    if (cell.kind === 'error') return `!${cell.text}`;
    if (cell.kind === 'empty') return '·';
    const { value } = cell;
    return value instanceof Date ? value.toISOString().slice(0, 10) : String(value);
  };
  return Array.from({ length: sheet?.rowCount ?? 0 }, (_, row) =>
    [0, 1, 2, 3].map((column) => word(sheet?.at(row, column) ?? { kind: 'empty' })).join(' '),
  );
}

it.each([
  ['1', true],
  ['true', true],
  ['0', false],
  ['false', false],
])('knows whether days are counted from 1904: date1904="%s"', async (date1904, is1904) => {
  const workbook = `<workbookPr date1904="${date1904}"/><sheets><sheet name="Uno" r:id="r1"/></sheets>`;
  expect(await found({ workbook })).toMatchObject({ is1904, sheets: [{ name: 'Uno' }] });
});

it('finds a sheet by its place from the root of the file, and leaves out sheets that are charts', async () => {
  const workbook =
    '<sheets><sheet name="Uno" r:id="r1"/><sheet name="Gráfico" r:id="r2"/><sheet name="Perdida" r:id="r3"/></sheets>';
  const rels = ['/xl/worksheets/sheet1.xml', 'chartsheets/sheet2.xml', 'worksheets/sheet3.xml']
    .map((target, i) => `<Relationship Id="r${i + 1}" Target="${target}"/>`)
    .join('');
  const { sheets } = await found({ workbook, rels });
  expect(sheets.map(({ name }) => name)).toEqual(['Uno']);
});

it('leaves out how a word is pronounced', async () => {
  const strings = '<si><t>東京</t><rPh sb="0" eb="2"><t>とうきょう</t></rPh><t> 1</t></si>';
  const inline = '<c t="inlineStr"><is><t>東京</t><rPh><t>とうきょう</t></rPh></is></c>';
  const sheet = `<row><c t="s"><v>0</v></c>${inline}</row>`;
  expect(await cellsOf({ sheet, strings })).toEqual(['東京 1 東京 · ·']);
});

it('takes a date from the format of a cell, not from the words and colours in it', async () => {
  const formats = ['yyyy-mm-dd', '0" días"', '[Red]0', '0\\d', '0_d'];
  const styles = `<numFmts>${formats.map((code, i) => `<numFmt numFmtId="${200 + i}" formatCode="${code.replaceAll('"', '&quot;')}"/>`).join('')}</numFmts>
    <cellXfs>${[14, 200, 201, 202, 203, 204].map((id) => `<xf numFmtId="${id}"/>`).join('')}</cellXfs>
    <dxfs><dxf><xf numFmtId="14"/></dxf></dxfs>`;
  const cell = (style: number, value = 46_037) => `<c s="${style}"><v>${value}</v></c>`;
  const sheet = [
    [0, 1, 2],
    [3, 4, 5],
    [6, 6, 6], // No such style.
  ].map((row) => `<row>${row.map((style) => cell(style)).join('')}</row>`);
  expect(await cellsOf({ sheet: sheet.join(''), styles })).toEqual([
    '2026-01-15 2026-01-15 46037 ·',
    '46037 46037 46037 ·',
    '46037 46037 46037 ·',
  ]);
  // No day at all: a time, or the end of all days.
  const none = `<row>${cell(0, -1)}${cell(0, 2_958_466)}${cell(0, 2_958_465)}</row>`;
  expect(await cellsOf({ sheet: none, styles })).toEqual(['-1 2958466 9999-12-31 ·']);
});

it('puts each cell where it says, and those that say nothing one after another', async () => {
  const value = (text: string, at = '') => `<c${at && ` r="${at}"`} t="str"><v>${text}</v></c>`;
  const sheet = `<row r="2">${value('b', 'B2')}${value('c')}${value('d')}</row><row>${value('e')}${value('z', 'AA3')}</row>`;
  expect(await cellsOf({ sheet })).toEqual(['· · · ·', '· b c ·', 'e · · ·']);
});

it('looks beyond the last row only for whether there is more', async () => {
  const row = (text: string) => `<row><c t="str"><v>${text}</v></c></row>`;
  const goesOn = async (...rows: string[]) =>
    (await found({ sheet: rows.map(row).join('') })).sheets.map((sheet) => [
      sheet.rowCount,
      sheet.goesOn,
    ]);
  expect(await goesOn('1', '2', '3')).toEqual([[3, false]]);
  expect(await goesOn('1', '2', '3', ' ', '')).toEqual([[3, false]]);
  expect(await goesOn('1', '2', '3', ' ', '5')).toEqual([[3, true]]);
});

it.each([
  ['<c t="e"><v>#DIV/0!</v></c>', '!#DIV/0!'],
  ['<c t="e"/>', '!#¿?'],
  ['<c><f>A1+1</f></c>', '!=A1+1'],
  ['<c t="str"><f>A1</f><v>#REF!</v></c>', '!#REF!'],
  ['<c t="str"><v>#REF!</v></c>', '#REF!'], // Typed like that.
  ['<c t="b"><v>1</v></c>', 'true'],
  ['<c t="b"><v>0</v></c>', 'false'],
  ['<c t="d"><v>2026-01-15</v></c>', '2026-01-15'],
  ['<c><v>uno</v></c>', 'uno'],
  ['<c t="s"><v>7</v></c>', '·'], // There is no such text.
  ['<c t="str"><v>a_x0041_b_x005F_</v></c>', 'aAb_'],
  ['<x:c xmlns:x="urn:x"><x:v>5</x:v></x:c>', '5'],
])('reads %s as %s', async (cell, word) => {
  const sheet = `<row>${cell}</row>`;
  const [row = '· · · ·'] = await cellsOf({ sheet });
  expect(row).toBe(`${word} · · ·`);
});

it('refuses a document type, which could define entities', async () => {
  const parts: [string, string][] = [
    ['xl/workbook.xml', '<!DOCTYPE workbook><workbook/>'],
    ['xl/_rels/workbook.xml.rels', '<Relationships/>'],
  ];
  const reading = readWorkbook(openContainer(zipOf(parts)), BOUNDS);
  await expect(reading).rejects.toThrow('El archivo está dañado');
});
