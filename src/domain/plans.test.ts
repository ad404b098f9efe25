import { expect, it } from 'vitest';
import { findPlan, monthlyCents, PLANS, savingsCents } from './plans.ts';

it('computes what each plan costs a month and saves a term', () => {
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
