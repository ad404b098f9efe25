import { expect, it } from 'vitest';
import { lastMonths, monthsAhead } from './months.ts';

it('counts months back across the new year, also from a day 31', () => {
  expect(lastMonths(new Date(2027, 0, 31), 3)).toEqual(['2027-01', '2026-12', '2026-11']);
});

it('counts months ahead to the end of next year', () => {
  const ahead = monthsAhead(new Date(2026, 10, 30));
  expect(ahead.slice(0, 2)).toEqual(['2026-12', '2027-01']);
  expect(ahead.at(-1)).toBe('2027-12');
  expect(monthsAhead(new Date(2027, 11, 31))).toHaveLength(12);
});
