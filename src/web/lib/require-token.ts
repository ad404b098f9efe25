import { ApiError } from './http.ts';
import { readToken } from './session.ts';

/**
 * Stops an action when the session has ended, with a message about that action, instead of making a call that would
 * be refused.
 *
 * @throws {ApiError}
 */
export function requireToken(sentence: string): void {
  if (readToken() === null) throw new ApiError(401, [sentence]);
}
