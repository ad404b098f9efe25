import common from './common-passwords.json' with { type: 'json' };

/**
 * What a password must not be. Length makes it strong: no rules of composition, any character, compared exactly as
 * typed (OWASP ASVS 5.0, 6.2.4 to 6.2.12).
 */

const MIN_PASSWORD_LENGTH = 8;
const MAX_PASSWORD_LENGTH = 128;

/** Whose password it is: it must not be made up of these words. */
export interface PasswordContext {
  readonly email?: string | undefined;
  readonly companyName?: string | undefined;
  readonly nif?: string | undefined;
}

const COMMON: ReadonlySet<string> = new Set(common.passwords.split(' '));

/** Words that any user here would think of first. */
const PRODUCT_WORDS = ['huella', 'verifactu', 'factura', 'contrasena', 'empresa', 'password'];

/**
 * If fewer characters than this remain once guessable words are removed, the password is considered to consist of
 * them.
 */
const FEW = 5;

interface Words {
  readonly wholes?: readonly string[];
  readonly words: readonly string[];
}

/** Rows of a Spanish keyboard, and the alphabet and digits: runs of them count as sequences. */
const ROWS = ['01234567890', 'qwertyuiop', 'asdfghjklñ', 'zxcvbnm', 'abcdefghijklmnopqrstuvwxyz'];

/** @returns one sentence per broken rule, in a fixed order; none when the password is fine */
export function checkPassword(password: string, context: PasswordContext = {}): string[] {
  const length = [...password].length;
  const plain = squeeze(password);
  const sentences: string[] = [];
  if (length < MIN_PASSWORD_LENGTH) {
    sentences.push(`La contraseña debe tener al menos ${MIN_PASSWORD_LENGTH} caracteres.`);
  }
  if (length > MAX_PASSWORD_LENGTH) {
    sentences.push(`La contraseña no puede superar los ${MAX_PASSWORD_LENGTH} caracteres.`);
    return sentences; // No point in computing anything else on so long a text.
  }
  if (COMMON.has(password.toLowerCase()) || isMadeOf(plain, { words: PRODUCT_WORDS })) {
    sentences.push('Esta contraseña es demasiado común. Elige otra.');
  }
  if (isMadeOf(plain, emailWords(context.email ?? ''))) {
    sentences.push('La contraseña no puede contener tu correo electrónico.');
  }
  if (isMadeOf(plain, companyWords(context))) {
    sentences.push('La contraseña no puede contener el nombre o el NIF de tu empresa.');
  }
  if (length > 0 && isSequence(password.toLowerCase())) {
    sentences.push('La contraseña no puede ser una secuencia o un carácter repetido.');
  }
  return sentences;
}

/**
 * True when the password contains one of these whole, or when little remains of it without their words: a few
 * characters, or only digits. «obradorcandela2026» consists of «Obrador Candela»; a long sentence that happens to
 * contain the word «obrador» does not.
 */
function isMadeOf(plain: string, { wholes = [], words }: Words): boolean {
  if (wholes.some((whole) => plain.includes(whole))) return true;
  const found = words.filter((word) => plain.includes(word)).sort((a, b) => b.length - a.length);
  if (found.length === 0) return false;
  const rest = found.reduce((left, word) => left.replaceAll(word, ''), plain);
  return rest.length < FEW || !/\p{L}/u.test(rest);
}

function emailWords(email: string): Words {
  const [local = '', domain = ''] = email.split('@');
  const site = domain.split('.').slice(0, -1);
  return {
    wholes: squeezed([email], MIN_PASSWORD_LENGTH),
    words: squeezed([local, ...local.split(/[.+_-]/), ...site], 4),
  };
}

function companyWords({ companyName = '', nif = '' }: PasswordContext): Words {
  return {
    wholes: squeezed([companyName, nif], MIN_PASSWORD_LENGTH),
    words: squeezed([companyName, ...companyName.split(/[\s,.]+/), nif.replace(/\D/g, '')], 4),
  };
}

/** Only meaningful words: not «de», «sl» or «com». */
function squeezed(words: readonly string[], minLength: number): string[] {
  return words.map(squeeze).filter((word) => word.length >= minLength);
}

/** Without case, accents, spaces or signs, so that «Obrador-Cándela» is «obradorcandela». */
function squeeze(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}

/** True when the whole text is runs of three or more: `aaaa`, `1234`, `4321`, `qwerty`, `abcabc`. */
function isSequence(text: string): boolean {
  if (/^(.{1,4})\1+.?$/su.test(text)) return true;
  let at = 0;
  while (at < text.length) {
    const run = runLength(text, at);
    if (run < 3) return false;
    at += run;
  }
  return true;
}

function runLength(text: string, from: number): number {
  let longest = 1;
  while (text[from + longest] === text[from]) longest++;
  for (const row of [...ROWS, ...ROWS.map((row) => [...row].reverse().join(''))]) {
    const start = row.indexOf(text[from] ?? '');
    if (start < 0) continue;
    let length = 0;
    while (start + length < row.length && row[start + length] === text[from + length]) length++;
    longest = Math.max(longest, length);
  }
  return longest;
}
