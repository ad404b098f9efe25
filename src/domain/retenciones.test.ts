import { describe, expect, it } from 'vitest';
import { retencionOf, type Withheld } from './retenciones.ts';

const plain = (retencion: string): Withheld => ({
  retencion,
  tipoRectificativa: null,
  rectifies: [],
});
const correcting = (
  tipoRectificativa: 'I' | 'S',
  retencion: string,
  ...numbers: string[]
): Withheld => ({
  retencion,
  tipoRectificativa,
  rectifies: numbers.map((numSerie) => ({ numSerie, fecha: '2026-11-20', externa: false })),
});
const known = (invoices: Record<string, Withheld>) => new Map(Object.entries(invoices));

describe('what the client of an invoice withholds', () => {
  it('is its own, and nothing of others', () => {
    expect(retencionOf(plain('15.00'), known({}))).toEqual({ own: '15.00', replaced: '0.00' });
    expect(retencionOf(plain('0.00'), known({}))).toBeNull();
  });

  it('in an abono por diferencias is the difference already', () => {
    const one = correcting('I', '-3.00', 'A1');
    expect(retencionOf(one, known({ A1: plain('15.00') }))).toEqual({
      own: '-3.00',
      replaced: '0.00',
    });
  });

  it('is that of the replaced invoices too, even if the new one has none', () => {
    const two = known({ A1: plain('15.00'), A2: plain('7.50') });
    expect(retencionOf(correcting('S', '0.00', 'A1', 'A2', 'A3'), two)).toEqual({
      own: '0.00',
      replaced: '22.50',
    });
  });

  it('counts by the difference one that had replaced another of them', () => {
    // R1 had replaced A1, and both are replaced: 15.00 + (10.00 − 15.00) = 10.00.
    const replaced = { A1: plain('15.00'), R1: correcting('S', '10.00', 'A1') };
    const again = (...numbers: string[]) =>
      retencionOf(correcting('S', '12.00', ...numbers), known(replaced));
    expect(again('A1', 'R1')).toEqual({ own: '12.00', replaced: '10.00' });
    expect(again('R1')).toEqual({ own: '12.00', replaced: '10.00' });
    const back = known({ A1: plain('-15.00'), R1: correcting('S', '10.00', 'A1') });
    expect(retencionOf(correcting('S', '0.00', 'A1', 'R1'), back)?.replaced).toBe('10.00');
  });

  it('counts each once of a chain in which every one had replaced all those before it', () => {
    // R1: 10.00 instead of 15.00; R2: 12.00 instead of both. All three together: 12.00.
    const chain = {
      A1: plain('15.00'),
      R1: correcting('S', '10.00', 'A1'),
      R2: correcting('S', '12.00', 'A1', 'R1'),
    };
    expect(retencionOf(correcting('S', '9.00', 'A1', 'R1', 'R2'), known(chain))).toEqual({
      own: '9.00',
      replaced: '12.00',
    });
  });

  it('is not that of an invoice of another program with the same number', () => {
    const one: Withheld = {
      ...correcting('S', '12.00'),
      rectifies: [{ numSerie: 'A1', fecha: '2026-11-20', externa: true }],
    };
    expect(retencionOf(one, known({ A1: plain('15.00') }))?.replaced).toBe('0.00');
  });
});
