/**
 * The content of a printed invoice, in the words and figures that are printed, before any layout. Contents: RD
 * 1619/2012 arts. 6 and 7; for a rectificativa, art. 15.
 */

import { paisOf } from '../catalogs/catalogs.ts';
import { payableSum } from '../cobros.ts';
import { fechaEs } from '../dates.ts';
import { fold } from '../fold.ts';
import { ibanInGroups } from '../iban.ts';
import { impuestoOf, nombreImpuesto } from '../impuestos.ts';
import {
  type ClienteEmitido,
  type Emisor,
  type IdOtro,
  type IssuedDesglose,
  type IssuedInvoice,
  type IssuedLine,
  isPorImpago,
  isRectificativa,
  isSimplified,
  type ReferencedInvoice,
  type TipoFactura,
} from '../invoice.ts';
import { sumText } from '../money.ts';
import { provinceOf, territoryOf } from '../postal-code.ts';
import { isMargen, isOss } from '../situaciones.ts';
import { amount, euros, figure, percent, scaled, unitPrice } from './amounts.ts';
import { printedLines } from './gross.ts';
import { oneLine, paragraphs } from './text.ts';
import { unitText } from './units.ts';

export interface Paper {
  /** Title of the document, and heading of the pages after the first: «Factura 00041/LO». */
  readonly title: string;
  /** The heading, one or two lines. */
  readonly heading: readonly string[];
  readonly issuer: Party;
  readonly data: readonly Datum[];
  readonly client: Party | null;
  readonly reference: Reference | null;
  readonly table: PaperTable;
  readonly rates: readonly PaperRate[];
  /** Shown between the rates and the total. */
  readonly sums: readonly Sum[];
  readonly total: Sum;
  /** Shown below the total, and not part of the registro or the QR: retention and what remains to be paid. */
  readonly afterTotal: readonly Sum[];
  readonly payment: readonly Datum[];
  readonly mentions: readonly string[];
  readonly notes: string;
  readonly foot: string;
  /** The issuer's entry in the Registro Mercantil, also at the foot; empty without one. */
  readonly registry: string;
  /** Address in the QR; null for what is not registered. */
  readonly qr: string | null;
}

export interface Party {
  readonly name: string;
  readonly lines: readonly string[];
}

export interface Datum {
  readonly label: string;
  /** May hold line feeds. */
  readonly value: string;
  /** The number of the invoice, or the text in its place while it has none. */
  readonly kind?: 'number' | 'pending';
}

export interface Reference {
  /** «Rectifica» or «Sustituye». */
  readonly label: string;
  readonly invoices: readonly string[];
  readonly lines: readonly string[];
}

export interface PaperTable {
  /** `IVA`, `IGIC` or `IPSI`; null when the rate may not be shown separately. */
  readonly taxName: string | null;
  readonly hasDiscounts: boolean;
  /** Headings of the amount columns; they say so if the prices were typed with tax. */
  readonly priceLabel: string;
  readonly amountLabel: string;
  readonly rows: readonly PaperRow[];
}

export interface PaperRow {
  readonly description: string;
  readonly quantity: string;
  readonly price: string;
  readonly discount: string;
  readonly tax: string;
  readonly amount: string;
  /** The amount carried forward from page to page. */
  readonly amountCents: bigint;
}

export interface PaperRate {
  readonly label: string;
  readonly base: string;
  readonly quota: string;
}

export interface Sum {
  readonly label: string;
  readonly amount: string;
}

/** Shown where there is no quota. */
const NOTHING = '–';

/** Whether some line is taxed on the margin, which the customer must not learn. */
interface Margin {
  readonly hasMargin: boolean;
}

