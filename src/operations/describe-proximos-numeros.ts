import type { ProximosNumeros } from '../contract/invoices.ts';
import type { Deps } from '../deps.ts';
import { formatNoSerie, SERIES_KINDS } from '../domain/series.ts';
import { findSeries } from '../store/series.ts';

/** The number that the next registered invoice of each series would take now; empty for a series not started yet. */
export async function describeProximosNumeros(
  { sql }: Deps,
  companyId: number,
): Promise<ProximosNumeros> {
  const series = await findSeries(sql, companyId);
  return Object.fromEntries(
    SERIES_KINDS.map((kind) => {
      const open = series.get(kind);
      return [kind, open ? formatNoSerie(open) : ''];
    }),
  ) as ProximosNumeros;
}
