import type { PlanCode } from '../domain/plans.ts';
import type { Sql, Tx } from './sql.ts';

/**
 * `pending`: no news from the gateway yet. `mismatch`: correctly signed, but not what we asked for. `expired`: a day
 * without news, or three in which the gateway could not be asked, which it still is afterwards. `conflict`: charged,
 * but nothing can be delivered; it ends as `refunded`.
 */
export const PAYMENT_STATUSES = [
  'pending',
  'paid',
  'denied',
  'mismatch',
  'expired',
  'conflict',
  'refunded',
] as const;
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

/** Why nothing can be delivered for a charge. */
export type ConflictReason =
  /** Another account took the e-mail or the NIF while the card was being typed. */
  | 'cuenta-existente'
  /** The sign-up data is not kept any more. */
  | 'alta-olvidada'
  /** The account that was being renewed was closed meanwhile. */
  | 'cuenta-cerrada'
  /** The same renewal was paid before, when this payment had already begun. */
  | 'renovacion-repetida';

/** One attempt to pay for a subscription. */
export interface Payment {
  /** `DS_MERCHANT_ORDER`. */
  readonly dsOrder: string;
  /** The order number that the payer knows. */
  readonly orderId: string;
  readonly kind: 'alta' | 'renovacion';
  /** Null in a first payment until its account exists. */
  readonly companyId: number | null;
  readonly plan: PlanCode;
  readonly amountCents: bigint;
  readonly status: PaymentStatus;
  /** The future company, encrypted; null once used or deleted, and in renewals. */
  readonly signUp: Buffer | null;
  readonly Ds_Response: string | null;
  /** Only set in a conflict and its outcome; missing in older rows. */
  readonly conflictReason: ConflictReason | null;
  /** Number of the invoice that the provider issued for it. */
  readonly invoiceNo: string | null;
  /** When it was found that a person has to invoice it; null otherwise. */
  readonly invoiceByHandAt: Date | null;
  readonly createdAt: Date;
  /** When it was given up because the gateway could not be asked; null again once it could. */
  readonly unaskedAt: Date | null;
  /** When its outcome became known; null until then. */
  readonly settledAt: Date | null;
  /** When somebody closed it by hand (`pagos cerrar`). */
  readonly closedAt: Date | null;
}

interface PaymentRow {
  ds_order: string;
  order_id: string;
  kind: Payment['kind'];
  company_id: number | null;
  plan: PlanCode;
  amount_cents: bigint;
  status: PaymentStatus;
  sign_up: Buffer | null;
  ds_response: string | null;
  conflict_reason: ConflictReason | null;
  invoice_no: string | null;
  invoice_by_hand_at: Date | null;
  created_at: Date;
  unasked_at: Date | null;
  settled_at: Date | null;
  closed_at: Date | null;
}

/** The columns of a {@link PaymentRow}, of payments that the statement calls `p`. */
function columns(tx: Tx) {
  return tx`p.ds_order, p.order_id, p.kind, p.company_id, p.plan, p.amount_cents, p.status, p.sign_up, p.ds_response,
    p.conflict_reason, p.invoice_no, p.invoice_by_hand_at, p.created_at, p.unasked_at, p.settled_at, p.closed_at`;
}

export async function insertPayment(
  tx: Tx,
  payment: Omit<
    Payment,
    | 'status'
    | 'Ds_Response'
    | 'conflictReason'
    | 'invoiceNo'
    | 'invoiceByHandAt'
    | 'unaskedAt'
    | 'settledAt'
    | 'closedAt'
  >,
): Promise<void> {
  await tx`
    insert into payments (ds_order, order_id, kind, company_id, plan, amount_cents, status,
           sign_up, created_at)
    values (${payment.dsOrder}, ${payment.orderId}, ${payment.kind}, ${payment.companyId},
            ${payment.plan}, ${String(payment.amountCents)}, 'pending', ${payment.signUp},
            ${payment.createdAt})`;
}

/** Locked until the transaction ends: two notifications of one payment are handled one after the other. */
export async function lockPayment(tx: Tx, dsOrder: string): Promise<Payment | null> {
  const [row] = await tx<PaymentRow[]>`
    select ${columns(tx)} from payments p where p.ds_order = ${dsOrder} for update`;
  return row ? fromRow(row) : null;
}

/**
 * The state of an order: its charged attempt if there is one, of several at a sign-up the one that created the account,
 * otherwise the last attempt.
 */
export async function findPaymentByOrderId(tx: Tx, orderId: string): Promise<Payment | null> {
  const [row] = await tx<PaymentRow[]>`
    select ${columns(tx)} from payments p
     where order_id = ${orderId}
     order by kind = 'alta' and status = 'paid' desc, status in ('paid', 'conflict', 'refunded') desc,
              created_at desc
     limit 1`;
  return row ? fromRow(row) : null;
}

