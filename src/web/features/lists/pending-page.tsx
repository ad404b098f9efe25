import { Button } from '@mantine/core';
import {
  IconAlertCircle,
  IconClock,
  IconCloudOff,
  IconFileUpload,
  IconPlus,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import type { ConexionAEAT, InvoiceRow } from '../../../contract/invoices.ts';
import { cuenta } from '../../lib/format.ts';
import { EDITED, invoicePath, PATHS } from '../../lib/paths.ts';
import { conexionQuery, pendingInvoicesQuery } from '../../lib/queries.ts';
import { Banner } from '../../ui/banner.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import {
  PendingDetails,
  pendingColumns,
  pendingSummary,
} from '../../ui/invoices/pending-columns.tsx';
import { useDeleteDraft } from '../../ui/invoices/use-delete-draft.ts';
import { useWaitingNote } from '../../ui/invoices/use-waiting-note.ts';
import { desde } from '../../ui/invoices/waiting.ts';
import { WaitingSummary } from '../../ui/invoices/waiting-summary.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { useRoomyTable } from '../../ui/table/use-wide-table.ts';
import { InvoiceList } from './invoice-list.tsx';
import { PendingActions } from './pending-actions.tsx';
import classes from './pending-page.module.css';
import { RegisterAllButton, RegisterAllState, useRegisterAllPending } from './register-all.tsx';
import { useSelection } from './use-selection.ts';

export interface PendingPageProps {
  /** The invoice form, shown in place of the list. It belongs to another feature, so it is passed in. */
  readonly renderEditor: (editor: { docNo: string; onClose: () => void }) => ReactNode;
}

/** Invoices that wait for a person or for the AEAT. Editing opens the invoice in place of the list. */
export function PendingPage({ renderEditor }: PendingPageProps) {
  const [params, setParams] = useSearchParams();
  const docNo = params.get(EDITED);
  if (docNo === null)
    return <PendingList onEdit={(No) => setParams({ ...all(params), [EDITED]: No })} />;

  const onClose = () => {
    const { [EDITED]: _closed, ...rest } = all(params);
    setParams(rest);
  };
  return renderEditor({ docNo, onClose });
}

const all = (params: URLSearchParams): Record<string, string> => Object.fromEntries(params);

function PendingList({ onEdit }: { readonly onEdit: (docNo: string) => void }) {
  const navigate = useNavigate();
  const { data: connection } = useQuery(conexionQuery);
  const rejected = useStoppingInvoice(connection);
  const isHeld = useNewsPending(connection);
  const isRoomy = useRoomyTable();
  const selection = useSelection();
  const deleteDraft = useDeleteDraft();
  const actions = {
    onEdit: ({ DocNo }: InvoiceRow) => onEdit(DocNo),
    onDelete: async (row: InvoiceRow) => {
      if (await deleteDraft(row)) selection.onSelect([row], false);
    },
    waitingNote: useWaitingNote(connection, rejected?.DocNo),
  };
  return (
    <>
      <PageTitle title="Facturas pendientes">
        <Button
          variant="default"
          component={Link}
          to={PATHS.upload}
          leftSection={<IconFileUpload size={16} stroke={1.8} aria-hidden="true" />}
        >
          Subir facturas
        </Button>
        <RegisterAllButton onStarted={selection.clear} />
      </PageTitle>
      <RegisterAllState onEdit={onEdit} />
      {connection?.estado === 'parado' && (
        <StoppedBanner rejected={rejected} connection={connection} onEdit={onEdit} />
      )}
      {connection && <WaitingBanner connection={connection} />}
      <InvoiceList
        label="Facturas pendientes"
        query={pendingInvoicesQuery}
        columns={pendingColumns(actions, { isRoomy })}
        summary={pendingSummary}
        details={(row) => <PendingDetails row={row} {...actions} />}
        onRow={({ DocNo, Status }) =>
          Status === 'En espera' ? navigate(invoicePath(DocNo)) : onEdit(DocNo)
        }
        empty={<EmptyPending />}
        failedTitle="No hemos podido cargar tus facturas pendientes"
        isHeld={isHeld}
        selection={selection}
        actions={<PendingActions selection={selection} />}
      />
    </>
  );
}

