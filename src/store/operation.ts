import { countWaiting } from './despachos.ts';
import { countNotTakenMails, countUnsentMails } from './mail-jobs.ts';
import type { Tx } from './sql.ts';

/** The state of the whole installation, over all companies: what an operator watches. */
export interface Operation {
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
  /** When a dispatcher last reported that it is at work, or null. */
  readonly dispatcherSeen: Date | null;
  /** Seconds by which the AEAT's clock was ahead of ours at its newest answer; null before the first one. */
  readonly desfaseSegundos: number | null;
}

/**
 * Companies `e` that need watching: not closed accounts, nor demos that talk to the AEAT's test service, which raise
 * no alarm (docs/decisions/0211).
 */
function areLookedAt(tx: Tx, { areDemosApart }: Parameters<typeof countWaiting>[2]) {
  return tx`e.deleted_at is null and not (${areDemosApart} and e.subscription_type = 'Demo')`;
}

/**
 * Reads everything in one flush. It takes no locks, and a distributed database can answer all of it. Each part uses
 * an index and reads no more than it counts, because it is asked again and again and there is a row for every
 * company.
 */
export async function readOperation(
  tx: Tx,
  now: Date,
  of: Parameters<typeof countWaiting>[2],
): Promise<Operation> {
  const inDays = (days: number) => new Date(now.getTime() + days * 86_400_000);
  const [
    waiting,
    [despachos],
    [rechazos],
    [cadenas],
    [certificates],
    mails,
    notTaken,
    [payments],
    [toInvoice],
    [clock],
    [seen],
  ] = await Promise.all([
    countWaiting(tx, now, of),
    tx<{ failing: number; rechazados: number; enviosDetenidos: number }[]>`
      select count(*) filter (where d.failures > 0 and k.valido_hasta > ${now})::int as failing,
             coalesce(sum(d.rechazados), 0)::int as rechazados,
             count(*) filter (where d.detenido_at is not null)::int as "enviosDetenidos"
        from despachos d
        join companies e on e.id = d.company_id
        left join certificates k on k.company_id = d.company_id
       where (d.failures > 0 or d.rechazados > 0 or d.detenido_at is not null) and ${areLookedAt(tx, of)}`,
    tx<{ companies: number }[]>`
      select count(*)::int as companies
        from despachos d
        join companies e on e.id = d.company_id
       where d.rechazados > 0 and ${areLookedAt(tx, of)}
         and exists (
           select from invoices i
             join respuestas a on a.company_id = i.company_id and a.seq = i.seq
            where i.company_id = d.company_id and i.status = 'Rechazado' and a.answered_at <= ${inDays(-1)})`,
    tx<{ detenidas: number; sinCertificado: number }[]>`
      select count(*) filter (where k.valido_hasta > ${now})::int as detenidas,
             count(*) filter (where (k.valido_hasta > ${now}) is not true)::int as "sinCertificado"
        from cadenas c
        join companies e on e.id = c.company_id
        left join certificates k on k.company_id = c.company_id
       where c.reconcile_required_at is not null and c.reconcile_periodos <> '{}'
         and (c.last_seq > 0 or c.reconcile_reason <> 'copia') and ${areLookedAt(tx, of)}`,
    tx<{ expired: number; days7: number; days30: number }[]>`
      select count(*) filter (where valido_hasta <= ${now})::int as expired,
             count(*) filter (where valido_hasta > ${now} and valido_hasta <= ${inDays(7)})::int as days7,
             count(*) filter (where valido_hasta > ${now} and valido_hasta <= ${inDays(30)})::int as days30
        from certificates
       where valido_hasta <= ${inDays(30)}`,
    countUnsentMails(tx),
    countNotTakenMails(tx, inDays(-1)),
    tx<{ count: number }[]>`
      select count(*)::int as count from payments
       where status in ('conflict', 'mismatch') or status = 'expired' and unasked_at is not null`,
    tx<{ count: number }[]>`
      select count(*)::int as count from payments
       where status = 'paid' and invoice_no is null and invoice_by_hand_at is not null`,
    tx<{ segundos: number }[]>`
      select desfase_segundos as segundos from despachos
       where desfase_at <= now()
       order by desfase_at desc
       limit 1`,
    tx<{ at: Date | null }[]>`
      select (value ->> 'visto')::timestamptz as at from app_settings where key = 'despachador'`,
  ]);
  return {
    pendientes: waiting.pendientes,
    waitingSince: waiting.since,
    failing: despachos?.failing ?? 0,
    rechazados: despachos?.rechazados ?? 0,
    conRechazoAntiguo: rechazos?.companies ?? 0,
    enviosDetenidos: despachos?.enviosDetenidos ?? 0,
    detenidas: cadenas?.detenidas ?? 0,
    detenidasSinCertificado: cadenas?.sinCertificado ?? 0,
    certificates: certificates ?? { expired: 0, days7: 0, days30: 0 },
    mails: { ...mails, failed: notTaken },
    payments: payments?.count ?? 0,
    paymentsToInvoice: toInvoice?.count ?? 0,
    dispatcherSeen: seen?.at ?? null,
    desfaseSegundos: clock?.segundos ?? null,
  };
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
