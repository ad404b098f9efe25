/**
 * An invoice as Facturae 3.2.2, the format in which administrations receive them (Ley 25/2013 arts. 4 and 5). Every
 * amount is one of the frozen document, with its sign, and has two decimals, as the accounting registers of the
 * administrations check (Orden HAP/492/2014, annex II).
 */

import { paisOf } from '../catalogs/catalogs.ts';
import { endOfMonth, fechaEs } from '../dates.ts';
import { DIR3_ROLES, type Dir3 } from '../dir3.ts';
import {
  type ClienteEmitido,
  type Emisor,
  type IssuedInvoice,
  isRectificativa,
  type ReferencedInvoice,
} from '../invoice.ts';
import { centsToText, decimalToText } from '../money.ts';
import { nifKind } from '../nif.ts';
import { isUnionForVat } from '../nif-iva.ts';
import { scaled } from '../paper/amounts.ts';
import { oneLine } from '../paper/text.ts';
import { unitText } from '../paper/units.ts';
import { provinceOf } from '../postal-code.ts';
import {
  AGENCIAS,
  DEMO_WORDS,
  type Exported,
  exchangeAdvice,
  type LineFacts,
  linesOf,
  QR_WORDS,
  sumCents,
  type TaxFacts,
  type TaxRow,
  taxRowsOf,
} from './facts.ts';
import {
  alfa3Of,
  METODO,
  motivoOf,
  OTRA_UNIDAD,
  provinciaFacturae,
  unidadOf,
} from './facturae-codes.ts';
import { medioDePagoOf, TRANSFERENCIA } from './payment-means.ts';
import { personName } from './person-name.ts';
import { element, textElement, XML_DECLARATION } from './xml.ts';

export const FACTURAE_NAMESPACE = 'http://www.facturae.gob.es/formato/Versiones/Facturaev3_2_2.xml';

/** The signature is inserted before this. */
export const FACTURAE_END = '</fe:Facturae>';

/** Limit for a number and for a series; a longer number is split between the two. */
const MAX_NUMBER = 20;
const MAX_LITERAL = 250;

/**
 * Whether data that the invoice lacks about a party can be added to its current card, or whether the card has another
 * address or is gone.
 */
export type CardOfToday = 'same-place' | 'moved' | 'gone';

export interface Cards {
  readonly emisor: CardOfToday;
  readonly cliente: CardOfToday;
}

const SAME_PLACES: Cards = { emisor: 'same-place', cliente: 'same-place' };

/**
 * @param cards how the current cards relate to the invoice, for the advice on where to add what is missing
 * @returns the unsigned document, in its canonical form after the XML declaration
 */
export function facturaeOf(invoice: IssuedInvoice, cards = SAME_PLACES): Exported {
  const lines = linesOf(invoice);
  const rows = taxRowsOf(invoice, lines);
  const totals = totalsOf(invoice, lines, rows);
  const sentences = refusalsOf(invoice, totals, cards);
  const { cliente } = invoice;
  if (sentences.length > 0 || !cliente) return { ok: false, sentences };
  const isIntra = cliente.countryCode !== 'ES' && isUnionForVat(cliente.countryCode);
  const xml = [
    `${XML_DECLARATION}\n<fe:Facturae xmlns:ds="http://www.w3.org/2000/09/xmldsig#" xmlns:fe="${FACTURAE_NAMESPACE}">`,
    fileHeader(invoice, totals),
    element('Parties', seller(invoice.emisor, { isIntra }), buyer(cliente)),
    element(
      'Invoices',
      element(
        'Invoice',
        header(invoice),
        issueData(invoice),
        element('TaxesOutputs', ...rows.map((row) => outputTax(row, amountsOf(row)))),
        withheld(invoice),
        invoiceTotals(invoice, totals),
        element('Items', ...lines.map(invoiceLine)),
        paymentDetails(invoice),
        element(
          'LegalLiterals',
          ...literals([...invoice.menciones, invoice.emisor.datosRegistrales ?? '']),
        ),
        additionalData(invoice),
      ),
    ),
    FACTURAE_END,
  ].join('');
  return { ok: true, xml };
}

