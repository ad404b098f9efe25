import { describe, expect, it } from 'vitest';
import { datesAfter, datesWith, numbersTyped } from './rectified-numbers.ts';

const two = { invoiceToRectify: 'X-1, X-2', invoiceToRectifyDate: '2026-01-10,2026-02-20' };

describe('the numbers typed', () => {
  it('end with an empty one after a comma, where the next is typed', () => {
    expect(numbersTyped('X-1, X-2,')).toEqual(['X-1', 'X-2', '']);
  });
});

describe('the days of the invoices of another program', () => {
  it('are changed one by one', () => {
    expect(datesWith(two, 1, '2026-03-01')).toBe('2026-01-10,2026-03-01');
  });

  it('stay with their numbers when one is inserted before them', () => {
    expect(datesAfter(two, 'X-0, X-1, X-2')).toBe(',2026-01-10,2026-02-20');
  });

  it('go with a number that is removed', () => {
    expect(datesAfter(two, 'X-2')).toBe('2026-02-20');
  });

  it('stay while a number is being typed', () => {
    expect(datesAfter(two, 'X-1, X-25')).toBe('2026-01-10,2026-02-20');
  });
});
