import { describe, expect, it } from 'vitest';
import type { Producto } from '../../../../contract/parties.ts';
import { pastedLines, pastedNumbers, tableOf } from './pasted-lines.ts';

const PRODUCTS: readonly Producto[] = [
  { No: 'T-08', Name: 'Tornillo galvanizado M8', UnitOfMeasure: 'UD', UnitPrice: 0.12 },
  { No: '0007', Name: 'Tuerca', UnitOfMeasure: 'UD', UnitPrice: 0.05 },
];

const rows = (...lines: string[][]) => lines.map((cells) => cells.join('\t')).join('\r\n');
const pasted = (...lines: string[][]) => pastedLines(rows(...lines), PRODUCTS);

describe('lines copied from a spreadsheet', () => {
  it.each([
    ['Diseño de la web', 'Diseño de la web'],
    ['Primera línea\nSegunda línea', 'Primera línea'],
    ['2\t13,50', 'only numbers'],
  ])('are not «%s»', (text) => {
    expect(pastedLines(text, PRODUCTS)).toBeNull();
  });

  it('have a description, a quantity and a price, in this order or with the quantity first', () => {
    const line = { description: 'Diseño', quantity: '2', price: '1.234,50' };
    expect(pasted(['Diseño', '2', '1.234,50 €'])).toEqual([line]);
    expect(pasted(['2', 'Diseño', '1234.5'])).toEqual([line]);
    expect(pasted(['Diseño', '2', '1234,5', '2469,00', ''])).toEqual([line]);
  });

  it('a single number is the price', () => {
    expect(pasted(['Diseño', '100'], ['Maqueta', '50'])).toEqual([
      { description: 'Diseño', price: '100,00' },
      { description: 'Maqueta', price: '50,00' },
    ]);
  });

  it('are read by their headings, in any order, and other columns are left out', () => {
    expect(
      pasted(
        ['Importe', 'Precio €', 'Dto. (%)', 'Uds.', 'Concepto', 'IVA'],
        ['9,50', '5,00', '5 %', '2', 'Maqueta', '21 %'],
        ['10,00', '10,00', '0', '1', 'Diseño', '21 %'],
      ),
    ).toEqual([
      { description: 'Maqueta', quantity: '2', price: '5,00', discount: '5' },
      { description: 'Diseño', quantity: '1', price: '10,00' },
    ]);
  });

  it('name a product by its code or its name', () => {
    const [tornillo, tuerca] = PRODUCTS;
    expect(
      pasted(
        ['t-08', 'Tornillo M8 de la marca nueva', '100', '0,11'],
        ['0007', 'Tuerca de acero inoxidable', '50', '0,05'],
        ['', 'TUERCA', '1', ''],
        ['X-1', 'Arandela', '1', '0,01'],
      ),
    ).toEqual([
      {
        description: 'Tornillo M8 de la marca nueva',
        quantity: '100',
        price: '0,11',
        product: tornillo,
      },
      {
        description: 'Tuerca de acero inoxidable',
        quantity: '50',
        price: '0,05',
        product: tuerca,
      },
      { description: 'TUERCA', quantity: '1', product: tuerca },
      { description: 'Arandela', quantity: '1', price: '0,01' },
    ]);
    expect(pasted(['t-08', '100', '0,11'])).toEqual([
      {
        description: 'Tornillo galvanizado M8',
        quantity: '100',
        price: '0,11',
        product: tornillo,
      },
    ]);
    expect(pasted(['Código', 'Cantidad'], ['T-08', '3'])).toEqual([
      { description: 'Tornillo galvanizado M8', quantity: '3', product: tornillo },
    ]);
  });

  it('a code counts before a name, and the first of two products with the same name', () => {
    const named = (No: string, Name: string) => ({ No, Name, UnitOfMeasure: 'UD', UnitPrice: 1 });
    const products = [named('A', 'Mesa'), named('B', 'Mesa'), named('MESA', 'Silla')];
    const found = (...cells: string[]) =>
      pastedLines(rows(['Código', 'Concepto'], cells), products)?.[0]?.product?.No;
    expect(found('mesa', 'Mesa')).toBe('MESA');
    expect(found('', 'mesa')).toBe('A');
    expect(found('C', 'b')).toBe('B');
    expect(found('C', '')).toBeUndefined();
  });

  it('a bar code, or a code with zeros in front, is not a quantity before the description', () => {
    expect(pasted(['8412345678905', 'Café molido', '3', '4,20'])).toEqual([
      { description: 'Café molido', quantity: '3', price: '4,20' },
    ]);
    expect(pasted(['0042', 'Café molido', '3', '4,20'])).toEqual([
      { description: 'Café molido', quantity: '3', price: '4,20' },
    ]);
    expect(pasted(['10000000', 'Tapones', '0,01'], ['12', 'Cajas', '3'])).toEqual([
      { description: 'Tapones', quantity: '10.000.000', price: '0,01' },
      { description: 'Cajas', quantity: '12', price: '3,00' },
    ]);
  });

  it('have no blanks around what their cells say', () => {
    expect(pasted([' Diseño ', ' 2 ', '\u00a05,00'])).toEqual([
      { description: 'Diseño', quantity: '2', price: '5,00' },
    ]);
  });

  it('what is no number stays as it is, for its field to say so', () => {
    expect(pasted(['Concepto', 'Cantidad', 'Precio'], ['Diseño', 'dos', 'a convenir'])).toEqual([
      { description: 'Diseño', quantity: 'dos', price: 'a convenir' },
    ]);
  });

  it('quoted cells may have line breaks, tabs and quotes; empty rows are left out', () => {
    expect(tableOf('"Mesa de ""roble""\nde 2\tmetros"\t1\r\n\t\r\nSilla\t4\r\n')).toEqual([
      ['Mesa de "roble"\nde 2\tmetros', '1'],
      ['Silla', '4'],
    ]);
    expect(tableOf('Cable de 3/4"\t2\nTubo "azul" corto\t1')).toEqual([
      ['Cable de 3/4"', '2'],
      ['Tubo "azul" corto', '1'],
    ]);
  });
});

describe('numbers copied from a spreadsheet', () => {
  it.each([
    ['2\r\n3\r\n4\r\n', [['2'], ['3'], ['4']]],
    [
      '2\t13,50\r\n3\t1.234,50 €',
      [
        ['2', '13,50'],
        ['3', '1.234,50 €'],
      ],
    ],
    ['2', null],
    ['2\r\n', null],
    ['2\tDiseño', null],
    ['2\t3\r\n4\tDiseño', null],
    [' 2 \r\n 3', [['2'], ['3']]],
  ])('%j', (text, cells) => expect(pastedNumbers(text)).toEqual(cells));
});
