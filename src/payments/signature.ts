import { createCipheriv, createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Redsys's signature, according to its integration guide. What is signed is always the exact string that is sent,
 * never its content, and each order has its own key, derived from the merchant's.
 */

export const SIGNATURE_VERSIONS = ['HMAC_SHA256_V1', 'HMAC_SHA512_V2'] as const;
export type SignatureVersion = (typeof SIGNATURE_VERSIONS)[number];

/** What a signature needs: the merchant's key, as issued by Redsys, and the order number. */
export interface SigningKey {
  /** Base64 of 24 bytes. */
  readonly clave: string;
  readonly order: string;
}

const DES_BLOCK = 8;
const AES_KEY_LENGTH = 16;

/** JSON to the text that is sent: standard base64 in V1, base64url without padding in V2. */
export function encodeParameters(
  version: SignatureVersion,
  parameters: Readonly<Record<string, string>>,
): string {
  const json = Buffer.from(JSON.stringify(parameters), 'utf8');
  return json.toString(version === 'HMAC_SHA256_V1' ? 'base64' : 'base64url');
}

/** `Ds_Signature` of an encoded text, in the alphabet of its version. */
export function signText(version: SignatureVersion, key: SigningKey, text: string): string {
  const digest = digestOf(version, key, text);
  return digest.toString(version === 'HMAC_SHA256_V1' ? 'base64' : 'base64url');
}

/**
 * Whether a signature belongs to a text. Redsys answers in base64url with padding whatever the version, so bytes are
 * compared; and in constant time, so that nobody can guess one byte after another.
 */
export function isSignatureOf(
  version: SignatureVersion,
  key: SigningKey,
  text: string,
  signature: string,
): boolean {
  const given = Buffer.from(signature, 'base64');
  const right = digestOf(version, key, text);
  return given.length === right.length && timingSafeEqual(given, right);
}

/** The key of one order: its number encrypted with 3DES in V1 and AES in V2, as base64 text. */
export function orderKey(version: SignatureVersion, { clave, order }: SigningKey): Buffer {
  if (version === 'HMAC_SHA256_V1') {
    const number = Buffer.from(order, 'ascii');
    const padded = Buffer.alloc(Math.ceil(number.length / DES_BLOCK) * DES_BLOCK);
    number.copy(padded);
    const cipher = createCipheriv(
      'des-ede3-cbc',
      Buffer.from(clave, 'base64'),
      Buffer.alloc(DES_BLOCK),
    ).setAutoPadding(false);
    return Buffer.concat([cipher.update(padded), cipher.final()]);
  }
  const key = clave.slice(0, AES_KEY_LENGTH).padEnd(AES_KEY_LENGTH, '0');
  const cipher = createCipheriv('aes-128-cbc', key, Buffer.alloc(AES_KEY_LENGTH));
  const encrypted = Buffer.concat([cipher.update(order, 'ascii'), cipher.final()]);
  // The base64 text, not the bytes it encodes, is the key of the HMAC.
  return Buffer.from(encrypted.toString('base64'), 'ascii');
}

function digestOf(version: SignatureVersion, key: SigningKey, text: string): Buffer {
  const hash = version === 'HMAC_SHA256_V1' ? 'sha256' : 'sha512';
  return createHmac(hash, orderKey(version, key)).update(text, 'utf8').digest();
}
