import { addDays, addMonths, isoDateIn, type Zona } from './dates.ts';
import { divRound } from './money.ts';

export type PlanCode = 'monthly' | 'semiannual' | 'annual';

/** A subscription on sale. */
export interface Plan {
  readonly code: PlanCode;
  readonly name: string;
  /** How often its price is paid. */
  readonly every: string;
  readonly priceCents: bigint;
  readonly months: bigint;
}

const MONTHLY: Plan = {
  code: 'monthly',
  name: 'Mensual',
  every: 'al mes',
  priceCents: 999n,
  months: 1n,
};

/** The three plans, shortest first. */
export const PLANS: readonly [Plan, Plan, Plan] = [
  MONTHLY,
  { code: 'semiannual', name: 'Semestral', every: 'cada 6 meses', priceCents: 5399n, months: 6n },
  { code: 'annual', name: 'Anual', every: 'al año', priceCents: 9999n, months: 12n },
];

export const DEFAULT_PLAN: PlanCode = 'semiannual';

/** `subscriptionType` of a sign-up without payment. */
export const DEMO_SUBSCRIPTION_TYPE = '10';

/**
 * A demo in an installation that declares to production: it uses the AEAT's test service, and its numbers come from a
 * series that does not count (docs/decisions/0211).
 */
export const isDemoApart = (
  { entorno }: { readonly entorno: string },
  { subscriptionType }: { readonly subscriptionType: string },
): boolean => entorno === 'produccion' && subscriptionType === 'Demo';

export const findPlan = (code: string): Plan | undefined =>
  PLANS.find((plan) => plan.code === code);

/** What a plan costs each month, to the cent. */
export const monthlyCents = ({ priceCents, months }: Plan): bigint => divRound(priceCents, months);

/** What it saves over paying the same months one by one. */
export const savingsCents = ({ priceCents, months }: Plan): bigint =>
  MONTHLY.priceCents * months - priceCents;

const HOUR_MS = 3_600_000;

/**
 * The last instant of a subscription paid now.
 *
 * Remaining time is not lost: the months are added to the current end, or to now when that is over. They are calendar
 * months in the company's time zone, from date to date (Código Civil art. 5.1): 31 January plus a month is the last day
 * of February. The last day counts whole, whatever the hour of the payment. See decision 1080.
 */
export function subscriptionEnd(
  { months }: Pick<Plan, 'months'>,
  {
    now,
    currentEnd,
    zona,
  }: { readonly now: Date; readonly currentEnd?: Date; readonly zona: Zona },
): Date {
  const from = currentEnd && currentEnd > now ? currentEnd : now;
  const lastDay = addMonths(isoDateIn(from, zona), Number(months));
  const end = Date.parse(addDays(lastDay, 1)) - 1;
  // Where the company is, that day ends when it does in UTC, or one or two hours before.
  const hours = [0, 1, 2].find(
    (before) => isoDateIn(new Date(end - before * HOUR_MS), zona) === lastDay,
  );
  return new Date(end - (hours ?? 0) * HOUR_MS);
}
