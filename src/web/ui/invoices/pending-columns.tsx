import { ActionIcon, Button } from '@mantine/core';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { InvoiceRow } from '../../../contract/invoices.ts';
import { onceCorrecting } from '../../../domain/once-correcting.ts';
import { fecha } from '../../lib/format.ts';
import { guidePath, invoicePath } from '../../lib/paths.ts';
import { Hint } from '../hint.tsx';
import { StatusChip } from '../status-chip.tsx';
import type { Column } from '../table/data-table.tsx';
import { type Detail, DetailFields, type RowSummary } from '../table/row-list.tsx';
import {
  customerName,
  InvoiceAmount,
  InvoiceCustomer,
  InvoiceError,
  InvoiceNumber,
  InvoiceNumberText,
  InvoiceTags,
} from './invoice-cells.tsx';
import classes from './pending-columns.module.css';

export interface PendingActions {
  readonly onEdit: (row: InvoiceRow) => void;
  readonly onDelete: (row: InvoiceRow) => void;
  /** Why a waiting invoice waits, and when it will be sent. */
  readonly waitingNote: string;
}

export interface PendingColumnsOptions {
  /** Whether columns may have their full width, with the words of their buttons. */
  readonly isRoomy: boolean;
}

/** What may be opened: a registered invoice that waits for its answer cannot be edited. */
const isEditable = ({ Status }: InvoiceRow) => Status !== 'En espera';

/** Only what was never registered may be deleted (RD 1007/2023 art. 8.2.a). */
const isDeletable = ({ Status }: InvoiceRow) => Status === 'Borrador';

/** Whether something is wrong with a registered invoice, about which «¿Qué hago?» has advice. */
const hasGuide = ({ Status, ErrorMessage }: InvoiceRow) =>
  Boolean(ErrorMessage) && Status !== 'Borrador';

/** What its buttons, of which several stand in a list, add to their word. */
const nameOf = ({ Status, DocNo }: InvoiceRow) =>
  `${Status === 'Borrador' ? 'borrador' : 'factura'} ${DocNo}`;

/** The six columns of the pending invoices. */
export function pendingColumns(
  actions: PendingActions,
  { isRoomy }: PendingColumnsOptions,
): Column<InvoiceRow>[] {
  const width = (roomy: string, tight: string) => (isRoomy ? roomy : tight);
  return [
    {
      key: 'PostingDate',
      header: 'Fecha',
      width: '104px',
      sortBy: 'PostingDate',
      bars: [84],
      cell: ({ PostingDate }) => <span className="hu-muted hu-figures">{fecha(PostingDate)}</span>,
    },
    {
      key: 'DocNo',
      header: 'Nº Factura',
      width: width('118px', '108px'),
      sortBy: 'DocNo',
      isRowHeader: true,
      bars: [54],
      cell: (row) => <InvoiceNumber row={row} />,
    },
    {
      key: 'Name',
      header: 'Cliente',
      sortBy: 'Name',
      bars: [82, 70, 88, 62],
      cell: (row) => <InvoiceCustomer row={row} />,
    },
    {
      key: 'Status',
      header: 'Estado',
      width: width('180px', '170px'),
      sortBy: 'Status',
      bars: [50, 52, 52, 56],
      cell: ({ Status }) => <StatusChip status={Status} />,
    },
    {
      key: 'ErrorMessage',
      header: 'Mensaje de error',
      // The rest is the client's, of which a name takes two lines at most and a message several.
      width: width('33%', 'calc((100cqw - 526px) * 0.6)'),
      sortBy: 'ErrorMessage',
      bars: [12, 64, 64, 90],
      cell: (row) => <Note row={row} waitingNote={actions.waitingNote} />,
    },
    {
      key: 'action',
      header: 'Acción',
      width: width('148px', '100px'),
      align: 'right',
      bars: [80],
      cell: (row) => (
        <div className={classes.actions}>
          {isEditable(row) &&
            (isRoomy ? (
              <EditButton row={row} onEdit={actions.onEdit} size="sm" />
            ) : (
              <EditIcon row={row} onEdit={actions.onEdit} />
            ))}
          {isDeletable(row) && (
            <Hint label="Eliminar">
              <ActionIcon
                aria-label={`Eliminar ${nameOf(row)}`}
                onClick={() => actions.onDelete(row)}
              >
                <IconTrash size={16} stroke={1.7} aria-hidden="true" />
              </ActionIcon>
            </Hint>
          )}
          {hasGuide(row) && <GuideLink row={row} />}
        </div>
      ),
    },
  ];
}

