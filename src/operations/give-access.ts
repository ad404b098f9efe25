import { checkEmail, emailKey } from '../domain/email.ts';
import { DomainError } from '../domain/errors.ts';
import { type Company, findCompanyByNif, isRegistered, lockCompany } from '../store/companies.ts';
import type { Sql } from '../store/sql.ts';
import { moveEmail } from './change-account.ts';
import { recordEvent } from './record-event.ts';
import { removeSecondFactor } from './second-factor.ts';
import { ALREADY_REGISTERED, refusingTwins } from './sign-up.ts';

/** What locks people out of their own account. */
export type AccessChange =
  | { readonly kind: 'second-factor' }
  | { readonly kind: 'email'; readonly email: string };

/**
 * Lets people back in who lost their phone and recovery codes, or the mailbox of the account. The administrator must
 * check that they are who they say. The reason goes to the company's log, and its addresses are told. The password
 * does not change.
 *
 * @returns the company, as it was
 * @throws {DomainError} NOT_FOUND, BAD_REQUEST; CONFLICT when there is no second factor to remove, or the e-mail
 *   already has an account
 */
export async function giveAccess(
  sql: Sql,
  nif: string,
  change: AccessChange,
  { because, now }: { readonly because: string; readonly now: Date },
): Promise<Company> {
  if (because === '') throw new DomainError('BAD_REQUEST', 'Di por qué: --motivo "TEXTO".');
  const found = await findCompanyByNif(sql, nif);
  return refusingTwins(() =>
    sql.begin(async (tx) => {
      const company = found && (await lockCompany(tx, found.id));
      if (!company) throw new DomainError('NOT_FOUND', `No hay ninguna cuenta con el NIF ${nif}.`);
      if (change.kind === 'second-factor') {
        if (!(await removeSecondFactor(tx, company, { because, now }))) {
          throw new DomainError(
            'CONFLICT',
            `${nif} no tiene activada la verificación en dos pasos.`,
          );
        }
        return company;
      }
      const email = readEmail(change.email);
      if (email === company.email) {
        throw new DomainError('CONFLICT', `${nif} ya entra con ${email}.`);
      }
      if (await isRegistered(tx, { email, exceptId: company.id })) {
        throw new DomainError('CONFLICT', ALREADY_REGISTERED);
      }
      await moveEmail(tx, company, email, now);
      const detail = `${company.email} → ${email}. ${because}`;
      await recordEvent(tx, company.id, { kind: 'correo-cambiado-servicio', now, detail });
      return company;
    }),
  );
}

function readEmail(typed: string): string {
  const checked = checkEmail(typed);
  if (!checked.ok) throw new DomainError('BAD_REQUEST', checked.mensaje);
  return emailKey(checked.email);
}
