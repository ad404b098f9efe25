import type { Deps } from '../deps.ts';
import { DomainError } from '../domain/errors.ts';
import {
  checkNoSerie,
  formatNoSerie,
  parseNoSerie,
  SERIES_KINDS,
  siblingSeries,
} from '../domain/series.ts';
import { lockCadena } from '../store/cadenas.ts';
import { areNumbersTaken } from '../store/invoices.ts';
import { replaceSeries } from '../store/series.ts';

/**
 * Starts the four series again from a new text, e.g. `00001/LO`.
 *
 * @throws {DomainError} BAD_REQUEST when the text is no number of a series; CONFLICT when a number
 *   that it would give was already given
 */
export async function restartCounter(
  { sql }: Pick<Deps, 'sql'>,
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
    for (const kind of SERIES_KINDS) {
      const { prefix, suffix, nextNumber } = series[kind];
      if (await areNumbersTaken(tx, companyId, { prefix, suffix, from: nextNumber })) {
        throw new DomainError(
          'CONFLICT',
          `Ya hay facturas registradas con el número ${formatNoSerie(series[kind])} o posteriores. Elige otra serie o un número más alto.`,
        );
      }
    }
    await replaceSeries(tx, companyId, series);
  });
}
