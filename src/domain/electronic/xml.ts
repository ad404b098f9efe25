/**
 * XML of one line, written so that it is its own canonical form (Canonical XML 1.0): no blanks between tags, no
 * empty tags in short, attributes in order, and only the escapes of text that C14N writes. What is signed needs no
 * canonicalisation of ours: a test holds it against another implementation.
 */

import { escapeXml, xmlText } from '../verifactu/text.ts';

/** An element with others inside. What has nothing to say is left out, and so is what would only hold that. */
export function element(name: string, ...children: readonly string[]): string {
  const inside = children.join('');
  return inside === '' ? '' : `<${name}>${inside}</${tagOf(name)}>`;
}

/** An element with a text of one line, cut at `max`; left out when there is none. */
export function textElement(name: string, text: string, max = 2500): string {
  const clean = xmlText(text.normalize('NFC'), max);
  return clean === '' ? '' : `<${name}>${escapeXml(clean)}</${tagOf(name)}>`;
}

/** A text on its way into an attribute. */
export function attribute(text: string, max = 250): string {
  return xmlText(text.normalize('NFC'), max)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('"', '&quot;');
}

export const XML_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>';

/** `cbc:Amount currencyID="EUR"` closes as `cbc:Amount`. */
function tagOf(name: string): string {
  const blank = name.indexOf(' ');
  return blank < 0 ? name : name.slice(0, blank);
}