interface Totals {
  readonly grossCents: bigint;
  readonly outputsCents: bigint;
  readonly withheldCents: bigint;
  /** Net of the retention, unlike the AEAT's total. */
  readonly totalCents: bigint;
  readonly suplidosCents: bigint;
  /** Paid with the simplified invoices that an F3 replaces. */
  readonly paidCents: bigint;
  readonly outstandingCents: bigint;
  readonly executableCents: bigint;
}

function totalsOf(
  invoice: IssuedInvoice,
  lines: readonly LineFacts[],
  rows: readonly TaxRow[],
): Totals {
  const grossCents = sumCents(lines, (line) => line.baseCents);
  const outputsCents = sumCents(rows, (row) => row.quotaCents + row.recargoCents);
  const withheldCents = scaled(invoice.retencion, 2);
  const suplidosCents = scaled(invoice.suplidos?.importe ?? '0', 2);
  const totalCents = grossCents + outputsCents - withheldCents;
  const paidCents = scaled(invoice.pagado?.importe ?? '0', 2);
  const outstandingCents = totalCents - paidCents;
  return {
    grossCents,
    outputsCents,
    withheldCents,
    totalCents,
    suplidosCents,
    paidCents,
    outstandingCents,
    executableCents: outstandingCents + suplidosCents,
  };
}

function refusalsOf(invoice: IssuedInvoice, totals: Totals, cards: Cards): string[] {
  const { cliente, emisor, numSerie } = invoice;
  if (!cliente) return [`${SIN_DESTINATARIO} ${exchangeAdvice(invoice)}`];
  return [
    ...(splitNumber(numSerie)
      ? []
      : [`El número ${numSerie} es más largo que los 40 de Facturae.`]),
    ...addressProblems({
      whose: 'tu empresa',
      where: COMPANY_PLACE,
      card: cards.emisor,
      direccion: emisor.direccion,
      postCode: emisor.postCode,
      municipio: emisor.municipio ?? '',
      country: emisor.pais,
    }),
    ...(identificationOf(cliente)
      ? []
      : [
          `Facturae necesita el NIF o la identificación de ${cliente.nombre}, y la factura no la lleva.`,
        ]),
    ...addressProblems({
      whose: cliente.nombre,
      where: CLIENT_PLACE,
      card: cards.cliente,
      direccion: cliente.direccion,
      postCode: cliente.postCode,
      municipio: cliente.municipio ?? '',
      country: cliente.countryCode,
    }),
    ...nameProblems(invoice),
    ...dir3Problems(cliente),
    ...correctiveProblems(invoice),
    ...(totals.totalCents + totals.withheldCents === scaled(invoice.total, 2) &&
    totals.executableCents === scaled(invoice.payable, 2)
      ? []
      : ['Los importes de esta factura no se pueden detallar en Facturae. Usa su PDF.']),
  ];
}

const SIN_DESTINATARIO = 'Una factura simplificada no lleva destinatario y Facturae lo exige.';
const COMPANY_PLACE = 'en Perfil → Información de empresa';
const CLIENT_PLACE = 'en la ficha del cliente';

interface AddressOf {
  readonly whose: string;
  /** Its current card, and how it relates to the invoice. */
  readonly where: string;
  readonly card: CardOfToday;
  readonly direccion: string;
  readonly postCode: string;
  readonly municipio: string;
  readonly country: string;
}

