import { divRound, parseDecimal } from './money.ts';
import { findVatGroup, recargoBps, type VatGroup, vatRateBps } from './vat.ts';

/** A line as the form and the contract carry it: numbers as text with decimal comma, or numbers. */
export interface InvoiceItemInput {
  readonly description: string;
  readonly quantity: string | number;
  readonly price: string | number;
  /** Per cent taken off the line; empty is none. */
  readonly discount?: string | number | undefined;
  readonly tax: string;
  readonly productNo?: string | undefined;
  readonly unit?: string | undefined;
}

export interface ComputedLine {
  readonly description: string;
  /** Ten-thousandths of the unit, as typed: never carries the sign of an abono. */
  readonly quantityE4: bigint;
  /** Millionths of a euro per unit. */
  readonly priceE6: bigint;
  readonly discountBps: bigint;
  readonly unit: string | undefined;
  readonly productNo: string | undefined;
  readonly tax: string;
  readonly baseCents: bigint;
  /** For the eye: base × (1 + %/100), to the cent. The legal total is made per rate. */
  readonly totalCents: bigint;
  /** Undefined when no group pairs the line's tax with the customer's kind: it may not be issued. */
  readonly group: VatGroup | undefined;
}

/** One `DetalleDesglose` of the registro. */
export interface Desglose {
  readonly Impuesto: string;
  readonly ClaveRegimen: string;
  readonly CalificacionOperacion: string | null;
  readonly OperacionExenta: string | null;
  /** Null where the law wants no rate (exempt, not subject). */
  readonly vatRateBps: bigint | null;
  readonly recargoBps: bigint | null;
  readonly baseCents: bigint;
  readonly quotaCents: bigint;
  readonly recargoCents: bigint;
  readonly leyenda: string | null;
}

export interface InvoiceTotals {
  readonly lines: readonly ComputedLine[];
  readonly desglose: readonly Desglose[];
  readonly baseCents: bigint;
  readonly vatCents: bigint;
  readonly recargoCents: bigint;
  /** Bases + VAT + recargo: the `ImporteTotal` of the registro, retention not taken off. */
  readonly totalCents: bigint;
  readonly retencionCents: bigint;
  /** «Líquido a percibir»: the total less the retention. */
  readonly payableCents: bigint;
}

export interface TotalsInput {
  readonly items: readonly InvoiceItemInput[];
  readonly groups: readonly VatGroup[];
  /** The customer's group (VATBusPostingGroup). */
  readonly typeClient: string;
  /** The key chosen on the invoice: unless it is the default `01`, it wins over each group's own. */
  readonly claveRegimen: string;
  /** `-1n` for an abono por diferencias: everything comes out negative, to the cent the mirror. */
  readonly sign: 1n | -1n;
  readonly retencionBps?: bigint | undefined;
}

export const QUANTITY_DECIMALS = 4;
export const PRICE_DECIMALS = 6;
export const DISCOUNT_DECIMALS = 2;

/** 10^4 of the quantity × 10^6 of the price × 10^4 of (1 − discount), over 10^2 of the cents. */
const LINE_SCALE = 10n ** 12n;

/**
 * Every amount of an invoice.
 *
 * Rounding: a line's base once; the VAT and the recargo once per group over its summed base, ties
 *   away from zero (docs/decisions: rounding), so an abono mirrors its invoice to the cent.
 * Shape: the desglose joins the lines that share Impuesto, ClaveRegimen, calificación or exención,
 *   rate and recargo: highest rate first, then what carries no rate.
 * A quantity, price or discount that is no number counts as zero here and is refused by the rules.
 * Law: base, Ley 37/1992 art. 78; the retention is no part of ImporteTotal (AEAT, FAQ 20).
 */
