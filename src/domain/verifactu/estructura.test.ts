import { describe, expect, it } from 'vitest';
import { AHORA, issued, item, SISTEMA } from '../../../tests/fixtures/verifactu/invoices.ts';
import { checkEstructura } from './estructura.ts';
import { type RegistroAlta, registroAltaFromInvoice } from './registro.ts';

const ALTA = registroAltaFromInvoice(issued({ items: [item('100')] }), {
  anterior: null,
  SistemaInformatico: SISTEMA,
  FechaHoraHusoGenRegistro: AHORA,
});
const [DETALLE] = ALTA.Desglose.DetalleDesglose;
const campos = (changes: object) =>
  checkEstructura({ ...ALTA, ...changes } as RegistroAlta).map(({ campo }) => campo);

describe('checkEstructura', () => {
  it('accepts a good registro', () => {
    expect(checkEstructura(ALTA)).toEqual([]);
  });

  it.each<[string, object, string]>([
    ['an element is missing', { Desglose: undefined }, 'Desglose'],
    ['one is unknown', { Color: 'rojo' }, '/Color'],
    [
      'the number has a forbidden character',
      { IDFactura: { ...ALTA.IDFactura, NumSerieFactura: 'A=1' } },
      'IDFactura/NumSerieFactura',
    ],
    [
      'the number has an ñ',
      { IDFactura: { ...ALTA.IDFactura, NumSerieFactura: 'Ñ1' } },
      'IDFactura/NumSerieFactura',
    ],
    [
      'the number is too long',
      { IDFactura: { ...ALTA.IDFactura, NumSerieFactura: '1'.repeat(61) } },
      'IDFactura/NumSerieFactura',
    ],
    [
      'the NIF is short',
      { IDFactura: { ...ALTA.IDFactura, IDEmisorFactura: '8989000K' } },
      'IDFactura/IDEmisorFactura',
    ],
    ['a value is not of its list', { TipoFactura: 'F4' }, 'TipoFactura'],
    ['an amount has no decimals', { ImporteTotal: '121' }, 'ImporteTotal'],
    ['an amount has thirteen digits', { ImporteTotal: '1234567890123.00' }, 'ImporteTotal'],
    [
      'the instant has fractions',
      { FechaHoraHusoGenRegistro: '2026-11-20T10:00:37.5+01:00' },
      'FechaHoraHusoGenRegistro',
    ],
    ['the description is blank', { DescripcionOperacion: ' ' }, 'DescripcionOperacion'],
    [
      'the description is too long',
      { DescripcionOperacion: 'x'.repeat(501) },
      'DescripcionOperacion',
    ],
    ['the huella is in lower case', { Huella: ALTA.Huella.toLowerCase() }, 'Huella'],
    [
      'there are thirteen lines of desglose',
      { Desglose: { DetalleDesglose: Array(13).fill(DETALLE) } },
      'Desglose/DetalleDesglose',
    ],
    [
      'there is no line of desglose',
      { Desglose: { DetalleDesglose: [] } },
      'Desglose/DetalleDesglose',
    ],
    [
      'the customer has neither NIF nor IDOtro',
      { Destinatarios: { IDDestinatario: [{ NombreRazon: 'X' }] } },
      'Destinatarios/IDDestinatario',
    ],
    [
      'a choice is made twice',
      {
        Encadenamiento: {
          ...ALTA.Encadenamiento,
          RegistroAnterior: { ...ALTA.IDFactura, Huella: ALTA.Huella },
        },
      },
      'Encadenamiento',
    ],
    ['text stands where a block goes', { Desglose: 'nada' }, 'Desglose'],
    [
      'the number is empty',
      { IDFactura: { ...ALTA.IDFactura, NumSerieFactura: '' } },
      'IDFactura/NumSerieFactura',
    ],
    [
      'the NIF is in lower case',
      { IDFactura: { ...ALTA.IDFactura, IDEmisorFactura: '89890001k' } },
      'IDFactura/IDEmisorFactura',
    ],
    ['an amount has one decimal', { ImporteTotal: '121.0' }, 'ImporteTotal'],
    ['the huella is cut off', { Huella: ALTA.Huella.slice(1) }, 'Huella'],
    [
      'the instant has no offset',
      { FechaHoraHusoGenRegistro: '2026-11-20T10:00:37' },
      'FechaHoraHusoGenRegistro',
    ],
    [
      'the program is named by one letter',
      { SistemaInformatico: { ...SISTEMA, IdSistemaInformatico: 'H' } },
      'SistemaInformatico/IdSistemaInformatico',
    ],
    [
      'the number of the registro before is blank',
      {
        Encadenamiento: {
          RegistroAnterior: { ...ALTA.IDFactura, NumSerieFactura: ' ', Huella: ALTA.Huella },
        },
      },
      'Encadenamiento/RegistroAnterior/NumSerieFactura',
    ],
    [
      'the country is one that the schema lacks',
      {
        Destinatarios: {
          IDDestinatario: [
            { NombreRazon: 'X', IDOtro: { CodigoPais: 'AX', IDType: '04', ID: '1' } },
          ],
        },
      },
      'Destinatarios/IDDestinatario/IDOtro/CodigoPais',
    ],
  ])('says where: %s', (_what, changes, campo) => {
    expect(campos(changes)).toEqual([campo]);
  });

  it.each(['NombreRazonEmisor', 'CuotaTotal', 'Encadenamiento', 'Huella'] as const)(
    'says that %s was left out',
    (name) => {
      const { [name]: _left, ...rest } = ALTA;
      const problems = checkEstructura(rest as RegistroAlta);
      expect(problems.map(({ campo }) => campo)).toEqual([name]);
    },
  );

  it('accepts each value of RechazoPrevio', () => {
    expect(['N', 'S', 'X'].flatMap((RechazoPrevio) => campos({ RechazoPrevio }))).toEqual([]);
  });

  it('accepts a list of one, and a field that is present without a value', () => {
    expect(campos({ Desglose: { DetalleDesglose: [DETALLE] } })).toEqual([]);
    expect(campos({ Desglose: { DetalleDesglose: DETALLE } })).toEqual([]);
    expect(campos({ Macrodato: undefined, Color: undefined })).toEqual([]);
  });

  it('counts characters as the schema does', () => {
    expect(campos({ NombreRazonEmisor: '\ud83d\ude00'.repeat(120) })).toEqual([]);
    expect(campos({ NombreRazonEmisor: '\ud83d\ude00'.repeat(121) })).toEqual([
      'NombreRazonEmisor',
    ]);
  });
});
