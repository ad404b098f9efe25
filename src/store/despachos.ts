import { ofCompanies, ofOneCompany, type Statement, type Tx } from './sql.ts';

/** How far a company's cadena was sent, and when it goes on. One row per company. */
export interface Despacho {
  /** Last registro that the AEAT answered for good. */
  readonly enviadoHasta: bigint;
  /** Rejected registros that nobody corrected yet: while there is one, nothing is sent. */
  readonly rechazados: number;
  /** When the oldest registro that waits was made; null while none does. */
  readonly waitingSince: Date | null;
  readonly nextEnvioAt: Date;
  readonly waitSeconds: number;
  readonly failures: number;
  readonly lastError: string | null;
  /** Place that a registro which spoils every message it is in does not pass; null while nothing is isolated. */
  readonly aislarHasta: bigint | null;
  /** A message that was stored and has no answer yet: it goes out again, byte by byte. */
  readonly envioId: bigint | null;
  /** Seconds that the AEAT's clock was ahead of ours at its last answer; null before the first. */
  readonly desfaseSegundos: number | null;
  /** Since when nothing is sent because the AEAT refuses all of it, until a person mends it. */
  readonly detenidoAt: Date | null;
}

/** A company's turn, held until `lease_until`. Writes under another token are refused. */
export interface Lease extends Despacho {
  readonly companyId: number;
  readonly token: bigint;
  /** For how long the turn could have been taken and nobody did, in milliseconds. */
  readonly lateMs: number;
}

interface DespachoRow {
  enviado_hasta: bigint;
  rechazados: number;
  waiting_since: Date | null;
  next_envio_at: Date;
  wait_seconds: number;
  failures: number;
  last_error: string | null;
  aislar_hasta: bigint | null;
  envio_id: bigint | null;
  desfase_segundos: number | null;
  detenido_at: Date | null;
  lease_token: bigint;
}

/** The lease was lost: somebody else sends for this company now, and this process must not write. */
export class LeaseLost extends Error {}

/** The clock of one process may be a little ahead of another's. */
const SAME_MOMENT = '1 minute';

/** Whether a company has something to send that nobody is sending. */
function isGoing(tx: Tx) {
  return tx`waiting_since is not null and rechazados = 0 and detenido_at is null
    and (lease_until is null or lease_until < now())`;
}

/**
 * Whether its turn was written down later than now, by a clock that has been put back since: nobody knows how long it
 * waited, so it waits no more (at least hourly, Orden HAC/1177/2024 art. 16.4).
 */
function isSetAhead(tx: Tx, now: Date) {
  return tx`next_envio_set_at > ${now}::timestamptz + ${SAME_MOMENT}::interval`;
}

/**
 * Companies with something to send whose time has come, those that wait longest first.
 *
 * A plain select and then one conditional update per company (`claimLease`) instead of `for update
 * skip locked` over several: that needs no lock across companies, which a distributed PostgreSQL
 * refuses (docs/decisions/0006).
 */
export async function findDue(tx: Tx, now: Date, limit: number): Promise<number[]> {
  // Each by an index of its own: with `or`, all that wait would be read.
  const [due, setAhead] = await Promise.all([
    tx<{ company_id: number }[]>`
      select company_id from despachos
       where next_envio_at <= ${now} and ${isGoing(tx)}
       order by next_envio_at
       limit ${limit}`,
    tx<{ company_id: number }[]>`
      select company_id from despachos
       where ${isSetAhead(tx, now)} and ${isGoing(tx)}
       limit ${limit}`,
  ]);
  return [...new Set([...due, ...setAhead].map((row) => row.company_id))];
}

/** Takes a company's turn, or null when another dispatcher has it. Leases run on the database's clock. */
export async function claimLease(
  tx: Tx,
  companyId: number,
  now: Date,
  leaseSeconds: number,
): Promise<Lease | null> {
  const [row] = await tx<DespachoRow[]>`
    update despachos
       set lease_until = now() + make_interval(secs => ${leaseSeconds}), lease_token = lease_token + 1
     where company_id = ${companyId} and ${isGoing(tx)}
       and (next_envio_at <= ${now} or ${isSetAhead(tx, now)})
 returning *`;
  if (!row) return null;
  const { next_envio_at: next, waiting_since: since } = row;
  const lateMs = now.getTime() - Math.max(next.getTime(), since?.getTime() ?? 0);
  return { ...fromRow(row), companyId, token: row.lease_token, lateMs };
}

/**
 * Locks the company's row for the transaction that ends a turn, before it writes anything: statements
 * that travel behind it, the commit among them, cannot be called back.
 *
 * @throws {LeaseLost} when the turn is somebody else's by now
 */
export async function holdLease(tx: Tx, lease: Lease): Promise<void> {
  const rows = await tx`
    select 1 from despachos
     where company_id = ${lease.companyId} and lease_token = ${String(lease.token)}
       for update`;
  if (rows.length === 0) throw new LeaseLost();
}

