import { divRound } from './money.ts';

export type PlanCode = 'monthly' | 'semiannual' | 'annual';

/** A subscription as it is sold. */
export interface Plan {
  readonly code: PlanCode;
  readonly name: string;
  readonly priceCents: bigint;
  readonly months: bigint;
}

const MONTHLY: Plan = { code: 'monthly', name: 'Mensual', priceCents: 999n, months: 1n };

/** The three plans, shortest first. Specification §9. */
export const PLANS: readonly [Plan, Plan, Plan] = [
  MONTHLY,
  { code: 'semiannual', name: 'Semestral', priceCents: 5399n, months: 6n },
  { code: 'annual', name: 'Anual', priceCents: 9999n, months: 12n },
];

export const DEFAULT_PLAN: PlanCode = 'semiannual';

/** `subscriptionType` of a sign-up without payment. */
export const DEMO_SUBSCRIPTION_TYPE = '10';

export const findPlan = (code: string): Plan | undefined =>
  PLANS.find((plan) => plan.code === code);

/** What a plan costs each month, to the cent. */
export const monthlyCents = ({ priceCents, months }: Plan): bigint => divRound(priceCents, months);

/** What it saves over paying the same months one by one. */
export const savingsCents = ({ priceCents, months }: Plan): bigint =>
  MONTHLY.priceCents * months - priceCents;
