import type { EditInvoice, InvoiceStatus } from '../../../../contract/invoices.ts';
import type { Cliente } from '../../../../contract/parties.ts';
import type { LecturaAnswer } from '../../../../contract/reading.ts';
import type { TipoRectificativa } from '../../../../domain/invoice.ts';
import { parsePlainDecimal } from '../../../../domain/money.ts';
import type { VatGroup } from '../../../../domain/vat.ts';
import { newKey } from '../../../lib/new-key.ts';
import { getEditInvoice } from '../api.ts';
import { getLectura } from '../upload/api.ts';
import type { Catalogs } from './catalogs.tsx';
import { claimCopy, type HeldCopy, holdCopy } from './copy-lock.ts';
import { creditedLines } from './credited-lines.ts';
import { type SaveAttempt, type SavedDraft, statusOf } from './draft-saver.ts';
import {
  type DraftState,
  draftFromEdit,
  draftReducer,
  duplicatedDraft,
  freshDraft,
  rectifiedLines,
  upToDate,
} from './draft-state.ts';
import { exchangedItems, pricedAlike } from './exchange-lines.ts';
import { usuallyHasIvaIncluido } from './iva-incluido.ts';
import { isForgotten, type RegisterAttempt } from './register-attempt.ts';
import {
  type CopyOrigin,
  copiesOfCreate,
  copiesRegistering,
  copyKey,
  readCopies,
  removeCopy,
  unkeptCopiesOf,
} from './safety-copy.ts';

const F3 = 2;

/** Everything a form needs to start. */
export interface Opening {
  readonly state: DraftState;
  /** The draft, or the registered invoice, that will be saved over, in the version that the user has been editing. */
  readonly saved?: SavedDraft | undefined;
  /** What the server says about an invoice that was opened to be viewed or corrected. */
  readonly status?: InvoiceStatus | undefined;
  readonly errorMessage?: string | undefined;
  readonly rechazo?: EditInvoice['rechazo'];
  /** What it was read from, if it came from a file. */
  readonly lectura?: LecturaAnswer | undefined;
  /** True when `state` comes from the safety copy in this browser. */
  readonly isRestored: boolean;
  /** True when the server has all of `state`. */
  readonly isKept: boolean;
  /** True when the copy is based on a version that the server has replaced since. */
  readonly isConflict: boolean;
  /** What was sent to be saved, while the outcome is unknown: repeating it tells what happened meanwhile. */
  readonly saving?: SaveAttempt | undefined;
  /** What was sent to be registered, while the outcome is unknown. */
  readonly registering?: RegisterAttempt | undefined;
  /** The amount that this abono should have, according to the guide. */
  readonly meant?: MeantAbono | undefined;
  readonly copyKey: string;
  readonly release: () => void;
}

/** The amount that an abono of that invoice should have, with its sign, and the method. */
export interface MeantAbono {
  readonly cents: bigint;
  readonly tipoRectificativa: TipoRectificativa;
  readonly invoiceToRectify: string;
}

export interface OpenContext {
  readonly companyId: string;
  /** Today in the company's time zone, `YYYY-MM-DD`. */
  readonly today: string;
  readonly groups: readonly VatGroup[];
  readonly keepClient: Catalogs['keepClient'];
  /** The client of simplified invoices. */
  readonly ticketClient?: () => Cliente | undefined;
}

/** «Crear factura»: what was left half typed here, or an empty form. */
export async function openCreate(context: OpenContext, fresh: Fresh): Promise<Opening> {
  const held = await claimCopy(copiesOfCreate(copiesHere(context)));
  const opening = held && (await restore(held, context));
  return opening ?? openFresh(context, fresh);
}

/** What this address was registering when the page was closed, or else what it asks for. */
export async function openAsked(
  context: OpenContext,
  search: string,
  open: () => Promise<Opening>,
): Promise<Opening> {
  const held = await claimCopy(copiesRegistering(copiesHere(context), search));
  return held ? restored(held) : open();
}

/** What an empty form starts as. */
export interface Fresh {
  /** A simplified invoice, like the last one. */
  readonly isTicket: boolean;
}

export function openFresh(context: OpenContext, { isTicket }: Fresh): Promise<Opening> {
  const { today, groups, companyId, ticketClient } = context;
  const fresh = freshDraft(today, groups);
  if (!isTicket) return openNew(context, fresh);
  const usual = { client: ticketClient?.(), ivaIncluido: usuallyHasIvaIncluido(companyId) };
  const ticket = draftReducer(groups)(fresh, { kind: 'simplificada', on: true, usual });
  return openNew(context, ticket);
}

/** The kind of abono that the address asks for. An unknown one counts as none. */
export interface AskedAbono {
  readonly tipo: string | null;
  readonly metodo: string | null;
  /** The amount it should have, with its sign: `-121.00`. */
  readonly total: string | null;
}

const RECTIFICATIVAS: readonly string[] = ['R1', 'R2', 'R3', 'R4'];

/** An abono of that invoice, with its client and lines filled in. */
export async function openRectifying(
  context: OpenContext,
  DocNo: string,
  asked: AskedAbono,
): Promise<Opening> {
  const edit = await editOf(context, DocNo);
  const original = draftFromEdit(edit, context.groups);
  const tipoRectificativa = asked.metodo === 'S' ? 'S' : 'I';
  const meantCents = parsePlainDecimal(asked.total ?? 'x', 2) ?? undefined;
  const whole: DraftState = {
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
  };
  const isCredit = tipoRectificativa === 'I' && meantCents !== undefined;
  const state = isCredit
    ? { ...whole, lines: creditedLines(whole, context.groups, -meantCents) }
    : whole;
  const opening = await openNew(context, state);
  if (meantCents === undefined) return opening;
  return { ...opening, meant: { cents: meantCents, tipoRectificativa, invoiceToRectify: DocNo } };
}

