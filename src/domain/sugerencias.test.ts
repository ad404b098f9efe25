import { describe, expect, it } from 'vitest';
import { type Impuesto, situacionById } from './situaciones.ts';
import { propuestas, situacionesPara, sugerencias } from './sugerencias.ts';

const card = (
  countryCode: string,
  postCode: string,
  CustomerPostingGroup: string,
  VATRegistrationNo = 'A58818501',
) => ({ countryCode, postCode, CustomerPostingGroup, VATRegistrationNo });
const of = (cliente: ReturnType<typeof card>, impuesto: Impuesto = '01') =>
  sugerencias(cliente, impuesto).map(({ id }) => id);

describe('what a customer’s card suggests', () => {
  it.each([
    ['a company of the mainland', card('ES', '08013', 'NAC'), ['venta-nacional']],
    ['a town hall', card('ES', '28013', 'NAC', 'P2807900B'), ['venta-nacional', 'obra-publica']],
    ['a shop in recargo', card('ES', '28013', 'NACRE'), ['recargo', 'recargo-servicio']],
    [
      'a company of the Canaries',
      card('ES', '35001', 'CAN'),
      ['servicio-canarias', 'bienes-canarias', 'hecho-en-espana'],
    ],
    [
      'a person of the Canaries',
      card('ES', '35001', 'CAN', '12345678Z'),
      ['hecho-en-espana', 'bienes-canarias', 'servicio-canarias'],
    ],
    [
      'a person who lives in Andorra',
      card('AD', 'AD500', 'EXT', '12345678Z'),
      ['hecho-en-espana', 'exportacion', 'servicio-exterior'],
    ],
    ['a company of France', card('FR', '75001', 'UE'), ['servicio-ue', 'bienes-ue']],
    ['a company of Monaco', card('MC', '98000', 'UE'), ['servicio-ue', 'bienes-ue']],
    ['a person of France', card('FR', '75001', 'UEPART'), ['hecho-en-espana']],
    [
      'a customer of the United Kingdom',
      card('GB', 'EC1A', 'EXT'),
      ['servicio-exterior', 'exportacion', 'hecho-en-espana'],
    ],
  ])('%s', (_who, cliente, expected) => {
    expect(of(cliente)).toEqual(expected);
  });

  it('is one of the issuer’s own taxes', () => {
    expect(of(card('ES', '28013', 'NAC'), '03')[0]).toBe('igic-servicio-peninsula');
    expect(of(card('ES', '35001', 'CAN'), '03')).toEqual(['igic']);
    expect(of(card('ES', '', 'NAC', ''), '03')).toEqual(['igic']);
    expect(of(card('ES', '', 'NAC', ''), '02')).toEqual(['ipsi']);
    expect(of(card('ES', '51001', 'CAN'), '02')).toEqual(['ipsi']);
    expect(of(card('FR', '75001', 'UE'), '02')[0]).toBe('ipsi-servicio-ue');
    expect(of(card('US', '10001', 'EXT'), '02')[0]).toBe('ipsi-servicio-exterior');
  });

  it.each([
    ['a person of Madrid', card('ES', '28013', 'NAC', '12345678Z'), 'servicio-peninsula'],
    ['a consumer of Germany', card('DE', '10115', 'UEPART', 'L01X00T47'), 'servicio-exterior'],
    ['a person who lives in Andorra', card('AD', 'AD500', 'EXT', '12345678Z'), 'servicio-exterior'],
  ])('is the tax of the issuer’s place for %s, who may be no business', (_who, cliente, last) => {
    expect(of(cliente, '03')).toEqual(['igic', 'igic-exportacion', `igic-${last}`]);
    expect(of(cliente, '02')).toEqual(['ipsi', 'ipsi-exportacion', `ipsi-${last}`]);
  });

  it('never contradicts the customer’s group', () => {
    // A client in the Canaries with the group of the mainland: no tax of the islands fits it.
    expect(of(card('ES', '35001', 'NAC'))).toEqual([]);
  });

  it('is never the one-stop shop, which requires a registration and does not apply to what is sold here', () => {
    // Up to 10 000 € a year distance sales are taxed here too (Ley 37/1992 art. 73).
    const probables = sugerencias(card('DE', '10115', 'UEPART'), '01');
    const usual = situacionById('hecho-en-espana') ?? null;
    expect(propuestas(probables, usual, { isChosen: false })).toEqual([]);
  });

  it('is no longer proposed once somebody has chosen', () => {
    const probables = sugerencias(card('US', '10001', 'EXT'), '01');
    const usual = situacionById('hecho-en-espana') ?? null;
    expect(propuestas(probables, usual, { isChosen: true })).toEqual([]);
  });

  it.each([
    [
      'the usual VAT, for a company of abroad',
      'hecho-en-espana',
      ['servicio-exterior', 'exportacion'],
    ],
    ['the likeliest', 'servicio-exterior', []],
    ['another likely one, which somebody has chosen', 'exportacion', []],
  ])('is proposed together with %s', (_what, id, expected) => {
    const probables = sugerencias(card('US', '10001', 'EXT'), '01');
    const proposed = propuestas(probables, situacionById(id) ?? null, { isChosen: false });
    expect(proposed.map((situacion) => situacion.id)).toEqual(expected);
  });

  it('is not proposed beside the usual VAT for a person who lives abroad, which is the likeliest', () => {
    const probables = sugerencias(card('AD', 'AD500', 'EXT', '12345678Z'), '01');
    const usual = situacionById('hecho-en-espana') ?? null;
    expect(propuestas(probables, usual, { isChosen: false })).toEqual([]);
  });

  it('is proposed beside nothing that the company always sells, but to who is abroad', () => {
    const modulos = situacionById('modulos') ?? null;
    const here = sugerencias(card('ES', '08013', 'NAC'), '01');
    expect(propuestas(here, modulos, { isChosen: false })).toEqual(here);
    expect(propuestas(here, modulos, { isChosen: false, isUsual: true })).toEqual([]);
    const abroad = sugerencias(card('US', '10001', 'EXT'), '01');
    const usual = situacionById('hecho-en-espana') ?? null;
    expect(propuestas(abroad, usual, { isChosen: false, isUsual: true })).toHaveLength(2);
  });

  it('divides the table in two', () => {
    const { propias, ajenas } = situacionesPara('01', 'UE');
    expect(propias.map(({ id }) => id)).toContain('bienes-ue');
    expect(ajenas.map(({ id }) => id)).toContain('exportacion');
    expect(propias.some((situacion) => ajenas.includes(situacion))).toBe(false);
  });
});
