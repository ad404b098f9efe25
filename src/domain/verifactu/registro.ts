/**
 * Translates our invoice into the AEAT's registro. Field names and values are the schema's, all of them text; from
 * here on those strings go unchanged to the huella, the XML and the database.
 */

import { fechaAeat } from '../dates.ts';
import {
  type ClienteEmitido,
  type IssuedDesglose,
  type IssuedInvoice,
  isSimplified,
  type ReferencedInvoice,
} from '../invoice.ts';
import { huellaAlta, huellaAnulacion } from './huella.ts';
import type { SistemaInformatico } from './sistema.ts';
import { xmlText } from './text.ts';

export interface IDFactura {
  readonly IDEmisorFactura: string;
  readonly NumSerieFactura: string;
  readonly FechaExpedicionFactura: string;
}

export interface IDFacturaAnulada {
  readonly IDEmisorFacturaAnulada: string;
  readonly NumSerieFacturaAnulada: string;
  readonly FechaExpedicionFacturaAnulada: string;
}

export interface IDOtro {
  readonly CodigoPais?: string;
  readonly IDType: string;
  readonly ID: string;
}

export interface Persona {
  readonly NombreRazon: string;
  readonly NIF?: string;
  readonly IDOtro?: IDOtro;
}

export interface DetalleDesglose {
  readonly Impuesto: string;
  readonly ClaveRegimen: string;
  readonly CalificacionOperacion?: string;
  readonly OperacionExenta?: string;
  readonly TipoImpositivo?: string;
  readonly BaseImponibleOimporteNoSujeto: string;
  readonly CuotaRepercutida?: string;
  readonly TipoRecargoEquivalencia?: string;
  readonly CuotaRecargoEquivalencia?: string;
}

/** The previous registro of the cadena; for an anulación, its `…Anulada` keys. */
export interface Anterior extends IDFactura {
  readonly Huella: string;
}

export type Encadenamiento =
  | { readonly PrimerRegistro: 'S' }
  | { readonly RegistroAnterior: Anterior };

export interface RegistroAlta {
  readonly IDVersion: '1.0';
  readonly IDFactura: IDFactura;
  readonly NombreRazonEmisor: string;
  readonly Subsanacion?: 'S';
  readonly RechazoPrevio?: 'S' | 'X';
  readonly TipoFactura: string;
  readonly TipoRectificativa?: 'S' | 'I';
  readonly FacturasRectificadas?: { readonly IDFacturaRectificada: readonly IDFactura[] };
  readonly FacturasSustituidas?: { readonly IDFacturaSustituida: readonly IDFactura[] };
  readonly ImporteRectificacion?: {
    readonly BaseRectificada: string;
    readonly CuotaRectificada: string;
    readonly CuotaRecargoRectificado?: string;
  };
  readonly FechaOperacion?: string;
  readonly DescripcionOperacion: string;
  readonly Macrodato?: 'S';
  readonly Destinatarios?: { readonly IDDestinatario: readonly Persona[] };
  readonly Desglose: { readonly DetalleDesglose: readonly DetalleDesglose[] };
  readonly CuotaTotal: string;
  readonly ImporteTotal: string;
  readonly Encadenamiento: Encadenamiento;
  readonly SistemaInformatico: SistemaInformatico;
  readonly FechaHoraHusoGenRegistro: string;
  readonly TipoHuella: '01';
  readonly Huella: string;
}

export interface RegistroAnulacion {
  readonly IDVersion: '1.0';
  readonly IDFactura: IDFacturaAnulada;
  readonly SinRegistroPrevio?: 'S';
  readonly RechazoPrevio?: 'S';
  readonly Encadenamiento: Encadenamiento;
  readonly SistemaInformatico: SistemaInformatico;
  readonly FechaHoraHusoGenRegistro: string;
  readonly TipoHuella: '01';
  readonly Huella: string;
}

interface Eslabon {
  /** Null for the first registro of the installation. */
  readonly anterior: Anterior | null;
  readonly SistemaInformatico: SistemaInformatico;
  /** `2026-11-20T10:00:37+01:00`, from the same instant and zone as the day of issue. */
  readonly FechaHoraHusoGenRegistro: string;
}

export interface ContextoAlta extends Eslabon {
  /** `S` for every alta after the first of the same invoice. */
  readonly Subsanacion?: 'S' | undefined;
  /** `S` when a subsanación was rejected before; `X` when the AEAT holds nothing of the invoice. */
  readonly RechazoPrevio?: 'S' | 'X' | undefined;
}

