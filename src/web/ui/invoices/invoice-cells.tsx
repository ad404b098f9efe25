import { Link } from 'react-router';
import type { InvoiceRow } from '../../../contract/invoices.ts';
import { creditWords } from '../../../domain/cobros.ts';
import { euros } from '../../lib/format.ts';
import { invoicePath } from '../../lib/paths.ts';
import { Tag } from '../chip.tsx';
import { StatusChip } from '../status-chip.tsx';
import classes from './invoice-cells.module.css';

export interface InvoiceTagsProps {
  readonly row: InvoiceRow;
  /** With room for the whole word. */
  readonly long?: boolean;
}

/**
 * The kind of invoice, if it is not an ordinary one, whether a full one took the place of a simplified one, and how far
 * it was collected.
 */
export function InvoiceTags({ row, long = false }: InvoiceTagsProps) {
  const isSimplified = row.Tipo === 'F2' || row.Tipo === 'R5';
  // Only simplified ones are exchanged: one tag says both.
  const isExchanged = row.CanjeadaPor !== undefined;
  return (
    <>
      {row.Tipo.startsWith('R') && <Tag>Abono</Tag>}
      {isSimplified && (long || !isExchanged) && <Tag>{long ? 'Simplificada' : 'Simpl.'}</Tag>}
      {isExchanged && <Tag>Canjeada</Tag>}
      {row.Cobro && row.Status !== 'Anulada' && <Tag>{collectedWords(row)}</Tag>}
    </>
  );
}

function collectedWords({ Cobro = 'Cobrada', AmountIncludingVat, Tipo }: InvoiceRow): string {
  return AmountIncludingVat < 0 ? Cobro.replace('Cobrada', creditWords(Tipo).state) : Cobro;
}

/** The number, linked to the invoice's page. A draft has no page: it is edited. */
export function InvoiceNumber({ row }: { row: InvoiceRow }) {
  if (row.Status === 'Borrador') return <span className={classes.link}>{row.DocNo}</span>;
  return (
    <Link
      to={invoicePath(row.DocNo)}
      className={classes.link}
      data-annulled={row.Status === 'Anulada' || undefined}
    >
      {row.DocNo}
    </Link>
  );
}

/** The number as text, for a row that is itself a button. */
export function InvoiceNumberText({ row }: { row: InvoiceRow }) {
  return (
    <span className={classes.numberText} data-annulled={row.Status === 'Anulada' || undefined}>
      {row.DocNo}
    </span>
  );
}

/** The client's name, or why there is none: a registered invoice without client is a simplificada. */
export function customerName(row: InvoiceRow): string {
  return row.Name || (row.Status === 'Borrador' ? 'Sin cliente todavía' : 'Sin cliente');
}

export interface InvoiceCustomerProps {
  readonly row: InvoiceRow;
  /** Without a column of the status. */
  readonly isHistory?: boolean;
}

/**
 * The client of an invoice and, beside it, in the widest column, its kind and its status if it has no column of its own:
 * an ordinary invoice of the history has neither.
 */
export function InvoiceCustomer({ row, isHistory = false }: InvoiceCustomerProps) {
  const isAnnulled = row.Status === 'Anulada';
  // «Aceptado con errores» leaves no room beside it.
  const isStacked = isHistory && !isAnnulled && row.Status !== 'Registrada';
  return (
    <span className={classes.customer} data-stacked={isStacked || undefined}>
      <span
        className={classes.customerName}
        data-muted={isAnnulled || row.Name === '' || undefined}
      >
        {customerName(row)}
      </span>
      <span className={classes.tags}>
        <InvoiceTags row={row} />
        {isHistory && row.Status !== 'Registrada' && <StatusChip status={row.Status} />}
      </span>
    </span>
  );
}

export interface InvoiceAmountProps {
  readonly row: InvoiceRow;
  readonly field: 'Amount' | 'VatAmount' | 'AmountIncludingVat';
}

/**
 * From so many characters on, an amount does not fit in its column of the history: it is written smaller (`long`), and
 * then its column grows, and the table scrolls if there is no room (`wide`, in data-table).
 */
const TOO_MANY: Record<InvoiceAmountProps['field'], { long: number; wide: number }> = {
  Amount: { long: 16, wide: 17 },
  VatAmount: { long: 13, wide: 15 },
  AmountIncludingVat: { long: 15, wide: 16 },
};

export function InvoiceAmount({ row, field }: InvoiceAmountProps) {
  const text = euros(row[field]);
  return (
    <span
      className={classes.amount}
      data-field={field}
      data-long={text.length >= TOO_MANY[field].long || undefined}
      data-wide={text.length >= TOO_MANY[field].wide || undefined}
      data-annulled={row.Status === 'Anulada' || undefined}
    >
      {text}
    </span>
  );
}

/** `… (AEAT 1239)`, as the server ends its messages. */
const CODE = /\s*\(AEAT (\d+)\)\s*$/;

/** The AEAT's complete message, with its code in small print at the end. */
export function InvoiceError({ message }: { message: string }) {
  const code = CODE.exec(message)?.[1];
  return (
    <span className={classes.error}>
      {message.replace(CODE, '')}
      {code && <span className={classes.code}>{`\u00a0·\u00a0Código\u00a0${code}`}</span>}
    </span>
  );
}
