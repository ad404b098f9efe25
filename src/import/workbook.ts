/** The one module that knows the spreadsheet library: another one may take its place here. */

import {
  type Cell,
  type CellStyle,
  type CellValue,
  readXlsx,
  type WriteSheet,
  writeXlsx,
} from 'hucre/xlsx';
import { BadFileError } from './bad-file.ts';

export type { CellStyle, CellValue };

/** A cell as it was found. A formula is worth the value that the file keeps of it. */
export type FoundCell =
  | { readonly kind: 'value'; readonly value: string | number | boolean | Date }
  | { readonly kind: 'error'; readonly text: string }
  | { readonly kind: 'empty' };

export interface FoundSheet {
  readonly name: string;
  readonly rowCount: number;
  /** Both from 0. */
  readonly at: (row: number, column: number) => FoundCell;
}

export interface FoundWorkbook {
  readonly sheets: readonly FoundSheet[];
  /** Days are counted from 1904 in some old files of a Mac. */
  readonly is1904: boolean;
}

/**
 * Reads the cells of a workbook, up to a row and a column.
 *
 * @throws {BadFileError} when it is no workbook
 */
export async function readWorkbook(
  file: Uint8Array,
  { rows, lastColumn }: { readonly rows: number; readonly lastColumn: string },
): Promise<FoundWorkbook> {
  try {
    const workbook = await readXlsx(file, { range: `A1:${lastColumn}${rows}` });
    return {
      is1904: workbook.dateSystem === '1904',
      sheets: workbook.sheets.map((sheet) => ({
        name: sheet.name,
        rowCount: sheet.rows.length,
        at: (row, column) =>
          foundCell(sheet.rows[row]?.[column], sheet.cells?.get(`${row},${column}`)),
      })),
    };
  } catch (cause) {
    throw new BadFileError(
      'El archivo está dañado y no se puede leer. Guárdalo de nuevo como .xlsx.',
      { cause },
    );
  }
}

function foundCell(value: CellValue | undefined, cell: Cell | undefined): FoundCell {
  if (cell?.type === 'error') return { kind: 'error', text: String(cell.value ?? value ?? '#¿?') };
  if (cell?.formula !== undefined) {
    const result = cell.formulaResult ?? value;
    if (result === null || result === undefined || result === '') {
      return { kind: 'error', text: `=${cell.formula}` };
    }
    return typeof result === 'string' && /^#(REF|N\/A|VALUE|DIV\/0|NAME|NUM|NULL)/i.test(result)
      ? { kind: 'error', text: result }
      : { kind: 'value', value: result };
  }
  const text = value ?? cell?.richText?.map((run) => run.text).join('');
  return text === null || text === undefined || text === ''
    ? { kind: 'empty' }
    : { kind: 'value', value: text };
}

/** A sheet to write. Cells are text, never formulas: what a person typed stays what it is. */
export interface SheetToWrite {
  readonly name: string;
  readonly rows: readonly (readonly CellValue[])[];
  readonly widths: readonly number[];
  /** Style of each column in the rows of `styledRows`, under that of each cell. */
  readonly columnStyles?: readonly (CellStyle | undefined)[];
  /** From the first to before the last, from 0. */
  readonly styledRows?: { readonly from: number; readonly to: number };
  /** By `row,column` from 0. */
  readonly styles?: ReadonlyMap<string, CellStyle>;
  readonly comments?: ReadonlyMap<string, string>;
  readonly validations?: readonly {
    readonly range: string;
    /** A range of another sheet, `Listas!$A$2:$A$9`. */
    readonly source: string;
    readonly message: string;
  }[];
  readonly frozenRows?: number;
  readonly isHidden?: boolean;
}

export async function writeWorkbook(
  sheets: readonly SheetToWrite[],
  { title, custom }: { readonly title: string; readonly custom: Record<string, string | number> },
): Promise<Uint8Array> {
  return writeXlsx({
    sheets: sheets.map(writeSheet),
    properties: { title, creator: 'Huella', custom },
    defaultFont: { name: 'Calibri', size: 11 },
  });
}

function writeSheet(sheet: SheetToWrite): WriteSheet {
  const cells = new Map<string, Partial<Cell>>();
  for (const [key, style] of sheet.styles ?? []) cells.set(key, { style });
  sheet.columnStyles?.forEach((style, column) => {
    // The library writes no style of a column: its blank cells carry it, so that typing keeps zeros.
    if (!style) return;
    for (let row = sheet.styledRows?.from ?? 0; row < (sheet.styledRows?.to ?? 0); row += 1) {
      const key = `${row},${column}`;
      if (!cells.has(key)) cells.set(key, { value: null, type: 'empty', style });
    }
  });
  for (const [key, text] of sheet.comments ?? []) {
    cells.set(key, { ...cells.get(key), comment: { author: 'Huella', text } });
  }
  // A cell that is only styled or commented would hide the value of its row.
  for (const [key, cell] of cells) {
    const [row = 0, column = 0] = key.split(',').map(Number);
    const value = sheet.rows[row]?.[column];
    if (value !== undefined && value !== null) {
      cells.set(key, { ...cell, value, type: typeof value === 'number' ? 'number' : 'string' });
    }
  }
  return {
    name: sheet.name,
    rows: sheet.rows.map((row) => [...row]),
    columns: sheet.widths.map((width) => ({ width })),
    cells,
    ...(sheet.validations && {
      dataValidations: sheet.validations.map(({ range, source, message }) => ({
        type: 'list' as const,
        range,
        formula1: source,
        allowBlank: true,
        showErrorMessage: true,
        errorStyle: 'warning' as const,
        errorTitle: 'Valor fuera de la lista',
        errorMessage: message,
      })),
    }),
    ...(sheet.frozenRows ? { freezePane: { rows: sheet.frozenRows } } : {}),
    ...(sheet.isHidden ? { hidden: true } : {}),
  };
}