export function computeTotals(input: TotalsInput): InvoiceTotals {
  const lines = input.items.map((item) => computeLine(item, input));
  const desglose = desgloseOf(lines, input.claveRegimen);

  const baseCents = sum(lines, (line) => line.baseCents);
  const vatCents = sum(desglose, (group) => group.quotaCents);
  const recargoCents = sum(desglose, (group) => group.recargoCents);
  const totalCents = baseCents + vatCents + recargoCents;
  const retencionCents = divRound(baseCents * (input.retencionBps ?? 0n), 10_000n);
  return {
    lines,
    desglose,
    baseCents,
    vatCents,
    recargoCents,
    totalCents,
    retencionCents,
    payableCents: totalCents - retencionCents,
  };
}

function computeLine(
  item: InvoiceItemInput,
  { groups, typeClient, sign }: TotalsInput,
): ComputedLine {
  const quantityE4 = parseDecimal(item.quantity, QUANTITY_DECIMALS) ?? 0n;
  const priceE6 = parseDecimal(item.price, PRICE_DECIMALS) ?? 0n;
  const discountBps = parseDecimal(item.discount ?? 0, DISCOUNT_DECIMALS) ?? 0n;
  const baseCents = sign * divRound(quantityE4 * priceE6 * (10_000n - discountBps), LINE_SCALE);
  const group = findVatGroup(groups, item.tax, typeClient);
  const addedBps = group ? (vatRateBps(group) ?? 0n) + (recargoBps(group) ?? 0n) : 0n;
  return {
    description: item.description,
    quantityE4,
    priceE6,
    discountBps,
    unit: item.unit,
    productNo: item.productNo,
    tax: item.tax,
    baseCents,
    totalCents: baseCents + divRound(baseCents * addedBps, 10_000n),
    group,
  };
}

/** The key of the registro for a line: the invoice's own when it was chosen, else the group's. */
export function claveRegimenOf(group: VatGroup, chosen: string): string {
  return chosen === '' || chosen === '01' ? group.verifactu.ClaveRegimen : chosen;
}

function desgloseOf(lines: readonly ComputedLine[], claveRegimen: string): Desglose[] {
  const byKey = new Map<string, { sample: VatGroup; baseCents: bigint }>();
  for (const { group, baseCents } of lines) {
    if (!group) continue;
    const { verifactu } = group;
    const key = [
      verifactu.Impuesto,
      claveRegimenOf(group, claveRegimen),
      verifactu.CalificacionOperacion ?? verifactu.OperacionExenta,
      vatRateBps(group),
      recargoBps(group),
    ].join('|');
    const found = byKey.get(key);
    if (found) found.baseCents += baseCents;
    else byKey.set(key, { sample: group, baseCents });
  }
  return [...byKey.values()]
    .map(({ sample, baseCents }) => detalle(sample, baseCents, claveRegimen))
    .sort(byRateDown);
}

function detalle(group: VatGroup, baseCents: bigint, claveRegimen: string): Desglose {
  const rate = vatRateBps(group);
  const recargo = recargoBps(group);
  return {
    Impuesto: group.verifactu.Impuesto,
    ClaveRegimen: claveRegimenOf(group, claveRegimen),
    CalificacionOperacion: group.verifactu.CalificacionOperacion,
    OperacionExenta: group.verifactu.OperacionExenta,
    vatRateBps: rate,
    recargoBps: recargo,
    baseCents,
    quotaCents: divRound(baseCents * (rate ?? 0n), 10_000n),
    recargoCents: divRound(baseCents * (recargo ?? 0n), 10_000n),
    leyenda: group.leyenda,
  };
}

function byRateDown(a: Desglose, b: Desglose): number {
  const rates = Number((b.vatRateBps ?? -1n) - (a.vatRateBps ?? -1n));
  return rates !== 0 ? rates : Number((b.recargoBps ?? -1n) - (a.recargoBps ?? -1n));
}

function sum<T>(items: readonly T[], amount: (item: T) => bigint): bigint {
  return items.reduce((total, item) => total + amount(item), 0n);
}
