import { expect, it } from 'vitest';
import { daysLeft, daysUntil } from './expiry.ts';

const now = new Date(2026, 10, 20, 12).getTime();

it('counts the last hours as a day', () => {
  expect(daysUntil(new Date(now + 3_600_000).toISOString(), now)).toBe(1);
  expect(daysUntil(new Date(now - 1).toISOString(), now)).toBe(-0);
});

it('uses singular and plural', () => {
  expect([daysLeft(0), daysLeft(1), daysLeft(114), daysLeft(12345)]).toEqual([
    'caducado',
    'queda 1 día',
    'quedan 114 días',
    'quedan 12.345 días',
  ]);
});
