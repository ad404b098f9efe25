/** XML of the messages to the AEAT. Prefixes `sum` and `sum1`, no blanks between tags. */

import { CABECERA, type Elemento, estructuraOf, isBlock } from './estructura.ts';
import { isAlta, type RegistroAlta, type RegistroAnulacion } from './registro.ts';
import { escapeXml, xmlText } from './text.ts';

/** Never where the schemas are downloaded from (`tikeV1.0`): the same in test and production. */
const BASE =
  'https://www2.agenciatributaria.gob.es/static_files/common/internet/dep/aplicaciones/es/aeat/tike/cont/ws/';
export const NAMESPACES = {
  soapenv: 'http://schemas.xmlsoap.org/soap/envelope/',
  sum: `${BASE}SuministroLR.xsd`,
  sum1: `${BASE}SuministroInformacion.xsd`,
  con: `${BASE}ConsultaLR.xsd`,
} as const;

export interface CabeceraEnvio {
  readonly ObligadoEmision: { readonly NombreRazon: string; readonly NIF: string };
  /** `S` when some of its registros were generated too long ago for the AEAT's clock. */
  readonly Incidencia?: 'S' | 'N' | undefined;
}

/**
 * One `<sum:RegistroFactura>`: what is stored with the registro and put into the message unchanged.
 * Its prefixes are declared on the envelope of `regFactuXml`.
 */
export function registroXml(registro: RegistroAlta | RegistroAnulacion): string {
  const name = isAlta(registro) ? 'sum1:RegistroAlta' : 'sum1:RegistroAnulacion';
  const body = blockXml(estructuraOf(registro), registro, 'sum1');
  return `<sum:RegistroFactura><${name}>${body}</${name}></sum:RegistroFactura>`;
}

const FRAGMENT_START = '<sum:RegistroFactura>';
const DOCUMENT_START = `<sum:RegistroFactura xmlns:sum="${NAMESPACES.sum}" xmlns:sum1="${NAMESPACES.sum1}">`;

/**
 * A stored fragment as a document of its own: its prefixes declared, the rest byte by byte.
 *
 * @param fragment from `registroXml`; anything else comes back as it was
 */
export function registroDocument(fragment: string): string {
  if (!fragment.startsWith(FRAGMENT_START)) return fragment;
  return `<?xml version="1.0" encoding="UTF-8"?>${DOCUMENT_START}${fragment.slice(FRAGMENT_START.length)}`;
}

/**
 * The whole SOAP message.
 *
 * @param fragments from `registroXml`, in the order of the cadena, at most MAX_REGISTROS
 */
export function regFactuXml(cabecera: CabeceraEnvio, fragments: readonly string[]): string {
  const { ObligadoEmision, Incidencia } = cabecera;
  const header = blockXml(
    CABECERA,
    {
      ObligadoEmision: {
        NombreRazon: xmlText(ObligadoEmision.NombreRazon, 120),
        NIF: ObligadoEmision.NIF,
      },
      ...(Incidencia === 'S' && { RemisionVoluntaria: { Incidencia } }),
    },
    'sum1',
  );
  return envelope(
    ['sum', 'sum1'],
    `<sum:RegFactuSistemaFacturacion><sum:Cabecera>${header}</sum:Cabecera>${fragments.join('')}</sum:RegFactuSistemaFacturacion>`,
  );
}

/** A SOAP 1.1 envelope that declares those prefixes. */
export function envelope(
  prefixes: readonly Exclude<keyof typeof NAMESPACES, 'soapenv'>[],
  body: string,
): string {
  const declared = prefixes.map((prefix) => ` xmlns:${prefix}="${NAMESPACES[prefix]}"`).join('');
  return `<?xml version="1.0" encoding="UTF-8"?><soapenv:Envelope xmlns:soapenv="${NAMESPACES.soapenv}"${declared}><soapenv:Header/><soapenv:Body>${body}</soapenv:Body></soapenv:Envelope>`;
}

/** The children of a node in the order of the table; what is undefined is left out. */
export function blockXml(elements: readonly Elemento[], node: object, prefix: string): string {
  const values = node as Readonly<Record<string, unknown>>;
  let xml = '';
  for (const { name, content } of elements) {
    const value = values[name];
    if (value === undefined) continue;
    for (const item of Array.isArray(value) ? value : [value]) {
      const inner = isBlock(content) ? blockXml(content, item, prefix) : escapeXml(item);
      xml += `<${prefix}:${name}>${inner}</${prefix}:${name}>`;
    }
  }
  return xml;
}
