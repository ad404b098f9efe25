import { expect, it } from 'vitest';
import { mostUsedFirst, namedProduct, productOptions } from './most-used-first.ts';

const product = (No: string, Name: string) => ({ No, Name, UnitOfMeasure: 'UD', UnitPrice: 1 });
const products = [
  product('P3', 'Montaje en obra'),
  product('P1', 'Ármario empotrado'),
  product('P2', 'Mesa de roble'),
];
const codes = (found: readonly { No: string }[]) => found.map(({ No }) => No);

it('puts the most used first, and the rest by name, without used ones that no longer exist', () => {
  expect(codes(mostUsedFirst(products, ['P9', 'P3']))).toEqual(['P3', 'P1', 'P2']);
  expect(codes(mostUsedFirst(products))).toEqual(['P1', 'P2', 'P3']);
});

it('finds by part of the name or the code, ignoring accents and case', () => {
  expect(codes(productOptions(products, 'ROBLÉ', 8))).toEqual(['P2']);
  expect(codes(productOptions(products, 'p3', 8))).toEqual(['P3']);
  expect(codes(productOptions(products, 'roble mesa', 8))).toEqual(['P2']);
  expect(productOptions(products, 'nada', 8)).toEqual([]);
  expect(productOptions(products, 'mesa obra', 8)).toEqual([]);
});

it('offers first the product with that very code', () => {
  const many = [product('A10', 'Codo'), product('A11', 'Tubo'), product('A1', 'Válvula')];
  expect(codes(productOptions(many, 'a1', 2))).toEqual(['A1', 'A10']);
});

it('knows the one product that a code or a whole name belongs to', () => {
  expect(namedProduct(products, 'p2 ')?.No).toBe('P2');
  expect(namedProduct(products, 'MESA DE ROBLE')?.No).toBe('P2');
  expect(namedProduct(products, 'mesa')).toBeUndefined();
  expect(namedProduct([...products, product('P4', 'Mesa de roble')], 'Mesa de roble')).toBe(
    undefined,
  );
});

it('offers no more than requested', () => {
  expect(codes(productOptions(products, '', 2))).toEqual(['P3', 'P1']);
});