function addressProblems(address: AddressOf): string[] {
  const { whose, where, direccion, postCode, municipio, country } = address;
  const missing: readonly (readonly [field: string, write: string, text: string])[] = [
    ['la dirección', 'escríbela', direccion],
    ['el código postal', 'escríbelo', postCode],
    ['el municipio', 'escríbelo', municipio],
  ];
  const isKnown = alfa3Of(country) !== null;
  const pais = paisOf(country)?.label ?? country;
  return [
    ...missing
      .filter(([, , text]) => !oneLine(text))
      .map(([field, write]) => `Falta ${field} de ${whose}${wayOut(address, write)}`),
    ...(isKnown ? [] : [`Facturae no tiene código para el país de ${whose}, ${pais}. Usa UBL.`]),
    ...(country === 'ES' && postCode && !provinceOf(postCode)
      ? [`El código postal ${postCode} de ${whose} no es de ninguna provincia: corrígelo ${where}.`]
      : []),
  ];
}

function wayOut({ where, card, direccion, postCode }: AddressOf, write: string): string {
  if (card === 'same-place') return `: ${write} ${where}.`;
  if (card === 'gone') {
    return ' en la factura, y su ficha ya no está o es de otro. Usa UBL o su PDF.';
  }
  const place = [direccion, postCode].map(oneLine).filter(Boolean).join(', ');
  return `: su dirección en la factura (${place}) no es la de hoy. Vuelve a ponerla ${where}, con su municipio, mientras la descargas.`;
}

/** A person needs a surname. */
function nameProblems({ emisor, cliente }: IssuedInvoice): string[] {
  const parties = [
    { nombre: emisor.nombre, isPerson: nifKind(emisor.nif) === 'persona' },
    { nombre: cliente?.nombre ?? '', isPerson: cliente !== null && isPerson(cliente) },
  ];
  return parties
    .filter((party) => party.isPerson && !personName(oneLine(party.nombre)))
    .map(
      ({ nombre }) =>
        `Facturae pide nombre y apellidos de las personas, y «${nombre}» es una sola palabra.`,
    );
}

/** All three or none: an administration that has them refuses an invoice with fewer. */
function dir3Problems({ dir3, nombre }: ClienteEmitido): string[] {
  if (!dir3 || !Object.values(dir3).some(Boolean)) return [];
  return DIR3_ROLES.slice(0, 3)
    .filter(({ field }) => !dir3[field])
    .map(
      ({ label }) =>
        `Falta el código DIR3 de ${label.toLowerCase()} de ${nombre}: escríbelo ${CLIENT_PLACE}.`,
    );
}

function correctiveProblems({ tipoFactura, rectifies }: IssuedInvoice): string[] {
  if (!isRectificativa(tipoFactura)) return [];
  const [first] = rectifies;
  if (!first?.fecha) {
    return ['Facturae pide el número y la fecha de la factura rectificada, y esta no los lleva.'];
  }
  return splitNumber(first.numSerie)
    ? []
    : [
        `El número de la factura rectificada, ${first.numSerie}, es más largo que los 40 de Facturae.`,
      ];
}

function amountElement(name: string, cents: bigint): string {
  return element(name, textElement('TotalAmount', centsToText(cents)));
}

function fileHeader({ emisor, numSerie }: IssuedInvoice, totals: Totals): string {
  return element(
    'FileHeader',
    textElement('SchemaVersion', '3.2.2'),
    textElement('Modality', 'I'),
    textElement('InvoiceIssuerType', 'EM'),
    element(
      'Batch',
      textElement('BatchIdentifier', `${emisor.nif}${numSerie}`, 70),
      textElement('InvoicesCount', '1'),
      amountElement('TotalInvoicesAmount', totals.totalCents),
      amountElement('TotalOutstandingAmount', totals.outstandingCents),
      amountElement('TotalExecutableAmount', totals.executableCents),
      textElement('InvoiceCurrencyCode', 'EUR'),
    ),
  );
}

