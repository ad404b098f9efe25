import { decimalToText, MAX_INTEGER_DIGITS, parsePlainDecimal } from './money.ts';
import { PRICE_DECIMALS } from './totals.ts';
import type { VatGroup } from './vat.ts';

/** Limits of a product or service, wherever it comes from: its form, a spreadsheet or Business Central. */
export const MAX_PRODUCT_NAME = 250;

export const WRONG_PRICE = `El precio debe ser un número desde 0, con ${MAX_INTEGER_DIGITS} cifras y ${PRICE_DECIMALS} decimales como mucho.`;

/** A price without the zeros that the database fills its decimals up with: `'45'` of `'45.000000'`. */
export function shortPrice(unitPrice: string): string {
  return decimalToText(parsePlainDecimal(unitPrice, PRICE_DECIMALS) ?? 0n, PRICE_DECIMALS);
}

/** A tax that a product may have: a rate of the general regime, or an exemption of its own. */
export function isProductTax({ VATBusPostingGroup, activo, verifactu }: VatGroup): boolean {
  return (
    VATBusPostingGroup === 'NAC' &&
    activo !== false &&
    verifactu.ClaveRegimen === '01' &&
    (verifactu.CalificacionOperacion === 'S1' || verifactu.OperacionExenta !== null)
  );
}

export function isOfferedTax(groups: readonly VatGroup[], tax: string): boolean {
  return groups.some((group) => group.VATProdPostingGroup === tax && isProductTax(group));
}

export const WRONG_TAX = 'Elige el impuesto de la lista.';
