/**
 * An invoice as UBL 2.1 under EN 16931, the syntax of the public solution for invoices between businesses (Ley
 * 18/2022 art. 12; RD 238/2026 arts. 6, 7 and 11). An invoice that gives money back becomes a credit note, with
 * positive amounts. Every amount is one of the frozen document. Comments name the rules (BR-…) and terms (BT-…) of
 * the standard.
 */

import { fechaEs } from '../dates.ts';
import {
  type ClienteEmitido,
  type Emisor,
  type IssuedInvoice,
  isRectificativa,
  isSimplified,
} from '../invoice.ts';
import { centsToEs, centsToText, decimalToText } from '../money.ts';
import { isUnionForVat } from '../nif-iva.ts';
import { scaled } from '../paper/amounts.ts';
import { oneLine } from '../paper/text.ts';
import { unitText } from '../paper/units.ts';
import { provinceOf } from '../postal-code.ts';
import {
  DEMO_WORDS,
  type Exported,
  exchangeAdvice,
  type LineFacts,
  linesOf,
  QR_WORDS,
  sumCents,
  type TaxFacts,
  taxRowsOf,
} from './facts.ts';
import { medioDePagoOf, TRANSFERENCIA } from './payment-means.ts';
import { type Category, categoryOf, unitCodeOf } from './ubl-codes.ts';
import { attribute, element, textElement, XML_DECLARATION } from './xml.ts';

const UBL = 'urn:oasis:names:specification:ubl:schema:xsd:';

/** A row of the breakdown (BG-23), one for each category and rate. */
interface Subtotal {
  readonly category: Category;
  readonly rateBps: bigint;
  readonly baseCents: bigint;
  readonly quotaCents: bigint;
  readonly reason: string;
}

/** What is needed throughout while writing the document. */
interface Context {
  readonly invoice: IssuedInvoice;
  readonly cliente: ClienteEmitido;
  readonly isCredit: boolean;
  /** `-1n` for a credit note, whose amounts are those given back. */
  readonly sign: 1n | -1n;
  readonly lines: readonly LineFacts[];
  readonly subtotals: readonly Subtotal[];
  readonly isUnionBusiness: boolean;
}

export function ublOf(invoice: IssuedInvoice): Exported {
  const { cliente } = invoice;
  if (isSimplified(invoice.tipoFactura) || !cliente) {
    return { ok: false, sentences: [`${SIMPLIFICADA} ${exchangeAdvice(invoice)}`] };
  }
  const context = contextOf(invoice, cliente);
  const sentences = refusalsOf(context);
  return sentences.length > 0 ? { ok: false, sentences } : { ok: true, xml: documentOf(context) };
}

const SIMPLIFICADA =
  'La factura electrónica entre empresas no alcanza a las simplificadas, que no llevan destinatario.';

function contextOf(invoice: IssuedInvoice, cliente: ClienteEmitido): Context {
  const isCredit = isRectificativa(invoice.tipoFactura) && scaled(invoice.total, 2) < 0n;
  const isUnionBusiness = cliente.postingGroup === 'UE' && isUnionForVat(cliente.countryCode);
  const lines = linesOf(invoice);
  const bare = { invoice, cliente, isCredit, lines, isUnionBusiness };
  return { ...bare, sign: isCredit ? -1n : 1n, subtotals: subtotalsOf(bare) };
}

/**
 * Rows of the desglose with the same category and rate are merged: the standard admits only one (BR-S-08, BR-E-01…).
 */
