import type { Sealed } from './certificates.ts';
import type { PaymentStatus } from './payments.ts';
import type { Tx } from './sql.ts';

/**
 * What the administrator of an installation reads and fixes from the terminal, across all companies. None of it is
 * reachable over HTTP.
 */

export interface CompanySummary {
  readonly id: number;
  readonly nif: string;
  readonly name: string;
  readonly email: string;
  readonly subscriptionType: string;
  readonly subscriptionEndsAt: Date;
  readonly deletedAt: Date | null;
  readonly registered: bigint;
  readonly waitingSince: Date | null;
}

/** Companies whose NIF, name or e-mail contains a text, newest first. */
export async function listCompanies(
  tx: Tx,
  { search, limit }: { readonly search: string; readonly limit: number },
): Promise<CompanySummary[]> {
  const pattern = `%${search.replace(/[\\%_]/g, '\\$&')}%`;
  return tx<CompanySummary[]>`
    select c.id, c.nif, c.name, c.email, c.subscription_type as "subscriptionType",
           c.subscription_ends_at as "subscriptionEndsAt", c.deleted_at as "deletedAt",
           coalesce(k.last_seq, 0) as registered, d.waiting_since as "waitingSince"
      from companies c
      left join cadenas k on k.company_id = c.id
      left join despachos d on d.company_id = c.id
     where c.nif ilike ${pattern} or c.name ilike ${pattern} or c.email ilike ${pattern}
     order by c.id desc
     limit ${limit}`;
}

export interface PaymentSummary {
  readonly dsOrder: string;
  readonly orderId: string;
  readonly kind: string;
  readonly status: PaymentStatus;
  readonly amountCents: bigint;
  readonly Ds_Response: string | null;
  readonly nif: string | null;
  readonly createdAt: Date;
  readonly invoiceNo: string | null;
  /** Since when somebody has to invoice it by hand. */
  readonly invoiceByHandAt: Date | null;
  /** Why somebody closed it by hand. */
  readonly closedBecause: string | null;
}

/**
 * Payments in those states, newest first; those still pending come last.
 *
 * @param toLookAt also those given up because the gateway could not be asked, and those that have to be invoiced by
 *   hand
 */
export async function listPayments(
  tx: Tx,
  {
    statuses,
    toLookAt,
    limit,
  }: {
    readonly statuses: readonly PaymentStatus[];
    readonly toLookAt: boolean;
    readonly limit: number;
  },
): Promise<PaymentSummary[]> {
  return tx<PaymentSummary[]>`
    select p.ds_order as "dsOrder", p.order_id as "orderId", p.kind, p.status,
           p.amount_cents as "amountCents", p.ds_response as "Ds_Response", c.nif,
           p.created_at as "createdAt", p.invoice_no as "invoiceNo",
           p.invoice_by_hand_at as "invoiceByHandAt", p.closed_because as "closedBecause"
      from payments p
      left join companies c on c.id = p.company_id
     where p.status = any(${[...statuses]}::text[])
        or ${toLookAt} and (p.status = 'expired' and p.unasked_at is not null
                            or p.status = 'paid' and p.invoice_no is null and p.invoice_by_hand_at is not null)
     order by p.status = 'pending', p.created_at desc
     limit ${limit}`;
}

export interface MailSummary {
  readonly id: bigint;
  readonly nif: string;
  readonly kind: string;
  readonly recipient: string;
  readonly attempts: number;
  readonly runAt: Date;
  readonly sentAt: Date | null;
  readonly failedAt: Date | null;
  readonly lastError: string | null;
}

/** Messages not sent yet or returned: returned ones first, then in the order of their turn. */
export async function listUnsentMails(tx: Tx, limit: number): Promise<MailSummary[]> {
  return tx<MailSummary[]>`
    select m.id, coalesce(c.nif, '') as nif, m.kind, m.recipient, m.attempts, m.run_at as "runAt",
           m.sent_at as "sentAt", m.failed_at as "failedAt", m.last_error as "lastError"
      from mail_jobs m
      left join companies c on c.id = m.company_id -- None, before there is an account.
     where m.sent_at is null or m.failed_at is not null
     order by m.failed_at is null, m.failed_at desc, m.run_at
     limit ${limit}`;
}

/**
 * Requeues messages that were given up since then because our own mail server did not take them. Left out are those
 * refused for their address, and those whose content is out of date, which would only be given up again. An invoice
 * that has been sent meanwhile in another message is not sent twice.
 *
 * @returns how many
 */
export async function requeueNotTakenMails(
  tx: Tx,
  { since, now }: { readonly since: Date; readonly now: Date },
): Promise<number> {
  const rows = await tx`
    update mail_jobs m
       set failed_at = null, not_taken_since = null, attempts = 0, run_at = ${now}, lease_until = null
     where m.failed_at >= ${since} and m.sent_at is null and m.not_taken_since is not null
       and not exists (select from mail_jobs later
                        where later.company_id = m.company_id and later.invoice_id = m.invoice_id
                          and later.id > m.id and later.sent_at is not null)
 returning m.id`;
  return rows.length;
}

