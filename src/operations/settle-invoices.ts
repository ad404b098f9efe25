import { countMoves } from '../store/blocks.ts';
import { writeBackAgain } from '../store/business-central-origins.ts';
import { applyVerdicts, type InvoiceVerdict } from '../store/envios.ts';
import { takeAnnulledFromMonths } from '../store/months.ts';
import type { Tx } from '../store/sql.ts';

/**
 * Updates the status of invoices, moving them in the counts of their lists and in the figures of Inicio. All
 * statements are sent at once. The caller holds the locks on the invoices and on what `countMoves` needs.
 *
 * @param inOne as in {@link countMoves}
 * @returns whether blocks of the list should be split
 */
export async function settleInvoices(
  tx: Tx,
  companyId: number,
  verdicts: readonly InvoiceVerdict[],
  { inOne = false }: { readonly inOne?: boolean } = {},
): Promise<boolean> {
  const isAnnulling = verdicts.some(({ status }) => status === 'Anulada');
  const [isCutDue] = await Promise.all([
    countMoves(tx, companyId, verdicts, { inOne }),
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
