import { divRound, parseDecimal } from './money.ts';
import { isMargen, isOss, isRegimenPerdido } from './situaciones.ts';
import {
  findVatGroup,
  recargoBps,
  type VatGroup,
  type VatGroupVerifactu,
  vatRateBps,
} from './vat.ts';

/** A line as in the form and the contract: numbers as text with a decimal comma, or as numbers. */
export interface InvoiceItemInput {
  readonly description: string;
  readonly quantity: string | number;
  readonly price: string | number;
  /** Discount on the line, per cent; empty is none. */
  readonly discount?: string | number | undefined;
  readonly tax: string;
  readonly productNo?: string | undefined;
  readonly unit?: string | undefined;
  /** Cost of the whole line, taxes included: the base is the margin (claves 03 and 05). */
  readonly coste?: string | number | undefined;
  /** Percentage of the customer's Member State (OSS, clave 17). */
  readonly tipoDestino?: string | number | undefined;
}

export interface ComputedLine {
  readonly description: string;
  /** Ten-thousandths of the unit, as typed: without the sign of an abono por diferencias. */
  readonly quantityE4: bigint;
  /** Millionths of a euro per unit. */
  readonly priceE6: bigint;
  readonly discountBps: bigint;
  readonly unit: string | undefined;
  readonly productNo: string | undefined;
  readonly tax: string;
  /** Without tax; for a line taxed on the margin, its price including tax. */
  readonly baseCents: bigint;
  /**
   * For display: base × (1 + %/100), to the cent. The legal total is computed per rate. With prices that include tax,
   * the amount of the line, and the total is the sum of these.
   */
  readonly totalCents: bigint;
  /** Total tax on the base in hundredths of a percent, including recargo or another State's tax (OSS). */
  readonly taxBps: bigint;
  /** Undefined when no group exists for the line's tax and the customer's kind: it cannot be issued. */
  readonly group: VatGroup | undefined;
  /** True when the tax is due on the margin and included in the price (REBU, travel agencies). */
  readonly isMargen: boolean;
  /** With the invoice's sign; zero when no margin is calculated. */
  readonly costeCents: bigint;
  /** Hundredths of a percent of another Member State's tax (OSS); zero otherwise. */
  readonly tipoDestinoBps: bigint;
}

/** Another Member State's tax, on what is declared through OSS. */
export interface IvaDestino {
  readonly tipoBps: bigint;
  readonly baseCents: bigint;
  readonly cuotaCents: bigint;
}

/** One `DetalleDesglose` of the registro. */
export interface Desglose {
  readonly Impuesto: string;
  readonly ClaveRegimen: string;
  readonly CalificacionOperacion: string | null;
  readonly OperacionExenta: string | null;
  /** Null when the law requires no rate (exempt, not subject). */
  readonly vatRateBps: bigint | null;
  readonly recargoBps: bigint | null;
  readonly baseCents: bigint;
  readonly quotaCents: bigint;
  readonly recargoCents: bigint;
  /** Mentions that the invoice must carry for its lines. */
  readonly leyendas: readonly string[];
}

export interface InvoiceTotals {
  readonly lines: readonly ComputedLine[];
  readonly desglose: readonly Desglose[];
  readonly baseCents: bigint;
  readonly vatCents: bigint;
  readonly recargoCents: bigint;
  /** Other Member States' taxes, highest rate first. */
  readonly ivaDestino: readonly IvaDestino[];
  /** Part of the price outside base and quota: the cost of what was resold under a margin scheme. */
  readonly fueraDeBaseCents: bigint;
  /**
   * The `ImporteTotal` of the registro: bases, VAT, recargo, other States' VAT and what is outside the base. Before
   * retention and suplidos.
   */
  readonly totalCents: bigint;
  readonly retencionCents: bigint;
  readonly suplidosCents: bigint;
  /** «Líquido a percibir»: the total minus retention plus suplidos. */
  readonly payableCents: bigint;
}

export interface TotalsInput {
  readonly items: readonly InvoiceItemInput[];
  readonly groups: readonly VatGroup[];
  /** The customer's group (VATBusPostingGroup). */
  readonly typeClient: string;
  /** The clave chosen on the invoice: unless it is the default `01`, it overrides each group's own. */
  readonly claveRegimen: string;
  /** `-1n` for an abono por diferencias: every amount is negative, the exact mirror of the invoice. */
  readonly sign: 1n | -1n;
  /** Prices include tax (decision 0261). */
  readonly ivaIncluido?: boolean | undefined;
  readonly retencionBps?: bigint | undefined;
  /** Paid in the customer's name and on their account, without sign: it gets that of the total. */
  readonly suplidosCents?: bigint | undefined;
}

