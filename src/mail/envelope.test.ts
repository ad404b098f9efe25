import { describe, expect, it } from 'vitest';
import { findReturnAddress, returnAddress } from './envelope.ts';

const settings = (jwtSecret = 'x'.repeat(40), bounces: string | null = 'rebotes@huella.example') =>
  ({ jwtSecret, mail: { smtpUrl: null, from: '', bounces } }) as const;
const name = { companyId: 2_147_483_647, mailId: 999_999_999_999n };
const address = returnAddress(settings(), name) ?? '';

describe('the address to which each message is returned', () => {
  it('identifies the message, and is short enough', () => {
    expect(address).toMatch(/^rebotes\+2147483647\.999999999999\.[0-9a-f]{16}@huella\.example$/);
    expect(address.split('@')[0]?.length).toBeLessThanOrEqual(64);
    expect(findReturnAddress(settings(), `To: <${address}>`)).toEqual(name);
    // Servers may change the case of the local part.
    expect(findReturnAddress(settings(), address.toUpperCase())).toEqual(name);
  });

  it('is believed only with our signature, for that message', () => {
    expect(findReturnAddress(settings('y'.repeat(40)), address)).toBeNull();
    expect(findReturnAddress(settings(), address.replace('999999.', '999998.'))).toBeNull();
    expect(findReturnAddress(settings(), address.replace('huella', 'otra'))).toBeNull();
    expect(findReturnAddress(settings(), 'rebotes@huella.example')).toBeNull();
    expect(
      findReturnAddress(settings(), `${address.replace('999999.', '999998.')} ${address}`),
    ).toEqual(name);
  });

  it('is not set without MAIL_REBOTES', () => {
    expect(returnAddress(settings('x', null), name)).toBeNull();
    expect(findReturnAddress(settings('x', null), address)).toBeNull();
  });
});
