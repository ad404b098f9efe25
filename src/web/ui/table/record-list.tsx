import { Button } from '@mantine/core';
import { IconPlus, IconSearch } from '@tabler/icons-react';
import { type ReactNode, useContext } from 'react';
import { Link } from 'react-router';
import { PATHS } from '../../lib/paths.ts';
import { EmptyState } from '../empty-state.tsx';
import { FailedCard } from '../failed-state.tsx';
import { toSearch } from '../focus-after.ts';
import { PanelClosed } from '../page-title.tsx';
import { Pager } from '../pager.tsx';
import { SearchField } from '../search-field.tsx';
import { type Column, DataTable, NEW_ROW } from './data-table.tsx';
import type { Labels } from './labels.ts';
import classes from './list-page.module.css';
import { actionColumn, ItemActions, type RowLink } from './record-actions.tsx';
import { type Detail, DetailFields, RowList, type RowSummary } from './row-list.tsx';
import { SortField } from './sort-field.tsx';
import { type Editing, editButtonId, useEditing } from './use-editing.ts';
import { PAGE_SIZE, useLocalTable } from './use-local-table.ts';
import { useWideTable } from './use-wide-table.ts';

export interface RecordListTexts {
  /** The accessible name of the list. */
  readonly label: string;
  readonly noun: readonly [one: string, many: string];
  readonly search: string;
  /** The text of the button that adds one, on a wide and on a narrow screen. */
  readonly add: string;
  readonly addNarrow: string;
  /** Above the list on a narrow screen. */
  readonly listTitle: string;
  readonly emptyTitle: string;
  readonly emptyText: string;
  readonly noResultsTitle: string;
  readonly failedTitle: string;
}

/** What the form of a row reports to the list. */
export interface RecordFormHandlers<Draft> {
  readonly onDone: () => void;
  readonly onDirtyChange: (isDirty: boolean, draft: Draft) => void;
  /** Unsaved input from before the session ended, or the window changed its width. */
  readonly typed: Draft | undefined;
}

export interface RecordListProps<Row, Draft> {
  readonly texts: RecordListTexts;
  readonly query: {
    readonly data: readonly Row[] | undefined;
    readonly error: unknown;
    readonly refetch: () => unknown;
  };
  readonly rowKey: (row: Row) => string;
  /**
   * Texts shown instead of codes, by which rows are searched and sorted. The same object as long as nothing changes.
   */
  readonly labels: Labels<Row>;
  /** All but the last one, «Acción». */
  readonly columns: readonly Column<Row>[];
  readonly dense?: boolean;
  /** The window width from which it is a table. */
  readonly tableFrom?: `${number}em`;
  readonly actionWidth: string;
  readonly summary: (row: Row) => RowSummary;
  readonly details: (row: Row) => readonly Detail[];
  /** The form in place of a row, as it was when it was opened, or for a new one. */
  readonly renderForm: (row: Row | undefined, handlers: RecordFormHandlers<Draft>) => ReactNode;
  readonly onDelete: (row: Row) => void;
  readonly link?: RowLink<Row>;
}

/**
 * Records that are searched, added, edited in place and deleted: a table if there is room, otherwise a list that
 * unfolds. One row at a time is edited, and no input is discarded without asking.
 */
