import { Button } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import type { InvoicePage, InvoiceRow } from '../../../contract/invoices.ts';
import { cuenta, euros } from '../../lib/format.ts';
import { monthNamed } from '../../lib/periods.ts';
import type { InvoiceListParams, invoicesQuery } from '../../lib/queries.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { EndlessBar } from '../../ui/endless-bar.tsx';
import { FailedState } from '../../ui/failed-state.tsx';
import { toSearch } from '../../ui/focus-after.ts';
import { Pager } from '../../ui/pager.tsx';
import { SkeletonBar } from '../../ui/skeleton-rows.tsx';
import { type Column, DataTable } from '../../ui/table/data-table.tsx';
import classes from '../../ui/table/list-page.module.css';
import { RowList, type RowSummary } from '../../ui/table/row-list.tsx';
import { SortField } from '../../ui/table/sort-field.tsx';
import { PAGE_SIZE } from '../../ui/table/use-local-table.ts';
import { useWideTable } from '../../ui/table/use-wide-table.ts';
import { useSlow } from '../../ui/use-slow.ts';
import { useCompanyToday } from '../../ui/use-today.ts';
import { DownloadList } from './download-list.tsx';
import {
  ALL_DATES,
  COBROS,
  datesSentence,
  isDated,
  isFiltered,
  type ListState,
  listParams,
  UNFILTERED,
} from './list-state.ts';
import { ListToolbar } from './list-toolbar.tsx';
import { SelectMatching } from './select-matching.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { useListState } from './use-list-state.ts';
import type { InvoiceSelection } from './use-selection.ts';

export interface InvoiceListProps {
  readonly label: string;
  readonly query: (params: InvoiceListParams) => ReturnType<typeof invoicesQuery>;
  readonly columns: readonly Column<InvoiceRow>[];
  readonly summary: (row: InvoiceRow) => RowSummary;
  readonly details: (row: InvoiceRow) => ReactNode;
  readonly onRow: (row: InvoiceRow) => void;
  /** Shown when the list is empty. */
  readonly empty: ReactNode;
  readonly failedTitle: string;
  /** Whether the whole list may be downloaded as a table, and filtered by period and by what is left to collect. */
  readonly isArchive?: boolean;
  readonly selection: InvoiceSelection;
  /** The buttons for the selected invoices. */
  readonly actions: ReactNode;
  /**
   * True while it is not known what will be shown above the list: until then nothing is shown that it could push down.
   */
  readonly isHeld?: boolean;
}

/** Invoices in pages of the server, with search, ranges, sorting and four states. */
export function InvoiceList(props: InvoiceListProps) {
  const [state, change] = useListState(props.columns);
  const query = useQuery({ ...props.query(listParams(state)), placeholderData: keepPreviousData });
  const { data } = query;
  const isHeldLong = useSlow(props.isHeld ?? false);
  const isWide = useWideTable();
  const { selection } = props;
  // The rows of the previous page stay until the next ones arrive. If those are late, it shows.
  const isLate = useSlow(query.isPlaceholderData);
  // Not all of what is owed has been looked at: a file of it would lack the others.
  const isCutOff = state.cobro !== '' && data?.totalAlMenos === true;
  useExistingPage(data, state, change);

  // Not even a skeleton, which would be pushed down too.
  if (props.isHeld) return isHeldLong && <EndlessBar label={props.label} words="Cargando…" />;
  if (data?.total === 0 && !isFiltered(state)) {
    return <section className={`hu-card ${classes.emptyCard}`}>{props.empty}</section>;
  }
  return (
    <>
      <ListToolbar state={state} isArchive={props.isArchive ?? false} onChange={change} />
      <section className={`hu-card ${classes.card}`} data-late={isLate || undefined}>
        {/* The search stays above: a different one may succeed. */}
        {/* Always there, because screen readers tell only what appears inside. */}
        <div role="status">
          {data?.total === 0 && (
            <NoResults
              state={state}
              isCutOff={isCutOff}
              hasPeriods={props.isArchive === true}
              query={props.query}
              onChange={change}
            />
          )}
        </div>
        {!query.data && query.isError ? (
          <FailedState title={props.failedTitle} error={query.error} onRetry={query.refetch} />
        ) : (
          data?.total !== 0 && (
            <>
              <Rows {...props} state={state} rows={data?.rows} onChange={change} />
              <div className={classes.footer}>
                {data && state.cobro && !query.isPlaceholderData && <Left data={data} />}
                {data ? (
                  <Pager
                    page={state.page}
                    pageSize={PAGE_SIZE}
                    total={data.total}
                    isMore={data.totalAlMenos ?? false}
                    noun={['factura', 'facturas']}
                    onPage={(page) => change({ page })}
                  />
                ) : (
                  <div className={classes.pagerSpace}>
                    <SkeletonBar width={110} />
                    <SkeletonBar width={isWide ? 240 : 150} />
                  </div>
                )}
              </div>
            </>
          )
        )}
      </section>
      {props.isArchive && data !== undefined && data.total > 0 && !isCutOff && (
        <DownloadList state={state} query={props.query} />
      )}
      <SelectionBar
        selection={selection}
        more={
          data && !query.isPlaceholderData ? (
            <SelectMatching
              state={state}
              data={data}
              query={props.query}
              selection={selection}
              hasPeriods={props.isArchive === true}
            />
          ) : null
        }
      >
        {props.actions}
      </SelectionBar>
    </>
  );
}