export const QUANTITY_DECIMALS = 4;
/** Of lines and of products: numeric(18,6). */
export const PRICE_DECIMALS = 6;
export const DISCOUNT_DECIMALS = 2;

/** 10^4 of the quantity × 10^6 of the price × 10^4 of (1 − discount), over 10^2 of the cents. */
const LINE_SCALE = 10n ** 12n;

/**
 * Every amount of an invoice.
 *
 * Rounding: a line's base once; VAT and recargo once per group over its summed base, ties away from zero (decision
 * 0004), so an abono mirrors its invoice to the cent.
 * Shape: the desglose joins the lines that share Impuesto, ClaveRegimen, calificación or exención, rate and recargo:
 * highest rate first, then those without a rate.
 * Invalid quantities, prices or discounts count as zero here; the rules refuse them.
 * Margin schemes (claves 03 and 05): the base is the price minus the cost, minus the tax included, and never below
 * zero (Ley 37/1992 arts. 137 and 145); ImporteTotal is the whole price, which the AEAT does not check against the
 * desglose (validations 1.2.2, codes 2005 and 2006).
 * Prices that include tax: the sum of the lines is the total. Per group, the base is taken out of its sum once, and
 * the quota is the rest (decision 0261). Under a margin scheme the price includes the tax in any case.
 * OSS (clave 17): another State's tax is not `CuotaRepercutida`; it is part of the amount not subject, so that
 * ImporteTotal is what the customer pays and what the QR says.
 * Law: base, Ley 37/1992 art. 78; neither the retention nor the suplidos (art. 78.Tres.3.º) are part of ImporteTotal
 * (AEAT, FAQ 20).
 */
export function computeTotals(input: TotalsInput): InvoiceTotals {
  const asPriced = input.items.map((item) => computeLine(item, input));
  const lines = input.ivaIncluido ? withTaxTakenOut(asPriced, input.claveRegimen) : asPriced;
  const ivaDestino = ivaDestinoOf(lines, input);
  const desglose = desgloseOf(lines, ivaDestino, input);
  const margen = desglose.filter(isMargen);

  const onMargin = sum(lines, (line) => (line.isMargen ? line.baseCents : 0n));
  const plainBase = sum(lines, (line) => (line.isMargen ? 0n : line.baseCents));
  const baseCents = plainBase + sum(margen, (group) => group.baseCents);
  const vatCents = sum(desglose, (group) => group.quotaCents);
  const recargoCents = sum(desglose, (group) => group.recargoCents);
  const destinoCents = sum(ivaDestino, (group) => group.cuotaCents);
  const fueraDeBaseCents = onMargin - sum(margen, (group) => group.baseCents + group.quotaCents);
  const totalCents = baseCents + vatCents + recargoCents + destinoCents + fueraDeBaseCents;
  const retencionCents = divRound(baseCents * (input.retencionBps ?? 0n), 10_000n);
  const isBack = input.sign < 0n || totalCents < 0n;
  const suplidosCents = (isBack ? -1n : 1n) * (input.suplidosCents ?? 0n);
  return {
    lines,
    desglose,
    baseCents,
    vatCents,
    recargoCents,
    ivaDestino,
    fueraDeBaseCents,
    totalCents,
    retencionCents,
    suplidosCents,
    payableCents: totalCents - retencionCents + suplidosCents,
  };
}

/**
 * The amount of a line at its price: quantity × price − discount.
 *
 * Units: ten-thousandths of the unit, millionths of a euro, hundredths of a percent; the result is in cents.
 * Rounding: once, of the exact product, ties away from zero (decision 0004).
 */
export function netCentsOf(quantityE4: bigint, priceE6: bigint, discountBps: bigint): bigint {
  return divRound(quantityE4 * priceE6 * (10_000n - discountBps), LINE_SCALE);
}

/** True for a line that saving ignores: without a description or a price, valid or not. */
export function isEmptyLine({
  description,
  price,
}: Pick<InvoiceItemInput, 'description' | 'price'>): boolean {
  if (description.trim() !== '') return false;
  return String(price).trim() === '' || parseDecimal(price, PRICE_DECIMALS) === 0n;
}