function subtotalsOf(context: Omit<Context, 'sign' | 'subtotals'>): Subtotal[] {
  const byKey = new Map<string, Subtotal>();
  for (const row of taxRowsOf(context.invoice, context.lines)) {
    const category = categoryOf(row, context);
    const key = `${category.id} ${row.rateBps}`;
    const before = byKey.get(key);
    byKey.set(key, {
      category:
        !before || before.category.vatex === category.vatex ? category : { ...category, vatex: '' },
      rateBps: row.rateBps,
      baseCents: (before?.baseCents ?? 0n) + row.baseCents,
      quotaCents: (before?.quotaCents ?? 0n) + row.quotaCents,
      reason: [...new Set([before?.reason ?? '', row.reason])].filter(Boolean).join('. '),
    });
  }
  return [...byKey.values()];
}

function refusalsOf({ invoice, cliente, lines, subtotals }: Context): string[] {
  const ids = new Set(subtotals.map(({ category }) => category.id));
  const isMixed = ids.has('O') && ids.size > 1;
  const needsVatNumber = ids.has('K') && cliente.idOtro?.IDType !== '02';
  const needsNumber = ids.has('AE') && !cliente.nif && !cliente.idOtro;
  const facts: readonly [boolean, string][] = [
    [scaled(invoice.retencion, 2) !== 0n, inFacturae('la retención del IRPF')],
    [scaled(invoice.recargo, 2) !== 0n, inFacturae('el recargo de equivalencia')],
    [invoice.suplidos !== undefined, inFacturae('los suplidos')],
    [
      isMixed,
      'La norma europea EN 16931 no admite líneas no sujetas junto a otras que lo están. Usa Facturae, o factúralas aparte.',
    ],
    [needsVatNumber, `UBL pide el NIF-IVA de ${cliente.nombre}, y la factura no lo lleva.`],
    [needsNumber, `UBL pide el NIF de ${cliente.nombre}, y la factura no lo lleva.`],
  ];
  const sentences = facts.flatMap(([isSo, sentence]) => (isSo ? [sentence] : []));
  if (sentences.length > 0) return sentences;
  const netCents = sumCents(lines, (line) => line.baseCents);
  const taxCents = sumCents(subtotals, (row) => row.quotaCents);
  return netCents + taxCents === scaled(invoice.total, 2) &&
    netCents === sumCents(subtotals, (row) => row.baseCents)
    ? []
    : ['Los importes de esta factura no se pueden detallar en UBL. Usa su PDF.'];
}

function inFacturae(what: string): string {
  return `La norma europea EN 16931 no tiene dónde decir ${what}. Usa Facturae, que sí puede.`;
}

function documentOf(context: Context): string {
  const { invoice, isCredit } = context;
  const root = isCredit ? 'CreditNote' : 'Invoice';
  const inside = isCredit ? creditNote(context) : plainInvoice(context);
  return [
    `${XML_DECLARATION}\n<${root} xmlns="${UBL}${root}-2" xmlns:cac="${UBL}CommonAggregateComponents-2" xmlns:cbc="${UBL}CommonBasicComponents-2">`,
    textElement('cbc:CustomizationID', 'urn:cen.eu:en16931:2017'),
    textElement('cbc:ID', invoice.numSerie, 60),
    textElement('cbc:IssueDate', invoice.fechaExpedicion),
    ...inside,
    `</${root}>`,
  ].join('');
}

const COMMERCIAL = '380';
const CREDIT = '381';
const CORRECTED = '384';

function plainInvoice(context: Context): string[] {
  const { invoice } = context;
  const type = isRectificativa(invoice.tipoFactura) ? CORRECTED : COMMERCIAL;
  return [
    textElement('cbc:DueDate', dueDateOf(invoice)),
    textElement('cbc:InvoiceTypeCode', type),
    ...contents(context),
  ];
}

function creditNote(context: Context): string[] {
  return [textElement('cbc:CreditNoteTypeCode', CREDIT), ...contents(context)];
}

/** What follows the kind of document; the same in both. */
function contents(context: Context): string[] {
  const { invoice } = context;
  return [
    ...notes(invoice),
    textElement('cbc:DocumentCurrencyCode', 'EUR'),
    ...billingReferences(invoice),
    qrReference(invoice),
    ...parties(context),
    delivery(context),
    paymentMeans(context),
    paymentTerms(invoice),
    taxTotal(context),
    monetaryTotal(context),
    ...context.lines.map((line, index) => lineElement(context, line, index)),
  ];
}

