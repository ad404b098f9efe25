import type { X509Certificate } from 'node:crypto';
import { childrenOf, isTagged, type Node, parse } from './asn1.ts';

/** Their positions in {@link tbsFieldsOf}. */
export const TBS = { issuer: 2, subject: 4 } as const;

/**
 * What the authority signs of a certificate (RFC 5280 §4.1): serial, signature, issuer, validity, subject… after the
 * version [0], which certificates of version 1 omit.
 *
 * @throws {Asn1Error}
 */
export function tbsFieldsOf(certificate: X509Certificate): Node[] {
  const [tbs] = childrenOf(parse(certificate.raw));
  const fields = childrenOf(tbs);
  const [first] = fields;
  return first && isTagged(first, 0) ? fields.slice(1) : fields;
}
