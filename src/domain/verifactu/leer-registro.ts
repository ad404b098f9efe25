/** Reads a registro of any program back from its XML, as far as huella and links need. */

import { SaxesParser } from 'saxes';
import { type Hueco, learn, type Raiz } from './leer-llano.ts';
import { NAMESPACES, registroDocument } from './xml.ts';
import { refuseDepth } from './xml-depth.ts';

/** Text of the fields of a registro, by path: `TipoFactura`, `IDFactura/NumSerieFactura`. */
export interface CamposLeidos {
  readonly TipoRegistro: 'Alta' | 'Anulacion';
  readonly campos: ReadonlyMap<string, string>;
  /** The first field that appears twice, which no schema allows; null when none does. */
  readonly repetido: string | null;
}

/** What enters the huella or the link, or contains it; the rest of a registro is ignored. */
const READ: ReadonlySet<string | undefined> = new Set([
  'IDFactura',
  'TipoFactura',
  'CuotaTotal',
  'ImporteTotal',
  'Encadenamiento',
  'FechaHoraHusoGenRegistro',
  'TipoHuella',
  'Huella',
]);

/**
 * For the program that made it: which program and which installation, because that is what a cadena belongs to
 * (diseños de registro 1.0, `SistemaInformatico`).
 */
const READ_OF_SISTEMA: ReadonlySet<string | undefined> = new Set([
  'NIF',
  'IDOtro',
  'IdSistemaInformatico',
  'NumeroInstalacion',
]);

function isRead([first, second]: readonly string[]): boolean {
  return READ.has(first) || (first === 'SistemaInformatico' && READ_OF_SISTEMA.has(second));
}

/** The fields of `TextosLlanos`. */
function isInTextos([first, second]: readonly string[]): boolean {
  return READ.has(first) || (first === 'SistemaInformatico' && second === 'NumeroInstalacion');
}

const ROOTS: Readonly<Record<string, CamposLeidos['TipoRegistro']>> = {
  RegistroAlta: 'Alta',
  RegistroAnulacion: 'Anulacion',
};

/**
 * Every RegistroAlta and RegistroAnulacion of a document, in order, at any depth: a single registro, a RegFactu
 * message, its SOAP envelope. Namespaces count, prefixes do not.
 *
 * @returns null when it is not well-formed XML, or deeper than any message
 */
export function readAnyXml(xml: string): CamposLeidos[] | null {
  const found: CamposLeidos[] = [];
  const parser = new SaxesParser({ xmlns: true, position: false });
  let reading: Reading | null = null;
  let depth = 0;
  parser.on('opentag', ({ local, uri }) => {
    refuseDepth(++depth);
    const isKnown = uri === NAMESPACES.sum1;
    if (reading) reading.open(isKnown ? local : '');
    else if (isKnown && ROOTS[local]) reading = new Reading(ROOTS[local]);
  });
  const addText = (text: string) => reading?.text(text);
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => {
    depth -= 1;
    if (!reading || reading.close()) return;
    found.push(reading);
    reading = null;
  });
  try {
    parser.write(xml).close();
    return found;
  } catch {
    return null; // Not XML, or truncated.
  }
}

/** One registro while its elements are opened and closed. */
class Reading implements CamposLeidos {
  readonly TipoRegistro: CamposLeidos['TipoRegistro'];
  readonly campos = new Map<string, string>();
  repetido: string | null = null;
  readonly #path: string[] = [];
  /** Text of each open element; null for one with child elements. */
  readonly #texts: (string | null)[] = [];

  constructor(TipoRegistro: CamposLeidos['TipoRegistro']) {
    this.TipoRegistro = TipoRegistro;
  }