/**
 * Whether another payment of the same renewal has been delivered: one of its order, or one of its plan that was not
 * confirmed yet when this one began. To be asked while the company is locked.
 */
export async function isRenewedAlready(tx: Tx, payment: Payment): Promise<boolean> {
  const found = await tx`
    select from payments
     where company_id = ${payment.companyId} and kind = 'renovacion' and status = 'paid'
       and ds_order <> ${payment.dsOrder}
       and (order_id = ${payment.orderId}
            or plan = ${payment.plan} and settled_at > ${payment.createdAt})
     limit 1`;
  return found.length > 0;
}

export interface Settlement {
  readonly status: PaymentStatus;
  readonly Ds_Response: string;
  readonly Ds_AuthorisationCode: string;
  readonly companyId?: number;
  readonly conflictReason?: ConflictReason;
  readonly now: Date;
}

/** Records the outcome of an attempt. The sign-up data is deleted when it is no longer needed. */
export async function settle(
  tx: Tx,
  dsOrder: string,
  { status, Ds_Response, Ds_AuthorisationCode, companyId, conflictReason, now }: Settlement,
): Promise<void> {
  const isOver = status === 'paid' || status === 'conflict';
  await tx`
    update payments
       set status = ${status}, ds_response = ${Ds_Response},
           ds_authorisation_code = ${Ds_AuthorisationCode}, settled_at = ${now},
           company_id = coalesce(${companyId ?? null}, company_id),
           conflict_reason = ${conflictReason ?? null}, unasked_at = null,
           sign_up = case when ${isOver} then null else sign_up end
     where ds_order = ${dsOrder}`;
}

/** Closes by hand an attempt that nothing else could settle. */
export async function closePayment(
  tx: Tx,
  dsOrder: string,
  {
    status,
    companyId,
    because,
    now,
  }: {
    readonly status: PaymentStatus;
    readonly companyId: number | null;
    readonly because: string;
    readonly now: Date;
  },
): Promise<void> {
  await tx`
    update payments
       set status = ${status}, company_id = ${companyId}, settled_at = ${now}, sign_up = null, unasked_at = null,
           closed_at = ${now}, closed_because = ${because}
     where ds_order = ${dsOrder}`;
}

/** Its outcome is unknown: no news yet, or given up because the gateway could not be asked. */
export const isWithoutNews = ({ status, unaskedAt }: Pick<Payment, 'status' | 'unaskedAt'>) =>
  status === 'pending' || (status === 'expired' && unaskedAt !== null);

/**
 * Attempts without news since before an instant, in random order, so that those that cannot be asked about do not
 * keep the others waiting. Includes those given up unasked that are newer than the other instant.
 */
export async function findPaymentsToAsk(
  tx: Tx,
  {
    before,
    givenUpAfter,
    limit,
  }: { readonly before: Date; readonly givenUpAfter: Date; readonly limit: number },
): Promise<Payment[]> {
  const rows = await tx<PaymentRow[]>`
    select ${columns(tx)} from payments p
     where status = 'pending' and created_at <= ${before}
        or status = 'expired' and unasked_at is not null and created_at > ${givenUpAfter}
     order by random()
     limit ${limit}`;
  return rows.map(fromRow);
}

/**
 * Attempts denied between two instants that have not been asked about since. Without those that somebody cancelled or
 * closed by hand, and those whose sign-up data has been deleted.
 */
export async function findDeniedToAskAgain(
  tx: Tx,
  {
    before,
    after,
    cancelled,
    limit,
  }: {
    readonly before: Date;
    readonly after: Date;
    readonly cancelled: readonly string[];
    readonly limit: number;
  },
): Promise<Payment[]> {
  const rows = await tx<PaymentRow[]>`
    select ${columns(tx)} from payments p
     where status = 'denied' and asked_again_at is null and settled_at <= ${before} and settled_at > ${after}
       and closed_at is null and ds_response <> all(${[...cancelled]}::text[])
       and (kind = 'renovacion' or sign_up is not null)
     order by random()
     limit ${limit}`;
  return rows.map(fromRow);
}

export async function noteAskedAgain(tx: Tx, dsOrder: string, now: Date): Promise<void> {
  await tx`update payments set asked_again_at = ${now} where ds_order = ${dsOrder}`;
}

/** Gives up an attempt that the gateway does not know, unless news came meanwhile. */
export async function expirePayment(tx: Tx, dsOrder: string, now: Date): Promise<void> {
  await tx`
    update payments set status = 'expired', settled_at = ${now}, unasked_at = null, sign_up = null
     where ds_order = ${dsOrder} and (status = 'pending' or status = 'expired' and unasked_at is not null)`;
}

/**
 * Gives up an attempt about which the gateway could not be asked. The sign-up data stays, because it may have been
 * paid.
 *
 * @returns whether it was still waiting
 */
