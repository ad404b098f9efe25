import type { Figure } from './line-figures.ts';
import type { Word } from './shapes.ts';

/** The figures of a line, before its text is read. */
export interface Priced {
  /** The index of its row. */
  readonly row: number;
  readonly quantity: string;
  readonly price: string;
  readonly discount: string | null;
  readonly cents: number;
  /** One of its figures was worked out from the others: somebody should look at it. */
  readonly isSolved?: true;
  /** Words that do not belong to its description, wherever they are. */
  readonly taken: readonly Word[];
}

/** One unit of something for which only the amount is printed. */
export function oneOf(row: number, { text, value, words }: Figure): Priced {
  return { row, quantity: '1', price: text, discount: null, cents: cents(value), taken: words };
}

/** A discount without its sign; null for none and for 0 %. */
export const discountText = (discount: Figure | undefined): string | null =>
  discount && discount.value !== 0 ? discount.text.replace('-', '') : null;

/** In euros, not rounded. */
export const netOf = (quantity: Figure, price: Figure, discount: Figure | undefined): number =>
  quantity.value * price.value * leftAfter(discount);

/** The part of a price that a discount leaves, from 0 to 1. */
export const leftAfter = (discount: Figure | undefined): number =>
  1 - Math.abs(discount?.value ?? 0) / 100;

/** Whether a computed amount, in euros, may have been printed as another one: two ways to round are admitted. */
export const isNear = (made: number, printed: number): boolean => Math.abs(made - printed) < 0.016;

/** Euros as cents. Rounds ties away from zero despite floating-point error. */
export function cents(amount: number): number {
  const size = Math.round(Math.abs(amount) * 100 + 1e-6);
  return amount < 0 && size > 0 ? -size : size;
}
