import { setTimeout as sleep } from 'node:timers/promises';
import type { Deps } from '../deps.ts';
import { numbersToLookUp } from '../domain/invoice.ts';
import { isDraftName } from '../domain/series.ts';
import { type LockedCadena, lockCadena, lockFreeCadenas } from '../store/cadenas.ts';
import { mayJoinCompanies } from '../store/coalesced.ts';
import { keepHeld } from '../store/desistimientos.ts';
import { releaseRechazados } from '../store/despachos.ts';
import { keepAnswers, nameOfKey, releaseKeys, takeKeys } from '../store/idempotency.ts';
import {
  findCorrectionsOf,
  findExchangesOf,
  findStandingOn,
  saveReferences,
} from '../store/invoice-references.ts';
import {
  countRegistered,
  findOriginalsOf,
  type InvoiceName,
  lockInvoicesOf,
  nameOfInvoice,
  takeInvoiceIds,
} from '../store/invoices.ts';
import { enqueueMailsOf } from '../store/mail-jobs.ts';
import { saveRegistered } from '../store/registered.ts';
import { findDesenlaces } from '../store/registros.ts';
import { answersByName, isDeadlock, isRefusal, pipelined, type Tx } from '../store/sql.ts';
import { attachUploads } from '../store/uploads.ts';
import { assertReconciled } from './assert-can-invoice.ts';
import { sessionIsOver } from './company-of.ts';
import { type IssueContext, readIssueContexts } from './issue-context.ts';
import {
  DEMO_LIMIT,
  IssuingBatch,
  type RegisterOutcome,
  type RegisterRequest,
} from './issuing-batch.ts';
import { logRegistro, type RegistroEvent } from './log-registro.ts';

/** For an invoice that was saved before, which has an identifier already. */
const NO_ID = 0n;

/** Most requests in one transaction, to keep the locks on the cadenas short. */
export const MAX_BATCH = 100;

/** How often a transaction that ended in a deadlock is tried again, and the first pause before it; each doubles. */
const RETRIES_OF_DEADLOCK = 3;
const PAUSE_MS = 50;

/**
 * The statements are the same for one invoice and for a hundred, each row found by its key. By default PostgreSQL
 * would plan them anew for the actual values each time, which takes as long as registering an invoice.
 */
const PLANNED_ONCE = 'set local plan_cache_mode = force_generic_plan';

/** What one company asks for. */
export interface CompanyBatch {
  readonly companyId: number;
  readonly requests: readonly RegisterRequest[];
}

/** The outcome for a company's part of a transaction. */
export type BatchOutcome =
  /** An outcome per request, in order. */
  | { readonly kind: 'done'; readonly outcomes: readonly RegisterOutcome[] }
  /** Nothing of it was registered. */
  | { readonly kind: 'failed'; readonly error: unknown }
  /** Another transaction holds its cadena: nothing was done, and it has to wait on its own. */
  | { readonly kind: 'held' };

/**
 * Registers invoices of one company: see `registerForCompanies`.
 *
 * @param requests at most MAX_BATCH
 * @returns an outcome per request, in order
 * @throws {DomainError} what keeps the whole company from registering
 */
export async function registerInvoices(
  deps: Deps,
  companyId: number,
  requests: readonly RegisterRequest[],
): Promise<readonly RegisterOutcome[]> {
  const [outcome] = await registerForCompanies(deps, [{ companyId, requests }]);
  if (outcome?.kind === 'done') return outcome.outcomes;
  throw outcome?.kind === 'failed' ? outcome.error : new Error('A single company waits its turn.');
}

/**
 * Registers invoices of several companies in one transaction: number, RegistroAlta, huella, link in the cadena, mark
 * that something waits to be sent, and e-mail. An invoice that may not be registered is left out, with the reason,
 * and does not affect the others; likewise a company that may not register.
 *
 * The registro is made in the transaction that issues the invoice («de forma simultánea o inmediatamente anterior a
 * la expedición», RD 1007/2023 art. 9). Sending it is a later step of its own: an AEAT that is down never stops an
 * invoice.
 *
 * Locks, always in this order: idempotency keys, invoices, cadenas (which guard the series too), each by company.
 * They are held only for one round trip of writing: everything is read in the first flush of statements, and the
 * commit is sent right behind the last insert.
 *
 * @param batches one per company, MAX_BATCH requests in total at most
 * @returns an outcome per batch, in order. A single company waits for its cadena, so it is never `held`
 */
