import type { Correspondencia, CorrespondenciaHoja } from '../contract/imports.ts';
import { withComma } from '../domain/money.ts';
import { BadFileError, OtherFileError } from './bad-file.ts';
import type { OnShare } from './container.ts';
import { EMPTY, type FoundCell, type FoundSheet, type FoundWorkbook } from './found.ts';
import { openFile } from './open-file.ts';
import { personColumns } from './private-persons.ts';
import {
  ChoiceFinder,
  cellText,
  type DecimalSign,
  quoted,
  type Read,
  readDate,
  readDecimal,
  readText,
  rowTexts,
} from './read-values.ts';
import {
  type Column,
  columnLetter,
  EXAMPLE,
  folded,
  HEAD_ROWS,
  isKnownTitle,
  type ListName,
  type Lists,
  MAX_BLANK,
  SHEETS,
  type SheetSpec,
  TEMPLATE_ID,
  TEMPLATE_VERSION,
  withPoints,
} from './sheets.ts';
import { supplierFinder } from './suppliers.ts';
import { LISTS_SHEET } from './template.ts';

export interface CellProblem {
  readonly spec: SheetSpec;
  /** Key of the column. */
  readonly key: string;
  readonly fila: number;
  readonly mensaje: string;
}

/** A non-empty row: texts by key of the column, in the format of the product. */
export interface FileRow {
  /** As the spreadsheet counts, from 1. */
  readonly fila: number;
  readonly values: Readonly<Record<string, string>>;
  /** What each cell showed, numbers with a decimal comma, in the order of the template's columns. */
  readonly shown: readonly string[];
  readonly problems: CellProblem[];
  /** Cells that are left out, and why. */
  readonly leftOut: readonly CellProblem[];
}

/** The rows of one kind, and where they are in the file. */
export interface FileSheet {
  readonly spec: SheetSpec;
  /** Its name in the file. */
  readonly hoja: string;
  /** The position of each column of the template in the file, from 0; -1 when it is missing. */
  readonly places: readonly number[];
  readonly rows: readonly FileRow[];
  readonly rowAt: (fila: number) => FileRow | undefined;
  /** The first non-empty row after so many blank ones that it is not read, if there is one. */
  readonly leftAt: number | null;
  /** The last row, if it is left out because it has the sums of the others. */
  readonly sumsAt: number | null;
  /** The row taken for the titles of the columns, if it seems to have data or has no title that is known. */
  readonly titles: { readonly fila: number; readonly isData: boolean } | null;
  /** The rows of clients that are suppliers and no clients. */
  readonly suppliers: readonly number[];
  /** The rows of clients without a name of a company, which are named by that of a person in other columns. */
  readonly persons: readonly number[];
  /** Titles of the columns that somebody has added to the template. */
  readonly added: readonly string[];
}

export interface ReadFile {
  readonly clientes: FileSheet;
  readonly items: FileSheet;
  readonly facturas: FileSheet;
}

/**
 * Reads a filled-in template or, given the meaning of its columns, another program's file.
 *
 * @throws {OtherFileError} when it is not the template and the meaning of its columns was not given
 * @throws {BadFileError} when the file cannot be imported at all: why, and what to do
 */
export async function readFile(
  file: Uint8Array,
  lists: Lists,
  correspondencia: Correspondencia | null,
  onShare?: OnShare,
): Promise<ReadFile> {
  const workbook = await openFile(file, onShare);
  const finders = new Map<ListName, ChoiceFinder>();
  for (const name of Object.keys(lists) as ListName[]) {
    finders.set(name, new ChoiceFinder(name, lists[name]));
  }
  const version = correspondencia === null ? templateVersion(workbook) : TEMPLATE_VERSION;
  const [clientes, items, facturas] = SHEETS.map((spec) => {
    const source = correspondencia
      ? mappedSource(workbook, spec, correspondencia)
      : templateSource(workbook, spec, version);
    return readSheet(source, { is1904: workbook.is1904, finders });
  }) as [FileSheet, FileSheet, FileSheet];
  if (clientes.rows.length + items.rows.length + facturas.rows.length === 0) {
    throw new BadFileError(
      correspondencia
        ? 'El archivo no tiene filas debajo de los títulos.'
        : 'La plantilla no tiene datos. Escríbelos desde la fila 4.',
    );
  }
  return { clientes, items, facturas };
}

