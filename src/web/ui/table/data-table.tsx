import { IconArrowDown, IconArrowUp, IconSelector } from '@tabler/icons-react';
import { type ComponentType, Fragment, type MouseEvent, type ReactNode } from 'react';
import { SkeletonBar } from '../skeleton-rows.tsx';
import classes from './data-table.module.css';
import { ariaSort, nextSort, type Sort } from './sort.ts';

export interface Column<Row> {
  readonly key: string;
  /** The text of the header; CSS shows it in upper case. */
  readonly header: string;
  /** Any CSS width; columns without one share what is left. */
  readonly width?: string;
  readonly align?: 'right';
  /** The cell that identifies its row. */
  readonly isRowHeader?: boolean;
  /** The field by which its header sorts; without it there is no button. */
  readonly sortBy?: string;
  readonly cell: (row: Row) => ReactNode;
  /** Widths of the placeholder bars while loading, in per cent of the column. */
  readonly bars?: readonly number[];
}

/** Selectable rows. Those of other pages stay selected. */
export interface Selection<Row> {
  readonly isSelected: (key: string) => boolean;
  readonly onSelect: (rows: readonly Row[], selected: boolean) => void;
  /** The name of a row's checkbox: «Seleccionar 00012/26». */
  readonly nameOf: (row: Row) => string;
  /** The checkbox component (tick.tsx). Passed in, so that tables without selection do not load its code. */
  readonly Tick: ComponentType<TickProps>;
}

export interface TickProps {
  readonly label: string;
  readonly checked: boolean;
  readonly indeterminate?: boolean;
  readonly disabled?: boolean;
  readonly onChange: (checked: boolean) => void;
}

export interface DataTableProps<Row> {
  /** The accessible name of the table. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  /** Undefined while loading: placeholder bars in rows of the same height are shown. */
  readonly rows: readonly Row[] | undefined;
  readonly rowKey: (row: Row) => string;
  readonly skeletonRows: number;
  readonly sort?: Sort;
  readonly onSort?: (sort: Sort) => void;
  readonly dense?: boolean;
  readonly selection?: Selection<Row> | undefined;
  /** Called when a row is pressed outside its controls: a mouse shortcut for what its cells offer. */
  readonly onRow?: (row: Row) => void;
  /** A form that replaces a row (its key), or is above all of them for a new one (`new`). */
  readonly strip?: { readonly at: string; readonly content: ReactNode } | undefined;
}

/** Key of a new row's form, above the rows. */
export const NEW_ROW = 'new';

/** A table with sortable headers. What is below it, e.g. a pager, belongs to the card. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, columns, rows, rowKey, strip, onRow, selection } = props;
  const span = columns.length + (selection ? 1 : 0);
  const stripRow = strip && (
    <tr key="strip">
      <td colSpan={span} className={classes.strip}>
        {strip.content}
      </td>
    </tr>
  );
  return (
    <div className={classes.scroll}>
      <table
        className={classes.table}
        aria-label={label}
        aria-busy={rows === undefined}
        data-dense={props.dense || undefined}
      >
        <colgroup>
          {selection && <col style={{ width: '44px' }} />}
          {columns.map(({ key, width }) => (
            <col key={key} style={width ? { width } : undefined} />
          ))}
        </colgroup>
        <thead>
          <tr>
            {selection && (
              <th scope="col" className={classes.tick}>
                <SelectAll rows={rows ?? []} rowKey={rowKey} selection={selection} />
              </th>
            )}
            {columns.map((column) => (
              <HeaderCell
                key={column.key}
                column={column}
                {...(props.sort !== undefined && { sort: props.sort })}
                {...(props.onSort && { onSort: props.onSort })}
              />
            ))}
          </tr>
        </thead>
        <tbody>
          {strip?.at === NEW_ROW && stripRow}
          {rows === undefined
            ? skeletonRows(columns, props.skeletonRows, selection !== undefined)
            : rows.map((row) => (
                <Fragment key={rowKey(row)}>
                  {strip?.at === rowKey(row) ? (
                    stripRow
                  ) : (
                    <tr
                      className={classes.row}
                      data-opens={onRow && true}
                      data-selected={selection?.isSelected(rowKey(row)) || undefined}
                      onClick={(event) => onRow && isBare(event) && onRow(row)}
                    >
                      {selection && (
                        <td className={classes.tick}>
                          <SelectRow row={row} rowKey={rowKey} selection={selection} />
                        </td>
                      )}
                      {columns.map((column) => (
                        <Cell key={column.key} column={column} row={row} />
                      ))}
                    </tr>
                  )}
                </Fragment>
              ))}
        </tbody>
      </table>
    </div>
  );
}

/** Whether the row itself was pressed, and not a control in it, one of its dialogs, or to select text. */
function isBare({ target, currentTarget }: MouseEvent<HTMLTableRowElement>): boolean {
  if (!(target instanceof Element) || !currentTarget.contains(target)) return false;
  return !target.closest('a, button, input, label') && window.getSelection()?.isCollapsed !== false;
}

