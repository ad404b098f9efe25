import type { Deps } from '../deps.ts';
import { claimReconcile, findReconcileDue } from '../store/cadenas.ts';
import { type ConsultarAeat, reconcile } from './reconcile.ts';

const HOUR_MS = 3_600_000;
/** A company is tried again after this long: the AEAT asks not to be asked for what did not change. */
export const RETRY_MS = 6 * HOUR_MS;
/** Bounds of one round. Months that are left wait for the next try. */
const COMPANIES = 20;
const MONTHS = 24;

/**
 * Holds against the AEAT the months of the companies that may not register until that is done, so that
 * a restored installation goes on by itself where nothing was lost. Only with a certificate to ask with.
 *
 * @returns how many companies may register again
 */
export async function reconcileStopped(
  deps: Deps,
  consultar: ConsultarAeat,
  signal: AbortSignal,
): Promise<number> {
  const { sql, clock, log } = deps;
  const now = clock();
  const before = new Date(now.getTime() - RETRY_MS);
  let healed = 0;
  for (const companyId of await findReconcileDue(sql, { now, before, limit: COMPANIES })) {
    if (signal.aborted) break;
    const periodos = await claimReconcile(sql, companyId, { now, before });
    if (!periodos) continue; // Another process has it.
    try {
      let isWhole = periodos.length <= MONTHS;
      for (const periodo of periodos.slice(0, MONTHS)) {
        const [Ejercicio = '', Periodo = ''] = periodo.split('-');
        const answer = await reconcile(deps, consultar, companyId, { Ejercicio, Periodo }, signal);
        if (answer.registroDetenido) isWhole = false;
      }
      log.info({ companyId, periodos, isWhole }, 'a stopped company was held against the AEAT');
      if (isWhole) healed += 1;
    } catch (error) {
      log.warn({ err: error, companyId }, 'a stopped company could not be held against the AEAT');
    }
  }
  return healed;
}
