import { isIsoDate, zonaOf } from '../domain/dates.ts';
import { DomainError } from '../domain/errors.ts';
import { type Company, findCompanyByNif, setSubscription } from '../store/companies.ts';
import type { Sql } from '../store/sql.ts';
import { recordEvent } from './record-event.ts';

/** What the administrator decides about a subscription. */
export type SubscriptionChange =
  /** Until the end of that day, where the company is. */
  | {
      readonly kind: 'until';
      readonly day: string;
      readonly plan: Company['subscriptionType'] | null;
    }
  | { readonly kind: 'end' };

/**
 * Makes a subscription end when the administrator says, and tells it in the company's log.
 *
 * @returns the company, with its new end
 * @throws {DomainError} NOT_FOUND, BAD_REQUEST
 */
export async function changeSubscription(
  sql: Sql,
  nif: string,
  change: SubscriptionChange,
  now: Date,
): Promise<Company> {
  const company = await findCompanyByNif(sql, nif.trim().toUpperCase());
  if (!company) throw new DomainError('NOT_FOUND', `No hay ninguna cuenta con el NIF ${nif}.`);
  const endsAt = change.kind === 'end' ? now : endOfDay(change.day, company.postCode);
  const plan = change.kind === 'until' ? change.plan : null;
  const type = plan ?? company.subscriptionType;
  await sql.begin(async (tx) => {
    await setSubscription(tx, company.id, { type, endsAt });
    await recordEvent(tx, company.id, { kind: 'suscripcion-cambiada', now });
  });
  return { ...company, subscriptionType: type, subscriptionEndsAt: endsAt };
}

/** The last second of a day there: midnight is looked for, because that day may change its clocks. */
function endOfDay(day: string, postCode: string): Date {
  if (!isIsoDate(day)) {
    throw new DomainError('BAD_REQUEST', `«${day}» no es una fecha: escríbela como 2027-03-31.`);
  }
  const zona = zonaOf(postCode);
  const noon = new Date(`${day}T12:00:00Z`);
  const local = new Date(
    noon.toLocaleString('sv-SE', { timeZone: zona }).replace(' ', 'T').concat('Z'),
  );
  const offset = local.getTime() - noon.getTime();
  return new Date(Date.parse(`${day}T23:59:59Z`) - offset);
}
