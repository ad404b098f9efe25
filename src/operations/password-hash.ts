import { hash, verify } from '@node-rs/argon2';

/** Argon2id, 19 MiB, two passes, one lane (OWASP ASVS 5.0, 11.4.2): some 10 ms on this century's cores. */
const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

export function hashPassword(password: string): Promise<string> {
  return hash(password, OPTIONS);
}

/**
 * Whether a password matches a hash. Without a hash it takes just as long and answers no, so that the response time
 * does not reveal whether an account exists (ASVS 6.3.8).
 */
export async function verifyPassword(
  password: string,
  passwordHash: string | null,
): Promise<boolean> {
  const isRight = await verify(passwordHash ?? (await nobody), password);
  return isRight && passwordHash !== null;
}

/** Whether a hash was made with other costs than today's: it is then renewed at the next sign-in. */
export function isOutdatedHash(passwordHash: string): boolean {
  const { memoryCost, timeCost, parallelism } = OPTIONS;
  const costs = `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$`;
  return !passwordHash.startsWith(costs);
}

/** Hash of a password that nobody has. */
const nobody = hashPassword(crypto.randomUUID());
