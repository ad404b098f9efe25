/** Spanish tax numbers (NIF). Persons: check letter modulo 23; entities: Orden EHA/451/2008. */

export type NifCheck =
  | {
      readonly ok: true;
      /** Nine characters in upper case, as stored and sent. */
      readonly nif: string;
      readonly kind: 'persona' | 'entidad';
      /** Something unusual that does not make it invalid. */
      readonly aviso?: string;
    }
  | { readonly ok: false; readonly mensaje: string };

const PERSON_LETTERS = 'TRWAGMYFPDXBNJZSQVHLCKE';
const ENTITY_LETTERS = 'JABCDEFGHI';
/** Kinds of entity whose check character is usually a letter; the others have a digit. */
const LETTER_CONTROL = 'NPQRSW';

/**
 * An identification in upper case, without blanks, dashes of any kind, points and slashes, and without the invisible
 * characters that come with a text copied from a message or a PDF.
 */
export function bareId(text: string): string {
  return text.toUpperCase().replace(/[\s\p{Pd}\u2212\p{Cf}./]/gu, '');
}

/** The same for a NIF, also without the `ES` of a NIF-IVA and without the word that was copied with it. */
export function normaliseNif(text: string): string {
  const bare = bareId(text).replace(/^(?:NIF|CIF|DNI|NIE):?(?=[0-9A-Z]{9}$)/, '');
  return bare.length === 11 && bare.startsWith('ES') ? bare.slice(2) : bare;
}

/** Checks form and check character. Only the AEAT knows whether the number is in its census. */
export function checkNif(text: string): NifCheck {
  const nif = normaliseNif(text);
  if (nif === '') return refusal('Escribe el NIF.');
  if (/[^0-9A-Z]/.test(nif)) {
    return refusal(`El NIF ${nif} lleva caracteres que no son cifras ni letras de la A a la Z.`);
  }
  if (/^\d{8}[A-Z]$/.test(nif)) return checkPerson(nif, nif.slice(0, 8));
  if (/^[XYZ]\d{7}[A-Z]$/.test(nif)) {
    return checkPerson(nif, `${'XYZ'.indexOf(nif.charAt(0))}${nif.slice(1, 8)}`);
  }
  if (/^[KLM]\d{7}[A-Z]$/.test(nif)) return checkPerson(nif, nif.slice(1, 8));
  if (/^[A-HJNP-SUVW]\d{7}[0-9A-J]$/.test(nif)) return checkEntity(nif);
  return refusal(shapeProblem(nif));
}

/** `persona` for DNI, NIE, K, L and M; anything else is an entity. The NIF has to be valid. */
export function nifKind(nif: string): 'persona' | 'entidad' {
  return /^[0-9XYZKLM]/.test(nif) ? 'persona' : 'entidad';
}

/** The NIF of an entity with its usual check character: `entityNif('B', '1234567')` → `'B12345674'`. */
export function entityNif(letter: string, digits: string): string {
  return `${letter}${digits}${usualControl(letter, digits)}`;
}

function checkPerson(nif: string, digits: string): NifCheck {
  const expected = PERSON_LETTERS.charAt(Number(digits) % 23);
  return nif.endsWith(expected)
    ? { ok: true, nif, kind: 'persona' }
    : refusal(`La letra del NIF ${nif} no corresponde a su número. Revísalo.`);
}

function checkEntity(nif: string): NifCheck {
  const k = entityControl(nif.slice(1, 8));
  const control = nif.charAt(8);
  const letter = ENTITY_LETTERS.charAt(k);
  if (control !== String(k) && control !== letter) {
    return refusal(`El último carácter del NIF ${nif} no corresponde a su número. Revísalo.`);
  }
  const usual = usualControl(nif.charAt(0), nif.slice(1, 8));
  if (control === usual) return { ok: true, nif, kind: 'entidad' };
  const aviso = `El NIF ${nif} suele acabar en ${usual}. Comprueba que está bien escrito.`;
  return { ok: true, nif, kind: 'entidad', aviso };
}

function usualControl(letter: string, digits: string): string {
  const k = entityControl(digits);
  const usesLetter = LETTER_CONTROL.includes(letter) || digits.startsWith('00');
  return usesLetter ? ENTITY_LETTERS.charAt(k) : String(k);
}

/** Even positions as they are, odd ones doubled with their digits added. */
function entityControl(digits: string): number {
  let sum = 0;
  for (const [index, char] of [...digits].entries()) {
    const digit = Number(char);
    sum += index % 2 === 1 ? digit : Math.floor((digit * 2) / 10) + ((digit * 2) % 10);
  }
  return (10 - (sum % 10)) % 10;
}

function shapeProblem(nif: string): string {
  if (/^\d{1,7}[A-Z]$/.test(nif)) {
    const filled = nif.padStart(9, '0');
    return checkNif(filled).ok
      ? `Al NIF ${nif} le faltan cifras: ¿querías decir ${filled}?`
      : `Al NIF ${nif} le faltan cifras.`;
  }
  if (/^\d{8}$/.test(nif)) return `Al NIF ${nif} le falta la letra del final.`;
  if (/^[ITO]\d{7}[0-9A-J]$/.test(nif)) {
    return `Ningún NIF empieza por ${nif.charAt(0)}. Revisa ${nif}.`;
  }
  return `${nif} no tiene la forma de un NIF: son nueve caracteres, por ejemplo 12345678Z o B12345674.`;
}

function refusal(mensaje: string): NifCheck {
  return { ok: false, mensaje };
}
