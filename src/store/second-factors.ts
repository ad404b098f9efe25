import type { Sealed } from './certificates.ts';
import type { Tx } from './sql.ts';

/** The second factor of an account: its encrypted secret. */
export interface SecondFactor extends Sealed {
  /** Null while it has been shown for scanning but not confirmed with a code. */
  readonly confirmedAt: Date | null;
}

interface SecondFactorRow {
  kek_id: string;
  sealed_key: Buffer;
  sealed: Buffer;
  confirmed_at: Date | null;
}

export async function findSecondFactor(tx: Tx, companyId: number): Promise<SecondFactor | null> {
  const [row] = await tx<SecondFactorRow[]>`
    select kek_id, sealed_key, sealed, confirmed_at
      from second_factors where company_id = ${companyId}`;
  if (!row) return null;
  return {
    kekId: row.kek_id,
    sealedKey: row.sealed_key,
    sealed: row.sealed,
    confirmedAt: row.confirmed_at,
  };
}

/** Locks the factor until the transaction ends. @returns whether there is a confirmed one */
export async function lockConfirmedFactor(tx: Tx, companyId: number): Promise<boolean> {
  const rows = await tx`
    select company_id from second_factors
     where company_id = ${companyId} and confirmed_at is not null
       for no key update`;
  return rows.length > 0;
}

/**
 * Saves a secret that is not confirmed yet.
 *
 * @returns false when there is a confirmed one
 */
export async function saveUnprovenFactor(
  tx: Tx,
  companyId: number,
  sealed: Sealed,
  now: Date,
): Promise<boolean> {
  const rows = await tx`
    insert into second_factors as f (company_id, kek_id, sealed_key, sealed, created_at)
    values (${companyId}, ${sealed.kekId}, ${sealed.sealedKey}, ${sealed.sealed}, ${now})
        on conflict (company_id) do update
       set kek_id = excluded.kek_id, sealed_key = excluded.sealed_key, sealed = excluded.sealed,
           created_at = excluded.created_at, last_step = 0
     where f.confirmed_at is null
 returning company_id`;
  return rows.length > 0;
}

/**
 * Marks a code's time step as used, so that the same code does not work twice.
 *
 * @returns whether it was unused
 */
export async function takeStep(tx: Tx, companyId: number, step: bigint): Promise<boolean> {
  const rows = await tx`
    update second_factors set last_step = ${step}
     where company_id = ${companyId} and last_step < ${step}
 returning company_id`;
  return rows.length > 0;
}

/**
 * Confirms the secret that was read, and no other that replaced it.
 *
 * @returns whether it is still that one
 */
export async function confirmFactor(
  tx: Tx,
  companyId: number,
  { sealedKey }: Pick<SecondFactor, 'sealedKey'>,
  now: Date,
): Promise<boolean> {
  const rows = await tx`
    update second_factors set confirmed_at = ${now}
     where company_id = ${companyId} and confirmed_at is null and sealed_key = ${sealedKey}
 returning company_id`;
  return rows.length > 0;
}

/**
 * Deletes the factor and its codes.
 *
 * @returns whether there was one
 */
export async function deleteSecondFactor(tx: Tx, companyId: number): Promise<boolean> {
  const rows = await tx<{ confirmed_at: Date | null }[]>`
    delete from second_factors where company_id = ${companyId} returning confirmed_at`;
  return rows[0]?.confirmed_at != null;
}

/** Replaces all codes with new ones. */
export async function replaceCodes(
  tx: Tx,
  companyId: number,
  hashes: readonly string[],
): Promise<void> {
  await tx`delete from second_factor_codes where company_id = ${companyId}`;
  await tx`
    insert into second_factor_codes ${tx(
      hashes.map((hash, id) => ({ company_id: companyId, id, code_hash: hash })),
    )}`;
}

export async function findUnusedCodes(
  tx: Tx,
  companyId: number,
): Promise<{ id: number; hash: string }[]> {
  return tx<{ id: number; hash: string }[]>`
    select id, code_hash as hash from second_factor_codes
     where company_id = ${companyId} and used_at is null
     order by id`;
}

/** @returns whether it was still unused */
export async function useCode(tx: Tx, companyId: number, id: number, now: Date): Promise<boolean> {
  const rows = await tx`
    update second_factor_codes set used_at = ${now}
     where company_id = ${companyId} and id = ${id} and used_at is null
 returning id`;
  return rows.length > 0;
}
