import { BadFileError, NOT_THE_TEMPLATE } from './bad-file.ts';
import { checkZip } from './check-zip.ts';
import {
  ChoiceFinder,
  cellText,
  type Read,
  readDate,
  readDecimal,
  readText,
} from './read-values.ts';
import {
  type Column,
  columnLetter,
  EXAMPLE,
  folded,
  HEAD_ROWS,
  type ListName,
  type Lists,
  SHEETS,
  type SheetSpec,
  TEMPLATE_ID,
  TEMPLATE_VERSION,
  withPoints,
} from './sheets.ts';
import { LISTS_SHEET } from './template.ts';
import { type FoundCell, type FoundSheet, type FoundWorkbook, readWorkbook } from './workbook.ts';

export interface CellProblem {
  readonly hoja: SheetSpec['name'];
  /** As the spreadsheet counts them, from 1. */
  readonly fila: number;
  /** Header of the column. */
  readonly columna: string;
  readonly celda: string;
  readonly valor: string;
  readonly mensaje: string;
}

/** A row with something in it: texts by key of the column, as the product writes them. */
export interface FileRow {
  readonly fila: number;
  readonly values: Readonly<Record<string, string>>;
  /** What each cell showed, in the order of the template's columns. */
  readonly shown: readonly string[];
  readonly problems: CellProblem[];
}

export interface ReadFile {
  readonly clientes: readonly FileRow[];
  readonly items: readonly FileRow[];
  readonly facturas: readonly FileRow[];
}

/** A spreadsheet with blank rows for ever ends here. */
const MAX_BLANK = 200;

/**
 * Reads a filled-in template.
 *
 * @throws {BadFileError} when the file cannot be imported at all: what it is not, and what to do
 */
export async function readFile(file: Uint8Array, lists: Lists): Promise<ReadFile> {
  checkZip(file);
  const longest = Math.max(...SHEETS.map(({ maxRows }) => maxRows));
  const workbook = await readWorkbook(file, { rows: longest + HEAD_ROWS + 2, lastColumn: 'Z' });
  assertTemplate(workbook);
  const finders = new Map<ListName, ChoiceFinder>();
  for (const name of Object.keys(lists) as ListName[]) {
    finders.set(name, new ChoiceFinder(name, lists[name]));
  }
  const [clientes = [], items = [], facturas = []] = SHEETS.map((spec) =>
    readSheet(workbook, spec, finders),
  );
  if (clientes.length + items.length + facturas.length === 0) {
    throw new BadFileError('La plantilla no tiene datos. Escríbelos desde la fila 4.');
  }
  return { clientes, items, facturas };
}

/** Makes the message of a cell of a row, wherever its key is. */
export function cellProblem(
  spec: SheetSpec,
  { fila, shown }: Pick<FileRow, 'fila' | 'shown'>,
  key: string,
  mensaje: string,
): CellProblem {
  const index = Math.max(
    0,
    spec.columns.findIndex((column) => column.key === key),
  );
  return {
    hoja: spec.name,
    fila,
    columna: spec.columns[index]?.header ?? '',
    celda: `${columnLetter(index)}${fila}`,
    valor: shown[index] ?? '',
    mensaje,
  };
}

function sheetNamed({ sheets }: FoundWorkbook, name: string): FoundSheet | undefined {
  return sheets.find((sheet) => folded(sheet.name) === folded(name));
}

function assertTemplate(workbook: FoundWorkbook): void {
  const mark = sheetNamed(workbook, LISTS_SHEET);
  if (!mark || cellText(mark.at(0, 0)) !== TEMPLATE_ID) throw new BadFileError(NOT_THE_TEMPLATE);
  if (cellText(mark.at(0, 1)) !== String(TEMPLATE_VERSION)) {
    throw new BadFileError(
      'El archivo es de otra versión de la plantilla. Descárgala de nuevo y pasa a ella tus datos.',
    );
  }
}

function readSheet(
  workbook: FoundWorkbook,
  spec: SheetSpec,
  finders: ReadonlyMap<ListName, ChoiceFinder>,
): FileRow[] {
  const sheet = sheetNamed(workbook, spec.name);
  if (!sheet) throw new BadFileError(NOT_THE_TEMPLATE);
  const places = findColumns(sheet, spec);
  const rows: FileRow[] = [];
  let blank = 0;
  for (let row = 1; row < sheet.rowCount && blank < MAX_BLANK; row += 1) {
    const cells = places.map((place) => sheet.at(row, place));
    if (cells.every((cell) => cellText(cell) === '')) {
      blank += 1;
      continue;
    }
    blank = 0;
    if (isOurs(row, cells, spec)) continue;
    if (rows.length === spec.maxRows) {
      throw new BadFileError(
        `La hoja ${spec.name} tiene demasiadas filas: como mucho ${withPoints(spec.maxRows)}. Reparte los datos en varios archivos.`,
      );
    }
    rows.push(readRow(spec, cells, { fila: row + 1, is1904: workbook.is1904, finders }));
  }
  return rows;
}

/** Columns are found by their name: moved ones are fine, missing ones are not. */
function findColumns(sheet: FoundSheet, { columns }: SheetSpec): number[] {
  const headers = Array.from({ length: 26 }, (_, index) => folded(cellText(sheet.at(0, index))));
  return columns.map(({ header }) => {
    const index = headers.indexOf(folded(header));
    if (index < 0) throw new BadFileError(NOT_THE_TEMPLATE);
    return index;
  });
}

/** The row of help, as long as it stays where it was, and the example wherever it is. */
function isOurs(row: number, cells: readonly FoundCell[], { columns }: SheetSpec): boolean {
  const texts = cells.map(cellText);
  if (texts.some((text) => text === EXAMPLE)) return true;
  return (
    row < HEAD_ROWS && texts.some((text, index) => text !== '' && text === columns[index]?.help)
  );
}

interface RowContext {
  readonly fila: number;
  readonly is1904: boolean;
  readonly finders: ReadonlyMap<ListName, ChoiceFinder>;
}

function readRow(spec: SheetSpec, cells: readonly FoundCell[], context: RowContext): FileRow {
  const shown = cells.map(cellText);
  const row = { fila: context.fila, shown };
  const values: Record<string, string> = {};
  const problems: CellProblem[] = [];
  spec.columns.forEach((column, index) => {
    const read = readCell(column, cells[index] ?? { kind: 'empty' }, context);
    values[column.key] = read.ok ? read.text : '';
    if (!read.ok) problems.push(cellProblem(spec, row, column.key, read.mensaje));
    else if (column.isRequired && read.text === '') {
      problems.push(cellProblem(spec, row, column.key, `Falta: ${column.header}.`));
    }
  });
  return { ...row, values, problems };
}

function readCell(column: Column, cell: FoundCell, { is1904, finders }: RowContext): Read {
  if (cell.kind === 'error') {
    return {
      ok: false,
      mensaje: cell.text.startsWith('=')
        ? 'La celda es una fórmula sin calcular. Escribe el valor.'
        : `La celda tiene un error (${cell.text}). Escribe el valor.`,
    };
  }
  if (column.kind === 'decimal') return readDecimal(cell, column.max ?? 2);
  if (column.kind === 'date') return readDate(cell, { is1904 });
  const finder = column.list && finders.get(column.list);
  return finder ? finder.read(cell) : readText(cell, column.max ?? 250);
}
