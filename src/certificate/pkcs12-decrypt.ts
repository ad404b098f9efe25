import { createDecipheriv, createHmac, hash, pbkdf2, timingSafeEqual } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import {
  childrenOf,
  integerOf,
  isInteger,
  isSequence,
  type Node,
  octetsOf,
  oidOf,
} from './asn1.ts';

/**
 * The ciphers and the integrity check of PKCS#12 files (RFC 7292, with PBES2 of RFC 8018), old and new. Neither
 * OpenSSL 3 alone (no RC2) nor any single available library opens all the files that companies have, and none of them
 * lets other work proceed during a million iterations.
 */

/** Above these limits, an upload is an attack on the processor, not a certificate. */
const MAX_ITERATIONS = 1_000_000;
const MAX_ITERATIONS_IN_ALL = 4_000_000;
/** Iterations between two yields to other work: some 5 ms. */
const SLICE = 4096;

/** A cipher, digest or iteration count that is not supported. */
export class UnsupportedPkcs12 extends Error {
  override readonly name = 'UnsupportedPkcs12';
}

/** The password of a file, and how many more iterations may be spent on it. */
export class Unlocker {
  readonly password: string;
  #iterationsLeft = MAX_ITERATIONS_IN_ALL;

  constructor(password: string) {
    this.password = password;
  }

  /** @throws {UnsupportedPkcs12} */
  spend(iterations: number): number {
    this.#iterationsLeft -= iterations;
    if (iterations >= 1 && iterations <= MAX_ITERATIONS && this.#iterationsLeft >= 0) {
      return iterations;
    }
    throw new UnsupportedPkcs12(`${iterations} iterations.`);
  }
}

type HashName = 'sha1' | 'sha224' | 'sha256' | 'sha384' | 'sha512';

const DIGESTS: Readonly<Record<string, HashName>> = {
  '1.3.14.3.2.26': 'sha1',
  '2.16.840.1.101.3.4.2.4': 'sha224',
  '2.16.840.1.101.3.4.2.1': 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
};

/** HMACs of PBKDF2; the default is SHA-1. */
const PRFS: Readonly<Record<string, HashName>> = {
  '1.2.840.113549.2.7': 'sha1',
  '1.2.840.113549.2.8': 'sha224',
  '1.2.840.113549.2.9': 'sha256',
  '1.2.840.113549.2.10': 'sha384',
  '1.2.840.113549.2.11': 'sha512',
};

/** PBES2 encryption schemes: name in OpenSSL and key length in bytes. */
const CIPHERS: Readonly<Record<string, { readonly name: string; readonly keyBytes: number }>> = {
  '2.16.840.1.101.3.4.1.2': { name: 'aes-128-cbc', keyBytes: 16 },
  '2.16.840.1.101.3.4.1.22': { name: 'aes-192-cbc', keyBytes: 24 },
  '2.16.840.1.101.3.4.1.42': { name: 'aes-256-cbc', keyBytes: 32 },
  '1.2.840.113549.3.7': { name: 'des-ede3-cbc', keyBytes: 24 },
};

/** PKCS#12's own schemes, all with SHA-1 (RFC 7292 appendix C). */
const OLD_SCHEMES: Readonly<Record<string, { readonly name: string; readonly keyBytes: number }>> =
  {
    '1.2.840.113549.1.12.1.3': { name: 'des-ede3-cbc', keyBytes: 24 },
    '1.2.840.113549.1.12.1.4': { name: 'des-ede-cbc', keyBytes: 16 },
    '1.2.840.113549.1.12.1.5': { name: 'rc2', keyBytes: 16 },
    '1.2.840.113549.1.12.1.6': { name: 'rc2', keyBytes: 5 },
  };

const PBES2 = '1.2.840.113549.1.5.13';
const PBKDF2 = '1.2.840.113549.1.5.12';

const pbkdf2Async = promisify(pbkdf2);

