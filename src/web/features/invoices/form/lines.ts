import type { Producto } from '../../../../contract/parties.ts';
import {
  decimalToEs,
  hasTooManyDigits,
  MAX_INTEGER_DIGITS,
  parseDecimal,
} from '../../../../domain/money.ts';
import { priceWithoutTax, priceWithTax } from '../../../../domain/price-with-tax.ts';
import {
  codigosOfTax,
  isMargen,
  isOrdinary,
  isOss,
  type Situacion,
  situacionDe,
} from '../../../../domain/situaciones.ts';
import {
  codigosOf,
  DISCOUNT_DECIMALS,
  isEmptyLine,
  PRICE_DECIMALS,
  QUANTITY_DECIMALS,
} from '../../../../domain/totals.ts';
import { firstTax, GENERAL_TAX } from '../../../../domain/usual-tax.ts';
import { findVatGroup, type VatGroup } from '../../../../domain/vat.ts';
import { percent } from '../../../lib/format.ts';
import type { DraftState } from './draft-state.ts';

/** A line as it is typed: texts stay as the user wrote them until the cell is left. */
export interface DraftLine {
  /** Key of the row in this form; it never leaves the browser. */
  readonly id: string;
  readonly description: string;
  readonly quantity: string;
  readonly price: string;
  readonly tax: string;
  readonly linetype: 0 | 1;
  readonly productNo?: string;
  readonly unit?: string;
  /** What it cost, taxes included, where the tax is on the margin. */
  readonly coste?: string;
  /** The percentage of the customer's own State (OSS). */
  readonly tipoDestino?: string;
  /** The percentage off the price. If any line has one, even empty, all lines show where to type it. */
  readonly discount?: string;
}

export type LineChange = Partial<Omit<DraftLine, 'id'>>;

export function emptyLine(id: string, tax: string = GENERAL_TAX): DraftLine {
  return { id, description: '', quantity: '1', price: '', tax, linetype: 0 };
}

export function writtenLines(lines: readonly DraftLine[]): DraftLine[] {
  return lines.filter((line) => !isEmptyLine(line));
}

/** How a decimal cell shows its value once it is left: `1.234,50`, or the same text when that is not a number. */
export function tidyPrice(text: string): string {
  return tidy(text, PRICE_DECIMALS, 2);
}

/**
 * The price of a product as a cell shows it; the product's own is without tax.
 *
 * @param taxBps what is added, where the prices of the lines include it: hundredths of a percent
 */
export function productPrice({ UnitPrice }: Producto, taxBps: bigint): string {
  const price = tidyPrice(String(UnitPrice).replace('.', ','));
  return taxBps === 0n ? price : repriced(price, (priceE6) => priceWithTax(priceE6, taxBps));
}

/** The line with its price converted to one without tax. */
export function pricedWithoutTax(line: DraftLine, taxBps: bigint): DraftLine {
  return { ...line, price: repriced(line.price, (priceE6) => priceWithoutTax(priceE6, taxBps)) };
}

/** A text that is not a number is left alone. */
function repriced(price: string, change: (priceE6: bigint) => bigint): string {
  const priceE6 = parseDecimal(price.trim() || 'x', PRICE_DECIMALS);
  return priceE6 === null ? price : decimalToEs(change(priceE6), PRICE_DECIMALS, 2);
}

export function tidyQuantity(text: string): string {
  return tidy(text, QUANTITY_DECIMALS, 0);
}

/** A discount, which may be typed with its sign: `5 %` → `5`. */
export function tidyDiscount(text: string): string {
  return tidy(withoutPercent(text), DISCOUNT_DECIMALS, 0);
}

export function withoutPercent(text: string): string {
  return text.replace(/\s*%\s*$/, '');
}

export function hasDiscounts(lines: readonly DraftLine[]): boolean {
  return lines.some(({ discount }) => discount !== undefined);
}

/** True if there are other lines that the discount of this one could be put in too. */
export function canShareDiscount(line: DraftLine, lines: readonly DraftLine[]): boolean {
  const { discount = '' } = line;
  return discount.trim() !== '' && writtenLines(lines).some((other) => other.discount !== discount);
}

/** Whether there is something to save as a product that is none yet. */
export function canBecomeProduct({ linetype, description }: DraftLine): boolean {
  return linetype === 0 && description.trim() !== '';
}

/**
 * The number as the contract wants it: decimal comma, no thousands separator. A text that is not a number is left
 * alone.
 */
export function contractDecimal(text: string, decimals: number): string {
  const value = parseDecimal(text, decimals);
  return value === null ? text.trim() : decimalToEs(value, decimals).replaceAll('.', '');
}

/** More than anybody would type: a text with as many is still a number, only too precise. */
const MANY_DECIMALS = 30;

/** True for invoices that may have negative quantities: those that replace an abono, which only the server knows. */
export function allowsNegative({
  type,
  tipoRectificativa,
}: Pick<DraftState, 'type' | 'tipoRectificativa'>): boolean {
  return type === 'abono' && tipoRectificativa === 'S';
}