export function paperOf(invoice: IssuedInvoice, { draft }: { draft: boolean }): Paper {
  const { tipoFactura } = invoice;
  const heading = draft ? ['Borrador'] : headingOf(tipoFactura);
  const isMargin = hidesTheTax(invoice);
  const hasMargin = isMargin || invoice.lines.some((line) => line.isMargen);
  const taxName = hasSeveralTaxes(invoice) ? 'Impuestos' : taxOf(invoice);
  const included = hasSeveralTaxes(invoice) ? 'impuestos incluidos' : `${taxName} incluido`;
  const taxIn = isSimplified(tipoFactura) && !isMargin ? `Total, ${included}` : null;
  const inPrices = hasSeveralTaxes(invoice) ? ' (imp.\u00a0incl.)' : ` (${taxName}\u00a0incl.)`;
  const said = taxIn && invoice.ivaIncluido ? inPrices : '';
  const registry = oneLine(invoice.emisor.datosRegistrales ?? '');
  return {
    title: draft ? 'Borrador de factura' : `${heading.join(' ')} ${oneLine(invoice.numSerie)}`,
    heading,
    issuer: issuerOf(invoice.emisor, { isIntraUnion: isIntraUnion(invoice) }),
    data: dataOf(invoice, { draft }),
    client: invoice.cliente && clientOf(invoice.cliente),
    reference: referenceOf(invoice, { hasMargin }),
    table: {
      taxName: isMargin ? null : taxName,
      hasDiscounts: invoice.lines.some(({ discount }) => scaled(discount, 2) !== 0n),
      priceLabel: `Precio${said}`,
      amountLabel: `Importe${said}`,
      rows: rowsOf(invoice, { isMargin }),
    },
    rates: isMargin
      ? []
      : shownDesglose(invoice)
          .flatMap((detalle) => ratesOf(detalle, { isOneOfSeveral: hasSeveralTaxes(invoice) }))
          .concat(destinationRates(invoice)),
    sums: isMargin ? [] : sumsOf(invoice, taxName, { hasMargin }),
    total: { label: taxIn ?? 'Total factura', amount: euros(scaled(invoice.total, 2)) },
    afterTotal: afterTotalOf(invoice),
    payment: paymentOf(invoice, { draft }),
    mentions: invoice.menciones.map(oneLine).filter(Boolean).map(keepArticles),
    notes: paragraphs(invoice.notas),
    foot: [invoice.emisor.nombre, registry || `NIF ${invoice.emisor.nif}`].map(oneLine).join(' · '),
    registry,
    qr: draft ? null : invoice.qr,
  };
}

/**
 * Used goods and travel agencies pay tax on a margin that the customer must not learn: neither rate nor quota may be
 * shown separately (RD 1619/2012 art. 16.2.c and art. 6.1.n).
 */
function hidesTheTax({ claveRegimen, lines }: IssuedInvoice): boolean {
  if (lines.length > 0 && lines.every((line) => line.isMargen)) return true;
  // Issued before each line had its own clave: that of the invoice applied to all.
  const isOld = (claveRegimen === '03' || claveRegimen === '05') && !lines.some(isMargenLine);
  return isOld && lines.some(({ vatRate, impuesto }) => vatRate !== null && impuesto !== 'IPSI');
}

/** Lines with IVA, IGIC or IPSI in one invoice, which older versions could register: each rate then names its tax. */
function hasSeveralTaxes({ lines }: IssuedInvoice): boolean {
  const taxed = lines.filter((line) => line.CalificacionOperacion || line.OperacionExenta);
  return new Set(taxed.map(({ impuesto }) => impuesto)).size > 1;
}

function isMargenLine(line: IssuedLine): boolean {
  return line.isMargen === true;
}

/** What the customer may see: neither the margin nor another State's tax presented as a base. */
function shownDesglose({ desglose, lines, ivaDestino }: IssuedInvoice): IssuedDesglose[] {
  const hasMargin = lines.some(isMargenLine);
  return desglose.filter(
    (group) => !(hasMargin && isMargen(group)) && !(ivaDestino && isOss(group)),
  );
}

function destinationRates({ ivaDestino = [] }: IssuedInvoice): PaperRate[] {
  return ivaDestino.map(({ tipo, base, cuota }) => ({
    label: `IVA de destino ${percent(tipo)}`,
    base: amount(scaled(base, 2)),
    quota: amount(scaled(cuota, 2)),
  }));
}

