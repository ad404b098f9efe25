import type { PlanCode } from '../../../domain/plans.ts';

/** A payment with which this tab went to the gateway, for its return page. */
export interface StartedPayment {
  readonly orderId: string;
  readonly plan: PlanCode;
  readonly isRenewal: boolean;
  /** Where the access details are sent; empty for a renewal. */
  readonly email: string;
}

const KEY = 'huella.pago';

export function rememberPayment(payment: StartedPayment): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(payment));
  } catch {
    // Without storage the return page says less, but nothing wrong.
  }
}

/** Null in another tab, or if the last payment of this one was another. */
export function recallPayment(orderId: string): StartedPayment | null {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as StartedPayment | null;
    return kept?.orderId === orderId ? kept : null;
  } catch {
    return null;
  }
}
