import { REFUSED } from './certificates.ts';
import { isUnheld } from './leases.ts';
import { ofCompanies, ofOneCompany, type Statement, type Tx } from './sql.ts';

/** How far a company's cadena has been sent, and when sending continues. One row per company. */
export interface Despacho {
  /** Last registro with a definitive answer from the AEAT. */
  readonly enviadoHasta: bigint;
  /** Rejected registros not corrected yet: while there is one, nothing is sent. */
  readonly rechazados: number;
  /** When the oldest waiting registro was made; null when none waits. */
  readonly waitingSince: Date | null;
  readonly nextEnvioAt: Date;
  readonly waitSeconds: number;
  readonly failures: number;
  readonly lastError: string | null;
  /**
   * While the registro that makes the AEAT refuse its whole message is being isolated: the last position a message
   * may reach. Otherwise null.
   */
  readonly aislarHasta: bigint | null;
  /** A stored message without an answer: it is sent again, byte by byte. */
  readonly envioId: bigint | null;
  /** Seconds by which the AEAT's clock was ahead of ours at its last answer; null before the first one. */
  readonly desfaseSegundos: number | null;
  /** Since when nothing is sent because the AEAT refuses everything, until a person fixes the cause. */
  readonly detenidoAt: Date | null;
  /** Positions that are never sent (docs/decisions/0460). Usually none. */
  readonly retenidos: readonly bigint[];
}

/** A company's turn, held until `lease_until`. Writes under another token are refused. */
export interface Lease extends Despacho {
  readonly companyId: number;
  readonly token: bigint;
  /** For how many milliseconds the turn had been due. */
  readonly lateMs: number;
  /** See {@link sendingTime}. */
  readonly aheadSeconds: number;
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
  retenidos: string[];
  lease_token: bigint;
}

/** The columns of a {@link DespachoRow}. */
function columns(tx: Tx) {
  return tx`enviado_hasta, rechazados, waiting_since, next_envio_at, wait_seconds, failures, last_error, aislar_hasta,
    envio_id, desfase_segundos, detenido_at, retenidos::text[] as retenidos, lease_token`;
}

/** The lease was lost: another process sends for this company now, and this one must not write. */
export class LeaseLost extends Error {}

/** The clocks of two database servers, before and after a failover, may differ slightly. */
const SAME_MOMENT = '1 minute';

/**
 * The time by which turns are scheduled. It is the database's, because the clocks of two dispatchers may differ by
 * minutes, and each would then send too early or too late what the other one has scheduled.
 *
 * @param aheadSeconds by how much the application's clock is ahead on purpose (`Deps`)
 */
function sendingTime(tx: Tx, aheadSeconds: number): Statement {
  return tx`(now() + make_interval(secs => ${aheadSeconds}))`;
}

/** Whether a company has something to send that nobody is sending. */
function isGoing(tx: Tx) {
  return tx`waiting_since is not null and rechazados = 0 and detenido_at is null
    and ${isUnheld(tx)} and not ${isRepeatedTooSoon(tx)} and not ${isOfUncheckedCopy(tx, tx`despachos.company_id`)}`;
}

/**
 * Whether a turn was cut off with its message on the way, by the death of its process, and the wait that the AEAT asks
 * for between two messages is not over: it may have taken that one. The lease was renewed until the end.
 */
function isRepeatedTooSoon(tx: Tx): Statement {
  return tx`(
    envio_id is not null and lease_until is not null
    and now() between lease_until and lease_until + make_interval(secs => wait_seconds))`;
}

/**
 * Whether a company is one of a restored copy that the AEAT has not been asked about yet. What waited when the copy was
 * made may have been sent since: a correction or an anulación would take effect again, over later ones of the same
 * invoice that the copy lacks, and hide that they are missing.
 */
function isOfUncheckedCopy(tx: Tx, companyId: Statement): Statement {
  return tx`exists (
    select from cadenas k
     where k.company_id = ${companyId} and k.reconcile_required_at is not null and k.reconcile_reason <> 'falta')`;
}

/**
 * Whether its turn was scheduled by a clock that has been set back since. How long it has waited is unknown, so it
 * waits no longer (at least hourly, Orden HAC/1177/2024 art. 16.4).
 */
