import type { Sealed } from './certificates.ts';
import { isUnheld } from './leases.ts';
import type { Statement, Tx } from './sql.ts';

/** A company of ours and the company in Business Central that it is connected to. */
export interface Origin {
  readonly companyId: number;
  readonly bcCompany: string;
}

export type ConnectionStatus = 'preparada' | 'activa' | 'pausada';
export type RunCause = 'manual' | 'programada' | 'reintento';
export type RunStatus = 'en-marcha' | 'terminada' | 'aplazada' | 'fallida' | 'parada';

/** What a company chose when it connected. */
export interface ConnectionSettings {
  readonly tenant: string;
  readonly environment: string;
  /** Identifier and name of the company in Business Central. */
  readonly bcCompany: string;
  readonly bcCompanyName: string;
  readonly clientId: string;
  readonly registersAtOnce: boolean;
  readonly writesBack: boolean;
  /** `YYYY-MM-DD`. */
  readonly since: string;
  readonly everyMinutes: number;
}

export interface Connection extends ConnectionSettings, Sealed {
  readonly companyId: number;
  readonly status: ConnectionStatus;
  readonly declaredOffAt: Date | null;
  readonly declaredOffBy: string | null;
  readonly nextRunAt: Date;
  readonly failures: number;
  readonly retriesHeld: boolean;
  readonly runId: bigint | null;
  readonly leaseToken: bigint;
}

/** How many of each kind a synchronisation processed. */
export type Counts = Readonly<Record<string, number>>;

export interface SyncRun {
  readonly id: bigint;
  readonly cause: RunCause;
  readonly status: RunStatus;
  readonly phase: string;
  readonly counts: Counts;
  readonly message: string | null;
  readonly startedAt: Date;
  readonly finishedAt: Date | null;
  /** The call that began it; null when it began by itself. */
  readonly reqId: string | null;
}

interface ConnectionRow {
  company_id: number;
  tenant: string;
  environment: string;
  bc_company: string;
  bc_company_name: string;
  client_id: string;
  kek_id: string;
  sealed_key: Buffer;
  sealed: Buffer;
  status: ConnectionStatus;
  registers_at_once: boolean;
  writes_back: boolean;
  since: string;
  every_minutes: number;
  declared_off_at: Date | null;
  declared_off_by: string | null;
  next_run_at: Date;
  failures: number;
  retries_held: boolean;
  run_id: bigint | null;
  lease_token: bigint;
}

interface RunRow {
  id: bigint;
  cause: RunCause;
  status: RunStatus;
  phase: string;
  counts: Counts;
  message: string | null;
  started_at: Date;
  finished_at: Date | null;
  req_id: string | null;
}

/** The columns of a {@link ConnectionRow}. */
function columns(tx: Tx) {
  return tx`company_id, tenant, environment, bc_company, bc_company_name, client_id, kek_id, sealed_key, sealed, status,
    registers_at_once, writes_back, since, every_minutes, declared_off_at, declared_off_by, next_run_at, failures,
    retries_held, run_id, lease_token`;
}

/** The columns of a {@link RunRow}. */
function runColumns(tx: Tx) {
  return tx`id, cause, status, phase, counts, message, started_at, finished_at, req_id`;
}

export async function findConnection(tx: Tx, companyId: number): Promise<Connection | null> {
  return readConnection(tx, companyId, tx``);
}

/** The same, locked until the transaction ends. */
export async function lockConnection(tx: Tx, companyId: number): Promise<Connection | null> {
  return readConnection(tx, companyId, tx`for update`);
}

async function readConnection(
  tx: Tx,
  companyId: number,
  ending: ReturnType<Tx>,
): Promise<Connection | null> {
  const [row] = await tx<ConnectionRow[]>`
    select ${columns(tx)} from bc_connections where company_id = ${companyId} ${ending}`;
  return row ? fromRow(row) : null;
}

/**
 * Saves a connection in place of the previous one. A run under way is taken from its process: it goes on with these
 * settings.
 *
 * @param keepsState it is the same company there: it stays on or paused, and the statements made about it still hold
 */
