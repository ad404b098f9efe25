import { DomainError } from '../domain/errors.ts';
import { shared } from '../store/coalesced.ts';
import { type Company, findCompany } from '../store/companies.ts';
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

/** The account was closed, or its password changed, while it asked. */
export function sessionIsOver(): DomainError {
  return new DomainError('UNAUTHORIZED', 'Tu sesión ha caducado.');
}

/** A panel that opens asks five times at once. */
const findSharedCompany = shared(findCompany);
