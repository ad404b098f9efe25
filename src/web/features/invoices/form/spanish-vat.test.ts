import { expect, it } from 'vitest';
import type { Cliente } from '../../../../contract/parties.ts';
import { draftReducer, freshDraft } from './draft-state.ts';
import { isChargedSpanishVat } from './spanish-vat.ts';

const german = {
  No: 'C1',
  countryCode: 'DE',
  VATRegistrationNo: 'DE123456788',
  CustomerPostingGroup: 'UE',
} as Cliente;
const fresh = freshDraft('2026-11-20');
const withTax = (tax: string) =>
  draftReducer([])(fresh, { kind: 'line', id: 'l1', change: { description: 'Mesa', tax } });

it('the general rate of a company of the Union is worth a notice, and nothing else is', () => {
  const charged = withTax('IVA21');
  expect(isChargedSpanishVat(charged, german)).toBe(true);
  // Monaco is France for VAT.
  const monegasque = { ...german, countryCode: 'MC', VATRegistrationNo: 'FR83404833048' };
  expect(isChargedSpanishVat(charged, monegasque)).toBe(true);

  for (const tax of ['IVA10', 'INTRAUE', 'SERVUE']) {
    expect([tax, isChargedSpanishVat(withTax(tax), german)]).toEqual([tax, false]);
  }
  expect(isChargedSpanishVat(fresh, german), 'no line yet').toBe(false);
  expect(isChargedSpanishVat(charged, undefined)).toBe(false);
  expect(isChargedSpanishVat({ ...charged, isSimplificada: true, invoiceType: 1 }, german)).toBe(
    false,
  );
  expect(isChargedSpanishVat({ ...charged, type: 'abono' }, german)).toBe(false);
  const others = [
    { CustomerPostingGroup: 'UEPART' },
    { CustomerPostingGroup: 'EXT', countryCode: 'GB', VATRegistrationNo: 'XI123456789' },
    { VATRegistrationNo: 'HRB 12345' },
    { CustomerPostingGroup: 'NAC', countryCode: 'ES', VATRegistrationNo: 'B12345674' },
  ];
  for (const other of others) {
    expect([other, isChargedSpanishVat(charged, { ...german, ...other })]).toEqual([other, false]);
  }
});