/** Locks the row of a company for whoever moves its invoices between the lists outside a turn. */
export async function lockDespacho(tx: Tx, companyId: number): Promise<void> {
  await tx`select 1 from despachos where company_id = ${companyId} for update`;
}

/**
 * Ends the turn under way, whoever has it: what it brings is not written, and the same bytes go again.
 * Locks the row, as `lockDespacho`.
 */
export async function endTurnUnderWay(tx: Tx, companyId: number): Promise<void> {
  await tx`
    update despachos set lease_token = lease_token + 1, lease_until = null
     where company_id = ${companyId}`;
}

/**
 * Ends the turn under way and counts all of the cadena as sent: nothing of it is to go out any more, and what comes next
 * waits for nothing of it. Locks the row, as `lockDespacho`; the caller holds the head.
 */
export async function forgetWaiting(tx: Tx, companyId: number, now: Date): Promise<void> {
  await tx`
    update despachos d
       set lease_token = lease_token + 1, lease_until = null, enviado_hasta = k.last_seq, envio_id = null,
           aislar_hasta = null, rechazados = 0, waiting_since = null, next_envio_at = ${now}, failures = 0,
           last_error = null, detenido_at = null, detenido_codigo = null
      from cadenas k
     where d.company_id = ${companyId} and k.company_id = ${companyId}`;
}

/** Holds a turn for longer, unless it ended or is somebody else's by now. */
export async function renewLease(tx: Tx, lease: Lease, leaseSeconds: number): Promise<void> {
  await tx`
    update despachos set lease_until = now() + make_interval(secs => ${leaseSeconds})
     where company_id = ${lease.companyId} and lease_token = ${String(lease.token)}
       and lease_until is not null`;
}

/** Gives a turn back that ended before anything could be stored: the next one begins at once. */
export async function releaseLease(tx: Tx, lease: Lease): Promise<void> {
  await tx`
    update despachos set lease_until = null
     where company_id = ${lease.companyId} and lease_token = ${String(lease.token)}`;
}

/** Gives a turn back that failed, whatever it was: the next one begins later. Unless it is somebody else's by now. */
export async function failTurn(
  tx: Tx,
  lease: Lease,
  end: Pick<TurnEnd, 'failures' | 'lastError' | 'nextEnvioAt' | 'endedAt'>,
): Promise<void> {
  await tx`
    update despachos
       set lease_until = null, failures = ${end.failures}, last_error = ${end.lastError},
           next_envio_at = ${end.nextEnvioAt}, next_envio_set_at = ${end.endedAt}
     where company_id = ${lease.companyId} and lease_token = ${String(lease.token)}`;
}

/** Ties a stored message to the company, so that after a crash it is sent again as it was. */
export async function startEnvio(tx: Tx, lease: Lease, envioId: bigint): Promise<void> {
  await tx`
    update despachos set envio_id = ${String(envioId)} where company_id = ${lease.companyId}`;
}

/** What a turn leaves behind. `isDrained` says that nothing of the cadena waits any more. */
export interface TurnEnd {
  readonly enviadoHasta: bigint;
  readonly newRechazados: number;
  readonly nextEnvioAt: Date;
  readonly endedAt: Date;
  readonly waitSeconds: number;
  readonly failures: number;
  readonly lastError: string | null;
  readonly aislarHasta: bigint | null;
  /** True keeps the message: its outcome is unknown and the same bytes go again. */
  readonly keepsEnvio: boolean;
  readonly isDrained: boolean;
}

/**
 * Ends a turn and gives the lease back. The transaction holds the lease (`holdLease`). What is left waits since its own
 * oldest registro was made: the one that waited before may have been answered.
 */
export async function endTurn(tx: Tx, lease: Lease, end: TurnEnd): Promise<void> {
  const oldest = tx`
    select r.generated_at from registros r
     where r.company_id = ${lease.companyId} and r.seq = ${String(end.enviadoHasta + 1n)}`;
  await tx`
    update despachos
       set enviado_hasta = ${String(end.enviadoHasta)},
           rechazados = rechazados + ${end.newRechazados},
           next_envio_at = ${end.nextEnvioAt}, next_envio_set_at = ${end.endedAt},
           wait_seconds = ${end.waitSeconds},
           failures = ${end.failures},
           last_error = ${end.lastError},
           aislar_hasta = ${end.aislarHasta === null ? null : String(end.aislarHasta)},
           envio_id = case when ${end.keepsEnvio} then envio_id end,
           waiting_since = case when not ${end.isDrained} then coalesce((${oldest}), waiting_since) end,
           lease_until = null
     where company_id = ${lease.companyId}`;
}

/**
 * Says that companies have registros to send. Writes nothing when it is known already, which is what
 * keeps this row free while many invoices are registered.
 */
