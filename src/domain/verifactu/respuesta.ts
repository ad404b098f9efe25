/** What the AEAT answers to a message of registros (VERIFACTU: RespuestaSuministro.xsd). */

import { child, isSoapFault, soapContent, textOf, type XmlNode } from './soap.ts';

export type EstadoEnvio = 'Correcto' | 'ParcialmenteCorrecto' | 'Incorrecto';
export type EstadoRegistro = 'Correcto' | 'AceptadoConErrores' | 'Incorrecto';

/** `CodigoErrorRegistro` of «Registro de facturación duplicado». */
export const DUPLICADO = 3000;
/** «El registro de facturación ya ha sido dado de baja». */
export const YA_ANULADO = 3001;

export interface RegistroDuplicado {
  readonly IdPeticionRegistroDuplicado: string;
  /** `Correcta`, `AceptadaConErrores` or `Anulada`: feminine here, as in the schema. */
  readonly EstadoRegistroDuplicado: string;
  readonly CodigoErrorRegistro?: number;
  readonly DescripcionErrorRegistro?: string;
}

export interface RespuestaLinea {
  readonly IDEmisorFactura: string;
  readonly NumSerieFactura: string;
  readonly FechaExpedicionFactura: string;
  readonly TipoOperacion: 'Alta' | 'Anulacion';
  readonly Subsanacion?: string;
  readonly RechazoPrevio?: string;
  readonly SinRegistroPrevio?: string;
  readonly RefExterna?: string;
  readonly EstadoRegistro: EstadoRegistro;
  readonly CodigoErrorRegistro?: number;
  /** For people: it may carry more than the code's text, so no code branches on it. */
  readonly DescripcionErrorRegistro?: string;
  readonly RegistroDuplicado?: RegistroDuplicado;
}

export interface RespuestaSuministro {
  readonly kind: 'respuesta';
  /** Only if something was accepted; it cannot be requested again. */
  readonly CSV?: string;
  readonly NIFPresentador?: string;
  readonly TimestampPresentacion?: string;
  /** Seconds until the next message may be sent; absent when the AEAT leaves it empty. */
  readonly TiempoEsperaEnvio?: number;
  readonly EstadoEnvio: EstadoEnvio;
  /** In the order of the message. */
  readonly lineas: readonly RespuestaLinea[];
}

/** Refused as a whole: nothing of the message was stored. */
export interface Fault {
  readonly kind: 'fault';
  readonly code?: number;
  /** `Client`: correct it before sending again. `Server`: send the same later. */
  readonly faultcode: 'Client' | 'Server';
  readonly faultstring: string;
}

/** Nobody knows whether the message was stored: the same bytes are sent again. */
export interface NoSoap {
  readonly kind: 'no-soap';
}

export type RespuestaLeida = RespuestaSuministro | Fault | NoSoap;

const NAMESPACE =
  'https://www2.agenciatributaria.gob.es/static_files/common/internet/dep/aplicaciones/es/aeat/tike/cont/ws/RespuestaSuministro.xsd';

/**
 * Parses an answer. Anything that is not a complete answer of the schema, or has unknown values, is `no-soap`: half
 * an answer must never pass for a whole one.
 */
export function parseRespuesta(xml: string): RespuestaLeida {
  const content = soapContent(xml);
  if (!content) return { kind: 'no-soap' };
  if (isSoapFault(content)) return readFault(content);
  const isAnswer =
    content.name === 'RespuestaRegFactuSistemaFacturacion' && content.uri === NAMESPACE;
  return (isAnswer && readRespuesta(content)) || { kind: 'no-soap' };
}

/** A SOAP fault: `Codigo[4102].El XML no cumple el esquema…`. */
export function readFault(node: XmlNode): Fault {
  const faultstring = textOf(node, 'faultstring') ?? '';
  const code = /Codigo\[(\d+)\]/.exec(faultstring)?.[1];
  const isClient = textOf(node, 'faultcode')?.split(':').at(-1) === 'Client';
  return {
    kind: 'fault',
    ...(code !== undefined && { code: Number(code) }),
    faultcode: isClient ? 'Client' : 'Server',
    faultstring,
  };
}

