import type { X509Certificate } from 'node:crypto';
import { childrenOf, isTagged, octetsOf, oidOf } from './asn1.ts';
import { tbsFieldsOf } from './tbs.ts';

const KEY_USAGE = '2.5.29.15';
/** digitalSignature, nonRepudiation and keyAgreement, bits 0, 1 and 4 of KeyUsage (RFC 5280 §4.2.1.3). */
const IDENTIFYING = 0b1100_1000;

/** Whether the key may identify its holder: a certificate that states its uses without these can only encrypt. */
export function mayIdentify(certificate: X509Certificate): boolean {
  const extensions = tbsFieldsOf(certificate).find((field) => isTagged(field, 3));
  for (const extension of extensions ? childrenOf(childrenOf(extensions)[0]) : []) {
    const parts = childrenOf(extension);
    if (oidOf(parts[0]) !== KEY_USAGE) continue;
    // A BIT STRING: tag, length, number of unused bits, and the bits.
    const bits = octetsOf(parts.at(-1)).at(3) ?? 0;
    return (bits & IDENTIFYING) !== 0;
  }
  return true;
}
