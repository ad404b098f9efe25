import { setImmediate } from 'node:timers/promises';
import {
  declaredWords,
  type Judged,
  type JudgeWith,
  judgeDocument,
} from '../business-central/documents.ts';
import { contentHash } from '../business-central/parties.ts';
import {
  BcDocument,
  BcSalesCreditMemo,
  BcSalesInvoice,
  documentOfCreditMemo,
  documentOfInvoice,
  fitsAsCode,
  isGuid,
  isPosted,
  LONG_CODE,
} from '../business-central/shapes.ts';
import { taxKeyText } from '../business-central/taxes.ts';
import { InvoiceDraft } from '../contract/invoices.ts';
import { fechaAeat, fechaEs } from '../domain/dates.ts';
import { DomainError } from '../domain/errors.ts';
import { centsToText, parseDecimal } from '../domain/money.ts';
import { NIL_UUID } from '../domain/nil-uuid.ts';
import type { VatGroup } from '../domain/vat.ts';
import { retryDone } from '../store/business-central.ts';
import {
  findDocuments,
  findSameNumbers,
  type KnownDocument,
  nextHeld,
  type OriginDocument,
  registerAgain,
  saveDocuments,
} from '../store/business-central-origins.ts';
import { findParties, findProductNos } from '../store/business-central-parties.ts';
import { listTaxCodes, noteTaxCodes } from '../store/business-central-tax-codes.ts';
import { findCatalog } from '../store/catalogs.ts';
import { takeNumbers } from '../store/counters.ts';
import { findCustomers } from '../store/customers.ts';
import { refreshPlans } from '../store/imports.ts';
import {
  type InvoiceToSave,
  lockInvoices,
  lockInvoicesById,
  type StoredInvoice,
  saveInvoices,
  takeInvoiceIds,
} from '../store/invoices.ts';
import type { Tx } from '../store/sql.ts';
import { count, eachChange, hold, note, type Sync } from './business-central-sync.ts';
import { type IssueContext, readIssueContext } from './issue-context.ts';
import { codeOf, keyOfCode } from './map-business-central-taxes.ts';
import { declaredElsewhere } from './reconcile.ts';
import { draftToSave } from './save-draft.ts';

const PAGE = 250;

/** Posted invoices that changed there. */
export async function syncInvoices(sync: Sync): Promise<void> {
  const filter = [`invoiceDate ge ${sync.connection.since}`];
  const query = { $expand: 'salesInvoiceLines' };
  await eachChange(
    sync,
    { entity: 'salesInvoices', shape: BcSalesInvoice, query, filter, pageSize: PAGE },
    (rows, reached) => take(sync, rows.map(documentOfInvoice), { reached }),
  );
}

/** Posted credit memos that changed there. Read after the invoices, which they rectify. */
export async function syncCreditMemos(sync: Sync): Promise<void> {
  const filter = [`creditMemoDate ge ${sync.connection.since}`];
  const query = { $expand: 'salesCreditMemoLines' };
  await eachChange(
    sync,
    { entity: 'salesCreditMemos', shape: BcSalesCreditMemo, query, filter, pageSize: PAGE },
    (rows, reached) => take(sync, rows.map(documentOfCreditMemo), { reached }),
  );
}

/**
 * Judges again, as it arrived, what was held: perhaps a code was mapped, a client corrected or an invoice registered.
 */
export async function retryHeld(sync: Sync): Promise<void> {
  const { sql } = sync.deps;
  let after = NIL_UUID;
  for (;;) {
    const held = await nextHeld(sql, sync.connection, after, PAGE);
    const last = held.at(-1);
    if (!last) break;
    after = last.bcId;
    await take(
      sync,
      held.map(({ source }) => BcDocument.parse(source)),
      { isRetry: true },
    );
  }
  if (!sync.connection.retriesHeld) return;
  if (sync.connection.registersAtOnce) await registerAgain(sql, sync.connection);
  await retryDone(sql, sync.connection.companyId);
}

interface TakeOptions {
  readonly reached?: (tx: Tx) => Promise<void>;
  readonly isRetry?: boolean;
}