/** Tax to be added to the price of a line that does not include it, in hundredths of a percent. */
export function taxBpsOf(item: InvoiceItemInput, context: LineContext): bigint {
  return computeLine(item, { ...context, sign: 1n }).taxBps;
}

type LineContext = Pick<TotalsInput, 'groups' | 'typeClient' | 'claveRegimen'>;

function computeLine(
  item: InvoiceItemInput,
  { groups, typeClient, sign, claveRegimen }: LineContext & Pick<TotalsInput, 'sign'>,
): ComputedLine {
  const quantityE4 = parseDecimal(item.quantity, QUANTITY_DECIMALS) ?? 0n;
  const priceE6 = parseDecimal(item.price, PRICE_DECIMALS) ?? 0n;
  const discountBps = parseDecimal(item.discount ?? 0, DISCOUNT_DECIMALS) ?? 0n;
  const baseCents = sign * netCentsOf(quantityE4, priceE6, discountBps);
  const group = findVatGroup(groups, item.tax, typeClient);
  const codigos = group && codigosOf(group, claveRegimen);
  const onMargin = codigos !== undefined && isMargen(codigos);
  const tipoDestinoBps =
    codigos && isOss(codigos) ? (parseDecimal(item.tipoDestino ?? 0, 2) ?? 0n) : 0n;
  const rateBps = group ? (vatRateBps(group) ?? 0n) + (recargoBps(group) ?? 0n) : 0n;
  const taxBps = onMargin ? 0n : rateBps + tipoDestinoBps;
  return {
    description: item.description,
    quantityE4,
    priceE6,
    discountBps,
    unit: item.unit,
    productNo: item.productNo,
    tax: item.tax,
    baseCents,
    totalCents: baseCents + divRound(baseCents * taxBps, 10_000n),
    taxBps,
    group,
    isMargen: onMargin,
    // A returned item had the same cost as when it was sold.
    costeCents: onMargin
      ? (quantityE4 < 0n ? -sign : sign) * (parseDecimal(item.coste ?? 0, 2) ?? 0n)
      : 0n,
    tipoDestinoBps,
  };
}

/**
 * Lines whose price includes tax: the amount is their total, from which their base is derived. The tax is taken out
 * of the running sum of their rate, and each line gets the increase, so that the bases add up to the group's.
 */
function withTaxTakenOut(lines: readonly ComputedLine[], claveRegimen: string): ComputedLine[] {
  const totalByRate = new Map<string, bigint>();
  return lines.map((line) => {
    const { group, tipoDestinoBps, taxBps, baseCents: totalCents } = line;
    const key = `${group && groupKey(group, claveRegimen)}|${tipoDestinoBps}`;
    const before = totalByRate.get(key) ?? 0n;
    const after = before + totalCents;
    totalByRate.set(key, after);
    return {
      ...line,
      totalCents,
      baseCents: withoutTax(after, taxBps) - withoutTax(before, taxBps),
    };
  });
}

/** `1000n` at 21 % → `826n`. */
function withoutTax(cents: bigint, taxBps: bigint): bigint {
  return divRound(cents * 10_000n, 10_000n + taxBps);
}

/** What the line adds to the base of its group; under a margin scheme, the margin still including tax. */
function taxedCents({ isMargen: onMargin, baseCents, costeCents }: ComputedLine): bigint {
  if (!onMargin) return baseCents;
  const margin = baseCents - costeCents;
  // A gift has a cost and no price: in an abono, only the cost shows that it is a return.
  const isBack = baseCents < 0n || costeCents < 0n;
  const isLoss = isBack ? margin > 0n : margin < 0n;
  return isLoss ? 0n : margin;
}

function ivaDestinoOf(
  lines: readonly ComputedLine[],
  { ivaIncluido }: Pick<TotalsInput, 'ivaIncluido'>,
): IvaDestino[] {
  const byRate = new Map<bigint, { baseCents: bigint; totalCents: bigint }>();
  for (const { tipoDestinoBps, baseCents, totalCents } of lines) {
    if (tipoDestinoBps === 0n) continue;
    const sums = byRate.get(tipoDestinoBps) ?? { baseCents: 0n, totalCents: 0n };
    sums.baseCents += baseCents;
    sums.totalCents += totalCents;
    byRate.set(tipoDestinoBps, sums);
  }
  return [...byRate]
    .map(([tipoBps, { baseCents, totalCents }]) => ({
      tipoBps,
      baseCents,
      cuotaCents: ivaIncluido ? totalCents - baseCents : divRound(baseCents * tipoBps, 10_000n),
    }))
    .sort((a, b) => Number(b.tipoBps - a.tipoBps));
}

