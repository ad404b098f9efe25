import type { Producto } from '../../../../contract/parties.ts';
import { decimalToEs, parseDecimal } from '../../../../domain/money.ts';
import { priceWithoutTax, priceWithTax } from '../../../../domain/price-with-tax.ts';
import {
  codigosOfTax,
  isMargen,
  isOss,
  type Situacion,
  situacionDe,
} from '../../../../domain/situaciones.ts';
import {
  codigosOf,
  isEmptyLine,
  PRICE_DECIMALS,
  QUANTITY_DECIMALS,
} from '../../../../domain/totals.ts';
import { firstTax, GENERAL_TAX } from '../../../../domain/usual-tax.ts';
import { findVatGroup, type VatGroup } from '../../../../domain/vat.ts';
import { percent } from '../../../lib/format.ts';
import type { DraftState } from './draft-state.ts';

/** A line as it is typed: texts stay as the person wrote them until the cell is left. */
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
  /** Per cent of the customer's own State (OSS). */
  readonly tipoDestino?: string;
  /** Per cent off the price, where it came with one: from a file, or from another program. */
  readonly discount?: string;
}

export type LineChange = Partial<Omit<DraftLine, 'id'>>;

export function emptyLine(id: string, tax: string = GENERAL_TAX): DraftLine {
  return { id, description: '', quantity: '1', price: '', tax, linetype: 0 };
}

export function writtenLines(lines: readonly DraftLine[]): DraftLine[] {
  return lines.filter((line) => !isEmptyLine(line));
}

/** What a decimal cell shows once it is left: `1.234,50`, or the same text when it is no number. */
export function tidyPrice(text: string): string {
  return tidy(text, PRICE_DECIMALS, 2);
}

/**
 * The price of a product as a cell shows it, which is without tax.
 *
 * @param taxBps what is put in, where the prices of the lines have it: hundredths of a percent
 */
export function productPrice({ UnitPrice }: Producto, taxBps: bigint): string {
  const price = tidyPrice(String(UnitPrice).replace('.', ','));
  return taxBps === 0n ? price : repriced(price, (priceE6) => priceWithTax(priceE6, taxBps));
}

/** The line at its price with the tax taken out. */
export function pricedWithoutTax(line: DraftLine, taxBps: bigint): DraftLine {
  return { ...line, price: repriced(line.price, (priceE6) => priceWithoutTax(priceE6, taxBps)) };
}

/** What is no number stays as it is. */
function repriced(price: string, change: (priceE6: bigint) => bigint): string {
  const priceE6 = parseDecimal(price.trim() || 'x', PRICE_DECIMALS);
  return priceE6 === null ? price : decimalToEs(change(priceE6), PRICE_DECIMALS, 2);
}

export function tidyQuantity(text: string): string {
  return tidy(text, QUANTITY_DECIMALS, 0);
}

/** The number as the contract wants it: decimal comma, no thousands point; the text if it is none. */
export function contractDecimal(text: string, decimals: number): string {
  const value = parseDecimal(text, decimals);
  return value === null ? text.trim() : decimalToEs(value, decimals, 0).replaceAll('.', '');
}

/** As many as anybody could type: what has them is a number, only too fine. */
const MANY_DECIMALS = 30;

/** True for what may have negative quantities: what replaces an abono, which only the server knows. */
export function allowsNegative({
  type,
  tipoRectificativa,
}: Pick<DraftState, 'type' | 'tipoRectificativa'>): boolean {
  return type === 'abono' && tipoRectificativa === 'S';
}

/** The line as what it gives back says it: the quantity, negative. */
export function turnedBack(line: DraftLine): DraftLine {
  return { ...line, quantity: isNegative(line) ? line.quantity : negated(line.quantity) };
}

/** The line as an abono por diferencias says it: what comes back, positive. */
export function turnedUp(line: DraftLine): DraftLine {
  return { ...line, quantity: isNegative(line) ? negated(line.quantity) : line.quantity };
}

function isNegative({ quantity }: DraftLine): boolean {
  return (parseDecimal(quantity, QUANTITY_DECIMALS) ?? 0n) < 0n;
}

/** `2` → `-2`; what is no number, or nothing, stays. */
function negated(quantity: string): string {
  const value = parseDecimal(quantity, QUANTITY_DECIMALS);
  return value === null || value === 0n ? quantity : decimalToEs(-value, QUANTITY_DECIMALS, 0);
}

