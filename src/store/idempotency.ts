import type { Tx } from './sql.ts';

/** The first answer to a key. `status` is null while that first call has not ended. */
export interface KeptAnswer {
  readonly key: string;
  readonly requestHash: string;
  readonly status: number | null;
  readonly body: unknown;
}

const KEPT_MS = 24 * 3_600_000;
/** A call without an answer for this long was cut short: its key is free again. */
const ABANDONED_MS = 60_000;

/**
 * Takes keys for the calls that carry them, for 24 hours.
 *
 * @returns the keys that were taken already, with their answers. A key that another transaction is
 *   taking right now makes this wait for it: two equal calls at once end as one.
 */
export async function takeKeys(
  tx: Tx,
  companyId: number,
  keys: readonly { readonly key: string; readonly requestHash: string }[],
  now: Date,
): Promise<Map<string, KeptAnswer>> {
  if (keys.length === 0) return new Map();
  // In one order for everybody, so that two calls with the same keys never wait for each other.
  const sorted = [...keys].sort((a, b) => (a.key < b.key ? -1 : 1));
  const names = sorted.map((k) => k.key);
  const [, taken, kept] = await Promise.all([
    tx`delete from idempotency_keys
        where company_id = ${companyId} and key = any(${names}::text[])
          and (created_at < ${new Date(now.getTime() - KEPT_MS)}
               or status is null and created_at < ${new Date(now.getTime() - ABANDONED_MS)})`,
    tx<{ key: string }[]>`
      insert into idempotency_keys (company_id, key, request_hash, created_at)
      select ${companyId}, t.*, ${now}
        from unnest(${names}::text[], ${sorted.map((k) => k.requestHash)}::text[]) as t
          on conflict (company_id, key) do nothing
   returning key`,
    tx<KeptAnswer[]>`
      select key, request_hash as "requestHash", status, body from idempotency_keys
       where company_id = ${companyId} and key = any(${names}::text[])`,
  ]);
  const isNew = new Set(taken.map((row) => row.key));
  return new Map(kept.filter((row) => !isNew.has(row.key)).map((row) => [row.key, row]));
}

/** Keeps the answers of the calls that did something. */
export async function keepAnswers(
  tx: Tx,
  companyId: number,
  answers: readonly { readonly key: string; readonly status: number; readonly body: unknown }[],
): Promise<void> {
  if (answers.length === 0) return;
  await tx`
    update idempotency_keys k
       set status = t.status, body = t.body::jsonb
      from unnest(${answers.map((a) => a.key)}::text[],
                  ${answers.map((a) => a.status)}::int[],
                  ${answers.map((a) => JSON.stringify(a.body))}::text[]) as t (key, status, body)
     where k.company_id = ${companyId} and k.key = t.key`;
}

/** Gives keys back: what was refused may be tried again, mended, under the same key. */
export async function releaseKeys(
  tx: Tx,
  companyId: number,
  keys: readonly string[],
): Promise<void> {
  if (keys.length === 0) return;
  await tx`
    delete from idempotency_keys
     where company_id = ${companyId} and key = any(${[...keys]}::text[]) and status is null`;
}

export async function deleteKeysOf(tx: Tx, companyId: number): Promise<void> {
  await tx`delete from idempotency_keys where company_id = ${companyId}`;
}

export async function deleteExpiredKeys(tx: Tx, now: Date): Promise<void> {
  await tx`delete from idempotency_keys where created_at < ${new Date(now.getTime() - KEPT_MS)}`;
}
