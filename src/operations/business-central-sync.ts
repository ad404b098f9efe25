/** What the steps of one synchronisation share: its lease, its counts, how far each thing was read. */

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

/** A process that says nothing for this long has ended: another one goes on with its run. */
export const LEASE_SECONDS = 60;

/** Somebody paused or disconnected, or another process has the run. Nothing to explain to anybody. */
export class SyncStopped extends Error {
  override readonly name = 'SyncStopped';
  readonly isLost: boolean;

  constructor(isLost: boolean) {
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
  /** What it did so far, whoever carried it. */
  readonly counts: Record<string, number>;
  /** Sentences for whoever looks at the history. */
  readonly notes: string[];
  /** What the AEAT holds from other programs, by month; null when it could not be asked. */
  readonly declared: Map<string, ReadonlySet<string> | null>;
  phase: string;
}

export function count(sync: Sync, name: string, by: number): void {
  if (by > 0) sync.counts[name] = (sync.counts[name] ?? 0) + by;
}

/**
 * Keeps the lease through a transaction, so that what it writes is written by one process only.
 *
 * @throws {SyncStopped}
 */
export async function hold({ connection }: Sync, tx: Tx): Promise<void> {
  const status = await holdRun(tx, connection, LEASE_SECONDS);
  if (status === null) throw new SyncStopped(true);
  if (status !== 'activa') throw new SyncStopped(false);
}

/** Says where it is, for whoever looks on. */
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
 * A change may become visible this long after its time stamp, hence after later ones: its transaction was still open.
 */
const SETTLING_MS = 10 * 60_000;

/**
 * Goes through what changed in an entity since the last time, oldest change first, a page at a time.
 *
 * `take` gets the rows and a function that notes, in the transaction that saves them, how far they
 * reach: whoever goes on after a crash or a cut asks from there. That is never later than ten minutes
 * before the reading began, so that what appears late is asked for the next time. Reading the same again
 * is harmless, because what did not change is not written.
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
    /** Under which name it is kept how far it was read. */
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
    // A page with nothing to save was read too: a run that is cut again and again still gets on.
    if (!isSame(next, cursor)) {
      await deps.sql.begin(async (tx) => {
        await hold(sync, tx);
        await reach(tx, next);
      });
    }
  }
  if (last !== null) await reach(deps.sql, cursorAt(last, settledUntil));
}

/** Where to go on once everything up to there was read: the last change itself is settled, or comes again. */
function cursorAt(last: string, settledUntil: Date): Cursor {
  const end = new Date(last);
  return end < settledUntil
    ? { since: end.toISOString(), inclusive: false }
    : { since: settledUntil.toISOString(), inclusive: true };
}

function isSame(a: Cursor, b: Cursor | null): boolean {
  return b !== null && a.since === b.since && a.inclusive === b.inclusive;
}
