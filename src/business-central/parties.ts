/** Converts their customers and items. Pure: checking and saving is done by operations. */

import { createHash } from 'node:crypto';
import type { Customer } from '../domain/customer.ts';
import { cut } from '../domain/cut.ts';
import { decimalToText, divRound, parseDecimal } from '../domain/money.ts';
import { bareId, normaliseNif } from '../domain/nif.ts';
import { WRONG_PRICE } from '../domain/product.ts';
import { PRICE_DECIMALS } from '../domain/totals.ts';
import { MAX_TOWN } from '../domain/town.ts';
import { type BcCustomer, type BcItem, fitsAsCode, LONG_CODE } from './shapes.ts';
import { codeWords, rateOf, type TaxKey } from './taxes.ts';

/** What their identifiers of payment terms and methods mean among our codes. */
export interface PaymentLookups {
  readonly terms: ReadonlyMap<string, string>;
  readonly methods: ReadonlyMap<string, string>;
}

/** Fields of a customer that Business Central decides; payment only if we know the value. */
export function customerFields(
  bc: BcCustomer,
  { terms, methods }: PaymentLookups,
): Partial<Customer> & Pick<Customer, 'Name' | 'countryCode' | 'VATRegistrationNo'> {
  const countryCode = (bc.country || 'ES').toUpperCase();
  const term = terms.get(bc.paymentTermsId);
  const method = methods.get(bc.paymentMethodId);
  return {
    Name: bc.displayName,
    VATRegistrationNo: (countryCode === 'ES' ? normaliseNif : bareId)(bc.taxRegistrationNumber),
    Address: [bc.addressLine1, bc.addressLine2, bc.city].filter(Boolean).join(', '),
    postCode: bc.postalCode,
    countryCode,
    ...(bc.city && { municipio: cut(bc.city, MAX_TOWN) }),
    Email: bc.email.split(';')[0]?.trim() ?? '',
    ...(term && { PaymentTerms: term }),
    ...(method && { PaymentMethod: method }),
  };
}

export interface ProductFields {
  readonly name: string;
  readonly unitOfMeasure: string;
  readonly unitPrice: string;
}

/**
 * @param taxes the codes that stand for a VAT of ours
 * @returns the item without tax, or why it cannot be a product: its number, an invalid price, or one that includes an
 *   unknown tax
 */
export function productFields(
  bc: BcItem,
  { units, taxes }: { readonly units: ReadonlySet<string>; readonly taxes: readonly TaxKey[] },
): ProductFields | { readonly problem: string } {
  if (!bc.number) return { problem: 'No tiene número.' };
  if (!fitsAsCode(bc.number)) return { problem: `Su número ${LONG_CODE}` };
  const price = parseDecimal(bc.unitPrice, PRICE_DECIMALS);
  if (price === null || price < 0n) {
    return { problem: WRONG_PRICE };
  }
  const included = bc.priceIncludesTax ? rateOf(taxes, bc.taxGroupCode) : 0n;
  if (included === null) {
    return {
      problem: `Su precio incluye el IVA y no se sabe cuál. Di a qué IVA de Huella corresponde ${codeWords(bc.taxGroupCode)}, o pon allí el precio sin IVA.`,
    };
  }
  return {
    name: bc.displayName || bc.number,
    unitOfMeasure: unitOf(bc.baseUnitOfMeasureCode, units) ?? 'UD',
    unitPrice: decimalToText(divRound(price * 10_000n, 10_000n + included), PRICE_DECIMALS),
  };
}

/** Common unit codes there that are written differently here. */
const UNITS: Readonly<Record<string, string>> = {
  UDS: 'UD',
  UNIDAD: 'UD',
  UNIDADES: 'UD',
  PCS: 'UD',
  PZAS: 'PZA',
  HORAS: 'HORA',
  H: 'HORA',
  HOUR: 'HORA',
  DAY: 'DIA',
  KGS: 'KG',
  LITRO: 'L',
  LITROS: 'L',
  METRO: 'M',
  METROS: 'M',
  BOX: 'CAJA',
  CAJAS: 'CAJA',
  SET: 'JUEGO',
};

export function unitOf(code: string, units: ReadonlySet<string>): string | null {
  const upper = code.toUpperCase();
  const known = units.has(upper) ? upper : UNITS[upper];
  return known !== undefined && units.has(known) ? known : null;
}

const DAYS = /^(\d+)D$/;

/** A payment term of theirs among our codes: the same code, or the same number of days. */
export function termOf(
  { code, dueDateCalculation }: { readonly code: string; readonly dueDateCalculation: string },
  ours: ReadonlySet<string>,
): string | null {
  if (ours.has(code)) return code;
  const days = DAYS.exec(dueDateCalculation)?.[1];
  if (days === '0') return ours.has('CON') ? 'CON' : null;
  return days && ours.has(`${days}D`) ? `${days}D` : null;
}

/** Changes whenever something changes in what we read of it. */
export function contentHash(content: unknown): string {
  return createHash('sha256').update(JSON.stringify(content)).digest('base64url');
}
