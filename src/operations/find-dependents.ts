import type { InvoiceStatus } from '../contract/invoices.ts';
import { findCorrectionsOf, findExchangesOf } from '../store/invoice-references.ts';
import { findOriginals, nameOfInvoice } from '../store/invoices.ts';
import type { Tx } from '../store/sql.ts';

/** The invoices that depend on one, oldest first: if it were annulled, they would refer to nothing. */
export interface Dependents {
  readonly rectificativas: readonly Dependent[];
  /** The F3 that it was exchanged for. */
  readonly canje: Dependent | null;
}

export interface Dependent {
  readonly docNo: string;
  readonly status: InvoiceStatus;
}

/** The rectificativas of an invoice that stand, and the F3 that it was exchanged for. */
export async function findDependents(
  tx: Tx,
  companyId: number,
  docNo: string,
): Promise<Dependents> {
  const name = { companyId, docNo };
  const [corrections, exchanges] = await Promise.all([
    findCorrectionsOf(tx, [name]),
    findExchangesOf(tx, [name]),
  ]);
  const found = corrections.get(nameOfInvoice(name)) ?? [];
  const rectificativas = found.map((correction) => correction.docNo);
  const canje = exchanges.get(nameOfInvoice(name));
  const named = await findOriginals(tx, companyId, [...rectificativas, ...(canje ? [canje] : [])]);
  // One that names another program's invoice is not about ours, even if ours took the same number later.
  const about = (number: string): Dependent[] => {
    const { issued, status } = named.get(number) ?? {};
    const references = [...(issued?.rectifies ?? []), ...(issued?.sustituye ?? [])];
    const isOurs = references.some(({ numSerie, externa }) => numSerie === docNo && !externa);
    return isOurs && status ? [{ docNo: number, status }] : [];
  };
  return {
    rectificativas: rectificativas.flatMap(about),
    canje: (canje && about(canje)[0]) || null,
  };
}
