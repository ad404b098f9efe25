import type { EditInvoice, InvoiceStatus } from '../../../../contract/invoices.ts';
import type { LecturaAnswer } from '../../../../contract/reading.ts';
import type { VatGroup } from '../../../../domain/vat.ts';
import { newKey } from '../../../lib/new-key.ts';
import { getEditInvoice } from '../api.ts';
import { getLectura } from '../upload/api.ts';
import { claimCopy, type HeldCopy, holdCopy } from './copy-lock.ts';
import { type SavedDraft, statusOf } from './draft-saver.ts';
import {
  type DraftState,
  draftFromEdit,
  freshDraft,
  rectifiedLines,
  upToDate,
} from './draft-state.ts';
import {
  type CopyOrigin,
  copiesOfCreate,
  copyKey,
  readCopies,
  removeCopy,
  unkeptCopiesOf,
} from './safety-copy.ts';

const F3 = 2;

/** All that a form needs to start from. */
export interface Opening {
  readonly state: DraftState;
  /** The draft, or the registered invoice, that it is saved over, in the version that it was typed over. */
  readonly saved?: SavedDraft | undefined;
  /** What the server says of an invoice that was opened to be seen or corrected. */
  readonly status?: InvoiceStatus | undefined;
  readonly errorMessage?: string | undefined;
  readonly rechazo?: EditInvoice['rechazo'];
  /** What it was read from, if it came from a file. */
  readonly lectura?: LecturaAnswer | undefined;
  /** True when `state` comes from this browser's safety copy. */
  readonly isRestored: boolean;
  /** True when the server holds all of `state`. */
  readonly isKept: boolean;
  /** True when the copy was typed over a version that is no longer the server's. */
  readonly isConflict: boolean;
  readonly copyKey: string;
  readonly release: () => void;
}

export interface OpenContext {
  readonly companyId: string;
  /** Today where the company is, `YYYY-MM-DD`. */
  readonly today: string;
  readonly groups: readonly VatGroup[];
}

/** «Crear factura»: what was left half typed here, or a fresh form. */
export async function openCreate(context: OpenContext): Promise<Opening> {
  const held = await claimCopy(copiesOfCreate(copiesHere(context)));
  const restored = held && (await restore(held, context));
  return restored ?? openFresh(context);
}

export function openFresh(context: OpenContext): Promise<Opening> {
  return openNew(context, freshDraft(context.today));
}

/** The kind of abono that the address asks for; an unknown one is as none. */
export interface AskedAbono {
  readonly tipo: string | null;
  readonly metodo: string | null;
}

const RECTIFICATIVAS: readonly string[] = ['R1', 'R2', 'R3', 'R4'];

/** An abono of that invoice, filled with its client and lines. */
export async function openRectifying(
  context: OpenContext,
  DocNo: string,
  asked: AskedAbono = { tipo: null, metodo: null },
): Promise<Opening> {
  const edit = await getEditInvoice(DocNo);
  const original = draftFromEdit(edit, context.groups);
  const tipoRectificativa = asked.metodo === 'S' ? 'S' : 'I';
  return openNew(context, {
    ...original,
    lines: rectifiedLines(original.lines, edit, tipoRectificativa),
    type: 'abono',
    invoiceDate: context.today,
    crmemoType: original.isSimplificada ? 4 : Math.max(0, RECTIFICATIVAS.indexOf(asked.tipo ?? '')),
    invoiceToRectify: DocNo,
    invoiceToRectifyDate: '',
    tipoRectificativa,
    fechaOperacion: '',
    notas: '',
    suplidos: '',
    suplidosConcepto: '',
  });
}

/**
 * «Canjear por factura completa»: an F3 with the lines of the simplified invoices that it replaces.
 * The client is still to be chosen: they had none.
 */
