import type {
  FilaPorTipo,
  SumasPorTipo,
  SumasPorTipoQuery,
  TrimestrePorTipo,
} from '../contract/invoices.ts';
import type { Deps } from '../deps.ts';
import { isoDateIn, startOfQuarter, zonaOf } from '../domain/dates.ts';
import { nombreImpuesto } from '../domain/impuestos.ts';
import { centsToNumber, textToCents } from '../domain/money.ts';
import type { RateSums } from '../domain/sums-by-rate.ts';
import { monthsSince } from '../store/months.ts';
import { countSummed, type Place, sumsByRate } from '../store/sums-by-rate.ts';
import { companyOf } from './company-of.ts';
import { daysOfList } from './invoice-ranges.ts';

/**
 * With more invoices in a quarter, Inicio shows no rates: this many are added up in some 40 ms, twice as many in 90.
 */
const MOST_OF_QUARTER = 2000;

/** How many are added up at once, for any days: the statement is short enough for others not to notice. */
const PART = 1000;

/** The current quarter by rates, adding up to the tax that `describeResumen` reports for it. */
export async function describeTrimestre(
  { sql, clock }: Deps,
  companyId: number,
): Promise<TrimestrePorTipo> {
  const { postCode, countryCode } = await companyOf({ sql }, companyId);
  const since = startOfQuarter(isoDateIn(clock(), zonaOf(postCode, countryCode)));
  const months = await monthsSince(sql, companyId, since);
  const invoices = months.reduce((sum, { count }) => sum + count, 0);
  if (invoices > MOST_OF_QUARTER) return { filas: null };
  const span = { since, until: null, after: null };
  const { rows } = await sumsByRate(sql, companyId, span, MOST_OF_QUARTER);
  return { filas: rows.map(filaOf) };
}

/**
 * The next part of the sums of some days by quarter and rate. Invoices not registered yet, or annulled, are left out.
 */
export async function describeSums(
  deps: Deps,
  companyId: number,
  { despues, ...asked }: SumasPorTipoQuery,
): Promise<SumasPorTipo> {
  const days = await daysOfList(deps, companyId, 'history', asked);
  const span = { ...days, after: despues === undefined ? null : placeOf(despues) };
  const { rows, invoices, last } = await sumsByRate(deps.sql, companyId, span, PART);
  const part = { filas: rows.map(filaOf), facturas: invoices };
  if (last === null || invoices < PART) return part;
  const siguiente = `${last.day}.${last.id}`;
  if (span.after) return { ...part, siguiente };
  return { ...part, siguiente, total: await countSummed(deps.sql, companyId, span) };
}

function placeOf(despues: string): Place {
  return { day: despues.slice(0, 10), id: BigInt(despues.slice(11)) };
}

function filaOf(sums: RateSums): FilaPorTipo {
  const { quarter, Impuesto, cause, vatRate, recargoRate, base, quota, recargo, invoices } = sums;
  return {
    trimestre: quarter,
    impuesto: nombreImpuesto(Impuesto),
    ...(vatRate !== null && { tipo: Number(vatRate) }),
    ...(recargoRate !== null && { recargo: Number(recargoRate) }),
    ...(cause !== null && { causa: cause as FilaPorTipo['causa'] }),
    base: centsToNumber(textToCents(base)),
    cuota: centsToNumber(textToCents(quota)),
    cuotaRecargo: centsToNumber(textToCents(recargo)),
    facturas: invoices,
  };
}
