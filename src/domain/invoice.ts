/**
 * An invoice before and after it is issued. The draft is what the form contains; the issued invoice is frozen when it
 * is registered, and both registro and PDF are made from it alone.
 */

import type { Dir3 } from './dir3.ts';
import type { InvoiceItemInput } from './totals.ts';

/** F4 exists in the form but not in VERI*FACTU: it can be saved as a draft, but never registered. */
export type TipoFactura = 'F1' | 'F2' | 'F3' | 'F4' | 'R1' | 'R2' | 'R3' | 'R4' | 'R5';

/** `I` por diferencias, `S` por sustitución. */
export type TipoRectificativa = 'I' | 'S';

/** The fields of the contract's draft that the rules read; the contract's own type is compatible with it. */
export interface DraftInvoice {
  readonly type: 'factura' | 'abono';
  /** `YYYY-MM-DD`. */
  readonly invoiceDate: string;
  /** 0 to 3 is F1 to F4. */
  readonly invoiceType: number;
  /** 0 to 4 is R1 to R5. */
  readonly crmemoType: number;
  /** Code of the customer; empty without one. */
  readonly invoiceClient: string;
  readonly typeClient: string;
  readonly isSimplificada: boolean;
  readonly claveRegimen: string;
  readonly invoiceItems: readonly InvoiceItemInput[];
  /** Number of the invoice that this one rectifies or, for an F3, replaces. */
  readonly invoiceToRectify: string;
  readonly tipoRectificativa: TipoRectificativa;
  /** Day of that invoice if it was issued elsewhere; for several, see `fechaReferida`. */
  readonly invoiceToRectifyDate?: string | undefined;
  readonly fechaOperacion?: string | undefined;
  /** Per cent. */
  readonly retencionIRPF?: string | number | undefined;
  readonly notas?: string | undefined;
  /** Euros paid in the customer's name and on their account, and what for. Not part of ImporteTotal. */
  readonly suplidos?: string | number | undefined;
  readonly suplidosConcepto?: string | undefined;
  /** How the customer is identified (list L7); empty for what its card says. */
  readonly tipoIdentificacion?: TipoIdentificacion | '' | undefined;
  /** Amounts of an invoice issued elsewhere, when this one replaces it (ImporteRectificacion). */
  readonly baseRectificada?: string | number | undefined;
  readonly cuotaRectificada?: string | number | undefined;
  readonly recargoRectificado?: string | number | undefined;
  /** The prices of the lines include the tax (RD 1619/2012 art. 7.1.f; decision 0261). */
  readonly ivaIncluido?: boolean | undefined;
}

/** Numbers of the invoices that a draft rectifies or replaces (`invoiceToRectify`), in order. */
export function numbersNamed(invoiceToRectify: string): string[] {
  return invoiceToRectify
    .split(',')
    .map((number) => number.trim())
    .filter(Boolean);
}

/** As many as the AEAT's schema admits of `FacturasRectificadas` and `FacturasSustituidas`. */
export const MAX_NUMBERS_NAMED = 1000;

/**
 * The same, as far as they have to be looked up: one too many is enough to refuse them all, and the text of a draft has
 * room for thousands.
 */
export function numbersToLookUp(invoiceToRectify: string): string[] {
  return numbersNamed(invoiceToRectify).slice(0, MAX_NUMBERS_NAMED + 1);
}

/**
 * The day typed for one of the invoices named: either one day for all, or one for each, separated by commas in the
 * same order, and empty for an invoice of ours.
 */
export function fechaReferida(dates: string | undefined, index: number): string {
  const all = (dates ?? '').split(',').map((day) => day.trim());
  return (all.length === 1 ? all[0] : all[index]) ?? '';
}

/** What the AEAT holds under an invoice's number. `ajena`: a registro that is none of ours. */
export type EnAeat = 'nada' | 'alta' | 'anulacion' | 'ajena';

/** For a refused invoice: which declaration was refused, the last one, and what the AEAT holds. */
export interface Rechazo {
  readonly TipoRegistro: 'Alta' | 'Anulacion';
  readonly enAeat: EnAeat;
  /** Its status if the owner gives up the refused declaration; absent when there is nothing to go back to. */
  readonly alDejarla?: ComoQueda | undefined;
}

/** The status at the AEAT of an invoice of which a later declaration was refused. */
export type ComoQueda = 'Registrada' | 'Aceptado con errores' | 'Anulada';

/** List L7 of the AEAT: `02` NIF-IVA to `07` not in the census. */
export type TipoIdentificacion = '02' | '03' | '04' | '05' | '06' | '07';