/** A document being imported, with what is known about it. */
interface Incoming {
  readonly document: BcDocument;
  readonly hash: string;
  readonly before: KnownDocument | undefined;
  judged: Judged;
}

/** Imports a page of documents: each new or changed one becomes a draft, or is held with the reason. */
async function take(
  sync: Sync,
  documents: readonly BcDocument[],
  { reached, isRetry = false }: TakeOptions,
): Promise<void> {
  const { sql } = sync.deps;
  const posted = documents.filter(isPosted);
  const known = await findDocuments(
    sql,
    sync.connection,
    posted.map(({ id }) => id),
  );
  const changed = posted
    .map((document) => ({ document, hash: hashOf(document), before: known.get(document.id) }))
    .filter(({ hash, before }) =>
      isRetry ? before?.state === 'retenida' : before?.contentHash !== hash,
    )
    .filter(({ before }) => !isDeletedHere(before));
  if (changed.length === 0) return;

  const judge = await judgeOf(
    sync,
    changed.map(({ document }) => document),
  );
  const incoming: Incoming[] = [];
  for (const one of changed) {
    if (incoming.length % 100 === 99) await setImmediate();
    incoming.push({ ...one, judged: await judge(one.document) });
  }
  // By date, so that the numbers of the drafts follow it.
  incoming.sort((a, b) => (orderOf(a.document) < orderOf(b.document) ? -1 : 1));
  refuseSecondOfANumber(incoming);
  await sql.begin(async (tx) => {
    await hold(sync, tx);
    await save(sync, tx, incoming, { isRetry });
    await reached?.(tx);
    await note(sync, tx);
  });
  sync.deps.news.tell(sync.connection.companyId);
}

const orderOf = ({ issuedOn, number }: BcDocument) => `${issuedOn} ${number}`;
const sameNumberKey = ({ kind, number, issuedOn }: BcDocument) => `${kind}|${number}|${issuedOn}`;

/** Of several documents of a page with one number and day, the first that can be imported is. */
function refuseSecondOfANumber(incoming: readonly Incoming[]): void {
  const taken = new Set<string>();
  for (const one of incoming) {
    if (!one.judged.draft) continue;
    const key = sameNumberKey(one.document);
    if (taken.has(key)) one.judged = refused(one.judged, sameNumberWords(one.document));
    taken.add(key);
  }
}

/** Hash of what makes a change relevant: not who looked at it last, nor whether it was paid. */
function hashOf({ status: _status, ...document }: BcDocument): string {
  return contentHash(document);
}

