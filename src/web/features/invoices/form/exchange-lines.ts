import type { EditInvoice, InvoiceItem } from '../../../../contract/invoices.ts';
import { numbersNamed, signOf } from '../../../../domain/invoice.ts';
import { issuedLine } from '../../../../domain/issue.ts';
import { centsToEs, decimalToEs, parseDecimal } from '../../../../domain/money.ts';
import { printedLines } from '../../../../domain/paper/gross.ts';
import { exactPriceWithTax } from '../../../../domain/price-with-tax.ts';
import {
  computeTotals,
  DISCOUNT_DECIMALS,
  netCentsOf,
  PRICE_DECIMALS,
  QUANTITY_DECIMALS,
  taxBpsOf,
} from '../../../../domain/totals.ts';
import type { VatGroup } from '../../../../domain/vat.ts';

/**
 * What is left of simplified invoices after the R5 that corrected them, as the lines of the F3 that replaces them.
 *
 * The lines of an R5 por sustitución take the place of those that it replaced. What gives money back is subtracted:
 * from the same line, its quantity; from other lines of the same tax, its amount. An F3 accepts no negative quantities,
 * so one is left only where there is nothing to subtract it from: then the total is right, and the rules report that it
 * cannot be registered so.
 */
export function exchangedItems(edits: readonly EditInvoice[]): InvoiceItem[] {
  const replaced = new Set(
    edits
      .filter(({ type, tipoRectificativa }) => type === 'abono' && tipoRectificativa === 'S')
      .flatMap(({ invoiceToRectify }) => numbersNamed(invoiceToRectify)),
  );
  const signed = edits
    .filter(({ invoiceNumber }) => !replaced.has(invoiceNumber))
    .flatMap((edit) => edit.invoiceItems.map((item) => times(item, signOf(edit))));
  const back = signed.filter((item) => quantityOf(item) < 0n);
  return back.reduce<InvoiceItem[]>(
    (items, item) => withoutAmount(...withoutQuantity(items, times(item, -1n))),
    signed.filter((item) => quantityOf(item) >= 0n),
  );
}

/** The same tickets, all with prices that include the tax if any has them: an F3 has only one kind. */
export function pricedAlike(
  edits: readonly EditInvoice[],
  groups: readonly VatGroup[],
): readonly EditInvoice[] {
  if (!edits.some(({ ivaIncluido }) => ivaIncluido)) return edits;
  return edits.map((edit) => (edit.ivaIncluido ? edit : withTaxInPrices(edit, groups)));
}

/**
 * Lines that add up to the total of the ticket, which rounded its tax once per rate: three of 0.12 € at 21 % are 0.44 €
 * and not three times 0.15. The price is price × (1 + rate) where the line then comes to its share of that total, or
 * else a price for which it does.
 */
function withTaxInPrices(edit: EditInvoice, groups: readonly VatGroup[]): EditInvoice {
  const { invoiceItems: items, typeClient, claveRegimen } = edit;
  const context = { groups, typeClient, claveRegimen };
  const { lines } = computeTotals({ ...context, items, sign: 1n });
  const issued = lines.map((line) => issuedLine(line, claveRegimen));
  const printed = printedLines({ lines: issued }, { taxIn: true });
  const invoiceItems = items.map((item, index) => {
    const { amountCents = 0n, priceE6 = 0n } = printed[index] ?? {};
    const exact = exactPriceWithTax(priceOf(item), taxBpsOf(item, context));
    const priced = [exact, priceE6]
      .map((price) => ({ ...item, price: decimalToEs(price, PRICE_DECIMALS) }))
      .find((candidate) => netOf(candidate) === amountCents);
    if (priced) return priced;
    return amountCents < 0n
      ? times(ofAmount(item, -amountCents), -1n)
      : ofAmount(item, amountCents);
  });
  return { ...edit, ivaIncluido: true, invoiceItems };
}

/**
 * Subtracts it from the lines of exactly the same thing.
 *
 * @returns the lines, and what is still to be subtracted
 */
function withoutQuantity(
  items: readonly InvoiceItem[],
  back: InvoiceItem,
): [InvoiceItem[], InvoiceItem] {
  let rest = back;
  const left = items.flatMap((item) => {
    const [had, off] = [quantityOf(item), quantityOf(rest)];
    if (off === 0n || !isSame(item, back)) return [item];
    const taken = had < off ? had : off;
    // The cost is that of the whole line: it is reduced along with its part of the price.
    const coste = costeOf(rest) < costeOf(item) ? costeOf(rest) : costeOf(item);
    rest = withCoste(withQuantity(rest, off - taken), costeOf(rest) - coste);
    if (taken === had) return [];
    return [withCoste(withQuantity(item, had - taken), costeOf(item) - coste)];
  });
  return [left, rest];
}

/** Subtracts its amount from lines of the same tax. */
function withoutAmount(items: readonly InvoiceItem[], back: InvoiceItem): InvoiceItem[] {
  let rest = netOf(back);
  let coste = costeOf(back);
  const left = items.flatMap((item) => {
    const net = netOf(item);
    if (rest === 0n || net <= 0n || !isOfTheSameTax(item, back)) return [item];
    const taken = net < rest ? net : rest;
    const cost = coste < costeOf(item) ? coste : costeOf(item);
    rest -= taken;
    coste -= cost;
    if (taken === net) return [];
    return [withCoste(ofAmount(item, net - taken), costeOf(item) - cost)];
  });
  if (rest === 0n) return left;
  return [...left, withCoste(times(ofAmount(back, rest), -1n), coste)];
}

function isSame(a: InvoiceItem, b: InvoiceItem): boolean {
  return (
    isOfTheSameTax(a, b) &&
    a.description.trim() === b.description.trim() &&
    priceOf(a) === priceOf(b) &&
    discountOf(a) === discountOf(b)
  );
}

function isOfTheSameTax(a: InvoiceItem, b: InvoiceItem): boolean {
  return a.tax === b.tax && destinoOf(a) === destinoOf(b);
}

const quantityOf = ({ quantity }: InvoiceItem) => parseDecimal(quantity, QUANTITY_DECIMALS) ?? 0n;
const priceOf = ({ price }: InvoiceItem) => parseDecimal(price, PRICE_DECIMALS) ?? 0n;
const discountOf = ({ discount }: InvoiceItem) =>
  parseDecimal(discount ?? 0, DISCOUNT_DECIMALS) ?? 0n;
const costeOf = ({ coste }: InvoiceItem) => parseDecimal(coste ?? 0, 2) ?? 0n;
const destinoOf = ({ tipoDestino }: InvoiceItem) => parseDecimal(tipoDestino ?? 0, 2) ?? 0n;
const netOf = (item: InvoiceItem) => netCentsOf(quantityOf(item), priceOf(item), discountOf(item));

const times = (item: InvoiceItem, sign: 1n | -1n) => withQuantity(item, sign * quantityOf(item));

function withQuantity(item: InvoiceItem, quantityE4: bigint): InvoiceItem {
  return { ...item, quantity: decimalToEs(quantityE4, QUANTITY_DECIMALS) };
}

function withCoste(item: InvoiceItem, cents: bigint): InvoiceItem {
  return item.coste === undefined ? item : { ...item, coste: centsToEs(cents) };
}

/** One unit at that price, without a discount: the amount of several may not be divisible. */
function ofAmount({ discount: _, ...item }: InvoiceItem, cents: bigint): InvoiceItem {
  return { ...item, quantity: '1', price: centsToEs(cents) };
}
