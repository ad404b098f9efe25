import { type CadenaOf, savingCadenas } from './cadenas.ts';
import { markingWaiting } from './despachos.ts';
import { type InvoiceToSave, savingDocuments, savingInvoices } from './invoices.ts';
import { addingToMonths, type MonthDelta } from './months.ts';
import { appendingRegistros, type RegistroToAppend } from './registros.ts';
import { movingCounters, type TakenSeries } from './series.ts';
import type { Tx } from './sql.ts';

/** Everything that registering writes, for one company or several. */
export interface Registered {
  readonly invoices: readonly InvoiceToSave[];
  readonly registros: readonly RegistroToAppend[];
  readonly counters: readonly TakenSeries[];
  readonly heads: readonly CadenaOf[];
  readonly months: readonly MonthDelta[];
  /** Since when the new registros wait to be sent. */
  readonly now: Date;
}

/**
 * Writes it, in one statement when all companies live on one machine: each statement costs both sides about as much
 * as the rows of an invoice. A distributed database gets them one by one.
 */
export async function saveRegistered(
  tx: Tx,
  { invoices, registros, counters, heads, months, now }: Registered,
  { inOne }: { readonly inOne: boolean },
): Promise<void> {
  const companyIds = heads.map(({ companyId }) => companyId);
  const written = [
    savingInvoices(tx, invoices),
    savingDocuments(tx, invoices),
    appendingRegistros(tx, registros),
    movingCounters(tx, counters),
    savingCadenas(tx, heads),
    markingWaiting(tx, companyIds, now),
  ] as const;
  if (!inOne) {
    const added = addingToMonths(tx, months);
    await Promise.all([...written, added]);
    return;
  }
  // The parts of one statement run in any order: only `waiting`, whose result is used, is sure to run before the
  // months (addToMonths says why). Foreign keys are checked once all of it is written.
  const [saved, documents, appended, moved, movedOn, waiting] = written;
  const added = addingToMonths(tx, months, tx`where (select count(*) from waiting) >= 0`);
  await tx`
    with saved as (${saved}),
         documents as (${documents}),
         appended as (${appended}),
         moved as (${moved}),
         heads as (${movedOn}),
         waiting as (${waiting} returning company_id)
    ${added}`;
}