function isSetAhead(tx: Tx, aheadSeconds: number) {
  return tx`next_envio_set_at > ${sendingTime(tx, aheadSeconds)} + ${SAME_MOMENT}::interval`;
}

/**
 * Companies with something to send that are due, the longest waiting first.
 *
 * A plain select and then one conditional update per company (`claimLease`), instead of `for update skip locked` over
 * several: it needs no lock across companies, which a distributed PostgreSQL refuses (docs/decisions/0006).
 */
export async function findDue(tx: Tx, aheadSeconds: number, limit: number): Promise<number[]> {
  // Two selects, each with an index of its own: with `or`, every waiting company would be read.
  const [due, setAhead] = await Promise.all([
    tx<{ company_id: number }[]>`
      select company_id from despachos
       where next_envio_at <= ${sendingTime(tx, aheadSeconds)} and ${isGoing(tx)}
       order by next_envio_at
       limit ${limit}`,
    tx<{ company_id: number }[]>`
      select company_id from despachos
       where ${isSetAhead(tx, aheadSeconds)} and ${isGoing(tx)}
       limit ${limit}`,
  ]);
  return [...new Set([...due, ...setAhead].map((row) => row.company_id))];
}

/** Takes a company's turn, or null when another dispatcher has it. Leases run on the database's clock. */
export async function claimLease(
  tx: Tx,
  companyId: number,
  aheadSeconds: number,
  leaseSeconds: number,
): Promise<Lease | null> {
  const now = sendingTime(tx, aheadSeconds);
  const [row] = await tx<(DespachoRow & { late_ms: number })[]>`
    update despachos
       set lease_until = now() + make_interval(secs => ${leaseSeconds}), lease_token = lease_token + 1
     where company_id = ${companyId} and ${isGoing(tx)}
       and (next_envio_at <= ${now} or ${isSetAhead(tx, aheadSeconds)})
 returning ${columns(tx)},
           extract(epoch from ${now} - greatest(next_envio_at, waiting_since))::float8 * 1000 as late_ms`;
  if (!row) return null;
  return {
    ...fromRow(row),
    companyId,
    token: row.lease_token,
    lateMs: row.late_ms,
    aheadSeconds,
  };
}

/**
 * Locks the company's row for the transaction that ends a turn. Must come before anything is written, because
 * statements sent behind it, the commit among them, cannot be called back.
 *
 * @throws {LeaseLost} when another process has the turn by now
 */
export async function holdLease(tx: Tx, lease: Lease): Promise<void> {
  const rows = await tx`
    select 1 from despachos
     where company_id = ${lease.companyId} and lease_token = ${String(lease.token)}
       for update`;
  if (rows.length === 0) throw new LeaseLost();
}

/** Locks a company's row for those who move its invoices between the lists outside a turn. */
export async function lockDespacho(tx: Tx, companyId: number): Promise<void> {
  await tx`select 1 from despachos where company_id = ${companyId} for update`;
}

/**
 * Ends the turn under way, whichever process has it: its result is not written, and the same bytes are sent again.
 * Locks the row like `lockDespacho`.
 */
export async function endTurnUnderWay(tx: Tx, companyId: number): Promise<void> {
  await tx`
    update despachos set lease_token = lease_token + 1, lease_until = null
     where company_id = ${companyId}`;
}

/** Registros of these positions are never sent. Locks the row like `lockDespacho`. */
export async function withhold(tx: Tx, companyId: number, seqs: readonly bigint[]): Promise<void> {
  await tx`
    update despachos set retenidos = retenidos || ${seqs.map(String)}::text[]::bigint[]
     where company_id = ${companyId}`;
}

/**
 * Ends the turn under way and marks the whole cadena as sent: nothing of it is to be sent any more, and what follows
 * does not wait for it. Locks the row like `lockDespacho`; the caller holds the head of the cadena.
 */
export async function forgetWaiting(tx: Tx, companyId: number, now: Date): Promise<void> {
  await tx`
    update despachos d
       set lease_token = lease_token + 1, lease_until = null, enviado_hasta = k.last_seq, envio_id = null,
           aislar_hasta = null, rechazados = 0, waiting_since = null, next_envio_at = ${soon(tx, now)}, failures = 0,
           last_error = null, detenido_at = null, detenido_codigo = null
      from cadenas k
     where d.company_id = ${companyId} and k.company_id = ${companyId}`;
}

