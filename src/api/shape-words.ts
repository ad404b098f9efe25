import { z } from 'zod';

/** What each type of value is called in an error message. */
const KINDS: Readonly<Record<string, string>> = {
  string: 'un texto',
  number: 'un número',
  int: 'un número entero',
  boolean: 'verdadero o falso',
  array: 'una lista',
  object: 'un objeto',
  record: 'un objeto',
};

/** An issue reported by the library, with the fields of its kind. */
interface ShapeIssue {
  readonly code?: string;
  readonly expected?: unknown;
  readonly input?: unknown;
  /** The type that has a limit: a text, a list, a number. */
  readonly origin?: string;
  readonly maximum?: number | bigint;
  readonly minimum?: number | bigint;
  readonly values?: readonly unknown[];
  readonly format?: string;
  /** Of a value that may be of several types: what each of them says. */
  readonly errors?: readonly (readonly ShapeIssue[])[];
}

/** The message for a value that is missing, of another type or out of its limits, in the Spanish of Spain. */
function shapeWords(issue: ShapeIssue): string | null {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'Falta' : kindWords(issue.expected);
    case 'too_big':
      return limitWords(issue.origin, issue.maximum, 'como mucho', 'No puede pasar de');
    case 'too_small':
      if (issue.input === '') return 'Falta';
      return limitWords(issue.origin, issue.minimum, 'como poco', 'No puede ser menor que');
    case 'invalid_value':
      // Its values are all the words that it takes for true and false.
      if (issue.expected === 'stringbool') return kindWords('boolean');
      return optionWords(issue.values ?? []);
    case 'invalid_union':
      return issue.input === undefined ? 'Falta' : unionWords(issue.errors ?? []);
    case 'invalid_format':
      return issue.format === 'uuid' ? 'Tiene que ser un identificador (UUID)' : 'No es válido';
    case 'unrecognized_keys':
      return 'No es válido';
    default:
      // The library's own Spanish.
      return null;
  }
}

function kindWords(expected: unknown): string {
  const kind = KINDS[String(expected)];
  return kind ? `Tiene que ser ${kind}` : 'No es válido';
}

function unionWords(errors: readonly (readonly ShapeIssue[])[]): string {
  const kinds = errors.map(([first]) =>
    first?.code === 'invalid_type' ? KINDS[String(first.expected)] : undefined,
  );
  const isEveryKindKnown = kinds.length > 0 && kinds.every((kind) => kind !== undefined);
  return isEveryKindKnown ? `Tiene que ser ${[...new Set(kinds)].join(' o ')}` : 'No es válido';
}

function limitWords(
  origin: string | undefined,
  limit: number | bigint | undefined,
  bound: string,
  ofNumber: string,
): string {
  const figure = String(limit);
  if (origin === 'string')
    return `Tiene que tener ${counted(figure, 'carácter', 'caracteres')} ${bound}`;
  if (origin === 'array')
    return `Tiene que tener ${counted(figure, 'elemento', 'elementos')} ${bound}`;
  return `${ofNumber} ${figure}`;
}

function counted(figure: string, one: string, many: string): string {
  return `${figure} ${figure === '1' ? one : many}`;
}

function optionWords(values: readonly unknown[]): string {
  const options = values.filter((value) => value !== '').map((value) => `«${value}»`);
  const last = options.at(-1);
  if (last === undefined) return 'No es válido';
  if (options.length === 1) return `Tiene que ser ${last}`;
  return `Tiene que ser ${options.slice(0, -1).join(', ')} o ${last}`;
}

/** Makes every schema report its errors in Spanish. */
export function refuseInSpanish(): void {
  z.config({ ...z.locales.es(), customError: shapeWords });
}
