import { addDays, isoDateIn, monthsBetween } from '../domain/dates.ts';
import { requireReconcileOfAll } from '../store/cadenas.ts';
import type { Tx } from '../store/sql.ts';

/**
 * Stops the cadena of every company until it has been held against the AEAT: a backup of `madeAt` was
 * restored, and what was registered after it is not here (VERIFACTU §8.7).
 *
 * @returns how many companies
 */
export async function requireReconcileAll(tx: Tx, madeAt: Date, now: Date): Promise<number> {
  // An invoice may say that the operation was of the month before.
  const lastMonth = addDays(`${isoDateIn(madeAt, 'Europe/Madrid').slice(0, 7)}-01`, -1);
  const months = monthsBetween(lastMonth, isoDateIn(now, 'Europe/Madrid'));
  return requireReconcileOfAll(tx, months, now);
}
