import { describe, expect, it } from 'vitest';
import { paises } from './catalogs/catalogs.ts';
import { checkNifIva, isUnionForVat, matchNifIva } from './nif-iva.ts';

const VALID =
  'ATU13585627 BE0403019261 BE1000000021 BG175074752 CY10259033P CZ25123891 DE136695976 DK13585628 ' +
  'EE100931558 EL094259216 ESA58818501 FI20774740 FR40303265045 HR33392005961 HU12892312 IE6433435F ' +
  'IE6433435OA IT00743110157 LT119511515 LU15027442 LV40003521600 MT11679112 NL004495445B01 ' +
  'PL8567346215 PT501964843 RO18547290 SE123456789701 SI50223054 SK2022749619';

const countryOf = (nifIva: string) => (nifIva.startsWith('EL') ? 'GR' : nifIva.slice(0, 2));

describe('a NIF-IVA', () => {
  it.each(VALID.split(' '))('%s is valid, with its prefix and without it', (nifIva) => {
    const country = countryOf(nifIva);
    expect(checkNifIva(country, nifIva)).toEqual({ ok: true, nifIva });
    expect(checkNifIva(country, nifIva.slice(2))).toEqual({ ok: true, nifIva });
    expect(matchNifIva(country, nifIva)).toBe(nifIva);
  });

  it.each(['DE136695975', 'FR41303265045', 'PT501964842', 'BE1000000006'])(
    '%s has a valid structure and a wrong check digit',
    (nifIva) => {
      expect(matchNifIva(countryOf(nifIva), nifIva)).toBe(nifIva);
      expect(checkNifIva(countryOf(nifIva), nifIva)).toMatchObject({
        ok: false,
        mensaje: expect.stringContaining('control'),
      });
    },
  );

  it.each(VALID.split(' '))('%s with another last digit is refused', (nifIva) => {
    // At most two of ten last characters can pass: for a number without a check digit this test would fail.
    const isDigit = /\d$/.test(nifIva);
    const others = [...(isDigit ? '0123456789' : 'ABCDEFGHIJ')].map((c) => nifIva.slice(0, -1) + c);
    const passing = others.filter((other) => checkNifIva(countryOf(nifIva), other).ok);
    // The last two of a Dutch or Swedish number count branches, and for SE they are fixed.
    const limit = nifIva.startsWith('NL') ? 10 : 2;
    expect(passing.length).toBeLessThanOrEqual(limit);
  });

  it.each([
    ['DE', '12345678'],
    ['ES', 'B1234567'],
    ['NL', '123456789C'],
    ['SE', '123456789702'],
    ['GB', '123456789'],
    ['US', '123456789'],
    ['FR', ''],
  ])('%s %j is not one', (country, text) => {
    expect(matchNifIva(country, text)).toBeNull();
    expect(checkNifIva(country, text).ok).toBe(false);
  });

  it.each([
    ['DE', '123', '«DE123» no tiene la forma de un NIF-IVA de Alemania.'],
    ['GR', '123', '«EL123» no tiene la forma de un NIF-IVA de Grecia.'],
    ['GB', 'XI12', '«XI12» no tiene la forma de un NIF-IVA de Irlanda del Norte.'],
    ['US', '123', 'Estados Unidos no es un país de la Unión Europea: no tiene NIF-IVA.'],
  ])('of %s that is %j is refused with the name of the country', (country, text, mensaje) => {
    expect(checkNifIva(country, text)).toEqual({ ok: false, mensaje });
  });

  it('is written with EL for Greece, with FR for Monaco and with XI for Northern Ireland', () => {
    expect(matchNifIva('GR', 'GR 094.259.216')).toBe('EL094259216');
    expect(matchNifIva('MC', '37 000 025 487')).toBe('FR37000025487');
    expect(checkNifIva('MC', 'FR37000025487')).toEqual({ ok: true, nifIva: 'FR37000025487' });
    expect(checkNifIva('MC', 'FR38000025487').ok).toBe(false);
    expect(matchNifIva('GB', 'xi 123456789')).toBe('XI123456789');
  });
});

it('exists in the Union countries of the catalog, and in Monaco', () => {
  const others = paises.filter(({ value, ue }) => isUnionForVat(value) !== ue);
  expect(others.map(({ value }) => value)).toEqual(['MC']);
});
