/**
 * VAT numbers of the European Union (NIF-IVA): the structure that the AEAT requires for IDType 02, and the check
 * digits where the country publishes them. Only VIES knows whether a number is in use.
 */

import { bareId, checkNif } from './nif.ts';

export type NifIvaCheck =
  | { readonly ok: true; readonly nifIva: string }
  | { readonly ok: false; readonly mensaje: string };

interface Rule {
  /** What follows the prefix (IDENTIFIERS of each country; AEAT validations 1.2.2, section 5.3). */
  readonly pattern: RegExp;
  /** Check digits; absent when there are none, or several algorithms. */
  readonly control?: (number: string) => boolean;
}

const RULES: Readonly<Record<string, Rule>> = {
  AT: { pattern: /^U\d{8}$/, control: controlAT },
  BE: { pattern: /^[01]\d{9}$/, control: (n) => 97 - (int(n, 0, 8) % 97) === int(n, 8) },
  BG: { pattern: /^\d{9,10}$/, control: (n) => n.length === 10 || controlBG(n) },
  CY: { pattern: /^(?!12)\d{8}[A-Z]$/, control: controlCY },
  CZ: { pattern: /^\d{8,10}$/, control: (n) => n.length !== 8 || controlCZ(n) },
  DE: { pattern: /^[1-9]\d{8}$/, control: iso7064 },
  DK: { pattern: /^[1-9]\d{7}$/, control: (n) => weighted(n, [2, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0 },
  EE: {
    pattern: /^\d{9}$/,
    control: (n) => (10 - (weighted(n, [3, 7, 1, 3, 7, 1, 3, 7]) % 10)) % 10 === digit(n, 8),
  },
  EL: { pattern: /^\d{9}$/, control: controlEL },
  ES: { pattern: /^[0-9A-Z]\d{7}[0-9A-Z]$/, control: (n) => checkNif(n).ok },
  FI: {
    pattern: /^\d{8}$/,
    control: (n) => (11 - (weighted(n, [7, 9, 10, 5, 8, 4, 2]) % 11)) % 11 === digit(n, 7),
  },
  FR: { pattern: /^[0-9A-HJ-NP-Z]{2}\d{9}$/, control: controlFR },
  HR: { pattern: /^\d{11}$/, control: iso7064 },
  HU: {
    pattern: /^\d{8}$/,
    control: (n) => (10 - (weighted(n, [9, 7, 3, 1, 9, 7, 3]) % 10)) % 10 === digit(n, 7),
  },
  IE: { pattern: /^(\d{7}[A-W][A-I]?|\d[A-Z+*]\d{5}[A-W])$/, control: controlIE },
  IT: { pattern: /^\d{11}$/, control: luhn },
  LT: { pattern: /^(\d{9}|\d{12})$/, control: controlLT },
  LU: { pattern: /^\d{8}$/, control: (n) => int(n, 0, 6) % 89 === int(n, 6) },
  LV: { pattern: /^\d{11}$/, control: (n) => n.charAt(0) <= '3' || controlLV(n) },
  MT: {
    pattern: /^\d{8}$/,
    control: (n) => 37 - (weighted(n, [3, 4, 6, 7, 8, 9]) % 37) === int(n, 6),
  },
  NL: { pattern: /^(\d{9}B\d{2}|[0-9A-Z+*]{10}\d{2})$/, control: controlNL },
  PL: {
    pattern: /^\d{10}$/,
    control: (n) => weighted(n, [6, 5, 7, 2, 3, 4, 5, 6, 7]) % 11 === digit(n, 9),
  },
  PT: { pattern: /^\d{9}$/, control: controlPT },
  RO: { pattern: /^[1-9]\d{1,9}$/, control: controlRO },
  SE: { pattern: /^\d{10}01$/, control: (n) => luhn(n.slice(0, 10)) },
  SI: { pattern: /^[1-9]\d{7}$/, control: controlSI },
  SK: { pattern: /^\d{10}$/, control: (n) => BigInt(n) % 11n === 0n },
  XI: { pattern: /^(\d{9}|\d{12}|(GD|HA)\d{3})$/ },
};

/**
 * The number with its prefix when it has the structure of that country's, otherwise null. The prefix of Greece is `EL`,
 * that of Monaco is `FR`, and Northern Ireland's `XI` only counts when the text itself has it.
 *
 * @param country ISO 3166-1 alpha-2
 */
export function matchNifIva(country: string, text: string): string | null {
  const { prefix, number } = split(country, text);
  return RULES[prefix]?.pattern.test(number) ? prefix + number : null;
}

/** Checks structure and check digits. */
export function checkNifIva(country: string, text: string): NifIvaCheck {
  const { prefix, number } = split(country, text);
  const rule = RULES[prefix];
  if (!rule) {
    return refusal(`${nameOf(country)} no es un país de la Unión Europea: no tiene NIF-IVA.`);
  }
  if (!rule.pattern.test(number)) {
    const place = prefix === 'XI' ? 'Irlanda del Norte' : nameOf(country);
    return refusal(`«${prefix}${number}» no tiene la forma de un NIF-IVA de ${place}.`);
  }
  if (rule.control && !rule.control(number)) {
    return refusal(
      `Los dígitos de control del NIF-IVA ${prefix}${number} no corresponden. Revísalo.`,
    );
  }
  return { ok: true, nifIva: prefix + number };
}

/** Prefixes of places (ISO 3166-1 alpha-2) that are not those of the country itself. */
const PREFIXES: Readonly<Record<string, string>> = { GR: 'EL', MC: 'FR' };

/**
 * A NIF-IVA of another country that begins with its prefix, and the place of that prefix (ISO 3166-1 alpha-2), if
 * structure and check digits are right. Blanks, dots and hyphens do not count.
 */
export function foreignNifIva(text: string): { country: string; nifIva: string } | null {
  const prefix = bareId(text).slice(0, 2);
  const country = prefix === 'EL' ? 'GR' : prefix;
  if (country === 'ES' || country === 'XI' || !RULES[prefix]) return null;
  const check = checkNifIva(country, text);
  return check.ok ? { country, nifIva: check.nifIva } : null;
}

/**
 * Whether customers of that place (ISO 3166-1 alpha-2) are in the Union for VAT, and so have NIF-IVAs. What is sold to
 * Monaco is sold to France, whose numbers its businesses have (Ley 37/1992 art. 3.Tres; Directive 2006/112/EC art. 7).
 */
export function isUnionForVat(country: string): boolean {
  return country in PREFIXES || (country !== 'EL' && country !== 'XI' && country in RULES);
}

const NAMES = new Intl.DisplayNames('es', { type: 'region' });

/** The name of a country (ISO 3166-1 alpha-2); what is not such a code, as it is. */
const nameOf = (country: string): string =>
  /^[A-Z]{2}$/.test(country) ? (NAMES.of(country) ?? country) : country;

function split(country: string, text: string): { prefix: string; number: string } {
  const bare = bareId(text);
  if (country === 'GB' && bare.startsWith('XI')) return { prefix: 'XI', number: bare.slice(2) };
  const prefix = PREFIXES[country] ?? country;
  const hasPrefix = bare.startsWith(prefix) || (country === 'GR' && bare.startsWith('GR'));
  return { prefix, number: hasPrefix ? bare.slice(2) : bare };
}

function refusal(mensaje: string): NifIvaCheck {
  return { ok: false, mensaje };
}

const digit = (text: string, index: number): number => Number(text.charAt(index));
const int = (text: string, from: number, to?: number): number => Number(text.slice(from, to));

function weighted(text: string, weights: readonly number[]): number {
  return weights.reduce((sum, weight, index) => sum + weight * digit(text, index), 0);
}

/** The last digit makes the doubled sum a multiple of ten. */
function luhn(text: string): boolean {
  let sum = 0;
  for (let index = 0; index < text.length; index += 1) {
    const fromEnd = text.length - 1 - index;
    const value = digit(text, index) * (fromEnd % 2 === 1 ? 2 : 1);
    sum += value > 9 ? value - 9 : value;
  }
  return sum % 10 === 0;
}

/** ISO 7064 mod 11,10: Germany and Croatia. */
function iso7064(text: string): boolean {
  let product = 10;
  for (let index = 0; index < text.length - 1; index += 1) {
    const sum = (digit(text, index) + product) % 10 || 10;
    product = (2 * sum) % 11;
  }
  return (11 - product) % 10 === digit(text, text.length - 1);
}

function controlAT(text: string): boolean {
  const digits = text.slice(1);
  let sum = 4;
  for (let index = 0; index < 7; index += 1) {
    const value = digit(digits, index) * (index % 2 === 1 ? 2 : 1);
    sum += value > 9 ? value - 9 : value;
  }
  return (10 - (sum % 10)) % 10 === digit(digits, 7);
}

function controlBG(text: string): boolean {
  const first = weighted(text, [1, 2, 3, 4, 5, 6, 7, 8]) % 11;
  const control = first === 10 ? (weighted(text, [3, 4, 5, 6, 7, 8, 9, 10]) % 11) % 10 : first;
  return control === digit(text, 8);
}

/** This table replaces the digits in odd positions before they are added. */
function controlCY(text: string): boolean {
  const swapped = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21];
  let sum = 0;
  for (let index = 0; index < 8; index += 1) {
    const value = digit(text, index);
    sum += index % 2 === 0 ? (swapped[value] ?? 0) : value;
  }
  return String.fromCharCode(65 + (sum % 26)) === text.charAt(8);
}

function controlCZ(text: string): boolean {
  const rest = 11 - (weighted(text, [8, 7, 6, 5, 4, 3, 2]) % 11);
  const control = rest === 10 ? 0 : rest === 11 ? 1 : rest;
  return control === digit(text, 7);
}

function controlEL(text: string): boolean {
  return (weighted(text, [256, 128, 64, 32, 16, 8, 4, 2]) % 11) % 10 === digit(text, 8);
}

/** Only numeric keys have a known algorithm: (12 + 3 × (SIREN mod 97)) mod 97. */
function controlFR(text: string): boolean {
  if (!/^\d{2}/.test(text)) return true;
  return (12 + 3 * (int(text, 2) % 97)) % 97 === int(text, 0, 2);
}

/** The old form has its first digit after the letter: only the new one is checked. */
function controlIE(text: string): boolean {
  if (!/^\d{7}/.test(text)) return true;
  const extra = text.charAt(8) ? (text.charCodeAt(8) - 64) * 9 : 0;
  const rest = (weighted(text, [8, 7, 6, 5, 4, 3, 2]) + extra) % 23;
  return 'WABCDEFGHIJKLMNOPQRSTUV'.charAt(rest) === text.charAt(7);
}

function controlLT(text: string): boolean {
  const length = text.length - 1;
  const weights = (from: number) => Array.from({ length }, (_, index) => ((index + from) % 9) + 1);
  const first = weighted(text, weights(0)) % 11;
  const control = first === 10 ? (weighted(text, weights(2)) % 11) % 10 : first;
  return control === digit(text, length);
}

/** Numbers of companies begin with a digit above 3; those of persons contain a date and are not checked. */
function controlLV(text: string): boolean {
  const rest = weighted(text, [9, 1, 4, 8, 3, 10, 2, 5, 7, 6]) % 11;
  const control = rest < 4 ? 3 - rest : 14 - rest;
  return control === digit(text, 10);
}

/** Either the old check modulo 11 or, since 2020, modulo 97 over the whole number with its prefix. */
function controlNL(text: string): boolean {
  if (weighted(text, [9, 8, 7, 6, 5, 4, 3, 2]) % 11 === digit(text, 8)) return true;
  const code = (char: string): string => {
    if (char === '+') return '36';
    if (char === '*') return '37';
    return /\d/.test(char) ? char : String(char.charCodeAt(0) - 55);
  };
  return BigInt([...`NL${text}`].map(code).join('')) % 97n === 1n;
}

function controlPT(text: string): boolean {
  const rest = 11 - (weighted(text, [9, 8, 7, 6, 5, 4, 3, 2]) % 11);
  return (rest > 9 ? 0 : rest) === digit(text, 8);
}

function controlRO(text: string): boolean {
  const padded = text.padStart(10, '0');
  return ((weighted(padded, [7, 5, 3, 2, 1, 7, 5, 3, 2]) * 10) % 11) % 10 === digit(padded, 9);
}

function controlSI(text: string): boolean {
  const rest = 11 - (weighted(text, [8, 7, 6, 5, 4, 3, 2]) % 11);
  return rest !== 11 && (rest === 10 ? 0 : rest) === digit(text, 7);
}
