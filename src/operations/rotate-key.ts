import { kekIdOf, open, rewrapEnvelope, SealBroken, seal } from '../certificate/seal.ts';
import {
  countEnvelopesNotUnder,
  findEnvelopesNotUnder,
  forgetRecoveryCodes,
  listPendingSignUps,
  replaceEnvelopeKey,
  replaceSignUp,
  SEALED_TABLES,
  type SealedTable,
} from '../store/administration.ts';
import type { Sql, Tx } from '../store/sql.ts';
import { pendingContext } from './init-payment.ts';
import { SECRET_SEAL } from './open-business-central.ts';
import { CERTIFICATE_SEAL } from './open-certificate.ts';
import { recordEvent } from './record-event.ts';
import { SECOND_FACTOR_SEAL } from './second-factor.ts';

const KINDS: Record<SealedTable, string> = {
  certificates: CERTIFICATE_SEAL,
  second_factors: SECOND_FACTOR_SEAL,
  bc_connections: SECRET_SEAL,
};
const BATCH = 100;

export interface Rotated {
  readonly certificates: number;
  readonly secondFactors: number;
  /** Secrets of Business Central. */
  readonly connections: number;
  readonly signUps: number;
}

/**
 * Encrypts with another key everything that `CLAVE_MAESTRA` encrypts.
 *
 * Each secret is a transaction of its own and records which key encrypts it, so after an interruption the same call
 * with the same two keys continues. The content of certificates and second factors stays as it is: only their data
 * keys are encrypted again.
 *
 * @throws {SealBroken} when the old key does not decrypt one of them; nothing after it is changed
 */
export async function rotateKey(
  sql: Sql,
  { from, to, now }: { readonly from: Buffer; readonly to: Buffer; readonly now: Date },
): Promise<Rotated> {
  const signUps = await rotateSignUps(sql, from, to);
  const certificates = await rotateTable(sql, 'certificates', { from, to, now });
  const secondFactors = await rotateTable(sql, 'second_factors', { from, to, now });
  const connections = await rotateTable(sql, 'bc_connections', { from, to, now });
  await sql.begin((tx) => forgetRecoveryCodes(tx));
  return { certificates, secondFactors, connections, signUps };
}

/** How many secrets are not encrypted with a key. */
export async function countNotUnder(tx: Tx, key: Buffer): Promise<number> {
  const found = await Promise.all(
    SEALED_TABLES.map((table) => countEnvelopesNotUnder(tx, table, kekIdOf(key))),
  );
  return found.reduce((sum, count) => sum + count, 0);
}

async function rotateTable(
  sql: Sql,
  table: SealedTable,
  { from, to, now }: { readonly from: Buffer; readonly to: Buffer; readonly now: Date },
): Promise<number> {
  for (let count = 0; ; ) {
    const batch = await findEnvelopesNotUnder(sql, table, kekIdOf(to), BATCH);
    if (batch.length === 0) return count;
    for (const envelope of batch) {
      const moved = rewrapEnvelope(from, to, envelope.companyId, KINDS[table], envelope);
      await sql.begin(async (tx) => {
        await replaceEnvelopeKey(tx, table, envelope.companyId, { from: envelope, to: moved });
        await recordEvent(tx, envelope.companyId, { kind: 'clave-rotada', now });
      });
      count += 1;
    }
  }
}

/** These do not record which key encrypts them: one that the new key opens is already done. */
async function rotateSignUps(sql: Sql, from: Buffer, to: Buffer): Promise<number> {
  let count = 0;
  for (const { dsOrder, signUp } of await listPendingSignUps(sql)) {
    const context = pendingContext(dsOrder);
    if (opens(to, context, signUp)) continue;
    const sealed = seal(to, context, open(from, context, signUp));
    await replaceSignUp(sql, dsOrder, { from: signUp, to: sealed });
    count += 1;
  }
  return count;
}

/** Whether a key opens a sealed text. */
export function opens(key: Buffer, context: string, sealed: Buffer): boolean {
  try {
    open(key, context, sealed).fill(0);
    return true;
  } catch (error) {
    if (error instanceof SealBroken) return false;
    throw error;
  }
}
