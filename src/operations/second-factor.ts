import { randomInt } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { openEnvelope, SealBroken, sealEnvelope } from '../certificate/seal.ts';
import type { Deps } from '../deps.ts';
import { DomainError } from '../domain/errors.ts';
import { type Company, findCompany, lockCompany } from '../store/companies.ts';
import { enqueueMail, type SecondFactorChange } from '../store/mail-jobs.ts';
import { clearAttempts } from '../store/rate-limits.ts';
import {
  confirmFactor,
  deleteSecondFactor,
  findSecondFactor,
  findUnusedCodes,
  lockConfirmedFactor,
  replaceCodes,
  type SecondFactor,
  saveUnprovenFactor,
  takeStep,
  useCode,
} from '../store/second-factors.ts';
import { countSecurityEvents } from '../store/security-events.ts';
import type { Tx } from '../store/sql.ts';
import { assertMayTry, NEW_CODES, SECOND_FACTORS } from './attempts.ts';
import { type Asker, assertItIsThem, confirmAsker, lockOwn } from './change-account.ts';
import { companyOf } from './company-of.ts';
import { hashPassword, verifyPassword } from './password-hash.ts';
import { recordEvent } from './record-event.ts';

/** Name of this secret in its encryption context, which binds it to its company. */
export const SECOND_FACTOR_SEAL = 'segundo-factor';

const PERIOD_SECONDS = 30;
/** One step early or late is accepted, for the phone's clock and the time that typing takes (RFC 6238 §5.2). */
const WINDOW_STEPS = 1;
const CODES = 10;
/** Without letters and digits that look like others. */
const ALPHABET = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';
const CODE_LETTERS = 10;
/** Wrong codes in a day of which the owner is told: more than anybody mistypes. */
const TOLD_FAILURES = 10;

const WRONG_CODE = 'El código no es correcto o ya se ha usado.';

export interface SecondFactorState {
  readonly isActive: boolean;
  readonly since: Date | null;
  readonly codesLeft: number;
}

export async function secondFactorState(
  { sql }: Pick<Deps, 'sql'>,
  companyId: number,
): Promise<SecondFactorState> {
  const factor = await findSecondFactor(sql, companyId);
  if (!factor?.confirmedAt) return { isActive: false, since: null, codesLeft: 0 };
  const codes = await findUnusedCodes(sql, companyId);
  return { isActive: true, since: factor.confirmedAt, codesLeft: codes.length };
}

/**
 * Makes a secret to be scanned. It is not asked for until one of its codes has been typed.
 *
 * @throws {DomainError} CONFLICT when there already is one; REAUTHENTICATE, BAD_REQUEST for a wrong password,
 *   TOO_MANY_REQUESTS
 */
export async function prepareSecondFactor(
  deps: Deps,
  asker: Asker,
  currentPassword: string,
): Promise<{ readonly uri: string; readonly secret: string }> {
  const company = await companyOf(deps, asker.companyId);
  await assertItIsThem(deps, asker, company, currentPassword);
  const secret = new Secret({ size: 20 });
  const sealed = sealEnvelope(
    deps.config.claveMaestra,
    company.id,
    SECOND_FACTOR_SEAL,
    Buffer.from(secret.buffer),
  );
  if (!(await saveUnprovenFactor(deps.sql, company.id, sealed, deps.clock()))) {
    throw new DomainError('CONFLICT', 'La verificación en dos pasos ya está activada.');
  }
  return { uri: totpOf(secret, company.email).toString(), secret: secret.base32 };
}

/**
 * Turns the second factor on with a code from the phone, which proves that the secret arrived.
 *
 * @returns the recovery codes, shown only this once
 * @throws {DomainError} BAD_REQUEST for a wrong code; CONFLICT when no secret has been prepared; TOO_MANY_REQUESTS;
 *   UNAUTHORIZED when the session was ended meanwhile
 */
export async function activateSecondFactor(
  deps: Deps,
  asker: Pick<Asker, 'companyId' | 'sid'>,
  typed: string,
): Promise<readonly string[]> {
  const { companyId } = asker;
  const factor = await findSecondFactor(deps.sql, companyId);
  if (!factor || factor.confirmedAt) {
    throw startAgain();
  }
  await assertMayTry(deps, attemptsOf(companyId), SECOND_FACTORS);
  const step = stepIfReadable(deps, companyId, factor, typed);
  if (step === 'unreadable') throw startAgain();
  if (step === null) throw new DomainError('BAD_REQUEST', WRONG_CODE);
  const codes = makeCodes();
  const hashes = await Promise.all(codes.map((code) => hashPassword(code)));
  const now = deps.clock();
  await deps.sql.begin(async (tx) => {
    const company = await lockOwn(tx, asker, now);
    if (!(await takeStep(tx, companyId, step))) throw new DomainError('BAD_REQUEST', WRONG_CODE);
    // Another tab prepared a new secret meanwhile: the phone has the old one.
    if (!(await confirmFactor(tx, companyId, factor, now))) throw startAgain();
    await replaceCodes(tx, companyId, hashes);
    await recordEvent(tx, companyId, { kind: 'segundo-factor-activado', now });
    await tellChange(tx, company, 'activado', now);
  });
  deps.wakeMail();
  await clearAttempts(deps.sql, attemptsOf(companyId));
  return codes.map(inGroups);
}

