import { SaxesParser } from 'saxes';
import { parsePlain } from './plain-xml.ts';
import { refuseDepth } from './xml-depth.ts';

/** An element by its local name and namespace: prefixes are up to the sender. */
export interface XmlNode {
  readonly name: string;
  readonly uri: string;
  readonly children: readonly XmlNode[];
  /** Its own text, trimmed. */
  readonly text: string;
}

const SOAP = 'http://schemas.xmlsoap.org/soap/envelope/';

/**
 * The first element in the Body of a SOAP 1.1 message; null for anything else: an HTML page, truncated or invalid
 * XML, an empty answer, an empty body.
 */
export function soapContent(xml: string): XmlNode | null {
  const envelope = parseXml(xml);
  if (!envelope || !isSoap(envelope, 'Envelope')) return null;
  const body = envelope.children.find((node) => isSoap(node, 'Body'));
  return body?.children[0] ?? null;
}

export function isSoapFault(node: XmlNode): boolean {
  return isSoap(node, 'Fault');
}

/** The first child with that name, which is unique in the AEAT's schemas whatever its namespace. */
export function child(node: XmlNode | undefined, name: string): XmlNode | undefined {
  return node?.children.find((candidate) => candidate.name === name);
}

/** Text of a child; undefined when it is absent or empty. */
export function textOf(node: XmlNode | undefined, name: string): string | undefined {
  return child(node, name)?.text || undefined;
}

function isSoap(node: XmlNode, name: string): boolean {
  return node.name === name && node.uri === SOAP;
}

/** Root of a well-formed document, or null. */
function parseXml(xml: string): XmlNode | null {
  return parsePlain(xml) ?? parseAny(xml);
}

/** For XML of any kind; several times slower. */
export function parseAny(xml: string): XmlNode | null {
  const parser = new SaxesParser({ xmlns: true, position: false });
  const open: { name: string; uri: string; children: XmlNode[]; text: string }[] = [];
  let root: XmlNode | null = null;
  parser.on('opentag', ({ local, uri }) => {
    open.push({ name: local, uri, children: [], text: '' });
    refuseDepth(open.length);
  });
  const addText = (text: string) => {
    const current = open.at(-1);
    if (current) current.text += text;
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => {
    const node = open.pop();
    if (!node) return;
    node.text = node.text.trim();
    const parent = open.at(-1);
    if (parent) parent.children.push(node);
    else root = node;
  });
  try {
    parser.write(xml).close();
    return root;
  } catch {
    return null; // Not XML, or truncated: the caller decides what that means.
  }
}
