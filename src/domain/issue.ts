import type { TerminoPago } from './catalogs/catalogs.ts';
import { type Customer, MAX_ID } from './customer.ts';
import { cut, lengthOf } from './cut.ts';
import { addDays, endOfMonth } from './dates.ts';
import { nombreImpuesto } from './impuestos.ts';
import {
  type ClienteEmitido,
  type DraftInvoice,
  type Emisor,
  type IdOtro,
  type IssuedInvoice,
  type IssuedLine,
  isSimplified,
  type ReferencedInvoice,
  type TipoFactura,
  type TipoIdentificacion,
  tipoFacturaOf,
  type Vencimiento,
} from './invoice.ts';
import { centsToText, decimalToText, divRound, sumText, textToCents } from './money.ts';
import { checkNif, normaliseNif } from './nif.ts';
import { matchNifIva } from './nif-iva.ts';
import type { Cobro, PagadoAntes } from './paid-before.ts';
import { timesTogether } from './replaced-together.ts';
import { type ComputedLine, claveRegimenOf, type Desglose, type InvoiceTotals } from './totals.ts';
import { recargoBps, vatRateBps } from './vat.ts';

/** An invoice that the new one rectifies or replaces, with its amounts (signed decimal text). */
export interface Original extends ReferencedInvoice {
  readonly base: string;
  readonly cuota: string;
  readonly recargo: string;
  /** ImporteTotal, if known: under a margin scheme it is more than base, cuota and recargo. */
  readonly total?: string;
  /** For an invoice of ours: its kind, its customer, its status, and the F3 for which it was exchanged, if any. */
  readonly tipoFactura?: TipoFactura;
  readonly cliente?: ClienteEmitido | null;
  readonly isAnulada?: boolean;
  /** It was annulled, and the AEAT has not answered that yet. */
  readonly seAnula?: boolean;
  /** The AEAT refused it, and holds nothing of it. */
  readonly noConsta?: boolean;
  readonly canjeadaPor?: string | null;
  /** For an invoice of ours: its valid rectificativas, and the invoices of ours that it rectifies itself. */
  readonly corregidaPor?: readonly string[];
  /** How each of `corregidaPor` changed what is owed, in decimal text. */
  readonly cambios?: readonly string[];
  readonly corrige?: readonly string[];
  /** For an invoice of ours: the prices of its lines include the tax. */
  readonly ivaIncluido?: boolean;
  /** For a rectificativa por sustitución: the amounts it replaces, which its own amounts include. */
  readonly sustituido?: Importes;
  /** For an invoice of ours: how it is paid. */
  readonly cobro?: Cobro;
}

/** The amounts of an invoice, in decimal text. */
export type Importes = Pick<Original, 'base' | 'cuota' | 'recargo' | 'total'>;

/** What was invoiced, in cents: the ImporteTotal or, if unknown, the sum of its parts. */
export function totalOf({ base, cuota, recargo, total }: Importes): bigint {
  return textToCents(total ?? sumText([base, cuota, recargo]));
}

/**
 * What several invoices amount to together. One that is named beside an invoice that it had replaced counts only for
 * the change, because its own amounts include that one's.
 */
export function totalTogether(originals: readonly Original[]): bigint {
  return together(originals).reduce(
    (sum, { times, original }) => sum + times * totalOf(original),
    0n,
  );
}

/** Whether they had replaced each other in too many ways to tell what they amount to together. */
export function areTangled(originals: readonly Original[]): boolean {
  return timesTogether(originals, numbersReplaced) === null;
}

interface Counted {
  readonly original: Original;
  readonly times: bigint;
}

/** Those that are too tangled count once. */
function together(originals: readonly Original[]): Counted[] {
  const times = timesTogether(originals, numbersReplaced);
  return originals.map((original, index) => ({ original, times: BigInt(times?.[index] ?? 1) }));
}

function numbersReplaced({ sustituido, corrige = [] }: Original): readonly string[] {
  return sustituido ? corrige : [];
}

/**
 * Whether this is a rectificativa por sustitución of an invoice that gave money back. It gives money back too, so its
 * lines may have negative quantities, as on the invoice that it replaces.
 */
export function isReplacingAbono(
  draft: Pick<DraftInvoice, 'type' | 'tipoRectificativa'>,
  originals: readonly Original[],
): boolean {
  const isReplacing = draft.type === 'abono' && draft.tipoRectificativa === 'S';
  return isReplacing && totalTogether(originals) < 0n;
}

