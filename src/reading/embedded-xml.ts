import { SaxesParser } from 'saxes';
import { isIsoDate } from '../domain/dates.ts';
import { decimalToText, divRound, parsePlainDecimal } from '../domain/money.ts';
import { checkNif } from '../domain/nif.ts';
import { foreignNifIva } from '../domain/nif-iva.ts';
import {
  DISCOUNT_DECIMALS,
  netCentsOf,
  PRICE_DECIMALS,
  QUANTITY_DECIMALS,
} from '../domain/totals.ts';
import type { Campo, Campos, Linea, Reading, Tramo } from './shapes.ts';

/** An element. Its name has no namespace prefix. */
interface Node {
  readonly name: string;
  readonly children: Node[];
  text: string;
}

const MAX_NODES = 200_000;

/** An invoice in Facturae, UBL or CII (Factur-X, ZUGFeRD, XRechnung); null when it is none of them. */
export function readEmbeddedXml(content: Uint8Array): Reading | null {
  const root = parse(content);
  switch (root?.name) {
    case 'Facturae':
      return facturae(root);
    case 'Invoice':
    case 'CreditNote':
      return ubl(root);
    case 'CrossIndustryInvoice':
      return cii(root);
    default:
      return null;
  }
}

/** Null for anything that is not XML, or declares a document type: entities are never expanded. */
function parse(content: Uint8Array): Node | null {
  const parser = new SaxesParser();
  const top: Node = { name: '', children: [], text: '' };
  const open: Node[] = [top];
  let count = 0;
  let isBad = false;
  parser.on('doctype', () => {
    isBad = true;
  });
  parser.on('error', () => {
    isBad = true;
  });
  parser.on('opentag', ({ name }) => {
    count += 1;
    if (count > MAX_NODES) isBad = true;
    const node: Node = { name: name.replace(/^.*:/, ''), children: [], text: '' };
    if (!isBad) open.at(-1)?.children.push(node);
    open.push(node);
  });
  parser.on('text', (text) => {
    const node = open.at(-1);
    if (node) node.text += text;
  });
  parser.on('closetag', () => {
    open.pop();
  });
  parser.write(new TextDecoder().decode(content)).close();
  return isBad ? null : (top.children[0] ?? null);
}

function all(node: Node | undefined, path: string): Node[] {
  let found = node ? [node] : [];
  for (const name of path.split('/')) {
    found = found.flatMap(({ children }) => children.filter((child) => child.name === name));
  }
  return found;
}

const one = (node: Node | undefined, path: string): Node | undefined => all(node, path)[0];
const textAt = (node: Node | undefined, path: string): string =>
  (one(node, path)?.text ?? '').replace(/\s+/g, ' ').trim();

/** Amounts may have up to eight decimals. Rounded to the cent, ties away from zero. */
function cents(text: string): bigint | null {
  const value = parsePlainDecimal(text, 8);
  return value === null ? null : divRound(value, 1_000_000n);
}

const bps = (text: string): bigint => (parsePlainDecimal(text, 4) ?? 0n) / 100n;

/** Categories of EN 16931 (BT-118, BT-151) that have a rate. The others may leave it out. */
const RATED = new Set(['S', 'B', 'L', 'M', '']);
const rateOf = (percent: string, category: string): string =>
  percent || (RATED.has(category) ? '' : '0');

/** IGIC and IPSI have categories of their own. */
function impuestoOf(categories: readonly string[]): Reading['impuesto'] {
  if (categories.includes('L')) return 'IGIC';
  return categories.includes('M') ? 'IPSI' : 'IVA';
}

interface Given {
  readonly numero: string;
  readonly fecha: string;
  readonly nifEmisor: string;
  readonly nombreEmisor: string;
  readonly nifCliente: string;
  readonly nombreCliente: string;
  readonly direccionCliente: string;
  readonly retencion: bigint;
  readonly retencionBps: bigint;
  readonly total: bigint | null;
  readonly tramos: readonly Tramo[];
  readonly lineas: readonly Linea[];
  readonly esRectificativa: boolean;
  readonly impuesto: Reading['impuesto'];
}