/**
 * Extends a turn, unless it has ended or another process has it by now.
 *
 * @returns whether it was extended
 */
export async function renewLease(tx: Tx, lease: Lease, leaseSeconds: number): Promise<boolean> {
  const { count } = await tx`
    update despachos set lease_until = now() + make_interval(secs => ${leaseSeconds})
     where company_id = ${lease.companyId} and lease_token = ${String(lease.token)}
       and lease_until is not null`;
  return count === 1;
}

/** Releases a turn that failed for any reason, delaying the next one, unless another process has it by now. */
export async function failTurn(
  tx: Tx,
  lease: Lease,
  end: Pick<TurnEnd, 'failures' | 'lastError' | 'nextEnvioAt' | 'endedAt'>,
): Promise<void> {
  await tx`
    update despachos
       set lease_until = null, failures = ${end.failures}, last_error = ${end.lastError}, is_wait_asked = false,
           ${schedule(tx, lease, end)}
     where company_id = ${lease.companyId} and lease_token = ${String(lease.token)}`;
}

/** When the next turn begins. Only how long that is after this one's end is taken from the clock of this process. */
function schedule(
  tx: Tx,
  { aheadSeconds }: Lease,
  { nextEnvioAt, endedAt }: Pick<TurnEnd, 'nextEnvioAt' | 'endedAt'>,
): Statement {
  const rest = (nextEnvioAt.getTime() - endedAt.getTime()) / 1000;
  const now = sendingTime(tx, aheadSeconds);
  return tx`next_envio_at = ${now} + make_interval(secs => ${rest}), next_envio_set_at = ${now}`;
}

/** Ties a stored message to the company, so that after a crash it is sent again unchanged. */
export async function startEnvio(tx: Tx, lease: Lease, envioId: bigint): Promise<void> {
  await tx`
    update despachos set envio_id = ${String(envioId)} where company_id = ${lease.companyId}`;
}

/** What a turn leaves behind. `isDrained` means that nothing of the cadena waits any more. */
export interface TurnEnd {
  readonly enviadoHasta: bigint;
  readonly newRechazados: number;
  readonly nextEnvioAt: Date;
  /** Whether the AEAT asked for that wait in an answer: nothing cuts it short. */
  readonly isWaitAsked: boolean;
  readonly endedAt: Date;
  readonly waitSeconds: number;
  readonly failures: number;
  readonly lastError: string | null;
  readonly aislarHasta: bigint | null;
  /** True keeps the message: its outcome is unknown, and the same bytes are sent again. */
  readonly keepsEnvio: boolean;
  readonly isDrained: boolean;
}

/**
 * Ends a turn and releases the lease, which the transaction holds (`holdLease`). `waiting_since` moves to the oldest
 * registro that is left, since the previous one may have been answered.
 */
