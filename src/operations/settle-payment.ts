import type { Deps } from '../deps.ts';
import { zonaOf } from '../domain/dates.ts';
import { findPlan, type Plan, subscriptionEnd } from '../domain/plans.ts';
import type { PaymentAnswer } from '../payments/answer.ts';
import { AUTORIZACION, EUR } from '../payments/form.ts';
import type { Merchant } from '../payments/merchant.ts';
import { CANCELLED, denialText, outcomeOf } from '../payments/response-codes.ts';
import {
  findCompany,
  findCompanyByEmail,
  findCompanyEvenClosed,
  findCompanyIdsByNif,
  lockCompany,
  setSubscription,
} from '../store/companies.ts';
import {
  cancelMailsOf,
  enqueueMail,
  findLastAddress,
  LONGEST_FIRST_WAIT_SECONDS,
  NOBODY,
} from '../store/mail-jobs.ts';
import {
  type ConflictReason,
  isRenewedAlready,
  isWithoutNews,
  lockPayment,
  type Payment,
  type Settlement,
  settle,
} from '../store/payments.ts';
import type { Tx } from '../store/sql.ts';
import { createCompany } from './create-company.ts';
import { openPending, type PendingCompany } from './init-payment.ts';
import { type LeftDemo, leaveDemo } from './leave-demo.ts';
import { askedByCall } from './log-registro.ts';

export type SettleResult =
  | 'paid'
  | 'denied'
  /** Charged, but nothing can be delivered for it: it will be refunded. */
  | 'conflict'
  /** It was known already, or there is no outcome yet. */
  | 'nothing-new'
  /** Correctly signed, but not the payment that we asked for. */
  | 'mismatch'
  | 'unknown';

/**
 * Applies the gateway's answer about a payment once, however many times it is told.
 *
 * This is the only place where a payment creates an account or extends a subscription, in one transaction with the
 * payment's row and its messages. An authorisation that follows a denial of the same attempt, or comes a day later,
 * is accepted: the card was charged.
 */
export async function settlePayment(deps: Deps, answer: PaymentAnswer): Promise<SettleResult> {
  let paidBy: number | null = null;
  const result = await deps.sql.begin((tx) =>
    settleIn(deps, tx, answer, (companyId) => {
      paidBy = companyId;
    }),
  );
  const { Ds_Order: dsOrder, Ds_Response } = answer;
  const about = { ...askedByCall(), dsOrder, Ds_Response, result };
  if (result === 'mismatch' || result === 'unknown' || result === 'conflict') {
    deps.log.error(about, 'a payment needs somebody to look at it');
  } else {
    deps.log.info(about, 'the gateway told of a payment');
  }
  if (result === 'paid' || result === 'conflict') deps.wakeMail();
  if (paidBy !== null) deps.news.tell(paidBy);
  return result;
}

async function settleIn(
  deps: Deps,
  tx: Tx,
  answer: PaymentAnswer,
  onPaid: (companyId: number) => void,
): Promise<SettleResult> {
  const payment = await lockPayment(tx, answer.Ds_Order);
  if (!payment) return 'unknown';
  const now = deps.clock();
  const { Ds_Response, Ds_AuthorisationCode } = answer;
  const note = (
    status: Payment['status'],
    of: Pick<Settlement, 'companyId' | 'conflictReason'> = {},
  ) => settle(tx, payment.dsOrder, { status, Ds_Response, Ds_AuthorisationCode, now, ...of });
  const isCharged = ['paid', 'conflict', 'refunded'].includes(payment.status);

  if (!isThisPayment(deps.config.redsys, payment, answer)) {
    if (!isCharged) await note('mismatch');
    return 'mismatch';
  }
  switch (outcomeOf(Ds_Response)) {
    case 'under-way':
      return 'nothing-new';
    case 'denied':
      if (!isWithoutNews(payment)) return 'nothing-new'; // A paid one is never undone.
      await note('denied');
      if (!CANCELLED.includes(Ds_Response)) await tellDenial(deps, tx, payment, Ds_Response, now);
      return 'denied';
    case 'authorised': {
      if (isCharged) return 'nothing-new';
      const delivered = await deliver(deps, tx, payment, now);
      if (typeof delivered === 'string') {
        await note('conflict', { conflictReason: delivered });
        return 'conflict';
      }
      await note('paid', { companyId: delivered });
      onPaid(delivered);
      return 'paid';
    }
  }
}