export async function registerForCompanies(
  deps: Deps,
  batches: readonly CompanyBatch[],
  { deadlocks = 0 } = {},
): Promise<BatchOutcome[]> {
  const outcomes: BatchOutcome[] = [];
  try {
    await pipelined(deps.sql, (tx, commit) => transact(tx, commit, deps, batches, outcomes), [
      PLANNED_ONCE,
    ]);
  } catch (error) {
    // The database refused a statement and rolled everything back: trying the companies one by one shows whose it
    // was. After any other failure nobody knows whether the commit arrived, and nothing may be tried again.
    if (batches.length > 1 && isRefusal(error)) {
      const turns: BatchOutcome[] = [];
      for (const batch of batches) turns.push(...(await registerForCompanies(deps, [batch])));
      return turns;
    }
    if (isDeadlock(error) && deadlocks < RETRIES_OF_DEADLOCK) {
      // Tried again at once, it could take its first lock back before the other transaction has woken up.
      await sleep(2 ** deadlocks * PAUSE_MS);
      return registerForCompanies(deps, batches, { deadlocks: deadlocks + 1 });
    }
    if (!isRefusal(error)) {
      logRegistered(deps, 'nobody knows whether a registro was stored', batches, outcomes);
    }
    return batches.map(() => ({ kind: 'failed', error }));
  }
  logRegistered(deps, 'invoice registered', batches, outcomes);
  let hasMail = false;
  batches.forEach(({ companyId, requests }, index) => {
    if (!registeredAny(outcomes[index])) return;
    deps.wakeDispatcher();
    deps.news.tell(companyId);
    hasMail ||= requests.some(({ sendsToCustomer }) => sendsToCustomer);
  });
  if (hasMail) deps.wakeMail();
  return outcomes;
}

/** One line per registro of a transaction. A repeated request is logged with the number that its first one got. */
function logRegistered(
  deps: Deps,
  msg: RegistroEvent,
  batches: readonly CompanyBatch[],
  outcomes: readonly BatchOutcome[],
): void {
  batches.forEach(({ companyId, requests }, index) => {
    const batch = outcomes[index];
    if (batch?.kind !== 'done') return;
    batch.outcomes.forEach((outcome, which) => {
      if (outcome.kind !== 'registered') return;
      const { DocNo } = outcome.answer;
      const askedBy = requests[which]?.askedBy;
      if (outcome.seq !== null) {
        logRegistro(deps, msg, askedBy, { companyId, DocNo, seq: outcome.seq });
      } else {
        deps.log.info({ ...askedBy, companyId, DocNo }, 'an invoice was asked for again');
      }
    });
  });
}

function registeredAny(outcome: BatchOutcome | undefined): boolean {
  return outcome?.kind === 'done' && outcome.outcomes.some(({ kind }) => kind === 'registered');
}

async function transact(
  tx: Tx,
  commit: (writes: readonly Promise<unknown>[]) => Promise<void>,
  deps: Deps,
  batches: readonly CompanyBatch[],
  /** Filled before the commit, so that they are known even if the commit is not answered. */
  outcomes: BatchOutcome[],
): Promise<void> {
  const read = await readLocked(tx, deps, batches);
  const parts: IssuingBatch[] = [];
  const unused: CompanyBatch[] = [];
  const newIds = [...read.newIds];
  for (const batch of batches) {
    const cadena = read.cadenas.get(batch.companyId);
    if (!cadena) {
      outcomes.push({ kind: 'held' });
      unused.push(batch);
      continue;
    }
    try {
      const part = await partOf(tx, deps, batch, cadena, read);
      const taken = batch.requests.map((request) =>
        part.take(request, request.draftNo ? NO_ID : (newIds.shift() as bigint)),
      );
      outcomes.push({ kind: 'done', outcomes: taken });
      parts.push(part);
    } catch (error) {
      outcomes.push({ kind: 'failed', error });
      unused.push(batch);
    }
  }

  const writing = parts.filter(({ registros }) => registros.length > 0);
  if (writing.length > 0) {
    const unusedKeys = [...keysOf(unused, read.kept), ...refusedKeysOf(parts)];
    await commit(writesOf(tx, writing, unusedKeys, { inOne: mayJoinCompanies(deps.sql) }));
  }
}

/**
 * Takes the locks of a transaction and reads everything that its registros are made of, in one flush of statements.
 */
async function readLocked(tx: Tx, deps: Deps, batches: readonly CompanyBatch[]) {
  const companyIds = batches.map(({ companyId }) => companyId);
  const requests = batches.flatMap(({ companyId, requests: own }) =>
    own.map((request) => ({ companyId, ...request })),
  );
  const named = requests.flatMap(({ companyId, draftNo }) =>
    draftNo ? [{ companyId, docNo: draftNo }] : [],
  );
  const referred = requests.flatMap(({ companyId, draft }) =>
    numbersToLookUp(draft.invoiceToRectify).map((docNo): InvoiceName => ({ companyId, docNo })),
  );
  const corrected = named.filter(({ docNo }) => !isDraftName(docNo));
  // The locks go first: what is read after them is current, even if a company changed (its data, its certificate,
  // the account itself) while this waited.
  return answersByName({
    kept: takeKeys(
      tx,
      requests.flatMap(({ companyId, idempotency: key }) => (key ? [{ companyId, ...key }] : [])),
      deps.clock(),
    ),
    saved: lockInvoicesOf(tx, named),
    cadenas: lockHeads(tx, companyIds),
    contexts: readIssueContexts(
      tx,
      deps,
      companyIds,
      requests.map(({ companyId, draft }) => ({ companyId, invoiceClient: draft.invoiceClient })),
    ),
    desenlaces: findDesenlaces(tx, [...corrected, ...referred]), // A draft has none.
    originals: findOriginalsOf(tx, [...referred, ...corrected]),
    exchanges: findExchangesOf(tx, referred),
    corrections: findCorrectionsOf(tx, referred),
    standing: findStandingOn(tx, corrected),
    newIds: takeInvoiceIds(tx, requests.length - named.length),
  });
}

