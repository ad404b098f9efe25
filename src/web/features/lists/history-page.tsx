import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useContext } from 'react';
import { Link, useNavigate } from 'react-router';
import type { InvoiceRow } from '../../../contract/invoices.ts';
import { guidePath, invoicePath, PATHS } from '../../lib/paths.ts';
import { invoicesQuery } from '../../lib/queries.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { DownloadButton } from '../../ui/invoices/download-button.tsx';
import {
  historyColumns,
  historyDetails,
  historySummary,
} from '../../ui/invoices/history-columns.tsx';
import { useEmptyHistory } from '../../ui/invoices/use-empty-history.ts';
import { useTaxName } from '../../ui/invoices/use-tax-name.ts';
import { PageTitle, PanelClosed } from '../../ui/page-title.tsx';
import classes from '../../ui/table/list-page.module.css';
import { DetailFields } from '../../ui/table/row-list.tsx';
import { useRoomyTable } from '../../ui/table/use-wide-table.ts';
import type { CopyInvoice } from './copy-dialog.tsx';
import { HistoryActions } from './history-actions.tsx';
import { InvoiceList } from './invoice-list.tsx';
import { useSelection } from './use-selection.ts';

export interface HistoryPageProps {
  /** «Duplicar» for one invoice. It belongs to another feature, so it is passed in. */
  readonly copyInvoice: CopyInvoice;
}

export function HistoryPage({ copyInvoice }: HistoryPageProps) {
  const isRoomy = useRoomyTable();
  const navigate = useNavigate();
  const selection = useSelection();
  const tax = useTaxName();
  const columns = historyColumns({ isRoomy, tax });
  return (
    <>
      <PageTitle title="Historial de facturas" />
      <InvoiceList
        label="Historial de facturas"
        query={invoicesQuery}
        columns={columns}
        summary={historySummary}
        details={(row) => <HistoryDetails row={row} tax={tax} />}
        onRow={({ DocNo }) => navigate(invoicePath(DocNo))}
        empty={<EmptyHistory />}
        failedTitle="No hemos podido cargar tu historial"
        isArchive
        selection={selection}
        actions={<HistoryActions selection={selection} copyInvoice={copyInvoice} />}
      />
    </>
  );
}

function HistoryDetails({ row, tax }: { readonly row: InvoiceRow; readonly tax: string }) {
  return (
    <>
      <DetailFields fields={historyDetails(row, tax)} />
      <div className={classes.itemActions}>
        <DownloadButton docNo={row.DocNo} variant="default" />
        <Button
          component={Link}
          to={invoicePath(row.DocNo)}
          variant="subtle"
          color="gray"
          aria-label={`Ver factura ${row.DocNo}`}
        >
          Ver factura
        </Button>
        {row.Status === 'Registrada' && (
          <Button
            component={Link}
            to={guidePath(row.DocNo)}
            variant="subtle"
            color="gray"
            aria-label={`¿Qué hago? Factura ${row.DocNo}`}
          >
            ¿Qué hago?
          </Button>
        )}
      </div>
    </>
  );
}

function EmptyHistory() {
  const isClosed = useContext(PanelClosed);
  return (
    <EmptyState title={useEmptyHistory()} {...(!isClosed && { action: <FirstInvoice /> })}>
      Cuando registres la primera aparecerá aquí, con su huella, su respuesta de la AEAT y su PDF.
    </EmptyState>
  );
}

function FirstInvoice() {
  return (
    <>
      <Button
        component={Link}
        to={PATHS.create}
        leftSection={<IconPlus size={16} stroke={1.8} aria-hidden="true" />}
      >
        Crear factura
      </Button>
      <Button component={Link} to={PATHS.import} variant="default">
        Importar datos
      </Button>
    </>
  );
}