/**
 * Turns the second factor off and deletes its recovery codes.
 *
 * @throws {DomainError} REAUTHENTICATE, BAD_REQUEST for a wrong password, TOO_MANY_REQUESTS; CONFLICT when there is
 *   none; UNAUTHORIZED when the session was ended meanwhile
 */
export async function deactivateSecondFactor(
  deps: Deps,
  asker: Asker,
  currentPassword: string,
): Promise<void> {
  await confirmAsker(deps, asker, currentPassword);
  const now = deps.clock();
  await deps.sql.begin(async (tx) => {
    const company = await lockOwn(tx, asker, now);
    if (!(await deleteSecondFactor(tx, company.id))) throw notActive();
    await recordEvent(tx, company.id, { kind: 'segundo-factor-desactivado', now });
    await tellChange(tx, company, 'desactivado', now);
  });
  deps.wakeMail();
}

/**
 * Replaces the recovery codes. Of two calls at once, the codes of the later one stay.
 *
 * @throws {DomainError} as {@link deactivateSecondFactor}
 */
export async function renewCodes(
  deps: Deps,
  asker: Asker,
  currentPassword: string,
): Promise<readonly string[]> {
  await confirmAsker(deps, asker, currentPassword);
  await assertMayTry(deps, `codigos:${asker.companyId}`, NEW_CODES);
  const codes = makeCodes();
  const hashes = await Promise.all(codes.map((code) => hashPassword(code)));
  const now = deps.clock();
  await deps.sql.begin(async (tx) => {
    const company = await lockOwn(tx, asker, now);
    if (!(await lockConfirmedFactor(tx, company.id))) throw notActive();
    await replaceCodes(tx, company.id, hashes);
    await recordEvent(tx, company.id, { kind: 'codigos-renovados', now });
    await tellChange(tx, company, 'codigos-nuevos', now);
  });
  deps.wakeMail();
  return codes.map(inGroups);
}

/**
 * Accepts a code typed to sign in: six digits from the phone, or a recovery code. Each works only once.
 *
 * @throws {DomainError} UNAUTHORIZED, the same for every kind of wrong code; TOO_MANY_REQUESTS; CONFLICT when the
 *   phone's codes cannot be verified here
 */
export async function takeSecondFactor(
  deps: Deps,
  companyId: number,
  typed: string,
): Promise<void> {
  await assertMayTry(deps, attemptsOf(companyId), SECOND_FACTORS);
  const text = typed.replace(/[\s-]/g, '').toUpperCase();
  const isTaken = /^\d{6}$/.test(text)
    ? await takeTotp(deps, companyId, text)
    : await takeRecoveryCode(deps, companyId, text);
  if (!isTaken) {
    await noteFailure(deps, companyId);
    throw new DomainError('UNAUTHORIZED', WRONG_CODE);
  }
  await clearAttempts(deps.sql, attemptsOf(companyId));
}

/**
 * Records a wrong code. At the tenth of a day (UTC) the owner is told by e-mail: somebody who knows the password could
 * go on guessing for months, and a new password ends that.
 */
async function noteFailure(deps: Deps, companyId: number): Promise<void> {
  const now = deps.clock();
  const kind = 'segundo-factor-fallido';
  await deps.sql.begin(async (tx) => {
    const company = await lockCompany(tx, companyId); // So that two at once do not both count nine, or eleven.
    await recordEvent(tx, companyId, { kind, now });
    const since = new Date(`${now.toISOString().slice(0, 10)}T00:00:00Z`);
    const failures = await countSecurityEvents(tx, companyId, { kind, since });
    if (company && failures === TOLD_FAILURES) {
      await tellChange(tx, company, 'codigos-fallidos', now);
    }
  });
  deps.wakeMail();
}

async function takeTotp(deps: Deps, companyId: number, text: string): Promise<boolean> {
  const factor = await findSecondFactor(deps.sql, companyId);
  const step = factor?.confirmedAt ? stepIfReadable(deps, companyId, factor, text) : null;
  if (step === 'unreadable') throw await unreadable(deps, companyId);
  return step !== null && takeStep(deps.sql, companyId, step);
}