/**
 * Whether something may still appear above the list and push its rows away from under the pointer. Only at first: what
 * is rejected later does not hide rows that are being read.
 */
function useNewsPending(connection: ConexionAEAT | undefined): boolean {
  const isRunPending = useRegisterAllPending();
  const isConnectionPending = useQuery(conexionQuery).isPending;
  const { isLoading } = useQuery(rejectedQuery(connection));
  const isPending = isRunPending || isConnectionPending || isLoading;
  const [hasCome, setCome] = useState(false);
  if (!isPending && !hasCome) setCome(true);
  return isPending && !hasCome;
}

/** Requested only while a rejected invoice stops others. */
const rejectedQuery = (connection: ConexionAEAT | undefined) => ({
  ...pendingInvoicesQuery({ search: 'Rechazado', sort: 'PostingDate' }),
  enabled: connection?.estado === 'parado',
});

/** The oldest rejected invoice, while it stops others: it may be on another page of the list. */
function useStoppingInvoice(connection: ConexionAEAT | undefined): InvoiceRow | undefined {
  const { data } = useQuery(rejectedQuery(connection));
  if (connection?.estado !== 'parado') return undefined;
  return data?.rows.find(({ Status }) => Status === 'Rechazado');
}

interface StoppedBannerProps {
  /** Not there until it has been found. */
  readonly rejected: InvoiceRow | undefined;
  readonly connection: ConexionAEAT;
  readonly onEdit: (docNo: string) => void;
}

function StoppedBanner({ rejected, connection, onEdit }: StoppedBannerProps) {
  const { enEspera: stopped, esperandoDesde } = connection;
  const since = esperandoDesde ? ` ${desde(new Date(esperandoDesde), new Date())}` : '';
  const what = rejected ? `La ${rejected.DocNo} está rechazada y` : 'Una factura rechazada';
  return (
    <div className={classes.banner}>
      <Banner
        tone="red"
        icon={IconAlertCircle}
        title={`${what} frena ${cuenta(stopped, 'envío', 'envíos')}${since}.`}
        action={
          rejected && (
            <Button size="sm" color="red" onClick={() => onEdit(rejected.DocNo)}>
              {`Corregir la ${rejected.DocNo}`}
            </Button>
          )
        }
      >
        Corrígela y {stopped === 1 ? 'saldrá solo' : 'saldrán solos, en su orden'}.
      </Banner>
    </div>
  );
}

const WAITING = {
  'al-dia': { tone: 'blue', icon: IconClock },
  enviando: { tone: 'blue', icon: IconClock },
  'sin-conexion': { tone: 'amber', icon: IconCloudOff },
  detenido: { tone: 'red', icon: IconAlertCircle },
} as const;

/** What is sent at the AEAT's normal pace is shown in its own row: nothing has to move for it. */
const ORDINARY_MS = 120_000;

/** Invoices that wait for the AEAT longer than usual, with a link to what can be done about it. */
function WaitingBanner({ connection }: { readonly connection: ConexionAEAT }) {
  const { estado, enEspera, esperandoDesde = '' } = connection;
  // StoppedBanner says what to correct, and the warning above every screen that the certificate has expired.
  if (estado === 'parado' || estado === 'sin-certificado') return null;
  const isGoing = estado === 'enviando' || estado === 'al-dia';
  if (enEspera === 0 || (isGoing && !(Date.now() - Date.parse(esperandoDesde) > ORDINARY_MS))) {
    return null;
  }
  return (
    <div className={classes.banner}>
      <Banner
        {...WAITING[estado]}
        action={
          estado === 'detenido' && (
            <Button size="sm" variant="default" component={Link} to={PATHS.home}>
              Ver qué hacer
            </Button>
          )
        }
      >
        <WaitingSummary connection={connection} />
      </Banner>
    </div>
  );
}

function EmptyPending() {
  return (
    <EmptyState
      title="No tienes facturas pendientes"
      action={
        <Button
          component={Link}
          to={PATHS.create}
          leftSection={<IconPlus size={16} stroke={1.8} aria-hidden="true" />}
        >
          Crear factura
        </Button>
      }
    >
      Aquí verás tus borradores y lo que espere respuesta de la AEAT o necesite que lo corrijas.
    </EmptyState>
  );
}
