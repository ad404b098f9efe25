import type { Config } from '../config.ts';
import { isDemoApart } from '../domain/plans.ts';
import { formatNoSerie } from '../domain/series.ts';
import { lockCadena } from '../store/cadenas.ts';
import type { Company } from '../store/companies.ts';
import { forgetWaiting } from '../store/despachos.ts';
import { lockStanding, startInstallation } from '../store/installations.ts';
import { findSeries } from '../store/series.ts';
import type { Tx } from '../store/sql.ts';
import { DEMO_SUFFIX, numeroInstalacion, startSeries } from './create-company.ts';
import { recordEvent } from './record-event.ts';
import { standAs } from './stand-as.ts';

/** Why an invoice of the demo has no effect once its company invoices for real. */
export const HECHA_EN_DEMO =
  'Se hizo durante la demo: no tiene validez fiscal y no consta en la AEAT. Si la operación es real, haz otra factura con los mismos datos.';

/** What a company that leaves the demo is told. */
export interface LeftDemo {
  /** Number of the first invoice that counts. */
  readonly NoSerie: string;
  /** How many invoices of the demo are left without effect. */
  readonly facturas: number;
}

/**
 * Takes a company out of a demo that declares apart, before its subscription changes (docs/decisions/0211).
 *
 * What it registered went to the AEAT's test service. It stays in the history as annulled, in no figure, and is not
 * sent any more. In production the cadena begins with an installation of its own (`PrimerRegistro`) and the numbers
 * with the ordinary series; a series that the company chose itself continues.
 *
 * @param company as it was, its row locked
 * @returns null when it was not in such a demo
 */
export async function leaveDemo(
  tx: Tx,
  { aeat }: Pick<Config, 'aeat'>,
  company: Company,
  now: Date,
): Promise<LeftDemo | null> {
  if (!isDemoApart(aeat, company)) return null;
  const { id: companyId } = company;
  // In the locking order of registering: invoices, cadena, despacho.
  const standing = await lockStanding(tx, companyId);
  const { lastSeq } = await lockCadena(tx, companyId);
  if (lastSeq > 0n) {
    const numero = numeroInstalacion(now, company.numeroInstalacion);
    await startInstallation(tx, companyId, { numero, now, isAfterDemo: true });
    await standAs(
      tx,
      companyId,
      standing.map((invoice) => ({
        ...invoice,
        status: 'Anulada' as const,
        errorMessage: HECHA_EN_DEMO,
      })),
    );
    await forgetWaiting(tx, companyId, now);
  }
  const before = (await findSeries(tx, companyId)).get('F');
  if (before?.suffix.startsWith(DEMO_SUFFIX)) {
    await startSeries(tx, companyId, company, now, { isApart: false });
  }
  await recordEvent(tx, companyId, { kind: 'demo-terminada', now });
  const series = (await findSeries(tx, companyId)).get('F');
  return { NoSerie: series ? formatNoSerie(series) : '', facturas: standing.length };
}