function seller(emisor: Emisor, { isIntra }: { readonly isIntra: boolean }): string {
  const { nif, pais, nombre, telefono = '' } = emisor;
  return element(
    'SellerParty',
    taxIdentification({
      isPerson: nifKind(nif) === 'persona',
      country: pais,
      // Between two Member States, with the letters of the country.
      number: isIntra ? `ES${nif}` : nif,
    }),
    person({
      nombre,
      isPerson: nifKind(nif) === 'persona',
      address: addressOf({ ...emisor, country: pais }),
      contact: element('ContactDetails', textElement('Telephone', telefono, 15)),
    }),
  );
}

function buyer(cliente: ClienteEmitido): string {
  const { nombre, countryCode, dir3, email } = cliente;
  const address = addressOf({ ...cliente, country: countryCode });
  return element(
    'BuyerParty',
    taxIdentification({
      isPerson: isPerson(cliente),
      country: countryCode,
      number: identificationOf(cliente),
    }),
    element('AdministrativeCentres', ...(dir3 ? centres(dir3, address) : [])),
    person({
      nombre,
      isPerson: isPerson(cliente),
      address,
      contact: element('ContactDetails', textElement('ElectronicMail', fits(email, 60))),
    }),
  );
}

/** A truncated address or code would be another one: it is left out. */
function fits(text: string, max: number): string {
  return text.length <= max ? text : '';
}

/** For a foreigner, only the kind of identification is known: one with a NIF-IVA acts as a business. */
function isPerson({ nif, idOtro, postingGroup }: ClienteEmitido): boolean {
  if (nif) return nifKind(nif) === 'persona';
  if (idOtro?.IDType === '07') return nifKind(idOtro.ID) === 'persona';
  return idOtro?.IDType === '03' || idOtro?.IDType === '05' || postingGroup === 'UEPART';
}

/** `TextMin3Max30Type`: anything shorter is no identification. */
function identificationOf({ nif, idOtro }: ClienteEmitido): string {
  const number = nif ?? idOtro?.ID ?? '';
  return number.length >= 3 ? number : '';
}

function taxIdentification({
  isPerson: isIndividual,
  country,
  number,
}: {
  readonly isPerson: boolean;
  readonly country: string;
  readonly number: string;
}): string {
  // Monaco's VAT is France's, but its residents are not in the Union.
  const residence = country === 'ES' ? 'R' : paisOf(country)?.ue ? 'U' : 'E';
  return element(
    'TaxIdentification',
    textElement('PersonTypeCode', isIndividual ? 'F' : 'J'),
    textElement('ResidenceTypeCode', residence),
    textElement('TaxIdentificationNumber', number, 30),
  );
}

function person({
  nombre,
  isPerson: isIndividual,
  address,
  contact,
}: {
  readonly nombre: string;
  readonly isPerson: boolean;
  readonly address: string;
  readonly contact: string;
}): string {
  const parts = isIndividual ? personName(oneLine(nombre)) : null;
  if (!parts) {
    return element('LegalEntity', textElement('CorporateName', nombre, 80), address, contact);
  }
  return element(
    'Individual',
    textElement('Name', parts.name, 40),
    textElement('FirstSurname', parts.firstSurname, 40),
    textElement('SecondSurname', parts.secondSurname, 40),
    address,
    contact,
  );
}

function addressOf({
  direccion,
  postCode,
  municipio = '',
  country,
}: {
  readonly direccion: string;
  readonly postCode: string;
  readonly municipio?: string;
  readonly country: string;
}): string {
  if (country === 'ES') {
    return element(
      'AddressInSpain',
      textElement('Address', direccion, 80),
      textElement('PostCode', postCode),
      textElement('Town', municipio, 50),
      textElement('Province', provinciaFacturae(provinceOf(postCode) ?? ''), 20),
      textElement('CountryCode', 'ESP'),
    );
  }
  return element(
    'OverseasAddress',
    textElement('Address', direccion, 80),
    textElement('PostCodeAndTown', `${postCode} ${municipio}`, 50),
    // The element is mandatory, and nobody asks a foreigner for the province.
    textElement('Province', municipio, 20),
    textElement('CountryCode', alfa3Of(country) ?? ''),
  );
}

