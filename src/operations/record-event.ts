import { truncatedAddress } from '../domain/device.ts';
import type { SecurityEventKind } from '../domain/security-events.ts';
import { currentScope } from '../store/row-security.ts';
import { insertSecurityEvent } from '../store/security-events.ts';
import type { Tx } from '../store/sql.ts';

export interface EventToRecord {
  readonly kind: SecurityEventKind;
  readonly now: Date;
  /** What the kind alone does not say. Never a secret. */
  readonly detail?: string;
  /** By default, the session of the request. */
  readonly sid?: string;
}

/**
 * Writes an entry of the company's security log, in the transaction of the event. Device and address come from the
 * request.
 */
export async function recordEvent(tx: Tx, companyId: number, event: EventToRecord): Promise<void> {
  const scope = currentScope();
  await insertSecurityEvent(tx, companyId, {
    kind: event.kind,
    at: event.now,
    sid: event.sid ?? scope?.sid ?? null,
    address: scope ? truncatedAddress(scope.address) : '',
    userAgent: scope?.userAgent ?? '',
    detail: event.detail ?? '',
  });
}