export async function saveConnection(
  tx: Tx,
  companyId: number,
  settings: ConnectionSettings,
  sealed: Sealed,
  { keepsState, now }: { readonly keepsState: boolean; readonly now: Date },
): Promise<void> {
  await tx`
    insert into bc_connections as c (company_id, tenant, environment, bc_company, bc_company_name,
           client_id, kek_id, sealed_key, sealed, status, registers_at_once, writes_back, since,
           every_minutes, next_run_at)
    values (${companyId}, ${settings.tenant}, ${settings.environment}, ${settings.bcCompany},
            ${settings.bcCompanyName}, ${settings.clientId}, ${sealed.kekId}, ${sealed.sealedKey},
            ${sealed.sealed}, 'preparada', ${settings.registersAtOnce}, ${settings.writesBack},
            ${settings.since}, ${settings.everyMinutes}, ${now})
        on conflict (company_id) do update
       set tenant = excluded.tenant, environment = excluded.environment,
           bc_company = excluded.bc_company, bc_company_name = excluded.bc_company_name,
           client_id = excluded.client_id, kek_id = excluded.kek_id,
           sealed_key = excluded.sealed_key, sealed = excluded.sealed,
           registers_at_once = excluded.registers_at_once, writes_back = excluded.writes_back,
           since = excluded.since, every_minutes = excluded.every_minutes,
           next_run_at = excluded.next_run_at, failures = 0,
           lease_until = 'epoch', lease_token = c.lease_token + 1,
           status = case when ${keepsState} then c.status else 'preparada' end,
           declared_off_at = case when ${keepsState} then c.declared_off_at end,
           declared_off_by = case when ${keepsState} then c.declared_off_by end`;
}

export async function setStatus(
  tx: Tx,
  companyId: number,
  status: ConnectionStatus,
  now: Date,
): Promise<void> {
  await tx`
    update bc_connections set status = ${status}, next_run_at = ${now}, failures = 0
     where company_id = ${companyId}`;
}

export async function declareOff(tx: Tx, companyId: number, who: string, now: Date): Promise<void> {
  await tx`
    update bc_connections set declared_off_at = ${now}, declared_off_by = ${who}
     where company_id = ${companyId}`;
}

/** Deletes the connection and its secret. The origins of what was imported stay. */
export async function deleteConnection(tx: Tx, companyId: number): Promise<void> {
  await tx`delete from bc_connections where company_id = ${companyId}`;
}

/** Records permanently something stated or done about the connection. */
export async function noteEvent(
  tx: Tx,
  companyId: number,
  event: { readonly kind: string; readonly who: string; readonly detail: string },
  now: Date,
): Promise<void> {
  await tx`
    insert into bc_events (company_id, kind, who, detail, at)
    values (${companyId}, ${event.kind}, ${event.who}, ${event.detail}, ${now})`;
}

/** The next synchronisation, which starts at once, judges held documents again. */
export async function askToRetry(tx: Tx, companyId: number, now: Date): Promise<void> {
  await tx`
    update bc_connections set retries_held = true, next_run_at = ${now}
     where company_id = ${companyId}`;
}

export async function retryDone(tx: Tx, companyId: number): Promise<void> {
  await tx`
    update bc_connections set retries_held = false
     where company_id = ${companyId} and retries_held`;
}

/**
 * Opens a synchronisation unless one is under way.
 *
 * @param reqId the call that starts it; null when it was due
 * @returns its number, or null when one is under way already or the connection is not on
 */
export async function openRun(
  tx: Tx,
  companyId: number,
  cause: RunCause,
  now: Date,
  reqId: string | null = null,
): Promise<bigint | null> {
  const [free] = await tx`
    select 1 from bc_connections
     where company_id = ${companyId} and run_id is null and status = 'activa' for update`;
  if (!free) return null;
  const [run] = await tx<{ id: bigint }[]>`
    insert into bc_runs (company_id, cause, status, phase, started_at, req_id)
    values (${companyId}, ${cause}, 'en-marcha', 'conectando', ${now}, ${reqId}) returning id`;
  if (!run) throw new Error('The run gave no number.');
  await tx`
    update bc_connections set run_id = ${String(run.id)}, lease_until = 'epoch'
     where company_id = ${companyId}`;
  return run.id;
}

