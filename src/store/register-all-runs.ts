import type { InvoiceDraft } from '../contract/invoices.ts';
import { isUnheld } from './leases.ts';
import type { Tx } from './sql.ts';

export type RunStatus = 'en-marcha' | 'parando' | 'parada' | 'terminada' | 'detenida';

export interface RegisterAllRun {
  readonly companyId: number;
  readonly status: RunStatus;
  readonly lastInvoiceId: bigint;
  /** The drafts that a user selected, or null for all up to `lastInvoiceId`. */
  readonly chosen: readonly bigint[] | null;
  readonly total: number;
  readonly registered: number;
  readonly failed: number;
  readonly message: string | null;
  /** Dates of what it registered, `2026-11-20`; null for nothing, or in a run of a version that did not note them. */
  readonly firstDay: string | null;
  readonly lastDay: string | null;
  readonly startedAt: Date;
  readonly finishedAt: Date | null;
  readonly leaseToken: bigint;
  /** The call that started it. */
  readonly reqId: string | null;
}

interface RunRow {
  company_id: number;
  status: RunStatus;
  last_invoice_id: bigint;
  chosen: bigint[] | null;
  total: number;
  registered: number;
  failed: number;
  message: string | null;
  first_day: string | null;
  last_day: string | null;
  started_at: Date;
  finished_at: Date | null;
  lease_token: bigint;
  req_id: string | null;
}

/** The columns of a {@link RunRow}. */
function columns(tx: Tx) {
  return tx`company_id, status, last_invoice_id, chosen, total, registered, failed, message, first_day, last_day,
    started_at, finished_at, lease_token, req_id`;
}

export interface RunFailure {
  readonly docNo: string;
  readonly customerName: string;
  readonly messages: string[];
}

/** The next draft to register, as the form left it. */
export interface DraftInTurn {
  readonly id: bigint;
  readonly docNo: string;
  /** `2026-11-20`. */
  readonly postingDate: string;
  readonly version: number;
  readonly draft: InvoiceDraft;
}

export async function findRegisterAllRun(
  tx: Tx,
  companyId: number,
): Promise<RegisterAllRun | null> {
  const [row] = await tx<RunRow[]>`
    select ${columns(tx)} from register_runs where company_id = ${companyId}`;
  return row ? fromRow(row) : null;
}

export interface RunOpening {
  /** The call that starts it. */
  readonly reqId?: string | undefined;
  /** Numbers of the drafts that a user selected; without them, all. */
  readonly docNos?: readonly string[] | undefined;
}

/**
 * Opens the run of a company over the drafts that it has now, or over some of them.
 *
 * One row per company with a condition on it: of two that start at once, one opens it.
 *
 * @returns how many drafts it covers, or null when one is under way
 */
export async function openRun(
  tx: Tx,
  companyId: number,
  now: Date,
  { reqId, docNos }: RunOpening = {},
): Promise<number | null> {
  const [run] = await tx<{ total: number }[]>`
    insert into register_runs as r
           (company_id, status, last_invoice_id, chosen, total, started_at, req_id)
    select ${companyId}, 'en-marcha', ${docNos ? tx`0` : tx`coalesce(max(id), 0)`},
           ${docNos ? tx`coalesce(array_agg(id), '{}')` : null}::bigint[], count(*)::int, ${now}, ${reqId ?? null}
      from invoices
     where company_id = ${companyId} and status = 'Borrador'
       ${docNos ? tx`and doc_no = any(${[...docNos]}::text[])` : tx``}
        on conflict (company_id) do update
       set status = 'en-marcha', last_invoice_id = excluded.last_invoice_id, chosen = excluded.chosen,
           total = excluded.total, registered = 0, failed = 0, message = null, first_day = null, last_day = null,
           started_at = excluded.started_at, finished_at = null, lease_until = 'epoch',
           req_id = excluded.req_id
     where r.status not in ('en-marcha', 'parando')
 returning r.total`;
  return run?.total ?? null;
}

/** Whether the run under way covers exactly these drafts, as far as they are still drafts. */
export async function isRunOver(
  tx: Tx,
  companyId: number,
  docNos: readonly string[],
): Promise<boolean> {
  const run = await findRegisterAllRun(tx, companyId);
  if (run?.status !== 'en-marcha' || run.chosen === null) return false;
  const [others] = await tx<{ count: number }[]>`
    select count(*)::int as count
      from invoices
     where company_id = ${companyId} and status = 'Borrador'
       and (${isOfRun(tx, run)}) <> (doc_no = any(${[...docNos]}::text[]))`;
  return others?.count === 0;
}

