import { DomainError } from '../domain/errors.ts';

/** Deeper than any call of the contract goes. */
const MAX_DEPTH = 20;

/**
 * Refuses what no form sends and what would fail further in as a mistake of ours: text that
 * PostgreSQL cannot keep (the character U+0000, half of a surrogate pair) and values inside values
 * without end.
 *
 * @throws {DomainError} BAD_REQUEST
 */
export function refuseOddities(value: unknown, depth = 0): void {
  if (typeof value === 'string') {
    if (value.includes('\u0000') || !isWellFormed(value)) {
      throw new DomainError('BAD_REQUEST', 'El texto lleva un carácter que no se admite.');
    }
    return;
  }
  if (typeof value !== 'object' || value === null || Buffer.isBuffer(value)) return;
  if (depth > MAX_DEPTH) {
    throw new DomainError('BAD_REQUEST', 'La petición no se entiende: revisa su contenido.');
  }
  if (Array.isArray(value)) {
    for (const inner of value) refuseOddities(inner, depth + 1);
    return;
  }
  for (const name of Object.keys(value)) {
    refuseOddities(name, depth);
    refuseOddities((value as Readonly<Record<string, unknown>>)[name], depth + 1);
  }
}

/** `String.prototype.isWellFormed`, which the library of types does not know yet. */
function isWellFormed(text: string): boolean {
  return (text as string & { isWellFormed: () => boolean }).isWellFormed();
}
