import type { Deps } from '../deps.ts';
import { DomainError } from '../domain/errors.ts';
import { keptUntil } from '../domain/retention.ts';
import { type ClosedAccount, destroyCompany, listClosedAccounts } from '../store/destruction.ts';

export interface KeptUntil extends ClosedAccount {
  readonly until: Date;
}

/** Closed accounts, and until when each has to be kept. */
export async function closedAccounts({ sql }: Pick<Deps, 'sql'>): Promise<KeptUntil[]> {
  const accounts = await listClosedAccounts(sql);
  return accounts.map((account) => ({ ...account, until: keptUntil(account) }));
}

/**
 * Destroys what is left of a closed account whose legal term is over: irreversibly, and all or nothing.
 *
 * @returns how many rows of each table were destroyed, for the written record
 * @throws {DomainError} CONFLICT before the term is over
 */
export async function destroyAccount(
  { sql }: Pick<Deps, 'sql'>,
  account: KeptUntil,
  now: Date,
): Promise<Record<string, number>> {
  if (now < account.until) {
    throw new DomainError('CONFLICT', `${account.nif} ${account.name} se conserva todavía.`);
  }
  return sql.begin((tx) => destroyCompany(tx, account.id));
}
