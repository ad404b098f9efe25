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
    // No such term, which could not be guessed.
    ['85 días', null],
    ['120 días', null],
    ['Según contrato', null],
  ])('term «%s»', (text, code) => expect(meant('terminosPago', text)).toBe(code));

  it.each([
    ['S', 'NACRE'],
    ['Sí', 'NACRE'],
    ['VERDADERO', 'NACRE'],
    ['true', 'NACRE'],
    ['FALSE', ''],
    ['N', ''],
    ['No', ''],
    ['NAC', 'NAC'],
    ['5,20 %', 'NACRE'],
    ['0,00', ''],
    ['Extranjero', null],
  ])('recargo «%s»', (text, code) => expect(meant('gruposContables', text)).toBe(code));
});
