import type { InvoiceRow } from '../../../contract/invoices.ts';

/** A valid simplified invoice: an F3 may replace several of them (RD 1619/2012 art. 15.6). */
export function canBeExchanged({ Tipo, Status }: Pick<InvoiceRow, 'Tipo' | 'Status'>): boolean {
  return (Tipo === 'F2' || Tipo === 'R5') && (Status === 'Registrada' || Status === 'En espera');
}
