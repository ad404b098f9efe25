import { describe, expect, it } from 'vitest';
import { compare } from './comparison.ts';

describe('compare', () => {
  it('says how much more there is', () => {
    // 28,130.50 over 24,180 is 16.3 % more.
    expect(compare(28_130.5, 24_180, 'en octubre')).toEqual({
      direction: 'up',
      text: '16\u00a0% más que en octubre',
    });
  });

  it('says «hasta hoy» while it is lower, as the period is not over', () => {
    expect(compare(500, 1000, 'en octubre')).toEqual({
      direction: 'down',
      text: 'Hasta hoy, 50\u00a0% menos que en octubre',
    });
  });

  it('says that there is nothing yet, as on the first day of each period, and what it was before', () => {
    expect(compare(0, 24_180, 'en octubre')).toEqual({
      direction: 'same',
      text: 'Nada todavía; en octubre, 24.180,00\u00a0€',
    });
    expect(compare(0, 24_180, 'el\u00a03.º')?.text).toBe(
      'Nada todavía; en el\u00a03.º, 24.180,00\u00a0€',
    );
  });

  it('says that there was nothing in the previous period', () => {
    expect(compare(0, 0, 'en octubre')?.text).toBe('Nada facturado en octubre');
    expect(compare(500, 0, 'el 3.º')).toEqual({
      direction: 'same',
      text: 'Nada facturado en el 3.º',
    });
  });

  it('says nothing about a previous period that refunded more than it invoiced', () => {
    expect(compare(500, -20, 'en octubre')).toBeNull();
  });

  it('gives a factor instead of thousands of per cent', () => {
    expect(compare(28_000, 2000, 'en octubre')?.text).toBe('14 veces lo de octubre');
    expect(compare(28_000, 2000, 'el\u00a03.º')?.text).toBe('14 veces lo del\u00a03.º');
  });

  it('gives the previous amount if that was next to nothing', () => {
    expect(compare(16_084.54, 4.16, 'en octubre')).toEqual({
      direction: 'up',
      text: 'En octubre, 4,16\u00a0€',
    });
    expect(compare(1000, 10, 'el 3.º')?.text).toBe('En el 3.º, 10,00\u00a0€');
  });

  it('treats a difference of less than half a point as none', () => {
    expect(compare(1002, 1000, 'el 3.º')).toEqual({
      direction: 'same',
      text: 'Igual que el 3.º',
    });
  });
});