export async function giveUpUnasked(tx: Tx, dsOrder: string, now: Date): Promise<boolean> {
  const { count } = await tx`
    update payments set status = 'expired', settled_at = ${now}, unasked_at = ${now}
     where ds_order = ${dsOrder} and status = 'pending'`;
  return count > 0;
}

/** Deletes the sign-up data of attempts that came to nothing; later, if the gateway could never be asked. */
export async function forgetSignUps(
  tx: Tx,
  { before, unaskedBefore }: { readonly before: Date; readonly unaskedBefore: Date },
): Promise<void> {
  await tx`
    update payments set sign_up = null
     where sign_up is not null and status <> 'pending'
       and created_at <= case when unasked_at is null then ${before}::timestamptz
                              else ${unaskedBefore}::timestamptz end`;
}

/**
 * Takes the payments that have to be refunded, so that only one of two processes requests it. One whose refund failed
 * is taken again after `retryBefore`; `wasTried` says that it may already have been refunded.
 */
export async function takeRefunds(
  tx: Tx,
  { now, retryBefore }: { readonly now: Date; readonly retryBefore: Date },
): Promise<(Payment & { readonly wasTried: boolean })[]> {
  const rows = await tx<(PaymentRow & { was_tried: boolean })[]>`
    update payments p set refund_tried_at = ${now}
      from payments before
     where before.ds_order = p.ds_order
       and p.status = 'conflict' and (p.refund_tried_at is null or p.refund_tried_at <= ${retryBefore})
 returning ${columns(tx)}, before.refund_tried_at is not null as was_tried`;
  return rows.map((row) => ({ ...fromRow(row), wasTried: row.was_tried }));
}

export async function markRefunded(tx: Tx, dsOrder: string): Promise<void> {
  await tx`
    update payments set status = 'refunded' where ds_order = ${dsOrder} and status = 'conflict'`;
}

/**
 * Takes paid subscriptions that the provider has not invoiced yet, so that only one of two processes does it. One
 * that could not be invoiced is taken again after `retryBefore`.
 *
 * They are found first and then taken by name: payments are on every machine of a distributed PostgreSQL, and it was
 * never tested whether that locks rows found in a subquery.
 */
export async function takePaymentsToInvoice(
  sql: Sql,
  {
    now,
    retryBefore,
    limit,
  }: { readonly now: Date; readonly retryBefore: Date; readonly limit: number },
): Promise<Payment[]> {
  const toInvoice = sql`
    status = 'paid' and invoice_no is null and invoice_by_hand_at is null
    and (invoice_tried_at is null or invoice_tried_at <= ${retryBefore})`;
  const found = await sql<{ dsOrder: string }[]>`
    select ds_order as "dsOrder" from payments where ${toInvoice} order by settled_at limit ${limit}`;
  if (found.length === 0) return [];
  const rows = await sql<PaymentRow[]>`
    update payments p set invoice_tried_at = ${now}
     where ds_order = any(${found.map(({ dsOrder }) => dsOrder)}) and ${toInvoice}
 returning ${columns(sql)}`;
  return rows.map(fromRow);
}

export async function markInvoiced(tx: Tx, dsOrder: string, invoiceNo: string): Promise<void> {
  await tx`update payments set invoice_no = ${invoiceNo} where ds_order = ${dsOrder}`;
}

/** Leaves one for a person to invoice: it is not tried again. */
export async function leaveToInvoiceByHand(tx: Tx, dsOrder: string, now: Date): Promise<void> {
  await tx`
    update payments set invoice_by_hand_at = ${now} where ds_order = ${dsOrder} and invoice_no is null`;
}

/** A payment as its company sees it; `amount` is decimal text of euros. */
export interface PaymentOfCompany
  extends Pick<Payment, 'orderId' | 'plan' | 'status' | 'createdAt' | 'invoiceNo'> {
  readonly amount: string;
}

/** What a company paid or tried to, oldest first. */
export async function listPaymentsOf(tx: Tx, companyId: number): Promise<PaymentOfCompany[]> {
  return tx<PaymentOfCompany[]>`
    select order_id as "orderId", plan, status, created_at as "createdAt",
           (amount_cents / 100.0)::numeric(14, 2)::text as amount, invoice_no as "invoiceNo"
      from payments
     where company_id = ${companyId}
     order by created_at`;
}

function fromRow(row: PaymentRow): Payment {
  return {
    dsOrder: row.ds_order,
    orderId: row.order_id,
    kind: row.kind,
    companyId: row.company_id,
    plan: row.plan,
    amountCents: row.amount_cents,
    status: row.status,
    signUp: row.sign_up,
    Ds_Response: row.ds_response,
    conflictReason: row.conflict_reason,
    invoiceNo: row.invoice_no,
    invoiceByHandAt: row.invoice_by_hand_at,
    createdAt: row.created_at,
    unaskedAt: row.unasked_at,
    settledAt: row.settled_at,
    closedAt: row.closed_at,
  };
}
