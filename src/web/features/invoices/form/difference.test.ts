import { describe, expect, it } from 'vitest';
import type { FacturaEmitida } from '../../../../contract/invoices.ts';
import { beforeOf } from './difference.ts';

const row = (DocNo: string, base: number, cuota: number): FacturaEmitida => ({
  DocNo,
  PostingDate: '2026-11-20',
  Name: 'Hotel Mirador',
  Tipo: 'F1',
  Status: 'Registrada',
  base,
  cuota,
  recargo: 0,
  total: Math.round((base + cuota) * 100) / 100,
});
const A = row('00001/LO', 100, 21);
const B = row('00002/LO', 50.1, 10.52);
const rectifying = (invoiceToRectify: string, typed = {}) => ({
  invoiceToRectify,
  tipoRectificativa: 'I' as const,
  baseRectificada: '',
  cuotaRectificada: '',
  recargoRectificado: '',
  ...typed,
});

describe('the amounts of the rectified invoices', () => {
  it('are added up', () => {
    expect(beforeOf(rectifying('00001/LO, 00002/LO'), [B, A])).toEqual({
      base: 15_010n,
      tax: 3_152n,
      total: 18_162n,
    });
    expect(beforeOf(rectifying('00001/LO,00001/LO'), [A])?.total).toBe(12_100n);
  });

  it('are unknown while those of one invoice are', () => {
    expect(beforeOf(rectifying('00001/LO, 7/24'), [A])).toBeNull();
  });

  it('are those that the user states for another program', () => {
    const typed = {
      tipoRectificativa: 'S' as const,
      baseRectificada: '10',
      cuotaRectificada: '2,1',
    };
    expect(beforeOf(rectifying('00001/LO, 7/24', typed), [A])?.total).toBe(13_310n);
    expect(beforeOf(rectifying('7/24', typed), [])?.total).toBe(1_210n);
  });
});