/** Makes an error for a cell of a row, given the key of its column. */
export function cellProblem(
  spec: SheetSpec,
  { fila }: Pick<FileRow, 'fila'>,
  key: string,
  mensaje: string,
): CellProblem {
  return { spec, key, fila, mensaje };
}

function sheetNamed({ sheets }: FoundWorkbook, name: string): FoundSheet | undefined {
  return sheets.find((sheet) => folded(sheet.name) === folded(name));
}

function templateVersion(workbook: FoundWorkbook): number {
  const mark = sheetNamed(workbook, LISTS_SHEET);
  if (!mark || cellText(mark.at(0, 0)) !== TEMPLATE_ID) throw new OtherFileError();
  const version = Number(cellText(mark.at(0, 1)));
  if (!(version >= 1 && version <= TEMPLATE_VERSION)) {
    throw new BadFileError(
      'El archivo es de otra versión de la plantilla. Descárgala de nuevo y pasa a ella tus datos.',
    );
  }
  return version;
}

/** A sheet of the file, and how to read it. */
interface Source {
  readonly spec: SheetSpec;
  readonly sheet: FoundSheet | null;
  readonly places: readonly number[];
  /** By key: the columns whose text is added to that of the column's own place. */
  readonly behind: Readonly<Record<string, readonly number[]>>;
  /** The columns that name a client whose own column has no name. */
  readonly person: readonly number[];
  /** Its first row of data, from 0. */
  readonly from: number;
  readonly isTemplate: boolean;
  readonly decimal: DecimalSign | null;
  /** By key: the value for all rows when there is no such column. */
  readonly fixed: Readonly<Record<string, string>>;
}

function templateSource(workbook: FoundWorkbook, spec: SheetSpec, version: number): Source {
  const sheet = sheetNamed(workbook, spec.name);
  if (!sheet) throw new OtherFileError();
  const places = findColumns(sheet, spec, version);
  const none = { behind: {}, person: [], decimal: null, fixed: {} };
  return { ...none, spec, sheet, places, from: 1, isTemplate: true };
}

/** Columns are found by name: moved ones are fine, missing ones are not, except those added in later versions. */
function findColumns(sheet: FoundSheet, { columns }: SheetSpec, version: number): number[] {
  const headers = Array.from({ length: 26 }, (_, index) => folded(cellText(sheet.at(0, index))));
  return columns.map(({ header, since = 1 }) => {
    const index = headers.indexOf(folded(header));
    if (index < 0 && since <= version) throw new OtherFileError();
    return index;
  });
}

function mappedSource(
  workbook: FoundWorkbook,
  spec: SheetSpec,
  { hojas, decimal }: Correspondencia,
): Source {
  const mapped = hojas.find(({ destino }) => destino === spec.name);
  const none = {
    spec,
    sheet: null,
    places: [],
    behind: {},
    person: [],
    from: 0,
    isTemplate: false,
    decimal,
    fixed: {},
  };
  if (!mapped) return none;
  const sheet = workbook.sheets.find(({ name }) => name === mapped.hoja);
  if (!sheet) throw new BadFileError(`El archivo no tiene ninguna hoja «${mapped.hoja}».`);
  return {
    ...none,
    sheet,
    places: spec.columns.map(({ key }) => mapped.columnas[key] ?? -1),
    behind: behindOf(spec, mapped),
    person:
      spec.name === 'Clientes'
        ? personColumns(rowTexts(sheet, mapped.fila - 1), spec, mapped.columnas)
        : [],
    from: mapped.fila,
    fixed: fixedOf(spec, mapped),
  };
}

/** Up to the first that has no column: what is behind it is no longer offered. */
function behindOf({ columns }: SheetSpec, { columnas }: CorrespondenciaHoja): Source['behind'] {
  return Object.fromEntries(
    columns.flatMap(({ key, more }) => {
      if (!more || columnas[key] === undefined) return [];
      const places = more.fields.map((field) => columnas[field.key]);
      const end = places.indexOf(undefined);
      return [[key, (end < 0 ? places : places.slice(0, end)) as number[]]];
    }),
  );
}

/** A column of the file takes precedence over a value for all rows. */
function fixedOf({ columns }: SheetSpec, { columnas, fijos }: CorrespondenciaHoja) {
  return Object.fromEntries(
    columns.flatMap(({ key }) => {
      const value = fijos[key]?.trim();
      return value && columnas[key] === undefined ? [[key, value]] : [];
    }),
  );
}

