import { codigoOf, isInProgress, statusOf } from './draft-saver.ts';

/** One call to register, as it was sent: repeated whole, including its key, while nobody knows how it ended. */
export interface RegisterAttempt {
  readonly key: string;
  readonly fields: Readonly<Record<string, string>>;
  /** When it was first sent, in milliseconds since 1970. */
  readonly at: number;
  /** The query of the address: after a reload, the form of that address continues with the attempt. */
  readonly search: string;
}

/** The server remembers the outcome of a key for 24 hours; its clock may be ahead of this one. */
const ANSWERED_MS = 23 * 3_600_000;

/** Repeating it could register the invoice a second time, because its key is no longer remembered. */
export function isForgotten({ at }: Pick<RegisterAttempt, 'at'>, now: number): boolean {
  return now - at >= ANSWERED_MS;
}

/** Refusals that come only after it is known that nothing was registered under the key. */
const BEHIND_THE_KEY: readonly string[] = [
  'RULES_BROKEN',
  'NOT_FOUND',
  'NO_SUCH_CUSTOMER',
  'CONFLICT',
];

/** Codes of a 503 after which the database rolled everything back. */
const UNDONE: readonly string[] = ['OUT_OF_ROOM', 'BUSY'];

/**
 * True when the server said that nothing was registered, and why.
 *
 * @param isRepeat an earlier call under the same key had no answer: a refusal before the key is looked up (too many
 *   calls, a session that ended) says nothing about that one
 */
export function isNotRegistered(
  error: unknown,
  { isRepeat }: { readonly isRepeat: boolean },
): boolean {
  if (isInProgress(error)) return false;
  const codigo = codigoOf(error);
  if (isRepeat) return codigo !== undefined && BEHIND_THE_KEY.includes(codigo);
  const status = statusOf(error) ?? 0;
  return (status >= 400 && status < 500 && status !== 408) || UNDONE.includes(codigo ?? '');
}
