import { createHash } from 'node:crypto';
import type { Deps } from '../deps.ts';
import { isLoopback } from '../domain/device.ts';
import { MAILS_AN_HOUR } from '../domain/email.ts';
import { DomainError } from '../domain/errors.ts';
import { type AttemptPolicy, returnAttempt, takeAttempt } from '../store/rate-limits.ts';
import type { Tx } from '../store/sql.ts';

/** A policy that says what is at its end, in place of «Demasiados intentos.» */
interface NamedPolicy extends AttemptPolicy {
  readonly limit?: string;
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/**
 * Per account, whoever the caller is. After five wrong passwords, each further attempt waits twice as long as the
 * last.
 */
export const LOGIN_BY_EMAIL: AttemptPolicy = {
  attempts: 5,
  windowSeconds: 15 * MINUTE,
  wait: 'doubling',
};
export const CODES_BY_EMAIL: AttemptPolicy = { attempts: 3, windowSeconds: HOUR, wait: 'window' };
export const DEMOS_BY_NIF: AttemptPolicy = {
  attempts: 3,
  windowSeconds: 24 * HOUR,
  wait: 'window',
};
/** Second-factor codes, per account: somebody who knows the password could guess six digits. */
export const SECOND_FACTORS: AttemptPolicy = {
  attempts: 5,
  windowSeconds: 15 * MINUTE,
  wait: 'doubling',
};
/** New recovery codes: ten hashes each, and a message. */
export const NEW_CODES: AttemptPolicy = { attempts: 10, windowSeconds: HOUR, wait: 'window' };
/** Wrong passwords of PKCS#12 files. */
export const CERTIFICATES: AttemptPolicy = { attempts: 10, windowSeconds: HOUR, wait: 'window' };
/** PKCS#12 files opened, successfully or not: the file decides how much work opening it takes, up to seconds. */
export const CERTIFICATE_FILES: AttemptPolicy = {
  attempts: 30,
  windowSeconds: HOUR,
  wait: 'window',
};
/**
 * New tokens for a session. A page asks for one a minute at most; a call with a younger token gets the same one back.
 */
export const NEW_TOKENS: AttemptPolicy = { attempts: 60, windowSeconds: MINUTE, wait: 'window' };
/** Renewals started by a company: each one creates a payment attempt. */
export const RENEWALS: AttemptPolicy = { attempts: 20, windowSeconds: HOUR, wait: 'window' };
/**
 * Other e-mails, and other NIFs, that an account asks for: a refusal reveals that somebody else has an account, and a
 * new e-mail address is written to, whoever owns it.
 */
export const OTHER_IDENTITIES: AttemptPolicy = {
  attempts: 10,
  windowSeconds: HOUR,
  wait: 'window',
};
/** Invoices e-mailed to clients, so that nobody uses our name to write to strangers by the thousand. */
export const CUSTOMER_MAILS: NamedPolicy = {
  attempts: MAILS_AN_HOUR,
  windowSeconds: HOUR,
  wait: 'window',
  limit: `En una hora salen ${MAILS_AN_HOUR} correos a clientes como mucho.`,
};
export const SUPPORT_MAILS: AttemptPolicy = { attempts: 5, windowSeconds: HOUR, wait: 'window' };

/** Copies of all of a company's data: each one draws all of its invoices. */
export const DATA_COPIES: AttemptPolicy = { attempts: 5, windowSeconds: 24 * HOUR, wait: 'window' };

/** Months compared with the AEAT on request: each one may take many pages of its answer. */
export const RECONCILES: AttemptPolicy = { attempts: 30, windowSeconds: HOUR, wait: 'window' };

/** Files to import: correcting one row by row takes several. */
export const IMPORTS: AttemptPolicy = { attempts: 120, windowSeconds: HOUR, wait: 'window' };

/** Invoices read: somebody may upload a whole drawer of them in one go. */
export const READINGS: AttemptPolicy = { attempts: 200, windowSeconds: HOUR, wait: 'window' };

/** By the caller's address. */
const BY_ADDRESS = {
  login: { attempts: 30, windowSeconds: 15 * MINUTE, wait: 'window' },
  passwordCheck: { attempts: 30, windowSeconds: MINUTE, wait: 'window' },
  forgotPassword: { attempts: 10, windowSeconds: HOUR, wait: 'window' },
  recoveryCode: { attempts: 20, windowSeconds: HOUR, wait: 'window' },
  /** Payments started: this is no place to try out stolen cards. */
  payment: { attempts: 5, windowSeconds: HOUR, wait: 'window' },
  /** Attempts refused for what was typed: the refusal may reveal that an account exists. */
  paymentRefused: { attempts: 20, windowSeconds: HOUR, wait: 'window' },
  /** The page that waits for the bank asks every two seconds, and then less often. */
  paymentState: { attempts: 120, windowSeconds: MINUTE, wait: 'window' },
  /** Demos created. */
  signUp: { attempts: 5, windowSeconds: HOUR, wait: 'window' },
  /** Sign-ups refused for what was typed: the refusal may reveal that an account exists. */
  signUpRefused: { attempts: 20, windowSeconds: HOUR, wait: 'window' },
  /** Links to copies of data, opened or downloaded. */
  dataCopy: { attempts: 60, windowSeconds: HOUR, wait: 'window' },
  /** Only answers that reveal that an account exists are counted. */
  accountExists: { attempts: 10, windowSeconds: HOUR, wait: 'window' },
} as const satisfies Record<string, AttemptPolicy>;

/**
 * Calls from loopback may come through a proxy that does not forward the client's address: they are not one person.
 */
const LOOPBACK_FACTOR = 100;

/**
 * Counts an attempt, or refuses it.
 *
 * @throws {DomainError} TOO_MANY_REQUESTS, with the seconds to wait
 */
export async function assertMayTry(
  { sql, clock }: { readonly sql: Tx; readonly clock: () => Date },
  key: string,
  policy: NamedPolicy,
): Promise<void> {
  const waitSeconds = await takeAttempt(sql, key, policy, clock());
  if (waitSeconds > 0) throw tooManyRequests(waitSeconds, policy.limit);
}

/** The same for the caller's address. An IPv6 caller counts as its /64, since it owns all of those addresses. */
export async function assertAddressMayTry(
  deps: Pick<Deps, 'sql' | 'clock'>,
  what: keyof typeof BY_ADDRESS,
  ip: string,
): Promise<void> {
  const policy = BY_ADDRESS[what];
  const factor = isLoopback(ip) ? LOOPBACK_FACTOR : 1;
  await assertMayTry(deps, addressKey(what, ip), {
    ...policy,
    attempts: policy.attempts * factor,
  });
}

/**
 * Runs something of which only the failures are rationed, by the caller's address: a success gives its attempt back.
 *
 * @throws {DomainError} TOO_MANY_REQUESTS
 */
export async function rationingFailures<T>(
  deps: Pick<Deps, 'sql' | 'clock'>,
  what: keyof typeof BY_ADDRESS,
  ip: string,
  run: () => Promise<T>,
): Promise<T> {
  await assertAddressMayTry(deps, what, ip);
  const done = await run();
  await returnAddressTry(deps, what, ip);
  return done;
}

/** Gives an attempt back when it turned out not to be of a kind that is rationed. */
export async function returnAddressTry(
  { sql }: Pick<Deps, 'sql'>,
  what: keyof typeof BY_ADDRESS,
  ip: string,
): Promise<void> {
  await returnAttempt(sql, addressKey(what, ip));
}

/**
 * Runs something that e-mails an invoice to a client. Only successes count: a refused attempt is given back.
 *
 * @throws {DomainError} TOO_MANY_REQUESTS
 */
export async function rationingCustomerMails<T>(
  deps: Pick<Deps, 'sql' | 'clock'>,
  companyId: number,
  run: () => Promise<T>,
): Promise<T> {
  const key = `correo-clientes:${companyId}`;
  await assertMayTry(deps, key, CUSTOMER_MAILS);
  try {
    return await run();
  } catch (error) {
    await returnAttempt(deps.sql, key);
    throw error;
  }
}

/**
 * Runs something that an address may do a limited number of times, and separately limits how often it may be refused:
 * a typing mistake does not use up the first.
 *
 * @throws {DomainError} TOO_MANY_REQUESTS
 */
export async function rationedByAddress<T>(
  deps: Pick<Deps, 'sql' | 'clock'>,
  { done, refused }: Record<'done' | 'refused', keyof typeof BY_ADDRESS>,
  ip: string,
  run: () => Promise<T>,
): Promise<T> {
  return rationingFailures(deps, refused, ip, async () => {
    await assertAddressMayTry(deps, done, ip);
    try {
      return await run();
    } catch (error) {
      await returnAddressTry(deps, done, ip);
      throw error;
    }
  });
}

/** Key of a counter for an e-mail address, without storing what a stranger typed. */
export function attemptKey(what: string, email: string): string {
  return `${what}:${createHash('sha256').update(email).digest('base64url')}`;
}

/** Some proxies pass on an address with the port of the call, and a listener for IPv6 has IPv4 as `::ffff:192.0.2.1`. */
const IPV4 = /\d+\.\d+\.\d+\.\d+/;

function addressKey(what: string, ip: string): string {
  return `${what}:${IPV4.exec(ip)?.[0] ?? networkOf(ip)}`;
}

/** `2001:db8:1:2:…` → its first four groups. */
function networkOf(ip: string): string {
  const [head = '', tail] = ip.split('::');
  const left = head ? head.split(':') : [];
  const right = tail ? tail.split(':') : [];
  const zeros =
    tail === undefined
      ? []
      : new Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0');
  return [...left, ...zeros, ...right].slice(0, 4).join(':');
}

function tooManyRequests(waitSeconds: number, limit = 'Demasiados intentos.'): DomainError {
  const minutes = Math.ceil(waitSeconds / MINUTE);
  const wait = minutes === 1 ? 'un minuto' : `${minutes} minutos`;
  return new DomainError(
    'TOO_MANY_REQUESTS',
    waitSeconds < MINUTE
      ? `${limit} Inténtalo de nuevo en ${waitSeconds === 1 ? 'un segundo' : `${waitSeconds} segundos`}.`
      : `${limit} Inténtalo de nuevo en ${wait}.`,
    { retryAfterSeconds: waitSeconds },
  );
}
