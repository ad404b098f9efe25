import { describe, expect, it } from 'vitest';
import { gruposIva } from '../domain/catalogs/catalogs.ts';
import { candidates, proposalFor } from './taxes.ts';

const groups = gruposIva('peninsula');
const key = (grupo: string, bps: bigint) => ({ grupo, codigo: 'X', bps });

describe('what is proposed for a code', () => {
  it.each([
    ['NAC', 2100n, 'IVA21'],
    ['NAC', 1000n, 'IVA10'],
    ['NAC', 400n, 'IVA4'],
    ['UE', 0n, 'INTRAUE'],
    ['EXT', 0n, 'EXPORT'],
    ['NACRE', 2100n, 'IVA21'],
  ])('%s at %s hundredths of a percent is %s', (grupo, bps, tax) => {
    expect(proposalFor(groups, key(grupo, bps))).toBe(tax);
  });

  it('is nothing for a national client without tax: only its owner knows why', () => {
    expect(proposalFor(groups, key('NAC', 0n))).toBeNull();
    expect(candidates(groups, key('NAC', 0n)).length).toBeGreaterThan(3);
  });

  it('is nothing for a percentage that we do not have', () => {
    expect(proposalFor(groups, key('NAC', 1700n))).toBeNull();
  });
});
