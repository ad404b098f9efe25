import type { Deps } from '../deps.ts';
import { DomainError } from '../domain/errors.ts';
import { checkNoSerie, formatNoSerie, parseNoSerie, siblingSeries } from '../domain/series.ts';
import { findLastSeq, lockCadena } from '../store/cadenas.ts';
import { findCompanyIdsByNif } from '../store/companies.ts';
import { lookAcross } from '../store/row-security.ts';
import { replaceSeries } from '../store/series.ts';
import { companyOf } from './company-of.ts';
import { lastDaysOfSeries, takenSeries } from './create-company.ts';
import { recordEvent } from './record-event.ts';

/**
 * Restarts the six series from a new text, e.g. `00001/LO`.
 *
 * All numbers ever given are checked before registering is locked out, and under the lock only those given meanwhile.
 *
 * @throws {DomainError} BAD_REQUEST when the text is not a number of a series; CONFLICT when it would give a number
 *   that was already given
 */
export async function restartCounter(
  { sql, clock }: Pick<Deps, 'sql' | 'clock'>,
  companyId: number,
  typed: string,
): Promise<void> {
  const text = typed.trim();
  const problem = checkNoSerie(text);
  const first = problem === null ? parseNoSerie(text) : null;
  if (!first) throw new DomainError('BAD_REQUEST', problem ?? 'El número de serie no es válido.');
  const series = siblingSeries(first);

  await sql.begin(async (tx) => {
    const { nif } = await companyOf({ sql: tx }, companyId);
    const lastSeq = await findLastSeq(tx, companyId);
    const { takenBefore, lastDays } = await lookAcross(tx, async () => {
      const accounts = await findCompanyIdsByNif(tx, nif);
      return {
        takenBefore: await takenSeries(tx, accounts, series),
        lastDays: await lastDaysOfSeries(tx, accounts, series),
      };
    });
    await lockCadena(tx, companyId); // From here on nobody takes a number.
    const taken = takenBefore ?? (await takenSeries(tx, [companyId], series, lastSeq));
    if (taken) {
      throw new DomainError(
        'CONFLICT',
        `Ya hay facturas registradas con el número ${formatNoSerie(taken)} o posteriores. Elige otra serie o un número más alto.`,
      );
    }
    await replaceSeries(tx, companyId, series, lastDays);
    await recordEvent(tx, companyId, { kind: 'contador-reiniciado', now: clock(), detail: text });
  });
}
