import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  decodeToken,
  isAlive,
  readToken,
  sessionChecker,
  storeToken,
  TOKEN_KEY,
} from './session.ts';

const NOW = Date.parse('2026-11-20T10:00:00Z');

/** A token as the server signs it, except for the signature, which the browser never checks. */
function tokenUntil(instant: string, sub = '1'): string {
  const claims = { sub, email: 'nuria@obrador.example', exp: Date.parse(instant) / 1000, sid: 's' };
  return `header.${base64url(JSON.stringify(claims))}.signature`;
}

function base64url(text: string): string {
  const bytes = String.fromCharCode(...new TextEncoder().encode(text));
  return btoa(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
const ALIVE = tokenUntil('2026-11-20T11:00:00Z');
const RENEWED = tokenUntil('2026-11-20T11:05:00Z');
const EXPIRED = tokenUntil('2026-11-20T09:59:59Z');

/** The browser's storage, as far as these functions use it. */
function memoryStorage() {
  const items = new Map<string, string>();
  return {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  };
}

beforeEach(() => {
  vi.useFakeTimers({ now: NOW });
  vi.stubGlobal('localStorage', memoryStorage());
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('decodeToken', () => {
  it('reads the payload, with accents', () => {
    const payload = base64url('{"sub":"1","email":"ñandú@x.es","exp":5,"sid":"s"}');
    expect(decodeToken(`h.${payload}.s`)?.email).toBe('ñandú@x.es');
  });

  it.each(['', 'x', 'a.b.c', 'a.bnVsbA.c', `h.${btoa('{"exp":"soon"}')}.s`])(
    'does not read %j',
    (token) => expect(decodeToken(token)).toBeNull(),
  );
});

it('compares the expiry, in seconds, with the present', () => {
  expect(isAlive(ALIVE, NOW)).toBe(true);
  expect(isAlive(EXPIRED, NOW)).toBe(false);
});

describe('readToken', () => {
  it('returns a valid token', () => {
    storeToken(ALIVE);
    expect(readToken()).toBe(ALIVE);
  });

  it.each([EXPIRED, 'unreadable'])('deletes an expired token', (token) => {
    storeToken(token);
    expect(readToken()).toBeNull();
    expect(localStorage.getItem(TOKEN_KEY)).toBeNull();
  });
});

describe('the check of every click', () => {
  it('renews a valid token', async () => {
    storeToken(ALIVE);
    const check = sessionChecker(async () => ({ tokenJWT: RENEWED }));
    expect(await check()).toBe('alive');
    expect(readToken()).toBe(RENEWED);
  });

  it('asks for one renewal at a time', async () => {
    storeToken(ALIVE);
    const refresh = vi.fn(async () => ({ tokenJWT: RENEWED }));
    const check = sessionChecker(refresh);
    expect(await Promise.all([check(), check(), check()])).toEqual(['alive', 'alive', 'alive']);
    expect(refresh).toHaveBeenCalledTimes(1);
    await check();
    expect(refresh).toHaveBeenCalledTimes(2);
  });

  it('ends an expired session without asking the server', async () => {
    storeToken(EXPIRED);
    const refresh = vi.fn(async () => ({ tokenJWT: RENEWED }));
    expect(await sessionChecker(refresh)()).toBe('over');
    expect(refresh).not.toHaveBeenCalled();
  });

  it('ends a session that the server will not renew', async () => {
    storeToken(ALIVE);
    expect(await sessionChecker(async () => 'refused')()).toBe('over');
    expect(readToken()).toBeNull();
  });

  it('keeps the current token if nobody answers', async () => {
    storeToken(ALIVE);
    expect(await sessionChecker(async () => 'no-answer')()).toBe('alive');
    expect(readToken()).toBe(ALIVE);
  });

  it('does not restore a session that was closed while it waited', async () => {
    storeToken(ALIVE);
    const check = sessionChecker(async () => {
      localStorage.removeItem(TOKEN_KEY);
      return { tokenJWT: RENEWED };
    });
    expect(await check()).toBe('over');
    expect(readToken()).toBeNull();
  });

  it('leaves alone the token of somebody who signed in while it waited', async () => {
    const other = tokenUntil('2026-11-20T11:00:00Z', '2');
    storeToken(ALIVE);
    const check = sessionChecker(async () => {
      storeToken(other);
      return 'refused';
    });
    expect(await check()).toBe('alive');
    expect(readToken()).toBe(other);
  });
});
