import { expect, it } from 'vitest';
import { addressRead } from './read-address.ts';

it.each([
  ['Avenida de la Diputación, 3, 50500 Tarazona (Zaragoza)', '50500', 'Tarazona'],
  ['Avenida de la Diputación, 3 - 50500 Tarazona, Zaragoza', '50500', 'Tarazona'],
  ['Avenida de la Diputación, 3, C.P. 50500, Tarazona, España', '50500', 'Tarazona'],
  ['Avenida de la Diputación, 3, 28013 Madrid', '28013', 'Madrid'],
  ['Avenida de la Diputación, 3, 28013, Madrid, Madrid', '28013', 'Madrid'],
  ['Avenida de la Diputación, 3, 15004 A Coruña (A Coruña)', '15004', 'A Coruña'],
  ['Avenida de la Diputación, 3, 43003 Sant Pere i Sant Pau', '43003', 'Sant Pere i Sant Pau'],
])('an address is read as street, postal code and town: %s', (text, postCode, municipio) => {
  expect(addressRead(text, 'ES')).toEqual({
    Address: 'Avenida de la Diputación, 3',
    postCode,
    municipio,
  });
});

it.each([
  ['28013 Madrid', '28013'],
  ['Calle Mayor, 1, 28013', '28013'],
  ['Calle Mayor, 1, 28013 Madrid, 2.º B, puerta 4', '28013'],
  ['Calle Mayor, 1, 99999 Madrid', ''],
  ['Rue de la Paix, 1, Paris', ''],
])('one that has another shape stays whole: %s', (text, postCode) => {
  expect(addressRead(text, 'ES')).toEqual({ Address: text, postCode });
});

it('one abroad too, without the name of its country', () => {
  expect(addressRead('Speicherstraße 12, 20457 Hamburg, Germany', 'DE')).toEqual({
    Address: 'Speicherstraße 12',
    postCode: '20457',
    municipio: 'Hamburg',
  });
});
