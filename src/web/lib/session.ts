export const TOKEN_KEY = 'authToken';

/** What the token says of itself. `exp` in seconds. */
export interface SessionClaims {
  readonly sub: string;
  readonly email: string;
  readonly exp: number;
  readonly sid: string;
}

/** Reads the payload of a JWT. Null when it is not one: nothing here trusts its signature. */
export function decodeToken(token: string): SessionClaims | null {
  try {
    const payload = token.split('.')[1] ?? '';
    const base64 = payload.replaceAll('-', '+').replaceAll('_', '/');
    const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
    const claims = JSON.parse(new TextDecoder().decode(bytes)) as Partial<SessionClaims>;
    return typeof claims.exp === 'number' ? (claims as SessionClaims) : null;
  } catch {
    return null;
  }
}

/** Whether a token is readable and not past its expiry at `nowMs`. */
export function isAlive(token: string, nowMs: number): boolean {
  const claims = decodeToken(token);
  return claims !== null && claims.exp * 1000 > nowMs;
}

/** The stored token, whatever its state, or null. */
export function storedToken(): string | null {
  try {
    return localStorage.getItem(TOKEN_KEY);
  } catch {
    return null; // Storage can be switched off: then there is no session, not a broken page.
  }
}

/** The stored token if it still serves; an expired or unreadable one is deleted. */
export function readToken(): string | null {
  const token = storedToken();
  if (token === null) return null;
  if (isAlive(token, Date.now())) return token;
  clearToken();
  return null;
}

export function storeToken(token: string): void {
  localStorage.setItem(TOKEN_KEY, token);
}

/** Between forgetting a session and going to sign in: time for the page to let go of what it was doing. */
export const REDIRECT_DELAY_MS = 50;

export function clearToken(): void {
  try {
    localStorage.removeItem(TOKEN_KEY);
  } catch {
    // As in storedToken.
  }
}

let replacing: Promise<unknown> = Promise.resolve();

/**
 * Makes a call that ends this session on the server and answers with the token of the one opened in its
 * place, and keeps that token.
 */
export function replacingToken<T extends { readonly tokenJWT?: string } | null>(
  call: () => Promise<T>,
): Promise<T> {
  const work = call().then((answer) => {
    if (answer?.tokenJWT) storeToken(answer.tokenJWT);
    return answer;
  });
  replacing = work.catch(() => undefined);
  return work;
}

/**
 * Whether a token that the server refused has another one in its place by now: what was asked with the old
 * one, just when the session changed, is to be asked again. Waits for a change that is under way.
 */
export async function isReplaced(token: string): Promise<boolean> {
  await replacing;
  const now = storedToken();
  return now !== null && now !== token;
}

/** How it ended: by itself, or because somebody signed out in another tab. */
export type SessionEnd = 'caducada' | 'cerrada';

/** Tells when somebody signs in in another tab. @returns what stops listening */
export function onSignedInElsewhere(then: () => void): () => void {
  const listener = ({ key, newValue }: StorageEvent) => {
    if (key === TOKEN_KEY && newValue !== null && isAlive(newValue, Date.now())) then();
  };
  window.addEventListener('storage', listener);
  return () => window.removeEventListener('storage', listener);
}

export type SessionCheck = 'alive' | 'over';

/** Asks the server for a new token. Answers `refused` when it will not give one. */
export type Refresh = () => Promise<{ readonly tokenJWT: string } | 'refused' | 'no-answer'>;

/**
 * Makes the check that runs on every click of the private area: an expired token ends the
 * session, a living one is renewed. One renewal at a time: clicks that come while it is under way
 * share its outcome.
 */
export function sessionChecker(refresh: Refresh): () => Promise<SessionCheck> {
  let underWay: Promise<SessionCheck> | null = null;
  return () => {
    if (readToken() === null) return Promise.resolve('over');
    underWay ??= renew(refresh).finally(() => {
      underWay = null;
    });
    return underWay;
  };
}

async function renew(refresh: Refresh): Promise<SessionCheck> {
  const before = storedToken();
  const answer = await refresh();
  if (answer === 'no-answer') return readToken() === null ? 'over' : 'alive';
  // Signed out, replaced, or another account signed in, while we waited: not ours to touch.
  if (before !== null) await isReplaced(before);
  if (storedToken() !== before) return storedToken() === null ? 'over' : 'alive';
  if (answer === 'refused') {
    clearToken();
    return 'over';
  }
  storeToken(answer.tokenJWT);
  return 'alive';
}