/** The heading, and the line below it. */
export function headingOf(tipoFactura: TipoFactura): string[] {
  if (isRectificativa(tipoFactura)) return ['Factura', 'rectificativa'];
  return tipoFactura === 'F2' ? ['Factura', 'simplificada'] : ['Factura'];
}

/**
 * Whether the issuer acts with its NIF-IVA: a supply of goods to another State, or a service to a business there (RD
 * 1619/2012 art. 6.1.d, «con el que ha realizado la operación»; RD 1065/2007 art. 25; Directive 2006/112/CE arts. 215
 * and 226.3).
 */
function isIntraUnion({ cliente, desglose }: IssuedInvoice): boolean {
  if (cliente?.idOtro?.IDType !== '02') return false;
  return desglose.some(
    ({ Impuesto, OperacionExenta, CalificacionOperacion }) =>
      Impuesto === '01' && (OperacionExenta === 'E5' || CalificacionOperacion === 'N2'),
  );
}

function issuerOf(
  { nombre, nif, direccion, postCode, provincia, pais, telefono = '', municipio = '' }: Emisor,
  { isIntraUnion }: { readonly isIntraUnion: boolean },
): Party {
  return {
    name: oneLine(nombre),
    lines: [
      isIntraUnion ? `NIF-IVA ES${nif}` : `NIF ${nif}`,
      direccion,
      placeOf({ direccion, postCode, municipio, provincia }),
      countryName(pais),
      telefono && `Tel. ${telefono}`,
    ]
      .map(oneLine)
      .filter(Boolean),
  };
}

function clientOf({
  nombre,
  nif,
  idOtro,
  direccion,
  postCode,
  countryCode,
  municipio = '',
}: ClienteEmitido): Party {
  const provincia = provinceOf(postCode, countryCode) ?? '';
  const place = placeOf({ direccion, postCode, municipio, provincia });
  const address = [direccion, place, countryName(countryCode)].map(oneLine).filter(Boolean);
  return {
    name: oneLine(nombre),
    lines: [nif ? `NIF ${nif}` : idOtro ? idOtroText(idOtro) : '', address.join(', ')].filter(
      Boolean,
    ),
  };
}

/** `50500 Tarazona (Zaragoza)`: with the town, if it is known and the address does not already end with it. */
function placeOf({
  direccion,
  postCode,
  municipio,
  provincia,
}: {
  readonly direccion: string;
  readonly postCode: string;
  readonly municipio: string;
  readonly provincia: string;
}): string {
  const town = oneLine(municipio);
  const isSaid = fold(oneLine(direccion)).endsWith(fold(town));
  if (town === '' || isSaid || fold(town) === fold(provincia)) return `${postCode} ${provincia}`;
  return `${postCode} ${town}${provincia && ` (${provincia})`}`;
}

/** The AEAT's list L7, in words. */
const ID_TYPE: Readonly<Record<IdOtro['IDType'], string>> = {
  '02': 'NIF-IVA',
  '03': 'Pasaporte',
  '04': 'Documento de identificación',
  '05': 'Certificado de residencia',
  '06': 'Documento probatorio',
  '07': 'NIF no censado',
};

function idOtroText({ IDType, ID }: IdOtro): string {
  return `${ID_TYPE[IDType]} ${oneLine(ID)}`;
}

function countryName(code: string): string {
  return code === 'ES' ? '' : (paisOf(code)?.label ?? code);
}

function dataOf(invoice: IssuedInvoice, { draft }: { draft: boolean }): Datum[] {
  const [due, ...more] = invoice.vencimientos;
  const isDueLater = due && more.length === 0 && due.fecha !== invoice.fechaExpedicion;
  const number: Datum = draft
    ? { label: 'Número', value: 'Se asignará al registrar', kind: 'pending' }
    : { label: 'Número', value: oneLine(invoice.numSerie), kind: 'number' };
  const days: [string, string | null][] = [
    ['Fecha de expedición', invoice.fechaExpedicion],
    ['Fecha de operación', invoice.fechaOperacion],
    ['Vencimiento', isDueLater ? due.fecha : null],
  ];
  return [number, ...days.flatMap(([label, day]) => (day ? [{ label, value: fechaEs(day) }] : []))];
}

