import { ApiError } from './http.ts';
import { readToken } from './session.ts';

/**
 * Stops an action that needs a session when there is none any more, with words for that action, in place of a call that
 * would be refused.
 *
 * @throws {ApiError}
 */
export function requireToken(sentence: string): void {
  if (readToken() === null) throw new ApiError(401, [sentence]);
}
