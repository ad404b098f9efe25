import type { Tx } from './sql.ts';

/** The recovery code of an account, of which only an HMAC is kept. */
export interface RecoveryCode {
  readonly codeHmac: Buffer;
  readonly expiresAt: Date;
}

/** Saves a new code in place of the previous one, which becomes invalid. */
export async function saveRecoveryCode(
  tx: Tx,
  companyId: number,
  code: RecoveryCode,
  now: Date,
): Promise<void> {
  await tx`
    insert into recovery_codes (company_id, code_hmac, expires_at, tries, created_at)
    values (${companyId}, ${code.codeHmac}, ${code.expiresAt}, 0, ${now})
        on conflict (company_id) do update
       set code_hmac = excluded.code_hmac, expires_at = excluded.expires_at, tries = 0,
           created_at = excluded.created_at`;
}

/**
 * Spends one attempt at a code and returns the code, or null when no attempt is left.
 *
 * The attempt is counted before the comparison: a thousand guesses at once are a thousand attempts.
 */
export async function takeRecoveryTry(
  tx: Tx,
  companyId: number,
  maxTries: number,
  now: Date,
): Promise<RecoveryCode | null> {
  const [row] = await tx<{ code_hmac: Buffer; expires_at: Date }[]>`
    update recovery_codes
       set tries = tries + 1
     where company_id = ${companyId} and tries < ${maxTries} and expires_at > ${now}
 returning code_hmac, expires_at`;
  return row ? { codeHmac: row.code_hmac, expiresAt: row.expires_at } : null;
}

/** Gives an attempt back after the right code: validating it does not spend it. */
export async function returnRecoveryTry(tx: Tx, companyId: number): Promise<void> {
  await tx`
    update recovery_codes set tries = greatest(tries - 1, 0) where company_id = ${companyId}`;
}

/** Uses a code up. @returns false when another call used it first */
export async function deleteRecoveryCode(tx: Tx, companyId: number): Promise<boolean> {
  const { count } = await tx`delete from recovery_codes where company_id = ${companyId}`;
  return count === 1;
}
