import { isUnheld } from './leases.ts';
import type { Tx } from './sql.ts';

export type DataCopyStatus = 'preparando' | 'lista' | 'fallida';

/** The ZIP with all the data of a company: being made, ready to be downloaded, or given up. */
export interface DataCopy {
  readonly companyId: number;
  readonly id: string;
  readonly status: DataCopyStatus;
  readonly fileName: string;
  readonly requestedAt: Date;
  /** Null until it is made or given up. */
  readonly expiresAt: Date | null;
  /** Invoices drawn so far, of how many. */
  readonly done: number;
  readonly total: number;
  readonly bytes: number;
  /** How many times it was started, including this one. */
  readonly attempts: number;
  readonly leaseToken: bigint;
}

interface DataCopyRow {
  company_id: number;
  id: string;
  status: DataCopyStatus;
  file_name: string;
  requested_at: Date;
  expires_at: Date | null;
  done: number;
  total: number;
  bytes: bigint;
  attempts: number;
  lease_token: bigint;
}

/** The columns of a {@link DataCopyRow}. */
function columns(tx: Tx) {
  return tx`company_id, id, status, file_name, requested_at, expires_at, done, total, bytes, attempts, lease_token`;
}

/** Identifies the process that makes a copy: only the holder of the latest token may write. */
export type HeldCopy = Pick<DataCopy, 'companyId' | 'leaseToken'>;

export async function findDataCopy(tx: Tx, companyId: number): Promise<DataCopy | null> {
  const [row] = await tx<DataCopyRow[]>`
    select ${columns(tx)} from data_copies where company_id = ${companyId}`;
  return row ? fromRow(row) : null;
}

/**
 * Requests a copy in place of the previous one, which is destroyed.
 *
 * @returns false, with nothing done, while one is being made
 */
export async function openDataCopy(
  tx: Tx,
  companyId: number,
  copy: Pick<DataCopy, 'id' | 'fileName' | 'requestedAt'>,
): Promise<boolean> {
  const { count } = await tx`
    insert into data_copies as c (company_id, id, status, file_name, requested_at, total)
    select ${companyId}, ${copy.id}, 'preparando', ${copy.fileName}, ${copy.requestedAt}, count(*)::int
      from invoices where company_id = ${companyId}
        on conflict (company_id) do update
       set id = excluded.id, status = 'preparando', file_name = excluded.file_name,
           requested_at = excluded.requested_at, ready_at = null, expires_at = null, done = 0,
           total = excluded.total, bytes = 0, attempts = 0, lease_until = 'epoch'
     where c.status <> 'preparando'`;
  if (count === 1) await deletePieces(tx, companyId);
  return count === 1;
}

/** Companies whose copy no process is making, oldest request first. */
export async function findDueDataCopies(tx: Tx, limit: number): Promise<number[]> {
  const rows = await tx<{ company_id: number }[]>`
    select company_id from data_copies
     where status = 'preparando' and ${isUnheld(tx)}
     order by requested_at limit ${limit}`;
  return rows.map((row) => row.company_id);
}

/** Takes a copy that no process is making, to make it from the beginning; null when another one has it. */
export async function takeDataCopy(
  tx: Tx,
  companyId: number,
  leaseSeconds: number,
): Promise<DataCopy | null> {
  const [row] = await tx<DataCopyRow[]>`
    update data_copies
       set lease_until = now() + make_interval(secs => ${leaseSeconds}),
           lease_token = lease_token + 1, attempts = attempts + 1, done = 0, bytes = 0
     where company_id = ${companyId} and status = 'preparando' and ${isUnheld(tx)}
 returning ${columns(tx)}`;
  if (row) await deletePieces(tx, companyId);
  return row ? fromRow(row) : null;
}

/**
 * Stores a piece of the ZIP and extends the lease.
 *
 * @param done invoices drawn so far
 * @returns false, with nothing stored, when another process has the copy now
 */
export async function addPiece(
  tx: Tx,
  { companyId, leaseToken }: HeldCopy,
  { piece, content, done }: { piece: number; content: Buffer; done: number },
  leaseSeconds: number,
): Promise<boolean> {
  const { count } = await tx`
    with held as (
      update data_copies
         set bytes = bytes + ${content.length}, done = ${done},
             lease_until = now() + make_interval(secs => ${leaseSeconds})
       where company_id = ${companyId} and lease_token = ${String(leaseToken)}
   returning company_id)
    insert into data_copy_pieces (company_id, piece, content)
    select company_id, ${piece}, ${content} from held`;
  return count === 1;
}

/** @returns false when another process has the copy now */
export async function endDataCopy(
  tx: Tx,
  { companyId, leaseToken }: HeldCopy,
  end: {
    readonly status: 'lista' | 'fallida';
    readonly done: number;
    readonly now: Date;
    readonly expiresAt: Date;
  },
): Promise<boolean> {
  const { count } = await tx`
    update data_copies
       set status = ${end.status}, done = ${end.done}, ready_at = ${end.now},
           expires_at = ${end.expiresAt}, lease_until = 'epoch'
     where company_id = ${companyId} and lease_token = ${String(leaseToken)}`;
  if (end.status === 'fallida' && count === 1) await deletePieces(tx, companyId);
  return count === 1;
}

/** Gives a ready copy another id, which invalidates its earlier link. */
export async function renameDataCopy(tx: Tx, companyId: number, id: string): Promise<void> {
  await tx`
    update data_copies set id = ${id} where company_id = ${companyId} and status = 'lista'`;
}

/**
 * Releases an unfinished copy, for another process to start it again.
 *
 * @param countsAsAttempt false when only this process had to end
 */
export async function leaveDataCopy(
  tx: Tx,
  { companyId, leaseToken }: HeldCopy,
  { countsAsAttempt, retryInSeconds }: { countsAsAttempt: boolean; retryInSeconds: number },
): Promise<void> {
  await tx`
    update data_copies
       set lease_until = now() + make_interval(secs => ${retryInSeconds}),
           lease_token = lease_token + 1, attempts = attempts - ${countsAsAttempt ? 0 : 1}
     where company_id = ${companyId} and lease_token = ${String(leaseToken)}`;
}

/** A piece of the ZIP; null when the copy was destroyed or replaced meanwhile. */
export async function findPiece(
  tx: Tx,
  companyId: number,
  { copyId, piece }: { readonly copyId: string; readonly piece: number },
): Promise<Buffer | null> {
  const [row] = await tx<{ content: Buffer }[]>`
    select p.content
      from data_copies c
      join data_copy_pieces p on p.company_id = c.company_id
     where c.company_id = ${companyId} and c.id = ${copyId} and p.piece = ${piece}`;
  return row?.content ?? null;
}

async function deletePieces(tx: Tx, companyId: number): Promise<void> {
  await tx`delete from data_copy_pieces where company_id = ${companyId}`;
}

function fromRow(row: DataCopyRow): DataCopy {
  return {
    companyId: row.company_id,
    id: row.id,
    status: row.status,
    fileName: row.file_name,
    requestedAt: row.requested_at,
    expiresAt: row.expires_at,
    done: row.done,
    total: row.total,
    bytes: Number(row.bytes),
    attempts: row.attempts,
    leaseToken: row.lease_token,
  };
}
