import { expect, it } from 'vitest';
import { monthNamed, periodsOf } from './periods.ts';

const days = (today: string) =>
  periodsOf(today).map(({ label, desde, hasta }) => `${label}: ${desde} ${hasta}`);

it('has the current month, quarter and year, the previous ones, and the quarters and months of a year', () => {
  expect(days('2026-11-26')).toEqual([
    'Este mes (noviembre): 2026-11-01 2026-11-30',
    'Mes pasado (octubre): 2026-10-01 2026-10-31',
    'Este trimestre (4.º de 2026): 2026-10-01 2026-12-31',
    'Trimestre pasado (3.º de 2026): 2026-07-01 2026-09-30',
    'Este año (2026): 2026-01-01 2026-12-31',
    'Año pasado (2025): 2025-01-01 2025-12-31',
    '2.º trimestre de 2026: 2026-04-01 2026-06-30',
    '1.º trimestre de 2026: 2026-01-01 2026-03-31',
    '4.º trimestre de 2025: 2025-10-01 2025-12-31',
    'Septiembre de 2026: 2026-09-01 2026-09-30',
    'Agosto de 2026: 2026-08-01 2026-08-31',
    'Julio de 2026: 2026-07-01 2026-07-31',
    'Junio de 2026: 2026-06-01 2026-06-30',
    'Mayo de 2026: 2026-05-01 2026-05-31',
    'Abril de 2026: 2026-04-01 2026-04-30',
    'Marzo de 2026: 2026-03-01 2026-03-31',
    'Febrero de 2026: 2026-02-01 2026-02-28',
    'Enero de 2026: 2026-01-01 2026-01-31',
    'Diciembre de 2025: 2025-12-01 2025-12-31',
    'Noviembre de 2025: 2025-11-01 2025-11-30',
  ]);
});

it('crosses the end of a year, on its last and first days', () => {
  expect(days('2028-01-31').slice(0, 10)).toEqual([
    'Este mes (enero): 2028-01-01 2028-01-31',
    'Mes pasado (diciembre): 2027-12-01 2027-12-31',
    'Este trimestre (1.º de 2028): 2028-01-01 2028-03-31',
    'Trimestre pasado (4.º de 2027): 2027-10-01 2027-12-31',
    'Este año (2028): 2028-01-01 2028-12-31',
    'Año pasado (2027): 2027-01-01 2027-12-31',
    '3.º trimestre de 2027: 2027-07-01 2027-09-30',
    '2.º trimestre de 2027: 2027-04-01 2027-06-30',
    '1.º trimestre de 2027: 2027-01-01 2027-03-31',
    'Noviembre de 2027: 2027-11-01 2027-11-30',
  ]);
  expect(days('2028-03-31')[1]).toBe('Mes pasado (febrero): 2028-02-01 2028-02-29');
});

it.each([
  ['septiembre', 'Septiembre de 2026', '2026-09-01', '2026-09-30'],
  ['Setiembre', 'Septiembre de 2026', '2026-09-01', '2026-09-30'],
  [' sept. ', 'Septiembre de 2026', '2026-09-01', '2026-09-30'],
  ['noviembre', 'Noviembre de 2026', '2026-11-01', '2026-11-30'],
  // December has not begun: the one of last year.
  ['diciembre', 'Diciembre de 2025', '2025-12-01', '2025-12-31'],
  ['febrero de 2024', 'Febrero de 2024', '2024-02-01', '2024-02-29'],
  ['mayo 2025', 'Mayo de 2025', '2025-05-01', '2025-05-31'],
])('«%s» names a month', (text, label, desde, hasta) => {
  expect(monthNamed(text, '2026-11-26')).toEqual({ label, desde, hasta });
});

it.each(['', 'ma', 'mayorista', 'diciembre de 2026', 'abril sl', 'enero-febrero'])(
  '«%s» names none',
  (text) => expect(monthNamed(text, '2026-11-26')).toBeNull(),
);