/** The reason for rectifying, with the article of the Ley del IVA (RD 1619/2012 art. 15.4 requires the cause). */
const CAUSE: Readonly<Partial<Record<TipoFactura, string>>> = {
  R1: 'error fundado en derecho o art. 80.Uno, Dos y Seis de la Ley 37/1992',
  R2: 'concurso de acreedores (art. 80.Tres de la Ley 37/1992)',
  R3: 'crédito incobrable (art. 80.Cuatro de la Ley 37/1992)',
  R4: 'otras causas (art. 15 del Real Decreto 1619/2012)',
  R5: 'factura simplificada (art. 15 del Real Decreto 1619/2012)',
};

/** The same for IGIC and IPSI, which have other laws: no article is required. */
const CAUSE_OF_ISLANDS: typeof CAUSE = {
  ...CAUSE,
  R1: 'error fundado en derecho, devolución, descuento o cambio de precio',
  R2: 'concurso de acreedores',
  R3: 'crédito incobrable',
};

function causeOf({ tipoFactura, lines }: IssuedInvoice): string {
  const isOfIslands = lines.length > 0 && lines.every(({ impuesto }) => impuesto !== 'IVA');
  return (isOfIslands ? CAUSE_OF_ISLANDS : CAUSE)[tipoFactura] ?? '';
}

function referenceOf(invoice: IssuedInvoice, { hasMargin }: Margin): Reference | null {
  if (invoice.tipoFactura === 'F3') {
    return {
      label: 'Sustituye',
      invoices: invoice.sustituye.map(referenceText),
      lines: [
        'Emitida en sustitución de facturas simplificadas (art. 15.6 del Real Decreto 1619/2012).',
      ],
    };
  }
  if (!isRectificativa(invoice.tipoFactura)) return null;
  const method = invoice.tipoRectificativa === 'S' ? 'por sustitución' : 'por diferencias';
  return {
    label: 'Rectifica',
    invoices: invoice.rectifies.map(referenceText),
    lines: [
      keepArticles(`Rectificación ${method}: ${causeOf(invoice)}.`),
      ...(invoice.importeRectificacion
        ? [
            rectifiedText(invoice.importeRectificacion, { hasMargin }),
            changeText(invoice, invoice.importeRectificacion, { hasMargin }),
          ]
        : []),
    ],
  };
}

/** Keeps «Ley 37/1992» and «art. 20» on one line. */
function keepArticles(text: string): string {
  return text.replace(/(Ley|Decreto|Directiva|art[.s]*|artículos?) (?=\d)/g, '$1\u00a0');
}

/** An invoice of another program is marked as such: it cannot be found here. */
function referenceText({ numSerie, fecha, externa }: ReferencedInvoice): string {
  const day = fecha ? ` de ${fechaEs(fecha)}` : '';
  return `Factura ${oneLine(numSerie)}${day}${externa ? ' (externa)' : ''}`;
}

/**
 * Amounts of the replaced invoice, for a substitution (AEAT: ImporteRectificacion). When base and quota are not the
 * whole amount, or belong to a margin, only what the customer knows is shown: the total.
 */
function rectifiedText(rectified: Rectified, { hasMargin }: Margin): string {
  const { base, cuota, recargo, total } = rectified;
  if (hasMargin || total !== undefined) {
    return `Importe rectificado ${euros(scaled(total ?? sumText([base, cuota, recargo]), 2))}`;
  }
  const parts = [
    `Base rectificada ${euros(scaled(base, 2))}`,
    `Cuota rectificada ${euros(scaled(cuota, 2))}`,
  ];
  if (scaled(recargo, 2) !== 0n) parts.push(`Recargo rectificado ${euros(scaled(recargo, 2))}`);
  return parts.join(' · ');
}

/**
 * When base and quota are given as corrected, the law also requires the amount of the rectification (RD 1619/2012
 * art. 15.5). It is shown like the replaced amounts: by its parts, or only the total that the customer knows.
 */
