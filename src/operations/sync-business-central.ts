import { BusinessCentralFailure } from '../business-central/failure.ts';
import type { Deps } from '../deps.ts';
import { DomainError } from '../domain/errors.ts';
import {
  askToRetry,
  type Connection,
  endRun,
  findDue,
  findRun,
  forgetEmptyRuns,
  forgetOldRuns,
  holdRun,
  openRun,
  type RunStatus,
  releaseRun,
  takeRun,
} from '../store/business-central.ts';
import { currentScope } from '../store/row-security.ts';
import { enter, LEASE_SECONDS, type Sync, SyncStopped } from './business-central-sync.ts';
import { connectionOf } from './connect-business-central.ts';
import { clientOf, type Outside } from './open-business-central.ts';
import type { CarriedRuns } from './register-all.ts';
import { registerImported } from './register-business-central.ts';
import { retryHeld, syncCreditMemos, syncInvoices } from './sync-business-central-documents.ts';
import { syncCustomers, syncItems } from './sync-business-central-parties.ts';
import { writeBack } from './write-back-business-central.ts';

const HEARTBEAT_MS = 15_000;
const RUNS_KEPT = 200;
/** Minutes until the next attempt, by failures in a row. */
const BACKOFF_MINUTES = [1, 2, 5, 15, 30, 60];
const ONLY_A_PERSON_MENDS_IT_MINUTES = 60;
const AFTER_A_BUG_MINUTES = 15;

/**
 * Starts a synchronisation now. Asking again while one runs starts no second one.
 *
 * @param runs the runs that this process carries for its calls: when the process ends, each is left after its current
 *   page
 * @throws {DomainError} NOT_FOUND without a connection; CONFLICT when it is not switched on
 */
export async function startSync(
  deps: Deps,
  outside: Outside,
  companyId: number,
  { retries }: { readonly retries: boolean },
  { ending, underWay }: CarriedRuns,
): Promise<void> {
  const connection = await connectionOf(deps, companyId);
  if (connection.status !== 'activa') {
    throw new DomainError('CONFLICT', 'Activa la conexión con Business Central para sincronizar.');
  }
  const isNew = await deps.sql.begin(async (tx) => {
    if (retries) await askToRetry(tx, companyId, deps.clock());
    const cause = retries ? 'reintento' : 'manual';
    return openRun(tx, companyId, cause, deps.clock(), currentScope()?.reqId);
  });
  if (isNew === null) return;
  const carried = carrySync(deps, outside, companyId, ending)
    .catch((error: unknown) => {
      deps.log.error({ err: error, companyId }, 'a synchronisation broke off; it goes on later');
    })
    .finally(() => underWay.delete(carried));
  underWay.add(carried);
}

/** Companies that one process synchronises at once. */
const AT_ONCE = 4;

export interface SyncScheduler {
  /** Starts the runs that are due, and those whose process died half-way. Does not wait for them. */
  readonly look: () => Promise<void>;
  /** Resolves when nothing is under way. */
  readonly idle: () => Promise<void>;
  /** Leaves each run after its current page, for another process to continue. */
  readonly stop: () => Promise<void>;
}

/** A slow company, or one that has to wait, does not hold up the others. */
export function scheduleSyncs(deps: Deps, outside: Outside): SyncScheduler {
  const underWay = new Map<number, Promise<void>>();
  const stop = new AbortController();

  async function one(companyId: number, { isNew }: { readonly isNew: boolean }): Promise<void> {
    try {
      if (isNew) {
        await deps.sql.begin((tx) => openRun(tx, companyId, 'programada', deps.clock()));
      }
      await carrySync(deps, outside, companyId, stop.signal);
    } catch (error) {
      deps.log.error({ err: error, companyId }, 'a synchronisation broke off; it goes on later');
    } finally {
      underWay.delete(companyId);
    }
  }
  const idle = async () => {
    await Promise.all(underWay.values());
  };
  return {
    idle,
    async look() {
      for (const { companyId, isNew } of await findDue(deps.sql, deps.clock())) {
        if (stop.signal.aborted || underWay.size >= AT_ONCE) return;
        if (!underWay.has(companyId)) underWay.set(companyId, one(companyId, { isNew }));
      }
    },
    async stop() {
      stop.abort();
      await idle();
    },
  };
}

/**
 * Carries a synchronisation to its end, or until it is stopped.
 *
 * Only the holder of its lease carries it, and each page is saved with the position reached, in one transaction that
 * checks the lease: after a crash another process takes the run over and continues after the last page.
 *
 * @param stop aborted when this process ends: the run is left for another one
 */
