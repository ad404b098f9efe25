import { kekIdOf } from '../certificate/seal.ts';
import {
  countEnvelopesNotUnder,
  findEnvelopesNotUnder,
  findKeyInUse,
  forgetRecoveryCodes,
  forgetSignUp,
  listPendingSignUps,
  SEALED_TABLES,
  type SealedTable,
} from '../store/administration.ts';
import { deleteCertificate } from '../store/certificates.ts';
import type { Tx } from '../store/sql.ts';
import { forgetConnection } from './connect-business-central.ts';
import { pendingContext } from './init-payment.ts';
import { recordEvent } from './record-event.ts';
import { opens } from './rotate-key.ts';
import { loseSecondFactor } from './second-factor.ts';

const BATCH = 100;

/** Secrets that a master key does not open. */
export interface Lost {
  readonly certificates: number;
  readonly secondFactors: number;
  /** With Business Central. */
  readonly connections: number;
  /** Sign-ups that are being paid for. */
  readonly signUps: number;
}

export function isNothing({ certificates, secondFactors, connections, signUps }: Lost): boolean {
  return certificates + secondFactors + connections + signUps === 0;
}

/**
 * Whether there are secrets of companies and this key encrypts none of them: it is not the key of this installation.
 * A change of key that stopped half-way (`rotate-key.ts`) leaves some secrets under each key, and does not count.
 */
export async function isForeignKey(tx: Tx, key: Buffer): Promise<boolean> {
  let hasEnvelopes = false;
  for (const table of SEALED_TABLES) {
    const found = await findKeyInUse(tx, table, kekIdOf(key));
    if (found.isInUse) return false;
    hasEnvelopes ||= found.hasEnvelopes;
  }
  return hasEnvelopes;
}

export async function countLost(tx: Tx, key: Buffer): Promise<Lost> {
  const count = (table: SealedTable) => countEnvelopesNotUnder(tx, table, kekIdOf(key));
  return {
    certificates: await count('certificates'),
    secondFactors: await count('second_factors'),
    connections: await count('bc_connections'),
    signUps: (await lostSignUps(tx, key)).length,
  };
}

/** Orders whose account could not be created. */
async function lostSignUps(tx: Tx, key: Buffer): Promise<string[]> {
  const pending = await listPendingSignUps(tx);
  return pending
    .filter(({ dsOrder, signUp }) => !opens(key, pendingContext(dsOrder), signUp))
    .map(({ dsOrder }) => dsOrder);
}

type Forget = (tx: Tx, companyId: number, now: Date) => Promise<void>;

const FORGET: Readonly<Record<SealedTable, Forget>> = {
  certificates: async (tx, companyId, now) => {
    await deleteCertificate(tx, companyId);
    await recordEvent(tx, companyId, { kind: 'certificado-perdido', now });
  },
  second_factors: loseSecondFactor,
  bc_connections: (tx, companyId, now) =>
    forgetConnection(tx, companyId, {
      who: 'el servicio',
      why: 'se perdió la clave que cifraba su secreto',
      now,
    }),
};

/**
 * Forgets the secrets that this key does not open, once the one that does is lost: nobody can ever open them again
 * (decision 0215). Their companies are asked for a certificate and for Business Central like any company that has
 * none. A second factor that cannot be verified is removed, and its owner is told.
 *
 * @returns how many of each
 */
export async function forgetLost(tx: Tx, key: Buffer, now: Date): Promise<Lost> {
  const lost = await countLost(tx, key);
  for (const table of SEALED_TABLES) {
    for (;;) {
      const batch = await findEnvelopesNotUnder(tx, table, kekIdOf(key), BATCH);
      for (const { companyId } of batch) await FORGET[table](tx, companyId, now);
      if (batch.length < BATCH) break;
    }
  }
  for (const dsOrder of await lostSignUps(tx, key)) await forgetSignUp(tx, dsOrder);
  if (!isNothing(lost)) await forgetRecoveryCodes(tx);
  return lost;
}