/** BT-9 is a single day; several are described in the payment terms (BT-20). */
function dueDateOf({ vencimientos }: IssuedInvoice): string {
  const [only, ...more] = vencimientos;
  return only && more.length === 0 ? only.fecha : '';
}

/** The legal mentions, and the issuer's own notes (BT-22). */
function notes({ menciones, notas, esDemo }: IssuedInvoice): string[] {
  return [esDemo ? DEMO_WORDS : '', ...menciones, notas].map((text) =>
    textElement('cbc:Note', oneLine(text), 5000),
  );
}

/** The invoices that it rectifies or replaces (BG-3). */
function billingReferences({ rectifies, sustituye }: IssuedInvoice): string[] {
  return [...rectifies, ...sustituye].map(({ numSerie, fecha }) =>
    element(
      'cac:BillingReference',
      element(
        'cac:InvoiceDocumentReference',
        textElement('cbc:ID', numSerie, 60),
        textElement('cbc:IssueDate', fecha),
      ),
    ),
  );
}

/** The address in the AEAT's QR (BG-24). */
function qrReference({ qr }: IssuedInvoice): string {
  return element(
    'cac:AdditionalDocumentReference',
    textElement('cbc:ID', 'VERIFACTU'),
    textElement('cbc:DocumentDescription', QR_WORDS),
    element('cac:Attachment', element('cac:ExternalReference', textElement('cbc:URI', qr))),
  );
}

function parties(context: Context): string[] {
  const { emisor } = context.invoice;
  return [
    element('cac:AccountingSupplierParty', element('cac:Party', ...supplier(emisor, context))),
    element('cac:AccountingCustomerParty', element('cac:Party', ...customer(context))),
  ];
}

/** Whether the whole invoice is outside the tax: then no VAT number may be given (BR-O-02). */
function isOutside({ subtotals }: Context): boolean {
  return subtotals.some(({ category }) => category.id === 'O');
}

/** In the Canaries, Ceuta and Melilla the number belongs to a local tax (BT-32), not to VAT (BT-31). */
function supplier(emisor: Emisor, context: Context): string[] {
  const { nombre, nif, direccion, postCode, pais } = emisor;
  const { municipio = '', telefono = '', datosRegistrales } = emisor;
  const isLocal = context.lines.every(({ impuesto }) => impuesto !== '01');
  return [
    postalAddress({ direccion, postCode, municipio, country: pais }),
    isOutside(context) ? '' : isLocal ? taxScheme(nif, 'LOC') : taxScheme(`ES${nif}`, 'VAT'),
    legalEntity(nombre, nif, datosRegistrales),
    element('cac:Contact', textElement('cbc:Telephone', telefono, 30)),
  ];
}

function customer(context: Context): string[] {
  const { cliente } = context;
  const { nombre, nif, idOtro, direccion, postCode, municipio = '', countryCode, email } = cliente;
  const vatNumber = idOtro?.IDType === '02' ? idOtro.ID : nif ? `ES${nif}` : '';
  const isOther = idOtro !== null && idOtro.IDType !== '02';
  const ofLocalTax = context.lines.every(({ impuesto }) => impuesto !== '01') && nif !== null;
  const showsVat = vatNumber && !isOutside(context) && !ofLocalTax;
  return [
    isOther ? element('cac:PartyIdentification', textElement('cbc:ID', idOtro.ID)) : '',
    postalAddress({ direccion, postCode, municipio, country: countryCode }),
    showsVat ? taxScheme(vatNumber, 'VAT') : '',
    legalEntity(nombre, nif ?? (idOtro && !showsVat ? idOtro.ID : '')),
    element('cac:Contact', textElement('cbc:ElectronicMail', email, 254)),
  ];
}

