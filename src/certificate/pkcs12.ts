import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { Asn1Error, childrenOf, derOf, type Node, octetsOf, oidOf, parse } from './asn1.ts';
import { checkMac, decrypt, Unlocker, UnsupportedPkcs12 } from './pkcs12-decrypt.ts';

/** A private key of the file with its certificate and the chain to its authority. */
export interface KeyPair {
  readonly key: KeyObject;
  readonly leaf: X509Certificate;
  readonly chain: readonly X509Certificate[];
}

export type OpenedPkcs12 =
  | { readonly ok: true; readonly pairs: readonly KeyPair[] }
  | {
      readonly ok: false;
      readonly reason:
        | 'not-pkcs12'
        | 'wrong-password'
        | 'no-private-key'
        | 'unsupported'
        | 'unsupported-key';
    };

interface Contents {
  readonly keys: KeyObject[];
  readonly certificates: X509Certificate[];
}

const DATA = '1.2.840.113549.1.7.1';
const ENCRYPTED_DATA = '1.2.840.113549.1.7.6';
const KEY_BAG = '1.2.840.113549.1.12.10.1.1';
const SHROUDED_KEY_BAG = '1.2.840.113549.1.12.10.1.2';
const CERT_BAG = '1.2.840.113549.1.12.10.1.3';
const X509_CERTIFICATE = '1.2.840.113549.1.9.22.1';

/** A real file has a couple of each; more would only cost time. */
const MAX_PARTS = 40;

/** The password does not open part of the file. */
class WrongPassword extends Error {}

/** A private key of a kind or size that no authority certifies. */
class UnsupportedKey extends Error {}

/**
 * Opens a PKCS#12 file (RFC 7292) with its password.
 *
 * The integrity check reveals a wrong password before anything is decrypted. Files without one are accepted too;
 * there, a failed decryption means a wrong password.
 */
export async function openPkcs12(file: Buffer, password: string): Promise<OpenedPkcs12> {
  const unlocker = new Unlocker(password);
  try {
    const { content, macData } = readPfx(file);
    if (macData && !(await checkMac(macData, content, unlocker))) {
      return { ok: false, reason: 'wrong-password' };
    }
    const found: Contents = { keys: [], certificates: [] };
    for (const contentInfo of childrenOf(parse(content)).slice(0, MAX_PARTS)) {
      await readContentInfo(contentInfo, unlocker, found);
    }
    const pairs = found.keys.flatMap((key) => pairOf(key, found.certificates));
    return pairs.length > 0 ? { ok: true, pairs } : { ok: false, reason: 'no-private-key' };
  } catch (error) {
    if (error instanceof WrongPassword) return { ok: false, reason: 'wrong-password' };
    if (error instanceof UnsupportedPkcs12) return { ok: false, reason: 'unsupported' };
    if (error instanceof UnsupportedKey) return { ok: false, reason: 'unsupported-key' };
    if (error instanceof Asn1Error) return { ok: false, reason: 'not-pkcs12' };
    throw error;
  }
}

/** PFX: version, the authenticated content and, almost always, its MAC. */
function readPfx(file: Buffer): { content: Buffer; macData: Node | undefined } {
  const [, authSafe, macData] = childrenOf(parse(file));
  const [type, wrapper] = childrenOf(authSafe);
  if (oidOf(type) !== DATA) throw new Asn1Error('Integrity by signature is not taken.');
  return { content: octetsOf(childrenOf(wrapper)[0]), macData };
}

async function readContentInfo(node: Node, unlocker: Unlocker, found: Contents): Promise<void> {
  const [type, wrapper] = childrenOf(node);
  const content = childrenOf(wrapper)[0];
  switch (oidOf(type)) {
    case DATA:
      return readBags(parse(octetsOf(content)), unlocker, found);
    case ENCRYPTED_DATA: {
      const [, encryptedContentInfo] = childrenOf(content);
      const [, algorithm, encrypted] = childrenOf(encryptedContentInfo);
      if (!algorithm) throw new Asn1Error('No algorithm.');
      const bags = await decryptTo(algorithm, octetsOf(encrypted), unlocker, parse);
      return readBags(bags, unlocker, found);
    }
    default:
      throw new UnsupportedPkcs12(oidOf(type));
  }
}

