import type { RegistrarTodas } from '../contract/imports.ts';
import type { Deps } from '../deps.ts';
import { DomainError } from '../domain/errors.ts';
import { findCertificateDetails } from '../store/certificates.ts';
import { countByStatus } from '../store/invoice-lists.ts';
import {
  askToStop,
  type BatchDone,
  clearFailures,
  countProgress,
  type DraftInTurn,
  endRun,
  findOrphanRuns,
  findRegisterAllRun,
  isRunOver,
  listFailures,
  nextDrafts,
  noteProgress,
  openRun,
  type RegisterAllRun,
  saveFailures,
  takeRun,
} from '../store/register-all-runs.ts';
import { currentScope } from '../store/row-security.ts';
import { assertCanInvoice } from './assert-can-invoice.ts';
import { companyOf } from './company-of.ts';
import type { RegisterOutcome } from './issuing-batch.ts';
import { MAX_BATCH, registerInvoices } from './register-invoices.ts';

/** A process that has not renewed its lease for this long is taken for dead: another one goes on with its run. */
const LEASE_SECONDS = 30;
const MAX_FAILURES_SHOWN = 200;

/** The runs that this process carries, started by its calls. */
export interface CarriedRuns {
  /** Aborted when this process ends. */
  readonly ending: AbortSignal;
  readonly underWay: Set<Promise<void>>;
}

/**
 * Starts registering on the server, by date, every draft that the company has at this moment, or the selected ones.
 * Asking again while it runs starts no second run, for all of them or for the same selection.
 *
 * @throws {DomainError} FORBIDDEN without a certificate or with the subscription expired; CONFLICT for a selection
 *   while another run is under way, or when none of it is a draft any more
 */
export async function startRun(
  deps: Deps,
  companyId: number,
  { ending, underWay }: CarriedRuns,
  docNos?: readonly string[],
): Promise<RegistrarTodas> {
  const [company, certificate] = await Promise.all([
    companyOf(deps, companyId),
    findCertificateDetails(deps.sql, companyId),
  ]);
  assertCanInvoice(company, certificate, deps.clock());
  const isNew = await deps.sql.begin(async (tx) => {
    const reqId = currentScope()?.reqId;
    const total = await openRun(tx, companyId, deps.clock(), { reqId, docNos });
    const isRepeat = docNos && total === null && (await isRunOver(tx, companyId, docNos));
    if (docNos && !isRepeat) assertBegun(total);
    if (total !== null) await clearFailures(tx, companyId);
    return total !== null;
  });
  if (isNew) {
    const carried = carryRun(deps, companyId, ending)
      .catch((error: unknown) => {
        deps.log.error(
          { err: error, companyId },
          'a run of registering broke off; it goes on later',
        );
      })
      .finally(() => underWay.delete(carried));
    underWay.add(carried);
  }
  return findRun(deps, companyId);
}

/** A selection needs a run of its own, with something in it: the user is not shown another one. */
function assertBegun(total: number | null): void {
  if (total === null) {
    throw new DomainError(
      'CONFLICT',
      'Ya se están registrando otros borradores. Espera a que terminen, o para el registro, y vuelve a intentarlo.',
    );
  }
  if (total === 0) {
    throw new DomainError(
      'CONFLICT',
      'Lo que has elegido ya no son borradores: se han registrado o eliminado mientras tanto.',
    );
  }
}

/** Stops a run after its current batch. What is registered stays registered. */
export async function stopRun({ sql }: Pick<Deps, 'sql'>, companyId: number): Promise<void> {
  await askToStop(sql, companyId);
}

/** Progress of the company's run, or its result. */
export async function findRun(
  { sql }: Pick<Deps, 'sql'>,
  companyId: number,
): Promise<RegistrarTodas> {
  // The run first: of one that has ended, the drafts that are left are never counted as they were before.
  const run = await findRegisterAllRun(sql, companyId);
  const [failures, counts] = await Promise.all([
    listFailures(sql, companyId, MAX_FAILURES_SHOWN),
    countByStatus(sql, companyId),
  ]);
  const borradores = counts.get('Borrador') ?? 0;
  if (!run) {
    const none = { total: 0, registradas: 0, fallidas: 0, fallos: [], porCorregir: 0 };
    return { estado: 'sin-empezar', ...none, borradores };
  }
  return {
    estado: run.status,
    total: run.total,
    registradas: run.registered,
    fallidas: run.failed,
    ...(run.message ? { mensaje: run.message } : {}),
    ...(run.firstDay && run.lastDay ? { desde: run.firstDay, hasta: run.lastDay } : {}),
    empezada: run.startedAt.toISOString(),
    ...(run.finishedAt ? { acabada: run.finishedAt.toISOString() } : {}),
    fallos: failures.first.map(({ docNo, customerName, messages }) => ({
      DocNo: docNo,
      cliente: customerName,
      mensajes: messages,
    })),
    porCorregir: failures.total,
    borradores,
  };
}