export async function clearFailures(tx: Tx, companyId: number): Promise<void> {
  await tx`delete from register_run_failures where company_id = ${companyId}`;
}

/** Deletes the run of a closed account: its failures name customers. */
export async function deleteRun(tx: Tx, companyId: number): Promise<void> {
  await tx`delete from register_runs where company_id = ${companyId}`;
}

/**
 * Removes drafts that are about to be deleted from a run under way: when it counts, it takes whatever is no longer left
 * for registered.
 */
export async function leaveOutOfRun(
  tx: Tx,
  companyId: number,
  ids: readonly bigint[],
): Promise<void> {
  await tx`
    update register_runs r
       set total = r.total - (
             select count(*) from unnest(${ids.map(String)}::bigint[]) as d (id)
              where case when r.last_invoice_id = 0 then d.id = any(r.chosen) else d.id <= r.last_invoice_id end)
     where r.company_id = ${companyId} and r.status in ('en-marcha', 'parando')`;
}

/** Asks a run to stop; it does after the batch it is in. */
export async function askToStop(tx: Tx, companyId: number): Promise<void> {
  await tx`
    update register_runs set status = 'parando'
     where company_id = ${companyId} and status = 'en-marcha'`;
}

/** Companies whose run no process carries: its process died, or has not started it yet. */
export async function findOrphanRuns(tx: Tx): Promise<number[]> {
  const rows = await tx<{ company_id: number }[]>`
    select company_id from register_runs
     where status in ('en-marcha', 'parando') and ${isUnheld(tx)}
     order by lease_until limit 20`;
  return rows.map((row) => row.company_id);
}

/**
 * Takes a run that no process carries, or null. The lease runs on the database's clock, since processes may differ.
 */
export async function takeRun(
  tx: Tx,
  companyId: number,
  leaseSeconds: number,
): Promise<RegisterAllRun | null> {
  const [row] = await tx<RunRow[]>`
    update register_runs
       set lease_until = now() + make_interval(secs => ${leaseSeconds}),
           lease_token = lease_token + 1
     where company_id = ${companyId} and status in ('en-marcha', 'parando')
       and ${isUnheld(tx)}
 returning ${columns(tx)}`;
  return row ? fromRow(row) : null;
}

/**
 * Counts anew how far a run got: what is registered, from what is left of it, so that a crash between a batch and its
 * note loses nothing. It locks the run first, so that deleting drafts of it happens either before or afterwards.
 */
export async function countProgress(
  tx: Tx,
  run: Pick<RegisterAllRun, 'companyId' | 'leaseToken' | 'lastInvoiceId' | 'chosen'>,
): Promise<void> {
  const { companyId, leaseToken } = run;
  await tx`select 1 from register_runs where company_id = ${companyId} for no key update`;
  await tx`
    update register_runs r
       set failed = f.count, registered = greatest(r.total - left_over.count, 0)
      from (select count(*)::int as count from register_run_failures
             where company_id = ${companyId}) as f,
           (select count(*)::int as count from invoices
             where company_id = ${companyId} and status = 'Borrador' and ${isOfRun(tx, run)}) as left_over
     where r.company_id = ${companyId} and r.lease_token = ${String(leaseToken)}`;
}

/** What a batch of a run came to, with the dates of what it registered. */
export interface BatchDone {
  readonly registered: number;
  readonly failed: number;
  readonly firstDay: string | null;
  readonly lastDay: string | null;
}

/**
 * Adds a batch to the progress of a run, extends its lease, and reports whether it was asked to stop.
 *
 * @returns null when another process took the run meanwhile
 */
export async function noteProgress(
  tx: Tx,
  { companyId, leaseToken }: Pick<RegisterAllRun, 'companyId' | 'leaseToken'>,
  done: BatchDone,
  leaseSeconds: number,
): Promise<RunStatus | null> {
  const [row] = await tx<{ status: RunStatus }[]>`
    update register_runs
       set lease_until = now() + make_interval(secs => ${leaseSeconds}),
           registered = registered + ${done.registered}, failed = failed + ${done.failed},
           first_day = least(first_day, ${done.firstDay}::date), last_day = greatest(last_day, ${done.lastDay}::date)
     where company_id = ${companyId} and lease_token = ${String(leaseToken)}
 returning status`;
  return row?.status ?? null;
}

