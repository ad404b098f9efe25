/**
 * Writes XML on one line that already is its own canonical form (Canonical XML 1.0): no whitespace between tags, no
 * empty-element tags, attributes in order, and only the escapes that C14N writes. So nothing has to be canonicalised
 * before signing; a test compares the result with another implementation.
 */

import { escapeXml, xmlText } from '../verifactu/text.ts';

/** An element with child elements. Empty children are left out, and so is an element with nothing in it. */
export function element(name: string, ...children: readonly string[]): string {
  const inside = children.join('');
  return inside === '' ? '' : `<${name}>${inside}</${tagOf(name)}>`;
}

/** An element with a text of one line, cut to `max` characters; left out when the text is empty. */
export function textElement(name: string, text: string, max = 2500): string {
  const clean = xmlText(text.normalize('NFC'), max);
  return clean === '' ? '' : `<${name}>${escapeXml(clean)}</${tagOf(name)}>`;
}

/** A text prepared for an attribute, cut to 250 characters. */
export function attribute(text: string): string {
  return xmlText(text.normalize('NFC'), 250)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('"', '&quot;');
}

export const XML_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>';

/** The tag that closes `cbc:Amount currencyID="EUR"` is `cbc:Amount`. */
function tagOf(name: string): string {
  const blank = name.indexOf(' ');
  return blank < 0 ? name : name.slice(0, blank);
}