export interface IssueInput {
  readonly draft: DraftInvoice;
  readonly totals: InvoiceTotals;
  readonly numSerie: string;
  readonly emisor: Emisor;
  readonly cliente: ClienteEmitido | null;
  /** Hundredths of a percent, checked by the rules; zero without retention. */
  readonly retencionBps: bigint;
  readonly originals: readonly Original[];
  /** Mention for the clave de régimen of the whole invoice, if the law requires one. */
  readonly leyendaRegimen: string | null;
  readonly formaPago: string;
  /** Account of the company, when the customer pays by transfer; empty otherwise. */
  readonly iban?: string;
  readonly terminoPago: TerminoPago | null;
  /** For an F3: what was paid with the simplified invoices that it replaces. */
  readonly pagadoAntes?: PagadoAntes | null;
  readonly urlQr: (importeTotal: string) => string;
  readonly esDemo: boolean;
}

/**
 * Freezes a draft as the invoice that is issued.
 *
 * From here on nothing is computed again: every amount is the decimal text that goes into the huella, the XML, the
 * QR, the PDF and the database. Contents: RD 1619/2012 arts. 6 and 7.
 */
export function issueInvoice(input: IssueInput): IssuedInvoice {
  const { draft, totals } = input;
  const tipoFactura = tipoFacturaOf(draft);
  const total = centsToText(totals.totalCents);
  const pagado = tipoFactura === 'F3' ? input.pagadoAntes : null;
  const payable = totals.payableCents - textToCents(pagado?.importe ?? '0.00');
  return {
    tipoFactura,
    tipoRectificativa: draft.type === 'abono' ? draft.tipoRectificativa : null,
    numSerie: input.numSerie,
    fechaExpedicion: draft.invoiceDate,
    fechaOperacion:
      draft.fechaOperacion && draft.fechaOperacion !== draft.invoiceDate
        ? draft.fechaOperacion
        : null,
    emisor: input.emisor,
    cliente: isSimplified(tipoFactura) ? null : input.cliente,
    ...(draft.ivaIncluido && { ivaIncluido: true as const }),
    lines: totals.lines.map((line) => issuedLine(line, draft.claveRegimen)),
    desglose: totals.desglose.map(issuedDesglose),
    base: centsToText(totals.baseCents),
    vat: centsToText(totals.vatCents),
    recargo: centsToText(totals.recargoCents),
    cuotaTotal: centsToText(totals.vatCents + totals.recargoCents),
    total,
    ...(totals.ivaDestino.length > 0 && {
      ivaDestino: totals.ivaDestino.map(({ tipoBps, baseCents, cuotaCents }) => ({
        tipo: percentText(tipoBps),
        base: centsToText(baseCents),
        cuota: centsToText(cuotaCents),
      })),
    }),
    ...(totals.suplidosCents !== 0n && {
      suplidos: {
        importe: centsToText(totals.suplidosCents),
        concepto: draft.suplidosConcepto?.trim() ?? '',
      },
    }),
    retencionRate: input.retencionBps === 0n ? null : percentText(input.retencionBps),
    retencion: centsToText(totals.retencionCents),
    ...(pagado && { pagado: { importe: pagado.importe, fecha: pagado.fecha } }),
    payable: centsToText(payable),
    claveRegimen: draft.claveRegimen,
    ...references(tipoFactura, draft, input.originals),
    descripcionOperacion: descripcionOperacion(totals.lines),
    menciones: mencionesOf(totals.desglose, input.leyendaRegimen),
    notas: draft.notas?.trim() ?? '',
    ...(pagado && payable <= 0n ? paidInFull(pagado) : paymentTerms(input, payable)),
    qr: input.urlQr(total),
    esDemo: input.esDemo,
  };
}

type Payment = Pick<IssuedInvoice, 'formaPago' | 'iban' | 'terminoPago' | 'vencimientos'>;

function paymentTerms(input: IssueInput, payableCents: bigint): Payment {
  const { draft, formaPago, iban, terminoPago } = input;
  return {
    formaPago,
    ...(iban && { iban }),
    terminoPago: terminoPago?.Description ?? '',
    vencimientos: terminoPago ? vencimientos(draft.invoiceDate, payableCents, terminoPago) : [],
  };
}

/** Nothing is due, and no account is named to pay it into. */
function paidInFull({ formaPago }: PagadoAntes): Payment {
  return { formaPago, terminoPago: '', vencimientos: [] };
}

/**
 * The customer as it is when the invoice is issued.
 *
 * @param chosen the kind of identification, when the invoice states one: `07` for a NIF that is not in the AEAT's
 *   census (list L7, code 2001); empty to use what its card says or implies
 */
