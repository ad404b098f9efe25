import type { X509Certificate } from 'node:crypto';
import { childrenOf, derOf, type Node, oidOf, textOf } from './asn1.ts';
import { TBS, tbsFieldsOf } from './tbs.ts';

/** Attributes with a name in RFC 4514 §3; others are written by OID. */
const NAMES: Readonly<Record<string, string>> = {
  '2.5.4.3': 'CN',
  '2.5.4.6': 'C',
  '2.5.4.7': 'L',
  '2.5.4.8': 'ST',
  '2.5.4.9': 'STREET',
  '2.5.4.10': 'O',
  '2.5.4.11': 'OU',
  '0.9.2342.19200300.100.1.1': 'UID',
  '0.9.2342.19200300.100.1.25': 'DC',
};

/**
 * The issuer of a certificate as in XML signatures (XMLDSig §4.4.4, RFC 4514): the last attribute first. Read from
 * the DER, because node's text names some attributes as no other program does.
 */
export function issuerNameOf(certificate: X509Certificate): string {
  return childrenOf(tbsFieldsOf(certificate)[TBS.issuer])
    .map((set) => childrenOf(set).map(attributeText).join('+'))
    .reverse()
    .join(',');
}

function attributeText(attribute: Node): string {
  const [type, value] = childrenOf(attribute);
  const oid = oidOf(type);
  const name = NAMES[oid];
  return name ? `${name}=${escaped(textOf(value))}` : `${oid}=#${derOf(value).toString('hex')}`;
}

function escaped(text: string): string {
  return text
    .replace(/[\\",+;<>]/g, '\\$&')
    .replace(/^[ #]/, '\\$&')
    .replace(/ $/, '\\ ');
}
