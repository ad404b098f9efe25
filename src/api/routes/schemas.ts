import type { z } from 'zod';
import { ErrorBody } from '../../contract/common.ts';

/** Error answers with those statuses, all of one shape: `errors(400, 401)`. */
export function errors<Status extends number>(...statuses: readonly Status[]) {
  const answers = statuses.map((status) => [status, ErrorBody] as const);
  return Object.fromEntries(answers) as Record<Status, typeof ErrorBody>;
}

/** The security requirement of every call behind a session. */
export const security = [{ sesion: [] }];

/** A call behind a session that refuses for no other reason. */
export function privateCall<Answer extends z.ZodType>(
  tags: readonly string[],
  summary: string,
  answer: Answer,
) {
  return { schema: { tags, summary, security, response: { 200: answer, ...errors(401) } } };
}
