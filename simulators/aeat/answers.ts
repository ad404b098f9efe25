import type { Fault } from './fault.ts';
import { NS } from './namespaces.ts';
import type { Presentacion } from './store.ts';
import type { Cabecera } from './structure-tables.ts';
import { element, escapeXml } from './xml.ts';

/** One `RespuestaLinea`. */
export interface Linea {
  readonly IDEmisorFactura: string;
  readonly NumSerieFactura: string;
  readonly FechaExpedicionFactura: string;
  readonly TipoOperacion: 'Alta' | 'Anulacion';
  readonly Subsanacion?: string | undefined;
  readonly RechazoPrevio?: string | undefined;
  readonly SinRegistroPrevio?: string | undefined;
  readonly RefExterna?: string | undefined;
  readonly EstadoRegistro: 'Correcto' | 'AceptadoConErrores' | 'Incorrecto';
  readonly CodigoErrorRegistro?: number | undefined;
  readonly DescripcionErrorRegistro?: string | undefined;
  readonly RegistroDuplicado?: RegistroDuplicado | undefined;
}

export interface RegistroDuplicado {
  readonly IdPeticionRegistroDuplicado: string;
  readonly EstadoRegistroDuplicado: 'Correcta' | 'AceptadaConErrores' | 'Anulada';
  readonly CodigoErrorRegistro?: number | undefined;
  readonly DescripcionErrorRegistro?: string | undefined;
}

/** Answer to an alta/anulación message. CSV and presentation only when something was accepted. */
export function respuestaSuministro(
  presentacion: Presentacion,
  cabecera: Cabecera,
  tiempoEspera: number,
  lineas: readonly Linea[],
): string {
  const EstadoEnvio = estadoEnvioOf(lineas);
  const { CSV, NIFPresentador, TimestampPresentacion } = presentacion;
  const datos =
    EstadoEnvio === 'Incorrecto'
      ? ''
      : element('tikR:CSV', CSV) +
        '<tikR:DatosPresentacion>' +
        element('tik:NIFPresentador', NIFPresentador) +
        element('tik:TimestampPresentacion', TimestampPresentacion) +
        '</tikR:DatosPresentacion>';
  return soapEnvelope(
    `<tikR:RespuestaRegFactuSistemaFacturacion xmlns:tikR="${NS.respuestaSuministro}" xmlns:tik="${NS.sf}">` +
      datos +
      `<tikR:Cabecera>${cabeceraXml(cabecera)}</tikR:Cabecera>` +
      element('tikR:TiempoEsperaEnvio', tiempoEspera) +
      element('tikR:EstadoEnvio', EstadoEnvio) +
      lineas.map(lineaXml).join('') +
      '</tikR:RespuestaRegFactuSistemaFacturacion>',
  );
}

/** All accepted, all rejected, or a mixture, in which a warning counts too. */
function estadoEnvioOf(lineas: readonly Linea[]): string {
  if (lineas.every(({ EstadoRegistro }) => EstadoRegistro === 'Correcto')) return 'Correcto';
  if (lineas.every(({ EstadoRegistro }) => EstadoRegistro === 'Incorrecto')) return 'Incorrecto';
  return 'ParcialmenteCorrecto';
}

function cabeceraXml(cabecera: Cabecera): string {
  const { ObligadoEmision, Representante, RemisionVoluntaria } = cabecera;
  return (
    personaXml('tik:ObligadoEmision', ObligadoEmision) +
    (Representante ? personaXml('tik:Representante', Representante) : '') +
    (RemisionVoluntaria
      ? '<tik:RemisionVoluntaria>' +
        element('tik:FechaFinVeriFactu', RemisionVoluntaria.FechaFinVeriFactu) +
        element('tik:Incidencia', RemisionVoluntaria.Incidencia) +
        '</tik:RemisionVoluntaria>'
      : '')
  );
}

function personaXml(name: string, { NombreRazon, NIF }: { NombreRazon: string; NIF: string }) {
  return `<${name}>${element('tik:NombreRazon', NombreRazon)}${element('tik:NIF', NIF)}</${name}>`;
}

function lineaXml(linea: Linea): string {
  return (
    '<tikR:RespuestaLinea><tikR:IDFactura>' +
    element('tik:IDEmisorFactura', linea.IDEmisorFactura) +
    element('tik:NumSerieFactura', linea.NumSerieFactura) +
    element('tik:FechaExpedicionFactura', linea.FechaExpedicionFactura) +
    '</tikR:IDFactura><tikR:Operacion>' +
    element('tik:TipoOperacion', linea.TipoOperacion) +
    element('tik:Subsanacion', linea.Subsanacion) +
    element('tik:RechazoPrevio', linea.RechazoPrevio) +
    element('tik:SinRegistroPrevio', linea.SinRegistroPrevio) +
    '</tikR:Operacion>' +
    element('tikR:RefExterna', linea.RefExterna) +
    element('tikR:EstadoRegistro', linea.EstadoRegistro) +
    element('tikR:CodigoErrorRegistro', linea.CodigoErrorRegistro) +
    element('tikR:DescripcionErrorRegistro', linea.DescripcionErrorRegistro) +
    (linea.RegistroDuplicado ? duplicadoXml(linea.RegistroDuplicado) : '') +
    '</tikR:RespuestaLinea>'
  );
}

function duplicadoXml(duplicado: RegistroDuplicado): string {
  return (
    '<tikR:RegistroDuplicado>' +
    element('tik:IdPeticionRegistroDuplicado', duplicado.IdPeticionRegistroDuplicado) +
    element('tik:EstadoRegistroDuplicado', duplicado.EstadoRegistroDuplicado) +
    element('tik:CodigoErrorRegistro', duplicado.CodigoErrorRegistro) +
    element('tik:DescripcionErrorRegistro', duplicado.DescripcionErrorRegistro) +
    '</tikR:RegistroDuplicado>'
  );
}

export function faultXml({ code, faultcode, message }: Fault): string {
  return (
    `<?xml version="1.0" encoding="UTF-8"?><env:Envelope xmlns:env="${NS.soap}"><env:Body>` +
    `<env:Fault><faultcode>env:${faultcode}</faultcode>` +
    `<faultstring>Codigo[${code}].${escapeXml(message)}</faultstring></env:Fault>` +
    '</env:Body></env:Envelope>'
  );
}

export function soapEnvelope(body: string): string {
  return (
    `<?xml version="1.0" encoding="UTF-8"?><env:Envelope xmlns:env="${NS.soap}"><env:Header/>` +
    `<env:Body Id="Body">${body}</env:Body></env:Envelope>`
  );
}