export function markingWaiting(tx: Tx, companyIds: readonly number[], now: Date): Statement {
  return tx`
    update despachos set waiting_since = ${now}
     where ${ofCompanies(tx, 'company_id', companyIds)} and waiting_since is null`;
}

/**
 * How far the AEAT's clock was from ours, at its last answer. Written when it changes, or each hour. The time is the
 * database's: by the clocks of the processes, one that is slow would never be the newest, and one that is fast always
 * would.
 */
export async function saveDesfase(tx: Tx, companyId: number, segundos: number): Promise<void> {
  await tx`
    update despachos set desfase_segundos = ${segundos}, desfase_at = now()
     where company_id = ${companyId}
       and (desfase_segundos is distinct from ${segundos}
            or desfase_at not between now() - interval '1 hour' and now())`;
}

/** Rejected registros got their corrections: what waited behind them may go. */
export async function releaseRechazados(
  tx: Tx,
  corrected: readonly { readonly companyId: number; readonly count: number }[],
): Promise<void> {
  await tx`
    update despachos d
       set rechazados = greatest(d.rechazados - t.count, 0)
      from unnest(${corrected.map((c) => c.companyId)}::int[],
                  ${corrected.map((c) => c.count)}::int[]) as t (company_id, count)
     where d.company_id = t.company_id ${ofOneCompany(tx, 'd.company_id', corrected)}`;
}

/** Tries at once instead of at the next hour, e.g. after a new certificate. */
export async function retryNow(tx: Tx, companyId: number, now: Date): Promise<void> {
  await resumeStopped(tx, companyId, now);
  await tx`
    update despachos set next_envio_at = ${now}, failures = 0, last_error = null
     where company_id = ${companyId} and (failures > 0 or last_error is not null)`;
}

/**
 * Lets a company's sending go on that had stopped: what the AEAT refused was changed, or somebody says
 * so. Not before the wait between two messages is over: the AEAT did answer the last one.
 */
export async function resumeStopped(tx: Tx, companyId: number, now: Date): Promise<void> {
  await tx`
    update despachos
       set next_envio_at = greatest(next_envio_at, ${now}), failures = 0, last_error = null, detenido_at = null,
           detenido_codigo = null
     where company_id = ${companyId} and detenido_at is not null`;
}

/**
 * Stops a company's sending until a person mends what the AEAT refuses. In the transaction that ends
 * the turn.
 *
 * @returns whether its owner should be told: at most once a day, however often it is tried again
 */
export async function stopSending(
  tx: Tx,
  companyId: number,
  { code, now }: { readonly code: number | null; readonly now: Date },
): Promise<boolean> {
  await tx`
    update despachos set detenido_at = ${now}, detenido_codigo = ${code}
     where company_id = ${companyId}`;
  const told = await tx`
    update despachos set detenido_avisado_at = ${now}
     where company_id = ${companyId}
       and (detenido_avisado_at is null or detenido_avisado_at <= ${now}::timestamptz - interval '1 day')
 returning 1`;
  return told.length > 0;
}

export async function findDespacho(tx: Tx, companyId: number): Promise<Despacho | null> {
  const [row] = await tx<DespachoRow[]>`select * from despachos where company_id = ${companyId}`;
  return row ? fromRow(row) : null;
}

/**
 * Over all companies, for health and metrics: how many registros wait, and since when the oldest of those that
 * nothing holds but the AEAT and this installation. A company that has to do something first (correct an invoice, renew
 * its certificate) may take days, and nobody else can help it.
 *
 * @param areDemosApart they wait for the AEAT's test service, which rests more often and stops nobody
 */
export async function countWaiting(
  tx: Tx,
  now: Date,
  { areDemosApart }: { readonly areDemosApart: boolean },
): Promise<{ pendientes: number; since: Date | null }> {
  const [row] = await tx<{ pendientes: number; since: Date | null }[]>`
    select coalesce(sum(c.last_seq - d.enviado_hasta), 0)::int as pendientes,
           min(d.waiting_since) filter (
             where d.rechazados = 0 and d.detenido_at is null and k.valido_hasta > ${now}
               and not (${areDemosApart} and e.subscription_type = 'Demo')) as since
      from despachos d
      join cadenas c on c.company_id = d.company_id
      join companies e on e.id = d.company_id
      left join certificates k on k.company_id = d.company_id
     where d.waiting_since is not null`;
  return row ?? { pendientes: 0, since: null };
}

function fromRow(row: DespachoRow): Despacho {
  return {
    enviadoHasta: row.enviado_hasta,
    rechazados: row.rechazados,
    waitingSince: row.waiting_since,
    nextEnvioAt: row.next_envio_at,
    waitSeconds: row.wait_seconds,
    failures: row.failures,
    lastError: row.last_error,
    aislarHasta: row.aislar_hasta,
    envioId: row.envio_id,
    desfaseSegundos: row.desfase_segundos,
    detenidoAt: row.detenido_at,
  };
}
