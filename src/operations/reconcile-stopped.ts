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
  const now = deps.clock();
  const before = new Date(now.getTime() - RETRY_MS);
  const due = await findReconcileDue(deps.sql, { now, before, limit: COMPANIES });
  let healed = 0;
  const askers = Array.from({ length: AT_ONCE }, async () => {
    for (let id = due.shift(); id !== undefined && !signal.aborted; id = due.shift()) {
      if (await attempt(deps, consultar, id, before, signal)) healed += 1;
    }
  });
  await Promise.all(askers);
  return healed;
}

/** @returns whether all months of the company are whole, so that it may register again */
async function attempt(
  deps: Deps,
  consultar: ConsultarAeat,
  companyId: number,
  before: Date,
  signal: AbortSignal,
): Promise<boolean> {
  const { sql, clock } = deps;
  const claimedAt = new Date(clock().getTime() - RETRY_MS + FAILED_MS);
  const periodos = await claimReconcile(sql, companyId, { claimedAt, before });
  if (!periodos) return false; // Another process has it.
  const done = await askForMonths(deps, consultar, companyId, periodos, signal);
  if (done.settled === periodos.length) return true;
  // Months are left, so it is due again at once; unless none was whole, because the same ones would be asked for.
  const isDueAgain = signal.aborted || (done.settled > 0 && done.asked < periodos.length);
  if (isDueAgain) await endReconcile(sql, companyId, { claimedAt, triedAt: before });
  else if (!done.hasFailed) await endReconcile(sql, companyId, { claimedAt, triedAt: clock() });
  return false;
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
