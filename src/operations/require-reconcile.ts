import { addDays, isoDateIn } from '../domain/dates.ts';
import { lastOperacion } from '../domain/verifactu/validaciones/cabecera.ts';
import { requireReconcileOfAll } from '../store/cadenas.ts';
import type { Tx } from '../store/sql.ts';

/**
 * Stops the cadena of every open company until it has been compared with the AEAT: a backup made at `madeAt` was
 * restored, and what was registered after it is not here (Orden HAC/1177/2024 art. 7.a to d).
 *
 * Registros may be missing in any month of the company (docs/decisions/0240): the AEAT files an anulación or a
 * correction under the month of its invoice, and an invoice under that of its operation.
 *
 * @returns how many companies
 */
export async function requireReconcileAll(tx: Tx, madeAt: Date, now: Date): Promise<number> {
  // An invoice may be for an operation of the month before.
  const from = addDays(`${isoDateIn(madeAt, 'Europe/Madrid').slice(0, 7)}-01`, -1);
  const to = lastOperacion(isoDateIn(now, 'Europe/Madrid'));
  return requireReconcileOfAll(tx, { from, to, now });
}
