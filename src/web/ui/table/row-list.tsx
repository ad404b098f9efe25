import { IconChevronDown } from '@tabler/icons-react';
import { type ReactNode, useId, useState } from 'react';
import { SkeletonBar } from '../skeleton-rows.tsx';
import { NEW_ROW, SelectAll, type Selection, SelectRow } from './data-table.tsx';
import classes from './row-list.module.css';

export interface RowListProps<Row> {
  /** The accessible name of the list. */
  readonly label: string;
  /** Undefined while loading. */
  readonly rows: readonly Row[] | undefined;
  readonly rowKey: (row: Row) => string;
  readonly skeletonRows: number;
  readonly selection?: Selection<Row> | undefined;
  /** The content of a folded row: two lines on the left, two on the right. */
  readonly summary: (row: Row) => RowSummary;
  /** A control that sorts them, like the headers of the table. */
  readonly order?: ReactNode;
  /** The content that unfolds below, with its actions. */
  readonly details: (row: Row) => ReactNode;
  /** A form that replaces a row (its key), or is above all of them for a new one (`new`). */
  readonly strip?: { readonly at: string; readonly content: ReactNode } | undefined;
}

export interface RowSummary {
  readonly title: ReactNode;
  readonly subtitle: ReactNode;
  readonly value?: ReactNode;
  readonly note?: ReactNode;
}

/** The rows of a table on a narrow screen: each unfolds, one at a time. */
export function RowList<Row>({ rows, strip, ...props }: RowListProps<Row>) {
  const [openKey, setOpenKey] = useState<string>();
  const { selection, order } = props;
  return (
    <>
      {(selection || order) && (
        <div className={classes.head}>
          {selection && <SelectAll rows={rows ?? []} rowKey={props.rowKey} selection={selection} />}
          {order}
        </div>
      )}
      <ul className={classes.list} aria-label={props.label} aria-busy={rows === undefined}>
        {strip?.at === NEW_ROW && <li>{strip.content}</li>}
        {rows === undefined
          ? Array.from({ length: props.skeletonRows }, (_, index) => index).map((row) => (
              <SkeletonItem key={row} row={row} isTicked={selection !== undefined} />
            ))
          : rows.map((row) => {
              const key = props.rowKey(row);
              if (strip?.at === key) return <li key={key}>{strip.content}</li>;
              return (
                <Item
                  key={key}
                  summary={props.summary(row)}
                  tick={
                    props.selection && (
                      <SelectRow row={row} rowKey={props.rowKey} selection={props.selection} />
                    )
                  }
                  isOpen={openKey === key}
                  onToggle={() => setOpenKey(openKey === key ? undefined : key)}
                >
                  {props.details(row)}
                </Item>
              );
            })}
      </ul>
    </>
  );
}

interface ItemProps {
  readonly summary: RowSummary;
  readonly tick: ReactNode;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
  readonly children: ReactNode;
}

function Item({ summary, tick, isOpen, onToggle, children }: ItemProps) {
  const id = useId();
  return (
    <li className={tick ? classes.ticked : undefined}>
      {tick && <span className={classes.tick}>{tick}</span>}
      <button
        type="button"
        className={classes.summary}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={onToggle}
      >
        <span className={classes.main}>
          <span className={classes.title}>{summary.title}</span>
          <span className={classes.subtitle}>{summary.subtitle}</span>
        </span>
        <span className={classes.side}>
          <span className={classes.value}>{summary.value}</span>
          <span className={classes.note}>{summary.note}</span>
        </span>
        <IconChevronDown className={classes.chevron} size={16} stroke={1.7} aria-hidden />
      </button>
      <div id={id} hidden={!isOpen} className={classes.details}>
        {isOpen && children}
      </div>
    </li>
  );
}

function SkeletonItem({ row, isTicked }: { row: number; isTicked: boolean }) {
  return (
    <li className={classes.skeleton} data-ticked={isTicked || undefined}>
      <span className={classes.main}>
        <SkeletonBar width={`${[72, 58, 80, 64][row % 4]}%`} />
        <SkeletonBar width="28%" />
      </span>
      <span className={classes.side}>
        <SkeletonBar width={84} />
        <SkeletonBar width={72} />
      </span>
    </li>
  );
}

export interface Detail {
  readonly label: string;
  readonly value: ReactNode;
}

/** The fields of an unfolded row with the names of their columns. */
export function DetailFields({ fields }: { fields: readonly Detail[] }) {
  return (
    <dl className={classes.fields}>
      {fields.map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