export async function endRun(
  tx: Tx,
  { companyId, leaseToken }: Pick<RegisterAllRun, 'companyId' | 'leaseToken'>,
  end: { readonly status: RunStatus; readonly message: string | null; readonly now: Date },
): Promise<void> {
  await tx`
    update register_runs
       set status = ${end.status}, message = ${end.message}, finished_at = ${end.now},
           lease_until = 'epoch'
     where company_id = ${companyId} and lease_token = ${String(leaseToken)}`;
}

/**
 * The next drafts of a run, by date and, within a day, in the order of creation.
 *
 * @param after where the last batch ended: drafts before it are not walked again
 */
export async function nextDrafts(
  tx: Tx,
  run: Pick<RegisterAllRun, 'companyId' | 'lastInvoiceId' | 'chosen'>,
  after: Pick<DraftInTurn, 'postingDate' | 'id'> | null,
  limit: number,
): Promise<DraftInTurn[]> {
  return tx<DraftInTurn[]>`
    select i.id, i.doc_no as "docNo", i.posting_date as "postingDate", i.version, d.draft
      from invoices i
      join invoice_documents d on d.company_id = i.company_id and d.invoice_id = i.id
     where i.company_id = ${run.companyId} and i.status = 'Borrador' and ${isOfRun(tx, run)}
       ${after ? tx`and (i.posting_date, i.id) > (${after.postingDate}::date, ${String(after.id)}::bigint)` : tx``}
       and not exists (select 1 from register_run_failures f
                        where f.company_id = i.company_id and f.invoice_id = i.id)
     order by i.posting_date, i.id
     limit ${limit}`;
}

/** Whether an invoice `id` belongs to a run. */
function isOfRun(
  tx: Tx,
  { lastInvoiceId, chosen }: Pick<RegisterAllRun, 'lastInvoiceId' | 'chosen'>,
) {
  return chosen
    ? tx`id = any(${chosen.map(String)}::bigint[])`
    : tx`id <= ${String(lastInvoiceId)}`;
}

/**
 * Records the drafts that were refused. One that stopped being a draft meanwhile is no failure, nor is one that is
 * being deleted: it is waited for, because a row that refers to it would break the run.
 *
 * @returns how many were recorded
 */
export async function saveFailures(
  tx: Tx,
  companyId: number,
  failures: readonly { readonly id: bigint; readonly messages: readonly string[] }[],
): Promise<number> {
  if (failures.length === 0) return 0;
  const { count } = await tx`
    insert into register_run_failures (company_id, invoice_id, doc_no, customer_name, messages)
    select i.company_id, i.id, i.doc_no, i.customer_name, t.messages::jsonb
      from unnest(${failures.map(({ id }) => String(id))}::bigint[],
                  ${failures.map(({ messages }) => JSON.stringify(messages))}::text[]) as t (id, messages)
      join invoices i on i.company_id = ${companyId} and i.id = t.id and i.status = 'Borrador'
       for key share of i
        on conflict (company_id, invoice_id) do update set messages = excluded.messages`;
  return count;
}

/** The refused drafts of the last run that are still drafts, by date: the first `limit`, and how many there are. */
export async function listFailures(
  tx: Tx,
  companyId: number,
  limit: number,
): Promise<{ readonly total: number; readonly first: readonly RunFailure[] }> {
  const first = await tx<(RunFailure & { readonly total: number })[]>`
    select f.doc_no as "docNo", f.customer_name as "customerName", f.messages,
           (count(*) over ())::int as total
      from register_run_failures f
      join invoices i on i.company_id = f.company_id and i.id = f.invoice_id
     where f.company_id = ${companyId} and i.status = 'Borrador'
     order by i.posting_date, i.id
     limit ${limit}`;
  return { total: first[0]?.total ?? 0, first };
}

function fromRow(row: RunRow): RegisterAllRun {
  return {
    companyId: row.company_id,
    status: row.status,
    lastInvoiceId: row.last_invoice_id,
    // A run opened by a version without this column has a `lastInvoiceId`, and may have found the column filled by an
    // earlier run.
    chosen: row.last_invoice_id === 0n ? row.chosen : null,
    total: row.total,
    registered: row.registered,
    failed: row.failed,
    message: row.message,
    firstDay: row.first_day,
    lastDay: row.last_day,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
    leaseToken: row.lease_token,
    reqId: row.req_id,
  };
}