export async function endTurn(tx: Tx, lease: Lease, end: TurnEnd): Promise<void> {
  const oldest = tx`
    select r.generated_at from registros r
     where r.company_id = ${lease.companyId} and r.seq = ${String(end.enviadoHasta + 1n)}`;
  await tx`
    update despachos
       set enviado_hasta = ${String(end.enviadoHasta)},
           rechazados = rechazados + ${end.newRechazados},
           ${schedule(tx, lease, end)},
           is_wait_asked = ${end.isWaitAsked},
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
 * Marks companies as having registros to send. Writes nothing when they are marked already, so this row stays free
 * while many invoices are registered.
 */
export function markingWaiting(tx: Tx, companyIds: readonly number[], now: Date): Statement {
  return tx`
    update despachos set waiting_since = ${now}
     where ${ofCompanies(tx, 'company_id', companyIds)} and waiting_since is null`;
}

/**
 * How far the AEAT's clock was from ours at its last answer. Written when it changes, or each hour. The time is the
 * database's: by the processes' own clocks, a slow one would never be the newest, and a fast one always would.
 */
export async function saveDesfase(tx: Tx, companyId: number, segundos: number): Promise<void> {
  await tx`
    update despachos set desfase_segundos = ${segundos}, desfase_at = now()
     where company_id = ${companyId}
       and (desfase_segundos is distinct from ${segundos}
            or desfase_at not between now() - interval '1 hour' and now())`;
}

/** Rejected registros have been corrected: what waited behind them may be sent. */
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

/** Now, also for a dispatcher whose database's clock is behind the one of this process. */
function soon(tx: Tx, now: Date): Statement {
  return tx`least(${now}::timestamptz, now())`;
}

/**
 * Sends now instead of at the next hourly attempt, e.g. after a new certificate; but not before the wait that the AEAT
 * asked for is over. If it answered, no certificate was wrong.
 */
export async function retryNow(tx: Tx, companyId: number, now: Date): Promise<void> {
  await resumeStopped(tx, companyId, now);
  await tx`
    update despachos set next_envio_at = ${soon(tx, now)}, failures = 0, last_error = null
     where company_id = ${companyId} and (failures > 0 or last_error is not null) and not is_wait_asked`;
}

/**
 * Resumes a company's stopped sending because what the AEAT refused has changed, or its owner says so. Not before the
 * wait between two messages is over, since the AEAT did answer the last one.
 */
export async function resumeStopped(tx: Tx, companyId: number, now: Date): Promise<void> {
  await tx`
    update despachos
       set next_envio_at = greatest(next_envio_at, ${soon(tx, now)}), failures = 0, last_error = null,
           detenido_at = null, detenido_codigo = null
     where company_id = ${companyId} and detenido_at is not null`;
}

/**
 * Stops a company's sending until a person fixes what the AEAT refuses. Part of the transaction that ends the turn.
 *
 * @returns whether its owner has to be told: at most once a day, however often it is retried
 */
export async function stopSending(
  tx: Tx,
  companyId: number,
  {
    code,
    motivo,
    now,
  }: { readonly code: number | null; readonly motivo: string; readonly now: Date },
): Promise<boolean> {
  await tx`
    update despachos set detenido_at = ${now}, detenido_codigo = ${code}, last_error = ${motivo}
     where company_id = ${companyId}`;
  const told = await tx`
    update despachos set detenido_avisado_at = ${now}
     where company_id = ${companyId}
       and (detenido_avisado_at is null or detenido_avisado_at <= ${now}::timestamptz - interval '1 day')
 returning 1`;
  return told.length > 0;
}

export async function findDespacho(tx: Tx, companyId: number): Promise<Despacho | null> {
  const [row] = await tx<DespachoRow[]>`
    select ${columns(tx)} from despachos where company_id = ${companyId}`;
  return row ? fromRow(row) : null;
}

/**
 * Whether what fails is this company's alone: the AEAT has answered another one since then, or no other one fails. One
 * that answers nobody has a trouble of its own.
 */
export async function failsAlone(tx: Tx, companyId: number, since: Date): Promise<boolean> {
  const [row] = await tx<{ isAlone: boolean }[]>`
    select exists (
             select from despachos
              where desfase_at > ${since} and failures = 0 and company_id <> ${companyId})
           or not exists (select from despachos where failures > 0 and company_id <> ${companyId})
           as "isAlone"`;
  return row?.isAlone === true;
}

/**
 * Over all companies, for health and metrics: how many registros wait, and since when the oldest one that only the
 * AEAT or this installation holds up. A company that has to act first (correct an invoice, renew its certificate) may
 * take days, and nobody else can help. Companies of a restored copy, and those whose certificate the AEAT refuses, are
 * counted apart (`service-state.ts`).
 *
 * @param areDemosApart demos wait for the AEAT's test service, which is down more often and matters to nobody else
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
               and (d.failures > 0 and w.days is not null) is not true
               and (c.reconcile_required_at is null or c.reconcile_reason = 'falta')
               and not (${areDemosApart} and e.subscription_type = 'Demo')) as since
      from despachos d
      join cadenas c on c.company_id = d.company_id
      join companies e on e.id = d.company_id
      left join certificates k on k.company_id = d.company_id
      left join certificate_warnings w
             on w.company_id = k.company_id and w.huella_certificado = k.huella_certificado
                and w.days = ${REFUSED}
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
    retenidos: row.retenidos.map(BigInt),
  };
}
