/** Reading XML that has nothing but elements and texts, as programs write it. */

import type { XmlNode } from './soap.ts';

/**
 * What is left to a reader of any XML: comments, CDATA, instructions but the one at its start, line ends that are to
 * be made others, and letters that XML does not admit or that few write.
 */
const NOT_PLAIN = /[^\t\n -~\u00a0-\ud7ff\ue000-\ufffd]|<!|.<\?|\n<\?|\]\]>/;
const DECLARATION =
  /^<\?xml version="1\.0"(?: encoding="[A-Za-z][\w.-]*")?(?: standalone="(?:yes|no)")?\?>/;
const TAG_NAME = /^(?:([A-Za-z_][\w.-]*):)?([A-Za-z_][\w.-]*)$/;
const ATTRIBUTE = /^[ \t\n]+([A-Za-z_][\w.-]*)(?::([A-Za-z_][\w.-]*))?="([^"<&]*)"/;
/** As XML has it: `trim` takes more for blank. */
const BLANK = /^[ \t\n]*$/;
const ENTITY = /&(?:(amp|lt|gt|quot|apos);)?/g;
const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
};
const NONE: XmlNode[] = [];

/** What an element is called. */
interface Name {
  readonly name: string;
  readonly uri: string;
  /** With its prefix, as it must be closed. */
  readonly tag: string;
  /** Inside of it. */
  readonly scope: Scope;
}

/** An element that is being read. */
class Element implements XmlNode {
  readonly name: string;
  readonly uri: string;
  readonly tag: string;
  readonly scope: Scope;
  children: XmlNode[] = NONE;
  text = '';

  constructor({ name, uri, tag, scope }: Name) {
    this.name = name;
    this.uri = uri;
    this.tag = tag;
    this.scope = scope;
  }
}

/** Which names stand for which, between one declaration of namespaces and the next. */
interface Scope {
  /** By prefix; the one without prefix by an empty text. */
  readonly uris: ReadonlyMap<string, string>;
  /** Those that were met, by their tag. */
  readonly names: Map<string, Name>;
}

/**
 * Root of a document, as a reader of any XML would give it.
 *
 * @returns null where the document is not well-formed, or has anything that this reader does not know for sure
 */
export function parsePlain(xml: string): XmlNode | null {
  if (NOT_PLAIN.test(xml)) return null;
  const open: Element[] = [];
  let root: Element | null = null;
  let at = DECLARATION.exec(xml)?.[0].length ?? 0;
  for (;;) {
    const start = xml.indexOf('<', at);
    const text = textBetween(xml, at, start === -1 ? xml.length : start);
    const current = open.at(-1);
    if (text === null) return null;
    if (current) current.text += text;
    else if (!BLANK.test(text)) return null;
    if (start === -1) return current ? null : root;
    const end = xml.indexOf('>', start);
    if (end === -1) return null;
    at = end + 1;
    if (xml.charCodeAt(start + 1) === SLASH) {
      if (!current || !closes(xml, start + 2, end, current.tag)) return null;
      current.text = current.text.trim();
      open.pop();
      continue;
    }
    if (root && !current) return null;
    const isEmpty = xml.charCodeAt(end - 1) === SLASH;
    const name = nameOf(xml.slice(start + 1, isEmpty ? end - 1 : end), current?.scope ?? OUTSIDE);
    if (!name) return null;
    const opened = new Element(name);
    root ??= opened;
    if (current) {
      if (current.children === NONE) current.children = [];
      current.children.push(opened);
    }
    if (!isEmpty) open.push(opened);
  }
}

const SLASH = '/'.charCodeAt(0);
const OUTSIDE: Scope = { uris: new Map([['', '']]), names: new Map() };

function closes(xml: string, start: number, end: number, tag: string): boolean {
  return end - start === tag.length && xml.startsWith(tag, start);
}

/** Null when it has an entity that is not one of the five. */
function textBetween(xml: string, start: number, end: number): string | null {
  if (start === end) return '';
  const text = xml.slice(start, end);
  if (!text.includes('&')) return text;
  let isKnown = true;
  const read = text.replace(ENTITY, (_, name: string | undefined) => {
    isKnown &&= name !== undefined;
    return ENTITIES[name ?? ''] ?? '';
  });
  return isKnown ? read : null;
}

/** Null when it is not one of this reader's, or its prefix is not declared. */
function nameOf(inside: string, outer: Scope): Name | null {
  const known = outer.names.get(inside);
  if (known) return known;
  const tag = /^[\w.:-]*/.exec(inside)?.[0] ?? '';
  const scope = scopeOf(inside.slice(tag.length), outer);
  const [, prefix = '', name] = TAG_NAME.exec(tag) ?? [];
  const uri = scope?.uris.get(prefix);
  if (!scope || name === undefined || uri === undefined) return null;
  const found = { name, uri, tag, scope };
  if (scope !== OUTSIDE) scope.names.set(tag, found);
  return found;
}

/** The scope inside of a tag with such attributes; null for attributes that this reader does not know for sure. */
function scopeOf(attributes: string, outer: Scope): Scope | null {
  const uris = new Map(outer.uris);
  const met = new Set<string>();
  let isNew = false;
  let rest = attributes;
  while (!BLANK.test(rest)) {
    const [whole = '', first = '', second, value = ''] = ATTRIBUTE.exec(rest) ?? [];
    const declared = first === 'xmlns' ? (second ?? '') : null;
    const isOdd =
      first === '' ||
      met.has(second ?? `${first}=`) ||
      (declared === null && second !== undefined) ||
      (declared !== null && (/^xml/i.test(declared) || value === '' || isReserved(value)));
    if (isOdd) return null;
    met.add(second ?? `${first}=`);
    if (declared !== null) {
      uris.set(declared, value);
      isNew = true;
    }
    rest = rest.slice(whole.length);
  }
  return isNew ? { uris, names: new Map() } : outer;
}

/** Namespaces of XML itself, which nobody may declare, and what has to be trimmed first. */
function isReserved(uri: string): boolean {
  return /\s|^http:\/\/www\.w3\.org\/(?:2000\/xmlns\/|XML\/1998\/namespace)$/.test(uri);
}