/** A NIF, or the NIF-IVA of another country, as we keep it. */
function nifIn(text: string): string | null {
  const check = checkNif(text);
  return check.ok ? check.nif : (foreignNifIva(text)?.nifIva ?? null);
}

function readingOf(given: Given): Reading {
  const campo = <T>(valor: T): Campo<T> => ({ valor, confianza: 0.99, origen: 'xml' });
  const text = (valor: string) => (valor ? campo(valor) : null);
  const nif = (text: string) => {
    const valor = nifIn(text);
    return valor === null ? null : campo(valor);
  };
  const base = given.tramos.reduce((sum, { baseCents }) => sum + baseCents, 0n);
  const quota = given.tramos.reduce((sum, { quotaCents }) => sum + quotaCents, 0n);
  const recargo = given.tramos.reduce((sum, { recargoCents }) => sum + recargoCents, 0n);
  const campos = {
    numero: text(given.numero),
    fecha: isIsoDate(given.fecha) ? campo(given.fecha) : null,
    nifEmisor: nif(given.nifEmisor),
    nombreEmisor: text(given.nombreEmisor),
    nifCliente: nif(given.nifCliente),
    nombreCliente: text(given.nombreCliente),
    direccionCliente: text(given.direccionCliente),
    baseImponible: given.tramos.length > 0 ? campo(base) : null,
    cuotaIVA: given.tramos.length > 0 ? campo(quota) : null,
    retencion: given.retencion === 0n ? null : campo(given.retencion),
    total: given.total === null ? null : campo(given.total),
  };
  const off = given.total === null ? 100n : base + quota + recargo - given.total;
  return {
    campos: Object.fromEntries(
      Object.entries(campos).filter(([, value]) => value !== null),
    ) as Campos,
    lineas: given.lineas,
    tramos: given.tramos,
    retencionBps: given.retencionBps,
    esRectificativa: given.esRectificativa,
    impuesto: given.impuesto,
    cuadra: off <= 2n && off >= -2n,
  };
}

/** Formatted as on an envelope. The province is added if its name differs from the town's. */
function addressOf(address: Node | undefined, names: readonly string[]): string {
  const [street, code, town, province] = names.map((name) => textAt(address, name));
  const place = [code, town].filter(Boolean).join(' ');
  return [street, place, province === town ? '' : province].filter(Boolean).join(', ');
}

/** A line as its format states it: decimal texts, empty for what it leaves out. */
interface GivenLine {
  readonly description: string;
  readonly quantity: string;
  readonly price: string;
  /** How many units the price covers. */
  readonly per?: string;
  readonly total: string;
  readonly rate: string;
  /** The percentage of each discount of the line. A discount given only as an amount is an empty text. */
  readonly discounts?: readonly string[];
}

/** Confidence in a line whose figures do not produce its total: somebody should look at it. */
const AS_ONE = 0.75;

function lineOf(given: GivenLine): Linea[] {
  const totalCents = cents(given.total);
  if (totalCents === null) return [];
  const figures = figuresOf(given, totalCents);
  return [
    {
      description: given.description,
      ...(figures ?? oneOf(totalCents)),
      totalCents,
      rateBps: given.rate ? bps(given.rate) : null,
      addsUp: true,
      confianza: figures ? 0.99 : AS_ONE,
      origen: 'xml',
    },
  ];
}

type Figures = Pick<Linea, 'quantity' | 'price' | 'discount'>;

