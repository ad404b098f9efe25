import { declaredWords } from '../business-central/documents.ts';
import { InvoiceDraft } from '../contract/invoices.ts';
import { fechaAeat } from '../domain/dates.ts';
import {
  type DraftToRegister,
  findDocuments,
  nextToRegister,
  noteRefused,
} from '../store/business-central-origins.ts';
import { count, enter, hold, type Sync } from './business-central-sync.ts';
import { MAX_BATCH, registerInvoices } from './register-invoices.ts';
import { heldElsewhere } from './sync-business-central-documents.ts';

/**
 * Registers, by date, what the company wants registered without asking, with the same code as for a user. What is
 * registered stops being a draft and is not found again, so nothing is declared twice, whichever process carries on.
 * Once the company wants drafts to review, those that were to be registered wait too.
 *
 * If the AEAT does not answer which numbers other programs have declared, nothing is registered this time.
 */
export async function registerImported(sync: Sync): Promise<void> {
  const { deps, connection } = sync;
  const { companyId } = connection;
  while (connection.registersAtOnce) {
    const drafts = await nextToRegister(deps.sql, connection, MAX_BATCH);
    if (drafts.length === 0) return;
    await enter(sync, 'registrando');
    const free = await notDeclared(sync, drafts);
    if (free === null) {
      sync.notes.push(
        'No se han registrado: la AEAT no ha contestado si ya las declaró otro programa. Se intentará en la próxima.',
      );
      return;
    }
    if (free.length === 0) continue;
    await hold(sync, deps.sql);
    const outcomes = await registerInvoices(
      deps,
      companyId,
      free.map(({ draft, docNo, version }) => ({
        draft: InvoiceDraft.parse(draft),
        draftNo: docNo,
        version,
        askedBy: sync.askedBy,
        sendsToCustomer: false,
      })),
    );
    const refused = outcomes.flatMap((outcome, index) =>
      outcome.kind === 'refused' ? [{ bcId: free[index]?.bcId ?? '', error: outcome.error }] : [],
    );
    count(sync, 'registradas', outcomes.length - refused.length);
    const forbidden = refused.find(({ error }) => error.code === 'FORBIDDEN');
    if (forbidden) {
      // The whole company is refused, not these drafts.
      sync.notes.push(forbidden.error.message);
      return;
    }
    await noteRefused(
      deps.sql,
      connection,
      refused.map(({ bcId, error }) => ({ bcId, reasons: [error.sentences].flat() })),
    );
    count(sync, 'noRegistradas', refused.length);
  }
}

/** The drafts that no other program has declared; null when the AEAT could not be asked. */
async function notDeclared(
  sync: Sync,
  drafts: readonly DraftToRegister[],
): Promise<DraftToRegister[] | null> {
  const documents = await findDocuments(
    sync.deps.sql,
    sync.connection,
    drafts.map(({ bcId }) => bcId),
  );
  const declared: { bcId: string; reasons: string[] }[] = [];
  for (const { bcId, number, issuedOn } of documents.values()) {
    const held = await heldElsewhere(sync, issuedOn.slice(0, 7));
    if (held === null) return null;
    if (held.has(`${number}|${fechaAeat(issuedOn)}`)) {
      declared.push({ bcId, reasons: [declaredWords({ number, issuedOn })] });
    }
  }
  await noteRefused(sync.deps.sql, sync.connection, declared);
  const wrong = new Set(declared.map(({ bcId }) => bcId));
  return drafts.filter(({ bcId }) => !wrong.has(bcId));
}
