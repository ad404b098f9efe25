import type { Deps } from '../deps.ts';
import { DomainError } from '../domain/errors.ts';
import { claimReconcile, endReconcile, findReconcileDue } from '../store/cadenas.ts';
import { type ConsultarAeat, reconcile } from './reconcile.ts';

const HOUR_MS = 3_600_000;
/**
 * Interval before a company is tried again: the AEAT asks not to repeat a query whose answer will not have changed.
 */
export const RETRY_MS = 6 * HOUR_MS;
/**
 * The same after a failure that was not the AEAT's: its process died, or the database was away. Longer than a round
 * usually takes.
 */
export const FAILED_MS = 15 * 60_000;
/** Limits of one round. A company with months left is due again in the next one. */
const COMPANIES = 20;
export const MONTHS = 24;
/**
 * Companies at a time, each with its own certificate: after a restore, all companies of the installation have to be
 * checked.
 */
const AT_ONCE = 4;

/**
 * Compares with the AEAT the months of companies that may not register until that is done, so that a restored
 * installation resumes by itself where nothing was lost. Needs a certificate to ask with.
 *
 * @returns how many companies may register again
 */
export async function reconcileStopped(
  deps: Deps,
  consultar: ConsultarAeat,
  signal: AbortSignal,
): Promise<number> {
  const { sql, clock } = deps;
  const now = clock();
  const before = new Date(now.getTime() - RETRY_MS);
  const due = await findReconcileDue(sql, { now, before, limit: COMPANIES });
  let healed = 0;
  const askers = Array.from({ length: AT_ONCE }, async () => {
    for (let id = due.shift(); id !== undefined && !signal.aborted; id = due.shift()) {
      const claimedAt = new Date(clock().getTime() - RETRY_MS + FAILED_MS);
      const periodos = await claimReconcile(sql, id, { claimedAt, before });
      if (!periodos) continue; // Another process has it.
      const { settled, asked, hasFailed } = await askForMonths(
        deps,
        consultar,
        id,
        periodos,
        signal,
      );
      if (settled === periodos.length) healed += 1;
      // Months are left, so it is due again at once; unless none was whole, because the same ones would be asked for.
      else if (signal.aborted || (settled > 0 && asked < periodos.length)) {
        await endReconcile(sql, id, { claimedAt, triedAt: before });
      } else if (!hasFailed) await endReconcile(sql, id, { claimedAt, triedAt: clock() });
    }
  });
  await Promise.all(askers);
  return healed;
}

/** @returns how many months were asked for, how many of those were whole, and whether we failed, not the AEAT */
async function askForMonths(
  deps: Deps,
  consultar: ConsultarAeat,
  companyId: number,
  periodos: readonly string[],
  signal: AbortSignal,
): Promise<{ settled: number; asked: number; hasFailed: boolean }> {
  const done = { settled: 0, asked: 0, hasFailed: false };
  try {
    for (const periodo of periodos.slice(0, MONTHS)) {
      const [Ejercicio = '', Periodo = ''] = periodo.split('-');
      const answer = await reconcile(deps, consultar, companyId, { Ejercicio, Periodo }, signal);
      done.asked += 1;
      if (!answer.registroDetenido) done.settled += 1;
    }
    deps.log.info({ companyId, periodos, ...done }, 'a stopped company was held against the AEAT');
  } catch (error) {
    done.hasFailed = !(error instanceof DomainError);
    deps.log.warn(
      { err: error, companyId, ...done },
      'a stopped company could not be held against the AEAT',
    );
  }
  return done;
}