export async function carrySync(
  deps: Deps,
  outside: Outside,
  companyId: number,
  stop: AbortSignal = new AbortController().signal,
): Promise<void> {
  if (stop.aborted) return;
  const connection = await takeRun(deps.sql, companyId, LEASE_SECONDS);
  if (!connection || connection.runId === null) return;
  const run = await findRun(deps.sql, companyId, connection.runId);
  const abort = new AbortController();
  const beat = setInterval(() => {
    holdRun(deps.sql, connection, LEASE_SECONDS).then(
      (status) => {
        if (status === null) abort.abort(new SyncStopped({ isLost: true }));
        else if (status !== 'activa') abort.abort(new SyncStopped({ isLost: false }));
      },
      () => undefined, // The database is away for a moment; the pages will tell.
    );
  }, HEARTBEAT_MS);
  const leave = () => abort.abort(new SyncStopped({ isLost: true }));
  stop.addEventListener('abort', leave);
  if (stop.aborted) leave();
  const { signal } = abort;
  const begun: Begun = { deps, connection, counts: { ...run?.counts } };
  try {
    const sync: Sync = {
      ...begun,
      outside,
      client: clientOf(deps, outside, connection, { signal }),
      signal,
      askedBy: { reqId: run?.reqId ?? undefined, runId: String(connection.runId) },
      notes: [],
      declared: new Map(),
      phase: 'conectando',
    };
    await carry(sync);
  } catch (error) {
    // Its secret cannot be opened: reported like any other wrong secret.
    if (!(error instanceof BusinessCentralFailure)) throw error;
    await finishFailed(begun, error);
  } finally {
    clearInterval(beat);
    stop.removeEventListener('abort', leave);
    if (stop.aborted) await releaseRun(deps.sql, connection);
  }
}

/** What reporting its end needs. */
type Begun = Pick<Sync, 'deps' | 'connection' | 'counts'>;

async function carry(sync: Sync): Promise<void> {
  const { deps, connection } = sync;
  try {
    await goThrough(sync);
    const message = sync.notes.join(' ') || null;
    await finish(sync, { status: 'terminada', message, inMinutes: connection.everyMinutes });
  } catch (thrown) {
    const error = sync.signal.aborted ? sync.signal.reason : thrown;
    if (error instanceof SyncStopped) {
      if (!error.isLost) await finish(sync, { status: 'parada', message: null, inMinutes: 0 });
    } else if (error instanceof BusinessCentralFailure) {
      deps.log.warn({ err: error, companyId: connection.companyId }, 'a synchronisation failed');
      await finishFailed(sync, error);
    } else {
      deps.log.error({ err: error, companyId: connection.companyId }, 'a synchronisation broke');
      const message = 'Ha ocurrido un error inesperado. Se volverá a intentar.';
      await finish(sync, { status: 'fallida', message, inMinutes: AFTER_A_BUG_MINUTES });
    }
  }
}

/** In this order: parties before the documents that name them, invoices before their rectificativas. */
async function goThrough(sync: Sync): Promise<void> {
  await enter(sync, 'clientes');
  await syncCustomers(sync);
  await enter(sync, 'productos');
  await syncItems(sync);
  await enter(sync, 'facturas');
  await syncInvoices(sync);
  await registerImported(sync);
  await enter(sync, 'abonos');
  await syncCreditMemos(sync);
  await retryHeld(sync);
  await registerImported(sync);
  await writeBack(sync);
}

function finishFailed(sync: Begun, failure: BusinessCentralFailure): Promise<void> {
  if (!failure.isPassing) {
    const { message } = failure;
    return finish(sync, { status: 'fallida', message, inMinutes: ONLY_A_PERSON_MENDS_IT_MINUTES });
  }
  const { failures } = sync.connection;
  const backoff = BACKOFF_MINUTES[Math.min(failures, BACKOFF_MINUTES.length - 1)] ?? 1;
  const asked = (failure.retryAfterSeconds ?? 0) / 60;
  return finish(sync, {
    status: 'aplazada',
    message: `${failure.message} Lo traído está guardado; seguirá solo donde se quedó.`,
    inMinutes: Math.max(backoff, asked),
  });
}

interface Ending {
  readonly status: RunStatus;
  /** What its owner is told. */
  readonly message: string | null;
  /** When the next one begins. */
  readonly inMinutes: number;
}

const FAILURES: readonly RunStatus[] = ['fallida', 'aplazada'];

async function finish(sync: Begun, { status, message, inMinutes }: Ending): Promise<void> {
  const { deps, connection } = sync;
  const now = deps.clock();
  await deps.sql.begin(async (tx) => {
    await endRun(tx, connection as Connection, {
      status,
      message,
      counts: sync.counts,
      now,
      nextRunAt: new Date(now.getTime() + inMinutes * 60_000),
      failures: FAILURES.includes(status) ? connection.failures + 1 : 0,
    });
    // Of runs that found nothing new, only the last is worth keeping.
    await forgetEmptyRuns(tx, connection);
    await forgetOldRuns(tx, connection.companyId, RUNS_KEPT);
  });
}
