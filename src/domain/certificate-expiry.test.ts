import { expect, it } from 'vitest';
import { avisoDeCaducidad, avisosDebidos } from './certificate-expiry.ts';

const END = new Date('2027-03-01T12:00:00Z');
const before = (days: number, hours = 0) =>
  new Date(END.getTime() - (days * 24 + hours) * 3_600_000);

it.each([
  [before(60, 1), null],
  [before(60), 60],
  [before(31), 60],
  [before(30), 30],
  [before(16), 30],
  [before(15), 15],
  [before(8), 15],
  [before(7), 7],
  [before(1, 1), 7],
  [before(1), 1],
  [before(0, 1), 1],
  [before(0), 0],
  [before(-1), 0],
  [before(-29, -23), 0],
  [before(-30), null],
])('at %s the warning due is %s', (now, days) => {
  const due = avisosDebidos(now).filter(({ after, until }) => END > after && END <= until);
  expect(due.map(({ dias }) => dias)).toEqual(days === null ? [] : [days]);
});

it('tells the panel in words, and more urgently in the last week', () => {
  expect(avisoDeCaducidad(END, before(61))).toBeNull();
  expect(avisoDeCaducidad(END, before(45))).toMatchObject({ gravedad: 'aviso' });
  expect(avisoDeCaducidad(END, before(45))?.mensaje).toContain('en 45 días');
  expect(avisoDeCaducidad(END, before(7))).toMatchObject({ gravedad: 'grave' });
  expect(avisoDeCaducidad(END, before(0))).toEqual({
    gravedad: 'grave',
    mensaje:
      'Tu certificado digital ha caducado. Puedes seguir registrando: lo que registres esperará sin enviarse a la AEAT hasta que subas otro.',
  });
});
