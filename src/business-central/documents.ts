/** Converts their posted documents: into a draft, or the reasons why it has to wait. Pure. */

import { cut, lengthOf } from '../domain/cut.ts';
import { fechaEs } from '../domain/dates.ts';
import type { DraftInvoice } from '../domain/invoice.ts';
import { centsToEs, decimalToText, divRound, parseDecimal, withComma } from '../domain/money.ts';
import { computeTotals, type InvoiceItemInput, netCentsOf } from '../domain/totals.ts';
import type { VatGroup } from '../domain/vat.ts';
import { unitOf } from './parties.ts';
import { type BcDocument, type BcLine, fitsAsCode, LONG_CODE } from './shapes.ts';
import { fitsAsPercent, percentOf, type TaxKey, taxKeyText, taxWords } from './taxes.ts';

/** Our data with which a document is judged. */
export interface JudgeWith {
  /** Its client, or why it is not among ours. */
  readonly customer: { readonly No: string; readonly group: string } | { readonly problem: string };
  /** Our tax for each code, by `taxKeyText`. */
  readonly taxes: ReadonlyMap<string, string>;
  readonly vatGroups: readonly VatGroup[];
  readonly units: ReadonlySet<string>;
  /** Our code for one of their items. */
  readonly productNo: (number: string) => string | null;
  /** What a credit memo rectifies: our number, an invoice issued elsewhere, or why it is not known yet. */
  readonly original:
    | { readonly numero: string; readonly fecha?: string }
    | { readonly problem: string }
    | null;
}

export interface Judged {
  readonly draft: BcDraft | null;
  /** Why it waits; empty when there is a draft. */
  readonly reasons: readonly string[];
  readonly missing: readonly TaxKey[];
  /** Every code in it that fits here, mapped or not. */
  readonly keys: readonly TaxKey[];
}

export interface BcItemDraft extends InvoiceItemInput {
  readonly quantity: string;
  readonly price: string;
  readonly linetype: number;
}

/** The fields of the contract's draft that an import fills in. */
export interface BcDraft extends DraftInvoice {
  readonly invoiceNumber: string;
  readonly invoiceItems: BcItemDraft[];
  readonly notas: string;
}

const MAX_DESCRIPTION = 1000;
const MAX_NOTES = 2000;
const MAX_LINES = 1000;
/** Positions of F1 and of R1. */
const ORDINARY = 0;

export function judgeDocument(document: BcDocument, given: JudgeWith): Judged {
  const { customer, taxes, original } = given;
  const group = 'problem' in customer ? 'NAC' : customer.group;
  const sold = document.lines.filter((line) => !isComment(line));
  const allKeys = uniqueKeys(sold.map((line) => keyOf(line, group)));
  const keys = allKeys.filter(({ codigo, bps }) => fitsAsCode(codigo) && fitsAsPercent(bps));
  const missing = 'problem' in customer ? [] : keys.filter((key) => !taxes.has(taxKeyText(key)));
  const reasons = [
    ...('problem' in customer ? [customer.problem] : []),
    ...(document.currencyCode && document.currencyCode !== 'EUR'
      ? [`Está en ${document.currencyCode} y Huella factura en euros.`]
      : []),
    ...(sold.length === 0 ? ['No tiene ninguna línea con importe.'] : []),
    ...(document.lines.length > MAX_LINES ? [`Tiene más de ${MAX_LINES} líneas.`] : []),
    ...allKeys
      .filter(({ codigo }) => !fitsAsCode(codigo))
      .map(({ codigo }) => `El código de IVA «${codigo}» ${LONG_CODE}`),
    ...allKeys
      .filter(({ codigo, bps }) => fitsAsCode(codigo) && !fitsAsPercent(bps))
      .map((key) => `Ningún IVA de Huella corresponde a ${taxWords(key)}.`),
    ...missing.map((key) => `Falta decir a qué IVA de Huella corresponde ${taxWords(key)}.`),
    ...(original && 'problem' in original ? [original.problem] : []),
  ];
  if (reasons.length > 0 || 'problem' in customer) return { draft: null, reasons, missing, keys };

  const draft = draftOf(document, given, customer);
  const differences = compareTotals(document, draft, given.vatGroups);
  return differences.length > 0
    ? { draft: null, reasons: differences, missing, keys }
    : { draft, reasons: [], missing, keys };
}

function keyOf(line: BcLine, grupo: string): TaxKey {
  return { grupo, codigo: line.taxCode, bps: percentOf(line.taxPercent) };
}

function uniqueKeys(keys: readonly TaxKey[]): TaxKey[] {
  return [...new Map(keys.map((key) => [taxKeyText(key), key])).values()];
}

function isComment({ lineType, quantity, netAmount }: BcLine): boolean {
  return /^comment/i.test(lineType) || (quantity === 0 && netAmount === 0);
}

