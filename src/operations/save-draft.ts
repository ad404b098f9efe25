import type { InvoiceDraft, SetFacturasAnswer } from '../contract/invoices.ts';
import type { Deps } from '../deps.ts';
import { DomainError } from '../domain/errors.ts';
import { tipoFacturaOf } from '../domain/invoice.ts';
import { centsToText } from '../domain/money.ts';
import type { InvoiceTotals } from '../domain/totals.ts';
import { nextNumber } from '../store/counters.ts';
import {
  type InvoiceToSave,
  lockInvoices,
  saveInvoices,
  takeInvoiceIds,
} from '../store/invoices.ts';
import { attachUploads } from '../store/uploads.ts';
import { cleanDraft, type IssueContext, readIssueContext, totalsOf } from './issue-context.ts';

export interface SaveDraftRequest {
  readonly draft: InvoiceDraft;
  /** The draft to save over; a new one otherwise. */
  readonly draftNo?: string | undefined;
  /** Version of it that the form was opened with. */
  readonly version?: number | undefined;
  /** The uploaded original that it was read from. */
  readonly archivo?: string | undefined;
}

/**
 * Saves a form as a draft, whatever it holds: the rules wait until it is registered. A draft takes no
 * number of a series (CONTRACT §3.1); it is called `B-1`, `B-2`…
 *
 * @throws {DomainError} NOT_FOUND for a draft that does not exist; CONFLICT when it is registered, or
 *   when somebody saved it meanwhile: nothing is overwritten silently; BAD_REQUEST when an amount is
 *   bigger than an invoice may have
 */
export async function saveDraft(
  deps: Deps,
  companyId: number,
  { draft, draftNo, version, archivo }: SaveDraftRequest,
): Promise<SetFacturasAnswer> {
  return deps.sql.begin(async (tx) => {
    const context = await readIssueContext(tx, deps, companyId, [draft]);
    const saved = draftNo ? (await lockInvoices(tx, companyId, [draftNo])).get(draftNo) : undefined;
    if (draftNo && !saved) {
      throw new DomainError('NOT_FOUND', `No existe el borrador ${draftNo}.`);
    }
    if (saved && saved.status !== 'Borrador') {
      throw new DomainError(
        'CONFLICT',
        `La factura ${saved.docNo} ya está registrada: no se puede guardar como borrador.`,
      );
    }
    if (saved && version !== undefined && version !== saved.version) {
      throw new DomainError(
        'CONFLICT',
        `${saved.docNo} ha cambiado en otra pestaña o en otro dispositivo. Ábrelo de nuevo para ver cómo está.`,
      );
    }
    const docNo = saved?.docNo ?? `B-${await nextNumber(tx, companyId, 'draft')}`;
    const id = saved?.id ?? ((await takeInvoiceIds(tx, 1))[0] as bigint);
    await saveInvoices(tx, [draftToSave(context, draft, { id, docNo })]);
    if (archivo) await attachUploads(tx, [{ companyId, uploadId: archivo, invoiceId: id }]);
    return {
      DocNo: docNo,
      Status: 'Borrador',
      message: 'Borrador guardado.',
      version: (saved?.version ?? 0) + 1,
    };
  });
}

/**
 * A draft as it is kept, with the totals that the lists show.
 *
 * @throws {DomainError} BAD_REQUEST, naming a line, when they are bigger than an invoice may have
 */
export function draftToSave(
  context: IssueContext,
  draft: InvoiceDraft,
  { id, docNo }: Pick<InvoiceToSave, 'id' | 'docNo'>,
): InvoiceToSave {
  const cleaned = cleanDraft(context, draft);
  const totals = totalsOf(context, cleaned);
  assertFits(totals);
  const customer = context.customerOf(draft);
  return {
    companyId: context.company.id,
    id,
    docNo,
    status: 'Borrador',
    tipoFactura: tipoFacturaOf(draft),
    postingDate: draft.invoiceDate,
    customerNo: customer?.No ?? '',
    customerNif: customer?.VATRegistrationNo ?? '',
    customerName: customer?.Name ?? '',
    base: centsToText(totals.baseCents),
    vat: centsToText(totals.vatCents + totals.recargoCents),
    total: centsToText(totals.totalCents),
    seq: null,
    Huella: null,
    registeredAt: null,
    draft: { ...cleaned, invoiceNumber: '' },
  };
}

/** What `numeric(14,2)` holds, and the AEAT's amounts (ImporteSgn12.2). */
const MAX_CENTS = 99_999_999_999_999n;

function assertFits({ lines, baseCents, vatCents, recargoCents, totalCents }: InvoiceTotals): void {
  const amounts = [baseCents, vatCents + recargoCents, totalCents].map(absolute);
  if (amounts.every((cents) => cents <= MAX_CENTS)) return;
  const sizes = lines.map((line) => absolute(line.totalCents));
  const biggest = sizes.reduce((top, size, i) => (size > (sizes[top] ?? 0n) ? i : top), 0);
  throw new DomainError(
    'BAD_REQUEST',
    `El importe de la línea ${biggest + 1} es demasiado grande: una factura no puede pasar de 999.999.999.999,99 €.`,
  );
}

function absolute(cents: bigint): bigint {
  return cents < 0n ? -cents : cents;
}