function changeText(invoice: IssuedInvoice, rectified: Rectified, { hasMargin }: Margin): string {
  const { base, cuota, recargo, total } = rectified;
  const change = (now: string, before: string) => euros(scaled(now, 2) - scaled(before, 2));
  if (hasMargin || total !== undefined) {
    const before = total ?? sumText([base, cuota, recargo]);
    return `Importe de la rectificación ${change(invoice.total, before)}`;
  }
  const nowBase = sumText(invoice.desglose.map((group) => group.base));
  const parts = [
    `Importe de la rectificación: base ${change(nowBase, base)}`,
    `cuota ${change(invoice.vat, cuota)}`,
  ];
  const bearsRecargo = [recargo, invoice.recargo].some((text) => scaled(text, 2) !== 0n);
  if (bearsRecargo) parts.push(`recargo ${change(invoice.recargo, recargo)}`);
  return parts.join(' · ');
}

type Rectified = NonNullable<IssuedInvoice['importeRectificacion']>;

function rowsOf(invoice: IssuedInvoice, { isMargin }: { isMargin: boolean }): PaperRow[] {
  const printed = printedLines(invoice, { taxIn: isMargin || isSimplified(invoice.tipoFactura) });
  return invoice.lines.map((line, index) => {
    const { priceE6 = 0n, amountCents = 0n } = printed[index] ?? {};
    return {
      description: paragraphs(line.description),
      quantity: quantityText(line, invoice),
      price: unitPrice(priceE6),
      discount: scaled(line.discount, 2) === 0n ? '' : percent(line.discount),
      tax:
        isMargin || line.isMargen
          ? ''
          : named(taxText(line), hasSeveralTaxes(invoice) ? line.impuesto : null),
      amount: amount(amountCents),
      amountCents,
    };
  });
}

/** For a credit por diferencias, the quantity is negative and the price positive. */
function quantityText(
  { quantity, unit }: IssuedLine,
  { tipoRectificativa }: IssuedInvoice,
): string {
  const sign = tipoRectificativa === 'I' && scaled(quantity, 4) > 0n ? '-' : '';
  return [figure(`${sign}${quantity}`), oneLine(unitText(unit, quantity))]
    .filter(Boolean)
    .join(' ');
}

type Taxed = Pick<
  IssuedLine,
  'CalificacionOperacion' | 'OperacionExenta' | 'vatRate' | 'tipoDestino'
>;

function taxText({ CalificacionOperacion, OperacionExenta, vatRate, tipoDestino }: Taxed): string {
  if (tipoDestino) return percent(tipoDestino);
  if (OperacionExenta) return 'Exenta';
  if (CalificacionOperacion === 'S2') return 'ISP';
  if (vatRate !== null) return percent(vatRate);
  return CalificacionOperacion ? 'No sujeta' : '';
}

/** `IGIC 7 %`, if the invoice has more than one tax. */
function named(text: string, impuesto: string | null): string {
  return impuesto && /\d/.test(text) ? `${impuesto} ${text}` : text;
}

/** A rate with its base, and below it the recargo on that base. Without a rate, the reason. */
function ratesOf(
  detalle: IssuedDesglose,
  { isOneOfSeveral }: { isOneOfSeveral: boolean },
): PaperRate[] {
  const base = amount(scaled(detalle.base, 2));
  const hasQuota = detalle.CalificacionOperacion === 'S1';
  const rate = {
    label: named(
      detalle.CalificacionOperacion === 'S2' ? 'Inversión del sujeto pasivo' : taxText(detalle),
      isOneOfSeveral ? nombreImpuesto(detalle.Impuesto) : null,
    ),
    base,
    quota: hasQuota ? amount(scaled(detalle.quota, 2)) : NOTHING,
  };
  if (!hasRecargo(detalle)) return [rate];
  return [
    rate,
    {
      label: `R.E. ${percent(detalle.recargoRate ?? '0')}`,
      base,
      quota: amount(scaled(detalle.recargo, 2)),
    },
  ];
}

function hasRecargo({ recargoRate }: IssuedDesglose): boolean {
  return recargoRate !== null && scaled(recargoRate, 2) !== 0n;
}