export interface DespachoSummary {
  readonly nif: string;
  readonly pendientes: bigint;
  readonly rechazados: number;
  readonly waitingSince: Date;
  readonly nextEnvioAt: Date;
  readonly failures: number;
  readonly lastError: string | null;
  /** Since when the AEAT refuses everything, until a person fixes the cause. */
  readonly detenidoAt: Date | null;
  /** Of a restored copy, which waits until it has been compared with the AEAT. */
  readonly isOfUncheckedCopy: boolean;
}

/** Companies with something to send, the longest waiting first. */
export async function listDespachos(tx: Tx, limit: number): Promise<DespachoSummary[]> {
  return tx<DespachoSummary[]>`
    select c.nif, k.last_seq - d.enviado_hasta as pendientes, d.rechazados,
           d.waiting_since as "waitingSince", d.next_envio_at as "nextEnvioAt", d.failures,
           d.last_error as "lastError", d.detenido_at as "detenidoAt",
           k.reconcile_required_at is not null and k.reconcile_reason <> 'falta' as "isOfUncheckedCopy"
      from despachos d
      join companies c on c.id = d.company_id
      join cadenas k on k.company_id = d.company_id
     where d.waiting_since is not null
     order by d.waiting_since
     limit ${limit}`;
}

/** Processes of Huella connected to this database now, without this connection. */
export async function countOtherConnections(tx: Tx): Promise<number> {
  const [row] = await tx<{ count: number }[]>`
    select count(*)::integer as count from pg_stat_activity
     where datname = current_database() and application_name = 'huella'
       and pid <> pg_backend_pid()`;
  return row?.count ?? 0;
}

/** Tables of what is sealed in an envelope of its own, one row per company. */
export const SEALED_TABLES = ['certificates', 'second_factors', 'bc_connections'] as const;
export type SealedTable = (typeof SEALED_TABLES)[number];

/** Envelopes encrypted with another master key, in batches. */
export async function findEnvelopesNotUnder(
  tx: Tx,
  table: SealedTable,
  kekId: string,
  limit: number,
): Promise<(Sealed & { readonly companyId: number })[]> {
  return tx<(Sealed & { readonly companyId: number })[]>`
    select company_id as "companyId", kek_id as "kekId", sealed_key as "sealedKey", sealed
      from ${tx(table)}
     where kek_id <> ${kekId}
     order by company_id
     limit ${limit}`;
}

/**
 * Whether a table has envelopes, and whether this master key encrypts any. Asked at each start, so it counts none.
 */
export async function findKeyInUse(
  tx: Tx,
  table: SealedTable,
  kekId: string,
): Promise<{ readonly hasEnvelopes: boolean; readonly isInUse: boolean }> {
  const [row] = await tx<{ hasEnvelopes: boolean; isInUse: boolean }[]>`
    select exists (select from ${tx(table)}) as "hasEnvelopes",
           exists (select from ${tx(table)} where kek_id = ${kekId}) as "isInUse"`;
  return row ?? { hasEnvelopes: false, isInUse: false };
}

export async function countEnvelopesNotUnder(
  tx: Tx,
  table: SealedTable,
  kekId: string,
): Promise<number> {
  const [row] = await tx<{ count: number }[]>`
    select count(*)::integer as count from ${tx(table)} where kek_id <> ${kekId}`;
  return row?.count ?? 0;
}

/** Writes an envelope under its new key, unless it was replaced meanwhile. */
export async function replaceEnvelopeKey(
  tx: Tx,
  table: SealedTable,
  companyId: number,
  { from, to }: { readonly from: Sealed; readonly to: Sealed },
): Promise<void> {
  await tx`
    update ${tx(table)} set kek_id = ${to.kekId}, sealed_key = ${to.sealedKey}
     where company_id = ${companyId} and sealed_key = ${from.sealedKey}`;
}

export async function listPendingSignUps(tx: Tx): Promise<{ dsOrder: string; signUp: Buffer }[]> {
  return tx<{ dsOrder: string; signUp: Buffer }[]>`
    select ds_order as "dsOrder", sign_up as "signUp" from payments
     where sign_up is not null order by ds_order`;
}

export async function replaceSignUp(
  tx: Tx,
  dsOrder: string,
  { from, to }: { readonly from: Buffer; readonly to: Buffer },
): Promise<void> {
  await tx`
    update payments set sign_up = ${to} where ds_order = ${dsOrder} and sign_up = ${from}`;
}

/** Deletes the sign-up data: if it is paid after all, the payment is refunded. */
export async function forgetSignUp(tx: Tx, dsOrder: string): Promise<void> {
  await tx`update payments set sign_up = null where ds_order = ${dsOrder}`;
}

/** Recovery codes last ten minutes and only their own key identifies them: users ask for new ones. */
export async function forgetRecoveryCodes(tx: Tx): Promise<void> {
  await tx`delete from recovery_codes`;
  await tx`delete from mail_jobs where kind = 'codigo' and sent_at is null`;
}
