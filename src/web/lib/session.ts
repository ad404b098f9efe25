export const TOKEN_KEY = 'authToken';

/** The content of the token. `exp` is in seconds. */
export interface SessionClaims {
  readonly sub: string;
  readonly email: string;
  readonly exp: number;
  readonly sid: string;
}

/**
 * Reads the payload of a JWT, or null if it is not one. Its signature is not verified, and nothing here relies on it.
 */
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

/** The stored token in any state, or null. */
export function storedToken(): string | null {
  try {
    return localStorage.getItem(TOKEN_KEY);
  } catch {
    return null; // If storage is switched off there is no session, but the page works.
  }
}

/** The stored token if it is valid; an expired or unreadable one is deleted. */
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

/** Between deleting a session and going to sign in: time for the page to finish what it was doing. */
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
 * Makes a call that ends this session on the server and answers with the token of a new one, and stores that token.
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
 * Whether a token that the server refused has been replaced meanwhile: what was requested with the old one, while the
 * session was changing, has to be requested again. Waits for a change that is under way.
 */
export async function isReplaced(token: string): Promise<boolean> {
  await replacing;
  const now = storedToken();
  return now !== null && now !== token;
}

/** How it ended: it expired, or somebody signed out in another tab. */
export type SessionEnd = 'caducada' | 'cerrada';

/**
 * Notifies when somebody signs in in another tab.
 *
 * @returns what stops it
 */
export function onSignedInElsewhere(then: () => void): () => void {
  const listener = ({ key, newValue }: StorageEvent) => {
    if (key === TOKEN_KEY && newValue !== null && isAlive(newValue, Date.now())) then();
  };
  window.addEventListener('storage', listener);
  return () => window.removeEventListener('storage', listener);
}

export type SessionCheck = 'alive' | 'over';

/** Asks the server for a new token. Answers `refused` when it refuses. */
export type Refresh = () => Promise<{ readonly tokenJWT: string } | 'refused' | 'no-answer'>;

/**
 * Creates the check that runs on every click in the private area: an expired token ends the session, a valid one is
 * renewed. Only one renewal at a time: clicks during it share its result.
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
  // Meanwhile somebody has signed out, replaced the token or signed in to another account: it must not be touched.
  if (before !== null) await isReplaced(before);
  if (storedToken() !== before) return storedToken() === null ? 'over' : 'alive';
  if (answer === 'refused') {
    clearToken();
    return 'over';
  }
  storeToken(answer.tokenJWT);
  return 'alive';
}