const ESTADOS_ENVIO: readonly string[] = ['Correcto', 'ParcialmenteCorrecto', 'Incorrecto'];
const ESTADOS_REGISTRO: readonly string[] = ['Correcto', 'AceptadoConErrores', 'Incorrecto'];

function readRespuesta(node: XmlNode): RespuestaSuministro | null {
  const estado = textOf(node, 'EstadoEnvio') ?? '';
  const lineas = node.children.filter(({ name }) => name === 'RespuestaLinea').map(readLinea);
  if (!ESTADOS_ENVIO.includes(estado) || !lineas.every((linea) => linea !== null)) return null;
  const presentacion = child(node, 'DatosPresentacion');
  return {
    kind: 'respuesta',
    ...present('CSV', textOf(node, 'CSV')),
    ...present('NIFPresentador', textOf(presentacion, 'NIFPresentador')),
    ...present('TimestampPresentacion', textOf(presentacion, 'TimestampPresentacion')),
    ...present('TiempoEsperaEnvio', integer(textOf(node, 'TiempoEsperaEnvio'))),
    EstadoEnvio: estado as EstadoEnvio,
    lineas,
  };
}

function readLinea(node: XmlNode): RespuestaLinea | null {
  const id = child(node, 'IDFactura');
  const operacion = child(node, 'Operacion');
  const TipoOperacion = textOf(operacion, 'TipoOperacion');
  const EstadoRegistro = textOf(node, 'EstadoRegistro') ?? '';
  const IDEmisorFactura = textOf(id, 'IDEmisorFactura');
  const NumSerieFactura = textOf(id, 'NumSerieFactura');
  const FechaExpedicionFactura = textOf(id, 'FechaExpedicionFactura');
  if (!IDEmisorFactura || !NumSerieFactura || !FechaExpedicionFactura) return null;
  if (TipoOperacion !== 'Alta' && TipoOperacion !== 'Anulacion') return null;
  if (!ESTADOS_REGISTRO.includes(EstadoRegistro)) return null;
  return {
    IDEmisorFactura,
    NumSerieFactura,
    FechaExpedicionFactura,
    TipoOperacion,
    ...present('Subsanacion', textOf(operacion, 'Subsanacion')),
    ...present('RechazoPrevio', textOf(operacion, 'RechazoPrevio')),
    ...present('SinRegistroPrevio', textOf(operacion, 'SinRegistroPrevio')),
    ...present('RefExterna', textOf(node, 'RefExterna')),
    EstadoRegistro: EstadoRegistro as EstadoRegistro,
    ...readError(node),
    ...present('RegistroDuplicado', readDuplicado(child(node, 'RegistroDuplicado'))),
  };
}

function readDuplicado(node: XmlNode | undefined): RegistroDuplicado | undefined {
  if (!node) return undefined;
  return {
    IdPeticionRegistroDuplicado: textOf(node, 'IdPeticionRegistroDuplicado') ?? '',
    EstadoRegistroDuplicado: textOf(node, 'EstadoRegistroDuplicado') ?? '',
    ...readError(node),
  };
}

function readError(
  node: XmlNode,
): Pick<RespuestaLinea, 'CodigoErrorRegistro' | 'DescripcionErrorRegistro'> {
  return {
    ...present('CodigoErrorRegistro', integer(textOf(node, 'CodigoErrorRegistro'))),
    ...present('DescripcionErrorRegistro', textOf(node, 'DescripcionErrorRegistro')),
  };
}

/** `{ [name]: value }` if there is a value: absent fields are absent, not undefined. */
export function present<K extends string, V>(name: K, value: V | undefined): { [P in K]?: V } {
  return value === undefined ? {} : ({ [name]: value } as { [P in K]?: V });
}

function integer(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}
