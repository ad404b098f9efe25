import { kekIdOf } from '../certificate/seal.ts';
import {
  countCertificatesNotUnder,
  deleteCertificatesNotUnder,
  findKeyInUse,
} from '../store/administration.ts';
import type { Tx } from '../store/sql.ts';

/**
 * Whether there are certificates and none was closed with this key: it is not that of the installation. Half of a
 * change of key (`rotate-key.ts`) leaves some under each, and is no such thing.
 */
export async function isForeignKey(tx: Tx, key: Buffer): Promise<boolean> {
  const { hasCertificates, isInUse } = await findKeyInUse(tx, kekIdOf(key));
  return hasCertificates && !isInUse;
}

/** How many certificates this key does not open. */
export function countForeignCertificates(tx: Tx, key: Buffer): Promise<number> {
  return countCertificatesNotUnder(tx, kekIdOf(key));
}

/**
 * Forgets the certificates that this key does not open, when the one that does is lost. Their companies are then
 * asked for one, as any company without it.
 *
 * @returns how many
 */
export function forgetCertificates(tx: Tx, key: Buffer): Promise<number> {
  return deleteCertificatesNotUnder(tx, kekIdOf(key));
}
