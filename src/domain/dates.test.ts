import { describe, expect, it } from 'vitest';
import {
  addDays,
  addMonths,
  addYears,
  endOfMonth,
  fechaAeat,
  fechaEs,
  fechaHoraHuso,
  isIsoDate,
  isoDateIn,
  isoFromFechaAeat,
  monthsBetween,
  nameOfDays,
  startOfQuarter,
  zonaOf,
} from './dates.ts';

describe('days', () => {
  it('are written the AEAT’s way and the Spanish way', () => {
    expect(fechaAeat('2026-11-20')).toBe('20-11-2026');
    expect(isoFromFechaAeat('20-11-2026')).toBe('2026-11-20');
    expect(fechaEs('2026-11-20')).toBe('20/11/2026');
  });

  it.each([
    ['2024-02-29', true],
    ['2026-02-29', false],
    ['2026-13-01', false],
    ['2026-00-10', false],
    ['2026-1-1', false],
    ['', false],
    ['2026-11-20T00:00:00', false],
  ])('%s exists: %s', (text, expected) => {
    expect(isIsoDate(text)).toBe(expected);
  });

  it('are added across months, years and leap days', () => {
    expect(addDays('2026-12-31', 1)).toBe('2027-01-01');
    expect(addDays('2024-02-28', 1)).toBe('2024-02-29');
    expect(addDays('2026-03-01', -1)).toBe('2026-02-28');
    expect(addYears('2024-02-29', -1)).toBe('2023-02-28');
    expect(addYears('2024-02-29', 4)).toBe('2028-02-29');
    expect(addYears('2026-12-31', 1)).toBe('2027-12-31');
    expect(addMonths('2026-01-31', 1)).toBe('2026-02-28');
    expect(addMonths('2026-12-15', 2)).toBe('2027-02-15');
    expect(endOfMonth('2026-02-10')).toBe('2026-02-28');
    expect(endOfMonth('2026-12-31')).toBe('2026-12-31');
    expect(startOfQuarter('2026-12-31')).toBe('2026-10-01');
    expect(startOfQuarter('2026-05-31')).toBe('2026-04-01');
  });
});

describe('instants', () => {
  it.each([
    // Clocks go forward on 29 March 2026 and back on 25 October 2026, both at 01:00 UTC.
    ['2026-03-29T00:59:59Z', '2026-03-29T01:59:59+01:00', '2026-03-29T00:59:59+00:00'],
    ['2026-03-29T01:00:00Z', '2026-03-29T03:00:00+02:00', '2026-03-29T02:00:00+01:00'],
    ['2026-10-25T00:59:59Z', '2026-10-25T02:59:59+02:00', '2026-10-25T01:59:59+01:00'],
    ['2026-10-25T01:00:00Z', '2026-10-25T02:00:00+01:00', '2026-10-25T01:00:00+00:00'],
    ['2026-11-20T09:00:37.999Z', '2026-11-20T10:00:37+01:00', '2026-11-20T09:00:37+00:00'],
  ])('%s is %s in Madrid and %s in the Canaries', (utc, madrid, canary) => {
    expect(fechaHoraHuso(new Date(utc), 'Europe/Madrid')).toBe(madrid);
    expect(fechaHoraHuso(new Date(utc), 'Atlantic/Canary')).toBe(canary);
  });

  it('belong to the day of their time zone', () => {
    const newYear = new Date('2026-12-31T23:30:00Z');
    expect(isoDateIn(newYear, 'Europe/Madrid')).toBe('2027-01-01');
    expect(isoDateIn(newYear, 'Atlantic/Canary')).toBe('2026-12-31');
  });

  it('get the time zone from the postal code', () => {
    expect(zonaOf('35001', 'ES')).toBe('Atlantic/Canary');
    expect(zonaOf('38001', 'ES')).toBe('Atlantic/Canary');
    expect(zonaOf('28013', 'ES')).toBe('Europe/Madrid');
    expect(zonaOf('51001', 'ES')).toBe('Europe/Madrid');
    expect(zonaOf('', 'ES')).toBe('Europe/Madrid');
    expect(zonaOf('35000', 'FR')).toBe('Europe/Madrid'); // Rennes
  });
});

describe('monthsBetween', () => {
  it.each([
    ['2026-11-20', '2026-11-01', ['2026-11']],
    ['2026-11-20', '2027-01-02', ['2026-11', '2026-12', '2027-01']],
    ['2026-12-01', '2026-11-30', []],
  ])('from %s to %s', (from, to, months) => {
    expect(monthsBetween(from, to)).toEqual(months);
  });
});

it.each([
  ['2026-11-01', '2026-11-30', '2026-11'],
  ['2028-02-01', '2028-02-29', '2028-02'],
  ['2026-10-01', '2026-12-31', '2026-4T'],
  ['2026-01-01', '2026-12-31', '2026'],
  ['2026-10-01', '2026-12-30', '2026-10-01-a-2026-12-30'],
  ['2026-10-01', '', 'desde-2026-10-01'],
  ['', '2026-12-31', 'hasta-2026-12-31'],
  ['', '', '2026-11-26'],
])('a file from %s to %s is named after %s', (desde, hasta, name) => {
  expect(nameOfDays({ desde, hasta }, '2026-11-26')).toBe(name);
});
