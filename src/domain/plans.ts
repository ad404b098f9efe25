import { addMonths, isoDateIn, type Zona } from './dates.ts';
import { divRound } from './money.ts';

export type PlanCode = 'monthly' | 'semiannual' | 'annual';

/** A subscription on sale. */
export interface Plan {
  readonly code: PlanCode;
  readonly name: string;
  readonly priceCents: bigint;
  readonly months: bigint;
}

const MONTHLY: Plan = { code: 'monthly', name: 'Mensual', priceCents: 999n, months: 1n };

/** The three plans, shortest first. */
export const PLANS: readonly [Plan, Plan, Plan] = [
  MONTHLY,
  { code: 'semiannual', name: 'Semestral', priceCents: 5399n, months: 6n },
  { code: 'annual', name: 'Anual', priceCents: 9999n, months: 12n },
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
 * When a subscription paid now ends.
 *
 * Remaining time is not lost: the months are added to the current end, or to now when that is over. They are calendar
 * months in the company's time zone, at the same time of day: 31 January plus a month is the last day of February.
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
  const day = isoDateIn(from, zona);
  const lastDay = addMonths(day, Number(months));
  const end = from.getTime() + Date.parse(lastDay) - Date.parse(day);
  // Near midnight, a change of the clocks in between may have moved it to the next or previous day.
  const found = isoDateIn(new Date(end), zona);
  const shift = found === lastDay ? 0 : found < lastDay ? HOUR_MS : -HOUR_MS;
  return new Date(end + shift);
}
