import { errors, jwtVerify, SignJWT } from 'jose';
import type { Deps } from '../deps.ts';
import type { PendingSignIn } from '../operations/sign-in.ts';

/** The content of a session token: whose it is, and which session on the server. */
export interface TokenClaims {
  readonly companyId: number;
  readonly email: string;
  readonly sid: string;
}

export interface ReadToken extends TokenClaims {
  readonly issuedAt: Date;
}

interface SignedToken extends ReadToken {
  readonly expiresAt: Date;
}

const TOKEN_MINUTES = 60;

/** Time limit for the second step of a sign-in. */
const CHALLENGE_MINUTES = 5;

const ISSUER = 'huella';
const AUDIENCE = 'huella';
/** A different audience: a token that asks for the second factor opens nothing by itself. */
const CHALLENGE_AUDIENCE = 'huella-segundo-factor';

/** A token of an open session, good for 60 minutes. */
export function signToken(
  { config, clock }: Pick<Deps, 'config' | 'clock'>,
  claims: TokenClaims,
): Promise<string> {
  const now = Math.floor(clock().getTime() / 1000);
  return new SignJWT({ email: claims.email, sid: claims.sid })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setSubject(String(claims.companyId))
    .setIssuer(ISSUER)
    .setAudience(AUDIENCE)
    .setIssuedAt(now)
    .setExpirationTime(now + TOKEN_MINUTES * 60)
    .sign(keyOf(config));
}

/** Reads a valid token of ours; null for any other text. It does not check the session. */
export async function readToken(
  { config, clock }: Pick<Deps, 'config' | 'clock'>,
  token: string,
): Promise<ReadToken | null> {
  const now = clock();
  const known = signedOf(config).get(token);
  if (known) return now < known.expiresAt ? known : null;
  try {
    const { payload } = await jwtVerify<{ email: string; sid: string }>(token, keyOf(config), {
      // One algorithm, taking nothing from the header: `none` or another key are rejected.
      algorithms: ['HS256'],
      typ: 'JWT',
      issuer: ISSUER,
      audience: AUDIENCE,
      currentDate: now,
      requiredClaims: ['sub', 'sid', 'email', 'iat', 'exp'],
    });
    const claims = {
      companyId: Number(payload.sub),
      email: payload.email,
      sid: payload.sid,
      issuedAt: new Date(Number(payload.iat) * 1000),
      expiresAt: new Date(Number(payload.exp) * 1000),
    };
    remember(config, token, claims);
    return claims;
  } catch (error) {
    if (error instanceof errors.JOSEError) return null;
    throw error;
  }
}

/**
 * Tokens whose signature was verified, by their whole text: the same one comes with every call for an hour, and its
 * signature does not change. Expiry is checked each time, and the session elsewhere.
 */
const signed = new WeakMap<Deps['config'], Map<string, SignedToken>>();
const MOST_SIGNED = 5000;

function signedOf(config: Deps['config']): Map<string, SignedToken> {
  const known = signed.get(config) ?? new Map<string, SignedToken>();
  signed.set(config, known);
  return known;
}

function remember(config: Deps['config'], token: string, claims: SignedToken): void {
  const known = signedOf(config);
  if (known.size >= MOST_SIGNED) known.clear();
  known.set(token, claims);
}

/** The token between the two steps of a sign-in: the password was right. */
export function signChallenge(
  { config, clock }: Pick<Deps, 'config' | 'clock'>,
  pending: PendingSignIn,
): Promise<string> {
  const now = Math.floor(clock().getTime() / 1000);
  return new SignJWT({ marca: pending.passwordMark })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setSubject(String(pending.companyId))
    .setIssuer(ISSUER)
    .setAudience(CHALLENGE_AUDIENCE)
    .setIssuedAt(now)
    .setExpirationTime(now + CHALLENGE_MINUTES * 60)
    .sign(keyOf(config));
}

/** Null for one that is not ours, or expired. */
export async function readChallenge(
  { config, clock }: Pick<Deps, 'config' | 'clock'>,
  token: string,
): Promise<PendingSignIn | null> {
  try {
    const { payload } = await jwtVerify<{ marca: string }>(token, keyOf(config), {
      algorithms: ['HS256'],
      typ: 'JWT',
      issuer: ISSUER,
      audience: CHALLENGE_AUDIENCE,
      currentDate: clock(),
      requiredClaims: ['sub', 'marca', 'exp'],
    });
    return { companyId: Number(payload.sub), passwordMark: payload.marca };
  } catch (error) {
    if (error instanceof errors.JOSEError) return null;
    throw error;
  }
}

function keyOf({ jwtSecret }: Pick<Deps['config'], 'jwtSecret'>): Uint8Array {
  return new TextEncoder().encode(jwtSecret);
}
