import { parsePlainDecimal } from '../domain/money.ts';
import { isUnderTaxes, rowsAround } from './line-ends.ts';
import { at, type Figure, isAmount, type Sheet } from './line-figures.ts';
import {
  cents,
  discountText,
  isNear,
  leftAfter,
  netOf,
  oneOf,
  type Priced,
} from './line-priced.ts';
import { amountsOf, type Roles } from './line-roles.ts';
import { SECTION } from './line-wrapping.ts';
import type { Word } from './shapes.ts';
import { undotted } from './values.ts';
import type { Row } from './words.ts';

/** Rows that may be lines although they do not multiply, near others that do. */

/** A row that does not multiply, among others that do, and the ways in which it would, likeliest first. */
export interface Doubt {
  readonly row: number;
  readonly ways: readonly Priced[];
  /** Whether the price of the likeliest way is the printed one but for a figure: OCR misread or doubled it. */
  readonly isNearlyPrinted: boolean;
}

/** The rows in doubt among and around those that multiply, the anchors. */
export function doubtsOf(sheet: Sheet, roles: Roles, anchors: readonly number[]): Doubt[] {
  const [first, last] = [anchors[0], anchors.at(-1)];
  if (first === undefined || last === undefined || roles.net === null) return [];
  return rowsAround(sheet.rows, first, last)
    .filter((row) => !anchors.includes(row) && !SECTION.test(nameOf(sheet, row)))
    .map((row): Doubt => {
      const ways = waysOf(sheet, roles, row);
      const printed = at(sheet, roles.price, row)?.text;
      return { row, ways, isNearlyPrinted: isNearly(ways[0]?.price, printed) };
    })
    .filter(({ ways }) => ways.length > 0);
}

/** Whether two prices are the same but for one figure that is another, or one too many. */
function isNearly(price: string | undefined, printed: string | undefined): boolean {
  const solvedCents = parsePlainDecimal(price ?? '', 2);
  if (solvedCents === null || printed === undefined) return false;
  const [right, read] = [String(solvedCents).padStart(3, '0'), printed.replace('.', '')];
  const off = [...right].findIndex((figure, i) => figure !== read[i]);
  const rest = off < 0 ? '' : right.slice(off + 1);
  if (read.length === right.length) return off >= 0 && read.slice(off + 1) === rest;
  const from = off < 0 ? right.length : off;
  return read.length === right.length + 1 && read.slice(from + 1) === right.slice(from);
}

/** The likeliest way of each row in doubt. */
export const firstWays = (doubts: readonly Doubt[]): Priced[] =>
  doubts.map(({ ways: [way] }) => way as Priced);

/** The combinations of ways for one or two of the rows in doubt. With too many bad rows, the whole reading is bad. */
export function combinations(doubts: readonly Doubt[]): (readonly Priced[])[] {
  if (doubts.length === 0 || doubts.length > 4) return [];
  const sets = (from: readonly Doubt[]): (readonly Priced[])[] =>
    from.reduce<(readonly Priced[])[]>(
      (all, { ways }) => all.flatMap((set) => ways.slice(0, 3).map((way) => [...set, way])),
      [[]],
    );
  const one = doubts.map((doubt) => [doubt]);
  const two = doubts.flatMap((a, i) => doubts.slice(i + 1).map((b) => [a, b]));
  return [...one, ...two].flatMap(sets);
}

/** Adds the rows around the lines that have an amount in the same column and no factors that produce it. */
export function withOnes(
  sheet: Sheet,
  lines: readonly Priced[],
  { quantity, net }: { readonly quantity: number | null; readonly net: number | null },
): readonly Priced[] {
  const [first, last] = [lines[0]?.row, lines.at(-1)?.row];
  if (net === null || first === undefined || last === undefined) return lines;
  const rows = new Set(lines.map(({ row }) => row));
  const words = new Set(lines.flatMap(({ taken }) => taken));
  const ones = rowsAround(sheet.rows, first, last).flatMap((row): Priced[] => {
    const amount = at(sheet, net, row);
    const isKnown = rows.has(row) || amount?.words.some((word) => words.has(word));
    if (!amount || isKnown || !isAmount(amount) || amount.value === 0) return [];
    if (otherAmounts(sheet, row, amount).length > 0) return [];
    // Several units, of which the price could not be read.
    if ((at(sheet, quantity, row)?.value ?? 1) !== 1) return [];
    return /\p{L}{2}/u.test(nameOf(sheet, row)) ? [oneOf(row, amount)] : [];
  });
  return [...lines, ...ones].sort((a, b) => a.row - b.row);
}