/** The quantity, unit price and discount that produce the total in a draft, to the cent; null when none do. */
function figuresOf(given: GivenLine, totalCents: bigint): Figures | null {
  const { per, discounts = [] } = given;
  const quantity = given.quantity || '1';
  const price = per ? divided(given.price, per) : given.price;
  const [quantityE4, priceE6] = [
    parsePlainDecimal(quantity, QUANTITY_DECIMALS),
    parsePlainDecimal(price, PRICE_DECIMALS),
  ];
  if (quantityE4 === null || priceE6 === null) return null;
  const makes = (bpsOff: bigint) => netCentsOf(quantityE4, priceE6, bpsOff) === totalCents;
  if (makes(0n)) return { quantity, price };
  if (discounts.length === 0) return null;
  const grossCents = netCentsOf(quantityE4, priceE6, 0n);
  const told = discounts.flatMap((text) => parsePlainDecimal(text, DISCOUNT_DECIMALS) ?? []);
  // For several discounts on a line, or discounts given as amounts: the percentage that they make together.
  const found = [...told, partOf(grossCents - totalCents, grossCents)].find(
    (off) => off !== null && off > 0n && off <= 10_000n && makes(off),
  );
  if (!found) return null;
  return { quantity, price, discount: decimalToText(found, DISCOUNT_DECIMALS) };
}

/** One unit at the line's total. A price is never negative. */
function oneOf(totalCents: bigint): Figures {
  const isNegative = totalCents < 0n;
  const price = decimalToText(isNegative ? -totalCents : totalCents, 2);
  return { quantity: isNegative ? '-1' : '1', price };
}

/** `('50', '100')` → `'0.5'`; empty when the result needs more decimals than a price has. */
function divided(price: string, per: string): string {
  const [priceE6, perE4] = [
    parsePlainDecimal(price, PRICE_DECIMALS),
    parsePlainDecimal(per, QUANTITY_DECIMALS),
  ];
  if (priceE6 === null || perE4 === null || perE4 <= 0n) return '';
  const scaled = priceE6 * 10n ** BigInt(QUANTITY_DECIMALS);
  return scaled % perE4 === 0n ? decimalToText(scaled / perE4, PRICE_DECIMALS) : '';
}

/** What share of the whole a part is, in hundredths of a percent, rounded to the nearest. */
function partOf(part: bigint, whole: bigint): bigint | null {
  return whole === 0n ? null : divRound(part * 10_000n, whole);
}

function facturae(root: Node): Reading {
  const [seller, buyer] = [one(root, 'Parties/SellerParty'), one(root, 'Parties/BuyerParty')];
  const invoice = one(root, 'Invoices/Invoice');
  const nameOf = (party: Node | undefined) =>
    textAt(party, 'LegalEntity/CorporateName') ||
    ['Name', 'FirstSurname', 'SecondSurname']
      .map((name) => textAt(party, `Individual/${name}`))
      .filter(Boolean)
      .join(' ');
  const address =
    one(buyer, 'LegalEntity/AddressInSpain') ?? one(buyer, 'Individual/AddressInSpain');
  const taxes = all(invoice, 'TaxesOutputs/Tax');
  const withheld = one(invoice, 'TaxesWithheld/Tax');
  const code = textAt(taxes[0], 'TaxTypeCode');
  const gross = cents(textAt(invoice, 'InvoiceTotals/TotalGrossAmountBeforeTaxes'));
  const outputs = cents(textAt(invoice, 'InvoiceTotals/TotalTaxOutputs'));
  return readingOf({
    numero: ['InvoiceSeriesCode', 'InvoiceNumber']
      .map((name) => textAt(invoice, `InvoiceHeader/${name}`))
      .join(''),
    fecha: textAt(invoice, 'InvoiceIssueData/IssueDate'),
    nifEmisor: textAt(seller, 'TaxIdentification/TaxIdentificationNumber'),
    nombreEmisor: nameOf(seller),
    nifCliente: textAt(buyer, 'TaxIdentification/TaxIdentificationNumber'),
    nombreCliente: nameOf(buyer),
    direccionCliente: addressOf(address, ['Address', 'PostCode', 'Town', 'Province']),
    retencion: cents(textAt(withheld, 'TaxAmount/TotalAmount')) ?? 0n,
    retencionBps: bps(textAt(withheld, 'TaxRate')),
    total: gross === null ? null : gross + (outputs ?? 0n),
    tramos: taxes.map((tax) => ({
      rateBps: bps(textAt(tax, 'TaxRate')),
      baseCents: cents(textAt(tax, 'TaxableBase/TotalAmount')) ?? 0n,
      quotaCents: cents(textAt(tax, 'TaxAmount/TotalAmount')) ?? 0n,
      recargoCents: cents(textAt(tax, 'EquivalenceSurchargeAmount/TotalAmount')) ?? 0n,
    })),
    lineas: all(invoice, 'Items/InvoiceLine').flatMap((line) =>
      lineOf({
        description: textAt(line, 'ItemDescription'),
        quantity: textAt(line, 'Quantity'),
        price: textAt(line, 'UnitPriceWithoutTax'),
        total: textAt(line, 'GrossAmount') || textAt(line, 'TotalCost'),
        discounts: all(line, 'DiscountsAndRebates/Discount').map((one) =>
          textAt(one, 'DiscountRate'),
        ),
        rate: textAt(line, 'TaxesOutputs/Tax/TaxRate'),
      }),
    ),
    esRectificativa: one(invoice, 'InvoiceHeader/Corrective') !== undefined,
    impuesto: code === '03' ? 'IGIC' : code === '02' ? 'IPSI' : 'IVA',
  });
}

