import { codigoOf, isInProgress, statusOf } from './draft-saver.ts';

/** One call that registers, as it was sent: repeated whole, key included, while nobody knows how it ended. */
export interface RegisterAttempt {
  readonly key: string;
  readonly fields: Readonly<Record<string, string>>;
  /** When it was sent first, in milliseconds since 1970. */
  readonly at: number;
  /** What the address asked for: the form that a reload opens there goes on with it. */
  readonly search: string;
}

/** The server tells how a key ended for 24 hours; its clock may be ahead of this one. */
const ANSWERED_MS = 23 * 3_600_000;

/** Sent again, it could be registered a second time: nobody remembers its key any more. */
export function isForgotten({ at }: RegisterAttempt, now: number): boolean {
  return now - at >= ANSWERED_MS;
}

/** Refusals that are made once it is known that nothing was registered under the key. */
const BEHIND_THE_KEY: readonly string[] = [
  'RULES_BROKEN',
  'NOT_FOUND',
  'NO_SUCH_CUSTOMER',
  'CONFLICT',
];

/** Codes of a 503 of which the database undid everything. */
const UNDONE: readonly string[] = ['OUT_OF_ROOM', 'BUSY'];

/**
 * True when the server said that nothing was registered, and why.
 *
 * @param isRepeat a call under the same key had no answer: a refusal before the key is looked for (too many
 *   calls, a session that ended) tells nothing of that one
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