const FACTURAS = ['F1', 'F2', 'F3', 'F4'] as const;
const ABONOS = ['R1', 'R2', 'R3', 'R4', 'R5'] as const;

/**
 * Whether it rectifies because the invoice is not paid: R2 for an insolvent customer, R3 for a bad debt (Ley 37/1992 art.
 * 80.Tres and Cuatro). It lowers the tax of an invoice that is still owed, so nobody gives money back.
 */
export function isPorImpago(tipoFactura: TipoFactura): boolean {
  return tipoFactura === 'R2' || tipoFactura === 'R3';
}

/** The «simplified» tick takes precedence over the chosen type: it makes an F2, or an R5. */
export function tipoFacturaOf(
  draft: Pick<DraftInvoice, 'type' | 'invoiceType' | 'crmemoType' | 'isSimplificada'>,
): TipoFactura {
  if (draft.type === 'abono') {
    return draft.isSimplificada ? 'R5' : (ABONOS[draft.crmemoType] ?? 'R1');
  }
  return draft.isSimplificada ? 'F2' : (FACTURAS[draft.invoiceType] ?? 'F1');
}

/** The fields that make an invoice simplified, as the form keeps them: the tick and both codes, whichever were sent. */
export function simplifiedFields(
  draft: Pick<DraftInvoice, 'type' | 'invoiceType' | 'crmemoType' | 'isSimplificada'>,
): Partial<Pick<DraftInvoice, 'invoiceType' | 'crmemoType' | 'isSimplificada'>> {
  if (!isSimplified(tipoFacturaOf(draft))) return {};
  return {
    isSimplificada: true,
    invoiceType: FACTURAS.indexOf('F2'),
    crmemoType: ABONOS.indexOf('R5'),
  };
}

/** `-1n` for an abono por diferencias: positive amounts typed in it are credited. */
export function signOf(draft: Pick<DraftInvoice, 'type' | 'tipoRectificativa'>): 1n | -1n {
  return draft.type === 'abono' && draft.tipoRectificativa === 'I' ? -1n : 1n;
}

/** F2 and R5: no recipient in the registro (AEAT codes 1189 and 1190). */
export function isSimplified(tipoFactura: TipoFactura): boolean {
  return tipoFactura === 'F2' || tipoFactura === 'R5';
}

/**
 * Whether an invoice may be calculated from prices that include the tax: a simplified one, and one that replaces or
 * continues it, whose total has to match. Any other states its prices without tax (RD 1619/2012 art. 6.1.f).
 */
export function admitsIvaIncluido(tipoFactura: TipoFactura): boolean {
  return tipoFactura === 'F2' || tipoFactura === 'F3' || isRectificativa(tipoFactura);
}

export function isRectificativa(tipoFactura: TipoFactura): boolean {
  return tipoFactura.startsWith('R');
}

/** How a party without a Spanish NIF is identified (list L7). `CodigoPais` is left out with 02. */
export interface IdOtro {
  readonly CodigoPais?: string | undefined;
  readonly IDType: TipoIdentificacion;
  /** At most 20 characters. */
  readonly ID: string;
}

export interface Emisor {
  readonly nombre: string;
  readonly nif: string;
  readonly direccion: string;
  readonly postCode: string;
  /** ISO 3166-1 alpha-2. */
  readonly pais: string;
  /** Name of the province of the postal code; empty outside Spain. */
  readonly provincia: string;
  /** Absent in invoices issued before the field existed. */
  readonly telefono?: string;
  /** Absent in older invoices too. */
  readonly municipio?: string;
  /** Where the company is registered (Código de Comercio art. 24); absent in older invoices too. */
  readonly datosRegistrales?: string;
}

export interface ClienteEmitido {
  readonly no: string;
  readonly nombre: string;
  /** Spanish NIF; null for a customer identified otherwise, or not at all. */
  readonly nif: string | null;
  readonly idOtro: IdOtro | null;
  readonly direccion: string;
  readonly postCode: string;
  readonly countryCode: string;
  readonly email: string;
  /** The customer's group: `NAC`, `UE`… */
  readonly postingGroup: string;
  /** Absent without one, and in invoices issued before the field existed. */
  readonly municipio?: string;
  /** The offices of an administration that receive it; absent in the same cases. */
  readonly dir3?: Dir3;
}

