import { describe, expect, it } from 'vitest';
import type { IssuedInvoice, IssuedLine } from '../../../../domain/invoice.ts';
import { importeOf, paperRow, placeOf, rateOf, reasonOf, referenceOf } from './paper-rows.ts';

const line: IssuedLine = {
  description: 'Barra de masa madre',
  quantity: '10.5',
  price: '1.234',
  discount: '0',
  unit: 'UD',
  productNo: null,
  tax: 'IVA4',
  impuesto: 'IVA',
  CalificacionOperacion: 'S1',
  OperacionExenta: null,
  vatRate: '4',
  recargoRate: null,
  base: '12.96',
  total: '13.48',
};
const invoice = (tipoFactura: IssuedInvoice['tipoFactura']) => ({ tipoFactura }) as IssuedInvoice;

describe('figures of the paper', () => {
  it('are Spanish, with a real minus, and read 1.234 as the decimal it is', () => {
    expect(importeOf('1234567.5')).toBe('1.234.567,50');
    expect(importeOf('-24.50')).toBe('\u221224,50');
    expect(importeOf('1.234')).toBe('1,234');
  });

  it('show bases in a full invoice and amounts with the tax in a simplified one', () => {
    expect(paperRow(line, invoice('F1'))).toMatchObject({
      quantity: '10,5\u00a0ud',
      price: '1,234',
      amount: '12,96',
    });
    // 1,234 × 1,04 = 1,28336 → 1,28.
    expect(paperRow(line, invoice('F2'))).toMatchObject({ price: '1,28', amount: '13,48' });
  });

  it('carry the sign of an abono in the quantity and the amount, not in the price', () => {
    const credited = { ...line, base: '-12.96', total: '-13.48' };
    expect(paperRow(credited, invoice('R1'))).toMatchObject({
      quantity: '\u221210,5\u00a0ud',
      price: '1,234',
      amount: '\u221212,96',
    });
  });

  it('say why there is no rate', () => {
    expect(rateOf(line)).toBe('4\u00a0%');
    expect(rateOf({ ...line, recargoRate: '0.5' })).toBe('4\u00a0% + 0,5\u00a0%');
    expect(rateOf({ ...line, vatRate: null, OperacionExenta: 'E1' })).toBe('Exenta');
    expect(rateOf({ ...line, vatRate: '0', CalificacionOperacion: 'S2' })).toBe('ISP');
  });
});

describe('words of the paper', () => {
  it('name what is rectified and how', () => {
    expect(referenceOf({ numSerie: '00041/LO', fecha: '2026-11-20' })).toBe(
      'Factura 00041/LO de 20/11/2026',
    );
    const rectifying = { tipoFactura: 'R4', tipoRectificativa: 'S' } as IssuedInvoice;
    expect(reasonOf(rectifying)).toMatch(/^Rectificación por sustitución: /);
  });

  it('put the province after the code, and the country only abroad', () => {
    expect(placeOf('50003', 'Zaragoza', 'ES')).toBe('50003 Zaragoza');
    expect(placeOf('75001', '', 'FR')).toBe('75001 FR');
  });
});