function postalAddress({
  direccion,
  postCode,
  municipio,
  country,
}: {
  readonly direccion: string;
  readonly postCode: string;
  readonly municipio: string;
  readonly country: string;
}): string {
  return element(
    'cac:PostalAddress',
    textElement('cbc:StreetName', oneLine(direccion), 250),
    textElement('cbc:CityName', municipio),
    textElement('cbc:PostalZone', postCode),
    textElement('cbc:CountrySubentity', provinceOf(postCode, country) ?? ''),
    element(
      'cac:Country',
      textElement('cbc:IdentificationCode', country === 'XI' ? 'GB' : country),
    ),
  );
}

function taxScheme(number: string, scheme: string): string {
  return element(
    'cac:PartyTaxScheme',
    textElement('cbc:CompanyID', number),
    element('cac:TaxScheme', textElement('cbc:ID', scheme)),
  );
}

function legalEntity(nombre: string, number: string, registry = ''): string {
  return element(
    'cac:PartyLegalEntity',
    textElement('cbc:RegistrationName', oneLine(nombre), 250),
    textElement('cbc:CompanyID', number),
    textElement('cbc:CompanyLegalForm', oneLine(registry)),
  );
}

/** The day of the operation (BT-72). Goods that leave for another State need the destination (BR-IC-11 and 12). */
function delivery({ invoice, cliente, subtotals }: Context): string {
  const { fechaOperacion, fechaExpedicion } = invoice;
  const isIntra = subtotals.some(({ category }) => category.id === 'K');
  const day = fechaOperacion ?? (isIntra ? fechaExpedicion : '');
  const place = element(
    'cac:DeliveryLocation',
    element(
      'cac:Address',
      element(
        'cac:Country',
        textElement(
          'cbc:IdentificationCode',
          cliente.countryCode === 'XI' ? 'GB' : cliente.countryCode,
        ),
      ),
    ),
  );
  return element('cac:Delivery', textElement('cbc:ActualDeliveryDate', day), isIntra ? place : '');
}

/** How it is paid (BG-16). What is given back does not go to an account of ours. */
function paymentMeans({ invoice, isCredit }: Context): string {
  const { formaPago, numSerie, iban = '' } = invoice;
  const name = oneLine(formaPago);
  if (!name) return '';
  const medio = medioDePagoOf(name, isCredit ? '' : iban);
  const account = element('cac:PayeeFinancialAccount', textElement('cbc:ID', iban));
  return element(
    'cac:PaymentMeans',
    textElement(`cbc:PaymentMeansCode name="${attribute(name)}"`, medio.uncl4461),
    isCredit ? '' : textElement('cbc:PaymentID', numSerie, 60),
    medio === TRANSFERENCIA ? account : '',
  );
}

function paymentTerms({ terminoPago, vencimientos }: IssuedInvoice): string {
  const days = vencimientos.map(
    ({ fecha, importe }) => `${fechaEs(fecha)}: ${centsToEs(scaled(importe, 2))} €`,
  );
  const text = [
    vencimientos.length > 0 ? oneLine(terminoPago) : '',
    days.length > 1 ? days.join('; ') : '',
  ];
  return element('cac:PaymentTerms', textElement('cbc:Note', text.filter(Boolean).join('. ')));
}

function money(name: string, cents: bigint): string {
  return textElement(`${name} currencyID="EUR"`, centsToText(cents));
}

function taxTotal({ subtotals, sign }: Context): string {
  return element(
    'cac:TaxTotal',
    money('cbc:TaxAmount', sign * sumCents(subtotals, (row) => row.quotaCents)),
    ...subtotals.map(({ category, rateBps, baseCents, quotaCents, reason }) =>
      element(
        'cac:TaxSubtotal',
        money('cbc:TaxableAmount', sign * baseCents),
        money('cbc:TaxAmount', sign * quotaCents),
        element('cac:TaxCategory', ...categoryElements(category, rateBps, reason)),
      ),
    ),
  );
}