export function RecordList<Row extends { readonly Name: string }, Draft>(
  props: RecordListProps<Row, Draft>,
) {
  const { texts, query, rowKey } = props;
  const isWide = useWideTable(props.tableFrom);
  const table = useLocalTable(query.data, props.labels);
  const editing = useEditing<Row, Draft>(texts.label);

  if (query.data === undefined && query.error) {
    return <FailedCard title={texts.failedTitle} error={query.error} onRetry={query.refetch} />;
  }
  const add = (
    <Button
      id={editButtonId(NEW_ROW)}
      variant="default"
      leftSection={<IconPlus size={16} stroke={1.8} aria-hidden="true" />}
      onClick={() => editing.start(NEW_ROW)}
    >
      {isWide ? texts.add : texts.addNarrow}
    </Button>
  );
  if (query.data?.length === 0 && editing.at === undefined) {
    return <NoRecords texts={texts} add={add} />;
  }

  const actions = {
    edit: (row: Row) => editing.start(rowKey(row), row),
    remove: props.onDelete,
    editId: (row: Row) => editButtonId(rowKey(row)),
    name: (row: Row) => row.Name,
    link: props.link,
  };
  const shared = {
    label: texts.label,
    rows: table.pageRows,
    rowKey,
    skeletonRows: PAGE_SIZE,
    strip: formStrip(props, editing),
  };
  return (
    <>
      <div className={classes.toolbar}>
        <SearchField
          label={texts.search}
          value={table.search}
          onSearch={table.setSearch}
          className={classes.search}
        />
        <div className={classes.end}>{add}</div>
      </div>
      {!isWide && <h2 className={classes.listTitle}>{texts.listTitle}</h2>}
      <section className={`hu-card ${classes.card}`}>
        {isWide ? (
          <DataTable
            {...shared}
            columns={[...props.columns, actionColumn(actions, props.actionWidth)]}
            dense={props.dense ?? false}
            sort={table.sort}
            onSort={table.setSort}
          />
        ) : (
          <RowList
            {...shared}
            order={<SortField columns={props.columns} sort={table.sort} onSort={table.setSort} />}
            summary={props.summary}
            details={(row) => (
              <>
                <DetailFields fields={props.details(row)} />
                <ItemActions row={row} {...actions} />
              </>
            )}
          />
        )}
        {/* Always there, because screen readers tell only what appears inside. */}
        <div role="status">
          {table.found === 0 && table.search.trim() !== '' && (
            <NoResults
              title={texts.noResultsTitle}
              search={table.search.trim()}
              onClear={() => table.setSearch('')}
            />
          )}
        </div>
        {table.found > 0 && (
          <div className={classes.footer}>
            <Pager
              page={table.page}
              pageSize={PAGE_SIZE}
              total={table.found}
              noun={texts.noun}
              onPage={table.setPage}
            />
          </div>
        )}
      </section>
    </>
  );
}

/** The form, at the row that it edits. That row may have disappeared since its input was kept. */
function formStrip<Row, Draft>(
  { query, rowKey, renderForm }: RecordListProps<Row, Draft>,
  { at, opened, handlers }: Editing<Row, Draft>,
) {
  const edited = query.data?.find((row) => rowKey(row) === at);
  if (at === undefined || (edited === undefined && at !== NEW_ROW)) return undefined;
  const form = renderForm(edited && (opened ?? edited), handlers);
  return { at, content: <div className={classes.strip}>{form}</div> };
}

interface NoRecordsProps {
  readonly texts: RecordListTexts;
  readonly add: ReactNode;
}

/** Nothing was ever added. In a closed panel nothing can be imported either. */
function NoRecords({ texts, add }: NoRecordsProps) {
  const isClosed = useContext(PanelClosed);
  return (
    <section className="hu-card">
      <EmptyState
        title={texts.emptyTitle}
        action={
          <>
            {add}
            {!isClosed && (
              <Button component={Link} to={PATHS.import} variant="default">
                Importar datos
              </Button>
            )}
          </>
        }
      >
        {texts.emptyText}
      </EmptyState>
    </section>
  );
}

interface NoResultsProps {
  readonly title: string;
  readonly search: string;
  readonly onClear: () => void;
}

function NoResults({ title, search, onClear }: NoResultsProps) {
  return (
    <EmptyState
      mark={false}
      icon={<IconSearch size={26} stroke={1.6} aria-hidden="true" />}
      title={title}
      action={
        <Button ref={toSearch} variant="default" onClick={onClear}>
          Limpiar
        </Button>
      }
    >
      {`No hay nada con «${search}».`}
    </EmptyState>
  );
}
