import { describe, expect, it } from 'vitest';
import {
  cuenta,
  euros,
  eurosOfCents,
  fecha,
  huellaCorta,
  huellaEnGrupos,
  importe,
  iniciales,
  nombreMes,
} from './format.ts';

describe('amounts', () => {
  it('are grouped from four digits on, with a comma and two decimals', () => {
    expect(importe(1234.5)).toBe('1.234,50');
    expect(importe(9_999_999_999.99)).toBe('9.999.999.999,99');
  });

  it('have € after a no-break space, and a real minus sign', () => {
    expect(euros(-378.13)).toBe('−378,13\u00a0€');
  });

  it('are written from cents exactly at any size', () => {
    expect([0n, 5n, 5399n, -31_250n, 123_456_789_012_345_678n].map(eurosOfCents)).toEqual([
      '0,00\u00a0€',
      '0,05\u00a0€',
      '53,99\u00a0€',
      '−312,50\u00a0€',
      '1.234.567.890.123.456,78\u00a0€',
    ]);
  });

  it('uses singular and plural', () => {
    expect([cuenta(1, 'factura', 'facturas'), cuenta(1284, 'factura', 'facturas')]).toEqual([
      '1\u00a0factura',
      '1.284\u00a0facturas',
    ]);
  });
});

it('writes dates as 20/11/2026 and leaves other text as it is', () => {
  expect(fecha('2026-11-20')).toBe('20/11/2026');
  expect(fecha('2026-11-20T10:00:00Z')).toBe('20/11/2026');
  expect(fecha('')).toBe('');
});

it('names a month', () => {
  expect(nombreMes('2026-11')).toBe('noviembre');
});

it('makes initials from a company’s name', () => {
  expect(iniciales('Carpintería Belmonte e Hijos, S.L.')).toBe('CB');
  expect(iniciales('Ávila')).toBe('Á');
  expect(iniciales('obrador')).toBe('O');
  expect(iniciales('')).toBe('');
});

it('shortens and groups a huella', () => {
  const huella = 'A17FD62517E630B8DB195FD704CAB1947CD8D4BA71BCF477672C16EB24E1C404';
  expect(huellaCorta(huella)).toBe('A17FD62517E630B8…24E1C404');
  expect(huellaEnGrupos(huella)).toHaveLength(8);
  expect(huellaEnGrupos(huella).join('')).toBe(huella);
});
