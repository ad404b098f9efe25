/** XML of the messages to the AEAT. Prefixes `sum` and `sum1`, no blanks between tags. */

import {
  CABECERA,
  type Elemento,
  isBlock,
  REGISTRO_ALTA,
  REGISTRO_ANULACION,
} from './estructura.ts';
import { isAlta, type RegistroAlta, type RegistroAnulacion } from './registro.ts';
import { escapeXml, xmlText } from './text.ts';

/**
 * A namespace, not the place from which the schemas are downloaded (`tikeV1.0`): it is the same in test and
 * production.
 */
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
 * One `<sum:RegistroFactura>`, stored with the registro and put into the message unchanged. Its prefixes are declared
 * on the envelope of `regFactuMessage`.
 */
export function registroXml(registro: RegistroAlta | RegistroAnulacion): string {
  // Joined at once: a string built bit by bit is a tree of its pieces, and thousands of them wait.
  const parts = [FRAGMENT_START];
  writeElement(isAlta(registro) ? ALTA : ANULACION, registro, parts);
  parts.push(FRAGMENT_END);
  return parts.join('');
}

const FRAGMENT_START = '<sum:RegistroFactura>';
const FRAGMENT_END = '</sum:RegistroFactura>';

/**
 * A stored fragment as a document of its own: its prefixes declared, the rest byte by byte.
 *
 * @param fragment from `registroXml`; anything else is returned unchanged
 */
export function registroDocument(fragment: string): string {
  if (!fragment.startsWith(FRAGMENT_START)) return fragment;
  return `${DECLARATION}<sum:RegistroFactura${declared(['sum', 'sum1'])}>${fragment.slice(FRAGMENT_START.length)}`;
}

/** What goes before and after stored fragments, kept byte by byte, to form their message. */
export function regFactuMessage(cabecera: CabeceraEnvio): { start: string; end: string } {
  const [start = '', end = ''] = envelope(
    ['sum', 'sum1'],
    `<sum:RegFactuSistemaFacturacion>${cabeceraXml(cabecera)}${BETWEEN}${REG_FACTU_END}`,
  ).split(BETWEEN);
  return { start, end };
}

/** No text of a message can contain it, because XML does not allow it. */
const BETWEEN = '\u0001';

/**
 * What goes before and after stored fragments, kept byte by byte, to form a document: a message to the AEAT without
 * its envelope.
 */
export function regFactuDocument(cabecera: CabeceraEnvio): { start: string; end: string } {
  const names = declared(['sum', 'sum1']);
  return {
    start: `${DECLARATION}<sum:RegFactuSistemaFacturacion${names}>${cabeceraXml(cabecera)}`,
    end: REG_FACTU_END,
  };
}

/** The fragments in a document of `regFactuDocument`, whatever has happened to it since. */
export function fragmentsOf(document: string): string[] {
  const [, ...pieces] = document.split(FRAGMENT_START);
  return pieces.map((piece) => {
    const end = piece.lastIndexOf(FRAGMENT_END);
    return FRAGMENT_START + (end < 0 ? piece : piece.slice(0, end + FRAGMENT_END.length));
  });
}

const REG_FACTU_END = '</sum:RegFactuSistemaFacturacion>';

function cabeceraXml({ ObligadoEmision, Incidencia }: CabeceraEnvio): string {
  const header: string[] = [];
  writeBlock(
    CABECERA_TAGS,
    {
      ObligadoEmision: {
        NombreRazon: xmlText(ObligadoEmision.NombreRazon, 120),
        NIF: ObligadoEmision.NIF,
      },
      ...(Incidencia === 'S' && { RemisionVoluntaria: { Incidencia } }),
    },
    header,
  );
  return `<sum:Cabecera>${header.join('')}</sum:Cabecera>`;
}

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>';

type Prefix = Exclude<keyof typeof NAMESPACES, 'soapenv'>;

function declared(prefixes: readonly Prefix[]): string {
  return prefixes.map((prefix) => ` xmlns:${prefix}="${NAMESPACES[prefix]}"`).join('');
}

/** A SOAP 1.1 envelope that declares those prefixes. */
export function envelope(prefixes: readonly Prefix[], body: string): string {
  return `${DECLARATION}<soapenv:Envelope xmlns:soapenv="${NAMESPACES.soapenv}"${declared(prefixes)}><soapenv:Header/><soapenv:Body>${body}</soapenv:Body></soapenv:Envelope>`;
}

/** An element of the table with its tags as they are written. */
interface Etiqueta {
  readonly name: string;
  readonly open: string;
  readonly close: string;
  /** Null for one that contains a value. */
  readonly inside: readonly Etiqueta[] | null;
}

function etiquetas(elements: readonly Elemento[]): Etiqueta[] {
  return elements.map(({ name, content }) => etiqueta(name, content));
}

function etiqueta(name: string, content: Elemento['content']): Etiqueta {
  return {
    name,
    open: `<sum1:${name}>`,
    close: `</sum1:${name}>`,
    inside: isBlock(content) ? etiquetas(content) : null,
  };
}

/** The children of a node in the order of the table; undefined ones are left out. */
function writeBlock(tags: readonly Etiqueta[], node: object, parts: string[]): void {
  const values = node as Readonly<Record<string, unknown>>;
  for (const tag of tags) {
    const value = values[tag.name];
    if (value === undefined) continue;
    if (Array.isArray(value)) for (const item of value) writeElement(tag, item, parts);
    else writeElement(tag, value, parts);
  }
}

function writeElement({ open, close, inside }: Etiqueta, value: unknown, parts: string[]): void {
  if (inside) {
    parts.push(open);
    writeBlock(inside, value as object, parts);
    parts.push(close);
  } else parts.push(open, escapeXml(value as string), close);
}

const CABECERA_TAGS = etiquetas(CABECERA);
const ALTA = etiqueta('RegistroAlta', REGISTRO_ALTA);
const ANULACION = etiqueta('RegistroAnulacion', REGISTRO_ANULACION);
