import type { InvoiceStatus } from '../contract/invoices.ts';
import { findStandingOn } from '../store/invoice-references.ts';
import { nameOfInvoice } from '../store/invoices.ts';
import type { Tx } from '../store/sql.ts';

/** The invoices that depend on another, oldest first: if that one were annulled, they would refer to nothing. */
export interface Dependents {
  readonly rectificativas: readonly Dependent[];
  /** The F3 for which it was exchanged. */
  readonly canje: Dependent | null;
}

export interface Dependent {
  readonly docNo: string;
  readonly status: InvoiceStatus;
}

/** The valid rectificativas of an invoice, and the F3 for which it was exchanged. */
export async function findDependents(
  tx: Tx,
  companyId: number,
  docNo: string,
): Promise<Dependents> {
  const name = { companyId, docNo };
  const standing = (await findStandingOn(tx, [name])).get(nameOfInvoice(name)) ?? [];
  return {
    rectificativas: standing.filter(({ kind }) => kind === 'rectifica'),
    canje: standing.find(({ kind }) => kind === 'sustituye') ?? null,
  };
}
