import { describe, expect, it } from 'vitest';
import { LISTS } from '../../tests/support/fill-template.ts';
import { ChoiceFinder } from './read-values.ts';
import type { ListName } from './sheets.ts';

function meant(list: ListName, text: string): string | null {
  const read = new ChoiceFinder(list, LISTS[list]).read({ kind: 'value', value: text });
  return read.ok ? read.text : null;
}

describe('what other programs call the options of a list', () => {
  it.each([
    ['Transferencia', 'TRANSF'],
    ['RECIBO', 'DOMIC'],
    ['Domiciliación', 'DOMIC'],
    ['Recibos', 'DOMIC'],
    ['Recibo bancario', 'DOMIC'],
    ['Remesa', 'DOMIC'],
    ['SEPA', 'DOMIC'],
    ['Efectivo', 'CONTADO'],
    ['Giro 30 días', 'GIRO'],
    ['Transferencia a 60 d.f.f.', 'TRANSF'],
    ['TRANSF', 'TRANSF'],
    ['Domiciliación bancaria', 'DOMIC'],
    ['Tarjeta de crédito', 'TARJETA'],
    ['Rec 30 días', 'DOMIC'],
    ['Transf.', 'TRANSF'],
    ['Como siempre', null],
    ['30 días', null],
  ])('way of paying «%s»', (text, code) => expect(meant('formasPago', text)).toBe(code));

  it.each([
    ['Contado', 'CON'],
    ['30', '30D'],
    ['30 días', '30D'],
    ['A 60 días', '60D'],
    ['Giro 30 días', '30D'],
    ['60 d.f.f.', '60D'],
    ['30 días fin de mes', '30FM'],
    ['30 días final de mes', '30FM'],
    ['30 días F.M.', '30FM'],
    ['30/60 días', '30-60'],
    ['30 y 60 días', '30-60'],
    ['30, 60 días', '30-60'],
    ['30 Days', '30D'],
    ['Immediate Payment', 'CON'],
    // No such term, which could not be guessed.
    ['85 días', null],
    ['120 días', null],
    ['Según contrato', null],
  ])('term «%s»', (text, code) => expect(meant('terminosPago', text)).toBe(code));

  it.each([
    ['S', 'NACRE'],
    ['Sí', 'NACRE'],
    ['VERDADERO', 'NACRE'],
    ['Recargo de Equivalencia', 'NACRE'],
    ['Régimen Recargo de Equivalencia', 'NACRE'],
    ['Régimen Nacional', ''],
    ['Régimen Intracomunitario', ''],
    ['Retención 15% (Profesionales)', ''],
    ['true', 'NACRE'],
    ['FALSE', ''],
    ['N', ''],
    ['No', ''],
    ['NAC', 'NAC'],
    ['5,20 %', 'NACRE'],
    ['0,00', ''],
    ['Extranjero', null],
  ])('recargo «%s»', (text, code) => expect(meant('gruposContables', text)).toBe(code));

  it.each([
    ['21', 'IVA21'],
    ['21,00 %', 'IVA21'],
    ['IVA 21%', 'IVA21'],
    ['I.V.A. 10 %', 'IVA10'],
    ['21% G', 'IVA21'],
    ['21% IVA (Bienes)', 'IVA21'],
    ['s_iva_10', 'IVA10'],
    ['IVA 4% (Servicios)', 'IVA4'],
    ['10 % (reducido)', 'IVA10'],
    ['General', 'IVA21'],
    ['IVA superreducido', 'IVA4'],
    // A spreadsheet's 21 % without its format.
    ['0.21', 'IVA21'],
    ['0,04', 'IVA4'],
    ['0,1', 'IVA10'],
    // What says more than a rate, or less.
    ['0,21 %', null],
    ['21% ISP', null],
    ['IVA 21% + 5,2% R.E.', null],
    ['0', null],
    ['IGIC 21%', null],
    ['Exento', null],
  ])('tax «%s»', (text, code) => {
    expect(meant('impuestos', text)).toBe(code);
    expect(meant('impuestosDeProducto', text)).toBe(code);
  });

  it('takes a rate of IGIC or IPSI where that is charged, and IVA for neither', () => {
    const taxes = (names: readonly string[]) =>
      new ChoiceFinder(
        'impuestos',
        names.map((value) => ({ value, label: value, also: [value.replace(/\D+/, '')] })),
      );
    const read = (finder: ChoiceFinder, value: string) => finder.read({ kind: 'value', value });
    expect(read(taxes(['IGIC7', 'IGIC3']), 'IGIC 7%')).toEqual({ ok: true, text: 'IGIC7' });
    expect(read(taxes(['IPSI4', 'IPSI0.5']), 'IVA 4%')).toMatchObject({ ok: false });
    expect(read(taxes(['IPSI4', 'IPSI0.5']), '0,5')).toEqual({ ok: true, text: 'IPSI0.5' });
    expect(read(taxes(['IGIC7', 'IGIC3']), 'General')).toMatchObject({ ok: false });
  });

  it.each([
    ['España', 'ES'],
    ['Spain', 'ES'],
    ['Espanya', 'ES'],
    ['United Kingdom', 'GB'],
    ['Netherlands', 'NL'],
    ['Deutschland', 'DE'],
    ['Frantzia', 'FR'],
    ['Suïssa', 'CH'],
    ['USA', 'US'],
    ['Barcelona', null],
  ])('country «%s»', (text, code) => expect(meant('paises', text)).toBe(code));

  it.each([
    ['ud.', 'UD'],
    ['Kg.', 'KG'],
    ['Units', 'UD'],
    ['Hours', 'HORA'],
    ['Caja', 'CAJA'],
    ['xyz', null],
  ])('unit «%s»', (text, code) => expect(meant('unidades', text)).toBe(code));
});
