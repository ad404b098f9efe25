import { describe, expect, it } from 'vitest';
import { grupoDeCodigos } from '../situaciones.ts';
import { recargoBps, vatRateBps } from '../vat.ts';
import {
  clavesRegimen,
  clavesRegimenOf,
  formasPago,
  gruposContables,
  gruposIva,
  paises,
  paisOf,
  terminosPago,
  unidades,
} from './catalogs.ts';

const TERRITORIES = ['peninsula', 'foral', 'canarias', 'ceuta-melilla'] as const;

describe('taxes', () => {
  it.each(TERRITORIES)('of %s have a group for each pair of keys', (territory) => {
    const keys = gruposIva(territory).map(
      (g) => `${g.VATProdPostingGroup} ${g.VATBusPostingGroup}`,
    );
    expect(new Set(keys).size).toBe(keys.length);
  });

  it.each(TERRITORIES)('of %s are taxed or exempt, and one of the two', (territory) => {
    for (const group of gruposIva(territory)) {
      const { CalificacionOperacion, OperacionExenta } = group.verifactu;
      expect((CalificacionOperacion === null) !== (OperacionExenta === null)).toBe(true);
      const hasRate = vatRateBps(group) !== null;
      expect(hasRate).toBe(CalificacionOperacion === 'S1' || CalificacionOperacion === 'S2');
      if (recargoBps(group) !== null) expect(CalificacionOperacion).toBe('S1');
    }
  });

  it.each([
    ['peninsula', '01'],
    ['foral', '01'],
    ['canarias', '03'],
    ['ceuta-melilla', '02'],
  ] as const)('of %s are all of Impuesto %s, with keys of its list', (territory, Impuesto) => {
    const claves = clavesRegimen(territory).map(({ value }) => value);
    for (const { verifactu } of gruposIva(territory)) {
      expect(verifactu.Impuesto).toBe(Impuesto);
      expect(claves).toContain(verifactu.ClaveRegimen);
    }
    expect(clavesRegimen(territory).every(({ impuesto }) => impuesto === Impuesto)).toBe(true);
  });

  it.each(TERRITORIES)('of %s can be charged to any kind of customer', (territory) => {
    const groups = gruposIva(territory).filter(({ activo }) => activo !== false);
    for (const { value } of gruposContables) {
      expect(groups.some(({ VATBusPostingGroup }) => VATBusPostingGroup === value)).toBe(true);
    }
  });

  it('that are no longer offered state when they were valid', () => {
    const closed = gruposIva('peninsula').filter(({ activo }) => activo === false);
    expect(closed.map(({ VATProdPostingGroup }) => VATProdPostingGroup)).toEqual([
      'IVA5',
      'IVA7.5',
      'IVA2',
    ]);
    expect(closed.every(({ vigencia }) => vigencia?.length === 2)).toBe(true);
  });
});

describe('keys of regime', () => {
  it('have in each tax the name that its list gives them', () => {
    const called = (tax: string, key: string) =>
      clavesRegimenOf(tax).find(({ value }) => value === key)?.label;
    expect(['01', '02', '03'].map((tax) => called(tax, '08'))).toEqual([
      '08 - Operaciones sujetas al IPSI / IGIC',
      '08 - Operaciones sujetas al IGIC / IVA',
      '08 - Operaciones sujetas al IPSI / IVA',
    ]);
    expect(called('02', '19')).toBe('19 - Operaciones interiores exentas');
    expect(called('02', '20')).toBe('20 - Régimen de estimación objetiva');
    expect(called('02', '18')).not.toContain('equivalencia');
  });

  it.each(['01', '03'])(
    'of tax %s print on the invoice what a line with that key prints',
    (tax) => {
      for (const { value, leyenda } of clavesRegimenOf(tax)) {
        const line = grupoDeCodigos(`${tax}/${value}/S1/7`, 'NAC')?.leyenda;
        expect([value, leyenda ?? null]).toEqual([value, line]);
      }
      const mediadora = clavesRegimenOf(tax).find(({ value }) => value === '09');
      expect(mediadora?.leyenda).toContain('disposición adicional cuarta');
    },
  );
});

describe('lists', () => {
  it.each([
    ['paises', paises.map(({ value }) => value)],
    ['formasPago', formasPago.map(({ Code }) => Code)],
    ['terminosPago', terminosPago.map(({ Code }) => Code)],
    ['unidades', unidades.map(({ Code }) => Code)],
    ['gruposContables', gruposContables.map(({ value }) => value)],
  ])('%s repeat no code', (_name, codes) => {
    expect(new Set(codes).size).toBe(codes.length);
  });

  it('begin with Spain', () => {
    expect(paises[0]?.value).toBe('ES');
    expect(paises.filter(({ ue }) => ue)).toHaveLength(27);
    expect(paisOf('XX')).toBeUndefined();
  });

  it('instalments add up to the whole', () => {
    for (const { plazos } of terminosPago) {
      if (!plazos) continue;
      expect(plazos.reduce((sum, { porcentaje }) => sum + porcentaje, 0)).toBe(100);
    }
  });
});
