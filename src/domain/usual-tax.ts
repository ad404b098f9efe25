/** The tax that a new line starts with: the company's usual one, or else the general rate. */

import type { VatGroup } from './vat.ts';

/** If the customer's group has it. */
export const GENERAL_TAX = 'IVA21';

/** The taxes that a company may have as its usual one: all that it may use for customers in Spain. */
export function usualTaxes(groups: readonly VatGroup[]): VatGroup[] {
  return offeredTo(groups, 'NAC');
}

export function isUsualTax(groups: readonly VatGroup[], tax: string): boolean {
  return usualTaxes(groups).some(({ VATProdPostingGroup }) => VATProdPostingGroup === tax);
}

export const WRONG_USUAL_TAX =
  'Elige el impuesto habitual de la lista, o déjalo vacío para empezar con el general.';

/**
 * The groups with `defecto` set on the company's usual tax, for each kind of customer that has it. An empty tax, or one
 * no longer offered, changes nothing.
 */
export function withUsualTax(groups: readonly VatGroup[], tax: string): readonly VatGroup[] {
  if (!isUsualTax(groups, tax)) return groups;
  return groups.map((group) => ({ ...group, defecto: group.VATProdPostingGroup === tax }));
}

/** The tax that a line starts with for that kind of customer. Undefined when there is none at all. */
export function firstTax(groups: readonly VatGroup[], typeClient: string): VatGroup | undefined {
  const offered = offeredTo(groups, typeClient);
  return (
    offered.find(({ defecto }) => defecto) ??
    offered.find(({ VATProdPostingGroup }) => VATProdPostingGroup === GENERAL_TAX) ??
    offered[0]
  );
}

function offeredTo(groups: readonly VatGroup[], typeClient: string): VatGroup[] {
  return groups.filter(
    ({ VATBusPostingGroup, activo }) => VATBusPostingGroup === typeClient && activo !== false,
  );
}
