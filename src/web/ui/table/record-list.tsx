import { ActionIcon, Button } from '@mantine/core';
import { IconPencil, IconPlus, IconSearch, IconTrash } from '@tabler/icons-react';
import { type ReactNode, useContext, useRef, useState } from 'react';
import { Link } from 'react-router';
import { PATHS } from '../../lib/paths.ts';
import { forgetTyped, keepTyped, typedIn } from '../../lib/typed.ts';
import { confirmAction } from '../confirm.tsx';
import { EmptyState } from '../empty-state.tsx';
import { FailedCard } from '../failed-state.tsx';
import { toSearch } from '../focus-after.ts';
import { Hint } from '../hint.tsx';
import { PanelClosed } from '../page-title.tsx';
import { Pager } from '../pager.tsx';
import { SearchField } from '../search-field.tsx';
import { type Column, DataTable, NEW_ROW } from './data-table.tsx';
import type { Labels } from './labels.ts';
import classes from './list-page.module.css';
import { type Detail, DetailFields, RowList, type RowSummary } from './row-list.tsx';
import { SortField } from './sort-field.tsx';
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
}

/**
 * Records that are searched, added, edited in place and deleted: a table if there is room, otherwise a list that
 * unfolds. One row at a time is edited, and no input is discarded without asking.
 */
export function RecordList<Row extends object, Draft>(props: RecordListProps<Row, Draft>) {
  const { texts, query, rowKey, renderForm, onDelete } = props;
  const isWide = useWideTable(props.tableFrom);
  const table = useLocalTable(query.data, props.labels);
  const editing = useEditing<Row, Draft>(texts.label);
  const isClosed = useContext(PanelClosed);

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

  const edited = query.data?.find((row) => rowKey(row) === editing.at);
  // The row of the unsaved input may have disappeared.
  const isThere = edited !== undefined || editing.at === NEW_ROW;
  const strip = editing.at !== undefined &&
    isThere && {
      at: editing.at,
      content: (
        <div className={classes.strip}>
          {renderForm(edited && (editing.opened ?? edited), editing.handlers)}
        </div>
      ),
    };
  const actions = {
    edit: (row: Row) => editing.start(rowKey(row), row),
    remove: onDelete,
    editId: (row: Row) => editButtonId(rowKey(row)),
  };
  const hasNoResults = table.found === 0 && table.search.trim() !== '';
  const shared = {
    label: texts.label,
    rows: table.pageRows,
    rowKey,
    skeletonRows: PAGE_SIZE,
    strip: strip || undefined,
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
        {hasNoResults ? (
          <EmptyState
            mark={false}
            icon={<IconSearch size={26} stroke={1.6} aria-hidden="true" />}
            title={texts.noResultsTitle}
            action={
              <Button ref={toSearch} variant="default" onClick={() => table.setSearch('')}>
                Limpiar
              </Button>
            }
          >
            {`No hay nada con «${table.search.trim()}».`}
          </EmptyState>
        ) : (
          table.found > 0 && (
            <div className={classes.footer}>
              <Pager
                page={table.page}
                pageSize={PAGE_SIZE}
                total={table.found}
                noun={texts.noun}
                onPage={table.setPage}
              />
            </div>
          )
        )}
      </section>
    </>
  );
}

/** Which row is being edited. Leaving one with unsaved input for another asks first. */
function useEditing<Row, Draft>(place: string) {
  const [kept] = useState(() => typedIn<{ at: string; draft: Draft; opened?: Row }>(place));
  const [at, setAt] = useState<string | undefined>(kept?.at);
  // Other people's changes meanwhile are not changes of this form.
  const [opened, setOpened] = useState<Row | undefined>(kept?.opened);
  // The form is recreated when the table becomes a list: it continues with the latest input.
  const typed = useRef(kept);
  const open = (key: string | undefined, row?: Row) => {
    typed.current = null;
    forgetTyped(place);
    setAt(key);
    setOpened(row);
  };
  return {
    at,
    opened,
    start: async (key: string, row?: Row) => {
      if (key === at) return;
      if (typed.current !== null && !(await confirmDiscard())) return;
      open(key, row);
    },
    handlers: {
      onDone: () => {
        open(undefined);
        if (at !== undefined) focusEditButton(at);
      },
      onDirtyChange: (dirty: boolean, draft: Draft) => {
        typed.current = dirty && at !== undefined ? { at, draft } : null;
        if (dirty) keepTyped(place, { at, draft, opened });
        else forgetTyped(place);
      },
      typed: typed.current?.at === at ? typed.current?.draft : undefined,
    },
  };
}

function confirmDiscard(): Promise<boolean> {
  return confirmAction({
    title: 'Descartar los cambios',
    message: 'Lo que has escrito en la otra fila no está guardado.',
    confirm: 'Descartar los cambios',
    cancel: 'Seguir editando',
    danger: true,
  });
}

const editButtonId = (key: string) => `editar-${key}`;

/** Returns to where the edit began, once the row is drawn again. */
function focusEditButton(key: string) {
  requestAnimationFrame(() => {
    const button = document.getElementById(editButtonId(key));
    (button ?? document.getElementById(editButtonId(NEW_ROW)))?.focus();
  });
}

interface RowActions<Row> {
  readonly edit: (row: Row) => void;
  readonly remove: (row: Row) => void;
  readonly editId: (row: Row) => string;
}

function actionColumn<Row>(actions: RowActions<Row>, width: string): Column<Row> {
  return {
    key: 'action',
    header: 'Acción',
    width,
    align: 'right',
    bars: [80],
    cell: (row) => (
      <div className={classes.rowActions}>
        <Hint label="Editar">
          <ActionIcon
            id={actions.editId(row)}
            aria-label="Editar"
            onClick={() => actions.edit(row)}
          >
            <IconPencil size={16} stroke={1.7} aria-hidden="true" />
          </ActionIcon>
        </Hint>
        <Hint label="Eliminar">
          <ActionIcon aria-label="Eliminar" onClick={() => actions.remove(row)}>
            <IconTrash size={16} stroke={1.7} aria-hidden="true" />
          </ActionIcon>
        </Hint>
      </div>
    ),
  };
}

function ItemActions<Row>({ row, edit, remove, editId }: RowActions<Row> & { readonly row: Row }) {
  return (
    <div className={classes.itemActions}>
      <Button
        id={editId(row)}
        variant="default"
        leftSection={<IconPencil size={16} stroke={1.7} aria-hidden="true" />}
        onClick={() => edit(row)}
      >
        Editar
      </Button>
      <Button
        variant="subtle"
        color="gray"
        leftSection={<IconTrash size={16} stroke={1.7} aria-hidden="true" />}
        onClick={() => remove(row)}
      >
        Eliminar
      </Button>
    </div>
  );
}
