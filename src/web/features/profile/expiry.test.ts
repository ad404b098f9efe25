import { expect, it } from 'vitest';
import { daysLeft, daysUntil } from './expiry.ts';

it('counts days of the calendar', () => {
  const days = ['2026-11-19', '2026-11-20', '2026-11-21', '2027-03-14'];
  expect(days.map((day) => daysUntil(day, '2026-11-20'))).toEqual([-1, 0, 1, 114]);
});

it('uses singular and plural', () => {
  expect([-1, 0, 1, 114, 12345].map(daysLeft)).toEqual([
    'caduca hoy',
    'caduca hoy',
    'queda 1\u00a0día',
    'quedan 114\u00a0días',
    'quedan 12.345\u00a0días',
  ]);
});
