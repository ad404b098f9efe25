import { describe, expect, it } from 'vitest';
import type { Cliente } from '../../../contract/parties.ts';
import {
  customerNotes,
  knownCustomers,
  newCustomer,
  normalizedNif,
  proposedGroup,
} from './customer-draft.ts';

const GROUPS = ['NAC', 'NACRE', 'CAN', 'UE', 'UEPART', 'EXT'].map((value) => ({
  value,
  label: value,
}));
const customer = (change: Partial<Cliente> = {}): Cliente => ({
  ...newCustomer(undefined),
  Name: 'Talleres Ruiz Hermanos, S.L.',
  ...change,
});
const SAN_ISIDRO = customer({
  No: 'C-1',
  Name: 'Panadería San Isidro, S.L.U.',
  VATRegistrationNo: 'B12345674',
});
const KNOWN = knownCustomers([SAN_ISIDRO]);
const LEFT = new Set<keyof Cliente>(['Name', 'VATRegistrationNo', 'Email', 'postCode']);

const notes = (change: Partial<Cliente>, left: ReadonlySet<keyof Cliente> = LEFT) =>
  customerNotes(customer(change), { known: KNOWN, left, groups: GROUPS });

describe('newCustomer', () => {
  it('uses the company’s defaults', () => {
    const company = { PaymentTerms: '30D', PaymentMethod: 'TRANSF', CustomerPostingGroup: 'NACRE' };
    expect(newCustomer({ ...EMPTY_COMPANY, ...company })).toMatchObject({ No: '', ...company });
  });
});

describe('the name', () => {
  it('is the only required field, once it was left', () => {
    expect(notes({ Name: ' ' }, new Set())).toEqual({});
    expect(notes({ Name: ' ' })).toEqual({
      Name: { kind: 'error', text: 'Escribe el nombre del cliente.' },
    });
  });

  it('is recognised however it is written', () => {
    expect(notes({ Name: 'panaderia SAN ISIDRO SL' }).Name).toEqual({
      kind: 'aviso',
      text: 'Ya tienes un cliente que se llama así, con CIF B12345674.',
      same: SAN_ISIDRO,
    });
    expect(notes({ Name: 'Panadería San Isidro, S.L.U.', No: 'C-1' }).Name).toBeUndefined();
  });
});

describe('the tax number', () => {
  it('is stored without punctuation', () => {
    expect(normalizedNif(customer({ VATRegistrationNo: ' b-1234567-4 ' }))).toBe('B12345674');
    const greek = customer({ VATRegistrationNo: '094 259 216', countryCode: 'GR' });
    expect(normalizedNif(greek)).toBe('EL094259216');
    const foreign = customer({ VATRegistrationNo: 'ab 12', countryCode: 'US' });
    expect(normalizedNif(foreign)).toBe('AB 12');
    const person = { VATRegistrationNo: '501964843', CustomerPostingGroup: 'UEPART' };
    expect(normalizedNif(customer({ ...person, countryCode: 'PT' }))).toBe('501964843');
    const company = { ...person, CustomerPostingGroup: 'UE' };
    expect(normalizedNif(customer({ ...company, countryCode: 'PT' }))).toBe('PT501964843');
  });

  it('is not reported as wrong while it is half typed', () => {
    expect(notes({ VATRegistrationNo: 'A588185' }, new Set())).toEqual({});
    expect(notes({ VATRegistrationNo: 'A588185' }).VATRegistrationNo?.kind).toBe('error');
    expect(notes({ VATRegistrationNo: 'A58818502' }, new Set()).VATRegistrationNo?.kind).toBe(
      'error',
    );
  });

  it('is accepted if it is right', () => {
    expect(notes({ VATRegistrationNo: 'a58818501' })).toEqual({});
  });

  it('points out the customer that already has it', () => {
    expect(notes({ VATRegistrationNo: 'b12345674' }).VATRegistrationNo).toEqual({
      kind: 'aviso',
      text: 'Ya lo tiene tu cliente «Panadería San Isidro, S.L.U.».',
      same: SAN_ISIDRO,
    });
  });

  it('is a NIF-IVA for companies in the Union', () => {
    const german = { countryCode: 'DE', CustomerPostingGroup: 'UE' };
    expect(notes({ ...german, VATRegistrationNo: 'DE136695976' })).toEqual({});
    expect(notes({ ...german, VATRegistrationNo: 'DE136695975' }).VATRegistrationNo).toMatchObject({
      kind: 'error',
      fix: { change: { CustomerPostingGroup: 'UEPART' } },
    });
    expect(notes(german).VATRegistrationNo?.kind).toBe('aviso');
    const person = { ...german, CustomerPostingGroup: 'UEPART', VATRegistrationNo: 'x' };
    expect(notes(person)).toEqual({});
  });
});

describe('the postal code', () => {
  it('shows its province', () => {
    expect(notes({ postCode: '28947' }, new Set()).postCode).toEqual({
      kind: 'dato',
      text: 'Madrid',
    });
  });

  it('offers the zero that a spreadsheet removed', () => {
    expect(notes({ postCode: '8001' }).postCode?.fix).toEqual({
      label: 'Poner 08001',
      change: { postCode: '08001' },
    });
  });

  it('is free text outside Spain', () => {
    expect(notes({ postCode: 'SW1A 1AA', countryCode: 'GB', CustomerPostingGroup: 'EXT' })).toEqual(
      {},
    );
  });
});

describe('the posting group', () => {
  const proposed = (change: Partial<Cliente>) => proposedGroup(customer(change), GROUPS);

  it.each([
    [{ postCode: '35001' }, 'CAN'],
    [{ postCode: '38001' }, 'CAN'],
    [{ postCode: '51001' }, 'CAN'],
    [{ postCode: '52006' }, 'CAN'],
    [{ postCode: '28947' }, 'NAC'],
    [{ postCode: '28947', CustomerPostingGroup: 'CAN' }, 'NAC'],
    [{ postCode: '28947', CustomerPostingGroup: 'NACRE' }, 'NACRE'],
    [{ countryCode: 'FR' }, 'UE'],
    [{ countryCode: 'GR' }, 'UE'],
    [{ countryCode: 'FR', CustomerPostingGroup: 'UEPART' }, 'UEPART'],
    [{ countryCode: 'GB' }, 'EXT'],
    [{ countryCode: 'AD', postCode: 'AD500' }, 'EXT'],
  ])('of %j is %s', (place, group) => expect(proposed(place)).toBe(group));

  it('is never one that the company does not have', () => {
    const own = [{ value: 'NAC', label: 'Nacional' }];
    expect(proposedGroup(customer({ countryCode: 'FR' }), own)).toBe('NAC');
  });

  it('is offered, not set, if somebody chose another', () => {
    expect(notes({ postCode: '35001' }).CustomerPostingGroup?.fix).toEqual({
      label: 'Poner CAN',
      change: { CustomerPostingGroup: 'CAN' },
    });
  });
});

const EMPTY_COMPANY = {
  Email: '',
  Name: '',
  VATRegistrationNo: '',
  Address: '',
  countryCode: 'ES',
  postCode: '',
  Customer: '',
  NoSerie: '',
};
