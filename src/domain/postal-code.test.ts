import { describe, expect, it } from 'vitest';
import { checkPostalCode, provinceOf, territoryOf, withLostZero } from './postal-code.ts';

describe('a Spanish postal code', () => {
  it.each([
    ['28013', 'Madrid', 'peninsula'],
    ['01001', 'Álava', 'foral'],
    ['08080', 'Barcelona', 'peninsula'],
    ['07001', 'Illes Balears', 'peninsula'],
    ['35001', 'Las Palmas', 'canarias'],
    ['38001', 'Santa Cruz de Tenerife', 'canarias'],
    ['51001', 'Ceuta', 'ceuta-melilla'],
    ['52006', 'Melilla', 'ceuta-melilla'],
    ['50001', 'Zaragoza', 'peninsula'],
    ['09001', 'Burgos', 'peninsula'],
    ['31001', 'Navarra', 'foral'],
    ['20001', 'Gipuzkoa', 'foral'],
    ['48001', 'Bizkaia', 'foral'],
  ])('%s is in %s: %s', (postCode, provincia, territory) => {
    expect(checkPostalCode(postCode, 'ES')).toEqual({ ok: true, postCode, provincia, territory });
    expect(provinceOf(postCode)).toBe(provincia);
    expect(territoryOf(postCode)).toBe(territory);
  });

  it.each(['00123', '53000', '99999', '2801', '28-13', '280133', '2801A', '８８013', ''])(
    '%j is refused',
    (text) => {
      expect(checkPostalCode(text, 'ES').ok).toBe(false);
    },
  );

  it('may be typed in groups', () => {
    expect(checkPostalCode(' 35 001\u00a0', 'ES')).toMatchObject({
      ok: true,
      postCode: '35001',
      territory: 'canarias',
    });
    expect([provinceOf('35 001'), territoryOf('35 001')]).toEqual(['Las Palmas', 'canarias']);
  });

  it('that lost its zero in a spreadsheet is proposed with it', () => {
    expect(checkPostalCode('1001', 'ES')).toMatchObject({
      ok: false,
      mensaje: expect.stringContaining('01001'),
    });
  });
});

it('abroad is one to ten characters of any kind', () => {
  expect(checkPostalCode('SW1A 1AA', 'GB')).toMatchObject({ ok: true, postCode: 'SW1A 1AA' });
  expect(checkPostalCode('', 'FR').ok).toBe(false);
  expect(checkPostalCode('12345678901', 'US').ok).toBe(false);
  // Rennes is not in Las Palmas, nor Münster in Bizkaia.
  expect([provinceOf('35000', 'FR'), territoryOf('35000', 'FR')]).toEqual([null, 'peninsula']);
  expect([provinceOf('48143', 'DE'), territoryOf('48143', 'DE')]).toEqual([null, 'peninsula']);
});

it('gets the zero back that a spreadsheet has taken away, unless it is of a country with codes of four', () => {
  expect(['8013', ' 8 013', '1001'].map((text) => withLostZero(text, 'ES'))).toEqual([
    '08013',
    '08013',
    '01001',
  ]);
  expect(['28013', '800', '0013', ''].map((text) => withLostZero(text, 'ES'))).toEqual(
    Array(4).fill(null),
  );
  // Zürich, Wien, Bruxelles.
  expect([withLostZero('8001', 'CH'), withLostZero('1010', 'AT')]).toEqual([null, null]);
  expect(checkPostalCode('1000', 'BE')).toMatchObject({ ok: true, postCode: '1000' });
});
