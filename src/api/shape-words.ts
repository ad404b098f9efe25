import { z } from 'zod';

/** What each kind of value is called to who reads the refusal. */
const KINDS: Readonly<Record<string, string>> = {
  string: 'un texto',
  number: 'un número',
  int: 'un número entero',
  boolean: 'verdadero o falso',
  array: 'una lista',
  object: 'un objeto',
  record: 'un objeto',
};

/**
 * The words for a value that is missing or of another kind, in the Spanish of Spain; null for the rest,
 * which the library's own Spanish says well.
 */
export function shapeWords(issue: {
  readonly code?: string;
  readonly expected?: unknown;
  readonly input?: unknown;
}): string | null {
  if (issue.code !== 'invalid_type') return null;
  if (issue.input === undefined) return 'Falta';
  const kind = KINDS[String(issue.expected)];
  return kind ? `Tiene que ser ${kind}` : 'No es válido';
}

/** Makes every schema refuse in Spanish. */
export function refuseInSpanish(): void {
  z.config({ ...z.locales.es(), customError: shapeWords });
}