/** @throws {DomainError} what keeps the whole company from registering */
async function partOf(
  tx: Tx,
  deps: Deps,
  batch: CompanyBatch,
  cadena: LockedCadena,
  read: Awaited<ReturnType<typeof readLocked>>,
): Promise<IssuingBatch> {
  const { companyId } = batch;
  const context = read.contexts.get(companyId);
  const named = (docNo: string) => nameOfInvoice({ companyId, docNo });
  return new IssuingBatch(deps.clock(), assertMayRegister(context, cadena), {
    cadena,
    series: context?.series ?? new Map(),
    savedOf: (docNo) => read.saved.get(named(docNo)) ?? null,
    originalOf: (docNo) => read.originals.get(named(docNo)) ?? null,
    exchangeOf: (docNo) => read.exchanges.get(named(docNo)),
    correctionsOf: (docNo) => read.corrections.get(named(docNo)) ?? [],
    standingOn: (docNo) => read.standing.get(named(docNo)) ?? [],
    desenlacesOf: (docNo) => read.desenlaces.get(named(docNo)) ?? [],
    keptOf: (key) => read.kept.get(nameOfKey({ companyId, key })),
    registered: await registeredOf(tx, batch, cadena, { isDemo: context?.isDemo ?? false }),
  });
}

/** With several companies nobody waits for a locked one: whoever holds it may take long. */
async function lockHeads(
  tx: Tx,
  companyIds: readonly number[],
): Promise<ReadonlyMap<number, LockedCadena>> {
  const [only] = companyIds;
  if (only === undefined || companyIds.length > 1) return lockFreeCadenas(tx, companyIds);
  return new Map([[only, await lockCadena(tx, only)]]);
}

function assertMayRegister(context: IssueContext | undefined, cadena: LockedCadena): IssueContext {
  if (!context) throw sessionIsOver();
  context.assertCanInvoice();
  assertReconciled(cadena);
  return context;
}

/** A cadena has at least one registro per invoice, so only a long one has to be counted. */
async function registeredOf(
  tx: Tx,
  { companyId, requests }: CompanyBatch,
  { lastSeq }: LockedCadena,
  { isDemo }: { readonly isDemo: boolean },
): Promise<number> {
  const atMost = Number(lastSeq);
  if (!isDemo || atMost + requests.length <= DEMO_LIMIT) return atMost;
  return countRegistered(tx, companyId, DEMO_LIMIT + 1);
}

function writesOf(
  tx: Tx,
  parts: readonly IssuingBatch[],
  unusedKeys: readonly { companyId: number; key: string }[],
  { inOne }: { readonly inOne: boolean },
): Promise<unknown>[] {
  const corrected = parts.filter((part) => part.corrected > 0);
  const mails = parts.flatMap((part) => part.mails);
  return [
    keepHeld(
      tx,
      parts.flatMap((part) => part.held),
    ),
    saveRegistered(
      tx,
      {
        invoices: parts.flatMap((part) => part.invoices),
        registros: parts.flatMap((part) => part.registros),
        counters: parts.flatMap((part) => part.takenSeries()),
        heads: parts.map(({ companyId, cadena }) => ({ companyId, ...cadena })),
        months: parts.flatMap((part) => part.months),
        now: new Date(Math.min(...parts.map((part) => part.now.getTime()))),
      },
      { inOne },
    ),
    saveReferences(
      tx,
      parts.flatMap((part) => part.references),
    ),
    ...(corrected.length > 0
      ? [
          releaseRechazados(
            tx,
            corrected.map((part) => ({ companyId: part.companyId, count: part.corrected })),
          ),
        ]
      : []),
    // After the invoices that they belong to.
    attachUploads(
      tx,
      parts.flatMap((part) => part.uploads),
    ),
    enqueueMailsOf(tx, mails),
    keepAnswers(
      tx,
      parts.flatMap((part) => part.answers),
    ),
    // A refused request may be corrected and sent again under the same key. After the answers: a key under which this
    // transaction has answered another request stays.
    releaseKeys(tx, unusedKeys),
  ];
}

function refusedKeysOf(parts: readonly IssuingBatch[]) {
  return parts.flatMap((part) => part.refusedKeys);
}

/** The keys that a batch took in this transaction and does not use. */
function keysOf(batches: readonly CompanyBatch[], kept: ReadonlyMap<string, unknown>) {
  return batches.flatMap(({ companyId, requests }) =>
    requests.flatMap(({ idempotency }) => {
      const name = idempotency && { companyId, key: idempotency.key };
      return name && !kept.has(nameOfKey(name)) ? [name] : [];
    }),
  );
}
