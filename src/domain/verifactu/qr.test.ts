import fc from 'fast-check';
import { expect, it } from 'vitest';
import { urlQr } from './qr.ts';

const DATOS = { nif: '89890001K', numSerie: '12345678&G33', fecha: '01-01-2024', importe: '241.4' };

it('matches the example in the AEAT’s document (QR 0.5.0)', () => {
  expect(urlQr('pruebas', DATOS)).toBe(
    'https://prewww2.aeat.es/wlpl/TIKE-CONT/ValidarQR?nif=89890001K&numserie=12345678%26G33&fecha=01-01-2024&importe=241.4',
  );
});

it('points to the real service in production', () => {
  expect(urlQr('produccion', { ...DATOS, numSerie: '00001/LO', importe: '-121.00' })).toBe(
    'https://www2.agenciatributaria.gob.es/wlpl/TIKE-CONT/ValidarQR?nif=89890001K&numserie=00001%2FLO&fecha=01-01-2024&importe=-121.00',
  );
});

it('encodes a plus sign, which would otherwise be read as a blank', () => {
  expect(urlQr('pruebas', { ...DATOS, numSerie: 'A+1' })).toContain('numserie=A%2B1&');
});

it('refuses a day that is not dd-mm-yyyy', () => {
  expect(() => urlQr('pruebas', { ...DATOS, fecha: '2024-01-01' })).toThrow(RangeError);
});

it('contains exactly four parameters in order, and the number can be read back', () => {
  const ascii = fc.string({ unit: fc.constantFrom(...printable()), minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(ascii, (numSerie) => {
      const { searchParams } = new URL(urlQr('pruebas', { ...DATOS, numSerie }));
      expect([...searchParams.keys()]).toEqual(['nif', 'numserie', 'fecha', 'importe']);
      expect(searchParams.get('numserie')).toBe(numSerie);
    }),
  );
});

function printable(): string[] {
  return Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index));
}