/**
 * Whether the MacData of a file matches its content under this password.
 *
 * @throws {UnsupportedPkcs12
 * Asn1Error}
 */
export async function checkMac(
  macData: Node,
  content: Buffer,
  unlocker: Unlocker,
): Promise<boolean> {
  const [digestInfo, salt, iterationsNode] = childrenOf(macData);
  const [algorithm, expectedNode] = childrenOf(digestInfo);
  const digest = known(DIGESTS, oidOf(childrenOf(algorithm)[0]));
  const expected = octetsOf(expectedNode);
  const iterations = isInteger(iterationsNode) ? integerOf(iterationsNode) : 1;
  const size = hash(digest, '', 'buffer').length;
  for (const password of bmpVariants(unlocker.password)) {
    const key = await deriveKey(digest, password, octetsOf(salt), {
      purpose: 'mac',
      iterations: unlocker.spend(iterations),
      size,
    });
    if (equal(createHmac(digest, key).update(content).digest(), expected)) return true;
  }
  return false;
}

/**
 * Decrypts according to an AlgorithmIdentifier.
 *
 * @returns the plausible results, one per way of encoding the password; usually one, none when the password is wrong
 * @throws {UnsupportedPkcs12
 * Asn1Error}
 */
export async function decrypt(
  algorithm: Node,
  content: Buffer,
  unlocker: Unlocker,
): Promise<Buffer[]> {
  const [oidNode, parameters] = childrenOf(algorithm);
  const scheme = oidOf(oidNode);
  const readings = scheme === PBES2 ? decryptPbes2 : decryptOld(scheme);
  return (await readings(parameters, content, unlocker)).filter((reading) => reading !== null);
}

type Readings = (
  parameters: Node | undefined,
  content: Buffer,
  unlocker: Unlocker,
) => Promise<(Buffer | null)[]>;

const decryptPbes2: Readings = async (parameters, content, unlocker) => {
  const { password } = unlocker;
  const [kdf, encryption] = childrenOf(parameters);
  const [cipherOid, iv] = childrenOf(encryption);
  const { name, keyBytes } = known(CIPHERS, oidOf(cipherOid));
  // The standard says UTF-8; some programs write each letter as one byte («ñ» is F1).
  const variants = new Set(
    [password.normalize('NFC'), password].map((p) => Buffer.from(p).toString('latin1')),
  );
  if (isLatin1(password)) variants.add(password);
  return Promise.all(
    [...variants].map(async (bytes) => {
      const key = await derivePbkdf2(kdf, unlocker, Buffer.from(bytes, 'latin1'), keyBytes);
      return decipher(name, key, octetsOf(iv), content);
    }),
  );
};

function decryptOld(scheme: string): Readings {
  const { name, keyBytes } = known(OLD_SCHEMES, scheme);
  return async (parameters, content, unlocker) => {
    const [saltNode, iterationsNode] = childrenOf(parameters);
    const salt = octetsOf(saltNode);
    const iterations = integerOf(iterationsNode);
    const readings: (Buffer | null)[] = [];
    for (const bytes of bmpVariants(unlocker.password)) {
      const of = (purpose: 'key' | 'iv', size: number) =>
        deriveKey('sha1', bytes, salt, {
          purpose,
          iterations: unlocker.spend(iterations),
          size,
        });
      const key = await of('key', keyBytes);
      const iv = await of('iv', 8);
      readings.push(
        name === 'rc2' ? await decipherRc2(key, iv, content) : decipher(name, key, iv, content),
      );
    }
    return readings;
  };
}

/** Null when the padding is wrong, which reveals a wrong key. */
function decipher(name: string, key: Buffer, iv: Buffer, content: Buffer): Buffer | null {
  try {
    const cipher = createDecipheriv(name, key, iv);
    return Buffer.concat([cipher.update(content), cipher.final()]);
  } catch {
    return null;
  }
}