/** Resumes the runs whose process died half-way. */
export async function resumeRuns(deps: Deps, ending?: AbortSignal): Promise<void> {
  for (const companyId of await findOrphanRuns(deps.sql)) await carryRun(deps, companyId, ending);
}

/**
 * Carries a run to its end, or until it is asked to stop.
 *
 * Each batch is one transaction of `registerInvoices`, with its one lock of the cadena, and what it registers stops
 * being a draft. So a process that resumes after a crash finds only what is left, and two that carry the same run for
 * a moment cannot register a draft twice.
 *
 * @param ending aborted when this process ends: after its batch the run is released, its lease expired, for another
 *   process
 */
export async function carryRun(
  deps: Deps,
  companyId: number,
  ending: AbortSignal = new AbortController().signal,
): Promise<void> {
  if (ending.aborted) return;
  const run = await takeRun(deps.sql, companyId, LEASE_SECONDS);
  if (!run) return;
  await deps.sql.begin((tx) => countProgress(tx, run));
  let done = NOTHING;
  let last: DraftInTurn | null = null;
  for (;;) {
    const drafts: DraftInTurn[] = await nextDrafts(deps.sql, run, last, MAX_BATCH);
    // Right before registering: a process that stood still until another one had ended the run registers nothing more.
    const isLeft = ending.aborted;
    const status = await noteProgress(deps.sql, run, done, isLeft ? 0 : LEASE_SECONDS);
    done = NOTHING;
    if (status === null) return;
    if (status === 'parando') return end(deps, run, 'parada');
    if (isLeft) return;
    // Somebody may have changed a date meanwhile: the run ends when a pass from the beginning finds nothing.
    if (drafts.length === 0 && last === null) return end(deps, run, 'terminada');
    last = drafts.at(-1) ?? null;
    if (last === null) continue;
    try {
      const batch = await registerBatch(deps, run, drafts);
      done = batch;
      if (!batch.stop) continue;
      await noteProgress(deps.sql, run, done, LEASE_SECONDS);
      return await stopped(deps, run, batch.stop);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return await stopped(deps, run, error.message);
    }
  }
}

const NOTHING: BatchDone = { registered: 0, failed: 0, firstDay: null, lastDay: null };

interface RegisteredBatch extends BatchDone {
  /** Why nothing more can be registered. */
  readonly stop: string | null;
}

async function registerBatch(
  deps: Deps,
  { companyId, reqId }: RegisterAllRun,
  drafts: readonly DraftInTurn[],
): Promise<RegisteredBatch> {
  const sid = currentScope()?.sid ?? null;
  const outcomes = await registerInvoices(
    deps,
    companyId,
    drafts.map(({ draft, docNo, version }) => ({
      draft,
      draftNo: docNo,
      version,
      sid,
      askedBy: { reqId: reqId ?? undefined },
      sendsToCustomer: false,
    })),
  );
  const refused = outcomes.map(refusalOf);
  const forbidden = refused.find((error) => error?.code === 'FORBIDDEN');
  const failed = await saveFailures(
    deps.sql,
    companyId,
    drafts.flatMap(({ id }, index) => {
      const error = refused[index];
      // The whole company is refused, not this draft.
      if (!error || error.code === 'FORBIDDEN') return [];
      return [{ id, messages: [error.sentences].flat() }];
    }),
  );
  // By date, as they were taken.
  const days = drafts.flatMap(({ postingDate }, index) =>
    refused[index] === null ? [postingDate] : [],
  );
  return {
    registered: days.length,
    failed,
    firstDay: days[0] ?? null,
    lastDay: days.at(-1) ?? null,
    stop: forbidden ? forbidden.message : null,
  };
}

function refusalOf(outcome: RegisterOutcome): DomainError | null {
  return outcome.kind === 'refused' ? outcome.error : null;
}

async function stopped(deps: Deps, run: RegisterAllRun, message: string): Promise<void> {
  await deps.sql.begin((tx) => countProgress(tx, run));
  await endRun(deps.sql, run, { status: 'detenida', message, now: deps.clock() });
}

async function end(deps: Deps, run: RegisterAllRun, status: 'parada' | 'terminada'): Promise<void> {
  await deps.sql.begin((tx) => countProgress(tx, run));
  await endRun(deps.sql, run, { status, message: null, now: deps.clock() });
}