/**
 * What is outside the tax has no rate (BR-O-05), and what is taxed no reason (BR-S-10, BR-Z-10, BR-IG-10, BR-IP-10).
 */
function categoryElements({ id, vatex }: Category, rateBps: bigint, reason = ''): string[] {
  const isTaxed = id === 'S' || id === 'Z' || id === 'L' || id === 'M';
  return [
    textElement('cbc:ID', id),
    id === 'O' ? '' : textElement('cbc:Percent', decimalToText(rateBps, 2)),
    isTaxed || !reason ? '' : textElement('cbc:TaxExemptionReasonCode', vatex),
    isTaxed ? '' : textElement('cbc:TaxExemptionReason', reason),
    element('cac:TaxScheme', textElement('cbc:ID', 'VAT')),
  ];
}

function monetaryTotal({ invoice, lines, sign }: Context): string {
  const netCents = sign * sumCents(lines, (line) => line.baseCents);
  return element(
    'cac:LegalMonetaryTotal',
    money('cbc:LineExtensionAmount', netCents),
    money('cbc:TaxExclusiveAmount', netCents),
    money('cbc:TaxInclusiveAmount', sign * scaled(invoice.total, 2)),
    invoice.pagado ? money('cbc:PrepaidAmount', scaled(invoice.pagado.importe, 2)) : '',
    money('cbc:PayableAmount', sign * scaled(invoice.payable, 2)),
  );
}

function lineElement(context: Context, facts: LineFacts, index: number): string {
  const { sign, isCredit } = context;
  const { line, quantityE4, priceE6, baseCents } = facts;
  const unitCode = unitCodeOf(line.unit);
  const quantity = decimalToText(sign * quantityE4, 4);
  const unitName = unitCode ? '' : oneLine(unitText(line.unit, quantity));
  const name = isCredit ? 'cbc:CreditedQuantity' : 'cbc:InvoicedQuantity';
  return element(
    isCredit ? 'cac:CreditNoteLine' : 'cac:InvoiceLine',
    textElement('cbc:ID', String(index + 1)),
    textElement('cbc:Note', unitName && `Unidad: ${unitName}`),
    textElement(`${name} unitCode="${unitCode ?? 'C62'}"`, quantity),
    money('cbc:LineExtensionAmount', sign * baseCents),
    allowance(facts, sign),
    element(
      'cac:Item',
      textElement('cbc:Name', facts.description || 'Sin descripción'),
      element('cac:SellersItemIdentification', textElement('cbc:ID', line.productNo ?? '')),
      element('cac:ClassifiedTaxCategory', ...lineCategory(facts, context)),
    ),
    element(
      'cac:Price',
      textElement('cbc:PriceAmount currencyID="EUR"', decimalToText(priceE6, 6, 2)),
    ),
  );
}

function lineCategory(facts: TaxFacts, context: Context): string[] {
  return categoryElements(categoryOf(facts, context), facts.rateBps);
}

/** BG-27: a discount needs a reason (BR-42), here with its code of UNCL5189. */
function allowance({ discountBps, discountCents, costCents }: LineFacts, sign: 1n | -1n): string {
  if (discountCents === 0n) return '';
  return element(
    'cac:AllowanceCharge',
    textElement('cbc:ChargeIndicator', 'false'),
    textElement('cbc:AllowanceChargeReasonCode', '95'),
    textElement('cbc:AllowanceChargeReason', 'Descuento'),
    discountBps === 0n
      ? ''
      : textElement('cbc:MultiplierFactorNumeric', decimalToText(discountBps, 2)),
    money('cbc:Amount', sign * discountCents),
    discountBps === 0n ? '' : money('cbc:BaseAmount', sign * costCents),
  );
}
