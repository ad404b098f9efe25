import { expect, it } from 'vitest';
import { productOptions } from './product-usage.ts';

const product = (No: string, Name: string) => ({ No, Name, UnitOfMeasure: 'UD', UnitPrice: 1 });
const products = [
  product('P1', 'Armario empotrado'),
  product('P2', 'Mesa de roble'),
  product('P3', 'Montaje en obra'),
];
const codes = (typed: string, usage = {}, limit = 8) =>
  productOptions(products, typed, usage, limit).map(({ No }) => No);

it('offers the most used first, and the rest in their order', () => {
  expect(codes('', { P3: 5, P2: 1 })).toEqual(['P3', 'P2', 'P1']);
});

it('finds by part of the name or of the code, whatever the accents and the case', () => {
  expect(codes('ROBLÉ')).toEqual(['P2']);
  expect(codes('p3')).toEqual(['P3']);
  expect(codes('nada')).toEqual([]);
});

it('offers no more than asked', () => {
  expect(codes('', {}, 2)).toEqual(['P1', 'P2']);
});
