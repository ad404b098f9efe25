import { describe, expect, it } from 'vitest';
import { productFields } from './parties.ts';
import { BcItem } from './shapes.ts';

const taxes = [{ grupo: 'NAC', codigo: 'IVA21', bps: 2100n }];
const fieldsOf = (changes: object) =>
  productFields(
    BcItem.parse({
      id: 'f2a5738a-44e3-ea11-bb43-000d3a2feca1',
      number: 'P-1',
      displayName: 'Broca',
      unitPrice: 121,
      taxGroupCode: 'IVA21',
      lastModifiedDateTime: '2026-11-20T10:00:00Z',
      ...changes,
    }),
    { units: new Set(['UD']), taxes },
  );

describe('the price of an item', () => {
  it('is the one in Business Central, if that includes no tax', () => {
    expect(fieldsOf({ priceIncludesTax: false })).toMatchObject({ unitPrice: '121' });
    expect(fieldsOf({ priceIncludesTax: null })).toMatchObject({ unitPrice: '121' });
  });

  it('excludes the tax that it included, with the six decimals of a price', () => {
    expect(fieldsOf({ priceIncludesTax: true })).toMatchObject({ unitPrice: '100' });
    // 9.99 / 1.21 = 8.256198347…
    expect(fieldsOf({ priceIncludesTax: true, unitPrice: 9.99 })).toMatchObject({
      unitPrice: '8.256198',
    });
  });

  it('waits while it is unknown which tax it includes', () => {
    expect(fieldsOf({ priceIncludesTax: true, taxGroupCode: 'IVA10' })).toEqual({
      problem:
        'Su precio incluye el IVA y no se sabe cuál. Di a qué IVA de Huella corresponde «IVA10», o pon allí el precio sin IVA.',
    });
  });
});
