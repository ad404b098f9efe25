import { soapEnvelope } from './answers.ts';
import { NS } from './namespaces.ts';
import type { Entry, RegistroGuardado } from './store.ts';
import type { Consulta, RegistroAlta } from './structure-tables.ts';
import { element } from './xml.ts';

/** A registro that answers the query. */
export interface Consultado {
  readonly entry: Entry;
  readonly guardado: RegistroGuardado;
}

/** Values of a block, by name. */
type Values = Readonly<Record<string, unknown>>;

/** Order of `DatosRegistroFacturacion`, before what comes from the message's header. */
const DATOS = [
  'NombreRazonEmisor RefExterna Subsanacion RechazoPrevio SinRegistroPrevio GeneradoPor',
  'Generador TipoFactura TipoRectificativa FacturasRectificadas FacturasSustituidas',
  'ImporteRectificacion FechaOperacion DescripcionOperacion FacturaSimplificadaArt7273',
  'FacturaSinIdentifDestinatarioArt61d Macrodato EmitidaPorTerceroODestinatario Tercero',
  'Destinatarios Cupon Desglose CuotaTotal ImporteTotal Encadenamiento SistemaInformatico',
  'FechaHoraHusoGenRegistro NumRegistroAcuerdoFacturacion IdAcuerdoSistemaInformatico',
  'TipoHuella Huella NifRepresentante FechaFinVeriFactu Incidencia',
]
  .join(' ')
  .split(' ');

/** Blocks the answer's own file declares: their children are in its namespace too. */
const OWN_BLOCKS = new Set([
  'FacturasRectificadas',
  'FacturasSustituidas',
  'Destinatarios',
  'Encadenamiento',
]);

export function respuestaConsulta(
  { Cabecera, FiltroConsulta, DatosAdicionalesRespuesta }: Consulta,
  found: readonly Consultado[],
  { hasMore }: { readonly hasMore: boolean },
): string {
  const { Ejercicio, Periodo } = FiltroConsulta.PeriodoImputacion;
  const last = found.at(-1);
  return soapEnvelope(
    `<tikLRRC:RespuestaConsultaFactuSistemaFacturacion xmlns:tikLRRC="${NS.respuestaConsulta}" xmlns:tik="${NS.sf}">` +
      valueXml('tikLRRC:Cabecera', Cabecera) +
      '<tikLRRC:PeriodoImputacion>' +
      element('tikLRRC:Ejercicio', Ejercicio) +
      element('tikLRRC:Periodo', Periodo) +
      '</tikLRRC:PeriodoImputacion>' +
      element('tikLRRC:IndicadorPaginacion', hasMore ? 'S' : 'N') +
      element('tikLRRC:ResultadoConsulta', last ? 'ConDatos' : 'SinDatos') +
      found.map((one) => registroXml(one, DatosAdicionalesRespuesta)).join('') +
      (hasMore && last ? valueXml('tikLRRC:ClavePaginacion', idFacturaOf(last.entry)) : '') +
      '</tikLRRC:RespuestaConsultaFactuSistemaFacturacion>',
  );
}

function registroXml(
  { entry, guardado }: Consultado,
  mostrar: Consulta['DatosAdicionalesRespuesta'],
): string {
  const { NIFPresentador, TimestampPresentacion, IdPeticion } = entry.presentacion;
  return (
    '<tikLRRC:RegistroRespuestaConsultaFactuSistemaFacturacion>' +
    valueXml('tikLRRC:IDFactura', idFacturaOf(entry)) +
    `<tikLRRC:DatosRegistroFacturacion>${datosXml({ entry, guardado }, mostrar)}</tikLRRC:DatosRegistroFacturacion>` +
    valueXml('tikLRRC:DatosPresentacion', { NIFPresentador, TimestampPresentacion, IdPeticion }) +
    '<tikLRRC:EstadoRegistro>' +
    element('tikLRRC:TimestampUltimaModificacion', TimestampPresentacion) +
    element(
      'tikLRRC:EstadoRegistro',
      entry.TipoRegistro === 'Anulacion' ? 'Anulado' : entry.EstadoRegistro,
    ) +
    element('tikLRRC:CodigoErrorRegistro', entry.CodigoErrorRegistro) +
    element('tikLRRC:DescripcionErrorRegistro', entry.DescripcionErrorRegistro) +
    '</tikLRRC:EstadoRegistro>' +
    '</tikLRRC:RegistroRespuestaConsultaFactuSistemaFacturacion>'
  );
}

function datosXml(
  { entry, guardado }: Consultado,
  mostrar: Consulta['DatosAdicionalesRespuesta'],
): string {
  const { NifRepresentante, FechaFinVeriFactu, Incidencia } = entry.presentacion;
  const hidden = new Set<string>();
  if (mostrar?.MostrarNombreRazonEmisor !== 'S') hidden.add('NombreRazonEmisor');
  if (mostrar?.MostrarSistemaInformatico !== 'S') hidden.add('SistemaInformatico');
  const values: Values = {
    ...(guardado.TipoRegistro === 'Alta' ? withDefaults(guardado.registro) : guardado.registro),
    NifRepresentante,
    FechaFinVeriFactu,
    Incidencia,
  };
  return DATOS.filter((name) => !hidden.has(name))
    .map((name) => ownXml(name, values[name]))
    .join('');
}

/** Impuesto and Cupon come back with what they mean when they are left out. */
function withDefaults(registro: RegistroAlta): Values {
  const lineas = registro.Desglose.DetalleDesglose.map((linea) => ({ Impuesto: '01', ...linea }));
  return { ...registro, Cupon: registro.Cupon ?? 'N', Desglose: { DetalleDesglose: lineas } };
}

function ownXml(name: string, value: unknown): string {
  if (value === undefined || !OWN_BLOCKS.has(name)) return valueXml(`tikLRRC:${name}`, value);
  const children = Object.entries(value as Values).map(([child, inner]) =>
    valueXml(`tikLRRC:${child}`, inner),
  );
  return `<tikLRRC:${name}>${children.join('')}</tikLRRC:${name}>`;
}

/** A value as it was read: text, a block (its children in the shared namespace) or a list. */
function valueXml(name: string, value: unknown): string {
  if (value === undefined) return '';
  if (Array.isArray(value)) return value.map((item) => valueXml(name, item)).join('');
  if (typeof value !== 'object') return element(name, String(value));
  const children = Object.entries(value as Values).map(([child, inner]) =>
    valueXml(`tik:${child}`, inner),
  );
  return `<${name}>${children.join('')}</${name}>`;
}

function idFacturaOf({ presentacion, NumSerieFactura, FechaExpedicionFactura }: Entry) {
  return { IDEmisorFactura: presentacion.NIF, NumSerieFactura, FechaExpedicionFactura };
}
