import * as asn1js from 'asn1js';

/** A node of ASN.1 in BER, the encoding of PKCS#12 files. */
export type Node = asn1js.AsnType;

/** The bytes are not ASN.1, or not of the expected structure. */
export class Asn1Error extends Error {
  override readonly name = 'Asn1Error';
}

/** @throws {Asn1Error} */
export function parse(bytes: Buffer): Node {
  const { offset, result } = read(Uint8Array.from(bytes).buffer);
  if (offset < 0) throw new Asn1Error(result.error || 'Not ASN.1.');
  return result;
}

/** Most errors are in the result; an invalid date is thrown. */
function read(bytes: ArrayBuffer): ReturnType<typeof asn1js.fromBER> {
  try {
    return asn1js.fromBER(bytes);
  } catch (error) {
    throw new Asn1Error('Not ASN.1.', { cause: error });
  }
}

/** The elements of a sequence, a set or an explicit tag. */
export function childrenOf(node: Node | undefined): Node[] {
  if (!(node instanceof asn1js.Constructed)) throw new Asn1Error('Not a sequence.');
  return node.valueBlock.value as Node[];
}

/** The bytes of an OCTET STRING, or of the implicit tag in its place; in pieces (BER) or whole. */
export function octetsOf(node: Node | undefined): Buffer {
  if (node instanceof asn1js.OctetString) return Buffer.from(node.getValue());
  if (node instanceof asn1js.Primitive) return Buffer.from(node.valueBlock.valueHexView);
  if (node instanceof asn1js.Constructed) return Buffer.concat(childrenOf(node).map(octetsOf));
  throw new Asn1Error('Not octets.');
}

/** The node as in the file, including its header. */
export function derOf(node: Node | undefined): Buffer {
  if (!node) throw new Asn1Error('Missing.');
  return Buffer.from(node.toBER());
}

/**
 * Its numbers separated by points: `1.2.840.113549.1.7.1`.
 *
 * @throws {Asn1Error} when it is not an OBJECT IDENTIFIER
 */
export function oidOf(node: Node | undefined): string {
  if (!(node instanceof asn1js.ObjectIdentifier)) throw new Asn1Error('Not an object identifier.');
  return node.getValue();
}

/** A small integer: versions, iteration counts, lengths. */
export function integerOf(node: Node | undefined): number {
  if (!(node instanceof asn1js.Integer)) throw new Asn1Error('Not an integer.');
  return node.valueBlock.isHexOnly ? Number.POSITIVE_INFINITY : node.valueBlock.valueDec;
}

export function isInteger(node: Node | undefined): boolean {
  return node instanceof asn1js.Integer;
}

/** Whether it is the field with that number, in a sequence that identifies its fields by number. */
export function isTagged(node: Node, number: number): boolean {
  const CONTEXT = 3;
  return node.idBlock.tagClass === CONTEXT && node.idBlock.tagNumber === number;
}

export function isSequence(node: Node | undefined): boolean {
  return node instanceof asn1js.Sequence;
}

/** Text in any of the string types used for names. */
export function textOf(node: Node | undefined): string {
  if (node && 'getValue' in node && typeof node.getValue === 'function') {
    const value: unknown = node.getValue();
    if (typeof value === 'string') return value;
  }
  throw new Asn1Error('Not text.');
}
