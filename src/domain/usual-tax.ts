/** The tax that a new line begins with: the company's usual one, or else the general rate. */

import type { VatGroup } from './vat.ts';

/** The taxes that a company may have as its usual one: all that it may use for customers in Spain. */
function usualTaxes(groups: readonly VatGroup[]): VatGroup[] {
  return groups.filter(
    ({ VATBusPostingGroup, activo }) => VATBusPostingGroup === 'NAC' && activo !== false,
  );
}

export function isUsualTax(groups: readonly VatGroup[], tax: string): boolean {
  return usualTaxes(groups).some(({ VATProdPostingGroup }) => VATProdPostingGroup === tax);
}

export const WRONG_USUAL_TAX =
  'Elige el impuesto habitual de la lista, o déjalo vacío para empezar con el general.';
