import { kekIdOf } from '../certificate/seal.ts';
import { countCertificates, deleteCertificatesNotUnder } from '../store/administration.ts';
import type { Tx } from '../store/sql.ts';

/**
 * Whether there are certificates and none was closed with this key: it is not that of the installation. Half of a
 * change of key (`rotate-key.ts`) leaves some under each, and is no such thing.
 */
export async function isForeignKey(tx: Tx, key: Buffer): Promise<boolean> {
  const { all, under } = await countCertificates(tx, kekIdOf(key));
  return all > 0 && under === 0;
}

/** How many certificates this key does not open. */
export async function countForeignCertificates(tx: Tx, key: Buffer): Promise<number> {
  const { all, under } = await countCertificates(tx, kekIdOf(key));
  return all - under;
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
