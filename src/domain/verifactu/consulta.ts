/** Queries what the AEAT holds of an obligado (ConsultaLR.xsd, RespuestaConsultaLR.xsd). */

import type { IDFactura } from './registro.ts';
import { type Fault, type NoSoap, present, readFault } from './respuesta.ts';
import { PRODUCTO } from './sistema.ts';
import { child, isSoapFault, soapContent, textOf, type XmlNode } from './soap.ts';
import { escapeXml, xmlText } from './text.ts';
import { envelope } from './xml.ts';

export interface Consulta {
  readonly ObligadoEmision: { readonly NombreRazon: string; readonly NIF: string };
  /** The month of the operation or, without one, of the issue. Both are mandatory. */
  readonly Ejercicio: string;
  readonly Periodo: string;
  readonly NumSerieFactura?: string;
  /** `dd-mm-yyyy`. */
  readonly FechaExpedicionFactura?: string;
  readonly SistemaInformatico?: {
    readonly NombreRazon: string;
    readonly NIF: string;
    readonly IdSistemaInformatico: string;
    readonly NumeroInstalacion: string;
  };
  /** As given by the previous page. */
  readonly ClavePaginacion?: IDFactura;
  /** Asks for the SistemaInformatico of each registro; slower. */
  readonly muestraSistemaInformatico?: boolean;
}

/** An invoice at the AEAT: its latest registro. */
export interface RegistroConsultado extends IDFactura {
  readonly TipoFactura?: string;
  readonly ImporteTotal?: string;
  /** Empty for an invoice that no program made: the schema allows it to be left out. */
  readonly Huella: string;
  /** Huella of the previous registro; empty for the first. */
  readonly HuellaAnterior: string;
  readonly FechaHoraHusoGenRegistro: string;
  readonly TimestampPresentacion?: string;
  /** Of the program that made it; only if requested. */
  readonly IdSistemaInformatico?: string;
  readonly NumeroInstalacion?: string;
  readonly EstadoRegistro: 'Correcto' | 'AceptadoConErrores' | 'Anulado';
  readonly CodigoErrorRegistro?: number;
  readonly DescripcionErrorRegistro?: string;
}

export interface RespuestaConsulta {
  readonly kind: 'consulta';
  /** The month that it answers, `2026-11`. */
  readonly periodo?: string;
  /** At most 10,000, by time of presentation. */
  readonly registros: readonly RegistroConsultado[];
  /** Present when there are more: repeat the query with it. */
  readonly ClavePaginacion?: IDFactura;
}

const NAMESPACE =
  'https://www2.agenciatributaria.gob.es/static_files/common/internet/dep/aplicaciones/es/aeat/tike/cont/ws/RespuestaConsultaLR.xsd';

/** The SOAP message that queries one's own registros. */
export function consultaXml(consulta: Consulta): string {
  const { ObligadoEmision, SistemaInformatico: sistema, ClavePaginacion: clave } = consulta;
  const filtro = [
    block('con:PeriodoImputacion', [
      leaf('sum1:Ejercicio', consulta.Ejercicio),
      leaf('sum1:Periodo', consulta.Periodo),
    ]),
    leaf('con:NumSerieFactura', consulta.NumSerieFactura),
    consulta.FechaExpedicionFactura &&
      block('con:FechaExpedicionFactura', [
        leaf('sum1:FechaExpedicionFactura', consulta.FechaExpedicionFactura),
      ]),
    sistema &&
      block('con:SistemaInformatico', [
        leaf('sum1:NombreRazon', sistema.NombreRazon),
        leaf('sum1:NIF', sistema.NIF),
        leaf('sum1:IdSistemaInformatico', sistema.IdSistemaInformatico),
        leaf('sum1:NumeroInstalacion', sistema.NumeroInstalacion),
      ]),
    clave &&
      block('con:ClavePaginacion', [
        leaf('sum1:IDEmisorFactura', clave.IDEmisorFactura),
        leaf('sum1:NumSerieFactura', clave.NumSerieFactura),
        leaf('sum1:FechaExpedicionFactura', clave.FechaExpedicionFactura),
      ]),
  ];
  return envelope(
    ['con', 'sum1'],
    block('con:ConsultaFactuSistemaFacturacion', [
      block('con:Cabecera', [
        leaf('sum1:IDVersion', '1.0'),
        block('sum1:ObligadoEmision', [
          leaf('sum1:NombreRazon', xmlText(ObligadoEmision.NombreRazon, 120)),
          leaf('sum1:NIF', ObligadoEmision.NIF),
        ]),
      ]),
      block('con:FiltroConsulta', filtro),
      consulta.muestraSistemaInformatico &&
        block('con:DatosAdicionalesRespuesta', [leaf('con:MostrarSistemaInformatico', 'S')]),
    ]),
  );
}