/** What is left to collect of all that the list matches, over its pages. */
function Left({ data: { pendiente, totalAlMenos } }: { readonly data: InvoicePage }) {
  return (
    <p className={classes.left}>
      {totalAlMenos && 'Son demasiadas para sumarlas: elige un periodo.'}
      {pendiente !== undefined && (
        <>
          Pendiente: <strong>{euros(pendiente)}</strong>
        </>
      )}
    </p>
  );
}

interface RowsProps extends InvoiceListProps {
  readonly state: ListState;
  readonly rows: readonly InvoiceRow[] | undefined;
  readonly onChange: (change: Partial<ListState>) => void;
}

function Rows(props: RowsProps) {
  const { label, columns, summary, details, onRow, state, rows, selection, onChange } = props;
  const isWide = useWideTable();
  const shared = {
    label,
    rows,
    selection,
    rowKey: ({ DocNo }: InvoiceRow) => DocNo,
    skeletonRows: PAGE_SIZE,
  };
  return isWide ? (
    <DataTable
      {...shared}
      columns={columns}
      sort={state.sort}
      onSort={(sort) => onChange({ sort })}
      onRow={onRow}
    />
  ) : (
    <RowList
      {...shared}
      order={
        <SortField columns={columns} sort={state.sort} onSort={(sort) => onChange({ sort })} />
      }
      summary={summary}
      details={details}
    />
  );
}

interface NoResultsProps {
  readonly state: ListState;
  /** Others were not looked at. */
  readonly isCutOff: boolean;
  /** Whether a month, a quarter or a year may be chosen. */
  readonly hasPeriods: boolean;
  readonly query: InvoiceListProps['query'];
  readonly onChange: (change: Partial<ListState>) => void;
}

/** Nothing matches: says what was searched for, and offers to look in other dates. */
function NoResults({ state, isCutOff, hasPeriods, query, onChange }: NoResultsProps) {
  const isRanged = isDated(state);
  const today = useCompanyToday();
  // Dates are searched as they are written, `09/2026`.
  const month = hasPeriods ? monthNamed(state.search, today) : null;
  const anyDate = useQuery({
    ...query({ ...listParams({ ...state, ...ALL_DATES, page: 1 }), pageSize: 1 }),
    enabled: isRanged,
  });
  const elsewhere = isRanged ? (anyDate.data?.total ?? 0) : 0;
  const search = state.search.trim();
  const when = datesSentence(state);
  const owed = COBROS.find(({ value }) => value === state.cobro)?.sentence;
  const nothing = isCutOff ? 'Entre las que se han mirado no hay nada' : 'No hay nada';
  const sentence = [nothing, owed, search && `con «${search}»`, when].filter(Boolean).join(' ');

  return (
    <EmptyState
      mark={false}
      icon={<IconSearch size={26} stroke={1.6} aria-hidden="true" />}
      title={isCutOff ? 'Son demasiadas para mirarlas todas' : 'Ninguna factura coincide'}
      action={
        <>
          {month && (
            <Button
              ref={toSearch}
              variant="default"
              onClick={() => onChange({ ...UNFILTERED, desde: month.desde, hasta: month.hasta })}
            >
              {`Ver ${month.label.toLowerCase()}`}
            </Button>
          )}
          {elsewhere > 0 && (
            <Button ref={toSearch} variant="default" onClick={() => onChange(ALL_DATES)}>
              Buscar en todas las fechas
            </Button>
          )}
          <Button ref={toSearch} variant="subtle" color="gray" onClick={() => onChange(UNFILTERED)}>
            Limpiar
          </Button>
        </>
      }
    >
      {`${sentence}.`}
      {isCutOff && ` Elige un periodo${isRanged ? ' más corto' : ''}.`}
      {elsewhere > 0 &&
        ` ${state.hasta ? 'En otras fechas' : 'Antes'} sí: ${cuenta(elsewhere, 'factura', 'facturas')}.`}
    </EmptyState>
  );
}

/** When a page no longer exists, because its last row is gone, shows the last existing one. */
function useExistingPage(
  data: InvoicePage | undefined,
  { page }: ListState,
  change: (change: Partial<ListState>) => void,
) {
  const lastPage = data && Math.max(1, Math.ceil(data.total / PAGE_SIZE));
  const isBeyond = data?.page === page && lastPage !== undefined && page > lastPage;
  useEffect(() => {
    if (isBeyond) change({ page: lastPage });
  });
}
