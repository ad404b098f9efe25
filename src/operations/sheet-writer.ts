import { escapeXml } from '../domain/verifactu/text.ts';
import { columnLetter } from '../import/sheets.ts';
import { writeZip, type ZipEntry } from './zip-writer.ts';

export type CellKind = 'text' | 'year' | 'day' | 'amount';

export interface SheetColumn {
  /** Of a group of columns, over its first one. Without a title, the group is the column. */
  readonly group?: string;
  readonly title?: string;
  readonly kind: CellKind;
  /** In characters. */
  readonly width: number;
}

/** As text: an amount is decimal, a day `YYYY-MM-DD`. Null is an empty cell. */
export type SheetRow = readonly (string | null)[];

export interface SheetToStream {
  readonly name: string;
  readonly columns: readonly SheetColumn[];
  readonly rows: AsyncIterable<readonly SheetRow[]>;
}

/** What a sheet can hold (ECMA-376; Excel's limits). */
const MAX_ROWS = 1_048_576;
const HEAD_ROWS = 2;

/**
 * Writes a workbook of one sheet while its rows are read, in constant memory: the library that makes the template
 * holds all its cells. Amounts are written digit by digit as they are.
 *
 * ECMA-376 part 1: workbook 18.2, worksheets 18.3, styles 18.8; dates count days from 30 December 1899 (18.17.4.1).
 */
export function writeSheet(sheet: SheetToStream, modified: Date): AsyncGenerator<Buffer> {
  return writeZip(partsOf(sheet), modified);
}

async function* partsOf(sheet: SheetToStream): AsyncGenerator<ZipEntry> {
  const part = (name: string, content: string) => ({ name, content: Buffer.from(content) });
  yield part('[Content_Types].xml', CONTENT_TYPES);
  yield part('_rels/.rels', ROOT_RELATIONS);
  yield part('xl/workbook.xml', workbook(sheet.name));
  yield part('xl/_rels/workbook.xml.rels', WORKBOOK_RELATIONS);
  yield part('xl/styles.xml', STYLES);
  yield { name: 'xl/worksheets/sheet1.xml', content: worksheet(sheet) };
}

async function* worksheet({ columns, rows }: SheetToStream): AsyncGenerator<Buffer> {
  yield Buffer.from(beginning(columns));
  let at = HEAD_ROWS;
  for await (const some of rows) {
    if (at + some.length > MAX_ROWS) throw new Error('The rows do not fit in a sheet.');
    yield Buffer.from(some.map((row) => rowXml(columns, row, ++at)).join(''));
  }
  yield Buffer.from(`</sheetData>${merges(columns)}</worksheet>`);
}

const HEADER = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONSHIPS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

const CONTENT_TYPES = `${HEADER}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPES}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPES}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${TYPES}.styles+xml"/></Types>`;

const ROOT_RELATIONS = `${HEADER}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATIONSHIPS}/officeDocument" Target="xl/workbook.xml"/></Relationships>`;

const WORKBOOK_RELATIONS = `${HEADER}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATIONSHIPS}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${RELATIONSHIPS}/styles" Target="styles.xml"/></Relationships>`;

const workbook = (name: string) =>
  `${HEADER}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONSHIPS}"><sheets><sheet name="${escapeXml(name)}" sheetId="1" r:id="rId1"/></sheets></workbook>`;

/** The styles of the cells, by their place in `cellXfs`. Format 2 is `0.00`. */
const STYLE: Readonly<Record<CellKind | 'head', number>> = {
  text: 0,
  year: 0,
  amount: 1,
  day: 2,
  head: 3,
};

const STYLES = `${HEADER}<styleSheet xmlns="${MAIN}"><numFmts count="1"><numFmt numFmtId="164" formatCode="dd/mm/yyyy"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="4"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="2" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1" applyAlignment="1"><alignment horizontal="center" vertical="center" wrapText="1"/></xf></cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`;

/** Everything up to the first row of data. The header stays in sight. */
function beginning(columns: readonly SheetColumn[]): string {
  const widths = columns
    .map(({ width }, i) => `<col min="${i + 1}" max="${i + 1}" width="${width}" customWidth="1"/>`)
    .join('');
  const head = (row: number, of: (column: SheetColumn) => string | undefined, height: number) => {
    const cells = columns.map((column, i) => textCell(i, row, of(column) ?? null, STYLE.head));
    return `<row r="${row}" ht="${height}" customHeight="1">${cells.join('')}</row>`;
  };
  return `${HEADER}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="${HEAD_ROWS}" topLeftCell="A${HEAD_ROWS + 1}" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${widths}</cols><sheetData>${head(1, ({ group }) => group, 60)}${head(2, ({ title }) => title, 45)}`;
}

/** A group covers its columns; a column without a title, both rows of the header. */
function merges(columns: readonly SheetColumn[]): string {
  const ranges = columns.flatMap(({ group, title }, i) => {
    if (group === undefined) return [];
    if (title === undefined) return [`${columnLetter(i)}1:${columnLetter(i)}2`];
    const next = columns.findIndex((column, at) => at > i && column.group !== undefined);
    const last = (next === -1 ? columns.length : next) - 1;
    return last > i ? [`${columnLetter(i)}1:${columnLetter(last)}1`] : [];
  });
  if (ranges.length === 0) return '';
  const cells = ranges.map((range) => `<mergeCell ref="${range}"/>`).join('');
  return `<mergeCells count="${ranges.length}">${cells}</mergeCells>`;
}

function rowXml(columns: readonly SheetColumn[], row: SheetRow, at: number): string {
  const cells = columns.map(({ kind }, i) => {
    const value = row[i] ?? null;
    if (value === null || kind === 'text') return textCell(i, at, value, STYLE.text);
    const number = kind === 'day' ? serialOf(value) : value;
    return `<c r="${columnLetter(i)}${at}" s="${STYLE[kind]}"><v>${number}</v></c>`;
  });
  return `<row r="${at}">${cells.join('')}</row>`;
}

function textCell(column: number, row: number, text: string | null, style: number): string {
  if (text === null) return '';
  return `<c r="${columnLetter(column)}${row}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${escapeXml(text)}</t></is></c>`;
}

const DAY_MS = 86_400_000;
const EPOCH = Date.UTC(1899, 11, 30);

/** `2026-11-20` → `46346` */
const serialOf = (day: string) => String((Date.parse(`${day}T00:00:00Z`) - EPOCH) / DAY_MS);
