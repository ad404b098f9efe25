import { expect, it } from 'vitest';
import { areInPieces, withOwnBlanks } from './blanks.ts';

const PAGE =
  'COLEGIO SANTA INÉS, S.L. Colegiado nº 4.512 de Murcia (España), desde el año 1998 12,00 3,00';

it('removes blanks that no glyph draws, and keeps those between figures', () => {
  const runs = ['CO LE GI O SA NTA I NÉ S , S.L.', 'Colegiado nº 4.512 de Murcia (España ),'];
  const more = ['desde el año 1998', '12,00 3,00'];
  expect(withOwnBlanks([...runs, ...more], PAGE.replace('12,00 3', '12,003'))).toEqual([
    'COLEGIO SANTA INÉS, S.L.',
    'Colegiado nº 4.512 de Murcia (España),',
    ...more,
  ]);
});

it('trusts the gaps of a file that draws no blanks, or whose text differs from its glyphs', () => {
  const runs = ['Total a pagar'];
  expect(withOwnBlanks(runs, 'Totalapagar')).toEqual(runs);
  expect(withOwnBlanks(runs, 'Total a')).toEqual(runs);
});

it('recognises texts broken into pieces', () => {
  expect(areInPieces(['Fruta s del Segre'])).toBe(true);
  expect(areInPieces(['N.I.F .: B12345674'])).toBe(true);
  expect(areInPieces(['Pan y leche 1 l', 'a 3 o 4 días', 'José M. Gil'])).toBe(false);
});