export function pendingSummary(row: InvoiceRow): RowSummary {
  return {
    title: customerName(row),
    subtitle: (
      <>
        <InvoiceNumberText row={row} />
        <InvoiceTags row={row} />
        <StatusChip status={row.Status} />
      </>
    ),
    value: <InvoiceAmount row={row} field="AmountIncludingVat" />,
    note: fecha(row.PostingDate),
  };
}

/** An unfolded pending invoice on a narrow screen. */
export function PendingDetails({ row, ...actions }: PendingActions & { readonly row: InvoiceRow }) {
  return (
    <>
      <PendingNote row={row} waitingNote={actions.waitingNote} />
      <DetailFields fields={fieldsOf(row)} />
      <PendingButtons row={row} {...actions} />
    </>
  );
}

/** What a pending invoice waits for, or what is wrong with it; nothing for a draft. */
function PendingNote({ row, waitingNote }: NoteProps) {
  if (!row.ErrorMessage && row.Status !== 'En espera') return null;
  return (
    <p className={classes.note}>
      <Note row={row} waitingNote={waitingNote} />
      {hasGuide(row) && (
        <>
          {' '}
          <GuideLink row={row} />
        </>
      )}
    </p>
  );
}

type PendingButtonsProps = Pick<PendingActions, 'onEdit' | 'onDelete'> & {
  readonly row: InvoiceRow;
};

/** The possible actions. A registered invoice has a page, which its number cannot link to here, inside a button. */
function PendingButtons({ row, ...actions }: PendingButtonsProps) {
  return (
    <div className={classes.detailActions}>
      {isEditable(row) && <EditButton row={row} onEdit={actions.onEdit} size="md" />}
      {row.Status !== 'Borrador' && (
        <Button
          component={Link}
          to={invoicePath(row.DocNo)}
          variant={isEditable(row) ? 'subtle' : 'default'}
          color="gray"
          aria-label={`Ver factura ${row.DocNo}`}
        >
          Ver factura
        </Button>
      )}
      {isDeletable(row) && (
        <Button
          variant="subtle"
          color="gray"
          leftSection={<IconTrash size={16} stroke={1.7} aria-hidden="true" />}
          aria-label={`Eliminar ${nameOf(row)}`}
          onClick={() => actions.onDelete(row)}
        >
          Eliminar
        </Button>
      )}
    </div>
  );
}

/** Its other fields. */
function fieldsOf(row: InvoiceRow): Detail[] {
  return [
    { label: 'CIF', value: row.CIF || '—' },
    { label: 'Tipo', value: <Kind row={row} /> },
  ];
}

function Kind({ row }: { row: InvoiceRow }) {
  const isOrdinary = row.Tipo === 'F1' || row.Tipo === 'F3' || row.Tipo === 'F4';
  return isOrdinary ? 'Factura' : <InvoiceTags row={row} long />;
}

interface NoteProps {
  readonly row: InvoiceRow;
  readonly waitingNote: string;
}

function Note({ row, waitingNote }: NoteProps) {
  if (row.ErrorMessage) {
    return (
      <span className={classes.message}>
        <InvoiceError message={onceCorrecting(row.ErrorMessage)} />
      </span>
    );
  }
  return (
    <span className={classes.muted}>{row.Status === 'En espera' ? waitingNote || '—' : '—'}</span>
  );
}

function GuideLink({ row }: { readonly row: InvoiceRow }) {
  return (
    <Link
      className={classes.guide}
      to={guidePath(row.DocNo)}
      aria-label={`¿Qué hago? Factura ${row.DocNo}`}
      onClick={(event) => event.stopPropagation()}
    >
      ¿Qué hago?
    </Link>
  );
}

interface EditProps {
  readonly row: InvoiceRow;
  readonly onEdit: (row: InvoiceRow) => void;
}

/** Where the word would take the room of the client's name. */
function EditIcon({ row, onEdit }: EditProps) {
  return (
    <Hint label="Editar">
      <ActionIcon
        id={`editar-${row.DocNo}`}
        aria-label={`Editar ${nameOf(row)}`}
        onClick={() => onEdit(row)}
      >
        <IconPencil size={16} stroke={1.7} aria-hidden="true" />
      </ActionIcon>
    </Hint>
  );
}

interface EditButtonProps extends EditProps {
  readonly size: 'sm' | 'md';
}

function EditButton({ row, onEdit, size }: EditButtonProps) {
  return (
    <Button
      id={`editar-${row.DocNo}`}
      variant="default"
      size={size}
      leftSection={<IconPencil size={15} stroke={1.7} aria-hidden="true" />}
      aria-label={`Editar ${nameOf(row)}`}
      onClick={() => onEdit(row)}
    >
      Editar
    </Button>
  );
}
