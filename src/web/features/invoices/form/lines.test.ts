import { describe, expect, it } from 'vitest';
import { gruposIva } from '../../../../domain/catalogs/catalogs.ts';
import { type Situacion, situacionById } from '../../../../domain/situaciones.ts';
import { isEmptyLine } from '../../../../domain/totals.ts';
import { findVatGroup, type VatGroup } from '../../../../domain/vat.ts';
import {
  canShareDiscount,
  commonSituation,
  contractDecimal,
  type DraftLine,
  decimalProblem,
  discountProblem,
  emptyLine,
  extraOf,
  hasDiscounts,
  inSituation,
  moveLine,
  nextTax,
  rarerTaxName,
  shortTax,
  taxForClient,
  taxOptions,
  tidyDiscount,
  tidyPrice,
  tidyQuantity,
} from './lines.ts';

const group = (tax: string, client: string, more: Partial<VatGroup> = {}): VatGroup => ({
  VATProdPostingGroup: tax,
  VATBusPostingGroup: client,
  VATCalculationType: 'Normal',
  VATPercentage: 21,
  Description: tax,
  RecargoEquivalencia: null,
  leyenda: null,
  verifactu: {
    Impuesto: '01',
    CalificacionOperacion: 'S1',
    OperacionExenta: null,
    ClaveRegimen: '01',
  },
  ...more,
});

const GROUPS = [
  group('IVA21', 'NAC', { defecto: true }),
  group('IVA10', 'NAC', { VATPercentage: 10 }),
  group('IVA5', 'NAC', { VATPercentage: 5, activo: false }),
  group('INTRAUE', 'UE'),
  group('IVA21', 'UE'),
  group('EXPORT', 'EXT'),
];

describe('decimals of a cell', () => {
  it('shows a price with thousands separators and at least two decimals once it is left', () => {
    expect(tidyPrice('1234,5')).toBe('1.234,50');
    expect(tidyPrice('1234.5')).toBe('1.234,50');
    expect(tidyPrice('0,333333')).toBe('0,333333');
    expect(tidyPrice('')).toBe('');
  });

  it('shows a quantity with the decimals it has', () => {
    expect(tidyQuantity('14.50')).toBe('14,5');
    expect(tidyQuantity('1000')).toBe('1.000');
  });

  it('leaves what is not a number as it was typed, and says so', () => {
    expect(tidyPrice('doce')).toBe('doce');
    expect(decimalProblem('doce', 6)).toMatch(/número/);
    expect(decimalProblem('-1', 6)).toMatch(/negativo/);
    expect(decimalProblem('-1', 6, true)).toBeNull();
    expect(decimalProblem('1,2345678', 6)).toMatch(/6 decimales/);
    expect(decimalProblem('1.000.000.000.000', 6)).toMatch(/12 cifras como mucho/);
    expect(decimalProblem('', 6)).toBeNull();
  });

  it('can parse what it shows', () => {
    for (const text of ['1.234,50', '1.234', '0,5', '999.999.999,99', '0,000001']) {
      expect(tidyPrice(tidyPrice(text))).toBe(tidyPrice(text));
    }
  });

  it('sends a decimal comma without thousands separators, as in the contract', () => {
    expect(contractDecimal('1.234,50', 6)).toBe('1234,5');
    expect(contractDecimal('12', 4)).toBe('12');
  });
});

describe('the empty line', () => {
  it('has no description and no price, whatever else it has', () => {
    expect(isEmptyLine(emptyLine('l1', 'IVA10'))).toBe(true);
    expect(isEmptyLine({ ...emptyLine('l1'), description: 'Mesa' })).toBe(false);
    expect(isEmptyLine({ ...emptyLine('l1'), price: '0,01' })).toBe(false);
    const two = { ...emptyLine('l1'), price: '0,00', quantity: '2' };
    expect(isEmptyLine(two)).toBe(true);
  });

  it('is not one whose price is not a number: that is reported, not dropped', () => {
    expect(isEmptyLine({ ...emptyLine('l1'), price: 'doce' })).toBe(false);
    expect(isEmptyLine({ ...emptyLine('l1'), price: ' ' })).toBe(true);
  });
});

