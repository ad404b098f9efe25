import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import vectores from '../../../tests/fixtures/verifactu/huella-vectores.json' with { type: 'json' };
import {
  type CamposHuellaAlta,
  type CamposHuellaAnulacion,
  huellaAlta,
  huellaAnulacion,
} from './huella.ts';

interface Vector {
  readonly source: string;
  readonly kind: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly previous: string;
  readonly expected: string;
}

const ANULACION: CamposHuellaAnulacion = {
  IDEmisorFacturaAnulada: '89890001K',
  NumSerieFacturaAnulada: '12345678/G33',
  FechaExpedicionFacturaAnulada: '01-01-2024',
  HuellaAnterior: 'F'.repeat(64),
  FechaHoraHusoGenRegistro: '2024-01-01T19:20:40+01:00',
};
const ALTA: CamposHuellaAlta = {
  IDEmisorFactura: '89890001K',
  NumSerieFactura: '12345678/G33',
  FechaExpedicionFactura: '01-01-2024',
  TipoFactura: 'F1',
  CuotaTotal: '12.35',
  ImporteTotal: '123.45',
  HuellaAnterior: '',
  FechaHoraHusoGenRegistro: '2024-01-01T19:20:30+01:00',
};

describe('known huellas', () => {
  it.each(vectores as unknown as Vector[])('$source: $kind $expected', (vector) => {
    const campos = { ...vector.fields, HuellaAnterior: vector.previous } as never;
    const huella = vector.kind === 'alta' ? huellaAlta(campos) : huellaAnulacion(campos);
    expect(huella).toBe(vector.expected);
  });
});

describe('the text that is hashed', () => {
  it('changes with any of its fields', () => {
    const other = fc.string({ minLength: 1 }).filter((text) => text.trim() === text);
    const field = fc.constantFrom(...(Object.keys(ALTA) as (keyof CamposHuellaAlta)[]));
    fc.assert(
      fc.property(field, other, (name, value) => {
        fc.pre(value !== ALTA[name]);
        expect(huellaAlta({ ...ALTA, [name]: value })).not.toBe(huellaAlta(ALTA));
      }),
    );
  });

  it('contains the text and not the quantity: 123.45 and 123.450 are two huellas', () => {
    expect(huellaAlta({ ...ALTA, ImporteTotal: '123.450' })).not.toBe(huellaAlta(ALTA));
  });

  it('loses leading and trailing blanks of every field and keeps those inside', () => {
    const alta = { ...ALTA, HuellaAnterior: 'F'.repeat(64) };
    // At both ends, and at either alone.
    const spaced = (value: string) => [`\t ${value} \n`, ` ${value}`, `${value} `];
    for (const [name, value] of Object.entries(alta)) {
      for (const blanks of spaced(value)) {
        expect(huellaAlta({ ...alta, [name]: blanks })).toBe(huellaAlta(alta));
      }
    }
    for (const [name, value] of Object.entries(ANULACION)) {
      for (const blanks of spaced(value)) {
        const same = { ...ANULACION, [name]: blanks };
        expect(huellaAnulacion(same)).toBe(huellaAnulacion(ANULACION));
      }
    }
    const oneBlank = huellaAlta({ ...ALTA, NumSerieFactura: 'A 1' });
    expect(huellaAlta({ ...ALTA, NumSerieFactura: 'A  1' })).not.toBe(oneBlank);
  });

  it.each(['!', '\u00a0'])('keeps %j at either end, which is above U+0020', (kept) => {
    for (const numero of [`${kept}12345678/G33`, `12345678/G33${kept}`]) {
      expect(huellaAlta({ ...ALTA, NumSerieFactura: numero })).not.toBe(huellaAlta(ALTA));
    }
  });

  it('is UTF-8 without any escaping', () => {
    // Computed with another tool, over the same text:
    // printf '%s' 'IDEmisorFacturaAnulada=89890001K&NumSerieFacturaAnulada=A&Ñ/1&…' | sha256sum
    expect(
      huellaAnulacion({
        IDEmisorFacturaAnulada: '89890001K',
        NumSerieFacturaAnulada: 'A&Ñ/1',
        FechaExpedicionFacturaAnulada: '01-01-2024',
        HuellaAnterior: '',
        FechaHoraHusoGenRegistro: '2024-01-01T19:20:40+01:00',
      }),
    ).toBe('7E7B8521C24A7BAA67A6D42376A7822333EB19867C6AEDB350B0AC8F522A74D7');
  });
});