/** Quantities, prices and amounts are decimal text: `'2.5'`, `'12.345678'`, `'-121.00'`. */
export interface IssuedLine {
  readonly description: string;
  readonly quantity: string;
  /** Without tax, unless the invoice is `ivaIncluido`. */
  readonly price: string;
  /** Per cent; `'0'` without one. */
  readonly discount: string;
  readonly unit: string | null;
  readonly productNo: string | null;
  readonly tax: string;
  /** `'IVA'`, `'IGIC'` or `'IPSI'`. */
  readonly impuesto: string;
  readonly CalificacionOperacion: string | null;
  readonly OperacionExenta: string | null;
  /** Per cent; null where there is no rate. */
  readonly vatRate: string | null;
  readonly recargoRate: string | null;
  /** With the invoice's sign. For a line taxed on the margin, its price including the tax. */
  readonly base: string;
  /** With tax. If the invoice is `ivaIncluido`, what price and quantity amount to. */
  readonly total: string;
  /** Only on lines taxed on the margin: neither rate nor quota may be shown. */
  readonly isMargen?: true;
  /** Per cent of another Member State's tax (OSS). */
  readonly tipoDestino?: string;
  /** The clave de régimen of the line, when it is not `01`. */
  readonly ClaveRegimen?: string;
}

/** One line of the desglose, as the strings that go into the XML. */
export interface IssuedDesglose {
  readonly Impuesto: string;
  readonly ClaveRegimen: string;
  readonly CalificacionOperacion: string | null;
  readonly OperacionExenta: string | null;
  readonly vatRate: string | null;
  readonly recargoRate: string | null;
  readonly base: string;
  readonly quota: string;
  readonly recargo: string;
}

/** An invoice that this one rectifies or replaces. */
export interface ReferencedInvoice {
  readonly numSerie: string;
  /** `YYYY-MM-DD`. */
  readonly fecha: string;
  /** True when it was issued with another program. */
  readonly externa: boolean;
}

/** Part of the amount due, and its due date. */
export interface Vencimiento {
  readonly fecha: string;
  readonly importe: string;
}

/**
 * What was issued, frozen. It contains only text, booleans, null and lists of them, so it is stored as JSON
 * unchanged: amounts are decimal text with two decimals, the very strings of the huella, the XML and the QR; days are
 * `YYYY-MM-DD`. The time of registration is in the registro.
 */
export interface IssuedInvoice {
  readonly tipoFactura: TipoFactura;
  /** Null unless it is a rectificativa. */
  readonly tipoRectificativa: TipoRectificativa | null;
  readonly numSerie: string;
  readonly fechaExpedicion: string;
  /** Null when it is the day of issue. */
  readonly fechaOperacion: string | null;
  readonly emisor: Emisor;
  /** Null for a simplified invoice that names nobody. */
  readonly cliente: ClienteEmitido | null;
  /** Only when the prices of the lines include the tax. */
  readonly ivaIncluido?: true;
  readonly lines: readonly IssuedLine[];
  readonly desglose: readonly IssuedDesglose[];
  readonly base: string;
  readonly vat: string;
  readonly recargo: string;
  /** VAT plus recargo: the registro's CuotaTotal. */
  readonly cuotaTotal: string;
  /** ImporteTotal: without retention, without suplidos. */
  readonly total: string;
  /** Other Member States' taxes (OSS), included in the total. */
  readonly ivaDestino?: readonly {
    readonly tipo: string;
    readonly base: string;
    readonly cuota: string;
  }[];
  /** Paid on the customer's account: part of what is charged, not of the total. */
  readonly suplidos?: { readonly importe: string; readonly concepto: string };
  /** Per cent; null without retention. */
  readonly retencionRate: string | null;
  readonly retencion: string;
  /** For an F3: what was paid with the simplified invoices that it replaces, the last of them on that day. */
  readonly pagado?: { readonly importe: string; readonly fecha: string };
  /** What is still to be paid: the total minus retention, plus suplidos, minus what was paid. */
  readonly payable: string;
  readonly claveRegimen: string;
  readonly rectifies: readonly ReferencedInvoice[];
  readonly sustituye: readonly ReferencedInvoice[];
  /** Amounts of the replaced invoices; only for tipoRectificativa `S`. */
  readonly importeRectificacion: {
    readonly base: string;
    readonly cuota: string;
    readonly recargo: string;
    /** Their total, when it is not the sum of those three (margin scheme, and OSS). */
    readonly total?: string;
  } | null;
  readonly descripcionOperacion: string;
  /** What the law makes the invoice say: exemptions, inversión del sujeto pasivo, regimes. */
  readonly menciones: readonly string[];
  readonly notas: string;
  readonly formaPago: string;
  /** Account for the customer's payment, when the form of payment needs one. */
  readonly iban?: string;
  readonly terminoPago: string;
  readonly vencimientos: readonly Vencimiento[];
  /** Address encoded in the QR. */
  readonly qr: string;
  readonly esDemo: boolean;
}
