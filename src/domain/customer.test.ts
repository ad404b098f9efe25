import { describe, expect, it } from 'vitest';
import { type Customer, checkCustomer, groupOfPlace, groupsOfPlace } from './customer.ts';

const CHOICES = {
  terminosPago: new Set(['30D']),
  formasPago: new Set(['TRANSF']),
  gruposContables: new Set(['NAC', 'NACRE', 'UE', 'UEPART', 'EXT']),
};
const CUSTOMER: Customer = {
  No: '00001',
  Name: 'Talleres Ruiz, S. L.',
  VATRegistrationNo: 'B12345674',
  Address: 'Calle Mayor, 1',
  postCode: '50001',
  countryCode: 'ES',
  Email: 'facturas@ruiz.example',
  PaymentMethod: 'TRANSF',
  PaymentTerms: '30D',
  CustomerPostingGroup: 'NAC',
};
const GERMAN = { countryCode: 'DE', postCode: '10115', CustomerPostingGroup: 'UE' } as const;
const BRITISH = { countryCode: 'GB', postCode: 'SW1A 1AA', CustomerPostingGroup: 'EXT' } as const;

const check = (changes: Partial<Customer>) => checkCustomer({ ...CUSTOMER, ...changes }, CHOICES);
const wrong = (changes: Partial<Customer>) => check(changes).problems.map(({ campo }) => campo);

describe('a customer', () => {
  it('needs no more than a name', () => {
    const only = { VATRegistrationNo: '', Address: '', postCode: '', Email: '' };
    expect(check(only)).toEqual({ customer: { ...CUSTOMER, ...only }, problems: [] });
  });

  it('is saved with its NIF, its e-mail and its DIR3 codes in their own form', () => {
    const typed = {
      VATRegistrationNo: 'b-12345674',
      Email: ' facturas@ruiz.example ',
      postCode: ' 50001 ',
      oficinaContable: ' l01280796 ',
      organoGestor: 'L01280796',
      unidadTramitadora: 'L01280796',
    };
    expect(check(typed)).toMatchObject({
      customer: {
        VATRegistrationNo: 'B12345674',
        Email: 'facturas@ruiz.example',
        postCode: '50001',
        oficinaContable: 'L01280796',
      },
      problems: [],
    });
    // What is not there is not added.
    expect(check({}).customer).toEqual(CUSTOMER);
  });

  it.each<[keyof Customer, Partial<Customer>]>([
    ['Name', { Name: '' }],
    ['Name', { Name: 'X'.repeat(121) }],
    ['VATRegistrationNo', { VATRegistrationNo: 'B12345675' }],
    ['postCode', { postCode: '5000' }],
    ['municipio', { municipio: 'X'.repeat(51) }],
    ['countryCode', { countryCode: 'XX' }],
    ['Email', { Email: 'ruiz' }],
    ['PaymentTerms', { PaymentTerms: '60D' }],
    ['PaymentMethod', { PaymentMethod: 'ORO' }],
    ['CustomerPostingGroup', { CustomerPostingGroup: 'CAN' }],
    ['tipoIdentificacion', { tipoIdentificacion: '04' }],
    ['organoProponente', { organoProponente: 'L1' }],
  ])('is refused for its %s: %j', (field, changes) => {
    // One code of an administration also asks for the three that go together.
    expect(wrong(changes).filter((one) => !/^(oficina|organoG|unidad)/.test(one))).toEqual([field]);
  });

  it('keeps what is wrong as it was typed', () => {
    const typed = { VATRegistrationNo: 'B1', Email: 'ruiz', postCode: '5' };
    expect(check(typed).customer).toMatchObject(typed);
  });
});

describe('the longest name and town', () => {
  it('are admitted', () => {
    expect(wrong({ Name: 'X'.repeat(120), municipio: 'X'.repeat(50) })).toEqual([]);
    expect(wrong({ Name: '😀'.repeat(120) })).toEqual([]);
  });
});

