import type { Finding, SetFacturasBody } from '../contract/invoices.ts';
import type { Deps } from '../deps.ts';
import { isoDateIn } from '../domain/dates.ts';
import { numbersToLookUp, tipoFacturaOf } from '../domain/invoice.ts';
import type { PagadoAntes } from '../domain/paid-before.ts';
import { formatNoSerie, seriesKindOf } from '../domain/series.ts';
import { findCorrectionsOf, findExchanges, findStandingOn } from '../store/invoice-references.ts';
import { findOriginals, nameOfInvoice } from '../store/invoices.ts';
import { findDesenlaces } from '../store/registros.ts';
import { findSeries } from '../store/series.ts';
import { dateDraft } from './date-draft.ts';
import { issueFromDraft, readIssueContext } from './issue-context.ts';
import { assertNotRegistered } from './issuing-batch.ts';
import { noSuchInvoice } from './no-such-invoice.ts';

export interface CheckedDraft {
  readonly findings: readonly Finding[];
  /** For an F3: what was paid with the simplified invoices that it replaces. */
  readonly pagado: PagadoAntes | null;
}

/**
 * The rules that registering would apply to a form, without saving anything.
 *
 * @throws {DomainError} NOT_FOUND for the draft that it names, CONFLICT when it is registered and not to be corrected
 */
export async function checkDraft(
  deps: Deps,
  companyId: number,
  { accionFactura, draftNo, version: _version, ...fields }: SetFacturasBody,
): Promise<CheckedDraft> {
  const draft = await dateDraft(deps, companyId, fields, draftNo);
  const numbers = numbersToLookUp(draft.invoiceToRectify);
  const corrected = draftNo ? [draftNo] : [];
  const named = (docNo: string) => ({ companyId, docNo });
  const referred = numbers.map(named);
  const [context, series, invoices, exchanges, corrections, standing, desenlaces] =
    await Promise.all([
      readIssueContext(deps.sql, deps, companyId, [draft]),
      findSeries(deps.sql, companyId),
      findOriginals(deps.sql, companyId, [...numbers, ...corrected]),
      findExchanges(deps.sql, companyId, numbers),
      findCorrectionsOf(deps.sql, referred),
      findStandingOn(deps.sql, corrected.map(named)),
      findDesenlaces(deps.sql, [...referred, ...corrected.map(named)]),
    ]);
  const saved = draftNo ? invoices.get(draftNo) : undefined;
  if (draftNo && !saved) throw noSuchInvoice(draftNo);
  if (saved) assertNotRegistered(saved);
  const isCorrection = saved?.registeredAt != null;
  const open = series.get(
    seriesKindOf(tipoFacturaOf(draft), draft.invoiceItems, draft.claveRegimen),
  );
  const { findings, pagado } = issueFromDraft(context, {
    draft,
    numSerie: isCorrection ? saved.docNo : open ? formatNoSerie(open) : '',
    today: isoDateIn(deps.clock(), context.zona),
    lastDateOfSeries: isCorrection ? null : (open?.lastDate ?? null),
    sendsToCustomer: accionFactura === 2,
    corrected: isCorrection ? saved : null,
    originals: numbers.map((number) => [number, invoices.get(number) ?? null]),
    exchangeOf: (number) => exchanges.get(number),
    correctionsOf: (docNo) => corrections.get(nameOfInvoice(named(docNo))) ?? [],
    standingOn: (docNo) => standing.get(nameOfInvoice(named(docNo))) ?? [],
    desenlacesOf: (docNo) => desenlaces.get(nameOfInvoice(named(docNo))) ?? [],
  });
  return { findings, pagado };
}
