import type { InvoiceListQuery } from '../contract/invoices.ts';
import type { Deps } from '../deps.ts';
import { accountOf, dueDays, isCollected } from '../domain/cobros.ts';
import type { ListedInvoices, ListQuery } from '../store/invoice-page.ts';
import { findMaybeOwed, listByIds } from '../store/owed.ts';
import { collectedBeforeOf, todayOf } from './describe-cobros.ts';

export interface OwedInvoices extends ListedInvoices {
  /** What is left of all of them; null when there are others that were not looked at. */
  readonly pendienteCents: bigint | null;
}

/**
 * A page of the registered invoices that are owed, whatever the AEAT has answered, or of those that are overdue, of which
 * the oldest are looked at first (decisions 0640 and 1150).
 */
export async function listOwed(
  deps: Deps,
  companyId: number,
  query: ListQuery,
  cobro: NonNullable<InvoiceListQuery['cobro']>,
): Promise<OwedInvoices> {
  const { sql } = deps;
  const isOldestFirst = cobro === 'vencida' || query.sort === 'PostingDate';
  const [{ invoices, isMore }, today] = await Promise.all([
    findMaybeOwed(sql, companyId, { ...query, isOldestFirst }),
    todayOf(deps, companyId),
  ]);
  const before = await collectedBeforeOf(sql, companyId, invoices);
  const accounts = invoices.map(({ id, collected, vencimientos, ...issued }) => {
    const account = accountOf(issued, [{ importe: collected, medio: '01' }], before(id));
    return { id, account, ...dueDays(vencimientos, account, today) };
  });
  const owed = accounts.filter(
    ({ account, vencidaDesde }) =>
      !isCollected(account) && (cobro === 'pendiente' || vencidaDesde !== null),
  );
  const ids = owed.map(({ id }) => id);
  return {
    rows: ids.length === 0 ? [] : await listByIds(sql, companyId, ids, query),
    total: ids.length,
    isMore,
    pendienteCents: isMore
      ? null
      : owed.reduce((sum, { account }) => sum + account.pendienteCents, 0n),
  };
}