interface Reading {
  readonly is1904: boolean;
  readonly finders: ReadonlyMap<ListName, ChoiceFinder>;
}

function readSheet(source: Source, reading: Reading): FileSheet {
  const { spec, sheet, places, from, isTemplate } = source;
  const found = sheet ? readRows({ ...source, sheet }, reading) : NO_ROWS;
  const byFila = new Map(found.rows.map((row) => [row.fila, row]));
  refuseMerged(source, byFila);
  const titles = sheet ? rowTexts(sheet, from - 1) : [];
  return {
    ...found,
    spec,
    hoja: sheet?.name ?? spec.name,
    places,
    rowAt: (fila) => byFila.get(fila),
    titles:
      sheet && !isTemplate ? doubtfulTitles(cellsOf(source, sheet, from - 1), titles, from) : null,
    added: isTemplate
      ? titles.filter((title, column) => title !== '' && !places.includes(column))
      : [],
  };
}

type FoundRows = Pick<FileSheet, 'rows' | 'leftAt' | 'sumsAt' | 'suppliers' | 'persons'>;
const NO_ROWS: FoundRows = { rows: [], leftAt: null, sumsAt: null, suppliers: [], persons: [] };

/** The rows with data, up to the end of the sheet, its sums, or too many blank ones. */
function readRows(source: Source & { readonly sheet: FoundSheet }, reading: Reading): FoundRows {
  const { spec, sheet, from, isTemplate } = source;
  const tooMany = () =>
    new BadFileError(
      `La hoja ${sheet.name} tiene demasiadas filas: como mucho ${withPoints(spec.maxRows)}. Reparte los datos en varios archivos.`,
    );
  if (sheet.goesOn) throw tooMany();
  const isSupplier =
    isTemplate || spec.name !== 'Clientes' ? null : supplierFinder(rowTexts(sheet, from - 1));
  const rows: FileRow[] = [];
  const suppliers: number[] = [];
  const persons: number[] = [];
  const found = { rows, suppliers, persons, leftAt: null, sumsAt: null };
  let above: readonly FoundCell[] = [];
  let blank = 0;
  for (let at = from; at < sheet.rowCount; at += 1) {
    const fila = at + 1;
    const cells = cellsOf(source, sheet, at);
    // A sheet of the template has rows of one kind only; another program's may have several.
    if (isTemplate) sheet.drop(at);
    if (cells.every((cell) => cellText(cell) === '')) {
      blank += 1;
      above = [];
      continue;
    }
    if (blank >= MAX_BLANK) return { ...found, leftAt: fila };
    blank = 0;
    if (isTemplate && isOurs(at, cells, spec)) continue;
    if (!isTemplate && rows.length > 0 && isSums(cells) && isLast(source, sheet, at))
      return { ...found, sumsAt: fila };
    if (rows.length === spec.maxRows) throw tooMany();
    if (spec.name === 'Facturas' && !isTemplate) {
      if (OF_INVOICE.some((key) => textIn(spec, cells, key) !== '')) above = cells;
      else if (isLine(textIn(spec, cells, 'description'))) takeOver(spec, cells, above);
    }
    rows.push(readRow(source, cells, fila, reading));
    if (isSupplier?.((column) => cellText(sheet.at(at, column)))) suppliers.push(fila);
    if (isPerson(source, sheet, at)) persons.push(fila);
  }
  return found;
}

/** What every line of an invoice needs of the invoice itself, and other programs write in the first one alone. */
const OF_INVOICE = ['referencia', 'invoiceDate', 'cliente'];

/** What is written under the lines, and would count them twice as one more: «Subtotal», «Total factura», «IVA 21 %». */
const UNDER_LINES =
  /^(?:(?:sub[- ]?)?total(?:es)?|sumas?|base imponible)\b|^(?:(?:cuota )?(?:de )?(?:iva|i\.v\.a|igic|ipsi)|irpf|retencion|recargo(?: de equivalencia)?)[^a-z]*$/;

/** Whether a row that does not say of which invoice it is has the text of a line: sums have none, or their own. */
function isLine(description: string): boolean {
  return description !== '' && !UNDER_LINES.test(folded(description));
}

function textIn({ columns }: SheetSpec, cells: readonly FoundCell[], of: string): string {
  return cellText(cells[columns.findIndex(({ key }) => key === of)] ?? EMPTY);
}

