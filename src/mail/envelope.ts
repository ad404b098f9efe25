import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { Config } from '../config.ts';

/** A queued message, as its own return address names it. */
export interface MailName {
  readonly companyId: number;
  readonly mailId: bigint;
}

type Settings = Pick<Config, 'jwtSecret' | 'mail'>;

/**
 * The address to which servers return a message that they accepted and could not deliver. Each message has its own
 * (VERP): `rebotes+7.1234.0f3a…@ejemplo.es`.
 *
 * It is signed: only servers that the message passed through can report that it was returned.
 *
 * @returns null without `MAIL_REBOTES`: messages are returned to the sender's address
 */
export function returnAddress({ jwtSecret, mail }: Settings, name: MailName): string | null {
  if (!mail.bounces) return null;
  const [local, domain] = mail.bounces.split('@');
  return `${local}+${name.companyId}.${name.mailId}.${signatureOf(jwtSecret, name)}@${domain}`;
}

/** Finds a correctly signed return address of ours in the headers of a message. */
export function findReturnAddress({ jwtSecret, mail }: Settings, text: string): MailName | null {
  if (!mail.bounces) return null;
  const [local = '', domain = ''] = mail.bounces.split('@').map(escapeForPattern);
  const address = new RegExp(
    `${local}\\+(\\d{1,10})\\.(\\d{1,18})\\.([0-9a-f]{${SIGNATURE_DIGITS}})@${domain}`,
    'gi',
  );
  for (const [, companyId = '', mailId = '', signature = ''] of text.matchAll(address)) {
    const name = { companyId: Number(companyId), mailId: BigInt(mailId) };
    const right = Buffer.from(signatureOf(jwtSecret, name));
    if (timingSafeEqual(Buffer.from(signature.toLowerCase()), right)) return name;
  }
  return null;
}

/** Half a SHA-256 would not fit: the part before the @ has at most 64 characters (RFC 5321 §4.5.3.1.1). */
const SIGNATURE_DIGITS = 16;

function signatureOf(jwtSecret: string, { companyId, mailId }: MailName): string {
  const key = Buffer.from(hkdfSync('sha256', jwtSecret, '', 'correo devuelto', 32));
  return createHmac('sha256', key)
    .update(`${companyId}.${mailId}`)
    .digest('hex')
    .slice(0, SIGNATURE_DIGITS);
}

function escapeForPattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
