/** Bank account numbers: ISO 13616, and the control digits of Spanish accounts. */

export type IbanCheck =
  | { readonly ok: true; readonly iban: string }
  | { readonly ok: false; readonly mensaje: string };

/** Length by country, for those most common in Spain; for any other, only the check modulo 97 applies. */
const LENGTHS: Readonly<Record<string, number>> = {
  AD: 24,
  AT: 20,
  BE: 16,
  CH: 21,
  DE: 22,
  ES: 24,
  FR: 27,
  GB: 22,
  IE: 22,
  IT: 27,
  LU: 20,
  NL: 18,
  PL: 28,
  PT: 25,
};

export function checkIban(text: string): IbanCheck {
  // As banks and messages write it: in groups, with dashes or with its name in front.
  const bare = text.toUpperCase().replace(/[\s\p{Pd}\p{Cf}.]/gu, '');
  const iban = bare.replace(/^IBAN:?/, '');
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(iban)) {
    return refusal(
      'El IBAN empieza por dos letras y dos cifras; por ejemplo, ES91 2100 0418 4502 0005 1332.',
    );
  }
  const country = iban.slice(0, 2);
  const length = LENGTHS[country];
  if (length !== undefined && iban.length !== length) {
    return refusal(`Un IBAN de ${country} tiene ${length} caracteres y este tiene ${iban.length}.`);
  }
  if (mod97(iban.slice(4) + iban.slice(0, 4)) !== 1n || !isSpanishControlRight(iban)) {
    return refusal(`Los dígitos de control del IBAN ${iban} no corresponden. Revísalo.`);
  }
  return { ok: true, iban };
}

/** A = 10 … Z = 35, read as one whole number. */
function mod97(rearranged: string): bigint {
  const digits = rearranged.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));
  return BigInt(digits) % 97n;
}

const BANK_WEIGHTS = [4, 8, 5, 10, 9, 7, 3, 6];
const ACCOUNT_WEIGHTS = [1, 2, 4, 8, 5, 10, 9, 7, 3, 6];

/** `ES9121000418…` → `ES91 2100 0418 …`, as banks print it, without a line break inside. */
export function ibanInGroups(iban: string): string {
  return iban.replace(/(.{4})(?=.)/g, '$1\u00a0');
}

/** `ES kk EEEE OOOO DD CCCCCCCCCC`: DD covers bank and branch, and the account. */
function isSpanishControlRight(iban: string): boolean {
  if (!iban.startsWith('ES')) return true;
  if (!/^ES\d{22}$/.test(iban)) return false;
  const expected =
    controlDigit(iban.slice(4, 12), BANK_WEIGHTS) + controlDigit(iban.slice(14), ACCOUNT_WEIGHTS);
  return iban.slice(12, 14) === expected;
}

function controlDigit(digits: string, weights: readonly number[]): string {
  const sum = weights.reduce((total, weight, index) => total + weight * Number(digits[index]), 0);
  const digit = 11 - (sum % 11);
  if (digit === 11) return '0';
  return digit === 10 ? '1' : String(digit);
}

function refusal(mensaje: string): IbanCheck {
  return { ok: false, mensaje };
}