/** Reads at once everything of ours that a page is judged with. */
async function judgeOf(
  sync: Sync,
  documents: readonly BcDocument[],
): Promise<(document: BcDocument) => Promise<Judged>> {
  const { deps, connection } = sync;
  const { companyId } = connection;
  const { sql } = deps;
  const itemNumbers = documents.flatMap(({ lines }) => lines.map((line) => line.lineObjectNumber));
  const originalIds = documents.map(({ rectifiesId }) => rectifiesId).filter(isGuid);
  const [parties, products, codes, vatGroups, unidades, originals, sameNumbers] = await Promise.all(
    [
      findParties(sql, connection, 'cliente', idsOf(documents)),
      findProductNos(sql, connection, [...new Set(itemNumbers)]),
      listTaxCodes(sql, companyId),
      findCatalog(sql, companyId, 'gruposIva'),
      findCatalog(sql, companyId, 'unidades'),
      findDocuments(sql, connection, [...new Set(originalIds)]),
      findSameNumbers(
        sql,
        connection,
        documents.map(({ number }) => number),
      ),
    ],
  );
  const nos = [...parties.values()].flatMap(({ no }) => (no ? [no] : []));
  const customers = await findCustomers(sql, companyId, [...new Set(nos)]);
  const units = new Set(unidades.map(({ Code }) => Code));
  const taxes = new Map(
    codes.flatMap((code) => (code.tax ? [[taxKeyText(keyOfCode(code)), code.tax]] : [])),
  );
  const customerOf = (document: BcDocument): JudgeWith['customer'] => {
    const party = parties.get(document.customerId);
    const customer = party?.no ? customers.get(party.no) : undefined;
    if (customer && fitsAsCode(customer.No)) {
      return { No: customer.No, group: customer.CustomerPostingGroup };
    }
    const long = customer ? `su código ${LONG_CODE}` : '';
    const wrong = isIdWrong(document.customerId)
      ? 'su identificador en Business Central no es válido.'
      : '';
    const problems = party?.problems.join(' ');
    const why = long || wrong || problems || 'no está entre los clientes que se han traído.';
    return { problem: `El cliente ${document.customerNumber} ${document.customerName}: ${why}` };
  };
  return async (document) => {
    const given: JudgeWith = {
      customer: customerOf(document),
      taxes,
      vatGroups: vatGroups as readonly VatGroup[],
      units,
      productNo: (number) => {
        const no = products.get(number);
        return no !== undefined && fitsAsCode(no) ? no : null;
      },
      original: await originalOf(sync, document, originals),
    };
    const judged = judgeDocument(document, given);
    const owner = sameNumbers.get(sameNumberKey(document));
    if (owner !== undefined && owner !== document.id)
      return refused(judged, sameNumberWords(document));
    const isElsewhere = await isDeclared(sync, document);
    return isElsewhere ? refused(judged, declaredWords(document)) : judged;
  };
}

const idsOf = (documents: readonly BcDocument[]) => [
  ...new Set(documents.map(({ customerId }) => customerId).filter(isGuid)),
];

const isIdWrong = (id: string): boolean => id !== '' && !isGuid(id);

function refused(judged: Judged, reason: string): Judged {
  return { ...judged, draft: null, reasons: [reason], missing: [] };
}

function sameNumberWords({ number, issuedOn }: BcDocument): string {
  return `Ya se trajo otra con el número ${number} del ${fechaEs(issuedOn)}: no se importa dos veces.`;
}

/**
 * What a credit memo rectifies. An invoice of ours has to be registered first, because until then it has no number.
 * One that another program declared never will be, and is named by its number and day in Business Central.
 */
async function originalOf(
  sync: Sync,
  { kind, rectifiesId, rectifiesNumber }: BcDocument,
  known: ReadonlyMap<string, KnownDocument>,
): Promise<JudgeWith['original']> {
  if (kind !== 'abono' || (!rectifiesId && !rectifiesNumber)) return null;
  if (isIdWrong(rectifiesId)) {
    const problem = `Rectifica la factura ${rectifiesNumber}, cuyo identificador en Business Central no es válido.`;
    return { problem };
  }
  const original = known.get(rectifiesId);
  if (original) {
    if (original.docNo && original.invoiceStatus !== 'Borrador') return { numero: original.docNo };
    if (await isDeclared(sync, original)) {
      return { numero: original.number, fecha: original.issuedOn };
    }
    const where = original.docNo ? `es el borrador ${original.docNo}` : 'no se ha importado';
    return {
      problem: `Rectifica la factura ${original.number}, que todavía ${where}. Regístrala y el abono vendrá solo.`,
    };
  }
  const { client, connection } = sync;
  const [found] = await client.list(connection.bcCompany, 'salesInvoices', BcSalesInvoice, {
    $filter: `number eq '${rectifiesNumber.replaceAll("'", "''")}'`,
    $top: '1',
  });
  return { numero: rectifiesNumber, ...(found && { fecha: found.invoiceDate }) };
}

/** Whether the AEAT holds that number and day from another program. No answer does not count as yes. */
async function isDeclared(
  sync: Sync,
  { number, issuedOn }: Pick<BcDocument, 'number' | 'issuedOn'>,
): Promise<boolean> {
  const held = await heldElsewhere(sync, issuedOn.slice(0, 7));
  return held?.has(`${number}|${fechaAeat(issuedOn)}`) ?? false;
}

/**
 * Asked once per month and run.
 *
 * @returns null when the AEAT could not be asked
 */