function centres(dir3: Dir3, address: string): string[] {
  return DIR3_ROLES.filter(({ field }) => dir3[field]).map(({ field, role, label }) =>
    element(
      'AdministrativeCentre',
      textElement('CentreCode', dir3[field], 10),
      textElement('RoleTypeCode', role),
      address,
      textElement('CentreDescription', label),
    ),
  );
}

interface NumberParts {
  readonly series: string;
  readonly number: string;
}

/** The whole number if it fits; otherwise its beginning becomes the series. Null when it fits in neither way. */
function splitNumber(numSerie: string): NumberParts | null {
  const whole = oneLine(numSerie);
  if (whole.length <= MAX_NUMBER) return { series: '', number: whole };
  if (whole.length > 2 * MAX_NUMBER) return null;
  const cut = whole.length - MAX_NUMBER;
  return { series: whole.slice(0, cut), number: whole.slice(cut) };
}

function numberElements(numSerie: string): string {
  const { series = '', number = '' } = splitNumber(numSerie) ?? {};
  return textElement('InvoiceNumber', number) + textElement('InvoiceSeriesCode', series);
}

function header(invoice: IssuedInvoice): string {
  return element(
    'InvoiceHeader',
    numberElements(invoice.numSerie),
    textElement('InvoiceDocumentType', 'FC'),
    textElement('InvoiceClass', isRectificativa(invoice.tipoFactura) ? 'OR' : 'OO'),
    corrective(invoice),
  );
}

/** The schema admits one corrected invoice: the others are named in the text. */
function corrective(invoice: IssuedInvoice): string {
  const { tipoFactura, tipoRectificativa, rectifies, base, importeRectificacion } = invoice;
  const [first, ...others] = rectifies;
  if (!isRectificativa(tipoFactura) || !first) return '';
  // A rectificativa por sustitución contains the whole amount: the change is what exceeds the amount invoiced before.
  const change = scaled(base, 2) - scaled(importeRectificacion?.base ?? '0', 2);
  const motivo = motivoOf(tipoFactura, { lowersBase: change < 0n });
  const metodo = METODO[tipoRectificativa ?? 'I'];
  return element(
    'Corrective',
    numberElements(first.numSerie),
    textElement('ReasonCode', motivo.code),
    textElement('ReasonDescription', motivo.words),
    element(
      'TaxPeriod',
      textElement('StartDate', `${first.fecha.slice(0, 8)}01`),
      textElement('EndDate', endOfMonth(first.fecha)),
    ),
    textElement('CorrectionMethod', metodo.code),
    textElement('CorrectionMethodDescription', metodo.words),
    textElement('AdditionalReasonDescription', alsoText(others)),
    textElement('InvoiceIssueDate', first.fecha),
  );
}

function alsoText(others: readonly ReferencedInvoice[]): string {
  return others.length === 0 ? '' : `Rectifica también ${others.map(referenceText).join(', ')}`;
}

function referenceText({ numSerie, fecha }: ReferencedInvoice): string {
  return fecha ? `${numSerie} de ${fechaEs(fecha)}` : numSerie;
}

function issueData({ fechaExpedicion, fechaOperacion }: IssuedInvoice): string {
  return element(
    'InvoiceIssueData',
    textElement('IssueDate', fechaExpedicion),
    textElement('OperationDate', fechaOperacion ?? ''),
    textElement('InvoiceCurrencyCode', 'EUR'),
    textElement('TaxCurrencyCode', 'EUR'),
    textElement('LanguageName', 'es'),
  );
}

/** `TaxTypeCode`: travel agencies have one of their own, and another State's tax has none. */
function taxTypeOf({ impuesto, kind, code }: TaxFacts): string {
  if (kind === 'destino') return '05';
  if (kind === 'margen' && code === AGENCIAS) return impuesto === '03' ? '18' : '17';
  return impuesto;
}