/** The line as a refund: its quantity negative. */
export function turnedBack(line: DraftLine): DraftLine {
  return { ...line, quantity: isNegative(line) ? line.quantity : negated(line.quantity) };
}

/** The line as in an abono por diferencias: what comes back is positive. */
export function turnedUp(line: DraftLine): DraftLine {
  return { ...line, quantity: isNegative(line) ? negated(line.quantity) : line.quantity };
}

function isNegative({ quantity }: DraftLine): boolean {
  return (parseDecimal(quantity, QUANTITY_DECIMALS) ?? 0n) < 0n;
}

/** `2` → `-2`; an empty text, or one that is not a number, is left alone. */
function negated(quantity: string): string {
  const value = parseDecimal(quantity, QUANTITY_DECIMALS);
  return value === null || value === 0n ? quantity : decimalToEs(-value, QUANTITY_DECIMALS, 0);
}

/** What is wrong with a number as typed, or null. It may not be negative. */
export function decimalProblem(
  text: string,
  decimals: number,
  isNegativeAllowed = false,
): string | null {
  if (text.trim() === '') return null;
  const value = parseDecimal(text, decimals);
  if (value === null) {
    if (hasTooManyDigits(text)) {
      return `Escribe ${MAX_INTEGER_DIGITS} cifras como mucho antes de la coma.`;
    }
    const isPrecise = parseDecimal(text, MANY_DECIMALS) !== null;
    return isPrecise ? `Escribe ${decimals} decimales como mucho.` : 'Escribe un número.';
  }
  return value < 0n && !isNegativeAllowed ? 'Escribe un número que no sea negativo.' : null;
}

/** What is wrong with a discount as typed, or null. */
export function discountProblem(text: string): string | null {
  const percentage = withoutPercent(text);
  const value = parseDecimal(percentage, DISCOUNT_DECIMALS) ?? 0n;
  const isTooMuch = value > 100n * 10n ** BigInt(DISCOUNT_DECIMALS);
  return isTooMuch
    ? 'Escribe un porcentaje entre 0 y 100.'
    : decimalProblem(percentage, DISCOUNT_DECIMALS);
}

/**
 * Groups that a line of this client may have, in the order of the catalog. Rates that are no longer in force are
 * included only to rectify an invoice of their time: it keeps its rate, though that has changed (LIVA art. 90.Dos).
 */
export function taxOptions(
  groups: readonly VatGroup[],
  typeClient: string,
  { hasClosed }: { hasClosed: boolean } = { hasClosed: false },
): VatGroup[] {
  return groups.filter(
    (group) => group.VATBusPostingGroup === typeClient && (hasClosed || group.activo !== false),
  );
}

/**
 * The client's tax for a line that had another group's: the same one if it exists, else the first. A line without tax
 * stays without.
 */
export function taxForClient(groups: readonly VatGroup[], typeClient: string, tax: string): string {
  if (tax === '' || codigosOfTax(tax) || findVatGroup(groups, tax, typeClient)) return tax;
  return firstTax(groups, typeClient)?.VATProdPostingGroup ?? tax;
}

/** `21 %`, `21 % + 5,2 %`, `Exenta`, `No sujeta`, `ISP`: short enough for a narrow cell. */
export function shortTax(group: VatGroup | undefined, tax: string): string {
  if (!group) return tax;
  if (isMargen(group.verifactu)) return group.verifactu.ClaveRegimen === '03' ? 'REBU' : 'Viajes';
  if (isOss(group.verifactu)) return 'OSS';
  if (group.verifactu.OperacionExenta) return 'Exenta';
  const calificacion = group.verifactu.CalificacionOperacion;
  if (calificacion === 'N1' || calificacion === 'N2') return 'No sujeta';
  if (calificacion === 'S2') return 'ISP';
  const rate = percent(group.VATPercentage);
  return group.RecargoEquivalencia ? `${rate} + ${percent(group.RecargoEquivalencia)}` : rate;
}

/** The whole name of a tax that is not an ordinary rate, which its short name does not explain. */
export function rarerTaxName(group: VatGroup | undefined): string | undefined {
  if (!group) return undefined;
  return isOrdinary(group.verifactu) && group.VATPercentage > 0 ? undefined : group.Description;
}

/** Moves the line one place up (-1) or down (1); the empty one at the end stays at the end. */
export function moveLine(
  lines: readonly DraftLine[],
  id: string,
  step: -1 | 1,
): readonly DraftLine[] {
  const from = lines.findIndex((line) => line.id === id);
  const to = from + step;
  const last = lines.length - 1;
  const moved = lines[from];
  const other = lines[to];
  if (!moved || !other || to === last || from === last) return lines;
  return lines.map((line, index) => (index === from ? other : index === to ? moved : line));
}

