import type { Statement, Tx } from './sql.ts';

/**
 * Whether no process holds a row of a table with `lease_until`. Leases run on the database's clock, since processes may
 * differ. One that ends later than any that begins now is of a process that died before that clock was set back: it
 * would be held until that hour comes again.
 */
export function isUnheld(tx: Tx): Statement {
  return tx`(lease_until is null or lease_until not between now() and now() + interval '10 minutes')`;
}