interface SelectProps<Row> {
  readonly rowKey: (row: Row) => string;
  readonly selection: Selection<Row>;
}

export function SelectRow<Row>({
  row,
  rowKey,
  selection,
}: SelectProps<Row> & { readonly row: Row }) {
  return (
    <selection.Tick
      label={`Seleccionar ${selection.nameOf(row)}`}
      checked={selection.isSelected(rowKey(row))}
      onChange={(checked) => selection.onSelect([row], checked)}
    />
  );
}

/** Selects or clears the rows of this page. */
export function SelectAll<Row>({
  rows,
  rowKey,
  selection,
}: SelectProps<Row> & { readonly rows: readonly Row[] }) {
  const ticked = rows.filter((row) => selection.isSelected(rowKey(row))).length;
  return (
    <selection.Tick
      label="Seleccionar las de esta página"
      checked={rows.length > 0 && ticked === rows.length}
      indeterminate={ticked > 0 && ticked < rows.length}
      disabled={rows.length === 0}
      onChange={(checked) => selection.onSelect(rows, checked)}
    />
  );
}

function Cell<Row>({ column, row }: { readonly column: Column<Row>; readonly row: Row }) {
  const { align, isRowHeader, cell } = column;
  const content = cell(row);
  return isRowHeader ? (
    <th scope="row" data-align={align}>
      {content}
    </th>
  ) : (
    <td data-align={align}>{content}</td>
  );
}

interface HeaderCellProps<Row> {
  readonly column: Column<Row>;
  readonly sort?: Sort;
  readonly onSort?: (sort: Sort) => void;
}

function HeaderCell<Row>({ column, sort, onSort }: HeaderCellProps<Row>) {
  const { header, sortBy, align } = column;
  if (sortBy === undefined || sort === undefined || onSort === undefined) {
    return (
      <th scope="col" data-align={align}>
        {header}
      </th>
    );
  }
  const direction = ariaSort(sort, sortBy);
  return (
    <th scope="col" data-align={align} aria-sort={direction}>
      <button
        type="button"
        className={classes.sort}
        data-active={direction !== 'none' || undefined}
        onClick={() => onSort(nextSort(sort, sortBy))}
      >
        {header}
        {direction === 'none' && <IconSelector size={14} stroke={1.7} aria-hidden />}
        {direction === 'ascending' && <IconArrowUp size={14} stroke={2} aria-hidden />}
        {direction === 'descending' && <IconArrowDown size={14} stroke={2} aria-hidden />}
      </button>
    </th>
  );
}

/** Bars of realistic widths that vary from row to row, in rows of the real height. */
function skeletonRows<Row>(columns: readonly Column<Row>[], count: number, hasTicks: boolean) {
  return Array.from({ length: count }, (_, index) => index).map((row) => (
    <tr key={row}>
      {hasTicks && <td className={classes.tick} />}
      {columns.map(({ key, align, bars = [70] }) => (
        <td key={key} data-align={align}>
          <SkeletonBar width={`${bars[row % bars.length]}%`} />
        </td>
      ))}
    </tr>
  ));
}