export async function openExchange(
  context: OpenContext,
  docNos: readonly string[],
): Promise<Opening> {
  const edits = await Promise.all(docNos.map((DocNo) => getEditInvoice(DocNo)));
  const [first] = edits;
  if (!first) return openFresh(context);
  const joined = draftFromEdit(
    { ...first, invoiceItems: edits.flatMap(({ invoiceItems }) => invoiceItems) },
    context.groups,
  );
  return openNew(context, {
    ...joined,
    type: 'factura',
    invoiceDate: context.today,
    isSimplificada: false,
    invoiceType: F3,
    crmemoType: 0,
    invoiceClient: '',
    invoiceToRectify: docNos.join(','),
    invoiceToRectifyDate: '',
    tipoRectificativa: 'I',
    // When all was sold on one day, that is the day of the operation.
    fechaOperacion:
      edits.every(({ invoiceDate }) => invoiceDate === first.invoiceDate) &&
      first.invoiceDate !== context.today
        ? first.invoiceDate
        : '',
  });
}

/** The same invoice again, with today's date. */
export async function openDuplicate(context: OpenContext, DocNo: string): Promise<Opening> {
  const original = draftFromEdit(await getEditInvoice(DocNo), context.groups);
  return openNew(context, { ...original, invoiceDate: context.today, fechaOperacion: '' });
}

/** An invoice of the pending list: its draft as it is kept, or what was left half typed over it. */
export async function openPending(context: OpenContext, DocNo: string): Promise<Opening> {
  const edit = await getEditInvoice(DocNo);
  // Without it the draft opens all the same.
  const lectura = edit.archivo ? await getLectura(edit.archivo).catch(() => undefined) : undefined;
  const fromServer = {
    status: edit.Status,
    errorMessage: edit.ErrorMessage,
    rechazo: edit.rechazo,
    lectura,
  };
  const held = await claimCopy(unkeptCopiesOf(copiesHere(context), DocNo));
  const state = held ? upToDate(held.stored.copy.state) : draftFromEdit(edit, context.groups);
  const key = held?.stored.key ?? copyKey(context.companyId, 'pendiente', newKey());
  return {
    state,
    saved: held?.stored.copy.saved ?? { docNo: DocNo, version: edit.version },
    ...fromServer,
    isRestored: held !== null,
    isKept: held === null,
    isConflict: held !== null && held.stored.copy.saved?.version !== edit.version,
    copyKey: key,
    release: held?.release ?? (await holdCopy(key)) ?? (() => {}),
  };
}

/** A copy of «Crear factura», set beside what became of its draft since. Null: nothing to restore. */
async function restore(held: HeldCopy, context: OpenContext): Promise<Opening | null> {
  const { key } = held.stored;
  const copy = { ...held.stored.copy, state: upToDate(held.stored.copy.state) };
  const opening = { copyKey: key, release: held.release, isRestored: true, isConflict: false };
  if (!copy.saved) return { ...opening, state: copy.state, isKept: false };

  const edit = await draftOnServer(copy.saved.docNo);
  if (edit === 'gone') {
    if (!copy.isKept) return { ...opening, state: copy.state, isKept: false };
    removeCopy(localStorage, key);
    held.release();
    return null;
  }
  // Without an answer the copy is what there is; saving tells what happened meanwhile.
  if (edit === 'no-answer') {
    return { ...opening, state: copy.state, saved: copy.saved, isKept: copy.isKept };
  }
  const isSame = edit.version === copy.saved.version;
  if (copy.isKept && !isSame) {
    const saved = { docNo: copy.saved.docNo, version: edit.version };
    return { ...opening, state: draftFromEdit(edit, context.groups), saved, isKept: true };
  }
  const { state, saved, isKept } = copy;
  return { ...opening, state, saved, isKept, isConflict: !isSame };
}

async function draftOnServer(docNo: string): Promise<EditInvoice | 'gone' | 'no-answer'> {
  try {
    const edit = await getEditInvoice(docNo);
    return edit.Status === 'Borrador' ? edit : 'gone';
  } catch (error) {
    return statusOf(error) === 404 ? 'gone' : 'no-answer';
  }
}

async function openNew({ companyId }: OpenContext, state: DraftState): Promise<Opening> {
  const key = copyKey(companyId, 'crear' satisfies CopyOrigin, newKey());
  const release = (await holdCopy(key)) ?? (() => {});
  return {
    state,
    isRestored: false,
    isKept: true,
    isConflict: false,
    copyKey: key,
    release,
  };
}

function copiesHere({ companyId }: OpenContext) {
  return readCopies(localStorage, companyId, Date.now());
}
