import { expect, it } from 'vitest';
import { gruposContables } from '../../../../domain/catalogs/catalogs.ts';
import { newCustomer } from '../../../ui/forms/customer-draft.ts';
import { readCustomer } from './read-customer.ts';

it.each([
  ['12345678Z', 'Calle Mayor, 1, 28013 Madrid', 'ES', '28013', 'NAC'],
  ['12345678Z', '12 rue Royale, 75008 Paris, France', 'ES', '', 'NAC'],
  ['', 'Calle Real, 4, 35001 Las Palmas, España', 'ES', '35001', 'CAN'],
  ['DE136695976', 'Speicherstraße 12, 20457 Hamburg', 'DE', '20457', 'UE'],
  ['EL094259216', 'Odos Ermou 5, Atenas (Grecia)', 'GR', '', 'UE'],
  ['', 'Speicherstraße 12, 20457 Hamburg, Germany', 'DE', '20457', 'UE'],
  ['', '10 Downing Street, London SW1A 2AA, United Kingdom.', 'GB', '', 'EXT'],
  ['', '', 'ES', '', 'NAC'],
])(
  'a client with the NIF %j and the address %j is of %s',
  (nif, address, country, postCode, group) => {
    const texto = { confianza: 0.9, origen: 'texto' } as const;
    const campos = {
      nombreCliente: { valor: 'Alguien', ...texto },
      ...(nif && { nifCliente: { valor: nif, ...texto } }),
      ...(address && { direccionCliente: { valor: address, ...texto } }),
      lineas: [],
    };
    expect(readCustomer(campos, newCustomer(undefined), gruposContables)).toMatchObject({
      Name: 'Alguien',
      VATRegistrationNo: nif,
      countryCode: country,
      postCode,
      CustomerPostingGroup: group,
    });
  },
);
