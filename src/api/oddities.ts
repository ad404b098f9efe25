import { DomainError } from '../domain/errors.ts';

/** The replacement character for bytes that are not UTF-8. */
const UNREAD = '\ufffd';

/** Deeper than the body of any call. */
const MAX_DEPTH = 20;

/**
 * Objects and lists in the largest import, three times over. Eight million fit into its body: reading them would take
 * the process a minute and all of its memory.
 */
const MOST_OBJECTS = 200_000;

/**
 * Whether a text has far more objects and lists than any call, if it is JSON. Those inside its texts are counted too.
 */
export function isCrowded(json: string): boolean {
  if (json.length <= MOST_OBJECTS) return false;
  let count = 0;
  for (let at = 0; at < json.length && count <= MOST_OBJECTS; at++) {
    const code = json.charCodeAt(at);
    if (code === OPEN_OBJECT || code === OPEN_LIST) count += 1;
  }
  return count > MOST_OBJECTS;
}

const OPEN_OBJECT = '{'.charCodeAt(0);
const OPEN_LIST = '['.charCodeAt(0);

/**
 * Refuses what no form sends and what would fail later as if it were a bug of ours: text that PostgreSQL cannot store
 * (U+0000, half of a surrogate pair), and excessively nested values. Also U+FFFD, which replaces the letters of a
 * program that does not send UTF-8: on a registered invoice it would stay for ever.
 *
 * @param name of the field that contains it
 * @throws {DomainError} BAD_REQUEST
 */
export function refuseOddities(value: unknown, depth = 0, name = ''): void {
  if (typeof value === 'string') {
    if (value.includes('\u0000') || !isWellFormed(value)) {
      throw new DomainError(
        'BAD_REQUEST',
        `${placeOf(name)} lleva un carácter que no se admite. Escribe de nuevo su texto.`,
      );
    }
    if (value.includes(UNREAD)) {
      throw new DomainError(
        'BAD_REQUEST',
        `${placeOf(name)} lleva el signo «${UNREAD}», que queda donde una letra no se pudo leer. Escríbela de nuevo; si lo envía un programa, tiene que hacerlo en UTF-8.`,
      );
    }
    return;
  }
  if (typeof value !== 'object' || value === null || Buffer.isBuffer(value)) return;
  if (depth > MAX_DEPTH) {
    throw new DomainError('BAD_REQUEST', 'La petición no se entiende: revisa su contenido.');
  }
  if (Array.isArray(value)) {
    for (const inner of value) refuseOddities(inner, depth + 1, name);
    return;
  }
  for (const inner of Object.keys(value)) {
    refuseOddities(inner, depth);
    refuseOddities((value as Readonly<Record<string, unknown>>)[inner], depth + 1, inner);
  }
}

function placeOf(name: string): string {
  return name ? `El campo «${name}»` : 'El texto';
}

/** `String.prototype.isWellFormed`, which our TypeScript library does not declare yet. */
function isWellFormed(text: string): boolean {
  return (text as string & { isWellFormed: () => boolean }).isWellFormed();
}
