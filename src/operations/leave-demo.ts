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

/** Why an invoice of the demo counts for nothing once its company invoices for real. */
export const HECHA_EN_DEMO =
  'Se hizo durante la demo: no tiene validez fiscal y no consta en la AEAT. Si la operación es real, haz otra factura con los mismos datos.';

/** What somebody who leaves the demo is told. */
export interface LeftDemo {
  /** Number of the first invoice that counts. */
  readonly NoSerie: string;
  /** How many of the demo's are left without effect. */
  readonly facturas: number;
}

/**
 * Takes a company out of a demo that was apart, before its subscription changes (docs/decisions/0211).
 *
 * What it registered was of the AEAT's test service. It stays in the history, annulled and in no figure, and is sent no
 * more. The cadena of production begins with an installation of its own (`PrimerRegistro`), its numbers with the
 * ordinary series; a series that the company chose itself goes on.
 *
 * @param company as it was, its row locked
 * @returns null for whoever was in no such demo
 */
export async function leaveDemo(
  tx: Tx,
  { aeat }: Pick<Config, 'aeat'>,
  company: Company,
  now: Date,
): Promise<LeftDemo | null> {
  if (!isDemoApart(aeat, company)) return null;
  const { id: companyId } = company;
  // Invoices, cadena, despacho, as registering does.
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