/** The user can still get in: checking a recovery code needs no key. */
async function unreadable(deps: Deps, companyId: number): Promise<DomainError> {
  deps.log.error({ companyId }, 'a second factor does not open with this CLAVE_MAESTRA');
  const codes = await findUnusedCodes(deps.sql, companyId);
  const wayOut =
    codes.length > 0
      ? 'Entra con uno de tus códigos de recuperación'
      : `No te quedan códigos de recuperación: escribe a ${deps.config.empresa.correo}`;
  return new DomainError(
    'CONFLICT',
    `Ahora no podemos comprobar los códigos de tu teléfono. ${wayOut}.`,
  );
}

async function takeRecoveryCode(deps: Deps, companyId: number, text: string): Promise<boolean> {
  if (text.length !== CODE_LETTERS) return false;
  for (const { id, hash } of await findUnusedCodes(deps.sql, companyId)) {
    if (!(await verifyPassword(text, hash))) continue;
    const now = deps.clock();
    const isUsed = await deps.sql.begin(async (tx) => {
      if (!(await useCode(tx, companyId, id, now))) return false;
      await recordEvent(tx, companyId, { kind: 'codigo-usado', now });
      await tellChange(tx, await companyOf({ sql: tx }, companyId), 'codigo-usado', now);
      return true;
    });
    deps.wakeMail();
    return isUsed;
  }
  return false;
}

/** Removes a second factor that no key opens any more, and tells its owner by e-mail and in the log. */
export async function loseSecondFactor(tx: Tx, companyId: number, now: Date): Promise<void> {
  if (!(await deleteSecondFactor(tx, companyId))) return;
  await recordEvent(tx, companyId, { kind: 'segundo-factor-perdido', now });
  const company = await findCompany(tx, companyId);
  if (company) await tellChange(tx, company, 'perdido', now);
}

/**
 * Removes the second factor of an account whose owner lost phone and codes, and says so by e-mail and in the log.
 *
 * @returns whether there was one
 */
export async function removeSecondFactor(
  tx: Tx,
  company: Company,
  { because, now }: { readonly because: string; readonly now: Date },
): Promise<boolean> {
  if (!(await deleteSecondFactor(tx, company.id))) return false;
  await recordEvent(tx, company.id, { kind: 'segundo-factor-quitado', now, detail: because });
  await tellChange(tx, company, 'quitado', now);
  return true;
}

/** E-mails the account's own address, in the transaction of the change. */
async function tellChange(
  tx: Tx,
  { id, email }: Company,
  change: SecondFactorChange,
  now: Date,
): Promise<void> {
  const content = { kind: 'segundo-factor', change, changedAt: now.toISOString() } as const;
  await enqueueMail(tx, id, { content, recipient: email, now });
}

/** As `stepOf`, unless this master key does not open the secret. */
function stepIfReadable(...args: Parameters<typeof stepOf>): bigint | null | 'unreadable' {
  try {
    return stepOf(...args);
  } catch (error) {
    if (error instanceof SealBroken) return 'unreadable';
    throw error;
  }
}

/**
 * The time step to which the code belongs, or null.
 *
 * @throws {SealBroken}
 */
function stepOf(
  { config, clock }: Pick<Deps, 'config' | 'clock'>,
  companyId: number,
  factor: SecondFactor,
  typed: string,
): bigint | null {
  const content = openEnvelope(config.claveMaestra, companyId, SECOND_FACTOR_SEAL, factor);
  const totp = totpOf(new Secret({ buffer: Uint8Array.from(content).buffer }), '');
  content.fill(0);
  const timestamp = clock().getTime();
  const token = typed.replace(/\s/g, '');
  const delta = /^\d{6}$/.test(token)
    ? totp.validate({ token, timestamp, window: WINDOW_STEPS })
    : null;
  return delta === null ? null : BigInt(totp.counter({ timestamp }) + delta);
}

/** SHA-1, six digits and thirty seconds: the only combination that every authenticator supports. */
function totpOf(secret: Secret, email: string): TOTP {
  return new TOTP({ issuer: 'Huella', label: email, secret, period: PERIOD_SECONDS });
}

function makeCodes(): string[] {
  return Array.from({ length: CODES }, () =>
    Array.from({ length: CODE_LETTERS }, () => ALPHABET[randomInt(ALPHABET.length)]).join(''),
  );
}

function inGroups(code: string): string {
  return `${code.slice(0, 5)}-${code.slice(5)}`;
}

function attemptsOf(companyId: number): string {
  return `segundo-factor:${companyId}`;
}

function startAgain(): DomainError {
  return new DomainError('CONFLICT', 'Empieza de nuevo la verificación en dos pasos.');
}

function notActive(): DomainError {
  return new DomainError('CONFLICT', 'La verificación en dos pasos no está activada.');
}
