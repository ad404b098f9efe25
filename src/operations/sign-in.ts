import { createHash, randomUUID } from 'node:crypto';
import type { Deps } from '../deps.ts';
import { truncatedAddress } from '../domain/device.ts';
import { emailKey } from '../domain/email.ts';
import { DomainError } from '../domain/errors.ts';
import {
  type Company,
  findCompany,
  findCompanyByEmail,
  holdCredentials,
  replacePasswordHash,
} from '../store/companies.ts';
import { clearAttempts } from '../store/rate-limits.ts';
import { currentScope } from '../store/row-security.ts';
import { findSecondFactor } from '../store/second-factors.ts';
import { insertSession } from '../store/sessions.ts';
import { assertMayTry, attemptKey, LOGIN_BY_EMAIL } from './attempts.ts';
import { hashPassword, isOutdatedHash, verifyPassword } from './password-hash.ts';
import { recordEvent } from './record-event.ts';
import { takeSecondFactor } from './second-factor.ts';

/** A session that was just opened, as its token describes it. */
export interface OpenedSession {
  readonly companyId: number;
  readonly email: string;
  readonly sid: string;
}

/** The password was right; the second factor is still missing. */
export interface PendingSignIn {
  readonly companyId: number;
  /** Tells this password from a later one. */
  readonly passwordMark: string;
}

export type SignedIn =
  | { readonly kind: 'opened'; readonly session: OpenedSession }
  | { readonly kind: 'second-factor'; readonly pending: PendingSignIn };

const WRONG = 'El correo o la contraseña no son correctos.';
const TOO_LATE = 'Ha pasado demasiado tiempo. Vuelve a iniciar sesión.';

/**
 * Opens a session with e-mail and password, or asks for the second factor where there is one.
 *
 * An unknown e-mail takes the same steps and the same time, and gets the same words, as a wrong password: the
 * security log is written after the answer.
 *
 * @throws {DomainError} UNAUTHORIZED; TOO_MANY_REQUESTS after five failures in a row
 */
export async function signIn(
  deps: Deps,
  credentials: { readonly email: string; readonly password: string; readonly userAgent: string },
): Promise<SignedIn> {
  const email = emailKey(credentials.email);
  const attempts = attemptKey('login', email);
  await assertMayTry(deps, attempts, LOGIN_BY_EMAIL);

  const found = await findCompanyByEmail(deps.sql, email);
  const isRight = await verifyPassword(credentials.password, found?.passwordHash ?? null);
  if (!found || !isRight) {
    noteFailure(deps, found);
    throw new DomainError('UNAUTHORIZED', WRONG);
  }
  await clearAttempts(deps.sql, attempts);
  const company = await withHashOfToday(deps, found, credentials.password);

  const factor = await findSecondFactor(deps.sql, company.id);
  if (factor?.confirmedAt) {
    const pending = { companyId: company.id, passwordMark: markOf(company) };
    return { kind: 'second-factor', pending };
  }
  const session = await openSession(deps, company, credentials.userAgent);
  if (!session) throw new DomainError('UNAUTHORIZED', WRONG);
  return { kind: 'opened', session };
}

/**
 * Completes a sign-in with a code from the phone or a recovery code.
 *
 * @throws {DomainError} UNAUTHORIZED for a wrong or used code, or when the password changed meanwhile;
 *   TOO_MANY_REQUESTS
 */
export async function finishSignIn(
  deps: Deps,
  pending: PendingSignIn,
  typed: { readonly code: string; readonly userAgent: string },
): Promise<OpenedSession> {
  const company = await findCompany(deps.sql, pending.companyId);
  if (!company || markOf(company) !== pending.passwordMark) {
    throw new DomainError('UNAUTHORIZED', TOO_LATE);
  }
  await takeSecondFactor(deps, company.id, typed.code);
  const session = await openSession(deps, company, typed.userAgent);
  if (!session) throw new DomainError('UNAUTHORIZED', TOO_LATE);
  return session;
}

/**
 * Opens a session, provided that the account is still as it was when its password was verified.
 *
 * @returns null when its password or e-mail has changed since, or it was closed: the session did not exist yet when
 *   the others were ended
 */
async function openSession(
  deps: Deps,
  company: Company,
  userAgent: string,
): Promise<OpenedSession | null> {
  const now = deps.clock();
  const session = { companyId: company.id, email: company.email, sid: randomUUID() };
  return deps.sql.begin(async (tx) => {
    if (!(await holdCredentials(tx, company))) return null;
    await insertSession(tx, {
      ...session,
      createdAt: now,
      authenticatedAt: now,
      userAgent,
      address: truncatedAddress(currentScope()?.address ?? ''),
    });
    await recordEvent(tx, company.id, { kind: 'sesion-iniciada', now, sid: session.sid });
    return session;
  });
}

/**
 * Hashes the password again with today's costs: only now is it known.
 *
 * @throws {DomainError} UNAUTHORIZED when it has been changed meanwhile
 */
async function withHashOfToday(
  { sql }: Pick<Deps, 'sql'>,
  company: Company,
  password: string,
): Promise<Company> {
  if (!isOutdatedHash(company.passwordHash)) return company;
  const passwordHash = await hashPassword(password);
  const change = { before: company.passwordHash, after: passwordHash };
  if (await replacePasswordHash(sql, company.id, change)) return { ...company, passwordHash };
  // Another sign-in did it first, or the password was changed.
  const current = await findCompany(sql, company.id);
  if (current && (await verifyPassword(password, current.passwordHash))) return current;
  throw new DomainError('UNAUTHORIZED', WRONG);
}

/** In the company's security log, and in that of the installation: by address, also for e-mails that nobody has. */
function noteFailure({ sql, clock, log }: Deps, company: Company | null): void {
  const address = truncatedAddress(currentScope()?.address ?? '');
  log.info({ address, ...(company && { companyId: company.id }) }, 'a sign-in failed');
  if (!company) return;
  recordEvent(sql, company.id, { kind: 'sesion-fallida', now: clock() }).catch((error: unknown) => {
    log.error({ err: error, companyId: company.id }, 'a failed sign-in could not be noted');
  });
}

function markOf({ passwordHash }: Company): string {
  return createHash('sha256').update(passwordHash).digest('base64url').slice(0, 16);
}
