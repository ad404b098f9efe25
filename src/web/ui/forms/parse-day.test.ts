import { expect, it } from 'vitest';
import { parseDay } from './parse-day.ts';

const TODAY = '2026-11-20';

it.each([
  ['19/11/2026', '2026-11-19'],
  ['1-2-26', '2026-02-01'],
  ['19.11', '2026-11-19'],
  ['1911', '2026-11-19'],
  ['19112025', '2025-11-19'],
  ['2026-11-19', '2026-11-19'],
  ['hoy', '2026-11-20'],
  ['Ayer', '2026-11-19'],
])('reads %s as %s', (typed, day) => expect(parseDay(typed, TODAY)).toBe(day));

it.each(['31/2/2026', '20/13/2026', 'mañana', '', '5'])('does not read %s as a day', (typed) =>
  expect(parseDay(typed, TODAY)).toBeNull(),
);
