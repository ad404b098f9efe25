import { createRequire } from 'node:module';

/** Argon2id, 19 MiB, two passes, one lane (OWASP ASVS 5.0, 11.4.2): some 10 ms on this century's cores. */
const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
const COSTS = `$argon2id$v=19$m=${OPTIONS.memoryCost},t=${OPTIONS.timeCost},p=${OPTIONS.parallelism}$`;

/** A hash of zeros, which no password is known to have. */
const NOBODY = `${COSTS}${'A'.repeat(22)}$${'A'.repeat(43)}`;

const require = createRequire(import.meta.url);

export function hashPassword(password: string): Promise<string> {
  return argon2().hash(password, OPTIONS);
}

/**
 * Whether a password matches a hash. Without a hash it takes just as long and answers no, so that the response time
 * does not reveal whether an account exists (ASVS 6.3.8).
 */
export async function verifyPassword(
  password: string,
  passwordHash: string | null,
): Promise<boolean> {
  const isRight = await argon2().verify(passwordHash ?? NOBODY, password);
  return isRight && passwordHash !== null;
}

/** Whether a hash was made with other costs than today's: it is then renewed at the next sign-in. */
export function isOutdatedHash(passwordHash: string): boolean {
  return !passwordHash.startsWith(COSTS);
}

/**
 * Loaded for the first password, which a dispatcher never sees. By `require`, because it is CommonJS: to import it,
 * Node first searches its text for names, which takes three times as long.
 */
function argon2(): typeof import('@node-rs/argon2') {
  return require('@node-rs/argon2');
}
