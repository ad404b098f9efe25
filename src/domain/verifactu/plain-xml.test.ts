import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readAnyXml } from './leer-registro.ts';
import { parsePlain } from './plain-xml.ts';
import { parseAny, type XmlNode } from './soap.ts';

/** Without what only a reader needs. */
function bare(node: XmlNode | null): XmlNode | null {
  if (!node) return null;
  const { name, uri, text } = node;
  return { name, uri, text, children: node.children.map((one) => bare(one) as XmlNode) };
}

/** Pieces of XML, right and wrong, that follow each other in any order. */
const piece = fc.constantFrom(
  ...[
    '<a>',
    '</a>',
    '<a/>',
    '<a >',
    '</a >',
    '<p:a>',
    '</p:a>',
    '<q:b>',
    '</q:b>',
    '<x.-_1>',
    '</x.-_1>',
  ],
  ...[
    '<a xmlns="urn:d">',
    '<p:a xmlns:p="urn:p">',
    '<q:b xmlns:q="urn:p" Id="1">',
    '<a b="1" b="2">',
  ],
  ...[
    '<a xmlns="">',
    '<a xmlns:xml="urn:x">',
    '<a xmlns:p="http://www.w3.org/2000/xmlns/">',
    "<a b='1'>",
  ],
  ...[
    '<a b="1"c="2">',
    '<a b="<">',
    '<a b="&amp;">',
    '<a b="x>y">',
    '<a b>',
    '<a p:b="1">',
    '<a xmlns:p=" urn:p ">',
  ],
  ...[
    'text',
    ' ',
    '\n\t',
    '\r\n',
    '\u00a0',
    '\ufeff',
    'ñ',
    '€',
    '\u{1f600}',
    '\u0000',
    '\u0085',
    '\uffff',
    '\ud800',
  ],
  ...[
    '&amp;',
    '&lt;',
    '&quot;',
    '&#65;',
    '&#0;',
    '&otra;',
    '&',
    '&amp',
    '>',
    ']]>',
    '<',
    '<!-- -->',
    '<![CDATA[a]]>',
  ],
  ...[
    '<?xml version="1.0"?>',
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<?otra?>',
    '<!DOCTYPE a>',
    '<>',
    '</>',
  ],
);
/** Correctly closed elements around any pieces. */
const tree: fc.Arbitrary<string> = fc.letrec<{ node: string }>((tie) => ({
  node: fc.oneof(
    { depthSize: 'small' },
    { weight: 3, arbitrary: fc.constantFrom('', 'texto', ' a &amp; b ', '\n', '1 > 0', 'ñ') },
    { weight: 1, arbitrary: piece },
    {
      weight: 6,
      arbitrary: fc
        .tuple(
          fc.constantFrom('a', 'p:a', 'q:b', 'c.d'),
          fc.constantFrom('', ' xmlns="urn:d"', ' xmlns:p="urn:p" xmlns:q="urn:q"', ' Id="x y"'),
          fc.array(tie('node'), { maxLength: 4 }),
        )
        .map(([tag, attributes, inside]) => `<${tag}${attributes}>${inside.join('')}</${tag}>`),
    },
  ),
})).node;

describe('parsePlain', () => {
  it('returns what a general XML reader returns, or nothing', () => {
    let read = 0;
    const check = (xml: string) => {
      const plain = parsePlain(xml);
      if (plain) read += 1;
      if (plain) expect(bare(plain)).toEqual(bare(parseAny(xml)));
    };
    const inRoot = tree.map((inside) => `<r xmlns:p="urn:0" xmlns:q="urn:1">${inside}</r>`);
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 9 }).map((pieces) => pieces.join('')),
        check,
      ),
      { numRuns: 20_000 },
    );
    fc.assert(fc.property(tree, check), { numRuns: 5_000 });
    fc.assert(fc.property(inRoot, check), { numRuns: 5_000 });
    expect(read).toBeGreaterThan(3_000);
  });

  it('reads an answer of the AEAT', () => {
    const xml =
      '<?xml version="1.0" encoding="UTF-8"?>\n<e:Envelope xmlns:e="urn:soap"><e:Body Id="Body"><t:R xmlns:t="urn:t" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">' +
      '<t:A> Peñalver &amp; Hijos </t:A><t:B/></t:R></e:Body></e:Envelope>\n';
    expect(bare(parsePlain(xml))).toEqual({
      name: 'Envelope',
      uri: 'urn:soap',
      text: '',
      children: [
        {
          name: 'Body',
          uri: 'urn:soap',
          text: '',
          children: [
            {
              name: 'R',
              uri: 'urn:t',
              text: '',
              children: [
                { name: 'A', uri: 'urn:t', text: 'Peñalver & Hijos', children: [] },
                { name: 'B', uri: 'urn:t', text: '', children: [] },
              ],
            },
          ],
        },
      ],
    });
  });

  it.each([
    ['cut short', '<a><b>1</b>'],
    ['closed by another', '<a><b>1</a></b>'],
    ['with two roots', '<a/><b/>'],
    ['with text behind its root', '<a/>b'],
    ['with a prefix that nobody declared', '<p:a/>'],
    ['with a prefix of a neighbour', '<a><b xmlns:p="urn:p"/><p:c/></a>'],
    ['with an entity of its own', '<a>&otra;</a>'],
    ['that is empty', ''],
  ])('returns nothing for a document %s', (_, xml) => {
    expect(parsePlain(xml)).toBeNull();
    expect(parseAny(xml)).toBeNull();
  });

  it.each([
    [100, true],
    [101, false],
  ])('is read by the general reader if it has %i levels: %j', (levels, isRead) => {
    const xml = '<a>'.repeat(levels) + '</a>'.repeat(levels);
    expect(parseAny(xml) !== null).toBe(isRead);
    expect(readAnyXml(xml) !== null).toBe(isRead);
  });
});
