/** The content of an uploaded file, whatever its format. */

/** A cell as found. A formula has the value that the file stores for it. */
export type FoundCell =
  | {
      readonly kind: 'value';
      readonly value: string | number | boolean | Date;
      /** A number shown as a percentage: 0.1 is «10%». */
      readonly isPercent?: true;
    }
  | { readonly kind: 'error'; readonly text: string }
  | { readonly kind: 'empty' };

export const EMPTY: FoundCell = { kind: 'empty' };

export interface FoundSheet {
  readonly name: string;
  /** Rows up to the last non-empty one, or up to where reading stopped. */
  readonly rowCount: number;
  /** Whether there is content after the point where reading stopped. */
  readonly goesOn: boolean;
  /** Both from 0. */
  readonly at: (row: number, column: number) => FoundCell;
  /** Frees a row that nobody will ask for again: it is empty from then on. */
  readonly drop: (row: number) => void;
  /** Top left cells of merged ones, from 0. */
  readonly merged: readonly { readonly row: number; readonly column: number }[];
}

export interface FoundWorkbook {
  readonly sheets: readonly FoundSheet[];
  /** Some old Mac files count days from 1904. */
  readonly is1904: boolean;
  /** Any text is opened as a CSV: it may contain no table. */
  readonly isText: boolean;
}

/** Whether a cell has no visible content. */
export function isBlank(cell: FoundCell): boolean {
  if (cell.kind !== 'value') return cell.kind === 'empty';
  return typeof cell.value === 'string' && cell.value.trim() === '';
}

/** A sheet whose rows may have gaps. */
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
