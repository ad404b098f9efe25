import type { InvoiceDraft } from '../contract/invoices.ts';
import type { Deps } from '../deps.ts';
import { isoDateIn, zonaOf } from '../domain/dates.ts';
import { findInvoice } from '../store/invoices.ts';
import { companyOf } from './company-of.ts';

export type UndatedDraft = Omit<InvoiceDraft, 'invoiceDate'> & {
  readonly invoiceDate?: string | undefined;
};

/**
 * The draft with a date: today in the company's time zone when it has none. One that corrects a registered invoice
 * keeps that invoice's date, which cannot change.
 *
 * @throws {DomainError} UNAUTHORIZED when the account is closed
 */
export async function dateDraft(
  { sql, clock }: Deps,
  companyId: number,
  { invoiceDate, ...draft }: UndatedDraft,
  draftNo?: string,
): Promise<InvoiceDraft> {
  if (invoiceDate !== undefined) return { ...draft, invoiceDate };
  const saved = draftNo ? await findInvoice(sql, companyId, draftNo) : null;
  if (saved?.registeredAt) return { ...draft, invoiceDate: saved.postingDate };
  const company = await companyOf({ sql }, companyId);
  return {
    ...draft,
    invoiceDate: isoDateIn(clock(), zonaOf(company.postCode, company.countryCode)),
  };
}
