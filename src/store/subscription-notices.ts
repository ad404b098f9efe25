import type { Tx } from './sql.ts';

export type NoticeKind = 'suscripcion-caduca' | 'suscripcion-caducada';

/**
 * Open accounts whose subscription ends in a span and that have not been told so. Those already told are read
 * separately: Citus takes no correlated subquery on a reference table.
 */
export async function findSubscriptionsToTell(
  tx: Tx,
  kind: NoticeKind,
  { after, until, limit }: { readonly after: Date; readonly until: Date; readonly limit: number },
): Promise<number[]> {
  const rows = await tx<{ id: number }[]>`
    select c.id from companies c
     where c.deleted_at is null
       and c.subscription_ends_at > ${after} and c.subscription_ends_at <= ${until}
       and (c.id, c.subscription_ends_at) not in (
             select n.company_id, n.ends_at from subscription_notices n
              where n.kind = ${kind} and n.ends_at > ${after} and n.ends_at <= ${until})
     order by c.subscription_ends_at
     limit ${limit}`;
  return rows.map(({ id }) => id);
}

/**
 * Records that a company is told.
 *
 * @returns false when it was told before
 */
export async function noteSubscriptionTold(
  tx: Tx,
  companyId: number,
  { kind, endsAt, now }: { readonly kind: NoticeKind; readonly endsAt: Date; readonly now: Date },
): Promise<boolean> {
  const { count } = await tx`
    insert into subscription_notices (company_id, kind, ends_at, told_at)
    values (${companyId}, ${kind}, ${endsAt}, ${now})
    on conflict do nothing`;
  return count > 0;
}
