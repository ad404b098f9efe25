import { randomUUID } from 'node:crypto';
import type { Deps } from '../deps.ts';
import { truncatedAddress } from '../domain/device.ts';
import { checkEmail, emailKey } from '../domain/email.ts';
import { DomainError } from '../domain/errors.ts';
import { type Company, isRegistered, lockCompany, updateCompany } from '../store/companies.ts';
import { renameDataCopy } from '../store/data-copies.ts';
import { enqueueMails } from '../store/mail-jobs.ts';
import { clearAttempts } from '../store/rate-limits.ts';
import { currentScope } from '../store/row-security.ts';
import {
  endAllSessions,
  findOpenSession,
  insertSession,
  reauthenticateSession,
} from '../store/sessions.ts';
import type { Tx } from '../store/sql.ts';
import { assertMayTry, attemptKey, LOGIN_BY_EMAIL, OTHER_IDENTITIES } from './attempts.ts';
import { companyOf, sessionIsOver } from './company-of.ts';
import { hashPassword, verifyPassword } from './password-hash.ts';
import { recordEvent } from './record-event.ts';
import { assertGoodNewPassword, changePassword } from './recover-password.ts';
import type { OpenedSession } from './sign-in.ts';
import { ALREADY_REGISTERED, refusingTwins } from './sign-up.ts';

/** Who asks: the session, and when its password was last typed. */
export interface Asker {
  readonly companyId: number;
  readonly sid: string;
  readonly authenticatedAt: Date;
}

export interface AccountChange {
  /** Empty or unchanged to keep the current one. */
  readonly email: string;
  /** Empty to keep the current one. */
  readonly newPassword: string;
  readonly currentPassword: string;
  readonly userAgent: string;
}

/** A sign-in older than this no longer proves who is at the keyboard. */
const RECENT_MS = 10 * 60_000;

/**
 * Changes the e-mail, the password or both.
 *
 * Either change ends every session, including this one. A change of e-mail opens a new session, because the login
 * user is another one, and is announced to both the old and the new address.
 *
 * @returns the session opened in place of the caller's, or null when the e-mail stays the same
 * @throws {DomainError} BAD_REQUEST, REAUTHENTICATE, TOO_MANY_REQUESTS; CONFLICT when the e-mail already has an
 *   account; UNAUTHORIZED when the session was ended meanwhile
 */
export async function changeAccount(
  deps: Deps,
  asker: Asker,
  change: AccountChange,
): Promise<OpenedSession | null> {
  const company = await companyOf(deps, asker.companyId);
  const newEmail = readNewEmail(company, change.email);
  if (newEmail === null && change.newPassword === '') return null;

  const authenticatedAt = await assertItIsThem(deps, asker, company, change.currentPassword);
  if (change.newPassword !== '') await assertGoodNewPassword(company, change.newPassword);
  const passwordHash = change.newPassword === '' ? null : await hashPassword(change.newPassword);
  const now = deps.clock();
  if (newEmail !== null) await assertMayTry(deps, `otro-correo:${company.id}`, OTHER_IDENTITIES);

  const opened = await refusingTwins(() =>
    deps.sql.begin(async (tx) => {
      const current = await lockOwn(tx, asker, now);
      if (passwordHash !== null) {
        await changePassword(tx, current, passwordHash, now);
        await recordEvent(tx, company.id, { kind: 'contrasena-cambiada', now });
      }
      if (newEmail === null) return null;
      if (await isRegistered(tx, { email: newEmail, exceptId: company.id })) {
        throw new DomainError('CONFLICT', [ALREADY_REGISTERED]);
      }
      await moveEmail(tx, current, newEmail, now);
      const session = { companyId: company.id, email: newEmail, sid: randomUUID() };
      await insertSession(tx, {
        ...session,
        createdAt: now,
        authenticatedAt,
        userAgent: change.userAgent,
        address: truncatedAddress(currentScope()?.address ?? ''),
      });
      await recordEvent(tx, company.id, {
        kind: 'correo-cambiado',
        now,
        detail: `${current.email} → ${newEmail}`,
      });
      return session;
    }),
  );
  deps.wakeMail();
  return opened;
}

/**
 * Gives an account another e-mail address: every session ends, and both addresses are told. The caller logs who did
 * it.
 */
export async function moveEmail(
  tx: Tx,
  { id, email: oldEmail }: Pick<Company, 'id' | 'email'>,
  newEmail: string,
  now: Date,
): Promise<void> {
  await updateCompany(tx, id, { email: newEmail });
  await endAllSessions(tx, id, now);
  await renameDataCopy(tx, id, randomUUID()); // Its link went to the old address.
  const content = {
    kind: 'correo-cambiado',
    oldEmail,
    newEmail,
    changedAt: now.toISOString(),
  } as const;
  await enqueueMails(tx, id, [
    { content, recipient: oldEmail, now },
    { content, recipient: newEmail, now },
  ]);
}

/**
 * Checks that whoever asks for something sensitive knows the password: either it is typed now, or the session was
 * opened with it a moment ago.
 *
 * @returns when it was typed
 * @throws {DomainError} REAUTHENTICATE when it has to be typed; BAD_REQUEST when it is wrong; TOO_MANY_REQUESTS after
 *   too many wrong ones
 */
export async function assertItIsThem(
  deps: Deps,
  asker: Asker,
  company: Company,
  currentPassword: string,
): Promise<Date> {
  const now = deps.clock();
  const isRecent = now.getTime() - asker.authenticatedAt.getTime() < RECENT_MS;
  if (currentPassword === '') {
    if (isRecent) return asker.authenticatedAt;
    throw new DomainError(
      'REAUTHENTICATE',
      'Escribe tu contraseña actual para confirmar que eres tú.',
    );
  }
  const attempts = attemptKey('login', company.email);
  await assertMayTry(deps, attempts, LOGIN_BY_EMAIL);
  if (!(await verifyPassword(currentPassword, company.passwordHash))) {
    throw new DomainError('BAD_REQUEST', 'La contraseña actual no es correcta.');
  }
  await clearAttempts(deps.sql, attempts);
  await reauthenticateSession(deps.sql, asker.companyId, asker.sid, now);
  return now;
}

/** The same, for what changes neither the e-mail nor the password. @throws {DomainError} as above */
export async function confirmAsker(
  deps: Deps,
  asker: Asker,
  currentPassword: string,
): Promise<void> {
  await assertItIsThem(deps, asker, await companyOf(deps, asker.companyId), currentPassword);
}

/**
 * Locks the account of a session that is still open, for what an ended one must not do any more: the password takes
 * its time to be verified. Whatever ends all sessions of an account locks it first.
 *
 * @throws {DomainError} UNAUTHORIZED when the session was ended meanwhile
 */
export async function lockOwn(
  tx: Tx,
  { companyId, sid }: Pick<Asker, 'companyId' | 'sid'>,
  now: Date,
): Promise<Company> {
  const company = await lockCompany(tx, companyId);
  if (!company || !(await findOpenSession(tx, companyId, sid, now))) throw sessionIsOver();
  return company;
}

function readNewEmail(company: Company, typed: string): string | null {
  if (typed.trim() === '') return null;
  const checked = checkEmail(typed);
  if (!checked.ok) throw new DomainError('BAD_REQUEST', checked.mensaje);
  const email = emailKey(checked.email);
  return email === company.email ? null : email;
}
