/** The positions of the table's columns. Pure: widths are measured beforehand. */

export interface Column {
  /** Right edge, to which its numbers are aligned, in millimetres. */
  readonly right: number;
  readonly width: number;
}

export interface Columns {
  /** From the left margin. */
  readonly description: { readonly width: number };
  readonly quantity: Column;
  readonly price: Column;
  readonly discount: Column | null;
  readonly tax: Column;
  readonly amount: Column;
}

/** The widest piece that each column must hold unbroken. */
export interface Widest {
  readonly quantity: number;
  readonly price: number;
  readonly discount: number;
  readonly tax: number;
  readonly amount: number;
}

/** The margins of an A4 page, in millimetres. */
export const LEFT = 18;
export const RIGHT = 192;
const GAP = 2;
/** Minimum width of the description when everything else is as wide as possible. */
const DESCRIPTION_LEAST = 24;

/** Right edges and widths of the design, which fit nearly every invoice. */
const PLAIN = { description: 82, quantity: 118, price: 141, discount: 0, tax: 158 } as const;
const WITH_DISCOUNTS = {
  description: 70,
  quantity: 106,
  price: 126,
  discount: 142,
  tax: 158,
} as const;

/**
 * The design's columns. A number wider than its column moves those to its left, and in the end the description wraps
 * earlier. So no number breaks, and none touches its neighbour.
 */
export function columnsFor(
  widest: Widest,
  { hasDiscounts }: { readonly hasDiscounts: boolean },
): Columns {
  const design = hasDiscounts ? WITH_DISCOUNTS : PLAIN;
  const amount = { right: RIGHT, width: Math.max(widest.amount, RIGHT - design.tax - GAP) };
  const tax = leftOf(amount, design.tax, widest.tax);
  const discount = hasDiscounts ? leftOf(tax, WITH_DISCOUNTS.discount, widest.discount) : null;
  const price = leftOf(discount ?? tax, design.price, widest.price);
  const quantityRight = Math.min(design.quantity, price.right - price.width - GAP);
  const quantityWidth = Math.max(widest.quantity, design.quantity - LEFT - design.description - 1);
  const room = quantityRight - quantityWidth - 1 - LEFT;
  return {
    description: { width: Math.max(DESCRIPTION_LEAST, Math.min(design.description, room)) },
    quantity: { right: quantityRight, width: quantityWidth },
    price,
    discount,
    tax,
    amount,
  };
}

function leftOf(next: Column, right: number, width: number): Column {
  return { right: Math.min(right, next.right - next.width - GAP), width };
}