/** The clave of the registro for a line: the invoice's own if one was chosen, otherwise the group's. */
export function claveRegimenOf(group: VatGroup, chosen: string): string {
  return chosen === '' || chosen === '01' ? group.verifactu.ClaveRegimen : chosen;
}

/** The codes of the registro for a line with that clave. */
export function codigosOf(group: VatGroup, chosen: string): VatGroupVerifactu {
  return { ...group.verifactu, ClaveRegimen: claveRegimenOf(group, chosen) };
}

/** Under a clave that takes away its regime, a line does not carry that regime's mention. */
function saysLeyenda({ verifactu }: VatGroup, chosen: string): boolean {
  const isOwn = chosen === '' || chosen === '01';
  return isOwn || !isRegimenPerdido(verifactu, chosen);
}

/** Lines with the same key share a line of the desglose. */
function groupKey(group: VatGroup, claveRegimen: string): string {
  const { Impuesto, CalificacionOperacion, OperacionExenta } = group.verifactu;
  return [
    Impuesto,
    claveRegimenOf(group, claveRegimen),
    CalificacionOperacion ?? OperacionExenta,
    vatRateBps(group),
    recargoBps(group),
  ].join('|');
}

/** The sums of the lines of one group. */
interface GroupSums {
  readonly sample: VatGroup;
  baseCents: bigint;
  totalCents: bigint;
  readonly leyendas: string[];
}

function desgloseOf(
  lines: readonly ComputedLine[],
  ivaDestino: readonly IvaDestino[],
  input: Pick<TotalsInput, 'claveRegimen' | 'ivaIncluido'>,
): Desglose[] {
  const byKey = new Map<string, GroupSums>();
  const add = (group: VatGroup, baseCents: bigint, totalCents: bigint) => {
    const key = groupKey(group, input.claveRegimen);
    const found = byKey.get(key) ?? { sample: group, baseCents: 0n, totalCents: 0n, leyendas: [] };
    found.baseCents += baseCents;
    found.totalCents += totalCents;
    // Two exemptions with the same code are one line of the registro and two mentions.
    const { leyenda } = group;
    if (leyenda && saysLeyenda(group, input.claveRegimen) && !found.leyendas.includes(leyenda)) {
      found.leyendas.push(leyenda);
    }
    byKey.set(key, found);
  };
  for (const line of lines) if (line.group) add(line.group, taxedCents(line), line.totalCents);
  const oss = lines.find(({ tipoDestinoBps }) => tipoDestinoBps > 0n)?.group;
  // Already included in the total of the lines.
  if (oss) for (const { cuotaCents } of ivaDestino) add(oss, cuotaCents, 0n);
  return [...byKey.values()].map((sums) => detalle(sums, input)).sort(byRateDown);
}

function detalle(
  { sample: group, baseCents: amountCents, totalCents, leyendas }: GroupSums,
  { claveRegimen, ivaIncluido }: Pick<TotalsInput, 'claveRegimen' | 'ivaIncluido'>,
): Desglose {
  const rate = vatRateBps(group);
  const recargo = recargoBps(group);
  const codigos = codigosOf(group, claveRegimen);
  if (isMargen(codigos)) {
    const baseCents = withoutTax(amountCents, rate ?? 0n);
    return {
      vatRateBps: rate,
      recargoBps: null,
      baseCents,
      quotaCents: amountCents - baseCents,
      recargoCents: 0n,
      leyendas,
      ...codigos,
    };
  }
  const baseCents = amountCents;
  const recargoCents = divRound(baseCents * (recargo ?? 0n), 10_000n);
  return {
    vatRateBps: rate,
    recargoBps: recargo,
    baseCents,
    quotaCents: ivaIncluido
      ? totalCents - baseCents - recargoCents
      : divRound(baseCents * (rate ?? 0n), 10_000n),
    recargoCents,
    leyendas,
    ...codigos,
  };
}

function byRateDown(a: Desglose, b: Desglose): number {
  const rates = Number((b.vatRateBps ?? -1n) - (a.vatRateBps ?? -1n));
  return rates !== 0 ? rates : Number((b.recargoBps ?? -1n) - (a.recargoBps ?? -1n));
}

function sum<T>(items: readonly T[], amount: (item: T) => bigint): bigint {
  return items.reduce((total, item) => total + amount(item), 0n);
}
