import type { Config } from '../config.ts';
import { isIsoDate, type Zona, zonaOf } from '../domain/dates.ts';
import { DomainError } from '../domain/errors.ts';
import { isDemoApart } from '../domain/plans.ts';
import { lockCadena } from '../store/cadenas.ts';
import {
  type Company,
  findCompanyByNif,
  lockCompany,
  setSubscription,
} from '../store/companies.ts';
import type { Sql, Tx } from '../store/sql.ts';
import { leaveDemo } from './leave-demo.ts';
import { recordEvent } from './record-event.ts';

/** A change of a company's subscription that the administrator decides. */
export type SubscriptionChange =
  /** Until the end of that day, in the company's time zone. */
  | {
      readonly kind: 'until';
      readonly day: string;
      readonly plan: Company['subscriptionType'] | null;
    }
  | { readonly kind: 'end' };

/**
 * Makes a subscription end when the administrator says, and notes it in the company's log.
 *
 * A demo that becomes a plan leaves the demo as if it had been paid. A company that declared in production cannot go
 * back to a demo.
 *
 * @returns the company, with its new end
 * @throws {DomainError} NOT_FOUND, BAD_REQUEST, CONFLICT
 */
export async function changeSubscription(
  sql: Sql,
  config: Pick<Config, 'aeat'>,
  nif: string,
  change: SubscriptionChange,
  now: Date,
): Promise<Company> {
  const found = await findCompanyByNif(sql, nif.trim().toUpperCase());
  if (!found) throw new DomainError('NOT_FOUND', `No hay ninguna cuenta con el NIF ${nif}.`);
  return sql.begin(async (tx) => {
    const company = await lockCompany(tx, found.id);
    if (!company) throw new DomainError('NOT_FOUND', `No hay ninguna cuenta con el NIF ${nif}.`);
    const zona = zonaOf(company.postCode, company.countryCode);
    const endsAt = change.kind === 'end' ? now : endOfDay(change.day, zona);
    const plan = change.kind === 'until' ? change.plan : null;
    const type = plan ?? company.subscriptionType;
    if (type !== 'Demo') await leaveDemo(tx, config, company, now);
    else await assertMayBeDemo(tx, config, company);
    await setSubscription(tx, company.id, { type, endsAt });
    await recordEvent(tx, company.id, { kind: 'suscripcion-cambiada', now });
    return { ...company, subscriptionType: type, subscriptionEndsAt: endsAt };
  });
}

/** Back in a demo, a cadena that was declared in production would go on in the AEAT's test service. */
async function assertMayBeDemo(
  tx: Tx,
  { aeat }: Pick<Config, 'aeat'>,
  company: Company,
): Promise<void> {
  const wouldBe = { ...company, subscriptionType: 'Demo' };
  if (!isDemoApart(aeat, wouldBe) || isDemoApart(aeat, company)) return;
  if ((await lockCadena(tx, company.id)).lastSeq === 0n) return;
  throw new DomainError(
    'CONFLICT',
    `${company.nif} ya ha registrado facturas en la AEAT: no puede volver a la demo.`,
  );
}

/**
 * The last second of a day in a time zone, found through the next midnight because the clocks may change that day.
 */
function endOfDay(day: string, zona: Zona): Date {
  if (!isIsoDate(day)) {
    throw new DomainError('BAD_REQUEST', `«${day}» no es una fecha: escríbela como 2027-03-31.`);
  }
  const noon = new Date(`${day}T12:00:00Z`);
  const local = new Date(
    noon.toLocaleString('sv-SE', { timeZone: zona }).replace(' ', 'T').concat('Z'),
  );
  const offset = local.getTime() - noon.getTime();
  return new Date(Date.parse(`${day}T23:59:59Z`) - offset);
}
