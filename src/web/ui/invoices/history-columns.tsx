import type { InvoiceRow } from '../../../contract/invoices.ts';
import { fecha } from '../../lib/format.ts';
import { StatusChip } from '../status-chip.tsx';
import type { Column } from '../table/data-table.tsx';
import type { Detail, RowSummary } from '../table/row-list.tsx';
import { DownloadButton } from './download-button.tsx';
import {
  customerName,
  InvoiceAmount,
  InvoiceCustomer,
  InvoiceNumber,
  InvoiceNumberText,
  InvoiceTags,
} from './invoice-cells.tsx';

export interface HistoryColumnsOptions {
  /** Whether there is room for the word of each download button. */
  readonly isRoomy: boolean;
  /** The company's tax: `IVA`, `IGIC` or `IPSI`. */
  readonly tax: string;
}

/** The seven columns of the history. */
export function historyColumns({ isRoomy, tax }: HistoryColumnsOptions): Column<InvoiceRow>[] {
  const width = (roomy: number, tight: number) => `${isRoomy ? roomy : tight}px`;
  return [
    {
      key: 'PostingDate',
      header: 'Fecha',
      width: width(112, 104),
      sortBy: 'PostingDate',
      bars: [84],
      cell: ({ PostingDate }) => <span className="hu-muted hu-figures">{fecha(PostingDate)}</span>,
    },
    {
      key: 'DocNo',
      header: 'Nº FACTURA',
      width: width(160, 130),
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
      cell: (row) => <InvoiceCustomer row={row} isHistory />,
    },
    {
      key: 'Amount',
      header: 'BASE IMPONIBLE',
      width: width(140, 134),
      align: 'right',
      sortBy: 'Amount',
      bars: [62, 56, 50],
      cell: (row) => <InvoiceAmount row={row} field="Amount" />,
    },
    {
      key: 'VatAmount',
      header: tax,
      width: width(122, 112),
      align: 'right',
      sortBy: 'VatAmount',
      bars: [56],
      cell: (row) => <InvoiceAmount row={row} field="VatAmount" />,
    },
    {
      key: 'AmountIncludingVat',
      header: 'TOTAL',
      width: width(134, 124),
      align: 'right',
      sortBy: 'AmountIncludingVat',
      bars: [70, 62],
      cell: (row) => <InvoiceAmount row={row} field="AmountIncludingVat" />,
    },
    {
      key: 'action',
      header: 'Acción',
      width: width(130, 76),
      align: 'right',
      bars: [64],
      cell: ({ DocNo }) => <DownloadButton docNo={DocNo} size="sm" iconOnly={!isRoomy} />,
    },
  ];
}

/** An invoice of the history on a narrow screen: client and total, number and date. */
export function historySummary(row: InvoiceRow): RowSummary {
  return {
    title: customerName(row),
    subtitle: (
      <>
        <InvoiceNumberText row={row} />
        <InvoiceTags row={row} />
        {row.Status !== 'Registrada' && <StatusChip status={row.Status} />}
      </>
    ),
    value: <InvoiceAmount row={row} field="AmountIncludingVat" />,
    note: fecha(row.PostingDate),
  };
}

export function historyDetails(row: InvoiceRow, tax: string): Detail[] {
  return [
    { label: 'Base imponible', value: <InvoiceAmount row={row} field="Amount" /> },
    { label: tax, value: <InvoiceAmount row={row} field="VatAmount" /> },
    { label: 'Total', value: <InvoiceAmount row={row} field="AmountIncludingVat" /> },
    { label: 'CIF', value: row.CIF || '—' },
  ];
}