function ubl(root: Node): Reading {
  const seller = one(root, 'AccountingSupplierParty/Party');
  const buyer = one(root, 'AccountingCustomerParty/Party');
  const nifOf = (party: Node | undefined) =>
    [
      textAt(party, 'PartyTaxScheme/CompanyID'),
      textAt(party, 'PartyLegalEntity/CompanyID'),
      textAt(party, 'PartyIdentification/ID'),
    ].find((text) => nifIn(text) !== null) ?? '';
  const nameOf = (party: Node | undefined) =>
    textAt(party, 'PartyLegalEntity/RegistrationName') || textAt(party, 'PartyName/Name');
  const address = one(buyer, 'PostalAddress');
  const lines = [...all(root, 'InvoiceLine'), ...all(root, 'CreditNoteLine')];
  return readingOf({
    numero: textAt(root, 'ID'),
    fecha: textAt(root, 'IssueDate'),
    nifEmisor: nifOf(seller),
    nombreEmisor: nameOf(seller),
    nifCliente: nifOf(buyer),
    nombreCliente: nameOf(buyer),
    direccionCliente: addressOf(address, [
      ...['StreetName', 'PostalZone', 'CityName', 'CountrySubentity'],
    ]),
    retencion: cents(textAt(root, 'WithholdingTaxTotal/TaxAmount')) ?? 0n,
    retencionBps: bps(textAt(root, 'WithholdingTaxTotal/TaxSubtotal/TaxCategory/Percent')),
    total: cents(textAt(root, 'LegalMonetaryTotal/TaxInclusiveAmount')),
    tramos: all(root, 'TaxTotal/TaxSubtotal').map((tax) => ({
      rateBps: bps(textAt(tax, 'TaxCategory/Percent')),
      baseCents: cents(textAt(tax, 'TaxableAmount')) ?? 0n,
      quotaCents: cents(textAt(tax, 'TaxAmount')) ?? 0n,
      recargoCents: 0n,
    })),
    lineas: lines.flatMap((line) =>
      lineOf({
        description: textAt(line, 'Item/Name') || textAt(line, 'Item/Description'),
        quantity: textAt(line, 'InvoicedQuantity') || textAt(line, 'CreditedQuantity'),
        price: textAt(line, 'Price/PriceAmount'),
        per: textAt(line, 'Price/BaseQuantity'),
        total: textAt(line, 'LineExtensionAmount'),
        discounts: all(line, 'AllowanceCharge')
          .filter((one) => textAt(one, 'ChargeIndicator') === 'false')
          .map((one) => textAt(one, 'MultiplierFactorNumeric')),
        rate: rateOf(
          textAt(line, 'Item/ClassifiedTaxCategory/Percent'),
          textAt(line, 'Item/ClassifiedTaxCategory/ID'),
        ),
      }),
    ),
    esRectificativa: root.name === 'CreditNote',
    impuesto: impuestoOf(
      all(root, 'TaxTotal/TaxSubtotal').map((tax) => textAt(tax, 'TaxCategory/ID')),
    ),
  });
}