export async function heldElsewhere(
  sync: Sync,
  month: string,
): Promise<ReadonlySet<string> | null> {
  const asked = sync.declared.get(month);
  if (asked !== undefined) return asked;
  const [Ejercicio = '', Periodo = ''] = month.split('-');
  const { deps, outside, connection, signal } = sync;
  const held = await declaredElsewhere(
    deps,
    outside.consultarAeat,
    connection.companyId,
    { Ejercicio, Periodo },
    signal,
  ).catch((error: unknown) => {
    if (error instanceof DomainError) return null;
    throw error;
  });
  sync.declared.set(month, held);
  return held;
}

/** Writes a page: drafts, the origin of each, and codes seen for the first time. */
async function save(
  sync: Sync,
  tx: Tx,
  judged: readonly Incoming[],
  { isRetry }: { readonly isRetry: boolean },
): Promise<void> {
  const { deps, connection } = sync;
  const { companyId } = connection;
  const incoming = await asTheyStand(sync, tx, judged);
  const drafts = incoming.flatMap(({ judged }) => judged.draft ?? []);
  const [context, locked] = await Promise.all([
    readIssueContext(tx, deps, companyId, drafts),
    lockInvoices(
      tx,
      companyId,
      incoming.flatMap(({ before }) => before?.docNo ?? []),
    ),
  ]);
  const fresh = incoming.filter(({ judged, before }) => judged.draft && !before?.docNo).length;
  const ids = await takeInvoiceIds(tx, fresh);
  const first = fresh > 0 ? await takeNumbers(tx, companyId, 'draft', fresh) : 0n;

  let used = 0;
  const settled = incoming.map((one) => {
    const saved = one.before?.docNo ? locked.get(one.before.docNo) : undefined;
    const free = { id: ids[used] ?? 0n, docNo: `B-${first + BigInt(used)}` };
    const { registersAtOnce } = connection;
    const what = settle(context, one, { saved, free, registersAtOnce, isRetry });
    if (what.invoice && !saved) used += 1;
    return what;
  });
  const invoices = settled.flatMap(({ invoice }) => invoice ?? []);
  const rows = settled.map(({ row }) => row);
  for (const { counts } of settled) if (counts) count(sync, counts, 1);
  const keys = new Map(
    incoming.flatMap(({ judged }) => judged.keys.map((key) => [taxKeyText(key), key])),
  );
  await noteTaxCodes(tx, companyId, [...keys.values()].map(codeOf));
  if (invoices.length > 0) await saveInvoices(tx, invoices);
  await saveDocuments(
    tx,
    connection,
    isRetry ? rows.filter((row, i) => isNews(row, incoming[i]?.before)) : rows,
  );
  const isYoung = first + BigInt(used) <= BigInt(PAGE) + 1n;
  if (invoices.length >= PAGE && isYoung) await refreshPlans(tx);
}

/** Locks the invoices that the documents became, and reads their current state: they were read before judging. */
async function asTheyStand(
  { connection }: Sync,
  tx: Tx,
  incoming: readonly Incoming[],
): Promise<readonly Incoming[]> {
  // By identifier, because registering a draft changes its number.
  await lockInvoicesById(
    tx,
    connection.companyId,
    incoming.flatMap(({ before }) => before?.invoiceId ?? []),
  );
  const known = await findDocuments(
    tx,
    connection,
    incoming.map(({ document }) => document.id),
  );
  return incoming
    .map((one) => ({ ...one, before: known.get(one.document.id) }))
    .filter(({ before }) => !isDeletedHere(before));
}

/** A draft that its owner deleted is not imported again. */
const isDeletedHere = (before: KnownDocument | undefined): boolean =>
  before?.state === 'importada' && before.docNo === null;

interface Place {
  readonly id: bigint;
  readonly docNo: string;
}

/** What is written for a document. */
interface Settled {
  readonly row: OriginDocument;
  readonly invoice?: InvoiceToSave;
  /** The counter of the history that it adds to. */
  readonly counts?: string;
}

