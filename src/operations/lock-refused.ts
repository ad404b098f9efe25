import { DomainError } from '../domain/errors.ts';
import type { Desenlace } from '../domain/verifactu/correcciones.ts';
import { lockCadena } from '../store/cadenas.ts';
import { lockDespacho } from '../store/despachos.ts';
import { lockInvoices, type StoredInvoice } from '../store/invoices.ts';
import { desenlacesOf } from '../store/registros.ts';
import type { Tx } from '../store/sql.ts';
import { assertReconciled } from './assert-can-invoice.ts';
import { noSuchInvoice } from './no-such-invoice.ts';

/** An invoice whose latest registro the AEAT refused, and what it answered to each of its registros. */
export interface Refused {
  readonly invoice: StoredInvoice & { readonly seq: bigint };
  readonly desenlaces: readonly Desenlace[];
}

/**
 * Locks a refused invoice before resolving it without a declaration, in the usual order: invoice, cadena, despacho.
 *
 * @param sentence the message for one that was not refused
 * @throws {DomainError} NOT_FOUND; FORBIDDEN while registros are missing here; CONFLICT with `sentence`
 */
export async function lockRefused(
  tx: Tx,
  companyId: number,
  docNo: string,
  sentence: string,
): Promise<Refused> {
  const [invoices, cadena] = await Promise.all([
    lockInvoices(tx, companyId, [docNo]),
    lockCadena(tx, companyId),
    lockDespacho(tx, companyId),
  ]);
  assertReconciled(cadena);
  const invoice = invoices.get(docNo);
  if (!invoice) throw noSuchInvoice(docNo);
  const { seq, status } = invoice;
  if (status !== 'Rechazado' || seq === null) throw new DomainError('CONFLICT', sentence);
  return { invoice: { ...invoice, seq }, desenlaces: await desenlacesOf(tx, companyId, docNo) };
}
