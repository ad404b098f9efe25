import type { InvoiceRow } from '../../../contract/invoices.ts';
import { fecha } from '../../lib/format.ts';
import { StatusChip } from '../status-chip.tsx';
import type { Column } from '../table/data-table.tsx';
import type { Detail, RowSummary } from '../table/row-list.tsx';
import { DownloadButton } from './download-button.tsx';
import { InvoiceAmount, InvoiceCustomer, InvoiceNumber, InvoiceTags } from './invoice-cells.tsx';

/** The seven columns of the history, under the names of the specification. */
export const HISTORY_COLUMNS: readonly Column<InvoiceRow>[] = [
  {
    key: 'PostingDate',
    header: 'Fecha',
    width: '116px',
    sortBy: 'PostingDate',
    bars: [84],
    cell: ({ PostingDate }) => <span className="hu-muted hu-figures">{fecha(PostingDate)}</span>,
  },
  {
    key: 'DocNo',
    header: 'Nº FACTURA',
    width: '150px',
    sortBy: 'DocNo',
    isRowHeader: true,
    bars: [54],
    cell: (row) => <InvoiceNumber row={row} />,
  },
  {
    key: 'Name',
    header: 'Cliente',
    sortBy: 'Name',
    bars: [82, 70, 88, 62, 44, 76, 66, 74],
    cell: (row) => <InvoiceCustomer row={row} />,
  },
  {
    key: 'Amount',
    header: 'BASE IMPONIBLE',
    width: '148px',
    align: 'right',
    sortBy: 'Amount',
    bars: [62, 56, 50],
    cell: (row) => <InvoiceAmount row={row} field="Amount" />,
  },
  {
    key: 'VatAmount',
    header: 'IVA',
    width: '126px',
    align: 'right',
    sortBy: 'VatAmount',
    bars: [56],
    cell: (row) => <InvoiceAmount row={row} field="VatAmount" />,
  },
  {
    key: 'AmountIncludingVat',
    header: 'TOTAL',
    width: '136px',
    align: 'right',
    sortBy: 'AmountIncludingVat',
    bars: [70, 62],
    cell: (row) => <InvoiceAmount row={row} field="AmountIncludingVat" />,
  },
  {
    key: 'action',
    header: 'Acción',
    width: '136px',
    align: 'right',
    bars: [64],
    cell: ({ DocNo }) => <DownloadButton docNo={DocNo} size="sm" />,
  },
];

/** An invoice of the history on a narrow screen: client and total, number and date. */
export function historySummary(row: InvoiceRow): RowSummary {
  return {
    title: row.Name,
    subtitle: (
      <>
        <span data-annulled={row.Status === 'Anulada' || undefined}>{row.DocNo}</span>
        <InvoiceTags row={row} long />
        {row.Status === 'Anulada' && <StatusChip status="Anulada" />}
      </>
    ),
    value: <InvoiceAmount row={row} field="AmountIncludingVat" />,
    note: fecha(row.PostingDate),
  };
}

export function historyDetails(row: InvoiceRow): Detail[] {
  return [
    { label: 'BASE IMPONIBLE', value: <InvoiceAmount row={row} field="Amount" /> },
    { label: 'IVA', value: <InvoiceAmount row={row} field="VatAmount" /> },
    { label: 'TOTAL', value: <InvoiceAmount row={row} field="AmountIncludingVat" /> },
    { label: 'CIF', value: row.CIF || '—' },
  ];
}
