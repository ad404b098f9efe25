import type { InvoiceDraft, SetFacturasAnswer } from '../contract/invoices.ts';
import type { Deps } from '../deps.ts';
import { DomainError } from '../domain/errors.ts';
import { tipoFacturaOf } from '../domain/invoice.ts';
import { absCents, centsToText, MAX_CENTS } from '../domain/money.ts';
import type { InvoiceTotals } from '../domain/totals.ts';
import { mayJoinCompanies } from '../store/coalesced.ts';
import { takeNumbers } from '../store/counters.ts';
import {
  type InvoiceToSave,
  lockInvoices,
  saveInvoices,
  takeInvoiceIds,
} from '../store/invoices.ts';
import { isRefusal, pipelined } from '../store/sql.ts';
import { attachUploads, type UploadOwner } from '../store/uploads.ts';
import { changedElsewhere } from './changed-elsewhere.ts';
import { inBatches, type RequestOutcome } from './in-batches.ts';
import {
  assertCustomer,
  cleanDraft,
  type DraftContext,
  readDraftContext,
  totalsOf,
} from './issue-context.ts';
import type { Keep } from './keep-answer.ts';

export interface SaveDraftRequest {
  readonly draft: InvoiceDraft;
  /** The draft to overwrite; without it, a new one. */
  readonly draftNo?: string | undefined;
  /** The version of it that the form was opened with. */
  readonly version?: number | undefined;
  /** The uploaded original from which it was read. */
  readonly archivo?: string | undefined;
  readonly keep?: Keep<SetFacturasAnswer> | undefined;
}

/** Most drafts created in one transaction. */
const MAX_NEW = 100;

/**
 * Saves a form as a draft, whatever it contains: the rules apply when it is registered. A draft takes no number of a
 * series; it is called `B-1`, `B-2`…
 *
 * New drafts of a company that arrive while others commit share the next commit.
 *
 * @throws {DomainError} NOT_FOUND for a draft that does not exist, NO_SUCH_CUSTOMER for its customer; CONFLICT when
 *   it is registered, or when somebody saved it meanwhile, since nothing is overwritten silently; BAD_REQUEST when an
 *   amount is larger than an invoice may have
 */
export function saveDraft(
  deps: Deps,
  companyId: number,
  { draftNo, version, ...request }: SaveDraftRequest,
): Promise<SetFacturasAnswer> {
  return draftNo
    ? saveOver(deps, companyId, { ...request, draftNo, version })
    : createDraft(deps, companyId, request);
}

type NewDraft = Pick<SaveDraftRequest, 'draft' | 'archivo' | 'keep'>;

const createDraft = inBatches(MAX_NEW, createDrafts);

/** Everything is read and numbered in one flush of statements, and written in another with the commit. */
async function createDrafts(
  deps: Deps,
  companyId: number,
  requests: readonly NewDraft[],
): Promise<RequestOutcome<SetFacturasAnswer>[]> {
  try {
    const outcomes = await pipelined(deps.sql, async (tx, commit) => {
      const [context, first, ids] = await Promise.all([
        readDraftContext(
          tx,
          companyId,
          requests.map(({ draft }) => draft),
        ),
        takeNumbers(tx, companyId, 'draft', requests.length),
        takeInvoiceIds(tx, requests.length),
      ]);
      const invoices: InvoiceToSave[] = [];
      const owners: UploadOwner[] = [];
      const keepers: (() => Promise<void>)[] = [];
      const outcomes = requests.map(
        ({ draft, archivo, keep }): RequestOutcome<SetFacturasAnswer> => {
          const id = ids[invoices.length] as bigint;
          const docNo = `B-${first + BigInt(invoices.length)}`;
          try {
            assertCustomer(context, draft);
            invoices.push(draftToSave(context, draft, { id, docNo }));
          } catch (error) {
            return { kind: 'refused', error };
          }
          if (archivo) owners.push({ companyId, uploadId: archivo, invoiceId: id });
          const answer = savedAnswer(docNo, 1);
          if (keep) keepers.push(() => keep(tx, answer));
          return { kind: 'done', answer };
        },
      );
      // Numbers that no draft took are returned by not committing them.
      if (invoices.length > 0)
        await commit([
          saveInvoices(tx, invoices, { inOne: mayJoinCompanies(deps.sql) }),
          attachUploads(tx, owners),
          ...keepers.map((keep) => keep()),
        ]);
      return outcomes;
    });
    deps.news.tell(companyId);
    return outcomes;
  } catch (error) {
    // The database refused something that one of them writes and rolled all of them back: trying them one by one
    // shows whose it was.
    if (requests.length === 1 || !isRefusal(error)) throw error;
    const outcomes: RequestOutcome<SetFacturasAnswer>[] = [];
    for (const request of requests) {
      outcomes.push(
        ...(await createDrafts(deps, companyId, [request]).catch(
          (own: unknown) => [{ kind: 'refused', error: own }] as const,
        )),
      );
    }
    return outcomes;
  }
}

async function saveOver(
  deps: Deps,
  companyId: number,
  { draft, draftNo, version, archivo, keep }: SaveDraftRequest & { readonly draftNo: string },
): Promise<SetFacturasAnswer> {
  return pipelined(deps.sql, async (tx, commit) => {
    const [context, locked] = await Promise.all([
      readDraftContext(tx, companyId, [draft]),
      lockInvoices(tx, companyId, [draftNo]),
    ]);
    const saved = locked.get(draftNo);
    if (!saved) throw new DomainError('NOT_FOUND', `No existe el borrador ${draftNo}.`);
    if (saved.status !== 'Borrador') {
      throw new DomainError(
        'CONFLICT',
        `La factura ${saved.docNo} ya está registrada: no se puede guardar como borrador.`,
      );
    }
    if (version !== undefined && version !== saved.version) throw changedElsewhere(saved.docNo);
    assertCustomer(context, draft);
    const { id, docNo } = saved;
    const owners = archivo ? [{ companyId, uploadId: archivo, invoiceId: id }] : [];
    const answer = savedAnswer(docNo, saved.version + 1);
    await commit([
      saveInvoices(tx, [draftToSave(context, draft, { id, docNo })], {
        inOne: mayJoinCompanies(deps.sql),
      }),
      attachUploads(tx, owners),
      ...(keep ? [keep(tx, answer)] : []),
    ]);
    return answer;
  });
}

function savedAnswer(docNo: string, version: number): SetFacturasAnswer {
  return { DocNo: docNo, Status: 'Borrador', message: 'Borrador guardado.', version };
}

/**
 * A draft as it is stored, with the totals that the lists show.
 *
 * @throws {DomainError} BAD_REQUEST, naming a line, when they are larger than an invoice may have
 */
export function draftToSave(
  context: DraftContext,
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

function assertFits({ lines, baseCents, vatCents, recargoCents, totalCents }: InvoiceTotals): void {
  const amounts = [baseCents, vatCents + recargoCents, totalCents].map(absCents);
  if (amounts.every((cents) => cents <= MAX_CENTS)) return;
  const sizes = lines.map((line) => absCents(line.totalCents));
  const biggest = sizes.reduce((top, size, i) => (size > (sizes[top] ?? 0n) ? i : top), 0);
  throw new DomainError(
    'BAD_REQUEST',
    `El importe de la línea ${biggest + 1} es demasiado grande: una factura no puede pasar de 999.999.999.999,99 €.`,
  );
}