export interface LineExtra {
  readonly field: 'coste' | 'tipoDestino';
  readonly label: string;
  readonly help: string;
  readonly placeholder: string;
}

const COSTE: LineExtra = {
  field: 'coste',
  label: 'Lo que te costó, con impuestos',
  help: 'Se tributa por la diferencia con el precio. No sale en la factura.',
  placeholder: '0,00',
};
const TIPO_DESTINO: LineExtra = {
  field: 'tipoDestino',
  label: 'IVA del país de tu cliente, %',
  help: 'Se suma al precio y se declara en la ventanilla única.',
  placeholder: '20',
};

/**
 * What a line's tax requires besides its price, if anything.
 *
 * @param claveRegimen the one chosen for the whole invoice, which may change what any line requires
 */
export function extraOf(group: VatGroup | undefined, claveRegimen: string): LineExtra | null {
  const codigos = group && codigosOf(group, claveRegimen);
  if (codigos && isMargen(codigos)) return COSTE;
  if (codigos && isOss(codigos)) return TIPO_DESTINO;
  return null;
}

/**
 * The line in another situation: with the tax that has the same rate, or else the company's usual one, or else the
 * situation's own.
 */
export function inSituation(
  line: DraftLine,
  situacion: Situacion,
  { groups, typeClient, tipoDestino }: SituationContext,
): DraftLine {
  const codes = situacion.codigos.map(({ tax }) => tax);
  const rate = findVatGroup(groups, line.tax, typeClient)?.VATPercentage;
  const sameRate = codes.find(
    (code) => findVatGroup(groups, code, typeClient)?.VATPercentage === rate,
  );
  const usual = codes.find((code) => findVatGroup(groups, code, typeClient)?.defecto) ?? codes[0];
  const tax = codes.includes(line.tax) ? line.tax : (sameRate ?? usual ?? line.tax);
  return {
    ...line,
    tax,
    ...(situacion.requiere.includes('tipo-destino') && {
      tipoDestino: line.tipoDestino || tipoDestino,
    }),
  };
}

export interface SituationContext {
  readonly groups: readonly VatGroup[];
  readonly typeClient: string;
  /** Proposed rate of the customer's country; empty when it is not known. */
  readonly tipoDestino: string;
}

/** The tax of a new line: the usual one, unless the line before has a special situation. */
export function nextTax(
  groups: readonly VatGroup[],
  typeClient: string,
  last: DraftLine | undefined,
): Pick<DraftLine, 'tax' | 'tipoDestino'> {
  const situacion = last && situacionDe(last.tax, typeClient);
  const isSpecial = last && (codigosOfTax(last.tax) || (situacion && !isOrdinary(situacion)));
  if (!isSpecial) return { tax: firstTax(groups, typeClient)?.VATProdPostingGroup ?? GENERAL_TAX };
  return { tax: last.tax, ...(last.tipoDestino && { tipoDestino: last.tipoDestino }) };
}

/**
 * The tax of a line after choosing a product: the product's own or, in a special situation, the one with the same rate
 * there. The line keeps its tax when neither applies. An exemption that the line merely started with does not count as
 * a special situation.
 */
export function taxWithProduct(
  groups: readonly VatGroup[],
  typeClient: string,
  tax: string,
  { VATProdPostingGroup: own = '' }: Producto,
): string {
  if (own === '' || codigosOfTax(tax)) return tax;
  const situacion = situacionDe(tax, typeClient);
  const begun = findVatGroup(groups, tax, typeClient);
  const isBegunExempt = begun?.defecto === true && begun.verifactu.OperacionExenta !== null;
  if (!situacion || isOrdinary(situacion) || isBegunExempt) {
    return findVatGroup(groups, own, typeClient) ? own : tax;
  }
  const rate = findVatGroup(groups, own, 'NAC')?.VATPercentage;
  const alike = situacion.codigos.find(
    (code) => findVatGroup(groups, code.tax, typeClient)?.VATPercentage === rate,
  );
  return alike?.tax ?? tax;
}

/** `varias` when the lines differ, `ninguna` while none has a tax, null for codes chosen by hand. */
export type CommonSituation = Situacion | 'varias' | 'ninguna' | null;

/** The situation of all the lines. */
export function commonSituation(lines: readonly DraftLine[], typeClient: string): CommonSituation {
  const written = writtenLines(lines);
  const counted = written.length > 0 ? written : lines.slice(-1);
  if (counted.length > 0 && counted.every(({ tax }) => tax === '')) return 'ninguna';
  const [first, ...others] = counted.map(({ tax }) => situacionDe(tax, typeClient) ?? null);
  if (first === undefined) return null;
  return others.every((other) => other === first) ? first : 'varias';
}

function tidy(text: string, decimals: number, minDecimals: number): string {
  if (text.trim() === '') return '';
  const value = parseDecimal(text, decimals);
  return value === null ? text : decimalToEs(value, decimals, minDecimals);
}
