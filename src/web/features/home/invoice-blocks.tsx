import { IconChevronRight } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import type { InvoiceRow } from '../../../contract/invoices.ts';
import { editPath, PATHS } from '../../lib/paths.ts';
import {
  conexionQuery,
  HOME_ROWS,
  invoicesQuery,
  pendingInvoicesQuery,
} from '../../lib/queries.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FailedState } from '../../ui/failed-state.tsx';
import { DownloadButton } from '../../ui/invoices/download-button.tsx';
import {
  historyColumns,
  historyDetails,
  historySummary,
} from '../../ui/invoices/history-columns.tsx';
import {
  PendingDetails,
  pendingColumns,
  pendingSummary,
} from '../../ui/invoices/pending-columns.tsx';
import { useDeleteDraft } from '../../ui/invoices/use-delete-draft.ts';
import { useEmptyHistory } from '../../ui/invoices/use-empty-history.ts';
import { useTaxName } from '../../ui/invoices/use-tax-name.ts';
import { useWaitingNote } from '../../ui/invoices/use-waiting-note.ts';
import { type Column, DataTable } from '../../ui/table/data-table.tsx';
import { DetailFields, RowList, type RowSummary } from '../../ui/table/row-list.tsx';
import { useRoomyTable, useWideTable } from '../../ui/table/use-wide-table.ts';
import classes from './home.module.css';

const NEWEST_FIRST = '-PostingDate';

export function HistoryBlock() {
  const isRoomy = useRoomyTable();
  const [sort, setSort] = useState(NEWEST_FIRST);
  const query = useQuery(invoicesQuery({ pageSize: HOME_ROWS, sort }));
  const empty = useEmptyHistory();
  const tax = useTaxName();
  return (
    <Block
      title="Historial de facturas"
      more={PATHS.history}
      empty={empty}
      failed="No hemos podido cargar tu historial"
      query={query}
      columns={historyColumns({ isRoomy, tax })}
      sort={sort}
      onSort={setSort}
      summary={historySummary}
      details={(row) => (
        <>
          <DetailFields fields={historyDetails(row, tax)} />
          <div className={classes.detailActions}>
            <DownloadButton docNo={row.DocNo} variant="default" />
          </div>
        </>
      )}
    />
  );
}

export function PendingBlock() {
  const [sort, setSort] = useState(NEWEST_FIRST);
  const query = useQuery(pendingInvoicesQuery({ pageSize: HOME_ROWS, sort }));
  const { data: connection } = useQuery(conexionQuery);
  const rejected = query.data?.rows.find(({ Status }) => Status === 'Rechazado');
  const navigate = useNavigate();
  const actions = {
    onEdit: ({ DocNo }: InvoiceRow) => navigate(editPath(DocNo)),
    onDelete: useDeleteDraft(),
    waitingNote: useWaitingNote(connection, rejected?.DocNo),
  };
  return (
    <Block
      title="Facturas pendientes"
      more={PATHS.pending}
      empty="No tienes facturas pendientes"
      failed="No hemos podido cargar tus facturas pendientes"
      query={query}
      columns={pendingColumns(actions, { isRoomy: useRoomyTable() })}
      sort={sort}
      onSort={setSort}
      summary={pendingSummary}
      details={(row) => <PendingDetails row={row} {...actions} />}
    />
  );
}

interface BlockProps {
  readonly title: string;
  readonly more: string;
  readonly empty: string;
  readonly failed: string;
  readonly query: {
    readonly data: { readonly rows: readonly InvoiceRow[] } | undefined;
    readonly isError: boolean;
    readonly error: unknown;
    readonly refetch: () => unknown;
  };
  readonly columns: readonly Column<InvoiceRow>[];
  readonly sort: string;
  readonly onSort: (sort: string) => void;
  readonly summary: (row: InvoiceRow) => RowSummary;
  readonly details: (row: InvoiceRow) => ReactNode;
}

/** The table of a list, limited to three rows. */
function Block({ title, more, query, columns, summary, details, ...props }: BlockProps) {
  const isWide = useWideTable();
  const rows = query.data?.rows;
  const table = {
    label: title,
    rows,
    rowKey: ({ DocNo }: InvoiceRow) => DocNo,
    skeletonRows: HOME_ROWS,
  };
  return (
    <section className={classes.block} aria-label={title}>
      <div className={classes.blockHead}>
        <h2>{title}</h2>
        <Link to={more} className={classes.more}>
          Ver más
          <span className="hu-hidden"> de {title}</span>
          <IconChevronRight size={16} stroke={1.8} aria-hidden="true" />
        </Link>
      </div>
      <div className={classes.blockBody}>
        {query.isError && !rows ? (
          <FailedState title={props.failed} error={query.error} onRetry={query.refetch} />
        ) : rows?.length === 0 ? (
          <EmptyState title={props.empty} />
        ) : isWide ? (
          <DataTable {...table} columns={columns} sort={props.sort} onSort={props.onSort} />
        ) : (
          <RowList {...table} summary={summary} details={details} />
        )}
      </div>
    </section>
  );
}