/** A discount on all lines, below them and often below their sum, as a line of its own: the base is what is left. */
export function discountUnder(sheet: Sheet, lines: readonly Priced[]): Priced | null {
  const last = lines.at(-1)?.row ?? sheet.rows.length;
  for (let row = last + 1; row <= last + DISCOUNT_WITHIN && row < sheet.rows.length; row += 1) {
    const [amount, ...others] = (sheet.figures[row] ?? []).filter(isAmount);
    if (!amount || others.length > 0 || !DISCOUNT.test(nameOf(sheet, row))) continue;
    const one = oneOf(row, amount);
    const size = Math.abs(one.cents);
    return size === 0
      ? null
      : { ...one, quantity: '-1', price: one.price.replace('-', ''), cents: -size };
  }
  return null;
}

const DISCOUNT = /^(dto|dcto|descuento|bonificacion|rappel|pronto pago)\b/;
/** How many rows below the last line it may be. */
const DISCOUNT_WITHIN = 12;

/**
 * Lines of a scan whose quantities were not seen, as single figures far from other words often are not: each amount is
 * a whole number of times the price beside it. One list for each two columns in which that is so.
 */
export function* withoutQuantities(sheet: Sheet): Generator<readonly Priced[]> {
  const { rows, tracks } = sheet;
  const isScan = rows.some(({ words }) => words.some(({ paper }) => paper));
  if (!isScan) return;
  for (const [price, { x }] of tracks.entries())
    for (const [net, { x: end }] of tracks.entries()) {
      if (end <= x) continue;
      const lines = [...rows.keys()].flatMap((row): Priced[] => {
        const [one, amount] = [at(sheet, price, row), at(sheet, net, row)];
        if (!one || !amount || !isAmount(one) || !isAmount(amount) || one.value === 0) return [];
        const quantity = neat(amount.value / one.value, 0);
        if (quantity === null || isUnderTaxes(rows, row)) return [];
        const figures = solved(quantity, one.text, null, amount);
        return [{ row, ...figures, isSolved: true, taken: [...one.words, ...amount.words] }];
      });
      if (lines.some(({ quantity }) => quantity !== '1')) yield lines;
    }
}

/** The amounts of a row besides this one. */
export const otherAmounts = ({ figures }: Sheet, row: number, amount: Figure): Figure[] =>
  (figures[row] ?? []).filter((one) => one !== amount && isAmount(one));

const nameOf = ({ rows }: Sheet, row: number) => undotted(rows[row]?.plain ?? '');

/** What is legible of a line that does not multiply. */
interface Legible {
  readonly quantity: Figure | undefined;
  readonly price: Figure | undefined;
  readonly discount: Figure | undefined;
  /** Whether the table has a column of discounts. */
  readonly hasDiscounts: boolean;
  readonly net: Figure | undefined;
}

type Solved = Pick<Priced, 'quantity' | 'price' | 'discount' | 'cents'>;

/** The ways to solve a line from its legible figures, likeliest first. Each returns null if it does not apply. */
const WAYS: readonly ((legible: Legible) => Solved | null)[] = [
  lostDiscount,
  lostPrice,
  (legible) => lostQuantity(legible, 0),
  lostAmount,
  (legible) => lostQuantity(legible, 2),
  onlyAmount,
];

