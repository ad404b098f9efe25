import { expect, it } from 'vitest';
import { mostUsedFirst, productOptions } from './most-used-first.ts';

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
  expect(productOptions(products, 'nada', 8)).toEqual([]);
});

it('offers no more than requested', () => {
  expect(codes(productOptions(products, '', 2))).toEqual(['P3', 'P1']);
});
