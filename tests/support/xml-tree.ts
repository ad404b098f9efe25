import { SaxesParser } from 'saxes';

/** An element; its name has no prefix. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: XmlElement[];
  text: string;
}

export function xmlTree(xml: string): XmlElement {
  const top: XmlElement = { name: '', attributes: {}, children: [], text: '' };
  const open = [top];
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    const element: XmlElement = {
      name: name.replace(/^.*:/, ''),
      attributes: attributes as Record<string, string>,
      children: [],
      text: '',
    };
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  parser.on('text', (text) => {
    const element = open.at(-1);
    if (element) element.text += text;
  });
  parser.on('closetag', () => open.pop());
  parser.write(xml).close();
  const [root] = top.children;
  if (!root) throw new Error('Nothing in it.');
  return root;
}

/** All elements at a path, `'Parties/BuyerParty/TaxIdentification'`. */
export function all(element: XmlElement, path: string): XmlElement[] {
  let found = [element];
  for (const name of path.split('/')) {
    found = found.flatMap(({ children }) => children.filter((child) => child.name === name));
  }
  return found;
}

export function texts(element: XmlElement, path: string): string[] {
  return all(element, path).map(({ text }) => text);
}

/** The text of the only one; empty without one. */
export function textAt(element: XmlElement, path: string): string {
  return texts(element, path)[0] ?? '';
}

/** The sum of the amounts at a path, in cents. Tests do their own additions. */
export function sumAt(element: XmlElement, path: string): number {
  return texts(element, path).reduce((sum, text) => sum + toCents(text), 0);
}

/** `'12.30'` → 1230. Amounts in tests are far below the limits of a double. */
export function toCents(text: string): number {
  return Math.round(Number(text) * 100);
}
