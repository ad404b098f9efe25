/**
 * An invoice before and after it is issued. The draft is what the form holds; the issued invoice is
 * frozen when it is registered, and both the registro and the PDF are made from it alone.
 */

import type { Dir3 } from './dir3.ts';
import type { InvoiceItemInput } from './totals.ts';

/** F4 exists in the form but not in VERI*FACTU: it may be saved as a draft, never registered. */
export type TipoFactura = 'F1' | 'F2' | 'F3' | 'F4' | 'R1' | 'R2' | 'R3' | 'R4' | 'R5';

/** `I` por diferencias, `S` por sustitución. */
export type TipoRectificativa = 'I' | 'S';

/** The fields of the contract's draft that the rules read; the contract's own shape fits it. */
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
  /** Day of that invoice when it was issued elsewhere; of several, as `fechaReferida` reads them. */
  readonly invoiceToRectifyDate?: string | undefined;
  readonly fechaOperacion?: string | undefined;
  /** Per cent. */
  readonly retencionIRPF?: string | number | undefined;
  readonly notas?: string | undefined;
  /** Euros paid in the customer's name and on their account, and what for. Outside ImporteTotal. */
  readonly suplidos?: string | number | undefined;
  readonly suplidosConcepto?: string | undefined;
  /** How the customer is identified (list L7); empty, as its card says. */
  readonly tipoIdentificacion?: TipoIdentificacion | '' | undefined;
  /** What an invoice issued elsewhere said, when this one replaces it (ImporteRectificacion). */
  readonly baseRectificada?: string | number | undefined;
  readonly cuotaRectificada?: string | number | undefined;
  readonly recargoRectificado?: string | number | undefined;
  /** The prices of the lines have the tax in (RD 1619/2012 art. 7.1.f; decision 0261). */
  readonly ivaIncluido?: boolean | undefined;
}

/** Numbers of the invoices that a draft rectifies or replaces (`invoiceToRectify`), in their order. */
export function numbersNamed(invoiceToRectify: string): string[] {
  return invoiceToRectify
    .split(',')
    .map((number) => number.trim())
    .filter(Boolean);
}

/**
 * The day typed of one of the invoices that are named: one for all of them, or one for each, between
 * commas and in their order, empty where the invoice is one of ours.
 */
export function fechaReferida(dates: string | undefined, index: number): string {
  const all = (dates ?? '').split(',').map((day) => day.trim());
  return (all.length === 1 ? all[0] : all[index]) ?? '';
}

/** What the AEAT holds under an invoice's number. `ajena`: a registro that none of ours is. */
export type EnAeat = 'nada' | 'alta' | 'anulacion' | 'ajena';

/** Of a refused invoice: which declaration of it was refused, the last one, and what the AEAT holds. */
export interface Rechazo {
  readonly TipoRegistro: 'Alta' | 'Anulacion';
  readonly enAeat: EnAeat;
  /** How it stands if its owner gives up what was refused; absent where there is nothing to leave it at. */
  readonly alDejarla?: ComoQueda | undefined;
}

/** How the AEAT has an invoice of which a later declaration was refused. */
export type ComoQueda = 'Registrada' | 'Aceptado con errores' | 'Anulada';

/** List L7 of the AEAT: `02` NIF-IVA to `07` not in the census. */
export type TipoIdentificacion = '02' | '03' | '04' | '05' | '06' | '07';

const FACTURAS = ['F1', 'F2', 'F3', 'F4'] as const;
const ABONOS = ['R1', 'R2', 'R3', 'R4', 'R5'] as const;

/** The simplified tick wins over the type beside it: it makes an F2, or an R5. */
export function tipoFacturaOf(
  draft: Pick<DraftInvoice, 'type' | 'invoiceType' | 'crmemoType' | 'isSimplificada'>,
): TipoFactura {
  if (draft.type === 'abono') {
    return draft.isSimplificada ? 'R5' : (ABONOS[draft.crmemoType] ?? 'R1');
  }
  return draft.isSimplificada ? 'F2' : (FACTURAS[draft.invoiceType] ?? 'F1');
}

/** `-1n` for an abono por diferencias: what is typed as positive is what is credited. */
export function signOf(draft: Pick<DraftInvoice, 'type' | 'tipoRectificativa'>): 1n | -1n {
  return draft.type === 'abono' && draft.tipoRectificativa === 'I' ? -1n : 1n;
}

