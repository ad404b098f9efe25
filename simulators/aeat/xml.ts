import { SaxesParser } from 'saxes';

/** An element, identified by namespace and local name; prefixes are not kept. */
export interface XmlNode {
  readonly uri: string;
  readonly name: string;
  /** Text directly inside, untrimmed. */
  text: string;
  /** Most elements have none, and share the same empty list. */
  children: readonly XmlNode[];
}

export class XmlError extends Error {}

/** Far deeper than any message of the service; a limit for hostile nesting. */
const MAX_DEPTH = 40;

/** @throws {XmlError} not well formed, without root, or with a DOCTYPE. */
export function parseXml(text: string): XmlNode {
  const parser = new SaxesParser({ xmlns: true, position: false });
  const open: XmlNode[] = [];
  let root: XmlNode | undefined;

  const addText = (piece: string) => {
    const current = open.at(-1);
    if (current) current.text += piece;
  };
  parser.on('error', (error) => {
    throw new XmlError(error.message);
  });
  parser.on('doctype', () => {
    throw new XmlError('No se admite DOCTYPE.');
  });
  parser.on('opentag', ({ uri, local }) => {
    if (open.length >= MAX_DEPTH) throw new XmlError('Demasiados niveles.');
    const node: XmlNode = { uri, name: local, text: '', children: NO_CHILDREN };
    const parent = open.at(-1);
    if (parent) addChild(parent, node);
    root ??= node;
    open.push(node);
  });
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => {
    open.pop();
  });
  parser.write(text).close();
  if (!root) throw new XmlError('No hay elemento raíz.');
  return root;
}

const NO_CHILDREN: readonly XmlNode[] = [];

function addChild(parent: XmlNode, child: XmlNode): void {
  if (parent.children === NO_CHILDREN) parent.children = [child];
  else (parent.children as XmlNode[]).push(child);
}

export function childOf(node: XmlNode, uri: string, name: string): XmlNode | undefined {
  return node.children.find((child) => child.uri === uri && child.name === name);
}

/** Trims as the AEAT does: characters up to U+0020, not the other Unicode blanks. */
export function trimValue(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && text.charCodeAt(start) <= 0x20) start++;
  while (end > start && text.charCodeAt(end - 1) <= 0x20) end--;
  return start === 0 && end === text.length ? text : text.slice(start, end);
}

export function escapeXml(text: string): string {
  if (!/[&<>]/.test(text)) return text;
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}

/** Element with a prefix and escaped text, or nothing when there is no value. */
export function element(name: string, value: string | number | undefined): string {
  return value === undefined ? '' : `<${name}>${escapeXml(String(value))}</${name}>`;
}