function draftOf(
  document: BcDocument,
  { taxes, units, productNo, original }: JudgeWith,
  customer: { readonly No: string; readonly group: string },
): BcDraft {
  const items: BcItemDraft[] = [];
  const opening: string[] = [];
  for (const line of document.lines) {
    const text = [line.description, line.description2].filter(Boolean).join(' ');
    const last = items.at(-1);
    if (!isComment(line)) {
      const tax = taxes.get(taxKeyText(keyOf(line, customer.group))) ?? '';
      items.push(itemOf(line, { text, tax, units, productNo }));
    } else if (text && last) {
      // A comment explains the line above it.
      items[items.length - 1] = {
        ...last,
        description: shortened(`${last.description}\n${text}`, MAX_DESCRIPTION),
      };
    } else if (text) {
      opening.push(text);
    }
  }
  const isCredit = document.kind === 'abono';
  const known = original && 'numero' in original ? original : null;
  return {
    type: document.kind,
    invoiceNumber: '',
    invoiceDate: document.issuedOn,
    invoiceType: ORDINARY,
    crmemoType: ORDINARY,
    invoiceClient: customer.No,
    typeClient: customer.group,
    isSimplificada: false,
    claveRegimen: '01',
    invoiceItems: items,
    invoiceToRectify: isCredit ? (known?.numero ?? '') : '',
    tipoRectificativa: 'I',
    ...(isCredit && known?.fecha ? { invoiceToRectifyDate: known.fecha } : {}),
    notas: shortened([...opening, originWords(document)].join('\n'), MAX_NOTES),
  };
}

/** The reference printed on the invoice, by which both sides can find each other's document. */
function originWords({ kind, number, externalNumber }: BcDocument): string {
  const what = kind === 'factura' ? 'Factura' : 'Abono';
  const theirs = externalNumber ? ` Su referencia: ${externalNumber}.` : '';
  return `${what} ${number} en Business Central.${theirs}`;
}

function itemOf(
  line: BcLine,
  {
    text,
    tax,
    units,
    productNo,
  }: {
    readonly text: string;
    readonly tax: string;
    readonly units: ReadonlySet<string>;
    readonly productNo: (number: string) => string | null;
  },
): BcItemDraft {
  const product = line.lineType.toLowerCase() === 'item' ? productNo(line.lineObjectNumber) : null;
  const unit = unitOf(line.unitOfMeasureCode, units);
  return {
    description: shortened(text || line.lineObjectNumber || 'Sin descripción', MAX_DESCRIPTION),
    ...amountsOf(line),
    tax,
    linetype: product ? 1 : 0,
    ...(product && { productNo: product }),
    ...(unit && { unit }),
  };
}

/** 10^4 of the quantity and 10^2 of the cents, divided to give the 10^6 of the price. */
const PRICE_SCALE = 10n ** 8n;

/**
 * Quantity, price and discount that give the net amount of the line exactly.
 *
 * Theirs, if they do. Otherwise (prices with tax, an invoice discount spread over the lines) the price is the amount
 * per unit and, when no price with six decimals works, the line becomes one of the whole amount.
 */
function amountsOf(line: BcLine): Pick<BcItemDraft, 'quantity' | 'price' | 'discount'> {
  const quantityE4 = parseDecimal(line.quantity, 4);
  const priceE6 = parseDecimal(line.unitPrice, 6);
  const discountBps = parseDecimal(line.discountPercent, 2);
  const netCents = parseDecimal(line.netAmount, 2);
  const net = netCents ?? 0n;
  if (quantityE4 !== null && quantityE4 !== 0n) {
    const quantity = withComma(decimalToText(quantityE4, 4));
    if (priceE6 !== null && discountBps !== null) {
      if (netCentsOf(quantityE4, priceE6, discountBps) === net) {
        return {
          quantity,
          price: withComma(decimalToText(priceE6, 6, 2)),
          ...(discountBps === 0n ? {} : { discount: withComma(decimalToText(discountBps, 2)) }),
        };
      }
    }
    const unitE6 = divRound(net * PRICE_SCALE, quantityE4);
    if (divRound(quantityE4 * unitE6, PRICE_SCALE) === net) {
      return { quantity, price: withComma(decimalToText(unitE6, 6, 2)) };
    }
  }
  const sign = net < 0n ? -1n : 1n;
  return { quantity: sign < 0n ? '-1' : '1', price: withComma(decimalToText(sign * net, 2, 2)) };
}

/** Compares base, tax and total with theirs, to the cent. */
function compareTotals(
  document: BcDocument,
  draft: BcDraft,
  groups: readonly VatGroup[],
): string[] {
  const totals = computeTotals({
    items: draft.invoiceItems,
    groups,
    typeClient: draft.typeClient,
    claveRegimen: draft.claveRegimen,
    // Both sides write a credit as what is given back.
    sign: 1n,
  });
  const pairs = [
    ['la base', document.base, totals.baseCents],
    ['el IVA', document.tax, totals.vatCents + totals.recargoCents],
    ['el total', document.total, totals.totalCents],
  ] as const;
  const different = pairs.filter(([, theirs, ours]) => parseDecimal(theirs, 2) !== ours);
  if (different.length === 0) return [];
  const words = different.map(([what, theirs, ours]) => {
    const cents = parseDecimal(theirs, 2);
    const amount = cents === null ? String(theirs) : centsToEs(cents);
    return `${what} es ${amount} € en Business Central y ${centsToEs(ours)} € en Huella`;
  });
  return [`Los importes no coinciden: ${words.join('; ')}.`];
}

/** Says that the AEAT already has it from another program. */
export function declaredWords({
  number,
  issuedOn,
}: Pick<BcDocument, 'number' | 'issuedOn'>): string {
  return `La AEAT ya tiene la factura ${number} del ${fechaEs(issuedOn)}, declarada con otro programa. No se importa, para no declararla dos veces.`;
}

function shortened(text: string, length: number): string {
  return lengthOf(text) > length ? `${cut(text, length - 1)}…` : text;
}