  /** @param name empty for an element of another namespace */
  open(name: string): void {
    if (this.#texts.length > 0) this.#texts[this.#texts.length - 1] = null;
    this.#path.push(name);
    this.#texts.push('');
  }

  text(text: string): void {
    const last = this.#texts.at(-1);
    if (typeof last === 'string') this.#texts[this.#texts.length - 1] = last + text;
  }

  /** @returns false when it was the registro itself */
  close(): boolean {
    const text = this.#texts.pop();
    if (text === undefined) return false;
    if (text !== null) this.keep(this.#path, text);
    this.#path.pop();
    return true;
  }

  /** Only elements without children have a value. */
  keep(path: readonly string[], text: string): void {
    if (!isRead(path)) return;
    const name = pathName(path);
    if (this.campos.has(name)) this.repetido ??= name;
    else this.campos.set(name, text);
  }
}

/** Like `join('/')`, but cheaper for so few levels. */
function pathName(path: readonly string[]): string {
  let name = path[0] ?? '';
  for (let i = 1; i < path.length; i++) name += `/${path[i]}`;
  return name;
}

/** What XML 1.0 forbids in text; saxes refuses it, and so does the fast reader. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused.
const FORBIDDEN = /[\u0000-\u0008\u000b-\u001f\ud800-\udfff\ufffe\uffff]/;

const TAG_NAME = /^sum1:[A-Za-z][A-Za-z0-9]*$/;
const PREFIX_LENGTH = 'sum1:'.length;

/**
 * The same for a fragment written by `registroXml`, several times faster: plain tags with our prefix, no attributes,
 * no blanks between them, no entities except our three.
 *
 * It is only a shortcut: anything else goes to the general reader, which gives the same answer (a property in the
 * tests).
 */
export function readOwnXml(fragment: string): CamposLeidos | null {
  const root = rootOf(fragment);
  if (root) {
    const body = fragment.slice(root.start.length, fragment.length - root.end.length);
    const isPlain = !FORBIDDEN.test(body) && !body.includes(']]>');
    const reading = isPlain ? scan(body, root) : null;
    if (reading) return reading;
  }
  const all = readAnyXml(registroDocument(fragment));
  return all?.length === 1 ? (all[0] as CamposLeidos) : null;
}

const OWN_ROOTS = Object.entries(ROOTS).map<Raiz>(([name, TipoRegistro]) => ({
  TipoRegistro,
  start: `<sum:RegistroFactura><sum1:${name}>`,
  end: `</sum1:${name}></sum:RegistroFactura>`,
}));

function rootOf(fragment: string): Raiz | undefined {
  return OWN_ROOTS.find(({ start, end }) => fragment.startsWith(start) && fragment.endsWith(end));
}

/** Null for anything that is not as plain as what we write. */
function scan(body: string, root: Raiz): CamposLeidos | null {
  const reading = new Reading(root.TipoRegistro);
  const huecos: Hueco[] = [];
  let marked = 0;
  const path: string[] = [];
  const tags: string[] = [];
  let at = 0;
  while (at < body.length) {
    if (body.charCodeAt(at) !== 60) return null;
    const end = body.indexOf('>', at);
    if (end === -1) return null;
    if (body.charCodeAt(at + 1) === 47) {
      if (body.slice(at + 2, end) !== tags.pop()) return null;
      path.pop();
      at = end + 1;
      continue;
    }
    const tag = body.slice(at + 1, end);
    const name = nameOf(tag);
    if (name === null) return null;
    path.push(name);
    if (body.charCodeAt(end + 1) === 60 && body.charCodeAt(end + 2) !== 47) {
      tags.push(tag);
      at = end + 1;
      continue;
    }
    const close = body.indexOf('<', end + 1);
    if (close === -1 || !body.startsWith(`</${tag}>`, close)) return null;
    const text = unescaped(body.slice(end + 1, close));
    if (text === null) return null;
    reading.keep(path, text);
    huecos.push({ before: body.slice(marked, end + 1), name: nameInTextos(path) });
    marked = close;
    path.pop();
    at = close + tag.length + 3;
  }
  if (tags.length > 0) return null;
  if (reading.repetido === null) learn(root, huecos, body.slice(marked));
  return reading;
}

const nameInTextos = (path: readonly string[]) => (isInTextos(path) ? pathName(path) : null);

/** Names seen so far: a registro has few. Bounded, because a tampered one may have any. */
const known = new Map<string, string>();

/** Null for a tag that we would not have written. */
function nameOf(tag: string): string | null {
  const seen = known.get(tag);
  if (seen !== undefined) return seen;
  if (!TAG_NAME.test(tag)) return null;
  const own = ` ${tag}`.slice(1); // A copy: a slice would keep the registro's whole text in memory.
  const name = own.slice(PREFIX_LENGTH);
  if (known.size < 200) known.set(own, name);
  return name;
}

const ENTITIES: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>' };

function unescaped(text: string): string | null {
  if (!text.includes('&')) return text;
  let isPlain = true;
  const plain = text.replace(/&[^;&]*;?/g, (entity) => {
    const meant = ENTITIES[entity];
    if (meant === undefined) isPlain = false;
    return meant ?? '';
  });
  return isPlain ? plain : null;
}
