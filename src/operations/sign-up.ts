import type { SignUpBody } from '../contract/auth.ts';
import type { Deps } from '../deps.ts';
import { checkCompanyData } from '../domain/company.ts';
import { checkEmail, emailKey } from '../domain/email.ts';
import { DomainError } from '../domain/errors.ts';
import { checkNif } from '../domain/nif.ts';
import { checkPassword } from '../domain/password.ts';
import { DEMO_SUBSCRIPTION_TYPE } from '../domain/plans.ts';
import { TERMS_VERSION } from '../domain/terms.ts';
import { findCompanyByEmail, isRegistered, isTwinCompany } from '../store/companies.ts';
import { findAnswer, insertAnswer } from '../store/idempotency.ts';
import type { Tx } from '../store/sql.ts';
import { assertMayTry, DEMOS_BY_NIF } from './attempts.ts';
import { createCompany } from './create-company.ts';
import { hashPassword } from './password-hash.ts';

/** The same sentence for e-mail and NIF, so that it does not reveal which of the two has an account. */
export const ALREADY_REGISTERED =
  'Ya existe una cuenta con estos datos. Inicia sesión o recupera tu contraseña.';

const NOT_DEMO = 'El tipo de suscripción no es el de la demo.';
const DEMO_DAYS = 30;

/**
 * Reasons why no account can be created with this e-mail and NIF, as sentences.
 *
 * @returns `revealed` when the answer reveals that an account exists, which callers must ration
 */
export async function creationProblems(
  { sql }: Pick<Deps, 'sql'>,
  { email, cifNif }: Pick<SignUpBody, 'email' | 'cifNif'>,
): Promise<{ sentences: string[]; revealed: boolean }> {
  const checkedEmail = checkEmail(email);
  const checkedNif = checkNif(cifNif);
  const sentences = [checkedEmail, checkedNif].flatMap((check) => (check.ok ? [] : check.mensaje));
  const revealed = await isRegistered(sql, {
    ...(checkedEmail.ok ? { email: emailKey(checkedEmail.email) } : {}),
    ...(checkedNif.ok ? { nif: checkedNif.nif } : {}),
  });
  return { sentences: revealed ? [...sentences, ALREADY_REGISTERED] : sentences, revealed };
}

/** A sign-up with an `Idempotency-Key`. There is no company yet, so its answer is kept in the one that it creates. */
export interface KeyedSignUp {
  readonly key: string;
  readonly requestHash: string;
  readonly answer: unknown;
}

/** The name of such a key among those of its company. */
const keptAs = (companyId: number, { key, requestHash }: KeyedSignUp) => ({
  companyId,
  key: `alta ${key}`,
  requestHash,
});

/**
 * Signs a company up for the demo: 30 days, everything but production. Repeated under its key with the same data, it
 * returns the company that the first call created.
 *
 * @throws {DomainError} BAD_REQUEST with every field that is wrong; CONFLICT when an account with that e-mail or NIF
 *   exists; TOO_MANY_REQUESTS
 */
export async function signUpDemo(
  deps: Deps,
  body: SignUpBody,
  call: KeyedSignUp | null,
): Promise<number> {
  const isDemo = body.subscriptionType === DEMO_SUBSCRIPTION_TYPE;
  const company = readSignUp(body, isDemo ? [] : [NOT_DEMO]);
  const now = deps.clock();
  const passwordHash = await hashPassword(body.password);

  const companyId = await deps.sql.begin(async (tx) => {
    const created = await createCompany(
      tx,
      {
        ...company,
        passwordHash,
        termsAcceptedAt: now,
        termsVersion: TERMS_VERSION,
        subscriptionType: 'Demo',
        subscriptionEndsAt: new Date(now.getTime() + DEMO_DAYS * 24 * 3_600_000),
      },
      now,
      deps.config.aeat,
    );
    if (created === null) {
      const first = call && (await madeBefore(tx, company, call, now));
      if (first) return first;
      throw new DomainError('CONFLICT', [ALREADY_REGISTERED]);
    }
    // Counted in the same transaction, so that only demos that are really created count.
    await assertMayTry({ ...deps, sql: tx }, `demo:${company.nif}`, DEMOS_BY_NIF);
    if (call) {
      await insertAnswer(tx, { ...keptAs(created, call), status: 200, body: call.answer }, now);
    }
    return created;
  });
  deps.wakeMail();
  return companyId;
}

/** The company that the same call created before, or null: its e-mail, NIF and kept answer match. */
async function madeBefore(
  tx: Tx,
  { email, nif }: { readonly email: string; readonly nif: string },
  call: KeyedSignUp,
  now: Date,
): Promise<number | null> {
  const found = await findCompanyByEmail(tx, email);
  if (found?.nif !== nif) return null;
  return (await findAnswer(tx, keptAs(found.id, call), now)) === null ? null : found.id;
}

/**
 * Two accounts that ask for the same e-mail or NIF at once both find it free. The unique index lets one have it, and
 * the other gets the answer of a later one.
 *
 * @throws {DomainError} CONFLICT
 */
export async function refusingTwins<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (isTwinCompany(error)) throw new DomainError('CONFLICT', [ALREADY_REGISTERED]);
    throw error;
  }
}

/**
 * Checks the whole sign-up form, so that all its errors are reported at once.
 *
 * @param alsoWrong what the caller itself found wrong, reported with the rest
 * @throws {DomainError} BAD_REQUEST
 */
export function readSignUp(body: SignUpBody, alsoWrong: readonly string[] = []) {
  const email = checkEmail(body.email);
  const { company, sentences: ofCompany } = checkCompanyData({
    name: body.fullName,
    nif: body.cifNif,
    address: body.address,
    postCode: body.postCode,
    countryCode: body.countryCode,
  });
  const sentences = [
    ...(email.ok ? [] : [email.mensaje]),
    ...checkPassword(body.password, {
      email: body.email,
      companyName: company.name,
      nif: body.cifNif,
    }),
    ...ofCompany,
    ...alsoWrong,
  ];
  if (!email.ok || sentences.length > 0) throw new DomainError('BAD_REQUEST', sentences);
  return { ...company, email: emailKey(email.email) };
}
