import type { InvoiceRow } from '../../../contract/invoices.ts';

type Exchanged = Pick<InvoiceRow, 'Tipo' | 'Status' | 'CanjeadaPor'>;

/** A valid simplified invoice, once: an F3 may replace several of them (RD 1619/2012 art. 15.6). */
export function canBeExchanged({ Tipo, Status, CanjeadaPor }: Exchanged): boolean {
  return (
    (Tipo === 'F2' || Tipo === 'R5') &&
    (Status === 'Registrada' || Status === 'En espera') &&
    CanjeadaPor === undefined
  );
}
