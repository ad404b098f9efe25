import { describe, expect, it } from 'vitest';
import type { Customer } from '../domain/customer.ts';
import { CustomerJudge } from './judge-customers.ts';

function judged(values: Partial<Record<keyof Customer, string>>): Customer {
  const judge = new CustomerJudge({
    customers: [],
    archivedNos: [],
    products: [],
    defaults: { PaymentTerms: 'CON', PaymentMethod: 'TRANSF', CustomerPostingGroup: 'NAC' },
    choices: {
      terminosPago: new Set(['CON']),
      formasPago: new Set(['TRANSF']),
      gruposContables: new Set(['NAC', 'EXT', 'CAN', 'UE', 'UEPART']),
    },
    units: new Set(),
    vatGroups: [],
    claves: new Set(),
    today: '2026-11-26',
  });
  const judgement = judge.judge({ Name: 'Uno', ...values });
  if (!judgement.ok) throw new Error(judgement.problems.map(({ mensaje }) => mensaje).join(' '));
  return judgement.customer;
}

describe('a customer of another program', () => {
  it.each([
    ['28013', '28013'],
    ['28.013', '28013'],
    ['8.001', '08001'],
    ['8001.0', '08001'],
    ['28013,0', '28013'],
    ['E-28013', '28013'],
    ['ES-08001', '08001'],
    ['-', ''],
    ['NULL', ''],
  ])('with the postal code «%s»', (written, postCode) => {
    expect(judged({ postCode: written }).postCode).toBe(postCode);
  });

  it('with a foreign postal code keeps it as it is', () => {
    expect(judged({ postCode: '10.115', countryCode: 'DE' }).postCode).toBe('10.115');
  });

  it('has nothing where it says that it has nothing', () => {
    const nothing = { VATRegistrationNo: 'N/A', Address: '--', Email: '-', municipio: '-' };
    expect(judged(nothing)).toMatchObject({ VATRegistrationNo: '', Address: '', Email: '' });
    expect(judged({ Address: 'S/N' }).Address).toBe('S/N');
    // The code of Namibia, not «N/A».
    expect(judged({ countryCode: 'NA' }).countryCode).toBe('NA');
  });

  it('has its name and its address in one row', () => {
    const rows = { Name: 'Hermanos Díaz\r\ne Hijos, S.L.', Address: 'C/ Mayor, 3,\nEsc. B\n2.º' };
    expect(judged(rows)).toMatchObject({
      Name: 'Hermanos Díaz e Hijos, S.L.',
      Address: 'C/ Mayor, 3, Esc. B, 2.º',
    });
  });

  it.each([
    ['ana@b.es; luis@b.es', 'ana@b.es'],
    ['ana@b.es,luis@b.es', 'ana@b.es'],
    ['ana@b.es / luis@b.es', 'ana@b.es'],
    ['Pérez, Ana <ana@b.es>', 'ana@b.es'],
    ['luis@b.es; ana,perez@b.es', 'luis@b.es'],
  ])('with the e-mails «%s»', (written, email) => {
    expect(judged({ Email: written }).Email).toBe(email);
  });

  it('is not given the address of somebody else, for a comma where a point belongs', () => {
    expect(() => judged({ Email: 'ana,perez@b.es' })).toThrow('no tiene una forma válida');
  });
});
