import type { PlanCode } from '../../../domain/plans.ts';

/** A payment that this tab left for the gateway with: what its return page has to say of it. */
export interface StartedPayment {
  readonly orderId: string;
  readonly plan: PlanCode;
  readonly isRenewal: boolean;
  /** Where the access details go; empty in a renewal. */
  readonly email: string;
}

const KEY = 'huella.pago';

export function rememberPayment(payment: StartedPayment): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(payment));
  } catch {
    // Without storage the return page says less, and nothing that is not true.
  }
}

/** Null in another tab, or when the last payment of this one was another. */
export function recallPayment(orderId: string): StartedPayment | null {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as StartedPayment | null;
    return kept?.orderId === orderId ? kept : null;
  } catch {
    return null;
  }
}