export interface ContextoAnulacion extends Eslabon {
  readonly SinRegistroPrevio?: 'S' | undefined;
  readonly RechazoPrevio?: 'S' | undefined;
}

export function isAlta(registro: RegistroAlta | RegistroAnulacion): registro is RegistroAlta {
  return 'TipoFactura' in registro;
}

/**
 * The RegistroAlta of an issued invoice, with its huella.
 *
 * Law: RD 1007/2023 art. 9; AEAT, diseños de registro 1.0. An abono por diferencias already has negative amounts; for
 * a substitution, ImporteRectificacion contains the replaced amounts.
 */
export function registroAltaFromInvoice(
  invoice: IssuedInvoice,
  contexto: ContextoAlta,
): RegistroAlta {
  const { emisor } = invoice;
  const IDFactura = {
    IDEmisorFactura: emisor.nif,
    NumSerieFactura: invoice.numSerie,
    FechaExpedicionFactura: fechaAeat(invoice.fechaExpedicion),
  };
  const registro: Mutable<RegistroAlta> = {
    IDVersion: '1.0',
    IDFactura,
    NombreRazonEmisor: xmlText(emisor.nombre, 120),
    TipoFactura: invoice.tipoFactura,
    DescripcionOperacion: xmlText(invoice.descripcionOperacion, 500),
    Desglose: { DetalleDesglose: invoice.desglose.map(detalle) },
    CuotaTotal: invoice.cuotaTotal,
    ImporteTotal: invoice.total,
    Encadenamiento: encadenamiento(contexto.anterior),
    SistemaInformatico: contexto.SistemaInformatico,
    FechaHoraHusoGenRegistro: contexto.FechaHoraHusoGenRegistro,
    TipoHuella: '01',
    Huella: huellaAlta({
      IDEmisorFactura: IDFactura.IDEmisorFactura,
      NumSerieFactura: IDFactura.NumSerieFactura,
      FechaExpedicionFactura: IDFactura.FechaExpedicionFactura,
      TipoFactura: invoice.tipoFactura,
      CuotaTotal: invoice.cuotaTotal,
      ImporteTotal: invoice.total,
      HuellaAnterior: contexto.anterior?.Huella ?? '',
      FechaHoraHusoGenRegistro: contexto.FechaHoraHusoGenRegistro,
    }),
  };
  if (contexto.Subsanacion) registro.Subsanacion = contexto.Subsanacion;
  if (contexto.RechazoPrevio) registro.RechazoPrevio = contexto.RechazoPrevio;
  if (invoice.fechaOperacion) registro.FechaOperacion = fechaAeat(invoice.fechaOperacion);
  if (isMacrodato(invoice.total)) registro.Macrodato = 'S';
  if (invoice.cliente && !isSimplified(invoice.tipoFactura)) {
    registro.Destinatarios = { IDDestinatario: [destinatario(invoice.cliente)] };
  }
  rectify(registro, invoice);
  return registro;
}

/** The RegistroAnulacion of an invoice that should never have been issued (AEAT, diseños 1.0). */
export function registroAnulacionOf(
  invoice: Pick<IssuedInvoice, 'emisor' | 'numSerie' | 'fechaExpedicion'>,
  contexto: ContextoAnulacion,
): RegistroAnulacion {
  const IDFactura = {
    IDEmisorFacturaAnulada: invoice.emisor.nif,
    NumSerieFacturaAnulada: invoice.numSerie,
    FechaExpedicionFacturaAnulada: fechaAeat(invoice.fechaExpedicion),
  };
  return {
    IDVersion: '1.0',
    IDFactura,
    ...(contexto.SinRegistroPrevio && { SinRegistroPrevio: contexto.SinRegistroPrevio }),
    ...(contexto.RechazoPrevio && { RechazoPrevio: contexto.RechazoPrevio }),
    Encadenamiento: encadenamiento(contexto.anterior),
    SistemaInformatico: contexto.SistemaInformatico,
    FechaHoraHusoGenRegistro: contexto.FechaHoraHusoGenRegistro,
    TipoHuella: '01',
    Huella: huellaAnulacion({
      ...IDFactura,
      HuellaAnterior: contexto.anterior?.Huella ?? '',
      FechaHoraHusoGenRegistro: contexto.FechaHoraHusoGenRegistro,
    }),
  };
}