/**
 * Decides what becomes of a document: a draft, new or replacing its earlier one; or it is held, with the reason.
 *
 * @param given.saved the invoice that it became before, in its current state
 * @param given.free the number and id for a new one
 */
function settle(
  context: IssueContext,
  one: Incoming,
  given: {
    readonly saved: StoredInvoice | undefined;
    readonly free: Place;
    readonly registersAtOnce: boolean;
    readonly isRetry: boolean;
  },
): Settled {
  const { document, before } = one;
  const { saved, free, isRetry } = given;
  const row = rowOf(one, given);
  if (saved && (saved.status !== 'Borrador' || saved.version !== before?.version)) {
    return { row: afterwards(row, before as KnownDocument), counts: 'cambiadasDespues' };
  }
  const invoice = invoiceOf(context, one, saved ?? free);
  if (typeof invoice === 'string') return { row: { ...row, ...heldWith(one, [invoice]) } };
  if (invoice === null) {
    const told = before || isRetry ? {} : { counts: 'retenidas' };
    if (!saved) return { row, ...told };
    // A document that already is a draft stays one, and says what is wrong with it now; its source stands for that.
    const { id: invoiceId, version } = saved;
    const kept = { ...row, ...numberOf(before as KnownDocument), invoiceId, version };
    return { row: { ...kept, state: 'importada' }, ...told };
  }
  const fresh = document.kind === 'factura' ? 'facturasNuevas' : 'abonosNuevos';
  return {
    row: { ...row, invoiceId: invoice.id, version: (saved?.version ?? 0) + 1 },
    invoice,
    counts: saved ? 'cambiadas' : fresh,
  };
}

/** @returns null for a held document; a sentence when it is too large to be an invoice */
function invoiceOf(
  context: IssueContext,
  { judged }: Incoming,
  place: Place,
): InvoiceToSave | string | null {
  if (!judged.draft) return null;
  try {
    return draftToSave(context, InvoiceDraft.parse(judged.draft), place);
  } catch (error) {
    if (error instanceof DomainError) return error.message;
    throw error;
  }
}

function rowOf(
  one: Incoming,
  { registersAtOnce }: { readonly registersAtOnce: boolean },
): OriginDocument {
  const { document, hash, judged } = one;
  const base = {
    bcId: document.id,
    kind: document.kind,
    number: document.number,
    issuedOn: document.issuedOn,
    customerName: document.customerName,
    total: centsToText(parseDecimal(document.total, 2) ?? 0n),
    contentHash: hash,
    invoiceId: null,
    version: null,
  };
  if (!judged.draft) return { ...base, ...heldWith(one, judged.reasons) };
  return {
    ...base,
    state: 'importada',
    reasons: [],
    missing: [],
    source: null,
    registers: registersAtOnce,
  };
}

function heldWith({ document, judged }: Incoming, reasons: readonly string[]) {
  return {
    state: 'retenida' as const,
    reasons,
    missing: judged.missing.map(taxKeyText),
    source: document,
    registers: false,
  };
}

/** It changed there when it could no longer change here. */
function afterwards(row: OriginDocument, before: KnownDocument): OriginDocument {
  const what = before.invoiceStatus === 'Borrador' ? 'cambiaste aquí el borrador' : 'registraste';
  return {
    ...row,
    ...numberOf(before),
    state: 'importada',
    source: null,
    missing: [],
    registers: false,
    invoiceId: before.invoiceId,
    version: before.version,
    reasons: [
      `Ha cambiado en Business Central después de que ${what} ${before.docNo}: aquí sigue como estaba.`,
    ],
  };
}

/** What stays as it was imported keeps that number and day: those that it has now may be another one's. */
function numberOf({ number, issuedOn }: KnownDocument) {
  return { number, issuedOn };
}

/** If it was judged again with the same result, it is not written again. */
function isNews(row: OriginDocument, before: KnownDocument | undefined): boolean {
  return (
    row.state !== before?.state || JSON.stringify(row.reasons) !== JSON.stringify(before.reasons)
  );
}
