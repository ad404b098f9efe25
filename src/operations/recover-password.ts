import { createHmac, hkdfSync, randomInt, randomUUID, timingSafeEqual } from 'node:crypto';
import { open, seal } from '../certificate/seal.ts';
import type { Config } from '../config.ts';
import type { Deps } from '../deps.ts';
import { emailKey } from '../domain/email.ts';
import { DomainError } from '../domain/errors.ts';
import { checkPassword } from '../domain/password.ts';
import {
  type Company,
  findCompanyByEmail,
  lockCompany,
  updateCompany,
} from '../store/companies.ts';
import { renameDataCopy } from '../store/data-copies.ts';
import { enqueueMail } from '../store/mail-jobs.ts';
import { clearAttempts } from '../store/rate-limits.ts';
import {
  deleteRecoveryCode,
  returnRecoveryTry,
  saveRecoveryCode,
  takeRecoveryTry,
} from '../store/recovery-codes.ts';
import { endAllSessions } from '../store/sessions.ts';
import { assertMayTry, attemptKey, CODES_BY_EMAIL } from './attempts.ts';
import { inEvenTime } from './even-time.ts';
import { hashPassword, verifyPassword } from './password-hash.ts';
import { recordEvent } from './record-event.ts';

const CODE_MINUTES = 10;
const MAX_TRIES = 5;

/**
 * Sends a recovery code to an e-mail address, if it has an account. The caller cannot tell: neither by the answer nor
 * by when it comes.
 *
 * A new code replaces the previous one.
 *
 * @throws {DomainError} TOO_MANY_REQUESTS, with or without an account
 */
export async function requestRecoveryCode(deps: Deps, typedEmail: string): Promise<void> {
  await inEvenTime(() => sendCode(deps, typedEmail));
}

async function sendCode(deps: Deps, typedEmail: string): Promise<void> {
  const email = emailKey(typedEmail);
  await assertMayTry(deps, attemptKey('codigo', email), CODES_BY_EMAIL);
  const now = deps.clock();
  const expiresAt = new Date(now.getTime() + CODE_MINUTES * 60_000);
  const code = String(randomInt(1_000_000)).padStart(6, '0');

  await deps.sql.begin(async (tx) => {
    const company = await findCompanyByEmail(tx, email);
    if (!company) return;
    const codeHmac = hmacOf(deps.config, company, code);
    const sealedCode = sealCode(deps.config, company.id, code);
    await saveRecoveryCode(tx, company.id, { codeHmac, expiresAt }, now);
    await recordEvent(tx, company.id, { kind: 'recuperacion-pedida', now });
    await enqueueMail(tx, company.id, {
      content: { kind: 'codigo', sealedCode, expiresAt: expiresAt.toISOString() },
      recipient: company.email,
      now,
    });
  });
  deps.wakeMail();
}

/**
 * Checks a code without using it up, in a time that does not reveal whether there is an account.
 *
 * @throws {DomainError} CODE_REFUSED, the same for a wrong code, an expired one, one tried too often and an e-mail
 *   without an account
 */
export async function checkRecoveryCode(deps: Deps, typed: TypedCode): Promise<Company> {
  return inEvenTime(() => checkCode(deps, typed));
}

interface TypedCode {
  readonly email: string;
  readonly code: string;
}

async function checkCode(deps: Deps, typed: TypedCode): Promise<Company> {
  const company = await findCompanyByEmail(deps.sql, emailKey(typed.email));
  const code = typed.code.replace(/\s/g, '');
  const saved = company
    ? await takeRecoveryTry(deps.sql, company.id, MAX_TRIES, deps.clock())
    : null;
  const isRight =
    company !== null &&
    saved !== null &&
    timingSafeEqual(saved.codeHmac, hmacOf(deps.config, company, code));
  if (!isRight) throw wrongCode();
  await returnRecoveryTry(deps.sql, company.id);
  return company;
}

/**
 * Changes the password with a code, which is checked again and used up, and ends every session.
 *
 * @throws {DomainError} CODE_REFUSED or, with `errores`, BAD_REQUEST for the password
 */
export async function resetPassword(
  deps: Deps,
  typed: TypedCode & { readonly newPassword: string },
): Promise<void> {
  const company = await checkRecoveryCode(deps, typed);
  await assertGoodNewPassword(company, typed.newPassword);
  const passwordHash = await hashPassword(typed.newPassword);
  const now = deps.clock();

  await deps.sql.begin(async (tx) => {
    // If its e-mail or password has been changed meanwhile, the code is not good any more.
    const current = await lockCompany(tx, company.id);
    if (current?.email !== company.email || !(await deleteRecoveryCode(tx, company.id))) {
      throw wrongCode();
    }
    await changePassword(tx, company, passwordHash, now);
    await recordEvent(tx, company.id, { kind: 'contrasena-recuperada', now });
  });
  await clearAttempts(deps.sql, attemptKey('login', company.email));
  deps.wakeMail();
}

function wrongCode(): DomainError {
  return new DomainError(
    'CODE_REFUSED',
    'El código no es válido o ha caducado. Escribe el del último correo o pide otro.',
  );
}

/** @throws {DomainError} BAD_REQUEST with `errores`, one sentence per broken rule */
export async function assertGoodNewPassword(company: Company, newPassword: string): Promise<void> {
  const errores = checkPassword(newPassword, {
    email: company.email,
    companyName: company.name,
    nif: company.nif,
  });
  if (await verifyPassword(newPassword, company.passwordHash)) {
    errores.push('La nueva contraseña debe ser distinta de la actual.');
  }
  if (errores.length > 0) throw new DomainError('BAD_REQUEST', errores, { errores });
}

/**
 * Writes the new password, ends every session opened with the old one, cancels the recovery code and the link to a
 * copy of the data, and tells the owner.
 */
export async function changePassword(
  tx: Parameters<typeof updateCompany>[0],
  company: Company,
  passwordHash: string,
  now: Date,
): Promise<void> {
  await updateCompany(tx, company.id, { passwordHash });
  await endAllSessions(tx, company.id, now);
  await deleteRecoveryCode(tx, company.id);
  await renameDataCopy(tx, company.id, randomUUID());
  await enqueueMail(tx, company.id, {
    content: { kind: 'contrasena-cambiada', changedAt: now.toISOString() },
    recipient: company.email,
    now,
  });
}

/** The code, encrypted for the mail worker. */
function sealCode(config: Config, companyId: number, code: string): string {
  return seal(config.claveMaestra, codeContext(companyId), Buffer.from(code)).toString('base64');
}

/** The code to be written into a message. */
export function openSealedCode(
  config: Pick<Config, 'claveMaestra'>,
  companyId: number,
  sealedCode: string,
): string {
  return open(
    config.claveMaestra,
    codeContext(companyId),
    Buffer.from(sealedCode, 'base64'),
  ).toString();
}

function codeContext(companyId: number): string {
  return `${companyId}|codigo|1`;
}

/**
 * Six digits would be found by trying them all if the table leaked: without our key, their HMAC reveals nothing. A
 * code only opens the account while its e-mail is still the address that the code was sent to.
 */
function hmacOf(
  config: Pick<Config, 'claveMaestra'>,
  { id, email }: Pick<Company, 'id' | 'email'>,
  code: string,
): Buffer {
  const key = Buffer.from(
    hkdfSync('sha256', config.claveMaestra, '', 'codigo de recuperacion', 32),
  );
  return createHmac('sha256', key).update(`${id}|${email}|${code}`).digest();
}