describe('the identification', () => {
  it('is a NIF in Spain, unless it is a passport', () => {
    expect(wrong({ VATRegistrationNo: 'PASS-77' })).toEqual(['VATRegistrationNo']);
    expect(wrong({ VATRegistrationNo: 'PASS-77', tipoIdentificacion: '03' })).toEqual([]);
    // Twenty characters, of two units of UTF-16.
    const longest = { VATRegistrationNo: '𐌰'.repeat(20), tipoIdentificacion: '03' } as const;
    expect(wrong(longest)).toEqual([]);
    expect(wrong({ ...longest, VATRegistrationNo: '𐌰'.repeat(21) })).toEqual(['VATRegistrationNo']);
  });

  it('is a NIF-IVA for a business of the Union, and any document for its consumers', () => {
    expect(check({ ...GERMAN, VATRegistrationNo: '136 695 976' })).toMatchObject({
      customer: { VATRegistrationNo: 'DE136695976' },
      problems: [],
    });
    expect(wrong({ ...GERMAN, VATRegistrationNo: 'L01X00T47' })).toEqual(['VATRegistrationNo']);
    const consumer = { ...GERMAN, CustomerPostingGroup: 'UEPART', VATRegistrationNo: 'L01X00T47' };
    expect(wrong(consumer)).toEqual([]);
    // Its kind decides before its group.
    expect(wrong({ ...consumer, tipoIdentificacion: '02' })).toEqual(['VATRegistrationNo']);
    expect(wrong({ ...GERMAN, VATRegistrationNo: 'L01X00T47', tipoIdentificacion: '04' })).toEqual(
      [],
    );
  });

  it('has up to twenty characters elsewhere', () => {
    expect(wrong({ ...BRITISH, VATRegistrationNo: 'X'.repeat(20) })).toEqual([]);
    expect(wrong({ ...BRITISH, VATRegistrationNo: 'X'.repeat(21) })).toEqual(['VATRegistrationNo']);
  });

  it('is «no censado» only for a person with a Spanish NIF', () => {
    const uncounted = { tipoIdentificacion: '07' } as const;
    expect(wrong({ ...uncounted, VATRegistrationNo: '12345678Z' })).toEqual([]);
    expect(wrong({ ...uncounted, VATRegistrationNo: 'B12345674' })).toEqual(['tipoIdentificacion']);
    expect(wrong({ ...uncounted, ...BRITISH, VATRegistrationNo: 'AB-1' })).toEqual([
      'tipoIdentificacion',
    ]);
    // Without a number there is nothing to identify yet.
    expect(wrong({ ...uncounted, VATRegistrationNo: '' })).toEqual([]);
  });
});

describe('the codes of an administration', () => {
  it('go by three, with a fourth that may be missing', () => {
    const three = {
      oficinaContable: 'L01280796',
      organoGestor: 'L01280796',
      unidadTramitadora: 'L01280796',
    };
    expect(wrong(three)).toEqual([]);
    expect(wrong({ ...three, organoGestor: '' })).toEqual(['organoGestor']);
    expect(wrong({ organoProponente: 'L01280796' })).toEqual([
      'oficinaContable',
      'organoGestor',
      'unidadTramitadora',
    ]);
  });
});

describe('the posting group of a place', () => {
  it.each([
    ['ES', '50001', ['NAC', 'NACRE']],
    ['ES', '35001', ['CAN']],
    ['ES', '51001', ['CAN']],
    ['FR', '75001', ['UE', 'UEPART']],
    ['MC', '98000', ['UE', 'UEPART']],
    ['GB', 'SW1A 1AA', ['EXT']],
  ])('%s %s: %j, the likeliest first', (countryCode, postCode, groups) => {
    expect(groupsOfPlace({ countryCode, postCode })).toEqual(groups);
  });

  it('is that of consumers in the Union without a number', () => {
    const place = { countryCode: 'FR', postCode: '75001' };
    expect(groupOfPlace({ ...place, VATRegistrationNo: '' })).toBe('UEPART');
    expect(groupOfPlace({ ...place, VATRegistrationNo: 'FR40303265045' })).toBe('UE');
    expect(groupOfPlace({ countryCode: 'ES', postCode: '', VATRegistrationNo: '' })).toBe('NAC');
  });
});
