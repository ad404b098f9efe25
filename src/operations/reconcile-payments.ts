import type { Deps } from '../deps.ts';
import { isRefunded, queryPayment, refundPayment } from '../payments/client.ts';
import type { Gateway } from '../payments/merchant.ts';
import { CANCELLED } from '../payments/response-codes.ts';
import {
  expirePayment,
  findDeniedToAskAgain,
  findPaymentsToAsk,
  forgetSignUps,
  giveUpUnasked,
  markRefunded,
  noteAskedAgain,
  type Payment,
  takeRefunds,
} from '../store/payments.ts';
import { settlePayment, tellUnasked } from './settle-payment.ts';

const MINUTE_MS = 60_000;
/** Until then the notification may still arrive, and the customer may still be on the bank's page. */
const PATIENCE_MS = 15 * MINUTE_MS;
/** After this, a customer whose card was denied has either tried another one on the gateway's page or left. */
const ASK_AGAIN_MS = 30 * MINUTE_MS;
/** After a day without news nobody is paying any more. */
const EXPIRY_MS = 24 * 60 * MINUTE_MS;
/** If the gateway could not be asked for three days, the customer is told, and somebody has to look into it. */
const UNASKED_EXPIRY_MS = 3 * EXPIRY_MS;
/** Until then the gateway is still asked, and the sign-up data is kept: not for ever. */
const UNASKED_KEPT_MS = 30 * EXPIRY_MS;
const REFUND_RETRY_MS = 30 * MINUTE_MS;
const AT_ONCE = 50;

export interface Reconciled {
  /** Payments whose outcome was found out. */
  readonly settled: number;
  readonly expired: number;
  readonly refunded: number;
  /** Those about which the gateway could not be asked: tried again next time, for thirty days at most. */
  readonly failed: number;
}

/**
 * Finds out what became of payments whose notification never came, and refunds those for which nothing can be
 * delivered. Any number of processes may do it at once.
 */
export async function reconcilePayments(deps: Deps, gateway: Gateway): Promise<Reconciled> {
  const { sql, clock } = deps;
  const now = clock().getTime();
  const pending = await findPaymentsToAsk(sql, {
    before: new Date(now - PATIENCE_MS),
    givenUpAfter: new Date(now - UNASKED_KEPT_MS),
    limit: AT_ONCE,
  });
  const found = { settled: 0, expired: 0, refunded: 0, failed: 0, waiting: 0 };
  for (const payment of pending) {
    found[await askAbout(deps, gateway, payment, new Date(now))]++;
  }
  const denied = await findDeniedToAskAgain(sql, {
    before: new Date(now - ASK_AGAIN_MS),
    after: new Date(now - EXPIRY_MS),
    cancelled: CANCELLED,
    limit: AT_ONCE,
  });
  for (const payment of denied) {
    found[await askAgainAbout(deps, gateway, payment, new Date(now))]++;
  }
  const refunds = await takeRefunds(sql, {
    now: new Date(now),
    retryBefore: new Date(now - REFUND_RETRY_MS),
  });
  for (const payment of refunds) found[await giveBack(deps, gateway, payment)]++;
  await forgetSignUps(sql, {
    before: new Date(now - EXPIRY_MS),
    unaskedBefore: new Date(now - UNASKED_KEPT_MS),
  });
  const { settled, expired, refunded, failed } = found;
  return { settled, expired, refunded, failed };
}

type Found = 'settled' | 'expired' | 'failed' | 'waiting';

async function askAbout(deps: Deps, gateway: Gateway, payment: Payment, now: Date): Promise<Found> {
  const ageMs = now.getTime() - payment.createdAt.getTime();
  try {
    const answer = await queryPayment(deps.config.redsys, gateway, payment.dsOrder);
    if (answer.kind === 'finished') {
      const result = await settlePayment(deps, answer.answer);
      if (result !== 'nothing-new') return 'settled';
    }
  } catch (error) {
    deps.log.warn({ err: error, dsOrder: payment.dsOrder }, 'a payment could not be asked about');
    if (ageMs < UNASKED_EXPIRY_MS || payment.unaskedAt) return 'failed';
    await giveUp(deps, payment, now);
    return 'expired';
  }
  if (ageMs < EXPIRY_MS) return 'waiting';
  await expirePayment(deps.sql, payment.dsOrder, now);
  return 'expired';
}

/**
 * Asked once: after a denied card the customer may have paid the same order with another one, and that notification
 * may have been lost.
 */
async function askAgainAbout(
  deps: Deps,
  gateway: Gateway,
  payment: Payment,
  now: Date,
): Promise<Found> {
  try {
    const answer = await queryPayment(deps.config.redsys, gateway, payment.dsOrder);
    // The customer may be on the bank's page at this very moment.
    if (answer.kind === 'under-way') return 'waiting';
    const result = answer.kind === 'finished' ? await settlePayment(deps, answer.answer) : null;
    await noteAskedAgain(deps.sql, payment.dsOrder, now);
    return result === null || result === 'nothing-new' ? 'waiting' : 'settled';
  } catch (error) {
    deps.log.warn({ err: error, dsOrder: payment.dsOrder }, 'a payment could not be asked about');
    return 'failed';
  }
}

/** It may have been paid, and nobody can tell: the customer was promised an e-mail. */
async function giveUp(deps: Deps, payment: Payment, now: Date): Promise<void> {
  await deps.sql.begin(async (tx) => {
    if (await giveUpUnasked(tx, payment.dsOrder, now)) await tellUnasked(deps, tx, payment, now);
  });
  deps.log.error({ dsOrder: payment.dsOrder }, 'a payment is given up that nobody could ask about');
  deps.wakeMail();
}

async function giveBack(
  deps: Deps,
  gateway: Gateway,
  payment: Payment & { readonly wasTried: boolean },
): Promise<'refunded' | 'failed'> {
  const { redsys } = deps.config;
  try {
    // An earlier attempt may have died, or lost the answer, after the refund was made. If the query does not say, the
    // refund is requested again: no gateway refunds more than was paid.
    const isDone =
      payment.wasTried && (await isRefunded(redsys, gateway, payment).catch(() => false));
    if (!isDone) await refundPayment(redsys, gateway, payment);
  } catch (error) {
    deps.log.error({ err: error, dsOrder: payment.dsOrder }, 'a payment could not be given back');
    return 'failed';
  }
  await markRefunded(deps.sql, payment.dsOrder);
  return 'refunded';
}