/** OpenSSL 3 has no RC2; forge does. Loaded only for files that need it. */
async function decipherRc2(key: Buffer, iv: Buffer, content: Buffer): Promise<Buffer | null> {
  const { default: forge } = await import('node-forge');
  const cipher = forge.rc2.createDecryptionCipher(key.toString('binary'), key.length * 8);
  cipher.start(iv.toString('binary'));
  cipher.update(forge.util.createBuffer(content.toString('binary')));
  return cipher.finish() ? Buffer.from(cipher.output.getBytes(), 'binary') : null;
}

async function derivePbkdf2(
  kdf: Node | undefined,
  unlocker: Unlocker,
  password: Buffer,
  size: number,
): Promise<Buffer> {
  const [kdfOid, parameters] = childrenOf(kdf);
  if (oidOf(kdfOid) !== PBKDF2) throw new UnsupportedPkcs12('Only PBKDF2 is taken.');
  const [salt, iterations, ...rest] = childrenOf(parameters);
  const prfNode = rest.find(isSequence);
  const prf = prfNode ? known(PRFS, oidOf(childrenOf(prfNode)[0])) : 'sha1';
  return pbkdf2Async(password, octetsOf(salt), unlocker.spend(integerOf(iterations)), size, prf);
}

const PURPOSE_ID = { key: 1, iv: 2, mac: 3 } as const;

/** Key, IV or MAC key of PKCS#12 (RFC 7292 appendix B.2), yielding to other work as it iterates. */
async function deriveKey(
  digest: HashName,
  password: Buffer,
  salt: Buffer,
  {
    purpose,
    iterations,
    size,
  }: { purpose: keyof typeof PURPOSE_ID; iterations: number; size: number },
): Promise<Buffer> {
  const block = digest === 'sha384' || digest === 'sha512' ? 128 : 64;
  const diversifier = Buffer.alloc(block, PURPOSE_ID[purpose]);
  const input = Buffer.concat([repeated(salt, block), repeated(password, block)]);
  const pieces: Buffer[] = [];
  for (let length = 0; length < size; length += pieces.at(-1)?.length ?? size) {
    const piece = await iterate(digest, Buffer.concat([diversifier, input]), iterations);
    addToBlocks(input, Buffer.alloc(block, piece), block);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).subarray(0, size);
}

async function iterate(digest: HashName, first: Buffer, iterations: number): Promise<Buffer> {
  let value = hash(digest, first, 'buffer');
  for (let i = 1; i < iterations; i++) {
    if (i % SLICE === 0) await setImmediate();
    value = hash(digest, value, 'buffer');
  }
  return value;
}

/** Adds `addend` plus one to each block of `input`, as one big-endian number. */
function addToBlocks(input: Buffer, addend: Buffer, block: number): void {
  for (let start = 0; start < input.length; start += block) {
    let carry = 1;
    for (let at = block - 1; at >= 0; at--) {
      carry += input.readUInt8(start + at) + addend.readUInt8(at);
      input.writeUInt8(carry & 0xff, start + at);
      carry >>= 8;
    }
  }
}

/** Repeated to fill whole blocks; nothing stays nothing. */
function repeated(bytes: Buffer, block: number): Buffer {
  if (bytes.length === 0) return bytes;
  return Buffer.alloc(Math.ceil(bytes.length / block) * block, bytes);
}

/** UTF-16, big-endian, with a final zero. Programs only differ for the empty password. */
function bmpVariants(password: string): Buffer[] {
  const bmp = Buffer.from(`${password.normalize('NFC')}\0`, 'utf16le').swap16();
  return password === '' ? [bmp, Buffer.alloc(0)] : [bmp];
}

function known<T>(table: Readonly<Record<string, T>>, oid: string): T {
  const found = table[oid];
  if (found === undefined) throw new UnsupportedPkcs12(oid);
  return found;
}

function isLatin1(text: string): boolean {
  return [...text].every((letter) => (letter.codePointAt(0) ?? 0) < 256);
}

function equal(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}