/** A further line is of the invoice above. */
function takeOver({ columns }: SheetSpec, cells: FoundCell[], above: readonly FoundCell[]): void {
  columns.forEach(({ key }, index) => {
    if (OF_INVOICE.includes(key)) cells[index] = above[index] ?? EMPTY;
  });
}

/** Of merged cells, the file has a value for the first alone. */
function refuseMerged(source: Source, byFila: ReadonlyMap<number, FileRow>): void {
  const { spec, sheet, places, behind } = source;
  for (const { row, column } of sheet?.merged ?? []) {
    const key = spec.columns.find(
      (one, index) => places[index] === column || behind[one.key]?.includes(column),
    )?.key;
    const merged = byFila.get(row + 1);
    if (!key || !merged || merged.problems.some((problem) => problem.key === key)) continue;
    const mensaje = 'La celda está combinada con otras. Sepáralas y escribe el valor en cada una.';
    merged.problems.push(cellProblem(spec, merged, key, mensaje));
  }
}

/** Whether the rows behind one are blank: programs give them a format. */
function isLast(source: Source, sheet: FoundSheet, row: number): boolean {
  for (let at = row + 1; at < sheet.rowCount; at += 1) {
    if (cellsOf(source, sheet, at).some((cell) => cellText(cell) !== '')) return false;
  }
  return true;
}

function cellsOf(source: Source, sheet: FoundSheet, row: number): FoundCell[] {
  const { spec, places, behind, person } = source;
  const at = (place: number) => (place < 0 ? EMPTY : sheet.at(row, place));
  const named = isPerson(source, sheet, row);
  return spec.columns.map(({ key, more }, index) => {
    const first = at(places[index] ?? -1);
    if (!more) return first;
    const others = named && key === 'Name' ? person : (behind[key] ?? []);
    return joined([first, ...others.map(at)], more.joint);
  });
}

/** Whether a row has no name of a client, but that of a person in the columns for it. */
function isPerson({ spec, places, person }: Source, sheet: FoundSheet, row: number): boolean {
  if (person.length === 0) return false;
  const isNothing = (column: number) => NOTHING.test(cellText(sheet.at(row, column)));
  const name = places[spec.columns.findIndex(({ key }) => key === 'Name')] ?? -1;
  return name >= 0 && isNothing(name) && !person.every(isNothing);
}

/** Programs write «-», «N/A» or «NULL» where they have nothing. */
const NOTHING = /^(?:|-+|n\/a|null)$/i;

/** The texts of several cells as one cell. An error in one is one of all. */
function joined(cells: readonly FoundCell[], joint: string): FoundCell {
  const [first = EMPTY, ...others] = cells;
  const some = others.filter((cell) => !NOTHING.test(cellText(cell)));
  if (some.length === 0) return first;
  const all = NOTHING.test(cellText(first)) ? some : [first, ...some];
  const wrong = all.find(({ kind }) => kind === 'error');
  return wrong ?? { kind: 'value', value: all.map(cellText).join(joint) };
}

/** A number, a date, an e-mail or an identifier: no program names a column so. */
const DATA = /^(?:[-\d.,/]+\s*[€%]?|[^\s@]+@[^\s@]+|[A-Z]-?\d{7}[A-Z\d]|\d{8}-?[A-Z])$/i;

function doubtfulTitles(
  cells: readonly FoundCell[],
  titles: readonly string[],
  fila: number,
): FileSheet['titles'] {
  const isData = seemsData(cells);
  return isData || !titles.some(isKnownTitle) ? { fila, isData } : null;
}

function seemsData(cells: readonly FoundCell[]): boolean {
  return cells.some((cell) => {
    const text = cellText(cell);
    return /[\d@]/.test(text) && DATA.test(text);
  });
}

const SUMS =
  /^(?:suma|totales|total)(?: general)?(?: (?:de )?(?:clientes|contactos|productos|articulos|facturas|registros))?\s*[:=]?\s*[\d.,]*$/;

/**
 * A row that other programs write under the list: «Total», «Total clientes: 25», and at most amounts. What has a code
 * before its name is a client or a product of that name.
 */
function isSums(cells: readonly FoundCell[]): boolean {
  const [first = '', ...others] = cells.map((cell) => folded(cellText(cell))).filter(Boolean);
  return SUMS.test(first) && others.every((text) => /^-?[\d.,]+\s*(?:€|eur)?$/.test(text));
}

