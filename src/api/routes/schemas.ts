import type { z } from 'zod';
import { ErrorBody } from '../../contract/common.ts';

/** Of every call behind a session. */
export const security = [{ sesion: [] }];

/** A call behind a session that refuses nothing else. */
export function privateCall<Answer extends z.ZodType>(
  tags: readonly string[],
  summary: string,
  answer: Answer,
) {
  return { schema: { tags, summary, security, response: { 200: answer, 401: ErrorBody } } };
}
