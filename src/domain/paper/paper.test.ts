import { describe, expect, it } from 'vitest';
import {
  issued,
  item,
  ORIGINAL,
  SAMPLES,
  type Sample,
} from '../../../tests/fixtures/verifactu/invoices.ts';
import { paperOf } from './paper.ts';

describe('a rectificativa por sustitución says what it replaces', () => {
  const sustitucion = SAMPLES['r1-sustitucion'];
  const rectified = (changes: Partial<Sample>): string | undefined =>
    paperOf(issued({ ...sustitucion, ...changes }), { draft: false }).reference?.lines.at(-1);
  const plain = (text: string | undefined) => text?.replaceAll('\u00a0', ' ');

  it('with base and quota', () => {
    expect(plain(rectified({}))).toBe('Base rectificada 110,00 € · Cuota rectificada 21,40 €');
  });

  it('with nothing but the price when it was taxed on the margin', () => {
    // Bought at 60, sold at 100: of the 40 left, 33,06 are margin and 6,94 its IVA.
    const used = { ...ORIGINAL, base: '33.06', cuota: '6.94', total: '100.00' };
    expect(plain(rectified({ originals: [used] }))).toBe('Importe rectificado 100,00 €');
    // It had cost nothing: the price is all margin and quota, and nothing else is left over.
    const found = { ...ORIGINAL, base: '1000.00', cuota: '210.00', total: '1210.00' };
    const items = [{ ...item('900', 'REBU21'), coste: '0' }];
    expect(plain(rectified({ originals: [found], items }))).toBe('Importe rectificado 1.210,00 €');
  });

  it('with recargo, where there was any', () => {
    expect(plain(rectified(SAMPLES['r1-sustitucion-con-recargo']))).toBe(
      'Base rectificada 100,00 € · Cuota rectificada 21,00 € · Recargo rectificado 5,20 €',
    );
  });
});