/** Only R1 to R5 rectify (AEAT codes 1114 to 1119); an F3 replaces, and is no rectificativa. */
function rectify(registro: Mutable<RegistroAlta>, invoice: IssuedInvoice): void {
  const { tipoRectificativa, rectifies, sustituye, importeRectificacion } = invoice;
  if (tipoRectificativa) registro.TipoRectificativa = tipoRectificativa;
  const rectificadas = references(invoice, rectifies);
  if (rectificadas.length > 0) {
    registro.FacturasRectificadas = { IDFacturaRectificada: rectificadas };
  }
  const sustituidas = references(invoice, sustituye);
  if (sustituidas.length > 0) {
    registro.FacturasSustituidas = { IDFacturaSustituida: sustituidas };
  }
  if (importeRectificacion) {
    registro.ImporteRectificacion = {
      BaseRectificada: importeRectificacion.base,
      CuotaRectificada: importeRectificacion.cuota,
      ...(!isZero(importeRectificacion.recargo) && {
        CuotaRecargoRectificado: importeRectificacion.recargo,
      }),
    };
  }
}

/** Those whose number may be sent: both lists are optional (`SuministroInformacion.xsd`). */
function references({ emisor }: IssuedInvoice, list: readonly ReferencedInvoice[]): IDFactura[] {
  return list
    .filter(({ numSerie }) => isNumeroDeclarable(numSerie))
    .map(({ numSerie, fecha }) => ({
      IDEmisorFactura: emisor.nif,
      NumSerieFactura: numSerie,
      FechaExpedicionFactura: fechaAeat(fecha),
    }));
}

/** Whether a number has only the characters of NumSerieFactura: printable ASCII but `" ' < > =`. */
export function isNumeroDeclarable(numSerie: string): boolean {
  return /^[ !#-&(-;?-~]*$/.test(numSerie);
}

function destinatario(cliente: ClienteEmitido): Persona {
  const NombreRazon = xmlText(cliente.nombre, 120);
  if (cliente.nif !== null) return { NombreRazon, NIF: cliente.nif };
  if (!cliente.idOtro) return { NombreRazon };
  const { CodigoPais, IDType, ID } = cliente.idOtro;
  return {
    NombreRazon,
    IDOtro: {
      ...(CodigoPais && { CodigoPais: codigoPais(CodigoPais) }),
      IDType,
      ID: xmlText(ID, 20),
    },
  };
}

/**
 * Rate and quota are only sent with S1 and S2 (AEAT codes 1208, 1198, 1237, 1238), and the recargo only if there is
 * one: after September 2024 none is accepted for 0 %, not even zero.
 */
function detalle(desglose: IssuedDesglose): DetalleDesglose {
  const { CalificacionOperacion, OperacionExenta, vatRate, recargoRate } = desglose;
  const detalle: Mutable<DetalleDesglose> = {
    Impuesto: desglose.Impuesto,
    ClaveRegimen: desglose.ClaveRegimen,
    BaseImponibleOimporteNoSujeto: desglose.base,
  };
  if (CalificacionOperacion !== null) detalle.CalificacionOperacion = CalificacionOperacion;
  if (OperacionExenta !== null) detalle.OperacionExenta = OperacionExenta;
  if (vatRate !== null) {
    detalle.TipoImpositivo = vatRate;
    detalle.CuotaRepercutida = desglose.quota;
  }
  if (recargoRate !== null && !isZero(recargoRate)) {
    detalle.TipoRecargoEquivalencia = recargoRate;
    detalle.CuotaRecargoEquivalencia = desglose.recargo;
  }
  return detalle;
}

/** Used during construction: assigning field by field costs a third of spreading optional parts. */
type Mutable<T> = { -readonly [K in keyof T]: T[K] };

function encadenamiento(anterior: Anterior | null): Encadenamiento {
  return anterior ? { RegistroAnterior: anterior } : { PrimerRegistro: 'S' };
}

/** 100,000,000.00 or more, either sign (AEAT codes 1138 and 1139): nine digits before the point. */
function isMacrodato(total: string): boolean {
  const digits = total.indexOf('.') - (total.startsWith('-') ? 1 : 0);
  return digits >= 9;
}

function isZero(amount: string): boolean {
  return /^-?0+(\.0*)?$/.test(amount);
}

/**
 * Countries of ISO 3166-1 missing in the AEAT's list (CountryType2): it counts them as parts of France, Finland and
 * Norway, or as «otros territorios» (QU).
 */
const CODIGOS_PAIS: Readonly<Record<string, string>> = {
  AX: 'FI',
  BL: 'FR',
  EH: 'QU',
  GF: 'FR',
  GP: 'FR',
  MF: 'FR',
  MQ: 'FR',
  SJ: 'NO',
};

function codigoPais(iso: string): string {
  return CODIGOS_PAIS[iso] ?? iso;
}
