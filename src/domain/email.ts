/** E-mail addresses: which ones we accept, and when two of them are the same user. */

export type EmailCheck =
  | { readonly ok: true; readonly email: string }
  | { readonly ok: false; readonly mensaje: string };

/** Invoices that a company may send to its clients by e-mail in an hour. */
export const MAILS_AN_HOUR = 100;

const MAX_LENGTH = 254;
const MAX_LOCAL = 64;
const LOCAL = /^[^\s@<>()[\]\\,;:"]+$/;
const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const DOMAIN = new RegExp(`^(?:${LABEL}\\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{1,59})$`);

/**
 * Takes the address out of what was copied with it and makes the domain lower-case ASCII; the part before the @ stays
 * as typed.
 */
export function checkEmail(text: string): EmailCheck {
  // A line break could smuggle headers into a message, so it is never trimmed away silently.
  if (/[\r\n]/.test(text)) return refusal();
  const email = copiedAddress(text).normalize('NFC');
  const at = email.lastIndexOf('@');
  const local = email.slice(0, Math.max(at, 0));
  const domain = asciiDomain(email.slice(at + 1));
  const isLocalRight =
    LOCAL.test(local) && local.length <= MAX_LOCAL && !/^\.|\.$|\.\./.test(local);
  if (!isLocalRight || !DOMAIN.test(domain)) return refusal();
  const whole = `${local}@${domain}`;
  return whole.length <= MAX_LENGTH ? { ok: true, email: whole } : refusal();
}

/** `mailto:ana@b.es`, `Ana <ana@b.es>` or `ana@b.es.` → `ana@b.es`, without invisible characters. */
function copiedAddress(text: string): string {
  const visible = text.replace(/\p{Cf}/gu, '').trim();
  const [, address = visible] = /^[^<>@]*<([^<>]*)>$/.exec(visible) ?? [];
  return address
    .trim()
    .replace(/^mailto:/i, '')
    .replace(/[.,;]$/, '');
}

/**
 * Two addresses with the same key are the same user. Case, the Unicode form of accents, and punycode or not in the
 * domain make no difference.
 */
export function emailKey(email: string): string {
  const checked = checkEmail(email);
  return (checked.ok ? checked.email : email.trim()).toLowerCase().normalize('NFC');
}

/** What ends a host name in an address of the web, or is taken out of it. */
const OF_AN_ADDRESS = /[\s/\\?#:%]/;

/** An internationalised domain in punycode; a plain one in lower case. */
function asciiDomain(domain: string): string {
  const lower = domain.toLowerCase();
  if (/^[\x21-\x7e]*$/.test(lower)) return lower;
  if (OF_AN_ADDRESS.test(lower)) return '';
  try {
    return new URL(`http://${lower}`).hostname;
  } catch {
    return ''; // Not a host name: the pattern refuses it.
  }
}

function refusal(): EmailCheck {
  return {
    ok: false,
    mensaje: 'El correo electrónico no tiene una forma válida; por ejemplo, nombre@empresa.es.',
  };
}
