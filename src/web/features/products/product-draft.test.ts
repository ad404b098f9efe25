import { describe, expect, it } from 'vitest';
import { normalizedPrice, priceText, productDraft, productErrors } from './product-draft.ts';

describe('the price', () => {
  it.each([
    [1250.5, '1.250,50'],
    [38, '38,00'],
    [21.954321, '21,954321'],
    [999_999_999.99, '999.999.999,99'],
    [0.1, '0,10'],
  ])('%d is shown as %s', (price, text) => expect(priceText(price)).toBe(text));

  it.each([
    ['12.5', '12,50'],
    ['12,5', '12,50'],
    ['1234.567', '1.234,567'],
    ['1.234,5', '1.234,50'],
    ['', '0,00'],
    ['doce', 'doce'],
  ])('%j becomes %j when the field is left', (typed, text) =>
    expect(normalizedPrice(typed)).toBe(text),
  );
});

describe('productErrors', () => {
  const draft = { ...productDraft(undefined), Name: 'Hora' };

  it('requires a name and allows an empty price', () => {
    expect(productErrors(draft)).toEqual({});
    expect(productErrors({ ...draft, Name: ' ' })).toHaveProperty('Name');
  });

  it.each(['doce', '-1', '1,1234567', '1234567890123'])('refuses %j as a price', (UnitPrice) => {
    expect(productErrors({ ...draft, UnitPrice })).toHaveProperty('UnitPrice');
  });
});
