import classes from './skeleton-rows.module.css';

/** A bar in the place of a text. Width in px or any CSS length. */
export function SkeletonBar({ width }: { readonly width: number | string }) {
  return <span className={classes.bar} style={{ width }} aria-hidden="true" />;
}

export interface SkeletonRowsProps {
  /** One width per column, near that of the real text; `right` for columns of amounts. */
  readonly columns: readonly { readonly width: number | string; readonly right?: boolean }[];
  readonly rows: number;
}

/** The rows of a table while they load, as high as the real ones. Goes inside a `tbody`. */
export function SkeletonRows({ columns, rows }: SkeletonRowsProps) {
  return Array.from({ length: rows }, (_, row) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: rows that do not exist have no other name.
    <tr key={row} className={classes.row}>
      {columns.map(({ width, right }, column) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: as above.
        <td key={column} data-right={right || undefined}>
          <SkeletonBar width={width} />
        </td>
      ))}
    </tr>
  ));
}