export function clienteEmitido(
  customer: Omit<Customer, 'PaymentMethod' | 'PaymentTerms'>,
  chosen: TipoIdentificacion | '' = '',
): ClienteEmitido {
  const tipo = chosen || customer.tipoIdentificacion;
  return {
    no: customer.No,
    nombre: customer.Name,
    ...(tipo && customer.VATRegistrationNo
      ? { nif: null, idOtro: idOtroOf(tipo, customer.countryCode, customer.VATRegistrationNo) }
      : identification(customer)),
    direccion: customer.Address,
    postCode: customer.postCode,
    countryCode: customer.countryCode,
    email: customer.Email,
    postingGroup: customer.CustomerPostingGroup,
    ...placeAndOffice(customer),
  };
}

/** Customer data that only some electronic invoices carry; empty fields are left out. */
function placeAndOffice({
  municipio,
  oficinaContable = '',
  organoGestor = '',
  unidadTramitadora = '',
  organoProponente = '',
}: Partial<Customer>): Pick<ClienteEmitido, 'municipio' | 'dir3'> {
  const dir3 = { oficinaContable, organoGestor, unidadTramitadora, organoProponente };
  return {
    ...(municipio && { municipio }),
    ...(Object.values(dir3).some(Boolean) && { dir3 }),
  };
}

/** `CodigoPais` is left out with 02, whose number begins with the country; for 07 it is always Spain. */
function idOtroOf(IDType: TipoIdentificacion, countryCode: string, text: string): IdOtro {
  const ID = cut(text, MAX_ID);
  if (IDType === '02') return { IDType, ID: matchNifIva(countryCode, text) ?? ID };
  if (IDType === '07') return { CodigoPais: 'ES', IDType, ID: normaliseNif(text) };
  return { CodigoPais: countryCode, IDType, ID };
}

/**
 * NIFs of foreign entities and of permanent establishments. Other entities are resident in Spain, and passport numbers
 * often look like theirs: a letter, seven digits and a control character.
 */
const ENTITY_ABROAD = /^[NW]/;

/**
 * How a customer is identified. In Spain, by its NIF. Abroad, by a NIF-IVA of its country (`02`, without country) if it
 * has one; otherwise by a Spanish NIF, which for a Spaniard is the DNI wherever they live (RD 1065/2007 art. 19.1);
 * otherwise by a document of the country of residence (`04`). Private persons of the Union have no NIF-IVA, even if the
 * number that their State gives them looks like one: VIES does not know it (1121).
 */
function identification({
  countryCode,
  VATRegistrationNo: text,
  CustomerPostingGroup: group,
}: Pick<Customer, 'countryCode' | 'VATRegistrationNo' | 'CustomerPostingGroup'>): Pick<
  ClienteEmitido,
  'nif' | 'idOtro'
> {
  if (!text) return { nif: null, idOtro: null };
  if (countryCode === 'ES') return { nif: normaliseNif(text), idOtro: null };
  const nifIva = group === 'UEPART' ? null : matchNifIva(countryCode, text);
  if (nifIva) return { nif: null, idOtro: { IDType: '02', ID: nifIva } };
  const check = checkNif(text);
  // Numbers of Cyprus have eight digits and a letter: one in 23 would pass for a DNI.
  const isLocal = countryCode === 'CY' && /^\d/.test(text);
  if (check.ok && !isLocal && (check.kind === 'persona' || ENTITY_ABROAD.test(check.nif))) {
    return { nif: check.nif, idOtro: null };
  }
  return { nif: null, idOtro: { CodigoPais: countryCode, IDType: '04', ID: cut(text, MAX_ID) } };
}

/** A line in its frozen form, as text. */
export function issuedLine(line: ComputedLine, claveRegimen: string): IssuedLine {
  const { group } = line;
  const ClaveRegimen = group ? claveRegimenOf(group, claveRegimen) : '01';
  const recargo = group ? recargoBps(group) : null;
  const rate = group ? vatRateBps(group) : null;
  return {
    description: line.description,
    quantity: decimalToText(line.quantityE4, 4),
    price: decimalToText(line.priceE6, 6, 2),
    discount: decimalToText(line.discountBps, 2),
    unit: line.unit ?? null,
    productNo: line.productNo ?? null,
    tax: line.tax,
    impuesto: nombreImpuesto(group?.verifactu.Impuesto),
    CalificacionOperacion: group?.verifactu.CalificacionOperacion ?? null,
    OperacionExenta: group?.verifactu.OperacionExenta ?? null,
    vatRate: rate === null || line.isMargen ? null : percentText(rate),
    recargoRate: recargo === null || line.isMargen ? null : percentText(recargo),
    base: centsToText(line.baseCents),
    total: centsToText(line.totalCents),
    ...(line.isMargen && { isMargen: true as const }),
    ...(line.tipoDestinoBps > 0n && { tipoDestino: percentText(line.tipoDestinoBps) }),
    ...(ClaveRegimen !== '01' && { ClaveRegimen }),
  };
}