function isThisPayment(merchant: Merchant, payment: Payment, answer: PaymentAnswer): boolean {
  return (
    answer.Ds_Amount === String(payment.amountCents) &&
    answer.Ds_Currency === EUR &&
    answer.Ds_MerchantCode === merchant.comercio &&
    // The answer says `001` for `1` in the request.
    Number(answer.Ds_Terminal) === Number(merchant.terminal) &&
    answer.Ds_TransactionType === AUTORIZACION &&
    (answer.Ds_MerchantData === '' || answer.Ds_MerchantData === payment.orderId)
  );
}

/** The company, by its id, that got what was paid for; or why it cannot be delivered any more. */
type Delivered = number | ConflictReason;

function deliver(deps: Deps, tx: Tx, payment: Payment, now: Date): Promise<Delivered> {
  const plan = findPlan(payment.plan);
  if (!plan) throw new Error(`The plan of ${payment.dsOrder} is not sold.`);
  return payment.kind === 'alta'
    ? createAccount(deps, tx, payment, plan, now)
    : renew(deps, tx, payment, plan, now);
}

async function createAccount(
  { config }: Pick<Deps, 'config'>,
  tx: Tx,
  payment: Payment,
  plan: Plan,
  now: Date,
): Promise<Delivered> {
  // The sign-up data has been deleted, and with it the address to write to.
  if (!payment.signUp) return 'alta-olvidada';
  const pending = openPending(config, { dsOrder: payment.dsOrder, signUp: payment.signUp });
  const subscriptionEndsAt = subscriptionEnd(plan, {
    now,
    zona: zonaOf(pending.postCode, pending.countryCode),
  });
  const companyId = await createCompany(
    tx,
    {
      ...pending,
      // The terms were accepted when the payment began, however late the bank answers.
      termsAcceptedAt: payment.createdAt,
      termsVersion: pending.termsVersion ?? null,
      subscriptionType: plan.code,
      subscriptionEndsAt,
    },
    now,
    config.aeat,
  );
  if (companyId === null) {
    const first =
      (await findCompanyByEmail(tx, pending.email))?.id ??
      (await findCompanyIdsByNif(tx, pending.nif)).at(-1);
    await tellRefund(tx, payment, {
      ...pending,
      companyId: first ?? NOBODY,
      motivo: 'cuenta-existente',
      now,
    });
    return 'cuenta-existente';
  }
  await sendReceipt(tx, payment, {
    companyId,
    email: pending.email,
    now,
    endsAt: subscriptionEndsAt,
  });
  return companyId;
}

/**
 * The page shows the reason to a payer who is still there; this is for one who has closed it. Of several denials only
 * the last is told, and none once it is paid.
 */
async function tellDenial(
  deps: Pick<Deps, 'config'>,
  tx: Tx,
  payment: Payment,
  Ds_Response: string,
  now: Date,
): Promise<void> {
  const { company, who } = await payerOf(deps, tx, payment);
  if (!who) return;
  const companyId = company?.id ?? NOBODY;
  await cancelMailsOf(tx, companyId, { kind: 'pago-denegado', recipient: who.email });
  await enqueueMail(tx, companyId, {
    content: {
      kind: 'pago-denegado',
      companyName: who.name,
      plan: payment.plan,
      amountCents: String(payment.amountCents),
      orderId: payment.orderId,
      motivo: denialText(Ds_Response),
      codigo: Ds_Response,
      endsAt: company?.subscriptionEndsAt.toISOString() ?? null,
    },
    recipient: who.email,
    now,
    // Long enough to try again, which makes the message unnecessary.
    notBefore: new Date(now.getTime() + LONGEST_FIRST_WAIT_SECONDS * 1000),
  });
}

