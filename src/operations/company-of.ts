import { DomainError } from '../domain/errors.ts';
import { shared } from '../store/coalesced.ts';
import { type Company, findCompany, holdOpen } from '../store/companies.ts';
import type { Tx } from '../store/sql.ts';

/** The company whose session asks. @throws {DomainError} UNAUTHORIZED when the account was closed a moment ago */
export async function companyOf(
  { sql }: { readonly sql: Tx },
  companyId: number,
): Promise<Company> {
  const company = await findSharedCompany(sql, companyId);
  if (!company) throw sessionIsOver();
  return company;
}

/**
 * Keeps an account open until the transaction ends. For calls that work for a while before they save something:
 * closing deletes what there is by then, and nothing may be saved behind it. First in the transaction, because closing
 * locks the company first.
 *
 * @throws {DomainError} UNAUTHORIZED when it was closed meanwhile
 */
export async function keepOpen(tx: Tx, companyId: number): Promise<void> {
  if (!(await holdOpen(tx, companyId))) throw sessionIsOver();
}

/** The account was closed, or its password changed, while it asked. */
export function sessionIsOver(): DomainError {
  return new DomainError('UNAUTHORIZED', 'Tu sesión ha caducado.');
}

/** A panel that opens asks five times at once. */
const findSharedCompany = shared(findCompany);
