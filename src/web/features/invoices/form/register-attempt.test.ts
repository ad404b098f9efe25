import { describe, expect, it } from 'vitest';
import { isForgotten, isNotRegistered } from './register-attempt.ts';

const answer = (status: number, codigo?: string) =>
  Object.assign(new Error('no'), { status, codigo });

describe('the answer to registering', () => {
  it.each([
    [400, 'RULES_BROKEN'],
    [401, 'UNAUTHORIZED'],
    [403, 'FORBIDDEN'],
    [409, 'CONFLICT'],
    [429, 'TOO_MANY_REQUESTS'],
    [503, 'OUT_OF_ROOM'],
    [503, 'BUSY'],
  ])('a %i %s means that nothing was registered', (status, codigo) => {
    expect(isNotRegistered(answer(status, codigo), { isRepeat: false })).toBe(true);
  });

  it.each([
    [409, 'IN_PROGRESS'],
    [503, 'UNAVAILABLE'],
  ])('a %i %s leaves it open', (status, codigo) => {
    expect(isNotRegistered(answer(status, codigo), { isRepeat: false })).toBe(false);
  });

  it.each([0, 408, 500, 502])('a %i without a code leaves it open', (status) => {
    expect(isNotRegistered(answer(status), { isRepeat: false })).toBe(false);
  });

  it('for a call without an answer, only refusals after looking up its key are conclusive', () => {
    const ofRepeat = (status: number, codigo?: string) =>
      isNotRegistered(answer(status, codigo), { isRepeat: true });
    expect(ofRepeat(400, 'RULES_BROKEN')).toBe(true);
    expect(ofRepeat(404, 'NOT_FOUND')).toBe(true);
    expect(ofRepeat(404, 'NO_SUCH_CUSTOMER')).toBe(true);
    expect(ofRepeat(409, 'CONFLICT')).toBe(true);
    expect(ofRepeat(401, 'UNAUTHORIZED')).toBe(false);
    expect(ofRepeat(403, 'FORBIDDEN')).toBe(false);
    expect(ofRepeat(429, 'TOO_MANY_REQUESTS')).toBe(false);
    expect(ofRepeat(503, 'OUT_OF_ROOM')).toBe(false);
    expect(ofRepeat(503, 'BUSY')).toBe(false);
  });

  it('it may be repeated as long as the server remembers its key', () => {
    const attempt = { key: 'k', fields: {}, at: 0, search: '' };
    expect(isForgotten(attempt, 22 * 3_600_000)).toBe(false);
    expect(isForgotten(attempt, 24 * 3_600_000)).toBe(true);
  });
});
