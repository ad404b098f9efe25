/** Reads XML that contains only elements and text, as programs write it. */

import type { XmlNode } from './soap.ts';

/**
 * What is left to a general XML reader: comments, CDATA, processing instructions except the declaration, line ends
 * that have to be normalised, and characters that XML does not allow or that are rare.
 */
const NOT_PLAIN = /[^\t\n -~\u00a0-\ud7ff\ue000-\ufffd]|<!|.<\?|\n<\?|\]\]>/;
const DECLARATION =
  /^<\?xml version="1\.0"(?: encoding="[A-Za-z][\w.-]*")?(?: standalone="(?:yes|no)")?\?>/;
const TAG_NAME = /^(?:([A-Za-z_][\w.-]*):)?([A-Za-z_][\w.-]*)$/;
const ATTRIBUTE = /^[ \t\n]+([A-Za-z_][\w.-]*)(?::([A-Za-z_][\w.-]*))?="([^"<&]*)"/;
/** Whitespace as XML defines it: `trim` removes more. */
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

/** The name of an element. */
interface Name {
  readonly name: string;
  readonly uri: string;
  /** With its prefix, as its end tag must repeat it. */
  readonly tag: string;
  /** The scope inside the element. */
  readonly scope: Scope;
}

/** An element being read. */
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

/** The prefixes declared between one declaration of namespaces and the next. */
interface Scope {
  /** By prefix; the default namespace under an empty text. */
  readonly uris: ReadonlyMap<string, string>;
  /** The names seen so far, by tag. */
  readonly names: Map<string, Name>;
}

/**
 * The root of a document, exactly as a general reader would return it.
 *
 * @returns null when the document is not well-formed, or contains anything that this reader cannot judge
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

/** Null when it contains an entity other than the five predefined ones. */
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

/** Null when this reader does not handle it, or its prefix is not declared. */
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

/** The scope inside a tag with these attributes; null for attributes that this reader cannot judge. */
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

/** Namespaces of XML itself, which may not be declared, and those with whitespace to be trimmed. */
function isReserved(uri: string): boolean {
  return /\s|^http:\/\/www\.w3\.org\/(?:2000\/xmlns\/|XML\/1998\/namespace)$/.test(uri);
}
