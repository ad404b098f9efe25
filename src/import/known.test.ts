import { describe, expect, it } from 'vitest';
import type { Customer } from '../domain/customer.ts';
import { CustomerIndex } from './known.ts';

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
});