/** Nobody knows whether it was paid: says what happens next, and what to do if the charge appears. */
export async function tellUnasked(
  deps: Pick<Deps, 'config'>,
  tx: Tx,
  payment: Payment,
  now: Date,
): Promise<void> {
  const { company, who } = await payerOf(deps, tx, payment);
  if (!who) return;
  await enqueueMail(tx, company?.id ?? NOBODY, {
    content: {
      kind: 'pago-sin-confirmar',
      companyName: who.name,
      plan: payment.plan,
      amountCents: String(payment.amountCents),
      orderId: payment.orderId,
    },
    recipient: who.email,
    now,
  });
}

/** Who is paying: an account, or somebody signing up who has none yet. */
async function payerOf({ config }: Pick<Deps, 'config'>, tx: Tx, payment: Payment) {
  const company = payment.companyId === null ? null : await findCompany(tx, payment.companyId);
  const pending = payment.signUp
    ? openPending(config, { dsOrder: payment.dsOrder, signUp: payment.signUp })
    : null;
  return { company, who: company ?? pending };
}

/**
 * The message is kept with the account that already existed, because the payer has none; with none if that one is
 * gone.
 */
async function tellRefund(
  tx: Tx,
  { orderId, amountCents }: Payment,
  {
    companyId,
    email,
    name,
    motivo,
    now,
  }: Pick<PendingCompany, 'email' | 'name'> & {
    readonly companyId: number;
    readonly motivo: ConflictReason;
    readonly now: Date;
  },
): Promise<void> {
  await enqueueMail(tx, companyId, {
    content: {
      kind: 'pago-devuelto',
      motivo,
      orderId,
      companyName: name,
      amountCents: String(amountCents),
    },
    recipient: email,
    now,
  });
}

async function renew(
  { config }: Pick<Deps, 'config'>,
  tx: Tx,
  payment: Payment,
  plan: Plan,
  now: Date,
): Promise<Delivered> {
  const company = await lockCompany(tx, payment.companyId ?? 0);
  if (!company) {
    await tellClosed(tx, payment, now);
    return 'cuenta-cerrada';
  }
  if (await isRenewedAlready(tx, payment)) {
    const motivo = 'renovacion-repetida';
    const { id: companyId, email, name } = company;
    await tellRefund(tx, payment, { companyId, email, name, motivo, now });
    return motivo;
  }
  const endsAt = subscriptionEnd(plan, {
    now,
    currentEnd: company.subscriptionEndsAt,
    zona: zonaOf(company.postCode, company.countryCode),
  });
  const leftDemo = await leaveDemo(tx, config, company, now);
  await setSubscription(tx, company.id, { type: plan.code, endsAt });
  await sendReceipt(tx, payment, {
    companyId: company.id,
    email: company.email,
    now,
    endsAt,
    leftDemo,
  });
  return company.id;
}

/** Sent to the address that was told of the closing: a closed account has no e-mail. */
async function tellClosed(tx: Tx, payment: Payment, now: Date): Promise<void> {
  const companyId = payment.companyId ?? NOBODY;
  const email = await findLastAddress(tx, companyId);
  const closed = await findCompanyEvenClosed(tx, companyId);
  if (!email || !closed) return;
  const { name } = closed;
  await tellRefund(tx, payment, { companyId, email, name, motivo: 'cuenta-cerrada', now });
}

async function sendReceipt(
  tx: Tx,
  { orderId, plan, amountCents, kind }: Payment,
  to: {
    readonly companyId: number;
    readonly email: string;
    readonly now: Date;
    readonly endsAt: Date;
    readonly leftDemo?: LeftDemo | null;
  },
): Promise<void> {
  await enqueueMail(tx, to.companyId, {
    content: {
      kind: 'pago',
      orderId,
      plan,
      amountCents: String(amountCents),
      isRenewal: kind === 'renovacion',
      paidAt: to.now.toISOString(),
      endsAt: to.endsAt.toISOString(),
      ...(to.leftDemo && { leftDemo: to.leftDemo }),
    },
    recipient: to.email,
    now: to.now,
  });
}
