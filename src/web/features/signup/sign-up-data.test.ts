import { describe, expect, it } from 'vitest';
import { EMPTY_SIGN_UP, parseSignUp, serializeSignUp } from './sign-up-data.ts';

describe('what survives a reload', () => {
  it('is everything but the password', () => {
    const data = { ...EMPTY_SIGN_UP, email: 'nuria@obrador.example', password: 'tres panes' };
    const kept = serializeSignUp(data);
    expect(kept).not.toContain('tres panes');
    expect(parseSignUp(kept)).toEqual({ ...data, password: '' });
  });

  it('is nothing if the stored data cannot be read', () => {
    expect(parseSignUp('{')).toEqual(EMPTY_SIGN_UP);
    expect(parseSignUp(null)).toEqual(EMPTY_SIGN_UP);
    expect(parseSignUp('{"email":5}')).toEqual(EMPTY_SIGN_UP);
  });

  it('falls back to the semiannual plan if the stored one is not for sale', () => {
    expect(parseSignUp('{"subscriptionType":"weekly"}').subscriptionType).toBe('semiannual');
    expect(parseSignUp('{"subscriptionType":"annual"}').subscriptionType).toBe('annual');
  });
});
