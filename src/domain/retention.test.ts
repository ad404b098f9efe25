import { expect, it } from 'vitest';
import { keptUntil } from './retention.ts';

const closed = {
  lastYear: 2027,
  usedOss: false,
  wasTrial: false,
  closedAt: new Date('2028-03-01T10:00:00Z'),
};

it.each([
  // 31 December 2027 + 6 years: until the end of 2033.
  [closed, '2034-01-01T00:00:00.000Z'],
  [{ ...closed, usedOss: true }, '2038-01-01T00:00:00.000Z'],
  [{ ...closed, wasTrial: true }, '2028-03-31T10:00:00.000Z'],
  [{ ...closed, lastYear: null }, '2028-03-31T10:00:00.000Z'],
])('%j is kept until %s', (account, end) => {
  expect(keptUntil(account).toISOString()).toBe(end);
});
