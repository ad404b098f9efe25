import { describe, expect, it } from 'vitest';
import { gruposIva } from '../domain/catalogs/catalogs.ts';
import { candidates, proposalFor, rateOf } from './taxes.ts';

const groups = gruposIva('peninsula');
const key = (grupo: string, bps: bigint) => ({ grupo, codigo: 'X', bps });

describe('the proposal for a code', () => {
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

  it('is nothing for a national client without tax: only the user knows the reason', () => {
    expect(proposalFor(groups, key('NAC', 0n))).toBeNull();
    expect(candidates(groups, key('NAC', 0n)).length).toBeGreaterThan(3);
  });

  it('is nothing for a percentage that we do not have', () => {
    expect(proposalFor(groups, key('NAC', 1700n))).toBeNull();
  });
});

describe('the rate of a code', () => {
  const codes = (...keys: [grupo: string, bps: bigint][]) =>
    keys.map(([grupo, bps]) => key(grupo, bps));
  it.each([
    ['the one that it has', codes(['NAC', 2100n]), 2100n],
    ['the one above zero', codes(['NAC', 1000n], ['NACRE', 1000n], ['EXT', 0n]), 1000n],
    ['none, where it is exempt', codes(['NAC', 0n], ['EXT', 0n]), 0n],
    ['not known by what is sold abroad', codes(['EXT', 0n], ['UE', 0n]), null],
    ['not known with two', codes(['NAC', 1000n], ['NAC', 500n]), null],
    ['not known where nobody said', [], null],
  ])('is %s', (_, mapped, rate) => {
    expect(rateOf(mapped, 'X')).toBe(rate);
    expect(rateOf(mapped, 'Y')).toBeNull();
  });
});
