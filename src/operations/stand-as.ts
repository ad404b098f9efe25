import type { InvoiceStatus } from '../contract/invoices.ts';
import type { Tx } from '../store/sql.ts';
import { settleInvoices } from './settle-invoices.ts';

/** The status of an invoice when no registro establishes it. */
export interface Standing {
  readonly invoiceId: bigint;
  readonly seq: bigint;
  readonly status: InvoiceStatus;
  readonly errorMessage: string;
}

/**
 * Writes it to the invoices, their lists and the figures of Inicio. Nothing is declared. The caller holds the locks
 * on invoices and cadena.
 */
export async function standAs(
  tx: Tx,
  companyId: number,
  standings: readonly Standing[],
): Promise<void> {
  if (standings.length === 0) return;
  await settleInvoices(
    tx,
    companyId,
    standings.map(({ invoiceId, seq, status, errorMessage }) => ({
      invoiceId,
      seq,
      status,
      errorMessage,
      errorCode: null,
      CSV: null,
    })),
  );
}
