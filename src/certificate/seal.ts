import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import type { Sealed } from '../store/certificates.ts';

/**
 * Encryption of stored secrets: AES-256-GCM, whose `context` (additional authenticated data) binds each to its owner.
 * Moved to another company's row, or with one bit changed, it does not decrypt.
 */

const IV_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;

/** Encrypted content that does not decrypt: changed, moved, or under another master key. */
export class SealBroken extends Error {
  override readonly name = 'SealBroken';
}

/** @returns IV, tag and cipher text, one after the other */
export function seal(key: Buffer, context: string, content: Buffer): Buffer {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(context));
  const encrypted = Buffer.concat([cipher.update(content), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), encrypted]);
}

/** @throws {SealBroken} */
export function open(key: Buffer, context: string, sealed: Buffer): Buffer {
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, IV_BYTES))
      .setAAD(Buffer.from(context))
      .setAuthTag(sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    const encrypted = sealed.subarray(IV_BYTES + TAG_BYTES);
    return Buffer.concat([decipher.update(encrypted), decipher.final()]);
  } catch (cause) {
    throw new SealBroken('The sealed content does not open.', { cause });
  }
}

/** Content encrypted with a key of its own, which is encrypted with the master key. */
export function sealEnvelope(
  masterKey: Buffer,
  companyId: number,
  kind: string,
  content: Buffer,
): Sealed {
  const contentKey = randomBytes(KEY_BYTES);
  const envelope = {
    kekId: kekIdOf(masterKey),
    sealedKey: seal(masterKey, context(companyId, `${kind}-clave`), contentKey),
    sealed: seal(contentKey, context(companyId, kind), content),
  };
  contentKey.fill(0);
  return envelope;
}

/** @throws {SealBroken} */
export function openEnvelope(
  masterKey: Buffer,
  companyId: number,
  kind: string,
  envelope: Sealed,
): Buffer {
  const contentKey = open(masterKey, context(companyId, `${kind}-clave`), envelope.sealedKey);
  try {
    return open(contentKey, context(companyId, kind), envelope.sealed);
  } finally {
    contentKey.fill(0);
  }
}

/** Moves an envelope to another master key: only its own key is encrypted again. */
export function rewrapEnvelope(
  from: Buffer,
  to: Buffer,
  companyId: number,
  kind: string,
  envelope: Sealed,
): Sealed {
  const keyContext = context(companyId, `${kind}-clave`);
  return {
    kekId: kekIdOf(to),
    sealedKey: seal(to, keyContext, open(from, keyContext, envelope.sealedKey)),
    sealed: envelope.sealed,
  };
}

/** Identifies a master key without revealing anything about it. */
export function kekIdOf(masterKey: Buffer): string {
  return createHash('sha256').update('kek').update(masterKey).digest('hex').slice(0, 16);
}

/** The last part is the version of this format. */
function context(companyId: number, kind: string): string {
  return `${companyId}|${kind}|1`;
}
