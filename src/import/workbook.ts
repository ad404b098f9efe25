/** The only module that writes with the spreadsheet library, so that it can be replaced here. */

import { type Cell, type CellStyle, type CellValue, type WriteSheet, writeXlsx } from 'hucre/xlsx';

const FONT = { name: 'Calibri', size: 11 };
/** Height of a line in that font, in points. */
const LINE = 15;

export type { CellStyle, CellValue };

/** A sheet to write. Cells are text, never formulas: what a person typed stays as it is. */
export interface SheetToWrite {
  readonly name: string;
  readonly rows: readonly (readonly CellValue[])[];
  readonly widths: readonly number[];
  /** Style of each column in the rows of `styledRows`, overridden by that of each cell. */
  readonly columnStyles?: readonly (CellStyle | undefined)[];
  /** Rows from the first to the last, exclusive, from 0. */
  readonly styledRows?: { readonly from: number; readonly to: number };
  /** By `row,column` from 0. */
  readonly styles?: ReadonlyMap<string, CellStyle>;
  readonly comments?: ReadonlyMap<string, string>;
  readonly validations?: readonly {
    readonly range: string;
    /** The name of a range of the workbook. */
    readonly source: string;
    readonly message: string;
  }[];
  readonly frozenRows?: number;
  readonly isHidden?: boolean;
  /** Protected against accidental changes, without a password. */
  readonly isProtected?: boolean;
}

export async function writeWorkbook(
  sheets: readonly SheetToWrite[],
  {
    title,
    custom,
    ranges,
  }: {
    readonly title: string;
    readonly custom: Record<string, string | number>;
    readonly ranges: readonly { readonly name: string; readonly range: string }[];
  },
): Promise<Uint8Array> {
  return writeXlsx({
    namedRanges: [...ranges],
    sheets: sheets.map(writeSheet),
    properties: { title, creator: 'Huella', custom },
    defaultFont: FONT,
  });
}

function writeSheet(sheet: SheetToWrite): WriteSheet {
  const rows = sheet.rows.map((row) =>
    row.map((value) => (typeof value === 'string' ? writable(value) : value)),
  );
  const cells = new Map<string, Partial<Cell>>();
  for (const [key, style] of sheet.styles ?? []) cells.set(key, { style: inOurFont(style) });
  sheet.columnStyles?.forEach((style, column) => {
    // The library writes no column styles: blank cells carry the style, so that typed codes keep their zeros.
    if (!style) return;
    for (let row = sheet.styledRows?.from ?? 0; row < (sheet.styledRows?.to ?? 0); row += 1) {
      const key = `${row},${column}`;
      if (!cells.has(key)) cells.set(key, { value: null, type: 'empty', style });
    }
  });
  for (const [key, text] of sheet.comments ?? []) {
    cells.set(key, { ...cells.get(key), comment: { author: 'Huella', text: writable(text) } });
  }
  // A cell that only has a style or comment would hide the value of its row.
  for (const [key, cell] of cells) {
    const [row = 0, column = 0] = key.split(',').map(Number);
    const value = rows[row]?.[column];
    if (value !== undefined && value !== null) {
      cells.set(key, { ...cell, value, type: typeof value === 'number' ? 'number' : 'string' });
    }
  }
  return {
    name: sheet.name,
    rows,
    columns: sheet.widths.map((width) => ({ width })),
    rowDefs: wrappedRows(sheet),
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
    ...(sheet.isProtected ? { protection: { sheet: true } } : {}),
  };
}

/**
 * Without the two code points that XML cannot contain and the library leaves as they are: for one of them, a spreadsheet
 * refuses the whole file. Control characters it writes as `_x001B_`.
 */
function writable(text: string): string {
  return text.replace(/[\ufffe\uffff]/g, '');
}

/** Some programs draw a font that only specifies «bold» in another face and size. */
function inOurFont(style: CellStyle): CellStyle {
  return style.font ? { ...style, font: { ...FONT, ...style.font } } : style;
}

/** LibreOffice leaves a row of wrapped text one line high, and draws the rest over the next row. */
function wrappedRows({ styles, rows, widths }: SheetToWrite): Map<number, { height: number }> {
  const found = new Map<number, { height: number }>();
  for (const [key, { alignment }] of styles ?? []) {
    if (!alignment?.wrapText) continue;
    const [row = 0, column = 0] = key.split(',').map(Number);
    const lines = linesOf(String(rows[row]?.[column] ?? ''), widths[column] ?? 10);
    const before = found.get(row)?.height ?? LINE;
    found.set(row, { height: Math.max(before, lines * LINE) });
  }
  return found;
}

/** Number of lines of a text, broken between words, in a column with that many characters. */
function linesOf(text: string, width: number): number {
  let lines = 1;
  let used = 0;
  for (const { length } of text.split(' ')) {
    const isFirst = used === 0;
    if (!isFirst && used + 1 + length > width) {
      lines += 1;
      used = length;
    } else used += length + (isFirst ? 0 : 1);
  }
  return lines;
}