/** For a line, only its base: the tax of an invoice is that of its rates, not the sum of its lines. */
interface TaxAmounts {
  readonly baseCents: bigint;
  readonly quotaCents?: bigint;
  readonly recargoCents?: bigint;
}

const amountsOf = ({ baseCents, quotaCents, recargoCents }: TaxRow): TaxAmounts => ({
  baseCents,
  quotaCents,
  recargoCents,
});

function outputTax(facts: TaxFacts, { baseCents, quotaCents, recargoCents }: TaxAmounts): string {
  const { rateBps, recargoBps } = facts;
  const hasRecargo = recargoBps !== null && recargoBps !== 0n;
  return element(
    'Tax',
    textElement('TaxTypeCode', taxTypeOf(facts)),
    textElement('TaxRate', decimalToText(rateBps, 2, 2)),
    amountElement('TaxableBase', baseCents),
    quotaCents === undefined ? '' : amountElement('TaxAmount', quotaCents),
    hasRecargo ? textElement('EquivalenceSurcharge', decimalToText(recargoBps, 2, 2)) : '',
    hasRecargo && recargoCents !== undefined
      ? amountElement('EquivalenceSurchargeAmount', recargoCents)
      : '',
  );
}

/** The base of the retention is that of the whole invoice. */
function withheld({ retencionRate, retencion, base }: IssuedInvoice): string {
  if (retencionRate === null) return '';
  return element(
    'TaxesWithheld',
    element(
      'Tax',
      textElement('TaxTypeCode', '04'),
      textElement('TaxRate', decimalToText(scaled(retencionRate, 2), 2, 2)),
      amountElement('TaxableBase', scaled(base, 2)),
      amountElement('TaxAmount', scaled(retencion, 2)),
    ),
  );
}

function invoiceTotals({ suplidos, pagado }: IssuedInvoice, totals: Totals): string {
  const amount = (name: string, cents: bigint) => textElement(name, centsToText(cents));
  const reimbursable = element(
    'ReimbursableExpenses',
    amount('ReimbursableExpensesAmount', totals.suplidosCents),
  );
  const payment = element(
    'PaymentOnAccount',
    textElement('PaymentOnAccountDate', pagado?.fecha ?? ''),
    amount('PaymentOnAccountAmount', totals.paidCents),
  );
  return element(
    'InvoiceTotals',
    amount('TotalGrossAmount', totals.grossCents),
    amount('TotalGrossAmountBeforeTaxes', totals.grossCents),
    amount('TotalTaxOutputs', totals.outputsCents),
    amount('TotalTaxesWithheld', totals.withheldCents),
    amount('InvoiceTotal', totals.totalCents),
    pagado ? element('PaymentsOnAccount', payment) : '',
    suplidos ? element('ReimbursableExpenses', reimbursable) : '',
    amount('TotalOutstandingAmount', totals.outstandingCents),
    pagado ? amount('TotalPaymentsOnAccount', totals.paidCents) : '',
    amount('TotalExecutableAmount', totals.executableCents),
    suplidos ? amount('TotalReimbursableExpenses', totals.suplidosCents) : '',
  );
}

function invoiceLine(facts: LineFacts): string {
  const { line, quantityE4, priceE6, costCents, baseCents } = facts;
  const unit = unidadOf(line.unit);
  return element(
    'InvoiceLine',
    textElement('ItemDescription', facts.description || 'Sin descripción'),
    textElement('Quantity', decimalToText(quantityE4, 4)),
    textElement('UnitOfMeasure', unit),
    textElement('UnitPriceWithoutTax', decimalToText(priceE6, 6, 2)),
    textElement('TotalCost', centsToText(costCents)),
    discounts(facts),
    textElement('GrossAmount', centsToText(baseCents)),
    element('TaxesOutputs', outputTax(facts, { baseCents })),
    textElement('AdditionalLineItemInformation', lineInformation(facts, unit)),
    specialTaxableEvent(facts),
    textElement('ArticleCode', fits(line.productNo ?? '', 20)),
  );
}

