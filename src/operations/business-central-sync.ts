/** What the steps of one synchronisation share: its lease, its counts, and how far it has read each entity. */

import type { z } from 'zod';
import type { BusinessCentralClient } from '../business-central/client.ts';
import type { Deps } from '../deps.ts';
import {
  type Connection,
  type Cursor,
  findCursor,
  holdRun,
  noteRun,
  saveCursor,
} from '../store/business-central.ts';
import type { Tx } from '../store/sql.ts';
import type { AskedBy } from './log-registro.ts';
import type { Outside } from './open-business-central.ts';

/** A process that has not renewed its lease for this long is taken for dead: another one goes on with its run. */
export const LEASE_SECONDS = 60;

/** The run was paused or disconnected, or another process has taken it over. There is nothing to tell the user. */
export class SyncStopped extends Error {
  override readonly name = 'SyncStopped';
  readonly isLost: boolean;

  constructor({ isLost }: { readonly isLost: boolean }) {
    super(isLost ? 'another process carries it' : 'it was stopped');
    this.isLost = isLost;
  }
}

export interface Sync {
  readonly deps: Deps;
  readonly outside: Outside;
  readonly connection: Connection;
  readonly client: BusinessCentralClient;
  readonly signal: AbortSignal;
  readonly askedBy: AskedBy;
  /** What the run has done so far, including before another process took it over. */
  readonly counts: Record<string, number>;
  /** Sentences for the synchronisation history. */
  readonly notes: string[];
  /** What the AEAT holds from other programs, by month; null when it could not be asked. */
  readonly declared: Map<string, ReadonlySet<string> | null>;
  phase: string;
}

export function count(sync: Sync, name: string, by: number): void {
  if (by > 0) sync.counts[name] = (sync.counts[name] ?? 0) + by;
}

/**
 * Renews the lease inside a transaction, so that only one process writes.
 *
 * @throws {SyncStopped}
 */
export async function hold({ connection }: Sync, tx: Tx): Promise<void> {
  const status = await holdRun(tx, connection, LEASE_SECONDS);
  if (status === null) throw new SyncStopped({ isLost: true });
  if (status !== 'activa') throw new SyncStopped({ isLost: false });
}

/** Publishes which phase the run is in. */
export async function enter(sync: Sync, phase: string): Promise<void> {
  sync.phase = phase;
  await hold(sync, sync.deps.sql);
  await note(sync, sync.deps.sql);
}

export async function note(sync: Sync, tx: Tx): Promise<void> {
  const { companyId, runId } = sync.connection;
  if (runId !== null) await noteRun(tx, companyId, runId, sync);
}

interface Modified {
  readonly lastModifiedDateTime: string;
}

/**
 * A change may become visible this long after its time stamp, because its transaction was still open: it can appear
 * after later ones.
 */
const SETTLING_MS = 10 * 60_000;

/**
 * Reads what has changed in an entity since the last time, oldest change first, a page at a time.
 *
 * `take` receives the rows and a function that records, in the transaction that saves them, how far they reach: after
 * a crash or an interruption the reading resumes from there. That point is never later than ten minutes before the
 * reading began, so that a change which becomes visible late is read the next time. Reading a row twice is harmless:
 * what has not changed is not written.
 */
export async function eachChange<T extends Modified>(
  sync: Sync,
  {
    entity,
    reading = entity,
    shape,
    query = {},
    filter = [],
    pageSize,
  }: {
    readonly entity: string;
    /** The name under which the position is stored. */
    readonly reading?: string;
    readonly shape: z.ZodType<T>;
    readonly query?: Readonly<Record<string, string>>;
    readonly filter?: readonly string[];
    readonly pageSize: number;
  },
  take: (rows: readonly T[], reached: (tx: Tx) => Promise<void>) => Promise<void>,
): Promise<void> {
  const { deps, connection, client } = sync;
  const settledUntil = new Date(deps.clock().getTime() - SETTLING_MS);
  let cursor = await findCursor(deps.sql, connection, reading);
  const changed = cursor
    ? [`lastModifiedDateTime ${cursor.inclusive ? 'ge' : 'gt'} ${cursor.since}`]
    : [];
  const reach = async (tx: Tx, next: Cursor) => {
    if (isSame(next, cursor)) return;
    await saveCursor(tx, connection, reading, next);
    cursor = next;
  };
  const reachAlone = async (next: Cursor) => {
    if (isSame(next, cursor)) return;
    await deps.sql.begin(async (tx) => {
      await hold(sync, tx);
      await reach(tx, next);
    });
  };
  const $filter = [...changed, ...filter].join(' and ');
  const search = { ...query, $orderby: 'lastModifiedDateTime', ...($filter && { $filter }) };
  let last: string | null = null;
  for await (const page of client.pages(connection.bcCompany, entity, shape, search, pageSize)) {
    count(sync, 'ilegibles', page.unread);
    const end = page.rows.at(-1)?.lastModifiedDateTime;
    if (end === undefined) continue;
    last = end;
    const next = { ...cursorAt(end, settledUntil), inclusive: true };
    await take(page.rows, (tx) => reach(tx, next));
    // A page with nothing to save still moves the position, so a run that is interrupted again and again makes
    // progress.
    await reachAlone(next);
  }
  if (last !== null) await reachAlone(cursorAt(last, settledUntil));
}

/**
 * Where to resume after reading everything up to there: after the last change if it has settled, or else at it again.
 */
function cursorAt(last: string, settledUntil: Date): Cursor {
  const end = new Date(last);
  return end < settledUntil
    ? { since: end.toISOString(), inclusive: false }
    : { since: settledUntil.toISOString(), inclusive: true };
}

function isSame(a: Cursor, b: Cursor | null): boolean {
  return b !== null && a.since === b.since && a.inclusive === b.inclusive;
}