function waysOf(sheet: Sheet, roles: Roles, row: number): Priced[] {
  const of = (role: keyof Roles) => at(sheet, roles[role], row);
  const said = of('net');
  const printed = said && amountsOf(said)[0];
  const legible: Legible = {
    quantity: of('quantity'),
    price: of('price'),
    discount: of('discount'),
    hasDiscounts: roles.discount !== null,
    net: printed && isAmount(printed) && printed.value !== 0 ? printed : undefined,
  };
  const taken = spoiltIn(sheet, roles, row);
  return WAYS.flatMap((way): Priced[] => {
    const solved = way(legible);
    return solved ? [{ row, ...withSignOnQuantity(solved), isSolved: true, taken }] : [];
  });
}

function lostDiscount({ quantity, price, hasDiscounts, net }: Legible): Solved | null {
  if (!hasDiscounts || !quantity || !price || !net) return null;
  const full = quantity.value * price.value;
  if (full === 0) return null;
  const percent = Math.round(1000 * (1 - net.value / full)) / 10;
  const isLikely = percent > 0 && percent <= 60;
  return isLikely && isNear(full * (1 - percent / 100), net.value)
    ? solved(quantity.text, price.text, String(percent), net)
    : null;
}

function lostPrice({ quantity, discount, net }: Legible): Solved | null {
  if (!quantity || !net || quantity.value === 0) return null;
  const price = priceOf(net.value, quantity.value * leftAfter(discount));
  return price === null ? null : solved(quantity.text, price, discountText(discount), net);
}

function lostQuantity({ price, discount, net }: Legible, decimals: number): Solved | null {
  if (!price || !net || price.value === 0) return null;
  const quantity = neat(net.value / price.value / leftAfter(discount), decimals);
  return quantity === null ? null : solved(quantity, price.text, discountText(discount), net);
}

function lostAmount({ quantity, price, discount }: Legible): Solved | null {
  if (!quantity || !price || quantity.value * price.value === 0) return null;
  const amount = netOf(quantity, price, discount);
  return {
    quantity: quantity.text,
    price: price.text,
    discount: discountText(discount),
    cents: cents(amount),
  };
}

function onlyAmount({ net }: Legible): Solved | null {
  return net ? solved('1', net.text, null, net) : null;
}

function solved(quantity: string, price: string, discount: string | null, net: Figure): Solved {
  return { quantity, price, discount, cents: cents(net.value) };
}

/** A minus sign that was not seen belongs to the quantity: prices are not negative. */
function withSignOnQuantity(line: Solved): Solved {
  const { quantity, price } = line;
  return price.startsWith('-') && !quantity.startsWith('-')
    ? { ...line, quantity: `-${quantity}`, price: price.slice(1) }
    : line;
}

/** The only price to the cent that makes an amount, which is rounded; null if several do, or none. */
function priceOf(amount: number, factor: number): string | null {
  const guess = Math.round((100 * amount) / factor);
  const fitting = [guess - 1, guess, guess + 1].filter(
    (price) => Math.abs((price * factor) / 100 - amount) < 0.00501,
  );
  return fitting.length === 1 ? neat(guess / 100, 2) : null;
}

/** With at most this many decimals; null for a value that has more, is zero, or is too large for any line. */
function neat(value: number, decimals: number): string | null {
  const scale = 10 ** decimals;
  const rounded = Math.round(value * scale) / scale;
  const isExact = Math.abs(value - rounded) < 1e-7 * Math.max(1, Math.abs(value));
  return isExact && rounded !== 0 && Math.abs(rounded) < 1e7 ? String(rounded) : null;
}

/** Words where one of the line's figures should be, but which are not figures, like the `Le)` that a scan makes of a 9. */
function spoiltIn({ rows, tracks }: Sheet, roles: Roles, row: number): Word[] {
  const ours = Object.values(roles).flatMap((track) => tracks[track ?? -1] ?? []);
  const isSpoilt = ({ text, paper }: Word) =>
    /\d/.test(text) || (paper !== undefined && text.length <= 3);
  return (rows[row] as Row).words.filter(
    (word) => isSpoilt(word) && ours.some((one) => word.x < one.right && word.x + word.w > one.x),
  );
}