function issuedDesglose(group: Desglose): IssuedInvoice['desglose'][number] {
  return {
    Impuesto: group.Impuesto,
    ClaveRegimen: group.ClaveRegimen,
    CalificacionOperacion: group.CalificacionOperacion,
    OperacionExenta: group.OperacionExenta,
    vatRate: group.vatRateBps === null ? null : percentText(group.vatRateBps),
    recargoRate: group.recargoBps === null ? null : percentText(group.recargoBps),
    base: centsToText(group.baseCents),
    quota: centsToText(group.quotaCents),
    recargo: centsToText(group.recargoCents),
  };
}

/** An F3 replaces simplified invoices; a rectificativa refers to what it rectifies (art. 15). */
function references(
  tipoFactura: TipoFactura,
  draft: DraftInvoice,
  originals: readonly Original[],
): Pick<IssuedInvoice, 'rectifies' | 'sustituye' | 'importeRectificacion'> {
  const referenced = originals.map(({ numSerie, fecha, externa }) => ({
    numSerie,
    fecha,
    externa,
  }));
  if (tipoFactura === 'F3') {
    return { rectifies: [], sustituye: referenced, importeRectificacion: null };
  }
  if (draft.type !== 'abono') return { rectifies: [], sustituye: [], importeRectificacion: null };
  return {
    rectifies: referenced,
    sustituye: [],
    importeRectificacion: draft.tipoRectificativa === 'S' ? importeRectificacion(originals) : null,
  };
}

/** What a rectificativa por sustitución of those invoices replaces. */
export function importeRectificacion(originals: readonly Original[]): Importes {
  const counted = together(originals);
  const sumOf = (amount: 'base' | 'cuota' | 'recargo') =>
    centsToText(
      counted.reduce((sum, { original, times }) => sum + times * textToCents(original[amount]), 0n),
    );
  const [base, cuota, recargo] = [sumOf('base'), sumOf('cuota'), sumOf('recargo')];
  const total = centsToText(totalTogether(originals));
  const isMore = total !== sumText([base, cuota, recargo]);
  return { base, cuota, recargo, ...(isMore && { total }) };
}

/** At most 500 characters (`DescripcionOperacion`): as many of the lines' descriptions as fit whole. */
function descripcionOperacion(lines: readonly ComputedLine[]): string {
  const LIMIT = 500;
  let text = '';
  for (const { description } of lines) {
    const clean = description.replace(/\s+/g, ' ').trim();
    if (!clean) continue;
    const longer = text ? `${text}; ${clean}` : clean;
    if (lengthOf(longer) > LIMIT) return text || cut(clean, LIMIT);
    text = longer;
  }
  return text;
}

/** Each mention once, in the order of the desglose (RD 1619/2012 art. 6.1.j to p). */
export function mencionesOf(
  desglose: readonly Desglose[],
  leyendaRegimen: string | null,
): string[] {
  const texts = [...desglose.flatMap((group) => group.leyendas), leyendaRegimen];
  return [...new Set(texts.filter((text): text is string => Boolean(text)))];
}

/**
 * The due dates. With instalments, the last one takes the remaining cents.
 *
 * @param payableCents what the customer pays, after retention; nothing is due for a credit
 */
export function vencimientos(
  fecha: string,
  payableCents: bigint,
  termino: TerminoPago,
): Vencimiento[] {
  if (payableCents <= 0n) return [];
  const due = (dias: number) => {
    const day = addDays(fecha, dias);
    return termino.finDeMes ? endOfMonth(day) : day;
  };
  if (!termino.plazos) return [{ fecha: due(termino.Dias), importe: centsToText(payableCents) }];
  let left = payableCents;
  return termino.plazos.map(({ dias, porcentaje }, index, all) => {
    const isLast = index === all.length - 1;
    const share = isLast ? left : divRound(payableCents * BigInt(porcentaje), 100n);
    left -= share;
    return { fecha: due(dias), importe: centsToText(share) };
  });
}

/** `2100n` → `'21'`, `750n` → `'7.5'`. */
function percentText(bps: bigint): string {
  return decimalToText(bps, 2);
}