type Part = string | false | undefined;

function block(name: string, parts: readonly Part[]): string {
  return `<${name}>${parts.filter(Boolean).join('')}</${name}>`;
}

function leaf(name: string, value: string | undefined): Part {
  return value === undefined ? undefined : `<${name}>${escapeXml(value)}</${name}>`;
}

/** Parses the answer to a query; like the answer to a message, it is complete or it is `no-soap`. */
export function parseConsulta(xml: string): RespuestaConsulta | Fault | NoSoap {
  const content = soapContent(xml);
  if (!content) return { kind: 'no-soap' };
  if (isSoapFault(content)) return readFault(content);
  const isAnswer =
    content.name === 'RespuestaConsultaFactuSistemaFacturacion' && content.uri === NAMESPACE;
  return (isAnswer && readConsulta(content)) || { kind: 'no-soap' };
}

function readConsulta(node: XmlNode): RespuestaConsulta | null {
  if (!textOf(node, 'ResultadoConsulta')) return null;
  const registros = node.children
    .filter(({ name }) => name === 'RegistroRespuestaConsultaFactuSistemaFacturacion')
    .map(readRegistro);
  if (!registros.every((registro) => registro !== null)) return null;
  const hasMore = textOf(node, 'IndicadorPaginacion') === 'S';
  const clave = hasMore ? readId(child(node, 'ClavePaginacion')) : null;
  if (hasMore && !clave) return null;
  const periodo = child(node, 'PeriodoImputacion');
  return {
    kind: 'consulta',
    ...(periodo && { periodo: `${textOf(periodo, 'Ejercicio')}-${textOf(periodo, 'Periodo')}` }),
    registros,
    ...(clave && { ClavePaginacion: clave }),
  };
}

/** The schema's values end in -o; those of an older one, and of the AEAT's document, in -a. */
const ESTADOS: Readonly<Record<string, RegistroConsultado['EstadoRegistro']>> = {
  Correcto: 'Correcto',
  Correcta: 'Correcto',
  AceptadoConErrores: 'AceptadoConErrores',
  AceptadaConErrores: 'AceptadoConErrores',
  Anulado: 'Anulado',
  Anulada: 'Anulado',
};

function readRegistro(node: XmlNode): RegistroConsultado | null {
  const id = readId(child(node, 'IDFactura'));
  const datos = child(node, 'DatosRegistroFacturacion');
  const estado = child(node, 'EstadoRegistro');
  const EstadoRegistro = ESTADOS[textOf(estado, 'EstadoRegistro') ?? ''];
  const Huella = textOf(datos, 'Huella') ?? '';
  const code = textOf(estado, 'CodigoErrorRegistro');
  const sistema = child(datos, 'SistemaInformatico');
  // Without its huella nothing can be told of a registro of ours.
  const isOurs = textOf(sistema, 'IdSistemaInformatico') === PRODUCTO.IdSistemaInformatico;
  if (!id || !EstadoRegistro || (isOurs && Huella === '')) return null;
  const anterior = child(child(datos, 'Encadenamiento'), 'RegistroAnterior');
  return {
    ...id,
    ...present('TipoFactura', textOf(datos, 'TipoFactura')),
    ...present('ImporteTotal', textOf(datos, 'ImporteTotal')),
    Huella,
    HuellaAnterior: textOf(anterior, 'Huella') ?? '',
    FechaHoraHusoGenRegistro: textOf(datos, 'FechaHoraHusoGenRegistro') ?? '',
    ...present(
      'TimestampPresentacion',
      textOf(child(node, 'DatosPresentacion'), 'TimestampPresentacion'),
    ),
    ...present('IdSistemaInformatico', textOf(sistema, 'IdSistemaInformatico')),
    ...present('NumeroInstalacion', textOf(sistema, 'NumeroInstalacion')),
    EstadoRegistro,
    ...present('CodigoErrorRegistro', code === undefined ? undefined : Number(code)),
    ...present('DescripcionErrorRegistro', textOf(estado, 'DescripcionErrorRegistro')),
  };
}

function readId(node: XmlNode | undefined): IDFactura | null {
  const IDEmisorFactura = textOf(node, 'IDEmisorFactura');
  const NumSerieFactura = textOf(node, 'NumSerieFactura');
  const FechaExpedicionFactura = textOf(node, 'FechaExpedicionFactura');
  if (!IDEmisorFactura || !NumSerieFactura || !FechaExpedicionFactura) return null;
  return { IDEmisorFactura, NumSerieFactura, FechaExpedicionFactura };
}
