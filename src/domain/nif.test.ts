import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkNif, entityNif, nifKind, normaliseNif } from './nif.ts';

const PERSONAS =
  '00000000T 00000001R 00000022E 12345678Z 11111111H 50000000R 87654321X 99999999R ' +
  'X0000000T X1234567L Y1234567X Y9999999G Z1234567R K1234567L L1234567L M1234567L ' +
  '89890001K 89890002E';
const ENTIDADES =
  'A58818501 B12345674 B85955367 A28015865 G28029643 J99216582 P2807900B Q2826000H S2833002E ' +
  'R2800001F W0010001F N1234567D U12345674 V12345674 H12345674 E12345674 F12345674 A39200019 ' +
  // With a control of zero, and with a letter because of its two zeros.
  'B12345070 P1234507J B0012345E';

describe('checkNif', () => {
  it.each(PERSONAS.split(' '))('%s is a person’s', (nif) => {
    expect(checkNif(nif)).toEqual({ ok: true, nif, kind: 'persona' });
    expect(nifKind(nif)).toBe('persona');
  });

  it.each(ENTIDADES.split(' '))('%s is an entity’s', (nif) => {
    expect(checkNif(nif)).toEqual({ ok: true, nif, kind: 'entidad' });
    expect(nifKind(nif)).toBe('entidad');
  });

  it.each(ENTIDADES.split(' '))('%s can be rebuilt from its letter and digits', (nif) => {
    expect(entityNif(nif.charAt(0), nif.slice(1, 8))).toBe(nif);
  });

  it.each([
    ['A5881850A', '1'],
    ['B1234567D', '4'],
    ['P28079002', 'B'],
  ])('%s is accepted with a warning: it usually ends in %s', (nif, usual) => {
    expect(checkNif(nif)).toEqual({
      ok: true,
      nif,
      kind: 'entidad',
      aviso: expect.stringContaining(`suele acabar en ${usual}`),
    });
  });

  it.each([
    ['00000000A', /letra/],
    ['12345678A', /letra/],
    ['X1234567A', /letra/],
    ['K1234567D', /letra/],
    ['B12345670', /último carácter/],
    ['A58818502', /último carácter/],
    ['J99216583', /último carácter/],
    ['M-1234567-D', /letra/],
    ['1234567Z', /faltan cifras\.$/],
    ['1234567L', /¿querías decir 01234567L\?/],
    ['12345678', /falta la letra/],
    ['T0000000E', /empieza por T/],
    ['O1234567D', /empieza por O/],
    ['I12345674', /empieza por I/],
    ['B1234567', /nueve caracteres/],
    ['X12345678L', /nueve caracteres/],
    ['12345678ZZ', /nueve caracteres/],
    ['X1234567LL', /nueve caracteres/],
    ['AX1234567T', /nueve caracteres/],
    ['K1234567LL', /nueve caracteres/],
    ['AK1234567T', /nueve caracteres/],
    ['B123456744', /nueve caracteres/],
    ['FRB12345674', /nueve caracteres/],
    ['Ñ1234567D', /caracteres/],
    ['Ａ58818501', /caracteres/],
    ['', /Escribe/],
  ])('%s is refused', (text, reason) => {
    expect(checkNif(text)).toMatchObject({ ok: false, mensaje: expect.stringMatching(reason) });
  });

  it.each([
    ['b-1234567-4', 'B12345674'],
    ['ES12345678Z', '12345678Z'],
    [' 12.345.678 z ', '12345678Z'],
    ['es/B12345674', 'B12345674'],
    ['12345678\u2013Z', '12345678Z'],
    ['\u200bB\u00a012345674\u200e', 'B12345674'],
    ['NIF: 12345678-Z', '12345678Z'],
    ['C.I.F. B-12345674', 'B12345674'],
    ['DNI 12345678Z', '12345678Z'],
    ['NIE X-1234567-L', 'X1234567L'],
    ['12345678\u2212Z', '12345678Z'],
  ])('%s is stored as %s', (text, nif) => {
    expect(normaliseNif(text)).toBe(nif);
    expect(checkNif(text)).toMatchObject({ ok: true, nif });
  });

  it('accepts exactly one letter for each DNI number', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 99_999_999 }), (number) => {
        const digits = String(number).padStart(8, '0');
        const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
        expect(letters.filter((letter) => checkNif(digits + letter).ok)).toHaveLength(1);
      }),
    );
  });
});
