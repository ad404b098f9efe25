import { randomUUID } from 'node:crypto';
import type { Deps } from '../deps.ts';
import { emailKey } from '../domain/email.ts';
import { DomainError } from '../domain/errors.ts';
import { findCompanyByEmail } from '../store/companies.ts';
import { clearAttempts } from '../store/rate-limits.ts';
import { insertSession } from '../store/sessions.ts';
import { assertMayTry, attemptKey, LOGIN_BY_EMAIL } from './attempts.ts';
import { verifyPassword } from './password-hash.ts';

/** A session just opened: what its token says. */
export interface OpenedSession {
  readonly companyId: number;
  readonly email: string;
  readonly sid: string;
}

/**
 * Opens a session with e-mail and password.
 *
 * An unknown e-mail takes the same steps, the same time and the same words as a wrong password.
 *
 * @throws {DomainError} UNAUTHORIZED; TOO_MANY_REQUESTS after five failures in a row
 */
export async function signIn(
  deps: Deps,
  credentials: { readonly email: string; readonly password: string; readonly userAgent: string },
): Promise<OpenedSession> {
  const email = emailKey(credentials.email);
  const attempts = attemptKey('login', email);
  await assertMayTry(deps, attempts, LOGIN_BY_EMAIL);

  const company = await findCompanyByEmail(deps.sql, email);
  const isRight = await verifyPassword(credentials.password, company?.passwordHash ?? null);
  if (!company || !isRight) {
    throw new DomainError('UNAUTHORIZED', 'El correo o la contraseña no son correctos.');
  }

  const now = deps.clock();
  const session = { companyId: company.id, email: company.email, sid: randomUUID() };
  await insertSession(deps.sql, {
    ...session,
    createdAt: now,
    authenticatedAt: now,
    userAgent: credentials.userAgent,
  });
  await clearAttempts(deps.sql, attempts);
  return session;
}