/** The row of help, as long as it has not moved, and the example wherever it is. */
function isOurs(row: number, cells: readonly FoundCell[], { columns }: SheetSpec): boolean {
  const texts = cells.map(cellText);
  if (texts.some((text) => text === EXAMPLE)) return true;
  return (
    row < HEAD_ROWS && texts.some((text, index) => text !== '' && text === columns[index]?.help)
  );
}

function readRow(
  { spec, decimal, fixed }: Source,
  cells: readonly FoundCell[],
  fila: number,
  reading: Reading,
): FileRow {
  const values: Record<string, string> = {};
  const problems: CellProblem[] = [];
  const leftOut: CellProblem[] = [];
  const shown: string[] = [];
  spec.columns.forEach((column, index) => {
    const given = fixed[column.key];
    const cell: FoundCell =
      given === undefined ? ownCell(column, cells[index]) : { kind: 'value', value: given };
    // A person typed the value for all rows: the decimal sign of the file does not apply.
    const sign = given === undefined ? decimal : null;
    const read = readCell(column, cell, sign, reading);
    shown.push(shownText(column, cell, sign, read));
    values[column.key] = read.ok ? read.text : '';
    if (read.ok) return;
    const isLeftOut = column.isOptional && read.isUnknown;
    (isLeftOut ? leftOut : problems).push(cellProblem(spec, { fila }, column.key, read.mensaje));
  });
  for (const column of spec.columns) {
    const isMissing = column.isRequired && values[column.key] === '';
    const isTold = problems.some(({ key }) => key === column.key);
    // Mandatory data that a product can provide is checked once products are known.
    if (!isMissing || isTold || column.isOfProduct) continue;
    problems.push(cellProblem(spec, { fila }, column.key, `Falta: ${column.header}.`));
  }
  return { fila, values, shown, problems, leftOut };
}

/**
 * What a cell shows, with a decimal comma: written back into the template, `1.459` from Excel or from a program in
 * English would be read as thousands.
 */
function shownText(
  { kind }: Column,
  cell: FoundCell,
  sign: DecimalSign | null,
  read: Read,
): string {
  const text = cellText(cell);
  if (kind !== 'decimal' || cell.kind !== 'value') return text;
  if (typeof cell.value === 'number') return withComma(text);
  return sign === '.' && read.ok ? withComma(read.text) : text;
}

/** A price in a cell with a percentage format is the number that the file stores, and is shown as such. */
function ownCell({ isPercent }: Column, cell: FoundCell = EMPTY): FoundCell {
  if (isPercent || cell.kind !== 'value' || !cell.isPercent) return cell;
  return { kind: 'value', value: cell.value };
}

/** The calls that save refuse the character too, but could not name its cell. */
const UNREAD =
  'La celda lleva el signo «\ufffd», que queda donde una letra no se pudo leer. Escríbela de nuevo.';

/** Half of a character, written `_xD800_`. PostgreSQL keeps neither that nor U+0000, written `_x0000_`. */
const HALF = /\p{Cs}/u;
const NOT_ADMITTED = 'La celda lleva un carácter que no se admite. Escríbela de nuevo.';

function readCell(
  column: Column,
  cell: FoundCell,
  decimal: DecimalSign | null,
  { is1904, finders }: Reading,
): Read {
  if (cell.kind === 'error') {
    return {
      ok: false,
      mensaje: cell.text.startsWith('=')
        ? 'La celda es una fórmula sin calcular. Escribe el valor.'
        : `La celda tiene un error (${quoted(cell.text)}). Escribe el valor.`,
    };
  }
  const text = cellText(cell);
  if (text.includes('\ufffd')) return { ok: false, mensaje: UNREAD };
  if (text.includes('\u0000') || HALF.test(text)) return { ok: false, mensaje: NOT_ADMITTED };
  if (column.kind === 'decimal') return readDecimal(cell, column.max ?? 2, decimal);
  if (column.kind === 'date') return readDate(cell, { is1904 });
  const finder = column.list && finders.get(column.list);
  return finder ? finder.read(cell) : readText(cell, column.max ?? 250);
}

/** The position of a cell, as the spreadsheet names it. */
export function cellName({ spec, places }: FileSheet, key: string, fila: number): string {
  const index = spec.columns.findIndex((column) => column.key === key);
  return `${columnLetter(Math.max(0, places[index] ?? 0))}${fila}`;
}
