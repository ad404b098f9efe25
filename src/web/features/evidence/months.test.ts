import { expect, it } from 'vitest';
import { lastMonths } from './months.ts';

it('counts months back over the new year, also from a day 31', () => {
  expect(lastMonths(new Date(2027, 0, 31), 3)).toEqual(['2027-01', '2026-12', '2026-11']);
});