/** Companies that are due, and those whose synchronisation lost its process. */
export async function findDue(tx: Tx, now: Date): Promise<{ companyId: number; isNew: boolean }[]> {
  return tx<{ companyId: number; isNew: boolean }[]>`
    select company_id as "companyId", run_id is null as "isNew"
      from bc_connections
     where (run_id is not null and ${isUnheld(tx)})
        or (run_id is null and status = 'activa' and next_run_at <= ${now})
     order by next_run_at limit 20`;
}

/** Takes a synchronisation that no process carries, or null. The lease runs on the database's clock. */
export async function takeRun(
  tx: Tx,
  companyId: number,
  leaseSeconds: number,
): Promise<Connection | null> {
  const [row] = await tx<ConnectionRow[]>`
    update bc_connections
       set lease_until = now() + make_interval(secs => ${leaseSeconds}),
           lease_token = lease_token + 1
     where company_id = ${companyId} and run_id is not null and ${isUnheld(tx)}
 returning ${columns(tx)}`;
  return row ? fromRow(row) : null;
}

/** What a process holds: the run too, because a connection made anew counts its leases from the start. */
type Lease = Pick<Connection, 'companyId' | 'leaseToken' | 'runId'>;

function isHeld(tx: Tx, { leaseToken, runId }: Lease): Statement {
  return tx`lease_token = ${String(leaseToken)} and run_id = ${String(runId)}`;
}

/**
 * Extends the lease and, inside a transaction, keeps others from taking it until that ends.
 *
 * @returns the state of the connection, or null when another process has the run, or the connection is gone
 */
export async function holdRun(
  tx: Tx,
  lease: Lease,
  leaseSeconds: number,
): Promise<ConnectionStatus | null> {
  const [row] = await tx<{ status: ConnectionStatus }[]>`
    update bc_connections
       set lease_until = now() + make_interval(secs => ${leaseSeconds})
     where company_id = ${lease.companyId} and ${isHeld(tx, lease)}
 returning status`;
  return row?.status ?? null;
}

/** Releases a run before its end, for another process to take at once. */
export async function releaseRun(tx: Tx, lease: Lease): Promise<void> {
  await tx`
    update bc_connections set lease_until = 'epoch'
     where company_id = ${lease.companyId} and ${isHeld(tx, lease)}`;
}

export async function findRun(tx: Tx, companyId: number, id: bigint): Promise<SyncRun | null> {
  const [row] = await tx<RunRow[]>`
    select ${runColumns(tx)} from bc_runs where company_id = ${companyId} and id = ${String(id)}`;
  return row ? runFromRow(row) : null;
}

export async function noteRun(
  tx: Tx,
  companyId: number,
  id: bigint,
  { phase, counts }: Pick<SyncRun, 'phase' | 'counts'>,
): Promise<void> {
  await tx`
    update bc_runs set phase = ${phase}, counts = ${tx.json(counts as never)}
     where company_id = ${companyId} and id = ${String(id)}`;
}

/** Ends a run, schedules the next one and releases the lease, unless another process has it by now. */
export async function endRun(
  tx: Tx,
  lease: Lease,
  end: Pick<SyncRun, 'status' | 'counts' | 'message'> & {
    readonly now: Date;
    readonly nextRunAt: Date;
    readonly failures: number;
  },
): Promise<void> {
  const { count } = await tx`
    update bc_connections
       set run_id = null, lease_until = 'epoch', next_run_at = ${end.nextRunAt},
           failures = ${end.failures}
     where company_id = ${lease.companyId} and ${isHeld(tx, lease)}`;
  if (count === 0) return;
  await tx`
    update bc_runs
       set status = ${end.status}, phase = 'acabada', counts = ${tx.json(end.counts as never)},
           message = ${end.message}, finished_at = ${end.now}
     where company_id = ${lease.companyId} and id = ${String(lease.runId)}`;
}

/** Ends the run under way when the company disconnects. */
export async function endOpenRuns(tx: Tx, companyId: number, now: Date): Promise<void> {
  await tx`
    update bc_runs set status = 'parada', phase = 'acabada', finished_at = ${now}
     where company_id = ${companyId} and status = 'en-marcha'`;
}