/**
 * «Canjear por factura completa»: an F3 with what is left of the simplified invoices that it replaces. The client is
 * still to be chosen, because they had none.
 */
export async function openExchange(
  context: OpenContext,
  docNos: readonly string[],
): Promise<Opening> {
  const found = await Promise.all(docNos.map((DocNo) => editOf(context, DocNo)));
  const edits = pricedAlike(found, context.groups);
  // The invoices of the sale, without their corrections, which say nothing of it.
  const sales = edits.filter(({ type }) => type === 'factura');
  const first = sales[0] ?? edits[0];
  if (!first) return openFresh(context, { isTicket: false });
  const joined = draftFromEdit({ ...first, invoiceItems: exchangedItems(edits) }, context.groups);
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
    // If everything was sold on one day, that is the date of the operation.
    fechaOperacion:
      sales.every(({ invoiceDate }) => invoiceDate === first.invoiceDate) &&
      first.invoiceDate !== context.today
        ? first.invoiceDate
        : '',
  });
}

/** The same invoice again, with today's date. */
export async function openDuplicate(context: OpenContext, DocNo: string): Promise<Opening> {
  const edit = await editOf(context, DocNo);
  return openNew(context, duplicatedDraft(edit, context.groups, context.today));
}

/** An invoice of the pending list: its draft as saved, or what was left half typed over it. */
export async function openPending(context: OpenContext, DocNo: string): Promise<Opening> {
  const held = await claimCopy(unkeptCopiesOf(copiesHere(context), DocNo));
  try {
    return await openOver(context, DocNo, held);
  } catch (error) {
    held?.release();
    throw error;
  }
}

async function openOver(
  context: OpenContext,
  DocNo: string,
  held: HeldCopy | null,
): Promise<Opening> {
  const copy = held?.stored.copy;
  const edit = await editOf(context, DocNo).catch((error: unknown) => {
    // If it was registered, it has another number, which the answer to its call will tell.
    if (copy?.registering && statusOf(error) === 404) return null;
    throw error;
  });
  if (held && !edit) return { ...restored(held), status: 'Borrador' };
  if (!edit) throw new Error('Only what is being registered may be gone.');
  // Without it, the draft opens anyway.
  const lectura = edit.archivo ? await getLectura(edit.archivo).catch(() => undefined) : undefined;
  const fromServer = {
    status: edit.Status,
    errorMessage: edit.ErrorMessage,
    rechazo: edit.rechazo,
    lectura,
  };
  if (held) {
    const opening = restored(held);
    const isConflict = !isUnderWay(opening) && opening.saved?.version !== edit.version;
    return { ...opening, ...fromServer, isConflict };
  }
  const key = copyKey(context.companyId, 'pendiente', newKey());
  return {
    state: draftFromEdit(edit, context.groups),
    saved: { docNo: DocNo, version: edit.version },
    ...fromServer,
    isRestored: false,
    isKept: true,
    isConflict: false,
    copyKey: key,
    release: (await holdCopy(key)) ?? (() => {}),
  };
}

/** The server's version, including its client, which the form has to know. */
async function editOf({ keepClient }: OpenContext, DocNo: string): Promise<EditInvoice> {
  const edit = await getEditInvoice(DocNo);
  keepClient(edit.clienteEliminado);
  return edit;
}

/** The contents of the copy, as they were left. */
function restored({ stored: { key, copy }, release }: HeldCopy): Opening {
  const { saved, saving, isKept, registering, at } = copy;
  return {
    state: upToDate(copy.state),
    saved,
    saving: saving && !isForgotten({ at }, Date.now()) ? saving : undefined,
    isRestored: true,
    isKept,
    isConflict: false,
    registering,
    copyKey: key,
    release,
  };
}

/** The answer to a call of this form will tell whether its draft was changed elsewhere. */
const isUnderWay = ({ saving, registering }: Opening) => Boolean(saving ?? registering);

/** A copy of «Crear factura», compared with what happened to its draft since. Null if there is nothing to restore. */
async function restore(held: HeldCopy, context: OpenContext): Promise<Opening | null> {
  const opening = restored(held);
  const { saved, isKept } = opening;
  if (!saved || isUnderWay(opening)) return opening;

  const edit = await draftOnServer(context, saved.docNo);
  if (edit === 'gone') {
    if (!isKept) return { ...opening, saved: undefined };
    removeCopy(localStorage, opening.copyKey);
    held.release();
    return null;
  }
  // Without an answer, the copy is all there is. Saving will tell what happened meanwhile.
  if (edit === 'no-answer') return opening;
  const isSame = edit.version === saved.version;
  if (isKept && !isSame) {
    const state = draftFromEdit(edit, context.groups);
    return { ...opening, state, saved: { docNo: saved.docNo, version: edit.version } };
  }
  return { ...opening, isConflict: !isSame };
}

async function draftOnServer(
  context: OpenContext,
  docNo: string,
): Promise<EditInvoice | 'gone' | 'no-answer'> {
  try {
    const edit = await editOf(context, docNo);
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
