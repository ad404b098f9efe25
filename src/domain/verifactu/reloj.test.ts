import { describe, expect, it } from 'vitest';
import { avisoDeReloj, desfaseSegundos } from './reloj.ts';

const at = (time: string) => new Date(`2026-11-20T${time}Z`);

describe('the difference between the clocks', () => {
  it.each([
    // Sent at 10:00:00, received at 10:00:02: any stamp in between proves nothing.
    ['2026-11-20T11:00:01+01:00', 0],
    ['2026-11-20T11:00:02+01:00', 0],
    // 09:59:59 means anything up to 10:00:00.
    ['2026-11-20T10:59:59+01:00', 0],
    // 10:01:32 against 10:00:02 at the latest: 90 s ahead.
    ['2026-11-20T11:01:32+01:00', 90],
    // 09:58:59 is before 09:59:00, 60 s behind 10:00:00 at the earliest.
    ['2026-11-20T10:58:59+01:00', -60],
    ['Fri, 20 Nov 2026 10:05:02 GMT', 300],
    ['no es una fecha', null],
    // Neither can be stored as seconds or says anything about our clock.
    ['9999-12-31T23:59:59+01:00', null],
    ['0001-01-01T00:00:00Z', null],
  ])('%s is %s', (sello, seconds) => {
    const sent = { sentAt: at('10:00:00'), receivedAt: at('10:00:02') };
    expect(desfaseSegundos(sello, sent)).toBe(seconds);
  });

  it('is not reported for a slow answer', () => {
    const slow = { sentAt: at('10:00:00'), receivedAt: at('10:01:30') };
    expect(desfaseSegundos('2026-11-20T11:00:01+01:00', slow)).toBe(0);
  });
});

describe('the warning', () => {
  it.each([
    [null, null],
    [59, null],
    [-59, null],
    [60, '60 segundos atrasado'],
    [-200, '3 minutos adelantado'],
    [-7200, '2 horas adelantado'],
  ])('of %s seconds', (seconds, words) => {
    if (words === null) expect(avisoDeReloj(seconds)).toBeNull();
    else expect(avisoDeReloj(seconds)).toContain(words);
  });

  it('explains what the AEAT does beyond its own margin', () => {
    expect(avisoDeReloj(239)).not.toContain('con avisos');
    expect(avisoDeReloj(240)).toContain('con avisos');
  });
});
