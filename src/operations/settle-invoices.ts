import { countMoves } from '../store/blocks.ts';
import { writeBackAgain } from '../store/business-central-origins.ts';
import { applyVerdicts, type InvoiceVerdict } from '../store/envios.ts';
import { takeAnnulledFromMonths } from '../store/months.ts';
import type { Tx } from '../store/sql.ts';

/**
 * Leaves invoices as was said of them: counted in their lists and figures where it takes them, before they go. All its
 * statements are sent at once. The caller holds the invoices, and what `countMoves` asks for.
 *
 * @returns whether blocks of the list should be cut
 */
export async function settleInvoices(
  tx: Tx,
  companyId: number,
  verdicts: readonly InvoiceVerdict[],
): Promise<boolean> {
  const isAnnulling = verdicts.some(({ status }) => status === 'Anulada');
  const [isCutDue] = await Promise.all([
    countMoves(tx, companyId, verdicts),
    isAnnulling ? takeAnnulledFromMonths(tx, companyId, verdicts) : undefined,
    applyVerdicts(tx, companyId, verdicts),
    writeBackAgain(
      tx,
      companyId,
      verdicts.map(({ invoiceId }) => invoiceId),
    ),
  ]);
  return isCutDue;
}
