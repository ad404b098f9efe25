import { describe, expect, it } from 'vitest';
import type { Zona } from './dates.ts';
import {
  findPlan,
  isDemoApart,
  monthlyCents,
  PLANS,
  savingsCents,
  subscriptionEnd,
} from './plans.ts';

it('computes what each plan costs a month and saves over its term', () => {
  // 53.99 / 6 = 8.998 → 9.00; 99.99 / 12 = 8.3325 → 8.33.
  // 6 × 9.99 = 59.94, less 53.99, is 5.95; 12 × 9.99 = 119.88, less 99.99, is 19.89.
  expect(PLANS.map((plan) => [plan.code, monthlyCents(plan), savingsCents(plan)])).toEqual([
    ['monthly', 999n, 0n],
    ['semiannual', 900n, 595n],
    ['annual', 833n, 1989n],
  ]);
});

it('knows no other plan', () => {
  expect(findPlan('weekly')).toBeUndefined();
});

it.each([
  ['produccion', 'Demo', true],
  ['produccion', 'Mensual', false],
  ['pruebas', 'Demo', false],
  ['simulador', 'Mensual', false],
])('with the AEAT in %s, an account of type %s declares apart: %s', (entorno, type, isApart) => {
  expect(isDemoApart({ entorno }, { subscriptionType: type })).toBe(isApart);
});

describe('the end of a subscription', () => {
  const end = (months: bigint, now: string, currentEnd?: string, zona: Zona = 'Europe/Madrid') =>
    subscriptionEnd(
      { months },
      { now: new Date(now), zona, ...(currentEnd ? { currentEnd: new Date(currentEnd) } : {}) },
    ).toISOString();

  it('is that of the same day, months later, whatever the hour of the payment', () => {
    expect(end(6n, '2026-11-20T10:00:00.000Z')).toBe('2027-05-20T21:59:59.999Z');
    expect(end(12n, '2026-11-20T10:00:00.000Z')).toBe('2027-11-20T22:59:59.999Z');
  });

  it('is the last day of the month if that day does not exist', () => {
    expect(end(1n, '2027-01-31T10:00:00.000Z')).toBe('2027-02-28T22:59:59.999Z');
    expect(end(12n, '2028-02-29T10:00:00.000Z')).toBe('2029-02-28T22:59:59.999Z');
  });

  it('extends the remaining time, or counts from now if there is none', () => {
    const now = '2026-11-20T10:00:00.000Z';
    expect(end(1n, now, '2026-12-05T09:00:00.000Z')).toBe('2027-01-05T22:59:59.999Z');
    expect(end(1n, now, '2026-12-05T22:59:59.999Z')).toBe('2027-01-05T22:59:59.999Z');
    expect(end(1n, now, '2026-11-01T09:00:00.000Z')).toBe('2026-12-20T22:59:59.999Z');
  });

  it('is on the day where the company is, also beside midnight and a change of the clocks', () => {
    // 20 May, 00:30 in Madrid, is still the 19th in the Canary Islands.
    const now = '2026-05-19T22:30:00.000Z';
    expect(end(6n, now)).toBe('2026-11-20T22:59:59.999Z');
    expect(end(6n, now, undefined, 'Atlantic/Canary')).toBe('2026-11-19T23:59:59.999Z');
    // The clocks change at one o'clock of these days.
    expect(end(1n, '2026-09-25T10:00:00.000Z')).toBe('2026-10-25T22:59:59.999Z');
    expect(end(1n, '2027-02-28T10:00:00.000Z')).toBe('2027-03-28T21:59:59.999Z');
  });
});
