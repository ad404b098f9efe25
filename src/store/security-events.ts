import type { SecurityEventKind } from '../domain/security-events.ts';
import type { Tx } from './sql.ts';

export interface SecurityEvent {
  readonly kind: SecurityEventKind;
  readonly at: Date;
  readonly sid: string | null;
  /** Without its last part. */
  readonly address: string;
  readonly userAgent: string;
  readonly detail: string;
}

interface SecurityEventRow {
  id: bigint;
  kind: SecurityEventKind;
  at: Date;
  sid: string | null;
  address: string;
  user_agent: string;
  detail: string;
}

/** Kept for two years: longer than it takes to find out, shorter than for ever (RGPD art. 5.1.e). */
const KEPT_YEARS = 2;

export async function insertSecurityEvent(
  tx: Tx,
  companyId: number,
  event: SecurityEvent,
): Promise<void> {
  await tx`
    insert into security_events (company_id, at, kind, sid, address, user_agent, detail)
    values (${companyId}, ${event.at}, ${event.kind}, ${event.sid}, ${event.address},
            ${event.userAgent.slice(0, 300)}, ${event.detail.slice(0, 300)})`;
}

/** Newest first. */
export async function listSecurityEvents(
  tx: Tx,
  companyId: number,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<{ events: SecurityEvent[]; total: number }> {
  const [rows, counts] = await Promise.all([
    tx<SecurityEventRow[]>`
      select id, at, kind, sid, address, user_agent, detail
        from security_events
       where company_id = ${companyId}
       order by at desc, id desc
       limit ${limit} offset ${offset}`,
    tx<{ total: number }[]>`
      select count(*)::integer as total from security_events where company_id = ${companyId}`,
  ]);
  const events = rows.map(({ user_agent: userAgent, ...row }) => ({ ...row, userAgent }));
  return { events, total: counts[0]?.total ?? 0 };
}

export async function deleteOldSecurityEvents(tx: Tx, now: Date): Promise<void> {
  await tx`
    delete from security_events
     where at < ${now}::timestamptz - make_interval(years => ${KEPT_YEARS})`;
}
