import { describe, expect, it } from 'vitest';
import type { Customer } from '../domain/customer.ts';
import { byReference, CustomerIndex } from './known.ts';

const customer = (No: string, Name: string, rest: Partial<Customer> = {}): Customer => ({
  No,
  Name,
  VATRegistrationNo: '',
  Address: '',
  postCode: '48001',
  countryCode: 'ES',
  Email: '',
  PaymentMethod: '',
  PaymentTerms: '',
  CustomerPostingGroup: 'NAC',
  ...rest,
});
const RUIZ = customer('C-1', 'Talleres Ruiz, S.L.', { VATRegistrationNo: 'B12345674' });

describe('a customer named by an invoice in a file', () => {
  it('is recognised by its code, NIF or name', () => {
    const index = new CustomerIndex([RUIZ]);
    for (const text of ['c-1', 'B-12345674', 'ESB12345674', 'TALLERES RUIZ, S.L.']) {
      expect(index.named(text), text).toBe(RUIZ);
    }
    expect(index.named('Talleres Ruiz Hermanos, S.L.')).toBeUndefined();
  });

  it('is not recognised by a name that several share', () => {
    const index = new CustomerIndex([RUIZ]);
    index.add(customer('', RUIZ.Name, { VATRegistrationNo: 'B87654321' }));
    expect(index.named(RUIZ.Name)).toBeUndefined();
    expect(index.isNameOfSeveral('talleres ruiz, s.l.')).toBe(true);
    expect(index.named('B12345674')).toBe(RUIZ);
  });

  it('is still a single one when the file repeats it, or gives it its code', () => {
    const index = new CustomerIndex([customer('', RUIZ.Name, { VATRegistrationNo: 'B12345674' })]);
    index.add(RUIZ);
    expect(index.named(RUIZ.Name)).toBe(RUIZ);
    expect(index.isNameOfSeveral(RUIZ.Name)).toBe(false);
  });

  it('is told by its code before its identification, and by either before its name', () => {
    const odd = customer('B12345674', 'C-1', { VATRegistrationNo: 'A58818501' });
    const index = new CustomerIndex([RUIZ, odd, customer('C-3', 'A58818501')]);
    expect(index.named('B12345674')).toBe(odd);
    expect(index.named('C-1')).toBe(RUIZ);
    expect(index.named('A58818501')).toBe(odd);
  });

  it('is told by an identification with signs that belong to it', () => {
    const swiss = customer('', 'Otto AG', { VATRegistrationNo: 'CHE-123.456.789' });
    expect(new CustomerIndex([swiss]).named('CHE-123.456.789')).toBe(swiss);
  });

  it('is nobody without anything that tells', () => {
    // «*» marks a title, and is dropped from what is compared: a code of it alone is as none.
    const index = new CustomerIndex([customer('*', 'Uno'), customer('', 'Dos')]);
    expect([index.byNo(''), index.byNif(''), index.named('')]).toEqual([
      ...[undefined, undefined, undefined],
    ]);
  });

  it.each<[string, Customer, Customer, boolean]>([
    [
      'the same code, whatever its identification',
      customer('C-1', 'Uno', { VATRegistrationNo: 'B12345674' }),
      customer('C-1', 'Uno', { VATRegistrationNo: 'A58818501' }),
      true,
    ],
    [
      'another code, with one identification',
      customer('C-1', 'Uno', { VATRegistrationNo: 'B12345674' }),
      customer('C-2', 'Uno', { VATRegistrationNo: 'B12345674' }),
      false,
    ],
    [
      'the same identification at another postal code',
      customer('C-1', 'Uno', { VATRegistrationNo: 'B12345674' }),
      customer('', 'Uno', { VATRegistrationNo: 'B12345674', postCode: '28013' }),
      true,
    ],
    [
      'an identification where there was none, at the same postal code',
      customer('C-1', 'Uno'),
      customer('', 'Uno', { VATRegistrationNo: 'B12345674' }),
      true,
    ],
    [
      'no identification where there was one, at the same postal code',
      customer('', 'Uno', { VATRegistrationNo: 'B12345674' }),
      customer('C-1', 'Uno'),
      true,
    ],
    [
      'another postal code and nothing else',
      customer('', 'Uno'),
      customer('', 'Uno', { postCode: '28013' }),
      false,
    ],
  ])('is the same or not with %s', (_, one, other, isOne) => {
    const index = new CustomerIndex([one, other]);
    expect(index.isNameOfSeveral('uno')).toBe(!isOne);
    expect(index.named('Uno')).toBe(isOne ? other : undefined);
  });

  it('stays one of several however often they are said again', () => {
    const one = customer('C-1', 'Uno');
    const index = new CustomerIndex([one, customer('C-2', 'Uno'), one]);
    expect(index.named('Uno')).toBeUndefined();
  });
});

it('an invoice of an earlier file is found by its reference, in capitals or not', () => {
  const imported = {
    referencia: 'Fra. Nº 7',
    contentHash: '',
    docNo: '',
    isDraft: true,
    isTouched: false,
    postingDate: '2026-11-20',
    customerNo: 'C-1',
  };
  expect(byReference([imported]).get('fra. nº 7')).toBe(imported);
});
