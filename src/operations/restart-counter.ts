import type { Deps } from '../deps.ts';
import { DomainError } from '../domain/errors.ts';
import { checkNoSerie, formatNoSerie, parseNoSerie, siblingSeries } from '../domain/series.ts';
import { lockCadena } from '../store/cadenas.ts';
import { findCompanyIdsByNif } from '../store/companies.ts';
import { lookAcross } from '../store/company-wall.ts';
import { replaceSeries } from '../store/series.ts';
import { companyOf } from './company-of.ts';
import { takenSeries } from './create-company.ts';
import { recordEvent } from './record-event.ts';

/**
 * Starts the six series again from a new text, e.g. `00001/LO`.
 *
 * @throws {DomainError} BAD_REQUEST when the text is no number of a series; CONFLICT when a number
 *   that it would give was already given
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
    await lockCadena(tx, companyId); // Nobody takes a number meanwhile.
    const { nif } = await companyOf({ sql: tx }, companyId);
    const taken = await lookAcross(tx, async () =>
      takenSeries(tx, await findCompanyIdsByNif(tx, nif), series),
    );
    if (taken) {
      throw new DomainError(
        'CONFLICT',
        `Ya hay facturas registradas con el número ${formatNoSerie(taken)} o posteriores. Elige otra serie o un número más alto.`,
      );
    }
    await replaceSeries(tx, companyId, series);
    await recordEvent(tx, companyId, { kind: 'contador-reiniciado', now: clock(), detail: text });
  });
}
