import { REFUSED } from './certificates.ts';
import { countWaiting } from './despachos.ts';
import { countNotTakenMails, countUnsentMails } from './mail-jobs.ts';
import type { Tx } from './sql.ts';

/** The state of the whole installation, over all companies: what an operator watches. */
export interface ServiceState {
  /** Registros that the AEAT has not answered yet. */
  readonly pendientes: number;
  /** When the oldest registro was made that only the AEAT or this installation holds up, or null. */
  readonly waitingSince: Date | null;
  /** Companies with a certificate whose last attempts to reach the AEAT failed. */
  readonly failing: number;
  /** Companies of which the AEAT refuses every message until a person fixes the cause. */
  readonly enviosDetenidos: number;
  /** Rejected registros not corrected yet: each holds back its company. */
  readonly rechazados: number;
  /** Companies held back for over a day by a rejected registro. */
  readonly conRechazoAntiguo: number;
  /** Companies that may not register until they are compared with the AEAT, and have a certificate to ask with. */
  readonly detenidas: number;
  /** The same without a certificate: they wait for their owners. */
  readonly detenidasSinCertificado: number;
  /** Certificates by the time that is left. */
  readonly certificates: {
    readonly expired: number;
    readonly days7: number;
    readonly days30: number;
  };
  /** Companies whose certificate the AEAT has refused time and again, and their owners were told. */
  readonly certificadosRechazados: number;
  readonly mails: {
    readonly waiting: number;
    /**
     * When the oldest message was written that our own mail server does not take, or that nobody has tried to send;
     * or null.
     */
    readonly stuckSince: Date | null;
    /**
     * Messages given up in the last day because our mail server never took them. A wrong address is reported to the
     * sender, and raises no alarm.
     */
    readonly failed: number;
  };
  /**
   * Payments for which nothing could be delivered, that do not match, or about which the gateway could not be asked
   * for three days.
   */
  readonly payments: number;
  /** Payments that somebody has to invoice by hand. */
  readonly paymentsToInvoice: number;
  /** Seconds since a dispatcher last reported that it is at work, by the database's clock; null if none ever did. */
  readonly dispatcherSeenSeconds: number | null;
  /** Seconds by which the AEAT's clock was ahead of ours at its newest answer; null before the first one. */
  readonly desfaseSegundos: number | null;
}

/** Which demos are looked at. */
type Of = Parameters<typeof countWaiting>[2];

/**
 * Reads everything in one flush. It takes no locks, and a distributed database can answer all of it. Each part uses
 * an index and reads no more than it counts, because it is asked again and again and there is a row for every
 * company.
 */
export async function readServiceState(tx: Tx, now: Date, of: Of): Promise<ServiceState> {
  const inDays = (days: number) => new Date(now.getTime() + days * DAY_MS);
  const [
    waiting,
    heldUp,
    conRechazoAntiguo,
    stopped,
    certificates,
    mails,
    mailsFailed,
    payments,
    paymentsToInvoice,
    dispatcherSeenSeconds,
    desfaseSegundos,
  ] = await Promise.all([
    countWaiting(tx, now, of),
    countHeldUp(tx, now, of),
    countLongRejected(tx, inDays(-1), of),
    countStopped(tx, now, of),
    countCertificates(tx, now, { in7: inDays(7), in30: inDays(30) }),
    countUnsentMails(tx),
    countNotTakenMails(tx, inDays(-1)),
    countPaymentsInTrouble(tx),
    countPaymentsToInvoice(tx),
    findDispatcherSeen(tx),
    findDesfase(tx),
  ]);
  return {
    pendientes: waiting.pendientes,
    waitingSince: waiting.since,
    ...heldUp,
    conRechazoAntiguo,
    ...stopped,
    certificates,
    mails: { ...mails, failed: mailsFailed },
    payments,
    paymentsToInvoice,
    dispatcherSeenSeconds,
    desfaseSegundos,
  };
}

const DAY_MS = 86_400_000;

/**
 * Companies `e` that need watching: not closed accounts, nor demos that talk to the AEAT's test service, which raise
 * no alarm (docs/decisions/0211).
 */
function areLookedAt(tx: Tx, { areDemosApart }: Of) {
  return tx`e.deleted_at is null and not (${areDemosApart} and e.subscription_type = 'Demo')`;
}

type HeldUp = Pick<
  ServiceState,
  'failing' | 'certificadosRechazados' | 'rechazados' | 'enviosDetenidos'
>;

