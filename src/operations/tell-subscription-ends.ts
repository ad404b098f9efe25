import type { Deps } from '../deps.ts';
import { lockCompany } from '../store/companies.ts';
import { enqueueMail } from '../store/mail-jobs.ts';
import {
  findSubscriptionsToTell,
  type NoticeKind,
  noteSubscriptionTold,
} from '../store/subscription-notices.ts';

const DAY_MS = 86_400_000;
/** How long before the end the notice goes out. */
const AHEAD_MS = 7 * DAY_MS;
/** What ended longer ago is not announced: an installation that was switched off does not send stale notices. */
const LATE_MS = 30 * DAY_MS;
const AT_ONCE = 200;

/**
 * E-mails each company whose subscription ends within a week, or has ended: once each, because the record of the
 * notice and the message are one transaction. Any number of processes may do it at once.
 *
 * @returns how many messages were queued
 */
export async function tellSubscriptionEnds(deps: Deps): Promise<number> {
  const now = deps.clock();
  const at = (shiftMs: number) => new Date(now.getTime() + shiftMs);
  const told =
    (await tell(deps, 'suscripcion-caduca', { after: now, until: at(AHEAD_MS) })) +
    (await tell(deps, 'suscripcion-caducada', { after: at(-LATE_MS), until: now }));
  if (told > 0) deps.wakeMail();
  return told;
}

interface Span {
  readonly after: Date;
  readonly until: Date;
}

async function tell(deps: Deps, kind: NoticeKind, span: Span): Promise<number> {
  let told = 0;
  for (;;) {
    const ids = await findSubscriptionsToTell(deps.sql, kind, { ...span, limit: AT_ONCE });
    const before = told;
    for (const id of ids) if (await tellOne(deps, id, kind, span)) told++;
    if (ids.length < AT_ONCE || told === before) return told;
  }
}

function tellOne(
  { sql, clock }: Deps,
  companyId: number,
  kind: NoticeKind,
  { after, until }: Span,
): Promise<boolean> {
  return sql.begin(async (tx) => {
    const company = await lockCompany(tx, companyId); // A renewal may be extending it right now.
    if (!company) return false;
    const { subscriptionEndsAt: endsAt, email } = company;
    if (endsAt <= after || endsAt > until) return false;
    const now = clock();
    if (!(await noteSubscriptionTold(tx, companyId, { kind, endsAt, now }))) return false;
    await enqueueMail(tx, companyId, {
      content: { kind, endsAt: endsAt.toISOString() },
      recipient: email,
      now,
    });
    return true;
  });
}