/** What is wrong with a number as typed, or null. It may not be below 0. */
export function decimalProblem(
  text: string,
  decimals: number,
  isNegativeAllowed = false,
): string | null {
  if (text.trim() === '') return null;
  const value = parseDecimal(text, decimals);
  if (value === null) {
    const isPrecise = parseDecimal(text, MANY_DECIMALS) !== null;
    return isPrecise ? `Escribe ${decimals} decimales como mucho.` : 'Escribe un número.';
  }
  return value < 0n && !isNegativeAllowed ? 'Escribe un número que no sea negativo.' : null;
}

/**
 * Groups a line of this client may take, in the order of the catalog. Rates that are closed only to
 * rectify an invoice of when they were not: the same rate, though it has changed (LIVA art. 90.Dos).
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

/** The client's tax for a line that had another group's: the same if there is one, else its first; none stays none. */
export function taxForClient(groups: readonly VatGroup[], typeClient: string, tax: string): string {
  if (tax === '' || codigosOfTax(tax) || findVatGroup(groups, tax, typeClient)) return tax;
  return firstTax(groups, typeClient)?.VATProdPostingGroup ?? tax;
}

/** `21 %`, `21 % + 5,2 %`, `Exenta`, `No sujeta`, `Inv. suj. pasivo`: what fits in a narrow cell. */
export function shortTax(group: VatGroup | undefined, tax: string): string {
  if (!group) return tax;
  if (isMargen(group.verifactu)) return group.verifactu.ClaveRegimen === '03' ? 'REBU' : 'Viajes';
  if (isOss(group.verifactu)) return 'OSS';
  if (group.verifactu.OperacionExenta) return 'Exenta';
  const calificacion = group.verifactu.CalificacionOperacion;
  if (calificacion === 'N1' || calificacion === 'N2') return 'No sujeta';
  if (calificacion === 'S2') return 'Inv. s. p.';
  const rate = percent(group.VATPercentage);
  return group.RecargoEquivalencia ? `${rate} + ${percent(group.RecargoEquivalencia)}` : rate;
}

/** Puts the line one place up (-1) or down (1); the empty one at the end stays at the end. */
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
  readonly field: 'coste' | 'tipoDestino' | 'discount';
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

const DISCOUNT: LineExtra = {
  field: 'discount',
  label: 'Descuento, %',
  help: 'Se resta del precio.',
  placeholder: '0',
};

/**
 * What a line's tax asks for besides its price, if anything, or else the discount that it came with.
 *
 * @param claveRegimen the one chosen for the whole invoice, which may make its own of any line
 */
export function extraOf(
  group: VatGroup | undefined,
  line: DraftLine,
  claveRegimen: string,
): LineExtra | null {
  const codigos = group && codigosOf(group, claveRegimen);
  if (codigos && isMargen(codigos)) return COSTE;
  if (codigos && isOss(codigos)) return TIPO_DESTINO;
  return line.discount === undefined ? null : DISCOUNT;
}

/** A line as its situation makes it: the one of the same rate that it had, or else the company's usual or its own. */
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
  /** Rate of the customer's country, as a proposal; empty when it is not known. */
  readonly tipoDestino: string;
}

/** The tax of a new line: the usual one, unless the line before is of a situation of its own. */
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
 * The tax of a product in a line that has another: its own or, in a situation of its own, the one of the same rate
 * there. What the line has stays when neither says it. An exemption that the line only began with is no such situation.
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

/** The situations that a new line is in without anybody saying so. */
function isOrdinary({ ClaveRegimen, CalificacionOperacion }: Situacion): boolean {
  return ClaveRegimen === '01' && CalificacionOperacion === 'S1';
}

/** What all the lines are in; `varias` when they are not in the same, null for codes by hand. */
export function commonSituation(
  lines: readonly DraftLine[],
  typeClient: string,
): Situacion | 'varias' | null {
  const counted = writtenLines(lines);
  const [first, ...others] = (counted.length > 0 ? counted : lines.slice(-1)).map(
    ({ tax }) => situacionDe(tax, typeClient) ?? null,
  );
  if (first === undefined) return null;
  return others.every((other) => other === first) ? first : 'varias';
}

function tidy(text: string, decimals: number, minDecimals: number): string {
  if (text.trim() === '') return '';
  const value = parseDecimal(text, decimals);
  return value === null ? text : decimalToEs(value, decimals, minDecimals);
}