describe('taxes of a client', () => {
  it("offers only the active groups of the client's kind", () => {
    expect(taxOptions(GROUPS, 'NAC').map((g) => g.VATProdPostingGroup)).toEqual(['IVA21', 'IVA10']);
  });

  it('offers old rates to rectify an invoice of their time, and keeps them chosen', () => {
    const codes = taxOptions(GROUPS, 'NAC', { hasClosed: true }).map((g) => g.VATProdPostingGroup);
    expect(codes).toEqual(['IVA21', 'IVA10', 'IVA5']);
    expect(taxForClient(GROUPS, 'NAC', 'IVA5')).toBe('IVA5');
  });

  it('keeps the tax of a line when the new client has it', () => {
    expect(taxForClient(GROUPS, 'UE', 'INTRAUE')).toBe('INTRAUE');
    expect(taxForClient(GROUPS, 'UE', '')).toBe('');
  });

  it('falls back to IVA21, or else to the first of the group', () => {
    expect(taxForClient(GROUPS, 'UE', 'IVA10')).toBe('IVA21');
    expect(taxForClient(GROUPS, 'EXT', 'IVA10')).toBe('EXPORT');
  });

  it('abbreviates the rate and its recargo', () => {
    expect(shortTax(group('IVA21', 'NAC'), 'IVA21')).toBe('21\u00a0%');
    const recargo = group('IVA21', 'NACRE', { RecargoEquivalencia: 5.2 });
    expect(shortTax(recargo, 'IVA21')).toBe('21\u00a0% + 5,2\u00a0%');
  });
});

it('gives the whole name of a tax that is no ordinary rate', () => {
  const named = (tax: string) => rarerTaxName(findVatGroup(gruposIva('peninsula'), tax, 'NAC'));
  expect([named('IVA21'), named('IVA4')]).toEqual([undefined, undefined]);
  expect(named('ISPOBRA')).toBe(
    'Inversión del sujeto pasivo: obra de construcción o rehabilitación',
  );
  expect(named('CAJA21')).toBe('Estoy en el criterio de caja (21 %)');
  expect(named('IVA0')).toContain('art. 91.Cuatro');
});

describe('what a line requires besides its price', () => {
  it.each([
    ['01/03/S1/21', 'REBU', 'coste'],
    ['03/05/S1/7', 'Viajes', 'coste'],
    ['02/03/S1/10', '10\u00a0%', undefined],
    ['01/17/N2', 'OSS', 'tipoDestino'],
    ['03/17/N2', 'No sujeta', undefined],
    ['01/01/S2', 'ISP', undefined],
  ])('%s: %s', (tax, short, field) => {
    const chosen = findVatGroup(GROUPS, tax, 'NAC');
    expect(shortTax(chosen, tax)).toBe(short);
    expect(extraOf(chosen, '01')?.field).toBe(field);
  });

  it.each([
    ['IVA21', '03', 'coste'],
    ['IVA21', '05', 'coste'],
    ['01/01/N2', '17', 'tipoDestino'],
  ])('%s on an invoice of key %s: %s', (tax, claveRegimen, field) => {
    const chosen = findVatGroup(GROUPS, tax, 'NAC');
    expect(extraOf(chosen, claveRegimen)?.field).toBe(field);
  });

  it('IVA21 on an invoice of key 07: nothing', () => {
    expect(extraOf(findVatGroup(GROUPS, 'IVA21', 'NAC'), '07')).toBeNull();
  });
});