/** The only tax of an invoice; without lines yet, the tax of the company's territory. */
function taxOf({ lines, emisor }: IssuedInvoice): string {
  if (lines.length > 0) return lines[0]?.impuesto ?? 'IVA';
  return impuestoOf(territoryOf(emisor.postCode, emisor.pais));
}

function sumsOf(invoice: IssuedInvoice, taxName: string, { hasMargin }: Margin): Sum[] {
  const cents = (lines: readonly IssuedLine[]) =>
    lines.reduce((sum, { base }) => sum + scaled(base, 2), 0n);
  // Beside lines taxed on the margin, base and quota are only those of the others.
  const base = hasMargin
    ? cents(invoice.lines.filter((line) => !line.isMargen))
    : scaled(invoice.base, 2);
  const vat = hasMargin
    ? shownDesglose(invoice).reduce((sum, { quota }) => sum + scaled(quota, 2), 0n)
    : scaled(invoice.vat, 2);
  const destination = (invoice.ivaDestino ?? []).reduce(
    (sum, { cuota }) => sum + scaled(cuota, 2),
    0n,
  );
  return [
    { label: 'Base imponible', amount: euros(base) },
    ...(invoice.ivaDestino && vat === 0n ? [] : [{ label: taxName, amount: euros(vat) }]),
    ...(invoice.ivaDestino
      ? [{ label: 'IVA del país de destino', amount: euros(destination) }]
      : []),
    ...(hasMargin
      ? [
          {
            label: 'En régimen especial',
            amount: euros(cents(invoice.lines.filter((line) => line.isMargen))),
          },
        ]
      : []),
    ...(invoice.desglose.some(hasRecargo)
      ? [{ label: 'Recargo de equivalencia', amount: euros(scaled(invoice.recargo, 2)) }]
      : []),
  ];
}

/**
 * Retention and suplidos are not part of the invoice's total: the registro and the QR carry the total, and the
 * customer pays what remains.
 */
function afterTotalOf(invoice: IssuedInvoice): Sum[] {
  const { retencionRate, retencion, suplidos, pagado, payable } = invoice;
  if (retencionRate === null && !suplidos && !pagado) return [];
  const owed = payableSum(scaled(payable, 2), invoice.tipoFactura);
  return [
    ...(retencionRate === null
      ? []
      : [
          {
            label: `Retención IRPF ${percent(retencionRate)}`,
            amount: euros(-scaled(retencion, 2)),
          },
        ]),
    ...(suplidos ? [{ label: 'Suplidos', amount: euros(scaled(suplidos.importe, 2)) }] : []),
    ...(pagado ? [{ label: 'Ya pagado', amount: euros(-scaled(pagado.importe, 2)) }] : []),
    { label: owed.label, amount: euros(owed.cents) },
  ];
}

/**
 * For a credit, how the money is given back: it has no payment terms or due dates. For what is not paid nothing is given
 * back.
 */
function paymentOf(invoice: IssuedInvoice, { draft }: { draft: boolean }): Datum[] {
  const isCredit = scaled(invoice.total, 2) < 0n;
  const method = isCredit && isPorImpago(invoice.tipoFactura) ? '' : oneLine(invoice.formaPago);
  const isPaid = invoice.pagado !== undefined && invoice.vencimientos.length === 0;
  const needsConcept = /^transferencia/i.test(method) && !draft && !isPaid;
  const due = invoice.vencimientos.map(
    ({ fecha, importe }) => `${fechaEs(fecha)} · ${euros(scaled(importe, 2))}`,
  );
  return [
    { label: isCredit ? 'Abono' : 'Forma de pago', value: method },
    { label: 'Plazo de pago', value: isCredit ? '' : oneLine(invoice.terminoPago) },
    { label: 'Vencimientos', value: due.length > 1 ? due.join('\n') : '' },
    { label: 'IBAN', value: isCredit ? '' : ibanInGroups(invoice.iban ?? '') },
    { label: 'Concepto', value: needsConcept ? oneLine(invoice.numSerie) : '' },
    { label: 'Suplidos', value: oneLine(invoice.suplidos?.concepto ?? '') },
  ].filter(({ value }) => value !== '');
}