async function countHeldUp(tx: Tx, now: Date, of: Of): Promise<HeldUp> {
  const [row] = await tx<HeldUp[]>`
    select count(*) filter (
             where d.failures > 0 and k.valido_hasta > ${now} and w.days is null)::int as failing,
           count(*) filter (
             where d.failures > 0 and k.valido_hasta > ${now} and w.days is not null)::int
             as "certificadosRechazados",
           coalesce(sum(d.rechazados), 0)::int as rechazados,
           count(*) filter (where d.detenido_at is not null)::int as "enviosDetenidos"
      from despachos d
      join companies e on e.id = d.company_id
      left join certificates k on k.company_id = d.company_id
      left join certificate_warnings w
             on w.company_id = k.company_id and w.huella_certificado = k.huella_certificado
                and w.days = ${REFUSED}
     where (d.failures > 0 or d.rechazados > 0 or d.detenido_at is not null) and ${areLookedAt(tx, of)}`;
  return row ?? { failing: 0, certificadosRechazados: 0, rechazados: 0, enviosDetenidos: 0 };
}

/** Companies whose oldest uncorrected rejection was answered by then. */
async function countLongRejected(tx: Tx, by: Date, of: Of): Promise<number> {
  const [row] = await tx<{ companies: number }[]>`
    select count(*)::int as companies
      from despachos d
      join companies e on e.id = d.company_id
     where d.rechazados > 0 and ${areLookedAt(tx, of)}
       and exists (
         select from invoices i
           join respuestas a on a.company_id = i.company_id and a.seq = i.seq
          where i.company_id = d.company_id and i.status = 'Rechazado' and a.answered_at <= ${by})`;
  return row?.companies ?? 0;
}

type Stopped = Pick<ServiceState, 'detenidas' | 'detenidasSinCertificado'>;

async function countStopped(tx: Tx, now: Date, of: Of): Promise<Stopped> {
  const [row] = await tx<Stopped[]>`
    select count(*) filter (where k.valido_hasta > ${now})::int as detenidas,
           count(*) filter (where (k.valido_hasta > ${now}) is not true)::int as "detenidasSinCertificado"
      from cadenas c
      join companies e on e.id = c.company_id
      left join certificates k on k.company_id = c.company_id
     where c.reconcile_required_at is not null and c.reconcile_periodos <> '{}'
       and (c.last_seq > 0 or c.reconcile_reason <> 'copia') and ${areLookedAt(tx, of)}`;
  return row ?? { detenidas: 0, detenidasSinCertificado: 0 };
}

type Certificates = ServiceState['certificates'];

async function countCertificates(
  tx: Tx,
  now: Date,
  { in7, in30 }: { readonly in7: Date; readonly in30: Date },
): Promise<Certificates> {
  const [row] = await tx<Certificates[]>`
    select count(*) filter (where valido_hasta <= ${now})::int as expired,
           count(*) filter (where valido_hasta > ${now} and valido_hasta <= ${in7})::int as days7,
           count(*) filter (where valido_hasta > ${now} and valido_hasta <= ${in30})::int as days30
      from certificates
     where valido_hasta <= ${in30}`;
  return row ?? { expired: 0, days7: 0, days30: 0 };
}

async function countPaymentsInTrouble(tx: Tx): Promise<number> {
  const [row] = await tx<{ count: number }[]>`
    select count(*)::int as count from payments
     where status in ('conflict', 'mismatch') or status = 'expired' and unasked_at is not null`;
  return row?.count ?? 0;
}

async function countPaymentsToInvoice(tx: Tx): Promise<number> {
  const [row] = await tx<{ count: number }[]>`
    select count(*)::int as count from payments
     where status = 'paid' and invoice_no is null and invoice_by_hand_at is not null`;
  return row?.count ?? 0;
}

async function findDispatcherSeen(tx: Tx): Promise<number | null> {
  const [row] = await tx<{ seconds: number | null }[]>`
    select greatest(extract(epoch from now() - (value ->> 'visto')::timestamptz), 0)::int as seconds
      from app_settings where key = 'despachador'`;
  return row?.seconds ?? null;
}

async function findDesfase(tx: Tx): Promise<number | null> {
  const [row] = await tx<{ segundos: number }[]>`
    select desfase_segundos as segundos from despachos
     where desfase_at <= now()
     order by desfase_at desc
     limit 1`;
  return row?.segundos ?? null;
}

/**
 * Seconds by which a process's clock is ahead of the database's, which is assumed to have been read half-way between
 * question and answer.
 */
export async function readClockAhead(tx: Tx, clock: () => Date): Promise<number> {
  const asked = clock().getTime();
  const [row] = await tx<{ at: Date }[]>`select clock_timestamp() as at`;
  const answered = clock().getTime();
  return row ? ((asked + answered) / 2 - row.at.getTime()) / 1000 : 0;
}