/** The last synchronisations, newest first. */
export async function listRuns(tx: Tx, companyId: number, limit: number): Promise<SyncRun[]> {
  const rows = await tx<RunRow[]>`
    select ${runColumns(tx)} from bc_runs where company_id = ${companyId} order by id desc limit ${limit}`;
  return rows.map(runFromRow);
}

/** Deletes earlier runs that started automatically and found nothing. */
export async function forgetEmptyRuns(
  tx: Tx,
  { companyId, runId }: Pick<Connection, 'companyId' | 'runId'>,
): Promise<void> {
  await tx`
    delete from bc_runs
     where company_id = ${companyId} and id < ${String(runId)} and cause = 'programada'
       and status = 'terminada' and counts = '{}' and message is null`;
}

/** Keeps the newest `limit` synchronisations of a company. */
export async function forgetOldRuns(tx: Tx, companyId: number, limit: number): Promise<void> {
  await tx`
    delete from bc_runs
     where company_id = ${companyId}
       and id < (select min(id) from (select id from bc_runs where company_id = ${companyId}
                                       order by id desc limit ${limit}) as newest)`;
}

export interface Cursor {
  readonly since: string;
  readonly inclusive: boolean;
}

/** How far an entity has been read; null before the first time. `since` is ISO with milliseconds. */
export async function findCursor(
  tx: Tx,
  { companyId, bcCompany }: Pick<Connection, 'companyId' | 'bcCompany'>,
  entity: string,
): Promise<Cursor | null> {
  const [row] = await tx<{ since: Date; inclusive: boolean }[]>`
    select since, inclusive from bc_cursors
     where company_id = ${companyId} and bc_company = ${bcCompany} and entity = ${entity}`;
  return row ? { since: row.since.toISOString(), inclusive: row.inclusive } : null;
}

export async function saveCursor(
  tx: Tx,
  { companyId, bcCompany }: Pick<Connection, 'companyId' | 'bcCompany'>,
  entity: string,
  { since, inclusive }: Cursor,
): Promise<void> {
  await tx`
    insert into bc_cursors (company_id, bc_company, entity, since, inclusive)
    values (${companyId}, ${bcCompany}, ${entity}, ${since}, ${inclusive})
        on conflict (company_id, bc_company, entity) do update
       set since = excluded.since, inclusive = excluded.inclusive`;
}

/** Documents are read again from the start, because an earlier first day was chosen. */
export async function forgetDocumentCursors(tx: Tx, companyId: number): Promise<void> {
  await tx`
    delete from bc_cursors where company_id = ${companyId} and entity like 'sales%'`;
}

/**
 * Name of the position for items, changed when their prices began to be stored without the VAT that they include. An
 * older version running beside this one continues under the name of the entity.
 */
export const ITEMS_READ = 'items-2';

/** If some items are held, items are read again from the start: what they lacked may be known by now. */
export async function readHeldItemsAgain(tx: Tx, companyId: number): Promise<void> {
  await tx`
    delete from bc_cursors c
     where c.company_id = ${companyId} and c.entity = ${ITEMS_READ}
       and exists (select from bc_parties p
                    where p.company_id = c.company_id and p.bc_company = c.bc_company
                      and p.kind = 'producto' and p.problems <> '[]')`;
}

function fromRow(row: ConnectionRow): Connection {
  return {
    companyId: row.company_id,
    tenant: row.tenant,
    environment: row.environment,
    bcCompany: row.bc_company,
    bcCompanyName: row.bc_company_name,
    clientId: row.client_id,
    kekId: row.kek_id,
    sealedKey: row.sealed_key,
    sealed: row.sealed,
    status: row.status,
    registersAtOnce: row.registers_at_once,
    writesBack: row.writes_back,
    since: row.since,
    everyMinutes: row.every_minutes,
    declaredOffAt: row.declared_off_at,
    declaredOffBy: row.declared_off_by,
    nextRunAt: row.next_run_at,
    failures: row.failures,
    retriesHeld: row.retries_held,
    runId: row.run_id,
    leaseToken: row.lease_token,
  };
}

function runFromRow(row: RunRow): SyncRun {
  return {
    id: row.id,
    cause: row.cause,
    status: row.status,
    phase: row.phase,
    counts: row.counts,
    message: row.message,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
    reqId: row.req_id,
  };
}
