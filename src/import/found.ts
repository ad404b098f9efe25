/** What was found in an uploaded file, whatever its format. */

/** A cell as it was found. A formula is worth the value that the file keeps of it. */
export type FoundCell =
  | {
      readonly kind: 'value';
      readonly value: string | number | boolean | Date;
      /** A number that is shown a hundred times as large, with its sign: 0.1 is «10%». */
      readonly isPercent?: true;
    }
  | { readonly kind: 'error'; readonly text: string }
  | { readonly kind: 'empty' };

export const EMPTY: FoundCell = { kind: 'empty' };

export interface FoundSheet {
  readonly name: string;
  /** Rows up to the last with something in it, or up to where reading stopped. */
  readonly rowCount: number;
  /** Whether something stands in it behind where reading stopped. */
  readonly goesOn: boolean;
  /** Both from 0. */
  readonly at: (row: number, column: number) => FoundCell;
  /** Lets go of a row that nobody will ask for again: it is empty from then on. */
  readonly drop: (row: number) => void;
  /** First cells of the merged ones, from 0. */
  readonly merged: readonly { readonly row: number; readonly column: number }[];
}

export interface FoundWorkbook {
  readonly sheets: readonly FoundSheet[];
  /** Days are counted from 1904 in some old files of a Mac. */
  readonly is1904: boolean;
  /** Any text at all is opened as a CSV: it may have no table in it. */
  readonly isText: boolean;
}

/** Whether a cell has nothing to be seen in it. */
export function isBlank(cell: FoundCell): boolean {
  if (cell.kind !== 'value') return cell.kind === 'empty';
  return typeof cell.value === 'string' && cell.value.trim() === '';
}

/** A sheet of rows that may have holes. */
export function foundSheet(
  name: string,
  rows: (readonly (FoundCell | undefined)[] | undefined)[],
  { merged = [], goesOn = false }: Partial<Pick<FoundSheet, 'merged' | 'goesOn'>> = {},
): FoundSheet {
  return {
    name,
    rowCount: rows.length,
    goesOn,
    at: (row, column) => rows[row]?.[column] ?? EMPTY,
    drop: (row) => {
      rows[row] = undefined;
    },
    merged,
  };
}