describe('discounts', () => {
  const line = (discount?: string): DraftLine => ({
    ...emptyLine('a'),
    description: 'A',
    ...(discount !== undefined && { discount }),
  });

  it.each([
    ['5 %', '5', null],
    ['12.5%', '12,5', null],
    ['100', '100', null],
    ['100,01', '100,01', 'Escribe un porcentaje entre 0 y 100.'],
    ['-5', '-5', 'Escribe un número que no sea negativo.'],
    ['5,125', '5,125', 'Escribe 2 decimales como mucho.'],
    ['diez', 'diez', 'Escribe un número.'],
    ['', '', null],
  ])('«%s» is shown as «%s»', (typed, shown, problem) => {
    expect([tidyDiscount(typed), discountProblem(typed)]).toEqual([shown, problem]);
  });

  it('has room for all as soon as one line has one, even empty', () => {
    expect(hasDiscounts([line(), line()])).toBe(false);
    expect(hasDiscounts([line(), line('')])).toBe(true);
  });

  it('one is put in all the lines if there are others without it', () => {
    const ten = line('10');
    expect(canShareDiscount(ten, [ten, line()])).toBe(true);
    expect(canShareDiscount(ten, [ten, line('10'), emptyLine('b')])).toBe(false);
    expect(canShareDiscount(line(' '), [ten, line(' ')])).toBe(false);
  });
});

describe('moving lines', () => {
  const lines: DraftLine[] = [
    { ...emptyLine('a'), description: 'A' },
    { ...emptyLine('b'), description: 'B' },
    emptyLine('c'),
  ];
  const order = (moved: readonly DraftLine[]) => moved.map((line) => line.id).join('');

  it('swaps neighbours', () => {
    expect(order(moveLine(lines, 'b', -1))).toBe('bac');
  });

  it('leaves the empty line at the end', () => {
    expect(order(moveLine(lines, 'b', 1))).toBe('abc');
    expect(order(moveLine(lines, 'c', -1))).toBe('abc');
  });
});

describe('situations of the lines', () => {
  const groups = gruposIva('peninsula');
  const ue = (tax: string): DraftLine => ({ ...emptyLine('l1', tax), description: 'Algo' });
  const caja = situacionById('caja') as Situacion;
  const context = { groups, typeClient: 'NAC', tipoDestino: '' };

  it('keep the rate of the line, if the situation has it', () => {
    expect(inSituation(ue('IVA10'), caja, context).tax).toBe('CAJA10');
    expect(inSituation(ue('EXENTO20'), caja, context).tax).toBe('CAJA21');
    expect(inSituation(ue('CAJA4'), caja, context).tax).toBe('CAJA4');
  });

  it('propose the rate of the client’s country in the OSS', () => {
    const oss = situacionById('oss') as Situacion;
    const line = inSituation(ue('IVA21'), oss, {
      groups,
      typeClient: 'UEPART',
      tipoDestino: '25,5',
    });
    expect(line).toMatchObject({ tax: 'OSS', tipoDestino: '25,5' });
  });

  it('carry over to the next line unless they are the ordinary one', () => {
    expect(nextTax(groups, 'NAC', ue('CAJA10'))).toEqual({ tax: 'CAJA10' });
    expect(nextTax(groups, 'NAC', ue('01/20/S1/10'))).toEqual({ tax: '01/20/S1/10' });
    expect(nextTax(groups, 'NAC', ue('IVA10'))).toEqual({ tax: 'IVA21' });
  });

  it('are reported as one if all lines share it', () => {
    expect(commonSituation([ue('CAJA10'), ue('CAJA21'), emptyLine('l3')], 'NAC')).toBe(caja);
    expect(commonSituation([ue('CAJA10'), ue('IVA21')], 'NAC')).toBe('varias');
    expect(commonSituation([ue('01/20/S1/10')], 'NAC')).toBeNull();
    expect(commonSituation([ue(''), ue('')], 'NAC')).toBe('ninguna');
    expect(commonSituation([ue(''), ue('IVA21')], 'NAC')).toBe('varias');
  });
});