async function readBags(bags: Node, unlocker: Unlocker, found: Contents): Promise<void> {
  for (const bag of childrenOf(bags).slice(0, MAX_PARTS)) {
    const [type, wrapper] = childrenOf(bag);
    const value = childrenOf(wrapper)[0];
    switch (oidOf(type)) {
      case KEY_BAG:
        found.keys.push(readKey(derOf(value)));
        break;
      case SHROUDED_KEY_BAG: {
        const [algorithm, encrypted] = childrenOf(value);
        if (!algorithm) throw new Asn1Error('No algorithm.');
        found.keys.push(await decryptTo(algorithm, octetsOf(encrypted), unlocker, readKey));
        break;
      }
      case CERT_BAG: {
        const [certType, certWrapper] = childrenOf(value);
        if (oidOf(certType) !== X509_CERTIFICATE) break;
        found.certificates.push(readCertificate(octetsOf(childrenOf(certWrapper)[0])));
        break;
      }
      default: // Revocation lists and secrets say nothing to us.
    }
  }
}

/** Decrypts and parses together: among several results, the right one is the one that parses. */
async function decryptTo<T>(
  algorithm: Node,
  encrypted: Buffer,
  unlocker: Unlocker,
  read: (bytes: Buffer) => T,
): Promise<T> {
  for (const reading of await decrypt(algorithm, encrypted, unlocker)) {
    try {
      return read(reading);
    } catch (error) {
      if (!(error instanceof Asn1Error)) throw error;
    }
  }
  throw new WrongPassword();
}

function readKey(pkcs8: Buffer): KeyObject {
  const key = keyFrom(pkcs8);
  if (!isOfUsualSize(key)) throw new UnsupportedKey();
  return key;
}

function keyFrom(pkcs8: Buffer): KeyObject {
  try {
    return createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' });
  } catch (cause) {
    throw new Asn1Error('Not a private key.', { cause });
  }
}

/** The longest RSA keys that authorities certify have 4096 bits. With the header and sign of a DER integer. */
const MAX_RSA_NUMBER = 4096 / 8 + 5;

/**
 * Whether a signature with the key takes milliseconds. OpenSSL does not limit the size of an RSA key, nor check that
 * its numbers belong together: with one of 65,536 bits, a signature would stop the process for minutes.
 */
function isOfUsualSize(key: KeyObject): boolean {
  switch (key.asymmetricKeyType) {
    case 'rsa':
    case 'rsa-pss': {
      const [, , rsaPrivateKey] = childrenOf(parse(key.export({ type: 'pkcs8', format: 'der' })));
      const numbers = childrenOf(parse(octetsOf(rsaPrivateKey)));
      return numbers.every((number) => derOf(number).length <= MAX_RSA_NUMBER);
    }
    case 'ec':
      return key.asymmetricKeyDetails?.namedCurve !== undefined;
    case 'ed25519':
    case 'ed448':
      return true;
    default:
      return false;
  }
}

function readCertificate(der: Buffer): X509Certificate {
  try {
    return new X509Certificate(der);
  } catch (cause) {
    throw new Asn1Error('Not a certificate.', { cause });
  }
}

function pairOf(key: KeyObject, certificates: readonly X509Certificate[]): KeyPair[] {
  const leaf = certificates.find((certificate) => certificate.checkPrivateKey(key));
  return leaf ? [{ key, leaf, chain: chainOf(leaf, certificates) }] : [];
}

/** From the leaf's issuer upwards, as far as the file goes; a root is its own issuer. */
function chainOf(leaf: X509Certificate, certificates: readonly X509Certificate[]) {
  const chain: X509Certificate[] = [];
  let last = leaf;
  for (;;) {
    const issuer = certificates.find(
      (candidate) =>
        candidate !== last && !chain.includes(candidate) && last.checkIssued(candidate),
    );
    if (!issuer) return chain;
    chain.push(issuer);
    last = issuer;
  }
}