function discounts({ discountBps, discountCents }: LineFacts): string {
  if (discountCents === 0n) return '';
  return element(
    'DiscountsAndRebates',
    element(
      'Discount',
      textElement('DiscountReason', 'Descuento'),
      discountBps === 0n ? '' : textElement('DiscountRate', decimalToText(discountBps, 2, 2)),
      textElement('DiscountAmount', centsToText(discountCents)),
    ),
  );
}

/** What the codes cannot express: the name of a tax without a code, the reason for not charging one, the unit. */
function lineInformation({ kind, reason, line, quantityE4 }: LineFacts, unit: string): string {
  const unitName =
    unit === OTRA_UNIDAD ? oneLine(unitText(line.unit, decimalToText(quantityE4, 4))) : '';
  return [
    kind === 'destino' ? '05 = IVA del país de destino' : '',
    kind === 'isp' || kind === 'margen' ? reason : '',
    unitName && `Unidad: ${unitName}`,
  ]
    .filter(Boolean)
    .join('. ');
}

/** The reason begins with the code of its tax. */
function specialTaxableEvent(facts: LineFacts): string {
  const { kind, reason } = facts;
  if (kind !== 'exenta' && kind !== 'no-sujeta') return '';
  return element(
    'SpecialTaxableEvent',
    textElement('SpecialTaxableEventCode', kind === 'exenta' ? '01' : '02'),
    textElement('SpecialTaxableEventReason', `${taxTypeOf(facts)} ${reason}`),
  );
}

/** Nothing is due for an invoice that gives money back. */
function paymentDetails({ vencimientos, formaPago, iban = '', numSerie }: IssuedInvoice): string {
  const medio = medioDePagoOf(formaPago, iban);
  const isTransfer = medio === TRANSFERENCIA;
  return element(
    'PaymentDetails',
    ...vencimientos.map(({ fecha, importe }) =>
      element(
        'Installment',
        textElement('InstallmentDueDate', fecha),
        textElement('InstallmentAmount', centsToText(scaled(importe, 2))),
        textElement('PaymentMeans', medio.facturae),
        isTransfer ? element('AccountToBeCredited', textElement('IBAN', iban)) : '',
        textElement('PaymentReconciliationReference', isTransfer ? numSerie : '', 60),
        textElement('CollectionAdditionalInformation', oneLine(formaPago)),
      ),
    ),
  );
}

/** Each split into as many pieces as its length needs. */
function literals(menciones: readonly string[]): string[] {
  return menciones
    .map(oneLine)
    .flatMap(
      (text) =>
        text.match(new RegExp(`.{1,${MAX_LITERAL}}(?:\\s|$)|.{1,${MAX_LITERAL}}`, 'gu')) ?? [],
    )
    .map((piece) => textElement('LegalReference', piece, MAX_LITERAL));
}

function additionalData(invoice: IssuedInvoice): string {
  const { esDemo, qr, sustituye, suplidos, notas } = invoice;
  const [first] = sustituye;
  const information = [
    esDemo ? DEMO_WORDS : '',
    `${QR_WORDS}: ${qr}`,
    sustituye.length > 0
      ? `Sustituye a las facturas simplificadas ${sustituye.map(referenceText).join(', ')}`
      : '',
    suplidos?.concepto ? `Suplidos: ${suplidos.concepto}` : '',
    notas,
  ];
  return element(
    'AdditionalData',
    textElement('RelatedInvoice', first?.numSerie ?? '', 40),
    textElement(
      'InvoiceAdditionalInformation',
      information.map(oneLine).filter(Boolean).join('. '),
    ),
  );
}