function cii(root: Node): Reading {
  const document = one(root, 'ExchangedDocument');
  const trade = one(root, 'SupplyChainTradeTransaction');
  const agreement = one(trade, 'ApplicableHeaderTradeAgreement');
  const settlement = one(trade, 'ApplicableHeaderTradeSettlement');
  const [seller, buyer] = [one(agreement, 'SellerTradeParty'), one(agreement, 'BuyerTradeParty')];
  const nifOf = (party: Node | undefined) =>
    [
      ...all(party, 'SpecifiedTaxRegistration/ID'),
      ...all(party, 'SpecifiedLegalOrganization/ID'),
      ...all(party, 'ID'),
    ]
      .map(({ text }) => text.trim())
      .find((text) => nifIn(text) !== null) ?? '';
  const day = textAt(document, 'IssueDateTime/DateTimeString');
  const sums = one(settlement, 'SpecifiedTradeSettlementHeaderMonetarySummation');
  const address = one(buyer, 'PostalTradeAddress');
  return readingOf({
    numero: textAt(document, 'ID'),
    fecha: `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6, 8)}`,
    nifEmisor: nifOf(seller),
    nombreEmisor: textAt(seller, 'Name'),
    nifCliente: nifOf(buyer),
    nombreCliente: textAt(buyer, 'Name'),
    direccionCliente: addressOf(address, ['LineOne', 'PostcodeCode', 'CityName']),
    retencion: 0n,
    retencionBps: 0n,
    total: cents(textAt(sums, 'GrandTotalAmount')),
    tramos: all(settlement, 'ApplicableTradeTax').map((tax) => ({
      rateBps: bps(textAt(tax, 'RateApplicablePercent')),
      baseCents: cents(textAt(tax, 'BasisAmount')) ?? 0n,
      quotaCents: cents(textAt(tax, 'CalculatedAmount')) ?? 0n,
      recargoCents: 0n,
    })),
    lineas: all(trade, 'IncludedSupplyChainTradeLineItem').flatMap((line) =>
      lineOf({
        description: textAt(line, 'SpecifiedTradeProduct/Name'),
        quantity: textAt(line, 'SpecifiedLineTradeDelivery/BilledQuantity'),
        price: textAt(line, 'SpecifiedLineTradeAgreement/NetPriceProductTradePrice/ChargeAmount'),
        per: textAt(line, 'SpecifiedLineTradeAgreement/NetPriceProductTradePrice/BasisQuantity'),
        discounts: all(line, 'SpecifiedLineTradeSettlement/SpecifiedTradeAllowanceCharge')
          .filter((one) => textAt(one, 'ChargeIndicator/Indicator') === 'false')
          .map((one) => textAt(one, 'CalculationPercent')),
        total: textAt(
          line,
          'SpecifiedLineTradeSettlement/SpecifiedTradeSettlementLineMonetarySummation/LineTotalAmount',
        ),
        rate: rateOf(
          textAt(line, 'SpecifiedLineTradeSettlement/ApplicableTradeTax/RateApplicablePercent'),
          textAt(line, 'SpecifiedLineTradeSettlement/ApplicableTradeTax/CategoryCode'),
        ),
      }),
    ),
    esRectificativa: textAt(document, 'TypeCode') === '381',
    impuesto: impuestoOf(
      all(settlement, 'ApplicableTradeTax').map((tax) => textAt(tax, 'CategoryCode')),
    ),
  });
}