/** F2 and R5: no recipient in the registro (AEAT codes 1189 and 1190). */
export function isSimplified(tipoFactura: TipoFactura): boolean {
  return tipoFactura === 'F2' || tipoFactura === 'R5';
}

/**
 * What may be reckoned from prices with the tax in: a simplified invoice, and what takes its place or goes on from
 * there, which has to come to the same. Any other says its prices without tax (RD 1619/2012 art. 6.1.f).
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
  /** Absent in what was issued before it could be given. */
  readonly telefono?: string;
  /** The same. */
  readonly municipio?: string;
  /** The same: where it is inscribed (Código de Comercio art. 24). */
  readonly datosRegistrales?: string;
}

export interface ClienteEmitido {
  readonly no: string;
  readonly nombre: string;
  /** Spanish NIF; null for who is identified otherwise, or not at all. */
  readonly nif: string | null;
  readonly idOtro: IdOtro | null;
  readonly direccion: string;
  readonly postCode: string;
  readonly countryCode: string;
  readonly email: string;
  /** The customer's group: `NAC`, `UE`… */
  readonly postingGroup: string;
  /** Absent without one, and in what was issued before it could be given. */
  readonly municipio?: string;
  /** The same: who of an administration is to get it. */
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
  /** With the invoice's sign. Of a line on the margin, its price with the tax inside. */
  readonly base: string;
  /** With tax. Of an invoice that is `ivaIncluido`, what price and quantity come to. */
  readonly total: string;
  /** Only on lines whose tax is on the margin: neither rate nor quota may be shown. */
  readonly isMargen?: true;
  /** Per cent of another State's tax (OSS). */
  readonly tipoDestino?: string;
  /** The key that the line goes with, when it is not `01`. */
  readonly ClaveRegimen?: string;
}

/** One line of the desglose, in the strings that go to the XML. */
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

/** Part of the amount due and its day. */
export interface Vencimiento {
  readonly fecha: string;
  readonly importe: string;
}

/**
 * What was issued, frozen. Only text, booleans, null and lists of them, so that it is stored as
 * JSON as it is: amounts are decimal text with two decimals, the very strings of the huella, the
 * XML and the QR; days are `YYYY-MM-DD`; the minutes of registration live in the registro.
 */
export interface IssuedInvoice {
  readonly tipoFactura: TipoFactura;
  /** Null unless it is rectificativa. */
  readonly tipoRectificativa: TipoRectificativa | null;
  readonly numSerie: string;
  readonly fechaExpedicion: string;
  /** Null when it is the day of issue. */
  readonly fechaOperacion: string | null;
  readonly emisor: Emisor;
  /** Null for a simplified invoice to nobody in particular. */
  readonly cliente: ClienteEmitido | null;
  /** Only where the prices of the lines have the tax in. */
  readonly ivaIncluido?: true;
  readonly lines: readonly IssuedLine[];
  readonly desglose: readonly IssuedDesglose[];
  readonly base: string;
  readonly vat: string;
  readonly recargo: string;
  /** VAT and recargo together: the registro's CuotaTotal. */
  readonly cuotaTotal: string;
  /** ImporteTotal: without retention, without suplidos. */
  readonly total: string;
  /** Other States' taxes (OSS), inside the total. */
  readonly ivaDestino?: readonly {
    readonly tipo: string;
    readonly base: string;
    readonly cuota: string;
  }[];
  /** Paid on the customer's account: in what is charged, outside the total. */
  readonly suplidos?: { readonly importe: string; readonly concepto: string };
  /** Per cent; null without retention. */
  readonly retencionRate: string | null;
  readonly retencion: string;
  readonly payable: string;
  readonly claveRegimen: string;
  readonly rectifies: readonly ReferencedInvoice[];
  readonly sustituye: readonly ReferencedInvoice[];
  /** What the replaced invoices said; only for tipoRectificativa `S`. */
  readonly importeRectificacion: {
    readonly base: string;
    readonly cuota: string;
    readonly recargo: string;
    /** What they came to, where it is not those three together (on the margin, and with OSS). */
    readonly total?: string;
  } | null;
  readonly descripcionOperacion: string;
  /** What the law makes the invoice say: exemptions, inversión del sujeto pasivo, regimes. */
  readonly menciones: readonly string[];
  readonly notas: string;
  readonly formaPago: string;
  /** Account where the customer pays, when that is how they pay. */
  readonly iban?: string;
  readonly terminoPago: string;
  readonly vencimientos: readonly Vencimiento[];
  /** Address inside the QR. */
  readonly qr: string;
  readonly esDemo: boolean;
}
