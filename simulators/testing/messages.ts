import { huellaOfAlta, huellaOfAnulacion } from '../aeat/huella.ts';
import { NS } from '../aeat/namespaces.ts';
import type { Block } from '../aeat/structure.ts';
import { type RegistroAlta, type RegistroAnulacion, TABLES } from '../aeat/structure-tables.ts';
import { element } from '../aeat/xml.ts';

/** The instant at which all registros made here are generated, and its peninsular text. */
export const NOW = new Date('2026-11-20T09:00:37Z');
const GENERADO = '2026-11-20T10:00:37+01:00';

/** Fictitious NIFs from the AEAT's own examples, with valid check letters. */
export const EMISOR = '89890001K';
export const CLIENTE = '89890002E';
const PRODUCTOR = 'A39200019';

/** Values as in the XML; undefined ones are left out. */
export type Values = { readonly [name: string]: unknown };

const DETALLE: Values = {
  ClaveRegimen: '01',
  CalificacionOperacion: 'S1',
  TipoImpositivo: '21',
  BaseImponibleOimporteNoSujeto: '100.00',
  CuotaRepercutida: '21.00',
};

/** An ordinary line of the desglose, except for `changes`. */
export function detalle(changes: Values = {}): Values {
  return { ...DETALLE, ...changes };
}

/** A desglose with these lines. */
export function desglose(...lineas: Values[]): Values {
  return { Desglose: { DetalleDesglose: lineas } };
}

export const SISTEMA: Values = {
  NombreRazon: 'PRODUCTOR DE PRUEBAS',
  NIF: PRODUCTOR,
  NombreSistemaInformatico: 'Programa',
  IdSistemaInformatico: 'P1',
  Version: '1.0',
  NumeroInstalacion: '1',
  TipoUsoPosibleSoloVerifactu: 'S',
  TipoUsoPosibleMultiOT: 'S',
  IndicadorMultiplesOT: 'N',
};

export const CLIENTE_CON_NIF: Values = { NombreRazon: 'CLIENTE DE PRUEBAS', NIF: CLIENTE };

/** Recipients of an alta. */
export function destinatarios(...personas: Values[]): Values {
  return { Destinatarios: { IDDestinatario: personas } };
}

/** A party identified otherwise. */
export function extranjero(IDOtro: Values): Values {
  return { NombreRazon: 'CLIENTE DE FUERA', IDOtro };
}

export function anterior(Huella: string): Values {
  return {
    Encadenamiento: {
      RegistroAnterior: {
        IDEmisorFactura: EMISOR,
        NumSerieFactura: 'ANTES',
        FechaExpedicionFactura: '20-11-2026',
        Huella,
      },
    },
  };
}

export function idFactura(numero: string, changes: Values = {}): Values {
  return {
    IDFactura: {
      IDEmisorFactura: EMISOR,
      NumSerieFactura: numero,
      FechaExpedicionFactura: '20-11-2026',
      ...changes,
    },
  };
}

/** XML of an alta that is valid except for `changes`; its huella is computed after them. */
export function altaXml(numero: string, changes: Values = {}): string {
  const values = {
    IDVersion: '1.0',
    ...idFactura(numero),
    NombreRazonEmisor: 'EMISOR DE PRUEBAS',
    TipoFactura: 'F1',
    DescripcionOperacion: 'Servicios',
    ...destinatarios(CLIENTE_CON_NIF),
    ...desglose(detalle()),
    CuotaTotal: '21.00',
    ImporteTotal: '121.00',
    ...anterior('A'.repeat(64)),
    SistemaInformatico: SISTEMA,
    FechaHoraHusoGenRegistro: GENERADO,
    TipoHuella: '01',
    ...changes,
  };
  const huella = huellaOfAlta(values as unknown as RegistroAlta);
  return registroXml('RegistroAlta', TABLES.RegistroAlta, { Huella: huella, ...values });
}

/** Like {@link altaXml}, for an anulación. */
export function anulacionXml(numero: string, changes: Values = {}): string {
  const values = {
    IDVersion: '1.0',
    IDFactura: {
      IDEmisorFacturaAnulada: EMISOR,
      NumSerieFacturaAnulada: numero,
      FechaExpedicionFacturaAnulada: '20-11-2026',
    },
    ...anterior('A'.repeat(64)),
    SistemaInformatico: SISTEMA,
    FechaHoraHusoGenRegistro: GENERADO,
    TipoHuella: '01',
    ...changes,
  };
  const huella = huellaOfAnulacion(values as unknown as RegistroAnulacion);
  return registroXml('RegistroAnulacion', TABLES.RegistroAnulacion, { Huella: huella, ...values });
}

/** SOAP message with these registros. `cabecera` replaces the default one. */
export function message(registros: readonly string[], cabecera: Values = {}): string {
  const values = {
    ObligadoEmision: { NombreRazon: 'EMISOR DE PRUEBAS', NIF: EMISOR },
    ...cabecera,
  };
  return envelope(
    `<l:RegFactuSistemaFacturacion xmlns:l="${NS.suministro}" xmlns:s="${NS.sf}">` +
      `<l:Cabecera>${blockXml(TABLES.Cabecera, values)}</l:Cabecera>` +
      `${registros.join('')}</l:RegFactuSistemaFacturacion>`,
  );
}

export function envelope(body: string): string {
  return `<e:Envelope xmlns:e="${NS.soap}"><e:Header/><e:Body>${body}</e:Body></e:Envelope>`;
}

function registroXml(name: string, table: Block, values: Values): string {
  return `<l:RegistroFactura><s:${name}>${blockXml(table, values)}</s:${name}></l:RegistroFactura>`;
}

/** In the order of the table, which senders have to follow. */
function blockXml(table: Block, values: Values): string {
  return table.order.map(([name, { def }]) => xmlOf(name, def, values[name])).join('');
}

function xmlOf(name: string, def: { readonly kind: string }, value: unknown): string {
  if (value === undefined) return '';
  if (Array.isArray(value)) return value.map((item) => xmlOf(name, def, item)).join('');
  if (def.kind !== 'block') return element(`s:${name}`, String(value));
  return `<s:${name}>${blockXml(def as Block, value as Values)}</s:${name}>`;
}
