import type { Producto } from '../../../contract/parties.ts';
import { isBlank } from '../../../domain/blank.ts';
import { decimalToEs, parseDecimal } from '../../../domain/money.ts';
import { PRICE_DECIMALS } from '../../../domain/totals.ts';

/** A product in its form: the price is text with a decimal comma. */
export interface ProductDraft {
  readonly No: string;
  readonly Name: string;
  readonly UnitOfMeasure: string;
  readonly UnitPrice: string;
  readonly VATProdPostingGroup: string;
}

export function productDraft(product: Producto | undefined): ProductDraft {
  return {
    No: product?.No ?? '',
    Name: product?.Name ?? '',
    UnitOfMeasure: product?.UnitOfMeasure ?? 'UD',
    UnitPrice: product ? priceText(product.UnitPrice) : '',
    VATProdPostingGroup: product?.VATProdPostingGroup ?? '',
  };
}

/** `1234.5` as `1.234,50`: two decimals, or as many as it has. */
export function priceText(price: number): string {
  const scaled = parseDecimal(price, PRICE_DECIMALS);
  return scaled === null ? String(price) : decimalToEs(scaled, PRICE_DECIMALS, 2);
}

/** What was typed, with decimal comma and thousands separators: `1234.5` → `1.234,50`. */
export function normalizedPrice(text: string): string {
  const scaled = text.trim() === '' ? 0n : parseDecimal(text, PRICE_DECIMALS);
  return scaled === null ? text : decimalToEs(scaled, PRICE_DECIMALS, 2);
}

/** The draft in the shape of the contract: trimmed, and the price without thousands separators. */
export function productForm(draft: ProductDraft): ProductDraft {
  return {
    ...draft,
    No: draft.No.trim(),
    Name: draft.Name.trim(),
    UnitPrice: normalizedPrice(draft.UnitPrice).replaceAll('.', ''),
  };
}

export type ProductErrors = Partial<Record<'Name' | 'UnitPrice', string>>;

export function productErrors(draft: ProductDraft): ProductErrors {
  const price = draft.UnitPrice.trim() === '' ? 0n : parseDecimal(draft.UnitPrice, PRICE_DECIMALS);
  return {
    ...(isBlank(draft.Name) && { Name: 'Escribe el nombre del producto o servicio.' }),
    ...(price === null && { UnitPrice: 'Escribe un precio, como 1.234,50.' }),
    ...(price !== null && price < 0n && { UnitPrice: 'El precio no puede ser negativo.' }),
  };
}
