import { companiesOf, ofCompanies, ofOneCompany, type Tx } from './sql.ts';

/** An idempotency key of a company: another company's key of the same name is another key. */
export interface CompanyKey {
  readonly companyId: number;
  readonly key: string;
}

/** The first answer given under a key. `status` is null until that first call has ended. */
export interface KeptAnswer extends CompanyKey {
  readonly requestHash: string;
  readonly status: number | null;
  readonly body: unknown;
}

/** Name under which answers are found by key. */
export const nameOfKey = ({ companyId, key }: CompanyKey): string => `${companyId} ${key}`;

export const KEPT_MS = 24 * 3_600_000;
/** A call that has neither ended nor renewed its key for this long was interrupted: the key is free again. */
const ABANDONED_MS = 60_000;
/** How often a running call renews its key. */
export const RENEW_MS = 20_000;

/**
 * Takes the keys of calls, for 24 hours.
 *
 * @returns the keys that were already taken, with their answers, by `nameOfKey`. A key that another transaction is
 *   taking right now makes this wait for it, so two equal calls at once end as one
 */
export async function takeKeys(
  tx: Tx,
  keys: readonly (CompanyKey & { readonly requestHash: string })[],
  now: Date,
): Promise<Map<string, KeptAnswer>> {
  if (keys.length === 0) return new Map();
  // Always in the same order, so that two calls with the same keys never deadlock.
  const sorted = [...keys].sort(
    (a, b) => a.companyId - b.companyId || (a.key < b.key ? -1 : Number(a.key > b.key)),
  );
  const ids = sorted.map((k) => k.companyId);
  const names = sorted.map((k) => k.key);
  const isOfThese = tx`
    ${ofCompanies(tx, 'company_id', companiesOf(keys))}
      and (company_id, key) in (select * from unnest(${ids}::int[], ${names}::text[]))`;
  const [, taken, kept] = await Promise.all([
    tx`delete from idempotency_keys
        where ${isOfThese}
          and (created_at < ${new Date(now.getTime() - KEPT_MS)}
               or status is null and created_at < ${new Date(now.getTime() - ABANDONED_MS)})`,
    tx<CompanyKey[]>`
      insert into idempotency_keys (company_id, key, request_hash, created_at)
      select t.*, ${now}
        from unnest(${ids}::int[], ${names}::text[],
                    ${sorted.map((k) => k.requestHash)}::text[]) as t
          on conflict (company_id, key) do nothing
   returning company_id as "companyId", key`,
    tx<KeptAnswer[]>`
      select company_id as "companyId", key, request_hash as "requestHash", status, body
        from idempotency_keys
       where ${isOfThese}`,
  ]);
  const isNew = new Set(taken.map(nameOfKey));
  return new Map(
    kept.filter((row) => !isNew.has(nameOfKey(row))).map((row) => [nameOfKey(row), row]),
  );
}

/**
 * The answer that a call got before under its key; null also when that call has not ended, or asked for something
 * else.
 */
export async function findAnswer(
  tx: Tx,
  { companyId, key, requestHash }: CompanyKey & { readonly requestHash: string },
  now: Date,
): Promise<unknown> {
  const [row] = await tx<{ body: unknown }[]>`
    select body from idempotency_keys
     where company_id = ${companyId} and key = ${key} and request_hash = ${requestHash}
       and status is not null and created_at >= ${new Date(now.getTime() - KEPT_MS)}`;
  return row?.body ?? null;
}

/** Stores the answer of a call that had not taken its key, along with what it created. */
export async function insertAnswer(
  tx: Tx,
  {
    companyId,
    key,
    requestHash,
    status,
    body,
  }: CompanyKey & {
    readonly requestHash: string;
    readonly status: number;
    readonly body: unknown;
  },
  now: Date,
): Promise<void> {
  await tx`
    insert into idempotency_keys (company_id, key, request_hash, status, body, created_at)
    values (${companyId}, ${key}, ${requestHash}, ${status}, ${JSON.stringify(body)}::text::jsonb, ${now})`;
}

/** Renews the key of a call that is still running. */
export async function renewKey(tx: Tx, { companyId, key }: CompanyKey, now: Date): Promise<void> {
  await tx`
    update idempotency_keys set created_at = ${now}
     where company_id = ${companyId} and key = ${key} and status is null`;
}

/**
 * Stores the answers of calls that did something. An answer that is already there stays.
 *
 * @returns how many were stored
 */
export async function keepAnswers(
  tx: Tx,
  answers: readonly (CompanyKey & { readonly status: number; readonly body: unknown })[],
): Promise<number> {
  if (answers.length === 0) return 0;
  const { count } = await tx`
    update idempotency_keys k
       set status = t.status, body = t.body::jsonb
      from unnest(${answers.map((a) => a.companyId)}::int[],
                  ${answers.map((a) => a.key)}::text[],
                  ${answers.map((a) => a.status)}::int[],
                  ${answers.map((a) => JSON.stringify(a.body))}::text[]
           ) as t (company_id, key, status, body)
     where k.company_id = t.company_id and k.key = t.key and k.status is null
       ${ofOneCompany(tx, 'k.company_id', answers)}`;
  return count;
}

/** Frees keys: a refused request may be corrected and sent again under the same key. */
export async function releaseKeys(tx: Tx, keys: readonly CompanyKey[]): Promise<void> {
  if (keys.length === 0) return;
  await tx`
    delete from idempotency_keys
     where ${ofCompanies(tx, 'company_id', companiesOf(keys))} and status is null
       and (company_id, key) in (select * from unnest(${keys.map((k) => k.companyId)}::int[],
                                                      ${keys.map((k) => k.key)}::text[]))`;
}

export async function deleteKeysOf(tx: Tx, companyId: number): Promise<void> {
  await tx`delete from idempotency_keys where company_id = ${companyId}`;
}
